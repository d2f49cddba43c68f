"""Which boards and positions can be: what a client checks before it draws (docs/protocol.md, "What can be"). Pure.

A server of ours sends nothing else. A client that believed another one would draw for ever, or not at all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from protocol import limits
from protocol.board import Board, Cell, Mark, Region, SeatStyle, Shape
from protocol.values import OptionValue

_NEAR = 1e-6
"""By so much a coordinate may be off through rounding, in lattice units."""
_HEX_WIDE, _HEX_HIGH = 0.5, 1 / math.sqrt(3)
"""How far a hexagon reaches from its centre."""
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SEATS = frozenset((0, 1))


class Impossible(ValueError):
    """What was told cannot be; the text says what of it, for a person: "a board 20000 wide"."""


def check_board(board: Board) -> None:
    """Raise Impossible for a board that cannot be drawn or touched."""
    for size in (board.width, board.height):
        # (A comparison with what is no number is never true.)
        if not 0 < size <= limits.MAX_BOARD:
            raise Impossible(f"a board {board.width:g} wide and {board.height:g} high")
    check_ids(element_ids(board), "element")
    dots = {dot.id for dot in board.dots}
    cells = {cell.id for cell in board.cells}
    for dot in board.dots:
        _within(board, dot.id, (dot.x, dot.y))
    for line in board.lines:
        _within(board, line.id, (line.x1, line.y1), (line.x2, line.y2))
        check_known((end for end in (line.a, line.b) if end), dots, "dot")
    for cell in board.cells:
        _within(board, cell.id, *_corners(cell))
        check_words(cell.label)
    for region in board.regions:
        _check_region(board, region, cells)
    check_seats(board.turned_for)
    for colour in board.tones.values():
        _check_colour(colour)


def element_ids(board: Board) -> list[str]:
    """The ids of all elements."""
    parts = (board.dots, board.lines, board.cells, board.regions)
    return [element.id for part in parts for element in part]


def _corners(cell: Cell) -> tuple[tuple[float, float], tuple[float, float]]:
    if cell.shape is Shape.HEX:
        return (cell.x - _HEX_WIDE, cell.y - _HEX_HIGH), (cell.x + _HEX_WIDE, cell.y + _HEX_HIGH)
    return (cell.x, cell.y), (cell.x + 1, cell.y + 1)


def _check_region(board: Board, region: Region, cells: Collection[str]) -> None:
    if not (region.width >= 0 and region.height >= 0):
        raise Impossible(f"a region {region.width:g} wide and {region.height:g} high")
    _within(board, region.id, (region.x, region.y), (region.x + region.width, region.y + region.height))
    if len(region.cells) > limits.MAX_ELEMENTS:
        raise Impossible(f"a region of {len(region.cells)} cells")
    check_known(region.cells, cells, "cell")
    check_words(region.label)


def _within(board: Board, id_: str, *points: tuple[float, float]) -> None:
    for x, y in points:
        if not (-_NEAR <= x <= board.width + _NEAR and -_NEAR <= y <= board.height + _NEAR):
            raise Impossible(f"“{id_}” off the board")


def check_ids(ids: Collection[str], what: str, most: int = limits.MAX_ELEMENTS) -> None:
    """Each is an id, and there only once; at most so many."""
    if len(ids) > most:
        raise Impossible(f"{len(ids)} {what}s")
    if not all(0 < len(id_) <= limits.MAX_ID for id_ in ids):
        raise Impossible(f"the {what} “{next(id_ for id_ in ids if not 0 < len(id_) <= limits.MAX_ID)[:20]}”")
    if len(set(ids)) < len(ids):
        raise Impossible(f"the same {what} twice")


def check_known(ids: Iterable[str], known: Collection[str], what: str) -> None:
    """Nothing else is spoken of than what there is."""
    for id_ in ids:
        if id_ not in known:
            raise Impossible(f"the {what} “{id_[:20]}”, which there is not")


def check_seats(seats: Collection[int | None]) -> None:
    """Seats are 0 and 1, each named once."""
    if not _SEATS.issuperset(seats) or len(set(seats)) < len(seats):
        raise Impossible(f"the seats {', '.join(str(seat) for seat in list(seats)[:4])}")


def check_seat(seat: int | None) -> None:
    """0, 1, or nobody."""
    if seat is not None and seat not in _SEATS:
        raise Impossible(f"seat {seat}")


def check_words(*texts: str | None) -> None:
    """No name, label or sentence is longer than one can read."""
    for text in texts:
        if text is not None and len(text) > limits.MAX_WORDS:
            raise Impossible(f"a text of {len(text)} characters")


def check_marks(marks: Mapping[str, Mark | None], elements: Collection[str]) -> None:
    """Marks lie on elements of the board, and are a seat's or nobody's."""
    check_known(marks, elements, "element")
    for mark in marks.values():
        if mark is not None:
            check_seat(mark.seat)


def check_style(style: SeatStyle) -> None:
    """A seat can be named and coloured."""
    check_words(style.name, style.symbol)
    _check_colour(style.colour)


def _check_colour(colour: str) -> None:
    if _COLOUR.fullmatch(colour) is None:
        raise Impossible(f"the colour “{colour[:20]}”")


def check_scores(scores: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """As many for either seat, and such as a person can read."""
    first, second = scores
    if len(first) != len(second) or len(first) > limits.MAX_SCORES:
        raise Impossible(f"{len(first)} scores and {len(second)}")
    for score in (*first, *second):
        check_count(score, "a score of")


def check_count(count: int, what: str, most: int = limits.MAX_COUNT) -> None:
    """Not negative, and not beyond `most`."""
    if not 0 <= count <= most:
        raise Impossible(f"{what} {count}")


def check_moves(moves: Collection[str]) -> None:
    """Moves are not more and not longer than a game has."""
    if len(moves) > limits.MAX_LEGAL:
        raise Impossible(f"{len(moves)} legal moves")
    for move in moves:
        if not 0 < len(move) <= limits.MAX_MOVE:
            raise Impossible(f"the move “{move[:20]}”")


def check_movers(movers: Collection[int], moves: Collection[str]) -> None:
    """The seats of a record's moves: one for each of them, or none are told."""
    if movers and (len(movers) != len(moves) or not set(movers) <= {0, 1}):
        raise Impossible(f"{len(movers)} movers of {len(moves)} moves")


def check_scores_told(scores: Collection[tuple[tuple[int, ...], tuple[int, ...]]], moves: Collection[str]) -> None:
    """The scores of a record's moves: those before them and those after each, or none are told."""
    if scores and len(scores) != len(moves) + 1:
        raise Impossible(f"{len(scores)} scores of {len(moves)} moves")
    for told in scores:
        check_scores(told)
    if len({len(first) for first, _ in scores}) > 1:
        raise Impossible("scores of several lengths")


def check_entry(entry: str) -> None:
    """What a program said is no longer than a gateway takes; what it means is looked at where it is shown."""
    if len(entry) > limits.MAX_ENTRY:
        raise Impossible(f"an entry of {len(entry)} characters")


def check_less_told(less: Sequence[int], after: int, count: int) -> None:
    """Which of a record's moves were made in haste: each once, in order."""
    if any(ply <= before for before, ply in pairwise((after, *less))) or (less and less[-1] > after + count):
        raise Impossible(f"{len(less)} of {count} moves in haste")


def check_record(moves: Collection[str]) -> None:
    """The moves of a record, or entries of a log."""
    if len(moves) > limits.MAX_MOVES:
        raise Impossible(f"{len(moves)} moves")
    for move in moves:
        if not move:
            raise Impossible("a move without a word")
        check_entry(move)


def check_options(options: Mapping[str, OptionValue]) -> None:
    """Options of a match are few, and their names, words and numbers short."""
    if len(options) > limits.MAX_OPTIONS:
        raise Impossible(f"{len(options)} options")
    for name, value in options.items():
        check_words(name, value if isinstance(value, str) else None)
        if not isinstance(value, str):
            check_count(abs(value), "an option of")


def check_time(time_ms: int) -> None:
    """A time in ms since 1970 that calendars know."""
    check_count(time_ms, "the time", limits.MAX_TIME_MS)
