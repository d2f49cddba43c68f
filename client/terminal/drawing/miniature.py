"""A whole board in a few characters, two points in each: a picture to know a game by, not one to play on. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from client.shown.board.scene import Drawn, Hints, Kind, View, scene
from client.terminal.drawing import theme
from protocol.board import Board, Piece, Shape, Tone
from protocol.messages import Snapshot

FINE = 4
"""Points are painted so many times as fine, and then mixed: what is round has no steps."""
LEAST_OF_LINES, LEAST_OF_CELLS = 3, 2
"""Points that a lattice unit takes at least: of a board that is larger than the picture the middle is seen."""
CHIP = 0.4
LOOSE, APART = 0.36, 3
"""Radius of free hexagons, in units of so many points and more: larger ones would flow into one, in smaller units they
would be stripes."""
FREE = "#d9d0ba"
"""Free lines, and free hexagons: seen, and behind all that was played."""
Colour = tuple[int, int, int]
Points = list[list[str]]


def miniature(match: Snapshot, columns: int, rows: int, least_of_lines: int = LEAST_OF_LINES) -> Points:
    """`rows` rows of `columns` points, each the colour of a square one: two above each other make a character."""
    if columns < 1 or rows < 1:
        return []
    painting = _Painting(columns * FINE, rows * FINE)
    view = _view(match.board, columns, rows, least_of_lines)
    for shape in scene(match, view, Hints(shows_legal=False)):
        _paint(painting, shape, view.scale_x)
    return painting.mixed()


def _view(board: Board, columns: int, rows: int, least_of_lines: int) -> View:
    """A lattice unit is a whole number of points, and a line one point thick: so edges are sharp."""
    ends = 1 if board.lines else 0
    least = least_of_lines if board.lines else LEAST_OF_CELLS
    unit = max(min((columns - ends) // math.ceil(board.width), (rows - ends) // math.ceil(board.height)), least)
    left = (columns - round(board.width * unit) - ends) // 2
    top = (rows - round(board.height * unit) - ends) // 2
    middle = ends * FINE / 2
    return View(
        unit * FINE, unit * FINE, board.width, board.height, left * FINE + middle, top * FINE + middle
    )  # fmt: skip


def _paint(painting: _Painting, shape: Drawn, unit: float) -> None:
    middle = ((shape.x1 + shape.x2) / 2, (shape.y1 + shape.y2) / 2)
    match shape.kind:
        case Kind.REGION:
            if shape.piece is Piece.WON:
                painting.box(shape.x1, shape.y1, shape.x2, shape.y2, _mild(shape.colour))
        case Kind.CELL if shape.form is Shape.HEX:
            if shape.piece is not None:
                painting.disc(*middle, 0.5 * unit, shape.colour)
            else:
                painting.disc(*middle, (LOOSE if unit >= APART * FINE else 0.5) * unit, FREE)
        case Kind.CELL:
            tiles = {Tone.LIGHT: theme.LIGHT_TILE, Tone.DARK: theme.DARK_TILE}
            if shape.tone is not Tone.PLAIN:
                ground = theme.valid(shape.tone_colour or "", tiles[shape.tone])
                painting.box(shape.x1, shape.y1, shape.x2, shape.y2, ground)
                if shape.piece is not None:
                    painting.disc(*middle, CHIP * unit, theme.readable(shape.colour, ground, 1.5))
            elif shape.piece is not None:
                painting.box(shape.x1, shape.y1, shape.x2, shape.y2, shape.colour)
        case Kind.LINE:
            colour = (shape.colour or theme.INK) if shape.piece is not None else FREE
            half = FINE / 2
            painting.box(
                min(shape.x1, shape.x2) - half, min(shape.y1, shape.y2) - half,
                max(shape.x1, shape.x2) + half, max(shape.y1, shape.y2) + half, colour,
            )  # fmt: skip
        case Kind.DOT:
            half = FINE / 2
            painting.box(shape.x1 - half, shape.y1 - half, shape.x1 + half, shape.y1 + half, theme.PENCIL)


def _mild(colour: str) -> str:
    """The ground of a part of the board that was won."""
    red, green, blue = (part // 2 for part in _parsed(colour))
    paper = _parsed(theme.PAPER)
    return _hex((red + paper[0] // 2, green + paper[1] // 2, blue + paper[2] // 2))


@dataclass
class _Painting:
    wide: int
    high: int

    def __post_init__(self) -> None:
        self._rows = [[_parsed(theme.PAPER)] * self.wide for _ in range(self.high)]

    def box(self, x1: float, y1: float, x2: float, y2: float, colour: str) -> None:
        left, right = max(round(x1), 0), min(round(x2), self.wide)
        if left >= right:
            return
        paint = [_parsed(colour)] * (right - left)
        for y in range(max(round(y1), 0), min(round(y2), self.high)):
            self._rows[y][left:right] = paint

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        for row in range(max(math.floor(y - radius), 0), min(math.ceil(y + radius), self.high)):
            reach = radius**2 - (row + 0.5 - y) ** 2
            if reach > 0:
                half = math.sqrt(reach)
                self.box(x - half, row, x + half, row + 1, colour)

    def mixed(self) -> Points:
        """Each point the mean of what was painted in it."""
        return [
            [self._mean(x, y) for x in range(0, self.wide, FINE)] for y in range(0, self.high, FINE)
        ]  # fmt: skip

    def _mean(self, x: int, y: int) -> str:
        inside = [point for row in self._rows[y : y + FINE] for point in row[x : x + FINE]]
        red, green, blue = (sum(part) // len(inside) for part in zip(*inside, strict=True))
        return _hex((red, green, blue))


@lru_cache(maxsize=512)
def _parsed(colour: str) -> Colour:
    known = theme.valid(colour, theme.INK)
    return int(known[1:3], 16), int(known[3:5], 16), int(known[5:7], 16)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
