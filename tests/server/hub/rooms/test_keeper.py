"""Rooms over one log: two hubs' keepers in one process, so that each order of things can be made to happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from protocol.errors import Code, OutcomeUnknown, Refusal, StoreUnavailable
from protocol.messages import Joined, MatchEvent, Moved, Presence, Snapshot
from server.games import load_catalogue
from server.hub.background.deadlines import Deadlines
from server.hub.presence.identity import new_id
from server.hub.presence.tracker import AWAY_AFTER_S, PresenceTracker
from server.hub.rooms import keeper as keeper_module
from server.hub.rooms.index import HOST_GRACE_MS
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.match.commands import Abandon, Cancel, Join, Play
from server.match.fold import open_match
from server.match.machine import Asked, create
from server.match.state import Status
from server.store.port import Append, EventsNotice, Index
from server.store.receipts import Ref
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.server.hub.conftest import Reader

CATALOGUE = load_catalogue()
HOST, GUEST = "host", "guest"


class Side:
    """One hub: its store, its keeper."""

    def __init__(self, url: str) -> None:
        self.store = RedisStore(url, new_id())
        self.keeper = Keeper(self.store, CATALOGUE)
        self.tracker = PresenceTracker(self.keeper, self.store)
        self.deadlines = Deadlines(self.keeper, self.tracker, self.store)

    async def open(self, **options: int) -> Room:
        """A waiting match that HOST hosts here."""
        match_id = new_id()
        asked = Asked(HOST, "create", self.store.now_ms())
        event = create(CATALOGUE["dots-and-boxes"], options, "Ana", asked, seed=1)
        await self.keeper.open(match_id, [event])
        return await self.keeper.room(match_id)

    async def beat(self) -> None:
        """Learn which hubs live."""
        await self.keeper.beat()
        self.tracker.look_at_hubs()


@pytest_asyncio.fixture
async def here(redis: RedisProcess) -> AsyncIterator[Side]:
    side = Side(redis.url)
    await side.beat()
    yield side
    await side.store.close()


@pytest_asyncio.fixture
async def there(redis: RedisProcess) -> AsyncIterator[Side]:
    side = Side(redis.url)
    await side.beat()
    yield side
    await side.store.close()


async def started(here: Side, **options: int) -> Room:
    room = await here.open(**options)
    await here.keeper.commit(room, Join("Bob"), GUEST, "join")
    return room


async def play(side: Side, room: Room, ref: str, move: str | None = None) -> int:
    seat = room.match.seats[room.match.to_move or 0]
    assert seat is not None
    move = move or room.match.legal[0]
    return await side.keeper.commit(room, Play(room.match.version, move), seat.player, ref)


# Committing -----------------------------------------------------------------------------------------------------------


async def test_a_stored_command_is_told_to_all_who_follow(here: Side) -> None:
    room = await started(here)
    readers = [Reader(HOST, "Ana"), Reader("watcher", "Cid")]
    for reader in readers:
        here.tracker.enter(reader, room)
    assert await play(here, room, "r1") == 3
    for reader in readers:
        snapshot, moved = reader.received
        assert isinstance(snapshot, Snapshot)
        assert isinstance(moved, Moved)
        assert (snapshot.version, moved.version) == (2, 3)


async def test_j13_a_match_that_the_store_has_forgotten_is_let_go(here: Side) -> None:
    room = await started(here)
    await here.store._reader.delete(here.store.keys.log(room.match.id))
    with pytest.raises(Refusal) as refused:
        await play(here, room, "r1")
    assert refused.value.code == Code.UNKNOWN_MATCH
    assert room.match.id not in here.keeper.rooms


async def test_a_ref_counts_once(here: Side) -> None:
    """Promise 2: sent again it is answered the same, also by a hub that has only read the log."""
    room = await started(here)
    assert await here.keeper.commit(room, Play(2, "a1-b1"), HOST, "r1") == 3
    assert await here.keeper.commit(room, Play(2, "a1-b1"), HOST, "r1") == 3
    assert room.match.version == 3


@pytest.mark.parametrize("heard", [True, False])
async def test_who_joins_before_the_match_has_a_room_here_is_seen(
    here: Side, there: Side, monkeypatch: pytest.MonkeyPatch, heard: bool
) -> None:
    """The notice comes while the host's command is not done; or it is lost, and the subscription is made anew."""
    asked = Asked(HOST, "create", here.store.now_ms())
    event = create(CATALOGUE["dots-and-boxes"], {}, "Ana", asked, seed=1)
    store = here.store.append

    async def store_and_be_joined(append: Append) -> object:
        outcome = await store(append)
        await there.keeper.commit(await there.keeper.room(append.match), Join("Bob"), GUEST, "join")
        if heard:
            joined = await there.store.read(append.match, after=1)
            await here.keeper.take(EventsNotice(append.match, 1, joined))
        else:
            await here.keeper.follow_again()
        return outcome

    monkeypatch.setattr(here.store, "append", store_and_be_joined)
    receipt = await here.keeper.host(open_match(new_id(), event, CATALOGUE), [event], Ref(HOST, new_id()))
    assert receipt is not None
    assert (await here.keeper.room(receipt.match)).match.version == 2


async def test_the_hub_that_lost_the_race_judges_again_on_the_new_state(here: Side, there: Side) -> None:
    """A1: `there` has not heard of the move; its own for the same version is refused as stale, with the version."""
    room = await started(here, width=2, height=2)
    behind = await there.keeper.room(room.match.id)
    await play(here, room, "r1", "a1-b1")
    with pytest.raises(Refusal) as refused:
        await there.keeper.commit(behind, Play(2, "a1-a2"), HOST, "r2")
    assert (refused.value.code, refused.value.data["version"]) == (Code.STALE, 3)
    assert behind.match == room.match


async def test_the_same_command_through_two_hubs_counts_once(here: Side, there: Side) -> None:
    """C3: 100 rounds; both get the same version as the answer."""
    for _ in range(100):
        room = await started(here)
        other = await there.keeper.room(room.match.id)
        answers = await asyncio.gather(
            *(side.keeper.commit(r, Play(2, "a1-b1"), HOST, "r1") for side, r in ((here, room), (there, other)))
        )
        assert answers == [3, 3]
        assert len(await here.store.read(room.match.id)) == 3


async def test_an_append_whose_answer_was_lost_is_found_in_the_log(here: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    """A2, J5: nothing is shown before it is known; then it is shown once, and the same ref is answered."""
    room = await started(here)
    reader = Reader(GUEST, "Bob")
    here.tracker.enter(reader, room)
    append = here.store.append

    async def lost(what: Append) -> object:
        await append(what)
        raise OutcomeUnknown("the answer was lost")

    with monkeypatch.context() as patch:
        patch.setattr(here.store, "append", lost)
        with pytest.raises(OutcomeUnknown):
            await play(here, room, "r1", "a1-b1")
    assert [type(message) for message in reader.received] == [Snapshot]
    await here.keeper.read_doubtful()
    assert [type(message) for message in reader.received] == [Snapshot, Moved]
    assert await here.keeper.commit(room, Play(2, "a1-b1"), HOST, "r1") == 3
    assert room.match.version == 3


async def test_j7_what_was_missed_is_told_although_the_store_takes_no_writes(here: Side, there: Side) -> None:
    """The subscription was down, and cannot be noted now: the log can be read all the same."""
    room = await started(here)
    reader = Reader(GUEST, "Bob")
    there.tracker.enter(reader, await there.keeper.room(room.match.id))
    await play(here, room, "r1")
    await here.store._reader.config_set("maxmemory", "1")
    try:
        with pytest.raises(StoreUnavailable):
            await there.keeper.follow_again()
    finally:
        await here.store._reader.config_set("maxmemory", "0")
    assert [type(message) for message in reader.received] == [Snapshot, Moved]


# Other hubs' events ---------------------------------------------------------------------------------------------------


async def events_of(side: Side, room: Room, base: int) -> EventsNotice:
    return EventsNotice(room.match.id, base, await side.store.read(room.match.id, after=base))


async def test_a_move_of_another_hub_is_told_at_once_if_nothing_has_to_be_waited_for(here: Side, there: Side) -> None:
    room = await started(here)
    copy = await there.keeper.room(room.match.id)
    reader = Reader("watcher", "Cid")
    there.tracker.enter(reader, copy)
    for _ in range(3):
        await play(here, room, new_id())
    first, second, third = (await events_of(here, room, 2)).events
    one, two = EventsNotice(room.match.id, 2, [first]), EventsNotice(room.match.id, 3, [second])
    assert not there.keeper.take_at_once(two), "there is a gap"
    assert copy.lock.take()
    assert not there.keeper.take_at_once(one), "something else is being done there"
    copy.lock.release()
    copy.doubtful = True
    assert not there.keeper.take_at_once(one)
    copy.doubtful = False
    assert not there.keeper.take_at_once(EventsNotice(room.match.id, 2, [b"no event"]))
    assert not copy.lock.locked()
    assert copy.match.version == 2
    for notice in (one, two):
        assert there.keeper.take_at_once(notice)
        assert not there.keeper.take_at_once(notice), "it is known"
    await there.keeper.take(EventsNotice(room.match.id, 4, [third]))
    assert copy.match == room.match
    assert [told.version for told in reader.received if isinstance(told, Moved)] == [3, 4, 5]
    await here.keeper.commit(room, Abandon(room.match.version), HOST, "abandon")
    assert not there.keeper.take_at_once(await events_of(here, room, 5)), "no move, and it may oblige to something"
    assert not there.keeper.take_at_once(EventsNotice("nowhere", 0, [first]))


async def test_events_of_another_hub_are_told_in_order_whatever_is_missing(here: Side, there: Side) -> None:
    """A7, J4: a notice that fits is applied, one with a gap makes the log be read, an old one is nothing."""
    room = await started(here)
    other = await there.keeper.room(room.match.id)
    reader = Reader(GUEST, "Bob")
    there.tracker.enter(reader, other)
    for number in range(6):
        await play(here, room, f"r{number}")
    log = await here.store.read(room.match.id)
    await there.keeper.take(EventsNotice(room.match.id, 2, log[2:3]))
    assert other.match.version == 3
    await there.keeper.take(EventsNotice(room.match.id, 5, log[5:6]))
    assert other.match.version == 8
    await there.keeper.take(EventsNotice(room.match.id, 3, log[3:4]))
    versions = [message.version for message in reader.received if isinstance(message, MatchEvent)]
    assert versions == [3, 4, 5, 6, 7, 8]


async def test_everything_is_read_again_after_a_lost_subscription(here: Side, there: Side) -> None:
    """J4."""
    room = await started(here)
    other = await there.keeper.room(room.match.id)
    await play(here, room, "r1")
    assert other.match.version == 2
    await there.keeper.follow_again()
    assert other.match == room.match


async def test_joining_at_another_hub_is_told_here(here: Side, there: Side) -> None:
    """B5, K4: the host hears of the guest who came by the other hub."""
    room = await here.open()
    reader = Reader(HOST, "Ana")
    here.tracker.enter(reader, room)
    other = await there.keeper.room(room.match.id)
    await there.keeper.commit(other, Join("Bob"), GUEST, "join")
    await here.keeper.take(await events_of(there, room, 1))
    assert isinstance(reader.received[-1], Joined)


# Presence -------------------------------------------------------------------------------------------------------------


async def test_presence_is_the_sum_of_all_hubs_that_live(here: Side, there: Side) -> None:
    """C2, C4: two connections of one player count as one presence; a dead hub's count for nothing."""
    room = await started(here)
    other = await there.keeper.room(room.match.id)
    for side in (here, there):
        await side.beat()
    await here.beat()
    watcher, first, second = Reader("watcher", "Cid"), Reader(HOST, "Ana"), Reader(HOST, "Ana")
    here.tracker.enter(watcher, room)
    here.tracker.enter(first, room)
    there.tracker.enter(second, other)
    await here.tracker.publish()
    await there.tracker.publish()
    await here.tracker.take_presence(room.match.id)
    assert here.tracker.here(room) == (True, False)
    here.tracker.leave_all(first)
    await here.tracker.publish()
    assert here.tracker.here(room) == (True, False)
    here.keeper.live_hubs = {here.store.hub}
    here.tracker.look_at_hubs()
    await here.tracker.publish()
    assert here.tracker.here(room) == (False, False)
    told = [message.here for message in watcher.received if isinstance(message, Presence)]
    assert told == [(True, False), (False, False)]


# Deadlines of waiting matches -----------------------------------------------------------------------------------------


async def due(side: Side, room: Room) -> bool:
    return room.match.id in await side.store.due(side.store.now_ms() + HOST_GRACE_MS + 1, 10_000)


async def pass_time(side: Side, room: Room) -> None:
    """Make the deadline pass."""
    await side.store.set_deadline(room.match.id, room.match.version, 1)
    assert side.deadlines.has_any
    await side.deadlines.look()
    await side.keeper.beat()
    assert not side.deadlines.has_any


def missed_longer(room: Room) -> None:
    """The host is missed for as long as word from another hub may take."""
    missed_s = room.missed_since[room.match.host_seat]
    assert missed_s is not None
    room.missed_since[room.match.host_seat] = missed_s - AWAY_AFTER_S


async def test_a_waiting_match_ends_when_its_host_stays_away(here: Side) -> None:
    """B3: it leaves the list, ended once, and its deadline goes."""
    room = await here.open()
    assert room.match.id in (await here.store.lobby()).rows
    await pass_time(here, room)
    assert await due(here, room)
    missed_longer(room)
    await pass_time(here, room)
    assert room.match.status is Status.ENDED
    assert room.match.id not in (await here.store.lobby()).rows
    assert not await due(here, room)


async def test_a_waiting_match_is_kept_while_its_host_is_connected(here: Side) -> None:
    """C6: seen from the hub where the host is."""
    room = await here.open()
    here.tracker.enter(Reader(HOST, "Ana"), room)
    await pass_time(here, room)
    assert room.match.status is Status.WAITING
    assert await due(here, room)


async def test_a_host_who_has_just_come_to_another_hub_is_not_gone(here: Side, there: Side) -> None:
    """C6: word of it was still on its way when time was up; time that was missed before does not count later."""
    room = await here.open()
    other = await there.keeper.room(room.match.id)
    there.tracker.enter(Reader(HOST, "Ana"), other)
    await pass_time(here, room)
    assert room.match.status is Status.WAITING
    assert await due(here, room)
    await there.tracker.publish()
    await here.tracker.take_presence(room.match.id)
    await here.tracker.publish()
    assert room.missed_since == [None, None]
    await pass_time(here, room)
    assert room.match.id not in await here.store.due(here.store.now_ms() + HOST_GRACE_MS - 5_000, 10_000)
    assert room.match.status is Status.WAITING


async def test_two_hubs_that_find_the_same_deadline_end_the_match_once(here: Side, there: Side) -> None:
    """D2: 100 matches."""
    rooms = [await here.open() for _ in range(100)]
    for _ in range(2):
        for room in rooms:
            await here.store.set_deadline(room.match.id, room.match.version, 1)
        await asyncio.gather(here.deadlines.look(), there.deadlines.look())
        for side in (here, there):
            for match_id, room in side.keeper.rooms.items():
                if room.match.status is Status.WAITING and room.missed_since[room.match.host_seat] is not None:
                    missed_longer(side.keeper.rooms[match_id])
    for room in rooms:
        assert len(await here.store.read(room.match.id)) == 2


async def test_the_first_hub_up_again_excuses_the_outage(here: Side) -> None:
    """RU-M5: nobody could be connected while no hub was there."""
    room = await here.open()
    await here.store.set_deadline(room.match.id, room.match.version, 1)
    await here.deadlines.excuse_outage()
    assert room.match.id not in await here.store.due(here.store.now_ms(), 10_000)
    assert await due(here, room)


@pytest.mark.parametrize("command", [Cancel(), Join("Bob")])
async def test_a_match_that_waits_no_more_has_no_deadline(here: Side, command: Cancel | Join) -> None:
    room = await here.open()
    await here.keeper.commit(room, command, HOST if isinstance(command, Cancel) else GUEST, "r")
    assert not await due(here, room)


async def test_a_deadline_of_a_match_that_is_not_there_is_cleared(here: Side) -> None:
    await here.store.append(Append(match="ghost", base=0, events=[b""], index=Index(deadline_ms=1)))
    await here.store._reader.delete(here.store.keys.log("ghost"))
    await here.deadlines.look()
    assert "ghost" not in await here.store.due(10, 10_000)


# Memory ---------------------------------------------------------------------------------------------------------------


async def test_a_room_that_nobody_follows_is_let_go_and_comes_back(
    here: Side, there: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper_module, "KEEP_EMPTY_S", -1.0)
    room = await started(here)
    await here.keeper.drop_empty()
    again = await here.keeper.room(room.match.id)
    assert again is not room
    assert again.match == room.match
    reader = Reader(GUEST, "Bob")
    here.tracker.enter(reader, again)
    await here.keeper.drop_empty()
    assert await here.keeper.room(room.match.id) is again


async def test_many_who_want_a_room_at_once_get_the_same_one(here: Side, there: Side) -> None:
    room = await started(here)
    rooms = await asyncio.gather(*(there.keeper.room(room.match.id) for _ in range(50)))
    assert len({id(found) for found in rooms}) == 1


async def test_a_match_that_never_was_leaves_nothing(here: Side) -> None:
    with pytest.raises(Refusal) as refused:
        await here.keeper.room("never")
    assert refused.value.code == Code.UNKNOWN_MATCH
    assert not await here.store._reader.exists(here.store.keys.hubs_of("never"))


async def test_an_ended_match_takes_no_more(here: Side) -> None:
    """A8, E9."""
    room = await started(here)
    await here.keeper.commit(room, Abandon(), GUEST, "r1")
    for command in (Abandon(), Play(room.match.version, "a1-b1"), Cancel(), Join("Cid")):
        with pytest.raises(Refusal) as refused:
            await here.keeper.commit(room, command, HOST, "r2")
        assert refused.value.code == Code.FINISHED
