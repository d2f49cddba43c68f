"""Grids of boxes as bits, and the exact end of Dots and Boxes.

What can still be won depends on the free lines alone, whoever drew the others: they are the bits of one whole number.
A value is how many more boxes than the other the player to move still gets, when both play as well as can be.

Where a box can be closed two moves are enough. Say that its last line leads to a box with two free sides. Any move but
that line and the other free side of that second box can as well be made after the box is taken, by whoever takes it; so
it is taken, or (the other free side) declined, which leaves two boxes for one line and has the other move on. If the
line leads to no such box, it is taken, whatever else there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from server.games._boxes import FREE, layout

MOST = 1_000
"""More than any value."""


class Spent(Exception):
    """The budget is used up."""


@dataclass(frozen=True, slots=True)
class Grid:
    """One size of board."""

    lines: tuple[str, ...]
    sides: tuple[int, ...]
    """For each box the bits of its four lines."""
    beside: dict[int, tuple[int, ...]]
    """For each line's bit the sides of the one or two boxes that it touches."""


@cache
def grid(width: int, height: int) -> Grid:
    """The board of so many dots."""
    board = layout(width, height)
    sides = tuple(sum(1 << line for line in around) for around in board.sides)
    beside = {1 << line: tuple(sides[box] for box in boxes) for line, boxes in enumerate(board.beside)}
    return Grid(board.line_ids, sides, beside)


def free_of(lines: str) -> int:
    """The free lines of a state's `lines`, as bits."""
    return sum(1 << number for number, owner in enumerate(lines) if owner == FREE)


def each(bits: int) -> Iterator[int]:
    """The bits one by one."""
    while bits:
        bit = bits & -bits
        bits ^= bit
        yield bit


def closed(board: Grid, free: int, line: int) -> int:
    """How many boxes `line` closes."""
    return sum(free & sides == line for sides in board.beside[line])


def safe(board: Grid, free: int, line: int) -> bool:
    """Whether `line` brings no box to its last free side."""
    return all((free & sides).bit_count() > 2 for sides in board.beside[line])


def takes(board: Grid, free: int) -> tuple[int, ...]:
    """The moves that are enough where a box can be closed: to take, or to take and to decline; () where none can."""
    found: tuple[int, ...] = ()
    for sides in board.sides:
        line = free & sides
        if line and not line & line - 1:
            for other in board.beside[line]:
                if other != sides and (free & other).bit_count() == 2:
                    found = (line, free & other ^ line)
                    break
            else:
                return (line,)
    return found


def openings(board: Grid, free: int) -> list[int]:
    """The moves worth a thought where no box can be closed: what gives nothing away first, then the shortest chains.

    Of the lines within a chain, or from it to the edge, one stands for all; a chain of two can be opened in its middle,
    which cannot be declined, or at its end.
    """
    safe, chains = [], []
    seen: set[tuple[int, int]] = set()
    for line in each(free):
        tight = [sides for sides in board.beside[line] if (free & sides).bit_count() == 2]
        if not tight:
            safe.append(line)
            continue
        chain, length = _chain(board, free, tight[0])
        middle = len(tight) == 2 and length == 2
        if len(tight) == len(board.beside[line]):
            key = (chain, -1 if middle else 0)
            if key in seen:
                continue
            seen.add(key)
        chains.append((length, not middle, line))
    chains.sort()
    return safe + [line for _, _, line in chains]


def _chain(board: Grid, free: int, start: int) -> tuple[int, int]:
    """The free lines of the boxes with two free sides that hang together with one of them, and how many these are."""
    lines, length, todo, known = 0, 0, [start], {start}
    while todo:
        sides = todo.pop()
        length += 1
        own = free & sides
        lines |= own
        for line in each(own):
            for other in board.beside[line]:
                if other not in known and (free & other).bit_count() == 2:
                    known.add(other)
                    todo.append(other)
    return lines, length


class Bounds:
    """The least and the greatest that positions can be worth, as far as a search has found out."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}

    def settled(self, free: int, low: int, high: int) -> int | None:
        """The value, or a bound beyond `low` or `high`; None if what is known of the position does not decide."""
        least, greatest = self._known.get(free, (-MOST, MOST))
        if least >= high or least == greatest:
            return least
        return greatest if greatest <= low else None

    def found(self, free: int, value: int, low: int, high: int) -> int:
        """Keep what a search between `low` and `high` came to, and return it."""
        least, greatest = self._known.get(free, (-MOST, MOST))
        if value <= low:
            greatest = min(greatest, value)
        elif value >= high:
            least = max(least, value)
        else:
            least = greatest = value
        self._known[free] = least, greatest
        return value


class Solver:
    """Values of positions of one grid, exact, within a number of positions looked at."""

    def __init__(self, board: Grid, nodes: int) -> None:
        self._board = board
        self.left = nodes
        self._bounds = Bounds()

    def value(self, free: int, low: int, high: int) -> int:
        """The value of a position if it is between `low` and `high`; else a bound beyond. Raises Spent."""
        known = self._bounds.settled(free, low, high)
        if known is not None:
            return known
        if not self.left:
            raise Spent
        self.left -= 1
        board, best, alpha = self._board, -MOST, low
        for line in takes(board, free) or openings(board, free):
            value = self.after(free, line, alpha, high)
            if value > best:
                best = value
                alpha = max(alpha, best)
                if best >= high:
                    break
        if best == -MOST:
            best = 0  # no line is left
        return self._bounds.found(free, best, low, high)

    def after(self, free: int, line: int, low: int, high: int) -> int:
        """What drawing `line` is worth to who draws it."""
        won = closed(self._board, free, line)
        if won:
            return won + self.value(free ^ line, low - won, high - won)
        return -self.value(free ^ line, -high, -low)
