"""A real hub over a real Redis for the tests of the HTTP API, and a client of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.driver import HubProcess, RedisProcess
from tests.server.http.api.player import web


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """One for the tests of a file; each test has matches and guests of its own."""
    process = RedisProcess(tmp_path_factory.mktemp("redis"))
    process.start()
    try:
        yield process
    finally:
        process.stop()


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """Further arguments of the hub."""
    return []


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, limits: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """The hub; at the end its log must hold no error."""
    process = HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, *limits)
    process.start()
    try:
        yield process
        assert process.stop() == 0
    finally:
        process.kill()
    assert "Traceback" not in process.log.read_text()


@pytest.fixture
async def link(hub: HubProcess) -> AsyncIterator[httpx.AsyncClient]:
    """Connections to the hub."""
    async with web(hub) as client:
        yield client
