"""A real hub over a real Redis, with the limits that strangers meet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.driver import HubProcess, RedisProcess
from tests.stand import running_hub, running_redis


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for the tests of one file."""
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub as it is shipped."""
    with running_hub(tmp_path_factory, redis, "--limit", "pace=1") as hub:
        yield hub
