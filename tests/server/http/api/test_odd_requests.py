"""Requests that no decent client sends, at the API (H18): 4xx within a second, and no trace in other requests."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from protocol.limits import MAX_COMMAND_BYTES
from tests.driver import WAIT_S, HubProcess
from tests.pace import within
from tests.server.http.api.player import HttpPlayer

HEAD = b"Host: h\r\nContent-Type: application/json\r\n"
BIG = str(10**9).encode()
CHUNK = b"400\r\n" + b" " * 1024 + b"\r\n"

NUMBERS_THAT_ARE_NONE = ("%2B1", "%201", "1%20", "1_0", "01", "1e0", "0x1", "%D9%A1", "%EF%BC%91", "1%00")
"""What Python would read as 1 or 10 in some way or other, Arabic and full-width digits included."""
ODD: dict[str, tuple[int, bytes]] = {
    "two lengths": (400, b"POST /api/guests HTTP/1.1\r\n" + HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
    "a length and chunks": (
        400,
        b"POST /api/guests HTTP/1.1\r\n" + HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ),
    "endless chunks": (
        413,
        b"POST /api/guests HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 40,
    ),
    "a body of 1 GB": (413, b"POST /api/guests HTTP/1.1\r\n" + HEAD + b"Content-Length: " + BIG + b"\r\n\r\n" + CHUNK),
    "a body of 1 GB to an update": (
        413,
        b"POST /api/matches/x/updates HTTP/1.1\r\n" + HEAD + b"Content-Length: " + BIG + b"\r\n\r\n" + CHUNK,
    ),
    "a length that is none": (400, b"POST /api/guests HTTP/1.1\r\n" + HEAD + b"Content-Length: many\r\n\r\n"),
    "a negative length": (400, b"POST /api/guests HTTP/1.1\r\n" + HEAD + b"Content-Length: -1\r\n\r\n"),
    "a wrong method": (405, b"DELETE /api/matches HTTP/1.1\r\n" + HEAD + b"\r\n"),
    "a method that is none": (400, b"CHEAT /api/matches HTTP/1.1\r\n" + HEAD + b"\r\n"),
    "an encoded NUL": (404, b"GET /api/matches%00 HTTP/1.1\r\n" + HEAD + b"\r\n"),
    "dots": (404, b"GET /api/../api/matches HTTP/1.1\r\n" + HEAD + b"\r\n"),
    "encoded dots": (404, b"GET /api/matches/%2e%2e/%2e%2e/etc HTTP/1.1\r\n" + HEAD + b"\r\n"),
    "an upgrade on a plain route": (
        404,
        b"GET /api/matches HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    ),
    "200 headers": (
        431,
        b"GET /api/matches HTTP/1.1\r\n" + HEAD + b"".join(b"x%d: y\r\n" % n for n in range(200)) + b"\r\n",
    ),
}


@pytest.fixture
async def link(hub: HubProcess, link: httpx.AsyncClient) -> AsyncIterator[httpx.AsyncClient]:
    """The client of an honest player, who must notice nothing."""
    yield link
    answer = await link.get("/games")
    assert answer.status_code == 200
    assert not hub.ended


async def answer_to(hub: HubProcess, data: bytes) -> tuple[int, bytes, float]:
    """Status, the whole answer, and how long its first byte took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
    started = time.monotonic()
    try:
        writer.write(data)
        async with asyncio.timeout(WAIT_S):
            head = await reader.readuntil(b"\r\n\r\n")
        return int(head.split()[1]), head, time.monotonic() - started
    finally:
        writer.transport.abort()


@pytest.mark.parametrize("name", ODD)
async def test_what_is_odd_is_refused_at_once(hub: HubProcess, link: httpx.AsyncClient, name: str) -> None:
    """H18."""
    expected, data = ODD[name]
    status, _, took_s = await answer_to(hub, data)
    assert status == expected
    within(took_s, 1)


async def test_a_wrong_method_is_told_the_right_ones(link: httpx.AsyncClient) -> None:
    for path, allowed in (
        ("/matches", {"GET", "HEAD", "POST"}),
        ("/guests", {"POST"}),
        ("/matches/x/updates", {"GET", "HEAD", "POST"}),
        ("/openapi.json", {"GET", "HEAD"}),
    ):
        answer = await link.request("PATCH", path)
        assert answer.status_code == 405
        assert {word.strip() for word in answer.headers["allow"].split(",")} == allowed
        assert answer.json()["code"] == "method_not_allowed"


async def test_unknown_paths_are_problems(link: httpx.AsyncClient) -> None:
    for path in ("/nothing", "/matches/", "/matches/x/y", "/"):
        answer = await link.get(path)
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
        assert {"type", "title", "status", "detail", "code"} <= answer.json().keys()


async def test_ids_that_cannot_be_are_not_looked_for(link: httpx.AsyncClient) -> None:
    ana = await HttpPlayer.come(link, "Ana")
    for match in ("%00", "..%2F..", "a" * 41, "a%20b", "{x}", "*", "%ff"):
        for path in ("", "/updates", "/record"):
            answer = await link.get(
                f"/matches/{match}{path}", headers={"authorization": f"Bearer {ana.guest['token']}"}
            )
            assert answer.status_code == 404, (match, path)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"{", 400, "malformed"),
        (b"\xff\xfe", 400, "malformed"),
        (b"[]", 422, "bad_field"),
        (b"null", 422, "bad_field"),
        (b"", 422, "bad_field"),
        (b'{"name": 7}', 422, "bad_field"),
        (b'{"name": "\\u202e"}', 422, "bad_name"),
        (b'{"name": ' + b"[" * 8_000 + b"]" * 8_000 + b"}", 422, "bad_field"),
        (b'{"other": ' + b"[" * 8_000 + b"]" * 8_000 + b"}", 400, "too_deep"),
        (b'{"name": "' + b"x" * MAX_COMMAND_BYTES + b'"}', 413, "too_large"),
    ],
    ids=["half", "no text", "a list", "null", "nothing", "a number", "bidi", "deep", "deep elsewhere", "long"],
)
async def test_bodies_that_are_wrong(link: httpx.AsyncClient, content: bytes, status: int, code: str) -> None:
    answer = await link.post("/guests", content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_a_body_that_is_not_said_to_be_json_is_not_read(link: httpx.AsyncClient) -> None:
    answer = await link.post("/guests", content=b'{"name": "Ana"}', headers={"content-type": "text/plain"})
    assert (answer.status_code, answer.headers["accept-post"]) == (415, "application/json")


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer x", "Basic eDp5", "Bearer " + "x" * 500, "Bearer a b"])
async def test_without_a_good_token_nothing_is_done(link: httpx.AsyncClient, given: str) -> None:
    """Promise 5, I3: and the token is asked for as RFC 9110 has it."""
    for method, path, body in (("GET", "/matches/x", None), ("POST", "/matches", {"game": "square"})):
        answer = await link.request(method, path, json=body, headers={"authorization": given})
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "query",
    [
        *(f"after={each}" for each in ("x", "", "-1", "9007199254740992", "9" * 30, *NUMBERS_THAT_ARE_NONE, "1.0")),
        *(
            f"wait={each}"
            for each in ("x", "", "-1", "26", "nan", "inf", "Infinity", ".5", "1.", *NUMBERS_THAT_ARE_NONE)
        ),
        *(f"own={each}" for each in ("maybe", "", "1", "True", "TRUE", "yes", "true%20")),
        "after=1&after=2",
    ],
)
async def test_queries_that_are_wrong(link: httpx.AsyncClient, query: str) -> None:
    """Q15: numbers are as strict as over sockets."""
    ana = await HttpPlayer.come(link, "Ana")
    match = (await ana.create())["match"]
    assert (await ana.get(f"/matches/{match}/updates?{query}", 422))["code"] == "bad_field"


@pytest.mark.parametrize("ply", ["x", "-1", "1.0", *NUMBERS_THAT_ARE_NONE])
async def test_plies_that_are_none(link: httpx.AsyncClient, ply: str) -> None:
    """Q15."""
    ana = await HttpPlayer.come(link, "Ana")
    match = (await ana.create())["match"]
    assert (await ana.get(f"/matches/{match}/positions/{ply}", 422))["code"] == "bad_field"


async def test_numbers_as_they_are_written(link: httpx.AsyncClient) -> None:
    """Q15: what JSON would write is read."""
    ana = await HttpPlayer.come(link, "Ana")
    match = (await ana.create())["match"]
    for query in ("after=0", "after=1&wait=0", "wait=0.0", "after=1&wait=0.05&own=true", "own=false"):
        assert (await ana.get(f"/matches/{match}/updates?{query}"))["match"] == match


async def test_a_ref_has_its_bounds_wherever_it_stands(link: httpx.AsyncClient) -> None:
    ana = await HttpPlayer.come(link, "Ana")
    long: dict[str, Any] = {"Idempotency-Key": "x" * 41}
    assert (await ana.post("/matches", {"game": "square"}, 422, **long))["code"] == "bad_field"
    assert (await ana.create("square", 422, ref=""))["code"] == "bad_field"


async def test_identity_is_the_tokens_alone(link: httpx.AsyncClient) -> None:
    """Promise 5: fields that claim to be somebody are not looked at."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    joined = await bob.join((await ana.create())["match"])
    refused = await bob.move(joined["match"], joined["version"], "11-15", 409, player=ana.player, seat=0)
    assert refused["code"] == "not_your_turn"


async def test_no_secret_is_told_or_logged(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """I7: the token is in one answer only, and in no log."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create(private=True)
    joined = await bob.post("/players", {"key": hosted["key"]}, 201)
    seen = json.dumps([joined, await bob.state(hosted["match"]), await bob.updates(hosted["match"], 0)])
    assert hosted["key"] not in seen
    for player in (ana, bob):
        token = player.guest["token"]
        assert token not in json.dumps([hosted, seen])
        assert token not in hub.log.read_text()
