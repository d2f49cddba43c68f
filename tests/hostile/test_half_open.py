"""G3: packets are dropped both ways without a word: both ends notice, and the client is back with the right board."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from client.conversation import transport as client_transport
from client.conversation.address import parse_address
from client.conversation.events import Offline
from client.conversation.session import Session
from client.conversation.transport import Transport
from protocol.messages import Accepted, Join, MatchEvent, Snapshot
from server.hub.connections import keepalive
from tests.driver import WAIT_S
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import eventually
from tests.faults.trial.view import View
from tests.hostile.tools import FULL, House
from tests.pace import within

HUB_NOTICES_S = 40.0
CLIENT_NOTICES_S = 15.0


class Guest:
    """The clients' own session and transport, and the match as they tell it."""

    def __init__(self, port: int) -> None:
        self.session = Session("Bea")
        self.transport = Transport(parse_address(f"127.0.0.1:{port}"), self.session, self._notify)
        self.view: View | None = None
        self.offline: list[Offline] = []
        self._news = asyncio.Event()

    def _notify(self) -> None:
        for event in self.session.events():
            if isinstance(event, Snapshot):
                self.view = View.of(event)
            elif isinstance(event, MatchEvent) and self.view is not None:
                self.view.apply(event)
            elif isinstance(event, Offline):
                self.offline.append(event)
        self._news.set()

    async def until(self, condition: Callable[[], object], limit_s: float = WAIT_S) -> None:
        async with asyncio.timeout(limit_s):
            while not condition():
                self._news.clear()
                await self._news.wait()


def test_g3_the_settings_keep_the_promise() -> None:
    """G3: whichever end it is, a ping goes out in time and its answer is not awaited for ever. (That the library keeps
    to them is tried with shorter times in the contract with it.)"""
    hub_s = 2 * keepalive.INTERVAL_S + keepalive.TURN_S
    client_s = client_transport.PING_S + client_transport.PONG_S + client_transport.CLOSE_S
    within(hub_s, HUB_NOTICES_S)
    within(client_s, CLIENT_NOTICES_S)


@pytest.mark.faults
@pytest.mark.timeout(300)
@pytest.mark.skipif(not FULL, reason="takes as long as a hub takes to notice: only in full")
async def test_g3_half_open_connections(house: House, record_property: Any) -> None:
    """G3: the hub notices within 40 s, the client within 15 s, comes back by itself, and has the right board."""
    async with Proxy(("127.0.0.1", house.hub.port)) as proxy:
        host, guest = await Recorder.open(house.url, "Ana"), Guest(proxy.port)
        running = asyncio.create_task(guest.transport.run())
        match = (await host.create()).match
        guest.session.send(Join(ref=guest.session.ref(), match=match))
        guest.transport.flush()
        await guest.until(lambda: guest.view is not None)
        await host.until(lambda: host.here[match][-1] == (True, True))

        proxy.blackhole()
        began = time.monotonic()
        accepted = await host.ask(host.a_move(match, "a1-b1"), Accepted)
        await guest.until(lambda: guest.offline, CLIENT_NOTICES_S + WAIT_S)
        client_s = time.monotonic() - began
        await eventually(lambda: host.here[match][-1] == (True, False), limit_s=HUB_NOTICES_S + WAIT_S)
        hub_s = time.monotonic() - began
        within(client_s, CLIENT_NOTICES_S)
        within(hub_s, HUB_NOTICES_S)
        record_property("provoked", f"the client noticed after {client_s:.1f} s, the hub after {hub_s:.1f} s")

        proxy.heal()
        await guest.until(lambda: guest.session.is_online)
        await host.until(lambda: host.here[match][-1] == (True, True))
        await guest.until(lambda: guest.view and guest.view.version >= host.views[match].version)
        assert host.views[match].version >= accepted.version
        assert guest.view is not None
        assert guest.view.digest() == host.views[match].digest()
        guest.transport.stop()
        await asyncio.wait_for(running, WAIT_S)
        await host.vanish()
