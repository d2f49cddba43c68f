"""What the hub relies on in any store: what it is told of other hubs, and they of it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.errors import StoreUnavailable
from server.store import notices
from server.store.port import (
    AnnouncementNotice,
    Appended,
    BeatNotice,
    EventsNotice,
    Index,
    LobbyNotice,
    Notice,
    PresenceNotice,
    Store,
    Subscribed,
    Unsubscribed,
)
from server.store.redis_store import RedisStore
from tests.driver import WAIT_S, RedisProcess
from tests.faults.trial.stage import eventually
from tests.server.store.appending import append, events


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
    heard = Listening(store)
    assert await heard.next() == Subscribed()
    try:
        yield heard
    finally:
        await heard.close()


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


async def test_what_others_append_is_offered_at_once_while_nothing_before_it_is_being_followed(
    store: RedisStore, other: RedisStore
) -> None:
    """What is taken is told no more; all else comes in its order, and so does what is read together with it."""
    offered: list[int] = []

    def take_even(notice: EventsNotice) -> bool:
        offered.append(notice.base)
        return notice.base % 2 == 0

    notices = other.notices(take_even)
    assert await anext(notices) == Subscribed()
    await append(store, 0)
    await other.follow("m")
    waiting = asyncio.ensure_future(anext(notices))
    await asyncio.sleep(0)
    await append(store, 1)
    assert await waiting == EventsNotice("m", 1, events(2, 2))
    await append(store, 2)
    subscription: Any = notices.ag_frame.f_locals["subscription"]  # type: ignore[attr-defined]
    await eventually(lambda: not subscription._pushed.empty())
    assert offered == [1], "the one behind it has to wait for it"
    assert await anext(notices) == EventsNotice("m", 2, events(3, 3))
    waiting = asyncio.ensure_future(anext(notices))
    await asyncio.sleep(0)
    await append(store, 3)
    assert await waiting == EventsNotice("m", 3, events(4, 4))
    waiting = asyncio.ensure_future(anext(notices))
    await asyncio.sleep(0)
    await append(store, 4)
    await append(store, 0, match="n", index=Index(lobby=b"a row"))
    assert await waiting == LobbyNotice(1, "n", b"a row")
    assert offered == [1, 3, 4]
    await notices.aclose()  # type: ignore[attr-defined]


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


async def test_a_lost_subscription_is_made_anew_and_says_so(
    store: RedisStore, other: RedisStore, operator: Any
) -> None:
    """J4: cut again and again; each time the listener is told so, and then that it may have missed something."""
    async with listening(other) as heard:
        await other.follow("m")
        for number in range(5):
            assert await operator.client_kill_filter(_type="pubsub") >= 1
            assert isinstance(await heard.next(), Unsubscribed)
            assert await heard.next() == Subscribed()
            await append(store, number)
            assert await heard.next() == EventsNotice("m", number, events(number + 1, number + 1))


async def test_j4_a_subscription_that_falls_silent_is_made_anew(
    redis: RedisProcess, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """J4: its connection stands, and nothing comes over it."""
    monkeypatch.setattr(notices, "SILENCE_S", 0.02)
    monkeypatch.setattr(notices, "LOST_S", 0.2)
    links: Any = store._subscriber.connection_pool
    async with listening(store) as heard:
        (first,) = links._lent
        redis.signal(signal.SIGSTOP)
        coming = asyncio.create_task(heard.next())
        await eventually(lambda: first not in links._lent)
        assert await coming == Unsubscribed("no answer")
        redis.signal(signal.SIGCONT)
        assert await heard.next() == Subscribed()


async def test_j4_a_subscription_is_kept_while_there_is_nothing_to_tell(
    store: RedisStore, other: RedisStore, operator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """J4: it is pinged, and the answers say that it stands."""
    monkeypatch.setattr(notices, "SILENCE_S", 0.02)
    monkeypatch.setattr(notices, "LOST_S", 0.5)
    async with listening(other) as heard:
        await other.follow("m")
        coming = asyncio.create_task(heard.next())
        pings = 0
        while pings < 30:
            pings = (await operator.info("commandstats")).get("cmdstat_ping", {}).get("calls", 0)
        await append(store, 0)
        assert await coming == EventsNotice("m", 0, events(1, 1))


async def test_j4_a_hub_far_behind_begins_anew(
    store: RedisStore, operator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """J4, Q12: what waits for it is bounded; it is told to read everything again, and hears on."""
    monkeypatch.setattr(notices, "MAX_UNREAD", 10)
    async with listening(store) as heard:
        pipe = operator.pipeline(transaction=False)
        for number in range(50):
            pipe.publish(store.keys.announcements, f"line {number}")
        await pipe.execute()
        told = []
        while (notice := await heard.next()) != Unsubscribed("too many notices wait"):
            told.append(notice)
        assert await heard.next() == Subscribed()
        assert told == [AnnouncementNotice(f"line {number}") for number in range(len(told))]
        assert len(told) < 50
        await operator.publish(store.keys.announcements, "and on")
        assert await heard.next() == AnnouncementNotice("and on")


async def test_hubs_that_beat_live(store: RedisStore, other: RedisStore) -> None:
    assert (await store.beat()).hubs == {"one"}
    assert (await other.beat()).hubs == {"one", "two"}
    assert await other.farewell() == {"one"}
    assert (await store.beat()).hubs == {"one"}


async def test_d5_hubs_hear_each_other_beat_at_once_and_one_alone_hears_nothing(
    store: RedisStore, other: RedisStore
) -> None:
    """D5: the last beat before the store falls silent is the same for all of them."""
    async with listening(store) as heard:
        await store.beat()
        for _ in range(2):
            at_ms = (await other.beat()).at_ms
            assert await heard.next() == BeatNotice(at_ms)


async def test_hubs_that_are_to_stop_know_it_of_each_other(store: RedisStore, other: RedisStore, operator: Any) -> None:
    """One that was killed meanwhile is forgotten."""
    await store.beat()
    await other.beat()
    assert await store.retreat() == {"one"}
    assert await other.retreat() == {"one", "two"}
    await operator.zrem(store.keys.hubs, "two")
    assert await store.retreat() == {"one", "two"}
    assert await store.retreat() == {"one"}
    await store.farewell()
    assert not await operator.exists(store.keys.draining)


async def test_q9_an_epoch_lasts_until_the_data_is_loaded_anew(
    redis: RedisProcess, store: RedisStore, other: RedisStore, operator: Any
) -> None:
    """Q9: one for all hubs; another one after each start of Redis, and when everything is gone."""
    epoch = (await store.beat()).epoch
    assert epoch
    assert (await other.beat()).epoch == epoch == (await store.beat()).epoch
    await operator.script_flush()
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
    await operator.flushdb()
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


async def test_of_several_hubs_one_may_do_what_a_match_calls_for(
    store: RedisStore, other: RedisStore, operator: Any
) -> None:
    """The first that asks, for as long as it goes on asking; what a later version calls for is a claim of its own."""
    long_ms = 60_000
    assert await store.claim("claimed", 3, long_ms)
    assert not await other.claim("claimed", 3, long_ms)
    assert await store.claim("claimed", 3, long_ms)
    assert await other.claim("claimed", 4, long_ms)
    assert not await store.claim("claimed", 3, long_ms)
    assert 0 < await operator.pttl(store.keys.claim("claimed")) <= long_ms
    assert await other.claim("claimed", 4, 1)
    for _ in range(round(WAIT_S / 0.01)):
        if await store.claim("claimed", 4, long_ms):
            break
        await asyncio.sleep(0.01)
    else:
        raise AssertionError("nobody else may ever")
