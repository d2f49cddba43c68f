"""What the hub relies on in any store, tried on a real Redis."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from protocol.errors import StoreUnavailable
from server.store.guarded import WrongType
from server.store.lifetimes import Lifetimes
from server.store.people import Admission, Guest
from server.store.port import (
    Aim,
    Append,
    Appended,
    EventsNotice,
    Index,
    LobbyNotice,
    Notice,
    PresenceNotice,
    Store,
    Subscribed,
)
from server.store.receipts import Receipt
from server.store.redis_store import RedisStore
from tests.driver import WAIT_S, RedisProcess


@pytest_asyncio.fixture
async def store(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    made = RedisStore(redis.url, "one")
    yield made
    await made.close()


@pytest_asyncio.fixture
async def other(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    """Another hub's way to the same Redis."""
    made = RedisStore(redis.url, "two")
    yield made
    await made.close()


def events(first: int, last: int) -> list[bytes]:
    return [b"event %d" % number for number in range(first, last + 1)]


async def append(store: Store, base: int, count: int = 1, match: str = "m", **more: object) -> Appended | Receipt:
    return await store.append(Append(match=match, base=base, events=events(base + 1, base + count), **more))  # type: ignore[arg-type]


# The log --------------------------------------------------------------------------------------------------------------


async def test_an_append_at_the_last_version_is_stored(store: RedisStore) -> None:
    assert await append(store, 0) is Appended.STORED
    assert await append(store, 1, 3) is Appended.STORED
    assert await store.read("m") == events(1, 4)
    assert await store.read("m", after=2) == events(3, 4)
    assert await store.read("m", after=4) == []
    assert await store.read("never") == []


@pytest.mark.parametrize("base", [0, 1, 3, 99])
async def test_an_append_at_any_other_version_changes_nothing(store: RedisStore, base: int) -> None:
    """The append is the compare and set: neither log nor index is touched by the one that lost."""
    await append(store, 0, 2)
    index = Index(lobby=b"row", group="g", waiting=True, deadline_ms=1, unfinished=("ana",))
    assert await append(store, base, index=index) is Appended.CONFLICT
    assert await store.read("m") == events(1, 2)
    assert (await store.lobby()).rows == {}
    assert await store.due(10, 10) == []
    assert await store.unfinished("ana") == []


async def test_of_many_appends_at_once_one_is_stored(store: RedisStore, other: RedisStore) -> None:
    """A1, B1: two hubs, fifty at a time, 200 rounds; the race was on in every round."""
    for version in range(200):
        outcomes = await asyncio.gather(*(append(hub, version) for hub in (store, other) for _ in range(25)))
        assert outcomes.count(Appended.STORED) == 1
    assert len(await store.read("m")) == 200


async def test_appends_of_one_tick_share_a_round_trip_and_keep_their_order(store: RedisStore) -> None:
    """A6: sent in order, judged in order."""
    outcomes = await asyncio.gather(*(append(store, version) for version in range(300)))
    assert set(outcomes) == {Appended.STORED}
    assert await store.read("m") == events(1, 300)


async def test_a_long_log_is_read_in_pages(store: RedisStore) -> None:
    await append(store, 0, 2_500)
    assert await store.read("m") == events(1, 2_500)
    assert await store.read("m", after=999) == events(1_000, 2_500)


async def test_a_key_of_the_wrong_type_is_found_before_the_first_write(store: RedisStore, redis: RedisProcess) -> None:
    """Redis does not roll back, so a script that cannot finish must not begin."""
    await append(store, 0)
    await store._reader.set(store.keys.deadlines, "text")
    keys, words = store._append_words(
        Append(match="m", base=1, events=events(2, 2), index=Index(lobby=b"row", deadline_ms=5))
    )
    with pytest.raises(WrongType):
        await store._pipe.run("append", keys, words)
    assert await store.read("m") == events(1, 1)
    assert (await store.lobby()).rows == {}


# Indexes --------------------------------------------------------------------------------------------------------------


async def test_the_lobby_changes_with_the_log(store: RedisStore) -> None:
    await append(store, 0, index=Index(lobby=b"waiting"))
    await append(store, 0, match="n", index=Index(lobby=b"other"))
    await append(store, 1, index=Index(lobby=b"playing"))
    rows, change = await store.lobby()
    assert (rows, change) == ({"m": b"playing", "n": b"other"}, 3)
    await append(store, 2, index=Index(lobby=b""))
    assert await store.lobby() == ({"n": b"other"}, 4)


async def test_who_waits_is_found_oldest_first(store: RedisStore) -> None:
    for number, match in enumerate("cab", 1):
        await append(store, 0, match=match, index=Index(group="g", waiting=True))
        assert await store.waiting("g") == (list("cab")[:number], number)
    await append(store, 1, match="a", index=Index(group="g", waiting=False))
    assert await store.waiting("g") == (["c", "b"], 3)
    assert await store.waiting("other") == ([], 0)


async def test_two_who_look_for_each_other_do_not_both_wait(store: RedisStore, other: RedisStore) -> None:
    """The condition of quick match: 100 rounds of two hubs that saw nobody and want to wait both."""
    for number in range(100):
        group = f"g{number}"
        seen = (await store.waiting(group)).arrivals
        outcomes = await asyncio.gather(
            *(
                append(hub, 0, match=f"{name}{number}", index=Index(group=group, waiting=True), unless_newer=seen)
                for hub, name in ((store, "a"), (other, "b"))
            )
        )
        assert sorted(outcomes) == [Appended.CONFLICT, Appended.STORED]
        assert len((await store.waiting(group)).matches) == 1


async def test_q8_an_aim_is_moved_by_one_of_many(store: RedisStore, other: RedisStore) -> None:
    """Q8: two hubs that lead one player at once go for one match, for each group one."""
    for number in range(50):
        group = f"a{number}"
        moved = await asyncio.gather(store.move_aim("ana", group, "", "x"), other.move_aim("ana", group, "", "y"))
        assert sorted(moved) == [False, True]
        aim = await store.aim("ana", group)
        assert aim == await other.aim("ana", group) == ("x" if moved[0] else "y")
        assert not await store.move_aim("ana", group, "z", "w")
        assert await store.aim("bob", group) == ""
    assert 0 < await store._reader.pttl(store.keys.aim("ana", "a0")) <= 30_000


async def test_q8_a_match_is_not_opened_when_the_aim_has_been_moved(store: RedisStore) -> None:
    """Q8: the hub that was slow opens nothing beside the match to which another one has led the player."""
    aim = Aim("ana", "g")
    assert await append(store, 0, match="m", aim=aim) is Appended.CONFLICT
    await store.move_aim("ana", "g", "", "m")
    assert await append(store, 0, match="m", aim=aim) is Appended.STORED
    await store.move_aim("ana", "g", "m", "n")
    assert await append(store, 0, match="o", aim=aim) is Appended.CONFLICT
    assert await store.read("o") == []


async def test_deadlines_are_found_when_they_have_passed(store: RedisStore) -> None:
    await append(store, 0, index=Index(deadline_ms=500))
    await append(store, 0, match="n", index=Index(deadline_ms=300))
    assert await store.due(299, 10) == []
    assert await store.due(500, 10) == ["n", "m"]
    assert await store.due(500, 1) == ["n"]
    assert (await store.deadline("n"), await store.deadline("nothing")) == (300, None)
    await store.set_deadline("n", 1, 900)
    await store.set_deadline("n", 2, 1)  # of a version that is not the newest: the deadline stays
    assert await store.due(899, 10) == ["m"]
    await append(store, 1, index=Index(deadline_ms=0))
    await store.set_deadline("n", 0, None)
    assert await store.deadline("n") == 900
    await store.set_deadline("n", 1, None)
    await store.set_deadline("m", 2, 1)
    await store.set_deadline("nothing", 0, 1)
    assert await store.due(10_000, 10) == []


async def test_a_players_unfinished_matches_are_listed(store: RedisStore) -> None:
    await append(store, 0, index=Index(unfinished=("ana", "bob")))
    await append(store, 0, match="n", index=Index(unfinished=("ana",)))
    assert await store.unfinished("ana") == ["m", "n"]
    await append(store, 1, index=Index(finished=("ana", "bob")))
    assert (await store.unfinished("ana"), await store.unfinished("bob")) == (["n"], [])


async def test_keys_and_guests_are_found_again(store: RedisStore) -> None:
    await append(store, 0, key="7KQ2-M0XV-9TRA")
    assert (await store.match_by_key("7KQ2-M0XV-9TRA"), await store.key_of("m")) == ("m", "7KQ2-M0XV-9TRA")
    assert (await store.match_by_key("0000-0000-0000"), await store.key_of("n")) == (None, None)
    ana = Admission(looks="ana", guest=Guest("id", "Ana"), token_hash="hash", keep=True, lease_ms=0)
    assert (await store.admit(ana)).inside
    assert await store.guest("hash") == Guest("id", "Ana")
    assert await store.guest("other") is None


# Other hubs -----------------------------------------------------------------------------------------------------------


class Listening:
    """The notices of one store, one after the other."""

    def __init__(self, store: Store) -> None:
        self._notices = store.notices()

    async def next(self) -> Notice:
        async with asyncio.timeout(WAIT_S):
            return await anext(self._notices)

    async def close(self) -> None:
        await self._notices.aclose()  # type: ignore[attr-defined]


@contextlib.asynccontextmanager
async def listening(store: Store) -> AsyncIterator[Listening]:
    notices = Listening(store)
    assert await notices.next() == Subscribed()
    try:
        yield notices
    finally:
        await notices.close()


async def test_a_hub_that_follows_is_told_the_events_of_others_and_not_its_own(
    store: RedisStore, other: RedisStore
) -> None:
    await append(store, 0)
    async with listening(other) as heard:
        assert await other.follow("m") == events(1, 1)
        await append(other, 1)
        await append(store, 2, 2)
        assert await heard.next() == EventsNotice("m", 2, events(3, 4))
        await other.unfollow("m")
        await append(store, 4)
        await append(store, 0, match="n", index=Index(lobby=b"a row"))
        assert await heard.next() == LobbyNotice(1, "n", b"a row")


async def test_a_hub_that_listens_no_longer_is_forgotten(store: RedisStore, other: RedisStore) -> None:
    await append(store, 0)
    async with listening(other):
        await other.follow("m")
    while b"two" in await store._reader.smembers(store.keys.hubs_of("m")):
        await append(store, len(await store.read("m")))


async def test_connections_are_counted_over_all_hubs(store: RedisStore, other: RedisStore) -> None:
    async with listening(other) as heard:
        await other.follow("m")
        assert await store.announce_presence("m", {"0": 1, "w": 3}) == {"one": {"0": 1, "w": 3}}
        assert await heard.next() == PresenceNotice("m")
        both = await other.announce_presence("m", {"1": 2})
        assert both == {"one": {"0": 1, "w": 3}, "two": {"1": 2}}
        assert await store.announce_presence("m", {"0": 0, "w": 0}) == {"two": {"1": 2}}


async def test_a_lost_subscription_is_made_anew_and_says_so(store: RedisStore, other: RedisStore) -> None:
    """J4: cut twenty times; each time the listener is told that it may have missed something."""
    async with listening(other) as heard:
        await other.follow("m")
        for number in range(20):
            assert await store._reader.client_kill_filter(_type="pubsub") >= 1
            while await heard.next() != Subscribed():
                pass
            await append(store, number)
            assert await heard.next() == EventsNotice("m", number, events(number + 1, number + 1))


async def test_hubs_that_beat_live(store: RedisStore, other: RedisStore) -> None:
    assert (await store.beat()).hubs == {"one"}
    assert (await other.beat()).hubs == {"one", "two"}
    assert await other.farewell() == {"one"}
    assert (await store.beat()).hubs == {"one"}


async def test_q9_an_epoch_lasts_until_the_data_is_loaded_anew(
    redis: RedisProcess, store: RedisStore, other: RedisStore
) -> None:
    """Q9: one for all hubs; another one after each start of Redis, and when everything is gone."""
    epoch = (await store.beat()).epoch
    assert epoch
    assert (await other.beat()).epoch == epoch == (await store.beat()).epoch
    await store._reader.script_flush()
    assert (await store.beat()).epoch == epoch
    redis.kill()
    redis.start()
    with contextlib.suppress(StoreUnavailable):
        await store.beat()
    loaded = (await store.beat()).epoch
    assert loaded != epoch
    with contextlib.suppress(StoreUnavailable):
        await other.beat()
    assert (await other.beat()).epoch == loaded
    await store._reader.flushdb()
    assert (await store.beat()).epoch not in ("", loaded)


async def test_q9_nothing_is_appended_to_a_log_that_was_read_before_a_load(
    redis: RedisProcess, store: RedisStore, other: RedisStore
) -> None:
    """Q9: not even by the hub that is the first to write after it, which knows of no load."""
    epoch = (await store.beat()).epoch
    assert await append(store, 0, epoch=epoch) is Appended.STORED
    redis.kill()
    redis.start()
    for hub in (store, other):
        with contextlib.suppress(StoreUnavailable):
            await hub.read("m")
        while True:
            with contextlib.suppress(StoreUnavailable):
                assert await append(hub, 1, epoch=epoch) is Appended.RELOADED
                break
    assert await store.read("m") == events(1, 1)
    assert await append(store, 1, epoch=(await store.beat()).epoch) is Appended.STORED


async def test_a_time_without_any_beat_is_an_outage_written_down_once(store: RedisStore, other: RedisStore) -> None:
    """D5: by the first hub that beats again; every hub learns of it."""
    assert (await store.beat()).outages == ()
    long_ago = store.now_ms() - 20_000
    await store._reader.set(store.keys.beat, long_ago)
    ((start, end),) = (await other.beat()).outages
    assert start == long_ago
    assert 20_000 <= end - start < 30_000
    assert (await store.beat()).outages == ((start, end),)


async def test_hubs_share_a_clock_that_never_goes_back(store: RedisStore, other: RedisStore) -> None:
    """Whatever the wall clocks say: both stamp by the time of Redis."""
    other._offset_ms += 3_600_000
    await store.beat()
    await other.beat()
    assert abs(store.now_ms() - other.now_ms()) < 1_000
    before = store.now_ms()
    store._offset_ms -= 5_000
    assert store.now_ms() >= before


# Trouble --------------------------------------------------------------------------------------------------------------


async def test_a_silent_redis_is_an_error_and_the_log_tells_what_became_of_the_append(
    store: RedisStore, redis: RedisProcess
) -> None:
    """J5, J16: the fate of an append is unknown; after the silence the log says it, and nothing is there twice."""
    await append(store, 0)
    redis.signal(signal.SIGSTOP)
    with pytest.raises(StoreUnavailable):
        await append(store, 1)
    redis.signal(signal.SIGCONT)
    while len(await store.read("m")) < 2 and await append(store, 1) is not Appended.STORED:
        pass
    assert await store.read("m") == events(1, 2)


async def test_a_redis_that_is_gone_is_an_error_and_is_used_again_when_it_is_back(
    store: RedisStore, redis: RedisProcess
) -> None:
    """J1: what was stored is there after a kill."""
    await append(store, 0)
    redis.kill()
    with pytest.raises(StoreUnavailable):
        await append(store, 1)
    with pytest.raises(StoreUnavailable):
        await store.read("m")
    redis.start()
    assert await append(store, 1) is Appended.STORED
    assert await store.read("m") == events(1, 2)


async def test_a_redis_that_is_full_refuses_and_stores_nothing(store: RedisStore) -> None:
    """A4, J7: an error instead of half an append; it works again when there is room."""
    await append(store, 0)
    await store._reader.config_set("maxmemory", "1mb")
    with pytest.raises(StoreUnavailable):
        await append(store, 1, index=Index(lobby=b"row"))
    assert (await store.read("m"), (await store.lobby()).rows) == (events(1, 1), {})
    await store._reader.config_set("maxmemory", "0")
    assert await append(store, 1) is Appended.STORED


async def test_scripts_that_redis_has_forgotten_are_loaded_again(store: RedisStore) -> None:
    await append(store, 0)
    await store._reader.script_flush()
    assert await append(store, 1) is Appended.STORED


# Documents ------------------------------------------------------------------------------------------------------------


async def test_a_document_is_replaced_only_where_the_expected_one_stands(store: RedisStore, other: RedisStore) -> None:
    assert await store.document("d") == b""
    assert await store.replace_document("d", b"", b"one")
    assert not await other.replace_document("d", b"", b"two")
    assert await other.replace_document("d", b"one", b"two")
    assert await store.document("d") == b"two"
    assert await store.replace_document("d", b"two", b"")
    assert await store.document("d") == b""


# Lifetimes ------------------------------------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def forgetful(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    """A store in which whatever nobody touches is gone after a minute, and what is over after two."""
    made = RedisStore(redis.url, "one", lifetimes=Lifetimes(match=60, finished=120, guest=30, ref=30))
    yield made
    await made.close()


async def lifetime_s(store: RedisStore, key: str) -> float:
    """How long a key still has, in seconds."""
    left_ms: int = await store._reader.pttl(key)
    return round(left_ms / 1000)


async def test_j13_lifetimes_begin_anew_while_somebody_follows(forgetful: RedisStore) -> None:
    """J13: of all of a match, its private key too."""
    await append(forgetful, 0, key="key")
    await forgetful.follow("m")
    await forgetful.announce_presence("m", {"0": 1})
    keys = forgetful.keys
    whole = [keys.log("m"), keys.hubs_of("m"), keys.here("m"), keys.key_of("m"), keys.by_key("key")]
    for key in whole:
        await forgetful._reader.pexpire(key, 5_000)
    await forgetful.keep("m", "key")
    assert [await lifetime_s(forgetful, key) for key in whole] == [60] * len(whole)


async def test_what_is_over_has_a_lifetime_of_its_own(forgetful: RedisStore) -> None:
    await append(forgetful, 0)
    assert await lifetime_s(forgetful, forgetful.keys.log("m")) == 60
    await append(forgetful, 1, over=True)
    assert await lifetime_s(forgetful, forgetful.keys.log("m")) == 120


async def test_only_a_match_without_a_log_is_taken_out_of_the_lists(store: RedisStore) -> None:
    """J13: in one step with the test, so that a match that has just begun is never lost."""
    listed = Index(lobby=b"row", group="g", waiting=True, deadline_ms=1, unfinished=("ana",))
    gone = Index(lobby=b"", group="g", waiting=False, deadline_ms=0)
    await append(store, 0, index=listed)
    assert await append(store, 0, 0, index=gone) is Appended.CONFLICT
    assert (await store.lobby()).rows == {"m": b"row"}
    await store._reader.delete(store.keys.log("m"))
    assert await append(store, 0, 0, index=gone) is Appended.STORED
    assert (await store.lobby()).rows == {}
    assert (await store.waiting("g")).matches == []
    assert await store.due(10, 10) == []
    assert await store.read("m") == []


async def test_a_player_is_told_of_no_match_that_is_forgotten(store: RedisStore) -> None:
    await append(store, 0, index=Index(unfinished=("ana",)))
    await append(store, 0, match="n", index=Index(unfinished=("ana",)))
    await store._reader.delete(store.keys.log("m"))
    assert await store.unfinished("ana") == ["n"]
    assert await store._reader.smembers(store.keys.matches_of("ana")) == {b"n"}
