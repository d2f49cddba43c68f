"""A hub over a Redis of its own, for the fixtures of a file: started, and gone at the end whatever happened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis as sync_redis

from tests.driver import HubProcess, RedisProcess


@contextmanager
def running_redis(folders: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A real Redis in a new folder."""
    redis = RedisProcess(folders.mktemp("redis"))
    redis.start()
    try:
        yield redis
    finally:
        redis.stop()


@contextmanager
def running_hub(folders: pytest.TempPathFactory, redis: RedisProcess, *arguments: str) -> Iterator[HubProcess]:
    """A real hub over it; unless a test ended it, it must stop as it should."""
    hub = HubProcess(folders.mktemp("hub"), "--redis", redis.url, *arguments)
    try:
        hub.start()
        yield hub
        assert hub.ended or hub.stop() == 0
    finally:
        hub.kill()


@contextmanager
def hub_over_redis(folders: pytest.TempPathFactory, *arguments: str) -> Iterator[HubProcess]:
    """Both."""
    with running_redis(folders) as redis, running_hub(folders, redis, *arguments) as hub:
        yield hub


def names_at(redis: RedisProcess) -> set[str]:
    """What the names that are in use at the hubs over this Redis look like: one is until just after its player left."""
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as store:
        return {key.decode().rpartition(":name:")[2] for key in store.keys("*:name:*")}
