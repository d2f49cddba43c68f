"""The draughts board of `checkers.py`: squares as bits, steps and hops, and why a move is refused.

The 32 dark squares are numbered from the top left, four a row (`RU-CK1`). Each is a bit; after every eight squares one
bit is left out, so that a step down is always a shift by 4 (to one side) or 5 (to the other), and a step over the
edge always ends on a bit that is no square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple, NoReturn

from protocol.board import Tone
from protocol.errors import IllegalMove, MalformedMove
from protocol.text import N_, Text, text

BLACK, WHITE = 0, 1
SQUARES = 32

Hops = Mapping[int, tuple[tuple[int, int, str], ...]]
"""For each square the hops from it: over which square, onto which, and how the move's notation goes on."""


def _bit(square: int) -> int:
    return 1 << square - 1 + (square - 1) // 8


BITS: dict[str, int] = {str(square): _bit(square) for square in range(1, SQUARES + 1)}
NAMES: dict[int, str] = {bit: name for name, bit in BITS.items()}
ALL = sum(NAMES)


def squares_of(numbers: Iterable[int]) -> int:
    """The set of the squares with these numbers."""
    return sum(_bit(number) for number in numbers)


FAR_ROW = (squares_of(range(29, 33)), squares_of(range(1, 5)))
"""For each seat the opponent's first row, where a man is crowned (`CK R2.7`)."""
FAR_HALF = (squares_of(range(17, 33)), squares_of(range(1, 17)))

_PLACES: dict[str, tuple[int, int]] = {
    str(4 * row + column // 2 + 1): (row, column) for row in range(8) for column in range(8) if (row + column) % 2
}
"""Row and column of each dark square; the top left corner of the board is light."""
_AT = {place: name for name, place in _PLACES.items()}

CELLS = tuple(
    (_AT[row, column], column, row, Tone.DARK, _AT[row, column])
    if (row, column) in _AT
    else (f"~{'abcdefgh'[column]}{8 - row}", column, row, Tone.LIGHT, "")
    for row in range(8)
    for column in range(8)
)
"""Id, x, y, tone and label of all 64 squares; the light ones are there to be drawn, and no move names them."""


def _steps() -> dict[str, tuple[int, int]]:
    return {
        f"{name}-{_AT[row + down, column + right]}": (BITS[name], BITS[_AT[row + down, column + right]])
        for name, (row, column) in _PLACES.items()
        for down in (1, -1)
        for right in (-1, 1)
        if (row + down, column + right) in _AT
    }


def _hops(ways: tuple[int, ...]) -> Hops:
    return {
        BITS[name]: tuple(
            (BITS[_AT[row + down, column + right]], BITS[land], "x" + land)
            for down in ways
            for right in (-1, 1)
            if (land := _AT.get((row + 2 * down, column + 2 * right)))
        )
        for name, (row, column) in _PLACES.items()
    }


STEPS = _steps()
"""Every step there can be: from which square to which."""
STEP_NAMES: dict[int, dict[int, str]] = {
    shift: {
        start: name
        for name, (start, land) in STEPS.items()
        if (land == start << shift if shift > 0 else land == start >> -shift)
    }
    for shift in (4, 5, -4, -5)
}
HOPS: tuple[Hops, Hops] = (_hops((1,)), _hops((-1,)))
"""A man's hops, for each seat (`CK R3.1`)."""
KING_HOPS: Hops = _hops((1, -1))


class Position(NamedTuple):
    """A position as the player to move sees it. `down` and `up` are the own pieces that may move that way."""

    own: int
    other: int
    kings: int
    empty: int
    down: int
    up: int
    turn: int

    @classmethod
    def of(cls, black: int, white: int, kings: int, turn: int) -> Position:
        """Men move towards the opponent only, kings both ways (`CK R3.1`, `R3.2`)."""
        empty = ALL & ~(black | white)
        if turn == BLACK:
            return cls(black, white, kings, empty, black, black & kings, turn)
        return cls(white, black, kings, empty, white & kings, white, turn)


def jumpers(at: Position) -> int:
    """The own pieces that can jump now."""
    _, other, _, empty, down, up, _ = at
    found = down & (other >> 4 & empty >> 8 | other >> 5 & empty >> 10)
    return found | up & (other << 4 & empty << 8 | other << 5 & empty << 10)


def movable(at: Position) -> bool:
    """Whether the player to move has any move (`CK R4.2`)."""
    _, _, _, empty, down, up, _ = at
    return bool(down & (empty >> 4 | empty >> 5) or up & (empty << 4 | empty << 5) or jumpers(at))


def spelled(at: Position, forced: bool) -> tuple[str, ...]:
    """Every legal move. With captures forced only whole chains count, and a step only when there is no jump."""
    found: list[str] = []
    starts = jumpers(at)
    while starts:
        start = starts & -starts
        starts ^= start
        king = start & at.kings
        hops = KING_HOPS if king else HOPS[at.turn]
        crowning = 0 if king else FAR_ROW[at.turn]
        # The start counts as free: a king may come back to it (RU-CK8).
        _chains(NAMES[start], hops, start, at.other, at.empty | start, crowning, forced, found)
    if forced and found:
        return tuple(found)
    for names, movers in (
        (STEP_NAMES[4], at.down & at.empty >> 4),
        (STEP_NAMES[5], at.down & at.empty >> 5),
        (STEP_NAMES[-4], at.up & at.empty << 4),
        (STEP_NAMES[-5], at.up & at.empty << 5),
    ):
        while movers:
            start = movers & -movers
            movers ^= start
            found.append(names[start])
    return tuple(found)


def _chains(
    path: str,
    hops: Hops,
    start: int,
    other: int,
    empty: int,
    crowning: int,
    forced: bool,
    found: list[str],
) -> None:
    """Appends every chain of jumps that goes on from `path`; no piece is jumped twice (`RU-CK8`)."""
    for over, land, name in hops[start]:
        if over & other and land & empty:
            longer = path + name
            before = len(found)
            if not forced:
                found.append(longer)
            if not land & crowning:  # a man's crowning ends the turn (CK R2.7, RU-CK4)
                _chains(longer, hops, land, other ^ over, empty, crowning, forced, found)
            if forced and len(found) == before:
                found.append(longer)


_PATH = re.compile(r"(?:[0-9]{1,3}|~[a-h][1-8])(?:[-x](?:[0-9]{1,3}|~[a-h][1-8]))+")
_JOINTS = re.compile(r"[-x]")


def follow(at: Position, move: str, forced: bool) -> tuple[int, int, int]:
    """Where a chain of jumps starts and ends, and the pieces it captures. Raises as `refuse` does."""
    start, *landings = [BITS.get(name, 0) for name in _JOINTS.split(move)]
    if not start & at.own or not landings:
        refuse(at, move)
    king = start & at.kings
    hops = KING_HOPS if king else HOPS[at.turn]
    here, empty, other = start, at.empty | start, at.other
    for land in landings:
        over = next((over for over, onto, _ in hops[here] if onto == land), 0)
        crowned = not king and here & FAR_ROW[at.turn]
        if not over & other or not land & empty or crowned:
            refuse(at, move)
        here, other = land, other ^ over
    crowned = not king and here & FAR_ROW[at.turn]
    if forced and not crowned and any(over & other and onto & empty for over, onto, _ in hops[here]):
        refuse(at, move)
    return start, here, at.other ^ other


def refuse(at: Position, move: str) -> NoReturn:
    """Says why `move` cannot be played: the first fault along its path. Raises MalformedMove or IllegalMove."""
    if not _PATH.fullmatch(move):
        raise MalformedMove(move)
    code, sentence = _fault(at, _JOINTS.split(move))
    raise IllegalMove(move, sentence, code)


def _fault(at: Position, path: list[str]) -> tuple[str, Text]:
    for name in path:
        if name.startswith("~"):
            return "light_square", text(N_("Pieces stay on the dark squares."))
        if name not in BITS:
            return "no_such_square", text(N_("There is no square {square}; they are numbered 1 to 32."), square=name)
    start = path[0]
    if BITS[start] & at.other:
        return "not_your_piece", text(N_("The piece on square {square} is not yours."), square=start)
    if not BITS[start] & at.own:
        return "no_piece", text(N_("There is no piece on square {square}."), square=start)
    king = bool(BITS[start] & at.kings)
    other, empty = at.other, at.empty | BITS[start]
    for here, there in pairwise(path):
        if not king and here != start and BITS[here] & FAR_ROW[at.turn]:
            return "crowned", text(N_("A man that is crowned ends its turn there."))
        fault = _hop_fault(at, here, there, other, empty, king) or _step_fault(path, here, there)
        if fault:
            return fault
        other &= ~_between(here, there)
    return "must_go_on", text(N_("In this match a jump must go on as long as it can."))


def _hop_fault(at: Position, here: str, there: str, other: int, empty: int, king: bool) -> tuple[str, Text] | None:
    """What is wrong with going from `here` to `there`, step or jump, for the piece that started."""
    (row, column), (to_row, to_column) = _PLACES[here], _PLACES[there]
    down, right = to_row - row, to_column - column
    if BITS[there] & ~empty & at.own:
        return "own_piece", text(N_("Your own piece is on square {square}."), square=there)
    if BITS[there] & ~empty:
        return "occupied", text(N_("Your opponent's piece is on square {square}."), square=there)
    if abs(down) != abs(right) or not down:
        return "not_diagonal", text(N_("Pieces move diagonally."))
    if abs(down) > 2:
        sentence = N_("Kings do not fly: one square a step, two a jump.") if king else N_("That is too far.")
        return "too_far", Text(sentence)
    if not king and (down > 0) != (at.turn == BLACK):
        return "backward", text(N_("A man moves forward only; a king goes both ways."))
    if abs(down) == 2 and not _between(here, there) & other:
        if _between(here, there) & at.other:
            return "jumped_already", text(N_("No piece is jumped twice."))
        if _between(here, there) & at.own & ~empty:
            return "own_jumped", text(N_("You cannot jump over your own piece."))
        return "nothing_to_jump", text(N_("There is no piece of your opponent to jump over."))
    return None


def _step_fault(path: list[str], here: str, there: str) -> tuple[str, Text] | None:
    """What is wrong with a step that goes where it may."""
    if _between(here, there):
        return None
    if len(path) > 2:
        return "one_step", text(N_("A step is a turn of its own; only jumps go on."))
    # A step alone that goes where it may is refused for one thing only.
    return "must_jump", text(N_("In this match you must jump when you can."))


def _between(here: str, there: str) -> int:
    """The square that a hop from `here` to `there` goes over; 0 for a step."""
    return next((over for over, land, _ in KING_HOPS[BITS[here]] if land == BITS[there]), 0)
