"""Groups of stones, where they count (`Board.groups`): how large they are, and what a placement takes. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from protocol.board import Board, Cell, Shape
from protocol.messages import Snapshot

_TOUCHING = 1.01
"""Middles of hexagons that touch are 1 lattice unit apart; the next ones 1.7."""


@dataclass(frozen=True)
class Group:
    """Stones of one seat that touch each other; `middle` is the one on which their number is written."""

    seat: int
    cells: frozenset[str]
    middle: str


@dataclass(frozen=True)
class Joined:
    """What a legal placement makes: a group of `size` stones, which takes these of the other seat."""

    size: int
    taken: frozenset[str]


def groups(match: Snapshot) -> tuple[Group, ...]:
    """All groups on the board; () where stones do not form any."""
    if not match.board.groups:
        return ()
    near = _near(match.board.cells)
    seats = {id_: mark.seat for id_, mark in match.marks.items() if mark.seat is not None and id_ in near}
    left, found = dict.fromkeys(seats), []
    while left:
        first, _ = left.popitem()
        cells, edge = {first}, [first]
        while edge:
            edge = [id_ for one in edge for id_ in near[one] if id_ in left and seats[id_] == seats[first]]
            for id_ in edge:
                left.pop(id_, None)
            cells.update(edge)
        found.append(Group(seats[first], frozenset(cells), _middle(match.board, cells)))
    return tuple(found)


def joined(match: Snapshot, cell: str, seat: int) -> Joined | None:
    """What a stone of `seat` on `cell` makes; None where groups do not count or it is no legal move."""
    if not match.board.groups or cell not in match.legal or cell in match.marks:
        return None
    near = _near(match.board.cells)
    all_groups = groups(match)
    own = [group for group in all_groups if group.seat == seat and group.cells & near.get(cell, frozenset())]
    stones = {cell}.union(*(group.cells for group in own))
    if not own:
        return Joined(1, frozenset())
    beside = frozenset(id_ for stone in stones for id_ in near.get(stone, frozenset()))
    other = (group.cells for group in all_groups if group.seat != seat and group.cells & beside)
    return Joined(len(stones), frozenset(id_ for cells in other for id_ in cells))


def placement_text(match: Snapshot, cell: str) -> str:
    """What the placement of who is to move makes, in a few words: "4 together, takes 2"; "" where that is nothing."""
    made = joined(match, cell, match.to_move) if match.to_move is not None else None
    return f"{made.size} together, takes {len(made.taken)}" if made is not None and made.taken else ""


@lru_cache(maxsize=8)
def _near(cells: tuple[Cell, ...]) -> Mapping[str, frozenset[str]]:
    hexes = [cell for cell in cells if cell.shape is Shape.HEX]
    return MappingProxyType(
        {
            one.id: frozenset(
                other.id
                for other in hexes
                if other is not one and math.hypot(one.x - other.x, one.y - other.y) < _TOUCHING
            )
            for one in hexes
        }
    )


def _middle(board: Board, cells: set[str]) -> str:
    """The stone nearest to the middle of them all; of two the one that is first in reading order."""
    stones = [cell for cell in board.cells if cell.id in cells]
    x, y = (sum(part) / len(stones) for part in zip(*((cell.x, cell.y) for cell in stones), strict=True))
    return min(stones, key=lambda cell: (round(math.hypot(cell.x - x, cell.y - y), 6), cell.y, cell.x)).id
