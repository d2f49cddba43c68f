"""G4: packets are dropped in one direction only. Who watches a match or the lobby notices, and sees what is again."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from client.conversation import transport as client_transport
from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.shown.model import Link
from client.start.launch import Launch
from client.terminal.app import Parlour
from protocol.messages import Abandon, Accepted
from tests.driver import WAIT_S
from tests.faults.trial.proxy import DOWN, UP, Proxy
from tests.faults.trial.recorder import Recorder
from tests.hostile.tools import FULL, House
from tests.pace import within

NOTICES_S = 15.0


async def until(condition: Any, limit_s: float = WAIT_S) -> None:
    async with asyncio.timeout(limit_s):
        while not condition():  # noqa: ASYNC110 - what an application shows has no event to wait for
            await asyncio.sleep(0.01)


@pytest.mark.faults
@pytest.mark.parametrize("way", [DOWN, UP])
@pytest.mark.parametrize("watches", ["match", "lobby"])
async def test_g4_the_listeners_side(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any, watches: str, way: str
) -> None:
    """G4: the terminal client, as a spectator and in the lobby, server to client only, then client to server only."""
    if not FULL:  # the settings themselves are tried in full
        monkeypatch.setattr(client_transport, "PING_S", 0.5)
        monkeypatch.setattr(client_transport, "PONG_S", 0.5)
        monkeypatch.setattr(client_transport, "OPEN_S", 1.0)
    host, guest = await Recorder.open(house.url, "Ana"), await Recorder.open(house.url, "Bea")
    match = (await host.create()).match
    await guest.join(match)
    async with Proxy(("127.0.0.1", house.hub.port)) as proxy:
        address = parse_address(f"127.0.0.1:{proxy.port}")
        with take_identity(folder=tmp_path) as identity:
            app = Parlour(
                Launch(
                    prepare=lambda: address, identity=identity, name=f"Eve {watches} {way}", connects_at_once=True,
                    watch=match if watches == "match" else None,
                )
            )  # fmt: skip
            async with app.run_test(size=(100, 30)):
                await until(lambda: app.model.match is not None if watches == "match" else app.model.lobby)
                proxy.blackhole(way)
                began = time.monotonic()
                await host.move(match, host.views[match].version, "a1-b1")
                other = (await guest.create("square")).match
                await until(lambda: app.model.link is Link.DOWN, NOTICES_S + WAIT_S)
                within(time.monotonic() - began, NOTICES_S)
                record_property("provoked", f"{watches}, {way}: noticed after {time.monotonic() - began:.1f} s")
                proxy.heal()
                await until(lambda: app.model.link is Link.UP, 30)
                if watches == "match":
                    version = host.views[match].version
                    await until(lambda: app.model.match is not None and app.model.match.version >= version)
                    assert app.model.match is not None
                    assert "a1-b1" in app.model.match.marks
                else:
                    await until(lambda: {match, other} <= {row.match for row in app.model.lobby or ()})
                    await guest.ask(Abandon(ref=guest.ref(), match=match), Accepted)
                    await until(lambda: match not in {row.match for row in app.model.lobby or ()})
                app.leave_program()
    for client in (host, guest):
        await client.close()
