"""Two strong players of HexOust: both look ahead, captures first, and of the other placements try the likely ones.

They differ in what they know, for with the same knowledge more moves played win hardly more games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from server.bots.searching import LookingAhead
from server.games._hexes import Groups, each, layout
from server.games.hexoust import GAME, PASS, SWAP, State, hauls

PLAYS, FEW_PLAYS = 12_000, 700
"""Moves played for each move, by the one who knows more and by the other."""
QUIET, CAPTURES, AT_FIRST = 8, 6, 4
"""Placements without and with a capture that are looked at; so many times more in the position to be played."""
BULK, GROUP, CAPTURE, IN_REACH = 19, 7, 3, 5
"""What is worth how much: a stone more of one's only group, a group less, a placement that captures, a stone that the
best of these captures. Their proportions are those of a logistic regression over who won some 5,000 games of the
computer against itself, with 5 and 7 cells on a side."""
STONE, LARGEST, AT_ONCE = 10, 6, 6
"""The same for the one who knows less: a stone, a stone of the largest group, a stone that can be captured at once."""
MIXING, PRIME = 31, 10_007
"""Make a number of a position that tells nothing of it."""


def evaluate(state: State) -> int:
    """How much better RED stands: large groups, few of them, and what can be captured."""
    red, blue = state.groups
    value = round(BULK * (_bulk(red) - _bulk(blue))) - GROUP * (len(red) - len(blue))
    taking = hauls(state)
    chances = CAPTURE * len(taking) + IN_REACH * max(taking.values(), default=0)
    return value - chances if state.turn else value + chances


def _bulk(groups: Groups) -> float:
    """The size of the largest group, and a little more for what the others add to it."""
    return math.sqrt(sum(size * size for _, _, size in groups))


def count(state: State) -> int:
    """How much better RED stands: stones."""
    red, blue = state.groups
    value = STONE * (state.stones[0].bit_count() - state.stones[1].bit_count())
    value += LARGEST * (_largest(red) - _largest(blue))
    reach = AT_ONCE * max(hauls(state).values(), default=0)
    return value - reach if state.turn else value + reach


def _largest(groups: Groups) -> int:
    return max((size for _, _, size in groups), default=0)


def likely(state: State, moves: Sequence[str], first: bool) -> Sequence[str]:
    """The largest captures, then the placements nearest to groups that could be captured from there.

    Of those that are alike some from all over the board: the first by their names lie beside each other.
    """
    taking = _taking(state, first)
    if taking or first:
        return taking or _nearest(state, moves, first)
    near, beside = _surroundings(state)
    found: list[int] = []
    for alike in (near & beside, near ^ beside, ~(near | beside)):
        found += _from_all_over(state, state.open & alike, QUIET - len(found))
    hexes = layout(state.params.side)
    return [hexes.by_bit[bit] for bit in found] or moves


def first_likely(state: State, moves: Sequence[str], first: bool) -> Sequence[str]:
    """The same, but of those that are alike the first ones: some corner of the board is not looked at."""
    return _taking(state, first) or _nearest(state, moves, first)


def _taking(state: State, first: bool) -> list[str]:
    taking = hauls(state)
    largest = sorted(taking, key=taking.__getitem__, reverse=True)
    hexes = layout(state.params.side)
    return [hexes.by_bit[bit] for bit in largest[: CAPTURES * (AT_FIRST if first else 1)]]


def _nearest(state: State, moves: Sequence[str], first: bool) -> Sequence[str]:
    bits = layout(state.params.side).bits
    near, beside = _surroundings(state)
    ranked = sorted(
        (move for move in moves if move not in (PASS, SWAP)),
        key=lambda move: -(bool(bits[move] & near) + bool(bits[move] & beside)),
    )
    return ranked[: QUIET * (AT_FIRST if first else 1)] or moves


def _surroundings(state: State) -> tuple[int, int]:
    """The cells that touch the other's groups, and those that touch a cell beside the own ones."""
    own, other = state.groups[state.turn], state.groups[1 - state.turn]
    near_to = layout(state.params.side).near
    near = beside = 0
    for _, around, _ in other:
        near |= around
    for _, around, _ in own:
        for bit in each(around):
            beside |= near_to[bit]
    return near, beside


def _from_all_over(state: State, cells: int, many: int) -> list[int]:
    """At most so many of the cells, evenly among them in their order; which, differs from position to position."""
    among = list(each(cells))
    if len(among) <= many:
        return among
    red, blue = state.stones
    start = (red + MIXING * blue) % PRIME % len(among)
    return [among[(start + index * len(among) // many) % len(among)] for index in range(many)]


KNOWING = LookingAhead(GAME, evaluate, likely, all_moves=False)
COUNTING = LookingAhead(GAME, count, first_likely, all_moves=False)
"""The master, and the one at the hard level."""
