"""What the hub relies on in any store when Redis is silent, gone, full or new."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

import pytest

from protocol.errors import StoreUnavailable
from server.store.port import (
    Appended,
    Index,
)
from server.store.redis_store import RedisStore
from tests.driver import WAIT_S, RedisProcess
from tests.server.store.appending import append, events


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


async def test_a_redis_that_is_full_refuses_and_stores_nothing(store: RedisStore, operator: Any) -> None:
    """A4, J7: an error instead of half an append; it works again when there is room."""
    await append(store, 0)
    await operator.config_set("maxmemory", "1mb")
    with pytest.raises(StoreUnavailable):
        await append(store, 1, index=Index(lobby=b"row"))
    assert (await store.read("m"), (await store.lobby()).rows) == (events(1, 1), {})
    await operator.config_set("maxmemory", "0")
    assert await append(store, 1) is Appended.STORED


async def test_scripts_that_redis_has_forgotten_are_loaded_again(store: RedisStore, operator: Any) -> None:
    await append(store, 0)
    await operator.script_flush()
    assert await append(store, 1) is Appended.STORED


async def test_slow_flushes_are_told_as_redis_noted_them(redis: RedisProcess, store: RedisStore, operator: Any) -> None:
    assert await store.slow_flushes() is None, "nothing is noted by a Redis that does not look"
    await operator.config_set("latency-monitor-threshold", 1)
    async with asyncio.timeout(WAIT_S):
        while (flush := await store.slow_flushes()) is None:
            await operator.set("parlour:much", bytes(16 * 1024 * 1024))
    assert 1 <= flush.last_ms <= flush.worst_ms
    await operator.execute_command("ACL", "SETUSER", "parlour", "-latency|latest")
    assert await store.slow_flushes() is None, "who may not ask does without"
