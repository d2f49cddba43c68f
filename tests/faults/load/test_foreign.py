"""Requests that name no server, two, or a stranger's, that come from foreign pages, or write numbers oddly (Q15)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.driver import WAIT_S, HubProcess
from tests.faults.load.test_crowds import linked
from tests.faults.trial.stage import Stage, Trial, rounds, staged

pytestmark = pytest.mark.faults

NOT_ONE_HOST = ((), ("Host: a", "Host: a"), ("Host: a", "host: 127.0.0.1"), ("Host: ",), ("Host: a b",), ("Host: a/b",))
FOREIGN = (
    ("Host: evil.example",),
    ("Host: evil.example", "Origin: http://evil.example"),
    ("Host: evil.example", "Origin: http://evil.example", "X-Forwarded-For: 8.8.8.8"),
    *(("Host: 127.0.0.1", f"Origin: {page}") for page in ("http://evil.example", "null", "", "https://127.0.0.1")),
    ("Host: 127.0.0.1", "Origin: http://127.0.0.1", "Origin: http://127.0.0.1"),
)
FORGED = (
    (),
    ("X-Forwarded-For: 8.8.8.8",),
    ("Forwarded: for=8.8.8.8;host=evil.example;proto=https",),
    ("X-Forwarded-For: 8.8.8.8", "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"),
    ("X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Real-IP: 127.0.0.1", "Via: 1.1 proxy"),
)
"""What a page's maker, who can write any header but Host and Origin, writes for a proxy that there is not."""
HANDSHAKE = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
NUMBERS = (
    "1.0",
    "01",
    "+1",
    "%2B1",
    "1e0",
    "-1",
    "0x1",
    "1_0",
    "%201",
    "%D9%A1",
    "%EF%BC%91",
    "1%00",
    "nan",
    "",
    "9" * 30,
)
PASSING = ("parlour:beat", "parlour:hubs", "parlour:report:")
"""Keys that hubs write by themselves, whoever asks for what."""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A hub of this trial alone, of which all that is stored can be compared."""
    with staged(tmp_path, 1) as stage:
        yield stage


@pytest.fixture
def hubs() -> int:
    return 1


def stored(trial: Trial) -> dict[bytes, Any]:
    """All that Redis has, but for what hubs write by themselves."""
    store: Any = trial.store
    keys = sorted(key for key in store.scan_iter("parlour:*", count=1000) if not key.decode().startswith(PASSING))
    return {key: store.dump(key) for key in keys}


async def status_of(hub: HubProcess, line: str, *headers: str, body: str = "") -> int:
    """What is answered to a request over a connection of its own."""
    reader, writer = await linked(hub)
    kind = "Content-Type: application/json"
    writer.write(
        "\r\n".join(
            [f"{line} HTTP/1.1", *headers, kind, "Connection: close", f"Content-Length: {len(body)}", "", body]
        ).encode()
    )
    async with asyncio.timeout(WAIT_S):
        answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1])


async def test_q15_foreign_and_odd_requests_change_nothing(trial: Trial) -> None:
    """Q15: a good token does not help whoever sends it from elsewhere; nothing that is stored changes."""
    hub = trial.stage.hubs[0]
    match, host, guest = await trial.pair(0, 0)
    signed = f"Authorization: Bearer {host.token}"
    move: dict[str, Any] = {"version": host.views[match].version, "move": min(host.views[match].legal)}
    changing: list[tuple[str, dict[str, Any]]] = [
        ("POST /api/guests", {"name": "Zoe"}),
        ("POST /api/matches", {"ref": "r1", "game": "square"}),
        (f"POST /api/matches/{match}/updates", {"ref": "r2", "type": "move", **move}),
        (f"POST /api/matches/{match}/updates", {"ref": "r3", "type": "abandon"}),
        (f"DELETE /api/matches/{match}/players", {}),
        ("POST /api/quick-matches", {"ref": "r4", "game": "square"}),
        ("POST /api/players", {"ref": "r5", "key": "AAAA-BBBB"}),
    ]
    hostless, foreign, odd = (
        trial.fault(f"Q15 {what}") for what in ("no Host, or two", "foreign Host or page", "number written oddly")
    )
    await host.sees(match, (True, True))  # which is written a little after a seat is taken
    before = stored(trial)
    for _ in range(rounds(10, 1)):
        for (line, body), headers in product(changing, NOT_ONE_HOST):
            assert await status_of(hub, line, *headers, signed, body=json.dumps(body)) == 400, (line, headers)
            hostless.times += 1
        for (line, body), headers in product(changing, FOREIGN):
            assert await status_of(hub, line, *headers, signed, body=json.dumps(body)) == 403, (line, headers)
            foreign.times += 1
        for number in NUMBERS:
            paths = [f"updates?after={number}", *([f"positions/{number}"] if number else [])]
            for path in paths:
                line = f"GET /api/matches/{match}/{path}"
                assert await status_of(hub, line, "Host: 127.0.0.1", signed) == 422, line
                odd.times += 1
    assert stored(trial) == before
    # The same as our own page sends it is done, so it was the sender that was refused.
    line, body = changing[0]
    assert await status_of(hub, line, f"Host: 127.0.0.1:{hub.port}", signed, body=json.dumps(body)) == 201
    moved = await host.move(match, move["version"], move["move"])
    await guest.reach(match, moved.version)
    tried = hostless.times + foreign.times + odd.times
    trial.provoked("requests refused, with nothing changed", tried, tried, least=tried)
    await trial.check()


async def test_q15_no_foreign_page_opens_a_socket_by_forged_headers(trial: Trial) -> None:
    """Q15: who has named no proxy believes no header of one, at the handshake as at all other requests.

    Once the handshake believed them from anybody, so that a name that was made to lead here (DNS rebinding) was let in.
    """
    hub = trial.stage.hubs[0]
    row = trial.fault("Q15 socket of a foreign page with forged headers")

    async def status(*headers: str) -> int:
        reader, writer = await linked(hub)
        writer.write("\r\n".join(["GET /ws HTTP/1.1", *headers, *HANDSHAKE, "", ""]).encode())
        async with asyncio.timeout(WAIT_S):
            line = await reader.readline()
        writer.transport.abort()
        return int(line.split(b" ", 2)[1])

    for _ in range(rounds(20, 1)):
        for scheme, forged in product(("http", "https"), FORGED):
            answered = await status("Host: evil.example", f"Origin: {scheme}://evil.example", *forged)
            row.times += 1
            assert answered == 403, (scheme, forged)
    assert await status(f"Host: 127.0.0.1:{hub.port}", f"Origin: http://127.0.0.1:{hub.port}") == 101
    trial.provoked("sockets refused", row.times, row.times, least=10)
    await trial.check()
