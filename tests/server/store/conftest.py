"""A real Redis for the tests of the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.store.redis_store import RedisStore
from tests.driver import RedisProcess


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis of this test's own, flushed always."""
    process = RedisProcess(tmp_path)
    process.start()
    try:
        yield process
    finally:
        process.stop()


@pytest_asyncio.fixture
async def store(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    """A hub's way to it."""
    made = RedisStore(redis.url, "one")
    yield made
    await made.close()


@pytest_asyncio.fixture
async def other(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    """Another hub's way to the same Redis."""
    made = RedisStore(redis.url, "two")
    yield made
    await made.close()
