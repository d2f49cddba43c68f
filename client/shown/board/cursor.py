"""Moving a cursor over a board with the arrow keys. Pure.

The elements lie in rows. Up and down go to the next row, to its element nearest to where one came from sideways; so
going down and up again leads back, and every element can be reached. Where pieces go from cell to cell, the cursor
jumps among what can be picked, and then among where it can go; left and right lead to each of these, row by row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from client.shown.board.picking import Path, targets
from client.shown.board.scene import SAME, cell_centre, is_turned
from protocol.board import Board, touched
from protocol.messages import Snapshot


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


def choices(match: Snapshot, picked: Path) -> frozenset[str]:
    """What the cursor jumps among: pieces that can be picked, then where the picked one can go, and itself; none where
    one element alone is a move, for there most of the board can be played."""
    if not any(len(touched(move)) > 1 for move in match.legal) or match.board.lines:
        return frozenset()
    return frozenset({*targets(match, picked), *picked[-1:]} & places(match.board).keys())


def start(match: Snapshot, cursor: Cursor | None, picked: Path = ()) -> Cursor | None:
    """Where the cursor is when a move is to be made: where it was, or at the nearest thing to do."""
    among = choices(match, picked)
    if cursor is None and not among:
        return home(match.board, match.legal)
    if not among or (cursor is not None and cursor.id in among):
        return cursor
    where = places(match.board)
    middle = (match.board.width / 2, match.board.height / 2)
    x, y = where.get(cursor.id, middle) if cursor is not None else middle
    nearest = min(among, key=lambda id_: (round(math.dist(where[id_], (x, y)), 6), where[id_][::-1]))
    return Cursor(nearest, where[nearest][0])


def jump(match: Snapshot, cursor: Cursor, right: int, down: int, picked: Path = ()) -> Cursor:
    """The cursor after one arrow key, as seen on screen: among the choices where there are any, else one step."""
    turned, among = is_turned(match), choices(match, picked)
    if not among:
        return step(match.board, cursor, right, down, turned=turned)
    if turned:
        right, down = -right, -down
    where = places(match.board)
    y = where.get(cursor.id, (0.0, 0.0))[1]
    if right:
        order = sorted(among | {cursor.id}, key=lambda id_: where.get(id_, (0.0, 0.0))[::-1])
        found = order[(order.index(cursor.id) + right) % len(order)]
        return Cursor(found, where[found][0])
    beyond = [id_ for id_ in among if (where[id_][1] - y) * down > SAME]
    if not beyond:
        return cursor
    row_y = min((where[id_][1] for id_ in beyond), key=lambda other: abs(other - y))
    row = [(where[id_][0], id_) for id_ in beyond if abs(where[id_][1] - row_y) < SAME]
    _, found = min(row, key=lambda entry: (round(abs(entry[0] - cursor.column), 6), entry[0]))
    return Cursor(found, cursor.column)


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
