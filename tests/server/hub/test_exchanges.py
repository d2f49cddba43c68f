"""How often a hub asks the store for what a guest does: an exchange is a write, a read and some turns of the loop."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from protocol.messages import Accepted, Command, Create, Hello, Join, Leave, Snapshot, Welcome
from server.hub.viewers.viewer import Viewer
from tests.driver import RedisProcess
from tests.faults.trial.proxy import UP
from tests.server.hub.conftest import Reader
from tests.server.hub.house import House, opened


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    async with opened(redis) as house:
        # Redis is given what it knows no script for yet, and that is an exchange of its own.
        host, guest = Reader("", ""), Reader("", "")
        await house.service.perform(host, Hello(ref="h", name="Eve"))
        await house.service.perform(guest, Hello(ref="h", name="Fay"))
        await house.service.perform(host, Create(ref="c", game="square"))
        await house.service.perform(guest, Join(ref="j", match=(await house.ask("ana", Create, game="square")).match))
        yield house


async def exchanges(house: House, viewer: Viewer, command: Command) -> int:
    """How many writes the store gets while the command is carried out."""
    written = []

    def seen(way: str, data: bytes) -> bytes:
        if way == UP:
            written.append(data)
        return data

    await house.keeper.beat()
    house.proxy.alter = seen
    await house.service.perform(viewer, command)
    house.proxy.alter = None
    return len(written)


async def test_who_comes_hosts_joins_and_leaves_asks_the_store_once_for_each(house: House) -> None:
    """Coming back asks for the guest, for the guest's matches, and whether they are still there."""
    host, guest = Reader("", ""), Reader("", "")
    assert await exchanges(house, host, Hello(ref="1", name="Ana")) == 1
    welcome = host.received[0]
    assert isinstance(welcome, Welcome)
    await house.service.perform(guest, Hello(ref="1", name="Bob"))
    assert await exchanges(house, host, Create(ref="2", game="square")) == 1
    accepted, shown = host.received[1:]
    assert isinstance(accepted, Accepted)
    assert isinstance(shown, Snapshot)
    assert await exchanges(house, guest, Join(ref="2", match=accepted.match)) == 1
    assert await exchanges(house, guest, Leave(ref="3", match=accepted.match)) == 1
    assert await exchanges(house, Reader("", ""), Hello(ref="1", name="Ana", token=welcome.token)) == 4
