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
from tests.faults.stage import Stage, Trial, rounds, staged
from tests.faults.test_crowds import linked

pytestmark = pytest.mark.faults

NOT_ONE_HOST = ((), ("Host: a", "Host: a"), ("Host: a", "host: 127.0.0.1"), ("Host: ",), ("Host: a b",), ("Host: a/b",))
FOREIGN = (
    ("Host: evil.example",),
    ("Host: evil.example", "Origin: http://evil.example"),
    ("Host: evil.example", "Origin: http://evil.example", "X-Forwarded-For: 8.8.8.8"),
    *(("Host: 127.0.0.1", f"Origin: {page}") for page in ("http://evil.example", "null", "", "https://127.0.0.1")),
    ("Host: 127.0.0.1", "Origin: http://127.0.0.1", "Origin: http://127.0.0.1"),
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
