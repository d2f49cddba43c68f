"""What the hub relies on in any store: documents that are replaced, and how long things are kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from server.store.lifetimes import Lifetimes
from server.store.port import (
    Appended,
    Index,
)
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.server.store.appending import append


async def test_a_document_is_replaced_only_where_the_expected_one_stands(store: RedisStore, other: RedisStore) -> None:
    assert await store.document("d") == b""
    assert await store.replace_document("d", b"", b"one")
    assert not await other.replace_document("d", b"", b"two")
    assert await other.replace_document("d", b"one", b"two")
    assert await store.document("d") == b"two"
    assert await store.replace_document("d", b"two", b"")
    assert await store.document("d") == b""


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


@pytest.mark.parametrize(
    ("left_s", "over", "then_s"), [(59, False, 60), (60, False, 60), (70, False, 60), (60, True, 120)]
)
async def test_an_append_gives_a_match_its_whole_lifetime_again(
    forgetful: RedisStore, left_s: int, over: bool, then_s: int
) -> None:
    """J13: whatever is left of it, or was given it before."""
    log = forgetful.keys.log("m")
    await append(forgetful, 0)
    await forgetful._reader.pexpire(log, left_s * 1_000)
    await append(forgetful, 1, over=over)
    assert await lifetime_s(forgetful, log) == then_s


async def test_what_has_nearly_all_of_its_lifetime_is_written_once(forgetful: RedisStore, operator: Any) -> None:
    """A move that sets it again each time writes nearly twice as much to the disk."""
    await append(forgetful, 0)
    before = (await operator.info("commandstats"))["cmdstat_pexpire"]["calls"]
    await append(forgetful, 1)
    await append(forgetful, 2)
    assert (await operator.info("commandstats"))["cmdstat_pexpire"]["calls"] == before


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
