"""While the store is held up, by a flush that takes long, the hub goes on with everything that needs none."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.errors import StoreUnavailable
from protocol.messages import (
    GetRecord,
    LobbyState,
    Look,
    Move,
    Ping,
    Pong,
    Position,
    Record,
    Sync,
    WatchLobby,
)
from server.hub.viewers.viewer import Viewer
from tests.driver import RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.pace import WAIT_S
from tests.server.hub.house import House


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    async with Proxy(redis.socket) as proxy:
        house = House(proxy, redis)
        await house.keeper.beat()
        try:
            yield house
        finally:
            redis.signal(signal.SIGCONT)
            await house.close()


async def test_what_needs_no_flush_is_answered(house: House, redis: RedisProcess) -> None:
    """Pings, the lobby, and what can be seen of a match whose next move waits; that one is stored in the end, once."""
    match = await house.begun()
    bo = house.viewer("bo")

    async def ask(command: type[Any], **fields: Any) -> None:
        await house.service.perform(bo, command(ref=house.ref(), **fields))

    await ask(Sync, match=match, after=0)
    room = house.keeper.rooms[match].match
    mover = house.viewer("ana" if room.turn == 0 else "bo")
    move = Move(ref="m", match=match, version=room.version, move=room.legal[0])
    redis.signal(signal.SIGSTOP)
    async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as moving:
        waiting = moving.create_task(until_stored(house, mover, move))
        await asyncio.sleep(0)
        bo.received.clear()
        await ask(Ping)
        await ask(WatchLobby)
        await ask(Look, match=match, ply=0)
        await ask(GetRecord, match=match)
        await ask(Sync, match=match, after=0)
        assert {Pong, LobbyState, Position, Record} <= {type(message) for message in bo.received}
        assert house.keeper.rooms[match].match.version == room.version, "nothing is shown that is not stored"
        assert not waiting.done()
        redis.signal(signal.SIGCONT)
    assert house.keeper.rooms[match].match.version == room.version + 1


async def until_stored(house: House, mover: Viewer, move: Move) -> None:
    """Send it, and again while nobody knows what became of it, as a client does."""
    while True:
        try:
            await house.service.perform(mover, move)
        except StoreUnavailable:
            await asyncio.sleep(0.1)
        else:
            return
