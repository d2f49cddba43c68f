"""A hub with the gateway, and students' games that own an actor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from client.dog import DogActor, DogPlayerInterface, StartStatus
from tests.driver import HubProcess, RedisProcess, wait_for
from tests.stand import running_hub, running_redis

_GAMES = count(1)


class Game(DogPlayerInterface):
    """A student's game that writes down what it is told, and on which thread."""

    def __init__(self, server: str, name: str, game_file: Path, **settings: Any) -> None:
        super().__init__()
        self.name = name
        self.actor = DogActor(server, game_file=game_file, **settings)
        self.starts: list[StartStatus] = []
        self.moves: list[dict[str, Any]] = []
        self.withdrawals = 0
        self.threads: set[str] = set()

    def initialize(self) -> str:
        return self.actor.initialize(self.name, self)

    def receive_start(self, start_status: StartStatus) -> None:
        self.threads.add(threading.current_thread().name)
        self.starts.append(start_status)

    def receive_move(self, a_move: dict[str, Any]) -> None:
        self.threads.add(threading.current_thread().name)
        self.moves.append(a_move)

    def receive_withdrawal_notification(self) -> None:
        self.withdrawals += 1

    def await_moves(self, number: int) -> list[dict[str, Any]]:
        wait_for(lambda: len(self.moves) >= number)
        return self.moves


MakeGame = Callable[..., Game]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory, redis, "--dog", "--no-dog-front") as hub:
        yield hub
    assert "Traceback" not in hub.log.read_text(), hub.log.read_text()


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where programs remember who they were."""
    monkeypatch.setattr("client.dog.remembered.user_state_path", lambda *_, **__: tmp_path / "state")
    return tmp_path / "state"


@pytest.fixture
def make(tmp_path: Path, hub: HubProcess) -> Iterator[MakeGame]:
    """Makes games of one kind: of the catalogue if it is named, else one that nobody else plays."""
    made: list[Game] = []
    own = f"a game of {next(_GAMES)} students\n"

    def make_game(name: str, game_id: str = own, **settings: Any) -> Game:
        game_file = tmp_path / "game.id"
        game_file.write_text(game_id)
        game = Game(settings.pop("server", f"127.0.0.1:{hub.port}"), name, game_file, **settings)
        made.append(game)
        return game

    yield make_game
    for game in made:
        game.actor.close()
