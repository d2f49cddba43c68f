"""A hub with the gateway over a real Redis, and players at it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count

import pytest
import pytest_asyncio

from tests.driver import HubProcess, RedisProcess
from tests.server.http.dog.inside import MovedStore
from tests.server.http.dog.library import CONNECTED, Library
from tests.stand import running_hub, running_redis

_IDS = count(155_000_000_000)
_GAMES = count(1)

Sit = Callable[..., Library]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def store(redis: RedisProcess) -> AsyncIterator[MovedStore]:
    """One for the hubs within a file's tests, whose connections and clock they share."""
    made = MovedStore(redis.url, "inside")
    yield made
    await made.close()


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory, redis, "--dog", "--no-dog-front", "--dog-grace", "1") as hub:
        yield hub
    assert "Traceback" not in hub.log.read_text(), hub.log.read_text()


@pytest.fixture
def sit(hub: HubProcess) -> Iterator[Sit]:
    """Makes players of one game that nobody else plays; registered, unless said otherwise."""
    made: list[Library] = []
    game_id = f"game {next(_GAMES)}\n"

    def make(name: str, *, register: bool = True, **settings: object) -> Library:
        url = str(settings.pop("url", f"http://127.0.0.1:{hub.port}/dog/"))
        settings.setdefault("game_id", game_id)
        player = Library(url, name, str(settings.pop("player_id", next(_IDS))), **settings)  # type: ignore[arg-type]
        made.append(player)
        if register:
            assert player.initialize() == CONNECTED
        return player

    yield make
    for player in made:
        player.stop()
