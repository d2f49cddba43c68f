"""The window's application for tests: without a screen, driven by the inputs or the pygame events of a person."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.kept.settings import Settings
from client.playing.new_match import AtOnce
from client.start.launch import Launch
from client.window.application import Application
from client.window.drawing.shapes import Picture, Target, Text
from client.window.hands.inputs import Key, Moved, Pressed, Released
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.match_screen import MatchScreen
from protocol.messages import Snapshot
from server.match.names import looks
from tests.driver import WAIT_S, HubProcess, RedisProcess, wait_for
from tests.stand import names_at, running_hub, running_redis

SIZE = (1120, 760)
PAUSE_S = 0.005
"""Between two looks for news, which come from another thread, or another process."""


MENU = frozenset({"restart", "revert", "pause", "save", "mute", "settings", "help", "lobby", "quit"})
"""What the menu of a match may have."""


class Person:
    """Somebody at a window: sees pictures, clicks targets, types."""

    def __init__(self, application: Application, size: tuple[int, int] = SIZE) -> None:
        self.app = application
        self.size = size

    def picture(self) -> Picture:
        """What is seen now."""
        self.app.take_news()
        return self.app.screen.picture(self.app.model, self.size, self.app.now)

    def texts(self) -> list[str]:
        """All that can be read."""
        return [shape.text for shape in self.picture().shapes if isinstance(shape, Text)]

    def sees(self, text: str) -> None:
        """Wait until a line with this in it can be read."""
        self.until(lambda: any(text in line for line in self.texts()), text)

    def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Take news until the condition holds; fails when it never does."""
        deadline = monotonic() + WAIT_S
        while not condition():
            if not self.app.take_news():
                sleep(PAUSE_S)
            assert monotonic() < deadline, (what, self.texts())

    def target(self, action: str, value: str = "") -> Target:
        """A place that can be clicked; waits until it is there and enabled."""

        def found() -> Target | None:
            targets = self.picture().targets
            return next((t for t in targets if t.action == action and value in ("", t.value) and t.enabled), None)

        self.until(lambda: found() is not None, f"{action} {value}")
        target = found()
        assert target is not None
        return target

    def has(self, action: str) -> bool:
        """Whether it can be clicked now."""
        return any(target.action == action and target.enabled for target in self.picture().targets)

    def click(self, action: str, value: str = "") -> None:
        """With the mouse, in the middle of the target, once clicks are taken; in a match by its menu, if need be."""
        if action in MENU and not self.has(action) and self.has("more"):
            self.click("more")
        self.target(action, value)
        self.until(lambda: not self.app.screen.is_deaf(self.app.now), "clicks are taken")
        self.click_at(*self.target(action, value).rect.centre)

    def click_at(self, x: float, y: float) -> None:
        """With the mouse, at a place."""
        for given in (Moved(x, y), Pressed(x, y), Released(x, y)):
            self.app.take_input(given, self.size)

    def press(self, *keys: str) -> None:
        """Keys by name."""
        for key in keys:
            self.app.take_input(Key(key), self.size)

    def type(self, text: str) -> None:
        """Characters."""
        for character in text:
            self.app.take_input(Key(character.lower(), character), self.size)

    @property
    def match(self) -> Snapshot | None:
        """The match on screen, as far as news were taken."""
        return self.app.model.match

    def reaches(self, version: int) -> Snapshot:
        """Wait until the match on screen has this version, and nothing is under way; returns it."""

        def there() -> bool:
            match = self.match
            return match is not None and match.version >= version and not self.app.model.pending

        self.until(there, f"version {version}")
        assert self.match is not None
        return self.match

    def plays(self, game: str = "", status: str = "") -> Snapshot:
        """Wait until a match of this game, in this status, is on screen; returns it."""

        def there() -> bool:
            match = self.match
            return match is not None and game in ("", match.game) and status in ("", match.status)

        self.until(there, f"{game} {status}")
        assert self.match is not None
        return self.match

    def is_in_lobby(self) -> None:
        """Wait until no match is on screen."""
        self.until(lambda: self.match is None, "the lobby")

    def enter_lobby(self) -> None:
        """Past the first screen."""
        self.click("retry")
        self.until(lambda: isinstance(self.app.screen, LobbyScreen) and self.app.model.lobby is not None, "lobby")


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A real Redis."""
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="session")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A real hub over it."""
    with running_hub(tmp_path_factory, redis) as hub:
        yield hub


Sit = Callable[..., Person]


@pytest.fixture
def sit(hub: HubProcess, redis: RedisProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sit]:
    """Sits somebody down at a window of their own, before the first screen; `address`: not the hub.

    Who has one's name since an earlier test has left first.
    """
    left_over = names_at(redis)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with ExitStack() as held:

        def begin(
            name: str, *, address: str = "", size: tuple[int, int] = SIZE, at_once: AtOnce | None = None
        ) -> Person:
            if looks(name) in left_over:
                wait_for(lambda: looks(name) not in names_at(redis))
                left_over.discard(looks(name))
            identity = held.enter_context(take_identity(folder=tmp_path / name))
            server = parse_address(address or f"127.0.0.1:{hub.port}")
            launch = Launch(
                prepare=lambda: server, identity=identity, name=name, at_once=at_once, connects_at_once=bool(at_once)
            )
            application = Application(launch, lambda: None, MatchScreen, settings=Settings(sound=False, motion=False))
            application.start()
            held.callback(application.stop)
            return Person(application, size)

        yield begin
