"""What one log obliges us to in another: whoever wrote it, it is carried out, once, or set aside and told once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from protocol.errors import Code, OutcomeUnknown, Refusal, StoreUnavailable
from protocol.messages import Rematched, Snapshot
from server.games import load_catalogue
from server.hub.background.obligations import PUT_OFF_MS, TRIES, Obligations
from server.hub.metrics import OBLIGATIONS, OWED
from server.hub.presence.identity import new_id
from server.hub.rooms.index import index_change
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.match.commands import Abandon, Join, Offer
from server.match.events import Created, decode_event, encode_event
from server.match.machine import Asked, create, decide
from server.store.port import Append, EventsNotice, Index
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.server.hub.conftest import Reader

CATALOGUE = load_catalogue()
HOST, GUEST = "host", "guest"
LATER_MS = 3_600_000


class Side:
    """One hub: its store, its keeper, its share of what is owed."""

    def __init__(self, url: str) -> None:
        self.store = RedisStore(url, new_id())
        self.keeper = Keeper(self.store, CATALOGUE)
        self.obligations = Obligations(self.store, self.keeper)

    async def over(self) -> Room:
        """A match between HOST and GUEST that has ended, with a rematch offered by HOST."""
        match_id = new_id()
        event = create(CATALOGUE["square"], {}, "Ana", Asked(HOST, "create", self.store.now_ms()), seed=1)
        await self.keeper.open(match_id, [event])
        room = await self.keeper.room(match_id)
        await self.keeper.commit(room, Join("Bob"), GUEST, "join")
        await self.keeper.commit(room, Abandon(), GUEST, "abandon")
        await self.keeper.commit(room, Offer("rematch", next_match=new_id()), HOST, "offer")
        return room

    async def agree_and_die(self, room: Room) -> str:
        """GUEST agrees to the rematch, and all that this hub does is to store that; returns the rematch's id."""
        asked = Asked(GUEST, "agree", self.store.now_ms())
        happened = decide(room.match, Offer("rematch", next_match=new_id()), asked)
        await self.store.append(
            Append(
                match=room.match.id,
                base=room.match.version,
                events=[encode_event(step.event) for step in happened],
                index=index_change(room.match, happened[-1].after, asked.now_ms),
            )
        )
        return happened[-1].after.rematch


@pytest_asyncio.fixture
async def here(redis: RedisProcess) -> AsyncIterator[Side]:
    side = Side(redis.url)
    await side.store._reader.flushdb()
    await side.keeper.beat()
    yield side
    await side.store.close()


@pytest_asyncio.fixture
async def there(redis: RedisProcess, here: Side) -> AsyncIterator[Side]:
    side = Side(redis.url)
    await side.keeper.beat()
    yield side
    await side.store.close()


async def test_q2_another_hub_opens_the_rematch_of_one_that_died(here: Side, there: Side) -> None:
    """Q2: it is in both players' lists, its clock starts when it is opened, and nothing is owed any more."""
    room = await here.over()
    following = await here.agree_and_die(room)
    assert await here.store.read(following) == []
    opened_ms = there.store.now_ms()
    await there.obligations.settle_all()
    created, taken = [decode_event(data) for data in await there.store.read(following)]
    assert isinstance(created, Created)
    assert (created.rematch_of, created.player) == (room.match.id, GUEST)
    assert min(created.at_ms, taken.at_ms) >= opened_ms
    for player in (HOST, GUEST):
        assert await there.store.unfinished(player) == [following]
    assert not await there.store.owes(room.match.id)


async def test_q2_the_other_hubs_look_for_what_is_owed_when_a_beat_has_found_it(here: Side, there: Side) -> None:
    """Q2: and once more when nothing is left, so that the metric does not stay where it was."""
    assert not there.obligations.has_any
    room = await here.over()
    await here.agree_and_die(room)
    await there.keeper.beat()
    assert not there.obligations.has_any, "it may just be being done"
    await there.store._reader.zadd(there.store.keys.outbox, {room.match.id: 1})
    await there.keeper.beat()
    for owed in (1, 0):
        assert there.obligations.has_any
        await there.obligations.look()
        assert OWED._value.get() == owed
        await there.keeper.beat()
    assert not there.obligations.has_any


async def test_q2_what_is_owed_can_be_carried_out_by_two_hubs_at_once(here: Side, there: Side) -> None:
    """Q2: the log of the new match takes one beginning."""
    room = await here.over()
    following = await here.agree_and_die(room)
    await there.obligations.settle_all()
    log = await there.store.read(following)
    await here.keeper.carry_out((await there.keeper.room(room.match.id)).match)
    await here.obligations.settle_all()
    assert await here.store.read(following) == log


async def test_q2_a_hub_leaves_what_is_just_being_done(here: Side, there: Side) -> None:
    """Q2: what was agreed this moment is not looked at by the others yet."""
    following = await here.agree_and_die(await here.over())
    await there.obligations.look()
    assert await there.store.read(following) == []


async def test_q2_nobody_is_told_of_a_rematch_that_is_not_there(
    here: Side, there: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q2: neither by the hub that stored the agreement nor by one that heard of it, until the match can be opened."""
    room, other = await here.over(), None
    other = await there.keeper.room(room.match.id)
    readers = [Reader(HOST, "Ana"), Reader(GUEST, "Bob")]
    here.keeper.rooms[room.match.id].add(readers[0])
    other.add(readers[1])
    base = room.match.version

    async def cannot(*_: object, **__: object) -> bool:
        raise StoreUnavailable("away")

    with monkeypatch.context() as patch:
        patch.setattr(here.keeper, "open", cannot)
        patch.setattr(there.keeper, "open", cannot)
        with pytest.raises(OutcomeUnknown):
            await here.keeper.commit(room, Offer("rematch", next_match=new_id()), GUEST, "agree")
        notice = EventsNotice(room.match.id, base, await here.store.read(room.match.id, after=base))
        with pytest.raises(StoreUnavailable):
            await there.keeper.take(notice)
    assert readers[0].received == readers[1].received == []
    await here.keeper.read_doubtful()
    await there.keeper.read_doubtful()
    for reader, side in zip(readers, (here, there), strict=True):
        assert isinstance(reader.received[-1], Rematched)
        assert (await side.keeper.room(reader.received[-1].next)).match.rematch == ""
    assert await here.keeper.commit(room, Offer("rematch", next_match=new_id()), GUEST, "agree") == base + 2


async def test_q2_who_comes_to_the_old_match_is_led_to_a_new_one_that_is_there(here: Side, there: Side) -> None:
    """Q2: a match that is loaded while it owes its rematch opens it first; one that owes nothing opens none."""
    room = await here.over()
    following = await here.agree_and_die(room)
    loaded = await there.keeper.room(room.match.id)
    reader = Reader("watcher", "Cid")
    loaded.add(reader)
    snapshot = loaded.snapshot(reader, there.keeper.moment())
    assert isinstance(snapshot, Snapshot)
    assert snapshot.rematch == following
    assert len(await there.store.read(following)) == 2
    await there.obligations.settle_all()
    await there.store._reader.delete(there.store.keys.log(following))
    there.keeper.rooms.clear()
    await there.keeper.room(room.match.id)
    assert await there.store.read(following) == [], "a match that was forgotten has been opened anew"


@pytest.mark.parametrize("log", [[], [b"no event"]], ids=["forgotten", "unreadable"])
async def test_q2_what_can_never_be_done_is_set_aside_and_told_once(
    here: Side, log: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """Q2, Q10: it keeps no other one waiting, is tried a few times, and is kept for the operator."""
    bad = new_id()
    await here.store.append(Append(match=bad, base=0, events=log, index=Index(owed_ms=1)))
    following = await here.agree_and_die(await here.over())
    aside = OBLIGATIONS.labels("set aside")._value.get()
    for attempt in range(TRIES + 2):
        for late in await here.store.owed(here.store.now_ms() + PUT_OFF_MS, 10):
            await here.store.put_off(late, 1)
        await here.obligations.settle_all()
        assert len(await here.store.read(following)) == 2, attempt
    assert await here.store.owed(here.store.now_ms() + LATER_MS, 10) == []
    assert await here.store._reader.zrange(here.store.keys.set_aside, 0, -1) == [bad.encode()]
    assert OBLIGATIONS.labels("set aside")._value.get() == aside + 1
    assert capsys.readouterr().out.count("set aside") == 1


async def test_q2_an_entry_whose_name_is_no_text_stops_nothing(here: Side) -> None:
    """Q2, Q10: it is set aside as it is."""
    await here.store._reader.zadd(here.store.keys.outbox, {b"\xff\xfe": 1})
    for _ in range(TRIES):
        for late in await here.store.owed(here.store.now_ms() + PUT_OFF_MS, 10):
            await here.store.put_off(late, 1)
        await here.obligations.settle_all()
    assert await here.store._reader.zrange(here.store.keys.set_aside, 0, -1) == [b"\xff\xfe"]


async def test_q2_an_obligation_that_came_meanwhile_is_not_taken_for_met(here: Side) -> None:
    """Q2: what was read is compared when it is taken out."""
    match_id = new_id()
    await here.store.append(Append(match=match_id, base=0, events=[b"1"], index=Index(owed_ms=1)))
    (old,) = await here.store.owed(10, 10)
    await here.store.append(Append(match=match_id, base=1, events=[b"2"], index=Index(owed_ms=2)))
    await here.store.met(old)
    assert [owed.since_ms for owed in await here.store.owed(10, 10)] == [2]


async def test_q2_a_refused_agreement_owes_nothing(here: Side) -> None:
    """Q2: promise 6."""
    room = await here.over()
    with pytest.raises(Refusal) as refused:
        await here.keeper.commit(room, Offer("draw"), GUEST, "draw")
    assert refused.value.code in (Code.FINISHED, Code.OFFER_OPEN)
    assert not await here.store.owes(room.match.id)
