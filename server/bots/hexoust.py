"""A strong player of HexOust: looks ahead, captures first, and of the other placements it tries the likely ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from server.bots.searching import judge_ahead, look_ahead
from server.bots.verdict import Verdict
from server.games._hexes import Groups, each, layout
from server.games.hexoust import GAME, PASS, SWAP, State, hauls
from server.games.levels import HARD, MASTER

PLAYS = {HARD: 1_900, MASTER: 12_000}
"""Moves played for each move."""
QUIET, CAPTURES, AT_FIRST = 8, 6, 4
"""Placements without and with a capture that are looked at; so many times more in the position to be played."""
STONE, LARGEST, IN_REACH = 10, 6, 6
"""What is worth how much: a stone, a stone of the largest group, a stone that can be captured at once."""


def choose(state: State, rng: Random, plays: int) -> str:
    """The best placement found by playing so many."""
    return look_ahead(GAME, state, rng, plays, evaluate, candidates)


def judge(state: State, rng: Random, plays: int) -> Verdict:
    """The same placement, and who stands better."""
    return judge_ahead(GAME, state, rng, plays, evaluate, candidates, all_moves=False)


def evaluate(state: State) -> int:
    """How much better RED stands."""
    red, blue = state.groups
    value = STONE * (state.stones[0].bit_count() - state.stones[1].bit_count())
    value += LARGEST * (_largest(red) - _largest(blue))
    reach = IN_REACH * max(hauls(state).values(), default=0)
    return value - reach if state.turn else value + reach


def _largest(groups: Groups) -> int:
    return max((size for _, _, size in groups), default=0)


def candidates(state: State, moves: Sequence[str], first: bool) -> Sequence[str]:
    """The largest captures, then the placements nearest to groups that could be captured from there."""
    hexes, more = layout(state.params.side), AT_FIRST if first else 1
    taking = hauls(state)
    if taking:
        largest = sorted(taking, key=taking.__getitem__, reverse=True)
        return [hexes.by_bit[bit] for bit in largest[: CAPTURES * more]]
    own, other = state.groups[state.turn], state.groups[1 - state.turn]
    near = 0
    for _, around, _ in other:
        near |= around
    beside = 0
    for _, around, _ in own:
        for bit in each(around):
            beside |= hexes.near[bit]
    ranked = sorted(
        (move for move in moves if move not in (PASS, SWAP)),
        key=lambda move: -(bool(hexes.bits[move] & near) + bool(hexes.bits[move] & beside)),
    )
    return ranked[: QUIET * more] or moves
