"""What the window costs: `python -m tests.bench window`.

A board with all lines drawn, 15 x 15 dots, is drawn without a screen: the time of a frame that is wholly new, of one in
which the mouse has moved on, and of one in which a clock has. Then the real window, at a real hub, is left alone: how
much of a processor it takes in the lobby, at a board, and at a board whose clock runs.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.kept.settings import Theme
from client.playing.new_match import Choice
from client.shown.model import Link, Model
from client.start.launch import Launch
from client.window.drawing.canvas import Canvas
from client.window.hands.inputs import Moved
from client.window.intents import Host
from client.window.loop import Window
from client.window.screens.match_screen import MatchScreen
from protocol.board import Mark, Piece
from protocol.messages import ClockRule
from tests.client.positions import DOTS_INFO, dots_board, snapshot
from tests.driver import HubProcess, RedisProcess

DOTS = 15
SIZES = ((1120, 760), (1920, 1080), (3840, 2160))
FRAMES = 120
ALONE_S = 5.0
SETTLE_S = 1.5


def full_board() -> Model:
    """A match in which every line is drawn and every box is owned, with a clock that runs."""
    board = dots_board(DOTS, DOTS)
    marks = {line.id: Mark(number % 2, Piece.LINE) for number, line in enumerate(board.lines)}
    marks |= {cell.id: Mark(number % 3 % 2, Piece.BOX) for number, cell in enumerate(board.cells)}
    match = snapshot(board, marks=marks, legal=(), clock=(300_000, 300_000), clock_rule=ClockRule(total_ms=300_000))
    return Model(link=Link.UP, match=match, games={"dots-and-boxes": DOTS_INFO}, server_minus_now_ms=0.0)


def frames(size: tuple[int, int], model: Model, step: Callable[[MatchScreen, int], float], *, whole: bool) -> float:
    """The median time of a frame in ms, from model to pixels; `step` does what happens before each, and says when."""
    screen, canvas = MatchScreen(), Canvas(pygame.Surface(size), Theme.LIGHT)
    taken = []
    for number in range(FRAMES):
        now = step(screen, number)
        if whole:
            canvas = Canvas(canvas.surface, Theme.LIGHT)
        begun = time.perf_counter()
        canvas.show(screen.picture(model, size, now), Theme.LIGHT)
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken[10:])


def drawing() -> None:
    """The frame times at each size."""
    model = full_board()
    print(f"{DOTS} x {DOTS} dots, all lines drawn: ms a frame (60 a second leave 16.7)")
    print(f"{'size':>12} {'whole':>7} {'mouse':>7} {'clock':>7}")
    for size in SIZES:

        def still(screen: MatchScreen, number: int) -> float:
            return 0.0

        def mouse(screen: MatchScreen, number: int, size: tuple[int, int] = size) -> float:
            place = Moved(size[0] * (0.1 + number / FRAMES * 0.5), size[1] * (0.2 + number / FRAMES * 0.6))
            screen.take(place, model, size, 0.0)
            return 0.0

        def clock(screen: MatchScreen, number: int) -> float:
            return 291.0 + number / 15

        whole = frames(size, model, still, whole=True)
        moved = frames(size, model, mouse, whole=False)
        ticked = frames(size, replace(model), clock, whole=False)
        print(f"{size[0]:>7} x {size[1]:<4} {whole:>5.1f} {moved:>7.1f} {ticked:>7.1f}")


class Alone:
    """Goes to a place in the window, leaves it alone for a while, and closes it."""

    def __init__(self, window: Window, choice: Choice | None) -> None:
        self.window, self.choice = window, choice
        self._asked = False
        self._there_at = 0.0
        self._begun: tuple[float, float, int] | None = None
        self.share = 0.0
        self.frames = 0

    def round(self) -> None:
        """Called in each round of the window's loop."""
        app, now = self.window.application, time.monotonic()
        if app.model.lobby is None:
            return
        if self.choice is not None and not self._asked:
            self._asked = True
            app.carry_out(Host(self.choice))
        if self.choice is not None and app.model.match is None:
            return
        self._there_at = self._there_at or now
        if self._begun is None and now - self._there_at >= SETTLE_S:
            self._begun = (now, time.process_time(), self.window.frames)
        elif self._begun is not None and now - self._begun[0] >= ALONE_S:
            self.share = (time.process_time() - self._begun[1]) / (now - self._begun[0])
            self.frames = self.window.frames - self._begun[2]
            app.is_over = True


def idle() -> None:
    """The share of one processor that a window takes when nobody touches it."""
    places = {
        "lobby": None,
        "board, nothing moves": Choice("dots-and-boxes", opponent="both"),
        "board, clock below 10 s": Choice("dots-and-boxes", opponent="both", clock=ClockRule(total_ms=9_500)),
    }
    print(f"\nleft alone for {ALONE_S:.0f} s: CPU of the whole client, and frames drawn")
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder)
        os.environ["XDG_CONFIG_HOME"] = str(own / "config")
        for name in ("redis", "hub"):
            (own / name).mkdir()
        redis = RedisProcess(own / "redis")
        redis.start()
        hub = HubProcess(own / "hub", "--redis", redis.url)
        hub.start()
        try:
            for number, (place, choice) in enumerate(places.items()):
                with take_identity(folder=own / f"id{number}") as identity:
                    address = parse_address(f"127.0.0.1:{hub.port}")
                    launch = Launch(
                        prepare=lambda address=address: address,  # type: ignore[misc]
                        identity=identity, name=f"Idle {number}", connects_at_once=True,
                    )  # fmt: skip
                    window = Window(launch)
                    alone = Alone(window, choice)
                    window.each_round = alone.round
                    window.run()
                print(f"{place:>24} {alone.share * 100:>6.2f} % {alone.frames:>4}")
        finally:
            hub.stop()
            redis.stop()


def main() -> None:
    """Both tables; the video driver is SDL's dummy unless SDL_VIDEODRIVER says otherwise."""
    print(f"SDL_VIDEODRIVER={os.environ['SDL_VIDEODRIVER']}")
    drawing()
    idle()


if __name__ == "__main__":
    main()
