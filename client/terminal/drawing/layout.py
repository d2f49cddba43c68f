"""How large a board is drawn in characters, and which element a character belongs to. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

from client.shown.board.coordinates import coordinates
from client.shown.board.scene import View, hit
from protocol.board import Board, Shape

LINE_SCALES = ((20, 10), (16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2))
"""Columns and rows for a lattice unit, largest first; a character is about twice as high as wide."""
SQUARE_SCALES = ((14, 7), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2))
HEX_SCALES = ((6, 2), (4, 1))
"""For hexagons: columns for one, and rows from one row of hexagons to the next."""
ROW_PITCH = math.sqrt(3) / 2
"""From one row of hexagons to the next, in lattice units."""
TALL_HEX = 2.0
"""Hexagons of more rows than this have half rows above and below; in others only their middle row has room."""
MARGIN = 1
DOT_REACH = 0.48
"""In characters, less than half of one: next to a dot lies a line."""


@dataclass(frozen=True)
class Layout:
    """A view of a board in characters, and the columns and rows that it takes, margins included."""

    view: View
    columns: int
    rows: int
    middle: float
    """Where in a character a touch counts: squares cover characters, lines and hexagons lie on them."""

    @classmethod
    def empty(cls) -> Layout:
        """Of no board."""
        return cls(View(1, 1, 0, 0), 0, 0, 0.0)

    def element_at(self, board: Board, column: int, row: int) -> str | None:
        """The element that a click on a character means: the inverse of drawing."""
        return hit(board, self.view, column + self.middle, row + self.middle, dot_reach=DOT_REACH / self.view.scale_x)


def choose_layout(board: Board, width: int, height: int, *, turned: bool = False) -> Layout:
    """The largest layout in which the whole board fits into `width` x `height`, or the smallest there is."""
    layouts = _layouts(board, turned)
    return next((one for one in layouts if one.columns <= width and one.rows <= height), layouts[-1])


def _layouts(board: Board, turned: bool) -> list[Layout]:
    if board.lines:
        return [_line_layout(board, across, down, turned) for across, down in LINE_SCALES]
    if any(cell.shape is Shape.HEX for cell in board.cells):
        return [_hex_layout(board, across, rows / ROW_PITCH, turned) for across, rows in HEX_SCALES]
    return [
        _layout(View(across, down, board.width, board.height, MARGIN, 0, turned), 0, board.height * down, 0.5)
        for across, down in SQUARE_SCALES
    ]


def _line_layout(board: Board, across: int, down: int, turned: bool) -> Layout:
    """With a row for the letters above and columns for the numbers at the left; seen turned, below and at the right."""
    at_edge = coordinates(board)
    digits = max((len(one.text) for one in at_edge if one.dx), default=0)
    letters = any(one.dy for one in at_edge)
    left, top = (MARGIN, 0) if turned else (MARGIN + digits, int(letters))
    view = View(across, down, board.width, board.height, left, top, turned)
    columns = _up(board.width * across) + 1 + digits + 2 * MARGIN
    return Layout(view, columns, _up(board.height * down) + 1 + letters, 0.0)


def _hex_layout(board: Board, across: float, down: float, turned: bool) -> Layout:
    # Half a hexagon lies above the middle of the first row, which is to be the first row of text.
    half = 1 / math.sqrt(3)
    # Hexagons of more than one row have half a row above and below it.
    more = 1 if 2 * half * down > TALL_HEX else 0
    view = View(across, down, board.width, board.height, MARGIN, more - half * down, turned)
    # Behind a row stands how far it counts, apart from the size of a group on its last cell.
    return _layout(view, 2, (board.height - 2 * half) * down + 1 + 2 * more)


def _layout(view: View, more_columns: int, rows: float, middle: float = 0.0) -> Layout:
    return Layout(view, _up(view.width * view.scale_x) + more_columns + 2 * MARGIN, _up(rows), middle)


def _up(value: float) -> int:
    return math.ceil(value - 1e-6)
