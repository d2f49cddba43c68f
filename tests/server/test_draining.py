"""Clients of a hub that is to stop are sent on a few at a time (K2)."""

from __future__ import annotations

import asyncio

import pytest

from protocol.messages import GoingAway
from server import draining
from server.draining import LEAST_AT_ONCE, Drain
from server.hub.connections import hub as hub_module
from tests.driver import WAIT_S, Client
from tests.server.hub.connections.stand import standing

CLIENTS = 4 * LEAST_AT_ONCE


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is on the way for long here."""
    monkeypatch.setattr(draining, "PACE_S", 0.01)
    for module in (draining, hub_module):
        monkeypatch.setattr(module, "COMES_S", 0.01)


async def test_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is told before the doors are closed, and all are in the end; there is time enough for the least steps."""
    monkeypatch.setattr(draining, "NOTICED_S", 0.0)
    told: list[int] = []
    doors: list[int] = []

    async def others() -> bool:
        return True

    async def leaves(client: Client) -> None:
        assert (await client.expect(GoingAway)).elsewhere
        await client.close()

    async with asyncio.timeout(2 * WAIT_S), standing() as stand:
        hub = stand.hub
        clients = [await Client.open(stand.url, f"Ana {number}") for number in range(CLIENTS)]
        send_on = hub.send_on

        def counted(most: int) -> None:
            before = len(hub.staying)
            send_on(most)
            told.append(before - len(hub.staying))

        monkeypatch.setattr(hub, "send_on", counted)
        drain = Drain(hub, others, lambda: doors.append(len(hub.staying)))
        await asyncio.gather(drain.run(100 * WAIT_S), *(leaves(client) for client in clients))
        assert doors == [CLIENTS]
        assert told == [LEAST_AT_ONCE] * (CLIENTS // LEAST_AT_ONCE)
        assert not hub.connections
