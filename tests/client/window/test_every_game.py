"""Each game from its first move to its end between a window and the terminal client, through the real hub.

The window runs in its own loop, under a driver without a screen; all that its player does are pygame's events.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import pygame
import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.shown.board.scene import cell_centre
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.window.loop import Window
from client.window.parts.match_view import layout
from client.window.screens.match_screen import MatchScreen
from protocol.board import touched
from protocol.messages import Create, Snapshot
from tests.client.terminal.test_every_game import match_of, send, until
from tests.driver import WAIT_S, HubProcess

SHORT: dict[str, dict[str, Any]] = {
    "square": {},
    "dots-and-boxes": {"width": 3, "height": 4},
    "checkers": {"draw_after": 12},
    "hexoust": {"side": 3},
    "ultimate-dots-and-boxes": {},
}
QUICK = ("square", "dots-and-boxes", "hexoust")
"""Those that `make test` plays; `make faults` plays all."""
SIZE = (1000, 700)


class Player:
    """Plays at a running window by mouse events: it is called once in each round of the window's own loop."""

    def __init__(self, window: Window, rng: random.Random) -> None:
        self.window = window
        self.rng = rng
        self.versions: set[int] = set()
        self.ways: set[str] = set()

    def turn(self) -> None:
        """Make a move if it is one's turn and none was made in this position."""
        app = self.window.application
        match = app.model.match
        if match is None or not app.model.is_my_turn or not match.legal or app.model.pending:
            return
        if match.version in self.versions or not isinstance(app.screen, MatchScreen):
            return
        self.versions.add(match.version)
        self._play(match, self.rng.choice(sorted(match.legal)))

    def _play(self, match: Snapshot, move: str) -> None:
        places = [self._place(match, element) for element in touched(move)]
        is_line = any(line.id == move for line in match.board.lines)
        if is_line and self.rng.random() < 0.5:
            self.ways.add("a line")
            (x1, y1), (x2, y2) = places
            self._click(((x1 + x2) / 2, (y1 + y2) / 2))
        elif is_line or (len(places) == 2 and self.rng.random() < 0.5):
            self.ways.add("dragging")
            self._drag(places)
        else:
            self.ways.add("clicks")
            for place in places:
                self._click(place)
            goes_on = any(touched(other)[: len(places)] == touched(move) for other in match.legal if other != move)
            if goes_on:
                self._click(places[-1])

    def _place(self, match: Snapshot, element: str) -> tuple[float, float]:
        screen = self.window.application.screen
        assert isinstance(screen, MatchScreen)
        app = self.window.application
        view = layout(screen.sheet(SIZE), screen.seen(app.now), app.model).view
        for dot in match.board.dots:
            if dot.id == element:
                return view.place(dot.x, dot.y)
        return view.place(*cell_centre(next(cell for cell in match.board.cells if cell.id == element)))

    def _post(self, kind: int, at: tuple[float, float], **more: Any) -> None:
        pygame.event.post(pygame.event.Event(kind, pos=(round(at[0]), round(at[1])), touch=False, **more))

    def _click(self, at: tuple[float, float]) -> None:
        self._post(pygame.MOUSEMOTION, at, buttons=(0, 0, 0), rel=(0, 0))
        self._post(pygame.MOUSEBUTTONDOWN, at, button=1)
        self._post(pygame.MOUSEBUTTONUP, at, button=1)

    def _drag(self, places: list[tuple[float, float]]) -> None:
        self._post(pygame.MOUSEMOTION, places[0], buttons=(0, 0, 0), rel=(0, 0))
        self._post(pygame.MOUSEBUTTONDOWN, places[0], button=1)
        for (x1, y1), (x2, y2) in pairwise(places):
            for part in (0.25, 0.5, 0.75, 1.0):
                at = (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
                self._post(pygame.MOUSEMOTION, at, buttons=(1, 0, 0), rel=(0, 0))
        self._post(pygame.MOUSEBUTTONUP, places[-1], button=1)


async def opponent(address: str, folder: Path, game: str, rng: random.Random, named: str) -> Snapshot:
    """The terminal client hosts, plays random legal moves, and says how it ended, as it saw it."""
    server = parse_address(address)
    with take_identity(folder=folder) as identity:
        app = Parlour(Launch(prepare=lambda: server, identity=identity, name=named, connects_at_once=True))
        async with app.run_test(size=(100, 40)):
            await until(lambda: app.model.lobby is not None)
            send(app, Create, game=game, options=SHORT[game])
            await until(lambda: match_of(app) is not None)
            while match_of(app).result is None:
                version = match_of(app).version
                if app.model.is_my_turn and not app.model.pending_moves:
                    app.play(rng.choice(sorted(match_of(app).legal)))
                await until(lambda seen=version: match_of(app).version > seen)
            final: Snapshot = match_of(app)
            app.leave_program()
            return final


@contextmanager
def opened(address: str, folder: Path, name: str) -> Iterator[Window]:
    with take_identity(folder=folder) as identity:
        server = parse_address(address)
        window = Window(Launch(prepare=lambda: server, identity=identity, name=name, connects_at_once=True), SIZE)
        yield window


@pytest.mark.faults
@pytest.mark.parametrize("game", SHORT if os.environ.get("PARLOUR_FAULTS") == "full" else QUICK)
def test_a_whole_game_between_a_window_and_a_terminal(
    hub: HubProcess, tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """UD RF1 to RF6, DB 7.2.1.1, DB 7.3.1.3, SQ4, CK 5.4.5, HX SR2, HX SR5: clicked and dragged, both see the end."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    name = f"Bo {game[:6]}"
    with opened(f"127.0.0.1:{hub.port}", tmp_path / "id", f"An {game[:6]}") as window, ThreadPoolExecutor(1) as other:
        address = f"127.0.0.1:{hub.port}"
        playing = opponent(address, tmp_path / "other", game, random.Random(game), name)
        ended = other.submit(asyncio.run, playing)
        player = Player(window, random.Random(game + "!"))
        app = window.application
        deadline = monotonic() + 4 * WAIT_S
        joined = False

        def in_each_round() -> None:
            nonlocal joined
            row = next((row for row in app.model.lobby or () if name in row.names), None)
            if row is not None and not joined and app.model.match is None:
                joined = True
                screen = app.screen
                target = next(t for t in screen.picture(app.model, SIZE, app.now).targets if t.value == row.match)
                player._click(target.rect.centre)
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0))
            player.turn()
            match = app.model.match
            over = match is not None and match.result is not None
            if monotonic() > deadline or (ended.done() and (over or ended.exception() is not None)):
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        window.each_round = in_each_round
        assert window.run() == 0
        final = ended.result(timeout=WAIT_S)
        match = app.model.match
    assert match is not None
    assert match.result is not None
    assert match.result == final.result
    assert match.marks == final.marks
    assert player.ways
