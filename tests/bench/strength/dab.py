"""`dab`, the Dots and Boxes of bsdgames (`apt-get install bsdgames`), played on its own screen.

It is written for a terminal, so its screen is read by pyte and its keys are pressed by pexpect, which come with
`.venv/bin/pip install pyte pexpect`.
"""

from __future__ import annotations

import importlib
import shutil
from typing import Any

from server.games import AnyGame
from tests.bench.strength.contest import Player

TOP, LEFT, STEP = 2, 2, 2
"""Where the first dot is on its screen, and how far the dots are from each other."""
ROWS, COLUMNS = 50, 100
MOST_S = 60.0
"""So long its answer may take."""
AT_ONCE = 4_096
KEYS = {(0, -2): "k", (0, 2): "j", (-2, 0): "h", (2, 0): "l", (1, -1): "u", (-1, -1): "y", (-1, 1): "b", (1, 1): "n"}
"""By how far they move its cursor: columns, rows."""


class Dab(Player):
    """One process a game."""

    name = "dab"

    def __init__(self) -> None:
        self._pexpect: Any = importlib.import_module("pexpect")
        self._pyte: Any = importlib.import_module("pyte")
        self._process: Any = None

    def begin(self, game: AnyGame, options: dict[str, Any], seat: int, seed: int) -> None:
        if self._process is not None:
            self._process.close(force=True)
        size = game.parse_options(options)
        self._screen = self._pyte.Screen(COLUMNS, ROWS)
        self._stream = self._pyte.ByteStream(self._screen)
        program = shutil.which("dab", path="/usr/games:/usr/local/games:/opt/homebrew/bin") or "dab"
        boxes = [str(size.width - 1), str(size.height - 1)]
        self._process = self._pexpect.spawn(
            program, ["-a", "-w", "-p", "ch" if seat == 0 else "hc", *boxes],
            dimensions=(ROWS, COLUMNS), env={"TERM": "vt100"},
        )  # fmt: skip
        self._drawn: set[str] = set()
        self._cursor = LEFT, TOP + 1

    def choose(self, game: AnyGame, state: Any, seed: int) -> str:
        while True:
            new = self._lines(game, state) - self._drawn
            # Of several lines that it drew, those that close a box came first.
            ours = state.boxes.count(".")
            closing = [line for line in new if game.play(state, line).boxes.count(".") < ours]
            if closing:
                return closing[0]
            # A line that closes nothing is its last one, so others are still to come where there are more.
            if len(new) == 1:
                return new.pop()
            self._read()

    def saw(self, game: AnyGame, state: Any, move: str) -> None:
        shown = move in self._lines(game, state)
        self._drawn.add(move)
        if not shown:
            self._draw(game, state, move)

    def _lines(self, game: AnyGame, state: Any) -> set[str]:
        """All that are drawn on its screen."""
        empty = game.new(type(game.parse_options({}))(state.width, state.height))
        return {line for line in game.legal_moves(empty) if self._shown(_row(line), _column(line)) in "-|"}

    def _draw(self, game: AnyGame, state: Any, line: str) -> None:
        """Go there with its cursor from where it was left, and press space."""
        while self._shown(TOP, LEFT) != ".":
            self._read()
        keys, (column, row) = "", self._cursor
        while (column, row) != (_column(line), _row(line)):
            across, down = _step(_column(line) - column, _row(line) - row)
            keys, column, row = keys + KEYS[across, down], column + across, row + down
        self._cursor = column, row
        self._process.send(keys + " ")
        while line not in self._lines(game, state):
            self._read()

    def _shown(self, row: int, column: int) -> str:
        sign: str = self._screen.buffer[row][column].data
        return sign

    def _read(self) -> None:
        self._stream.feed(self._process.read_nonblocking(AT_ONCE, MOST_S))


def _row(line: str) -> int:
    return TOP + sum((int(dot[1:]) - 1) * STEP for dot in line.split("-")) // 2


def _column(line: str) -> int:
    return LEFT + sum((ord(dot[0]) - ord("a")) * STEP for dot in line.split("-")) // 2


def _step(across: int, down: int) -> tuple[int, int]:
    """One that brings the cursor nearer: over a corner if that must be, else straight."""
    if abs(across) % 2:
        return _sign(across), _sign(down) or 1
    return (2 * _sign(across), 0) if across else (0, 2 * _sign(down))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
