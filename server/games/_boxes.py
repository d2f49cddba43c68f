"""What the games of dots, lines and boxes share: names, geometry, and drawing a line.

Dots are named by column letter and row number, `a1` top left; a line is its two dots in reading order, `a1-b1`; a box
is named after its top left dot, `#a1` (`RU-DB2`). Owners are kept in strings, a character for each line or box in
reading order: `0` and `1` for the seats, `.` for nobody. So a state is short plain data that any codec carries and a
person can read, and one line is drawn by cutting a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NoReturn

from protocol.board import Cell, Dot, Line, Mark, Piece
from protocol.errors import IllegalMove, MalformedMove
from protocol.text import N_, text

FREE = "."
OWNERS = "01"
COLUMNS = "abcdefghijklmno"

NO_SUCH_DOT = "no_such_dot"
DIAGONAL = "diagonal"
NOT_ADJACENT = "not_adjacent"
ALREADY_JOINED = "already_joined"

LINE_MARKS = {"0": Mark(0, Piece.LINE), "1": Mark(1, Piece.LINE)}
BOX_MARKS = {"0": Mark(0, Piece.BOX), "1": Mark(1, Piece.BOX)}

_TWO_DOTS = re.compile(r"([a-z][0-9]{1,3})-([a-z][0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Part:
    """Where one grid of dots lies on the board, and what its ids begin with ("" or "5:")."""

    prefix: str = ""
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """All that follows from the size of a board; lines and boxes are numbered in reading order."""

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    cells: tuple[Cell, ...]
    line_ids: tuple[str, ...]
    box_ids: tuple[str, ...]
    places: dict[str, tuple[int, int]]
    """Column and row of each dot, by its id."""
    numbers: dict[str, int]
    """The number of a line, by either spelling (`RU-DB2`)."""
    sides: tuple[tuple[int, int, int, int], ...]
    """For each box the numbers of its four lines."""
    beside: tuple[tuple[int, ...], ...]
    """For each line the numbers of the one or two boxes that it touches."""


@cache
def layout(width: int, height: int, parts: tuple[Part, ...] = (Part(),)) -> Layout:
    """The layout of grids of `width` x `height` dots, one for each of `parts`, numbered one after the other."""
    dots: list[Dot] = []
    lines: list[Line] = []
    cells: list[Cell] = []
    places: dict[str, tuple[int, int]] = {}
    sides: list[tuple[int, int, int, int]] = []
    stride = 2 * width - 1
    """Lines from one row of dots to the next: those along the row, then those down from it."""
    for part in parts:
        first = len(lines)
        for row in range(height):
            for column in range(width):
                dot = Dot(part.prefix + _name(column, row), part.x + column, part.y + row)
                dots.append(dot)
                places[dot.id] = (column, row)
            lines += [_line(part, column, row, 1, 0) for column in range(width - 1)]
            lines += [_line(part, column, row, 0, 1) for column in range(width) if row + 1 < height]
        for row in range(height - 1):
            for column in range(width - 1):
                cells.append(Cell(f"{part.prefix}#{_name(column, row)}", part.x + column, part.y + row))
                top = first + row * stride + column
                sides.append((top, top + width - 1, top + width, top + stride))
    beside: list[list[int]] = [[] for _ in lines]
    for box, around in enumerate(sides):
        for line in around:
            beside[line].append(box)
    return Layout(
        dots=tuple(dots),
        lines=tuple(lines),
        cells=tuple(cells),
        line_ids=tuple(line.id for line in lines),
        box_ids=tuple(cell.id for cell in cells),
        places=places,
        numbers=_numbers(lines),
        sides=tuple(sides),
        beside=tuple(map(tuple, beside)),
    )


def _name(column: int, row: int) -> str:
    return f"{COLUMNS[column]}{row + 1}"


def _line(part: Part, column: int, row: int, right: int, down: int) -> Line:
    a, b = _name(column, row), _name(column + right, row + down)
    x, y = part.x + column, part.y + row
    return Line(f"{part.prefix}{a}-{b}", x, y, x + right, y + down, part.prefix + a, part.prefix + b)


def _numbers(lines: Iterable[Line]) -> dict[str, int]:
    numbers = {}
    for number, line in enumerate(lines):
        prefix, colon, _ = line.a.rpartition(":")
        numbers[line.id] = number
        numbers[line.b + "-" + line.a.removeprefix(prefix + colon)] = number
    return numbers


def line_number(board: Layout, move: str) -> int:
    """The line that `move` names, drawn or not.

    Raises MalformedMove for what is not two dots, and IllegalMove for two dots that no line joins.
    """
    number = board.numbers.get(move)
    if number is not None:
        return number
    if not (dots := _TWO_DOTS.fullmatch(move)):
        raise MalformedMove(move)
    refuse_dots(board, move, dots[1], dots[2])


def check_dots(board: Layout, move: str, *dots: str) -> None:
    """Raises IllegalMove for a dot that is not there (`RU-DB5`)."""
    for dot in dots:
        if dot not in board.places:
            raise IllegalMove(move, text(N_("There is no dot “{dot}” on this board."), dot=dot), NO_SUCH_DOT)


def refuse_dots(board: Layout, move: str, a: str, b: str) -> NoReturn:
    """Says why no line joins the dots `a` and `b`: the first fault in the order of `RU-DB5`."""
    check_dots(board, move, a, b)
    if all(here != there for here, there in zip(board.places[a], board.places[b], strict=True)):
        sentence = text(N_("Dots are joined across or down, never diagonally."))
        raise IllegalMove(move, sentence, DIAGONAL)  # DB 7.3.2.1
    sentence = text(N_("Only two dots next to each other can be joined."))
    raise IllegalMove(move, sentence, NOT_ADJACENT)  # DB 7.3.2.3


def refuse_joined(move: str) -> NoReturn:
    """Says that the line is there already (`DB 7.3.2.2`)."""
    raise IllegalMove(move, text(N_("These two dots are joined already.")), ALREADY_JOINED)


def put(owners: str, number: int, owner: str) -> str:
    """`owners` with `owner` in place `number`."""
    return f"{owners[:number]}{owner}{owners[number + 1 :]}"


def closed_by(board: Layout, lines: str, number: int) -> list[int]:
    """The boxes whose fourth side is line `number`, already drawn in `lines`, by whomever the others (`RU-DB3`)."""
    closed = []
    for box in board.beside[number]:
        top, left, right, bottom = board.sides[box]
        if FREE not in (lines[top], lines[left], lines[right], lines[bottom]):
            closed.append(box)
    return closed


def free_lines(board: Layout, lines: str) -> tuple[str, ...]:
    """The ids of the lines that nobody has drawn, in reading order."""
    if FREE * len(lines) == lines:
        return board.line_ids  # shared by all matches in which nobody has moved yet
    return tuple([line for line, owner in zip(board.line_ids, lines, strict=True) if owner == FREE])


def owned(ids: Iterable[str], owners: str, marks: dict[str, Mark]) -> dict[str, Mark]:
    """The marks on the elements `ids` that have an owner."""
    return {id_: marks[owner] for id_, owner in zip(ids, owners, strict=True) if owner != FREE}


def changed(ids: tuple[str, ...], before: str, after: str, marks: dict[str, Mark]) -> dict[str, Mark | None]:
    """The marks on the elements `ids` whose owner is another one `after` than `before`; None for one taken away."""
    found: dict[str, Mark | None] = {}
    if before != after:
        differs = int.from_bytes(before.encode(), "little") ^ int.from_bytes(after.encode(), "little")
        while differs:
            number = ((differs & -differs).bit_length() - 1) // 8
            differs &= -1 << 8 * (number + 1)
            found[ids[number]] = marks.get(after[number])
    return found


def sides_drawn(board: Layout, lines: str, box: int) -> int:
    """How many of the four sides of `box` are drawn."""
    return sum(lines[side] != FREE for side in board.sides[box])


def haul(board: Layout, lines: str, near: Iterable[int]) -> int:
    """How many boxes a player can close one after the other who begins with the boxes `near`."""
    drawn = list(lines)
    taken = 0
    look_at = list(near)
    while look_at:
        open_sides = [side for side in board.sides[look_at.pop()] if drawn[side] == FREE]
        if len(open_sides) == 1:
            drawn[open_sides[0]] = OWNERS[0]
            touched = board.beside[open_sides[0]]
            taken += sum(all(drawn[side] != FREE for side in board.sides[box]) for box in touched)
            look_at += touched
    return taken
