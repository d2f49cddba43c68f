"""Moving a cursor over a board with the arrow keys. Pure.

The elements lie in rows. Up and down go to the next row, to its element nearest to where one came from sideways; so
going down and up again leads back, and every element can be reached.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from client.shown.scene import SAME, cell_centre
from protocol.board import Board


@dataclass(frozen=True)
class Cursor:
    """The element under the cursor, and the column (in lattice units) that it tries to keep when going up and down."""

    id: str
    column: float


def places(board: Board) -> dict[str, tuple[float, float]]:
    """The elements that the cursor visits, with their middles: the lines of a board that has some, else its cells."""
    if board.lines:
        return {line.id: ((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2) for line in board.lines}
    return {cell.id: cell_centre(cell) for cell in board.cells}


def home(board: Board, legal: tuple[str, ...] = ()) -> Cursor | None:
    """The element nearest to the middle of the board, of those in `legal` if any is."""
    where = places(board)
    candidates = [id_ for id_ in where if id_ in set(legal)] or list(where)
    if not candidates:
        return None
    middle = (board.width / 2, board.height / 2)
    nearest = min(candidates, key=lambda id_: (round(math.dist(where[id_], middle), 6), where[id_][::-1]))
    return Cursor(nearest, where[nearest][0])


def step(board: Board, cursor: Cursor, right: int, down: int, *, turned: bool = False) -> Cursor:
    """The cursor after one arrow key: `right` or `down` is 1 or -1, as seen on screen."""
    if turned:
        right, down = -right, -down
    where = places(board)
    if cursor.id not in where:
        return home(board) or cursor
    x, y = where[cursor.id]
    if right:
        row = [(px, id_) for id_, (px, py) in where.items() if abs(py - y) < SAME and (px - x) * right > SAME]
        column, found = min(row, key=lambda entry: abs(entry[0] - x), default=(x, cursor.id))
        return Cursor(found, column)
    beyond = [py for _, py in where.values() if (py - y) * down > SAME]
    if not beyond:
        return cursor
    next_y = min(beyond) if down > 0 else max(beyond)
    row = [(px, id_) for id_, (px, py) in where.items() if abs(py - next_y) < SAME]
    _, found = min(row, key=lambda entry: (round(abs(entry[0] - cursor.column), 6), entry[0]))
    return Cursor(found, cursor.column)
