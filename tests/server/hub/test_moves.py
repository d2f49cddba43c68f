"""The short way of a move: the same order, the same answers and the same care as on the long one."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest

from protocol.errors import Code, OutcomeUnknown, ParlourError, Refusal
from protocol.messages import Accepted, Move, Moved, Watch
from server.hub.limits.settings import Limits, Meter, rates
from server.hub.moves import Outcome
from server.hub.rooms.room import Room
from server.store.connection import pipe
from tests.driver import RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.pace import WAIT_S
from tests.server.hub.conftest import Reader
from tests.server.hub.house import House, opened


class Table:
    """A match in which one move was made, and its players at one hub."""

    def __init__(self, house: House, room: Room) -> None:
        self.house = house
        self.room = room
        self.players = [house.viewer("ana"), house.viewer("bo")]
        self.outcomes: list[Outcome] = []

    @property
    def mover(self) -> Reader:
        """Whose turn it is."""
        return self.players[self.room.match.turn or 0]

    def move(self, **fields: Any) -> Move:
        """The first legal move of the present position."""
        now = self.room.match
        return Move(
            **{"ref": self.house.ref(), "match": now.id, "version": now.version, "move": now.legal[0], **fields}
        )

    def play(self, viewer: Reader, move: Move) -> bool:
        """Have it carried out the short way."""
        return self.house.service.moves.play(viewer, move, self.outcomes.append)

    async def outcome(self) -> Outcome:
        """What came of the only move that was begun."""
        async with asyncio.timeout(WAIT_S):
            while not self.outcomes:  # noqa: ASYNC110 (the store's answer is read by the loop)
                await asyncio.sleep(0.001)
        (outcome,) = self.outcomes
        self.outcomes.clear()
        return outcome

    async def events(self) -> int:
        """How many are in the log."""
        return len(await self.house.store.read(self.room.match.id))


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    async with opened(redis) as house:
        try:
            yield house
        finally:
            redis.signal(signal.SIGCONT)


@pytest.fixture
async def table(house: House) -> Table:
    match = await house.begun()
    table = Table(house, house.keeper.rooms[match])
    for player in table.players:
        await house.service.perform(player, Watch(ref=house.ref(), match=match))
        player.received.clear()
    return table


async def test_it_is_stored_then_told_then_accepted(table: Table) -> None:
    mover, move, version = table.mover, table.move(), table.room.match.version
    assert table.play(mover, move)
    assert table.room.lock.locked(), "nothing else is judged here before it is told"
    assert not any(player.received for player in table.players)
    assert table.room.match.version == version
    assert await table.outcome() is None
    assert not table.room.lock.locked()
    assert await table.events() == version + 1
    assert [type(message) for message in mover.received] == [Moved, Accepted]
    assert mover.received[1] == Accepted(ref=move.ref, match=move.match, version=version + 1)
    (other,) = (player for player in table.players if player is not mover)
    assert [type(message) for message in other.received] == [Moved]


async def test_the_same_ref_is_answered_the_same_and_played_once(table: Table) -> None:
    mover, move = table.mover, table.move()
    assert table.play(mover, move)
    assert await table.outcome() is None
    accepted, events = mover.received[-1], await table.events()
    assert table.play(mover, move)
    assert await table.outcome() is None
    assert mover.received[-1] == accepted
    assert await table.events() == events


async def test_what_has_to_wait_is_left_to_the_long_way(table: Table) -> None:
    """A room that is not loaded, is taken, or is in doubt; a beat that is old. Nothing is done or counted."""
    keeper, room, mover = table.house.keeper, table.room, table.mover
    assert not table.play(mover, table.move(match="elsewhere"))
    async with room.lock:
        assert not table.play(mover, table.move())
    room.doubtful = True
    assert not table.play(mover, table.move())
    room.doubtful = False
    beaten, keeper._beaten = keeper._beaten, float("-inf")
    assert not table.play(mover, table.move())
    keeper._beaten, keeper.store_answers = beaten, False
    assert not table.play(mover, table.move())
    keeper.store_answers = True
    assert not table.outcomes
    assert not room.lock.locked()
    assert table.play(mover, table.move())
    assert await table.outcome() is None


async def test_a_refusal_leaves_no_trace(table: Table) -> None:
    events, version = await table.events(), table.room.match.version
    (waits,) = (player for player in table.players if player is not table.mover)
    for viewer, move, code in (
        (waits, table.move(), Code.NOT_YOUR_TURN),
        (table.mover, table.move(version=version - 1), Code.STALE),
        (table.house.viewer("eve"), table.move(), Code.NOT_SEATED),
    ):
        assert table.play(viewer, move)
        refusal = table.outcomes.pop()
        assert isinstance(refusal, Refusal)
        assert refusal.code == code
        assert refusal.data["version"] == version
    assert not table.room.lock.locked()
    assert await table.events() == events


async def test_too_fast_is_refused_as_ever(table: Table) -> None:
    mover = table.mover
    table.house.service.rate_limiter._account(mover.player).meter = Meter(rates(Limits()))
    codes: list[str] = []
    while Code.TOO_FAST not in codes and len(codes) < 1_000:
        assert table.play(mover, table.move(version=1))
        refusal = table.outcomes.pop()
        assert isinstance(refusal, Refusal)
        codes.append(refusal.code)
    assert codes[0] == Code.STALE
    assert codes[-1] == Code.TOO_FAST
    assert not table.room.lock.locked()


async def test_an_answer_that_does_not_come_is_no_refusal(
    table: Table, redis: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """J5: nobody knows whether it was done; nothing is shown before the log was read, and the ref finds it there."""
    monkeypatch.setattr(pipe, "ANSWER_TIMEOUT_S", 0.2)
    mover, move, version = table.mover, table.move(), table.room.match.version
    redis.signal(signal.SIGSTOP)
    assert table.play(mover, move)
    assert isinstance(await table.outcome(), OutcomeUnknown)
    assert not mover.received
    assert table.room.doubtful
    assert not table.room.lock.locked()
    redis.signal(signal.SIGCONT)
    await table.house.keeper.beat()
    assert not table.play(mover, move), "in doubt: the long way reads the log first"
    await table.house.service.perform(mover, move)
    assert mover.received[-1] == Accepted(ref=move.ref, match=move.match, version=version + 1)
    assert await table.events() == version + 1


async def test_a_lost_race_goes_on_the_long_way(table: Table, redis: RedisProcess) -> None:
    """Another hub was quicker: it is judged again, on what there is now."""
    async with Proxy(redis.socket) as proxy:
        other = House(proxy, redis)
        await other.keeper.beat()
        room = await other.keeper.room(table.room.match.id)
        mover, quick, slow = table.mover, table.move(), table.move()
        there = Table(other, room)
        assert there.play(there.mover, quick)
        assert await there.outcome() is None
        events = await table.events()
        assert table.play(mover, slow)
        left = await table.outcome()
        assert isinstance(left, Coroutine)
        assert not table.room.lock.locked()
        with pytest.raises(ParlourError) as refused:
            await left
        assert refused.value.code == Code.STALE
        assert table.room.match.version == events, "what the other hub stored was taken over"
        assert await table.events() == events
        await other.close()


@pytest.mark.parametrize("broken", ["judge", "settle"])
async def test_a_fault_of_ours_leaves_the_room_free(table: Table, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(table.house.keeper, broken, fails)
        assert table.play(table.mover, table.move())
        assert isinstance(await table.outcome(), ZeroDivisionError)
    assert not table.room.lock.locked()
