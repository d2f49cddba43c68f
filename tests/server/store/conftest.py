"""A real Redis for the tests of the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from server.store.keys import Keys
from server.store.operators.rights import acl
from server.store.redis_store import RedisStore, connect
from tests.driver import RedisProcess


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis of this test's own, flushed always, with a user who has the rights that are asked of operators."""
    process = RedisProcess(tmp_path, "--user", *acl("parlour", "secret", Keys()))
    process.start()
    try:
        yield process
    finally:
        process.stop()


@pytest.fixture
def url(redis: RedisProcess) -> str:
    """By that user: a store needs no more."""
    return f"unix://parlour:secret@{redis.socket}"


@pytest_asyncio.fixture
async def operator(redis: RedisProcess) -> AsyncIterator[Any]:
    """Somebody who may do everything."""
    client = connect(redis.url, 2)
    yield client
    await client.aclose(close_connection_pool=True)


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[RedisStore]:
    """A hub's way to it."""
    made = RedisStore(url, "one")
    yield made
    await made.close()


@pytest_asyncio.fixture
async def other(url: str) -> AsyncIterator[RedisStore]:
    """Another hub's way to the same Redis."""
    made = RedisStore(url, "two")
    yield made
    await made.close()
