"""A real hub over a real Redis, with the limits that strangers meet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.driver import HubProcess, RedisProcess


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for the tests of one file."""
    process = RedisProcess(tmp_path_factory.mktemp("redis"))
    process.start()
    try:
        yield process
    finally:
        process.stop()


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub as it is shipped."""
    process = HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, "--limit", "pace=1")
    process.start()
    try:
        yield process
    finally:
        process.kill()
