"""What stands at the edge of a board, so that a move can be read off it and typed: columns, rows. Pure, and ruleless.

The names of dots and cells are those of the notation (`protocol.board`): a letter and a number, behind a colon the ones
of a board within the board. Boards whose cells bear labels of their own, as draughts do, need nothing at the edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from protocol.board import Board, Cell, Dot, Shape

_NAME = re.compile(r"(?:\w+:)?([a-z]+)(\d+)")


@dataclass(frozen=True)
class Coordinate:
    """`text` belongs beside the lattice point (x, y), in the direction (dx, dy) out of the board."""

    text: str
    x: float
    y: float
    dx: int
    dy: int


def coordinates(board: Board) -> tuple[Coordinate, ...]:
    """Letters above the columns of dots and numbers left of the rows; of rows of hexagons the row's letter at the left,
    and how far it counts at the right."""
    return _coordinates(board.dots, () if board.dots else board.cells)


@lru_cache(maxsize=32)
def _coordinates(dots: tuple[Dot, ...], cells: tuple[Cell, ...]) -> tuple[Coordinate, ...]:
    if dots:
        return tuple(_of_dots((dot.id, dot.x, dot.y) for dot in dots))
    return tuple(_of_rows([cell for cell in cells if cell.shape is Shape.HEX and not cell.label]))


def _of_dots(dots: Iterable[tuple[str, float, float]]) -> Iterable[Coordinate]:
    """Only where all that stand in one column, or row, have its letter, or number, in common."""
    columns: dict[float, set[str]] = {}
    rows: dict[float, set[str]] = {}
    for name, x, y in dots:
        found = _NAME.fullmatch(name)
        if found is None:
            return
        columns.setdefault(x, set()).add(found[1])
        rows.setdefault(y, set()).add(found[2])
    top, left = min(rows), min(columns)
    if all(len(names) == 1 for names in (*columns.values(), *rows.values())):
        yield from (Coordinate(next(iter(names)), x, top, 0, -1) for x, names in columns.items())
        yield from (Coordinate(next(iter(names)), left, y, -1, 0) for y, names in rows.items())


def _of_rows(cells: list[Cell]) -> Iterable[Coordinate]:
    rows: dict[float, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(round(cell.y, 6), []).append(cell)
    for row in rows.values():
        first, last = min(row, key=lambda cell: cell.x), max(row, key=lambda cell: cell.x)
        begins, ends = _NAME.fullmatch(first.id), _NAME.fullmatch(last.id)
        if begins is not None and ends is not None and begins[1] == ends[1]:
            yield Coordinate(begins[1], first.x - 0.5, first.y, -1, 0)
            yield Coordinate(ends[2], last.x + 0.5, last.y, 1, 0)
