"""A real hub over a real Redis for the tests of the HTTP API, and a client of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.driver import HubProcess, RedisProcess
from tests.server.http.api.player import web
from tests.stand import running_hub, running_redis


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """One for the tests of a file; each test has matches and guests of its own."""
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """Further arguments of the hub."""
    return []


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, limits: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """The hub; at the end its log must hold no error."""
    with running_hub(tmp_path_factory, redis, *limits) as hub:
        yield hub
    assert "Traceback" not in hub.log.read_text()


@pytest.fixture
async def link(hub: HubProcess) -> AsyncIterator[httpx.AsyncClient]:
    """Connections to the hub."""
    async with web(hub) as client:
        yield client
