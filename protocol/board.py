"""The board language: what a server describes once and a client draws, whatever the game.

Coordinates are lattice units, y grows downwards. Ids are short, stable and unique over all elements of one board.
A move is written in the field's own notation over element ids:

    "a1-b1"     a line, or its two dots           (Dots and Boxes, Square)
    "5:b2-b3"   the same inside region 5          (Ultimate Dots and Boxes: the ids are "5:b2", "5:b3", "5:b2-b3")
    "11-15"     a step from cell to cell          (Checkers)
    "22x15x6"   jumps, every landing cell named   (Checkers)
    "d4"        a cell                            (HexOust)
    "swap"      a word that is no element: shown as a button
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

import msgspec


class Shape(StrEnum):
    """How a cell is drawn. `HEX` is pointy-topped; its centre is (x, y) and its width is 1 unit."""

    SQUARE = "square"
    HEX = "hex"


class Tone(StrEnum):
    """Which of the board's background tones a cell has; `PLAIN` is the board's own background."""

    PLAIN = "plain"
    LIGHT = "light"
    DARK = "dark"


class Piece(StrEnum):
    """What lies on an element. A client that meets an unknown piece draws the seat's symbol."""

    LINE = "line"
    BOX = "box"
    MAN = "man"
    KING = "king"
    STONE = "stone"
    WON = "won"


class Dot(msgspec.Struct, frozen=True, array_like=True):
    """A dot at (x, y)."""

    id: str
    x: float
    y: float


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A straight line from (x1, y1) to (x2, y2); `a` and `b` are the dots it joins, in reading order."""

    id: str
    x1: float
    y1: float
    x2: float
    y2: float
    a: str = ""
    b: str = ""


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """A cell. A square has its top left corner at (x, y) and sides of 1 unit; a hexagon has its centre there."""

    id: str
    x: float
    y: float
    shape: Shape = Shape.SQUARE
    tone: Tone = Tone.PLAIN
    label: str = ""


class Region(msgspec.Struct, frozen=True, array_like=True):
    """A part of the board that can be in focus or won as a whole: the box (x, y, width, height) and its cells' ids."""

    id: str
    x: float
    y: float
    width: float
    height: float
    cells: tuple[str, ...] = ()
    label: str = ""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be drawn or touched; sent once for each match.

    `width` and `height` are lattice units, all elements lie inside. A viewer all of whose seats are in
    `turned_for` sees the board turned by 180 degrees (`CK 5.1`); where both are, the first one's side is below.
    `tones` gives colours (`#rrggbb`) to tones of cells, where the game or its host chose them (`CK R1.3`); a client has
    its own for the rest.

    `groups`: stones of one seat on hexagons that touch are a group, and a legal placement that touches own stones takes
    every group of the other seat that the joined one touches. So a client can show sizes and what would be taken.
    """

    width: float
    height: float
    dots: tuple[Dot, ...] = ()
    lines: tuple[Line, ...] = ()
    cells: tuple[Cell, ...] = ()
    regions: tuple[Region, ...] = ()
    turned_for: tuple[int, ...] = ()
    tones: dict[Tone, str] = {}
    groups: bool = False


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """What lies on one element: whose it is (a seat, or None for nobody's) and which piece."""

    seat: int | None
    piece: Piece


class SeatStyle(msgspec.Struct, frozen=True):
    """How a seat is named and told apart: colour (`#rrggbb`) and always a symbol besides (one character)."""

    name: str
    colour: str
    symbol: str


_PARTS = re.compile(r"[-x]")


def touched(move: str) -> tuple[str, ...]:
    """The elements that spell `move`, in the order in which a person touches them.

    >>> touched("a1-b1"), touched("5:b2-b3"), touched("22x15x6"), touched("d4")
    (('a1', 'b1'), ('5:b2', '5:b3'), ('22', '15', '6'), ('d4',))
    """
    region, colon, rest = move.rpartition(":")
    return tuple(region + colon + part for part in _PARTS.split(rest))


def spell(elements: Sequence[str]) -> str:
    """The move that touching `elements` in order stands for when no legal move says otherwise.

    It may be illegal: the server has the right words for that.

    >>> spell(["a1", "b2"]), spell(["5:b2", "5:b3"]), spell(["5:d1", "6:a1"])
    ('a1-b2', '5:b2-b3', '5:d1-6:a1')
    """
    first, *others = elements
    region, colon, _ = first.rpartition(":")
    prefix = region + colon
    if prefix and all(other.startswith(prefix) for other in others):
        return "-".join([first, *(other.removeprefix(prefix) for other in others)])
    return "-".join(elements)
