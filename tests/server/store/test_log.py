"""What the hub relies on in any store: the log of a match."""

from __future__ import annotations

import asyncio

import pytest

from server.store.connection.guarded import WrongType
from server.store.port import (
    Append,
    Appended,
    Index,
)
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.server.store.appending import append, events


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
