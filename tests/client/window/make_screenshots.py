"""Draws every screen of the window, at a real hub, into docs/pictures: `make screenshots`.

Each in light and dark, large and small; they are of matches between two windows, played by a fixed lot.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

import pygame

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.kept.settings import Settings, Theme
from client.playing.new_match import Choice
from client.shown.words.lobby import Way
from client.start.launch import Launch
from client.window.application import Application
from client.window.drawing.canvas import Canvas
from client.window.intents import Act, Host, LeaveMatch, OpenMatch, Play, SayLine
from client.window.screens.front_screen import FrontScreen
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.match_screen import MatchScreen
from tests.client.window.conftest import Person
from tests.driver import HubProcess, RedisProcess

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
LARGE, SMALL, HIGH = (960, 640), (640, 480), (600, 900)
GAMES: dict[str, tuple[tuple[tuple[str, int], ...], int]] = {
    "dots-and-boxes": ((("width", 6), ("height", 6)), 42),
    "square": ((), 7),
    "checkers": ((), 30),
    "hexoust": ((("side", 6),), 36),
    "ultimate-dots-and-boxes": ((), 60),
}
"""Options, and after how many moves the picture is taken."""


def save(person: Person, name: str, size: tuple[int, int], theme: Theme) -> None:
    """Draw what this person sees, as a PNG."""
    surface = pygame.Surface(size)
    app = person.app
    Canvas(surface, theme).show(app.screen.picture(app.model, size, app.now), theme)
    pygame.image.save(surface, FOLDER / f"{name}.png")


def four(person: Person, name: str) -> None:
    """In light and dark, large and small."""
    save(person, name, LARGE, Theme.LIGHT)
    save(person, f"{name}-dark", LARGE, Theme.DARK)
    save(person, f"{name}-small-light", SMALL, Theme.LIGHT)
    save(person, f"{name}-small", SMALL, Theme.DARK)


def rest(*persons: Person) -> None:
    """Wait until everybody has been told everything, and nothing moves any more."""
    for person in persons:
        person.reaches(0)
    deadline = monotonic() + 0.3
    while monotonic() < deadline:
        for person in persons:
            person.app.take_news()


def play(persons: tuple[Person, Person], count: int, rng: random.Random) -> None:
    """So many random legal moves, or to the end."""
    for _ in range(count):
        first = persons[0].reaches(0)
        if first.result is not None or first.to_move is None:
            return
        mover = persons[first.to_move]
        match = mover.reaches(first.version)
        mover.app.carry_out(Play(rng.choice(sorted(match.legal))))
        for person in persons:
            person.reaches(first.version + 1)


def begin(ana: Person, bob: Person, game: str, options: tuple[tuple[str, int], ...]) -> None:
    """A match of the two, Ana first."""
    ana.app.carry_out(Host(Choice(game, options)))
    bob.app.carry_out(OpenMatch(ana.plays(game).match, Way.JOIN))
    for person in (ana, bob):
        person.plays(game, "playing")


def leave(*persons: Person) -> None:
    """Back to the lobby."""
    for person in persons:
        person.app.carry_out(LeaveMatch())
        person.is_in_lobby()


def entering(ana: Person, bob: Person) -> None:
    """The first screen, the lobby and its form."""
    ana.until(lambda: isinstance(ana.app.screen, FrontScreen) and ana.app.screen.examples, "the cards")
    four(ana, "name")
    ana.enter_lobby()
    bob.enter_lobby()
    waiting: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    waiting = (("checkers", ()), ("hexoust", (("side", 5),)), ("dots-and-boxes", ()))
    for game, options in waiting:
        bob.app.carry_out(Host(Choice(game, options)))
        bob.plays(game)
    ana.until(lambda: len(ana.app.model.lobby or ()) == 3)
    four(ana, "lobby")
    ana.click("new")
    ana.until(lambda: isinstance(ana.app.screen, LobbyScreen) and ana.app.screen.opening is not None)
    four(ana, "host-game")
    ana.click("close")
    ana.click("here")
    four(ana, "this-computer")
    ana.click("close")
    bob.app.carry_out(Act("cancel"))
    bob.is_in_lobby()


def every_board(ana: Person, bob: Person) -> None:
    """Each game in the middle."""
    for game, (options, count) in GAMES.items():
        begin(ana, bob, game, options)
        play((ana, bob), count, random.Random(game))
        rest(ana, bob)
        four(ana, game)
        if game == "checkers":
            around_the_moves(ana, bob)
        leave(ana, bob)


def around_the_moves(ana: Person, bob: Person) -> None:
    """Offer, help, pause, end."""
    ana.app.carry_out(SayLine("Well played so far!"))
    ana.app.carry_out(Act("draw"))
    bob.until(lambda: bob.app.model.offer_to_me is not None)
    rest(ana, bob)
    four(bob, "offer")
    bob.app.carry_out(Act("decline"))
    ana.until(lambda: ana.app.model.own_offer is None)
    ana.click("help")
    four(ana, "help")
    ana.click("help")
    save(ana, "portrait", HIGH, Theme.DARK)
    ana.app.carry_out(Act("pause"))
    bob.until(lambda: bob.app.model.is_covered)
    rest(ana, bob)
    four(bob, "pause")
    ana.app.carry_out(Act("continue"))
    bob.until(lambda: not bob.app.model.is_covered)
    bob.app.carry_out(Act("give_up"))
    ana.until(lambda: ana.app.model.match is not None and ana.app.model.match.result is not None)
    rest(ana, bob)
    four(ana, "end")


def main() -> int:
    """All pictures anew; says how large they are together."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pygame.display.init()
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        for name in ("redis", "hub"):
            (folder / name).mkdir()
        redis = RedisProcess(folder / "redis")
        redis.start()
        held.callback(redis.stop)
        hub = HubProcess(folder / "hub", "--redis", redis.url)
        hub.start()
        held.callback(hub.stop)
        address = parse_address(f"127.0.0.1:{hub.port}")
        persons = []
        for name in ("Ana", "Wilhelmina Mummery"):
            identity = held.enter_context(take_identity(folder=folder / name))
            launch = Launch(prepare=lambda: address, identity=identity, name=name)
            app = Application(launch, lambda: None, MatchScreen, settings=Settings(sound=False, motion=False))
            app.start()
            held.callback(app.stop)
            persons.append(Person(app))
        entering(*persons)
        every_board(*persons)
    total = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    print(f"{len(list(FOLDER.glob('*.png')))} pictures, {total / 1e6:.2f} MB, in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
