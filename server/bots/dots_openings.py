"""The first positions on a square of 3 x 3 boxes: what each is worth, by `scripts/dots_openings.py`.

From there on the exact end (`server.bots.boxes`) is within a level's budget; before that it would take seconds. A
position is known by the lines that are drawn, whoever drew them, and once for all eight ways to look at the board.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from server.bots.boxes import Grid, each

SIDE = 4
"""Dots."""
DRAWN = 5
"""At most so many lines are drawn in a position of the table."""
FILE = "dots_openings.msgpack"


def value(board: Grid, free: int) -> int | None:
    """How many more boxes than the other the player to move still gets, if both play well; None if it is not known."""
    drawn = (1 << len(board.lines)) - 1 ^ free
    if drawn.bit_count() > DRAWN or not _is_square(board):
        return None
    return _table()[canonical(board, drawn)]


def canonical(board: Grid, drawn: int) -> int:
    """The least of the eight sets of lines that are the same but for how one looks at the board."""
    lines = [line.bit_length() - 1 for line in each(drawn)]
    return min(sum(turned[line] for line in lines) for turned in _views(board.lines))


def _is_square(board: Grid) -> bool:
    return len(board.sides) == (SIDE - 1) ** 2 and len(board.lines) == 2 * SIDE * (SIDE - 1)


@cache
def _table() -> dict[int, int]:
    return msgspec.msgpack.decode((files(__package__) / FILE).read_bytes(), type=dict[int, int])


@cache
def _views(lines: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """For each way to look at it, the bit that each line then has."""
    number = {_dots(line): 1 << place for place, line in enumerate(lines)}

    def turned(line: str, across: bool, down: bool, over: bool) -> int:
        moved = []
        for column, row in _dots(line):
            column, row = SIDE - 1 - column if across else column, SIDE - 1 - row if down else row
            moved.append((row, column) if over else (column, row))
        return number[frozenset(moved)]

    ways = [(across, down, over) for across in (False, True) for down in (False, True) for over in (False, True)]
    return tuple(tuple(turned(line, *way) for line in lines) for way in ways)


def _dots(line: str) -> frozenset[tuple[int, int]]:
    return frozenset(("abcdefgh".index(dot[0]), int(dot[1:]) - 1) for dot in line.split("-"))
