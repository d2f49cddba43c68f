"""A perfect player of Square: what its 4,096 positions are worth is worked out once, in a blink."""

from __future__ import annotations

from functools import cache
from random import Random

from server.bots.boxes import closed, each, free_of, grid
from server.bots.verdict import Verdict, counted
from server.games.levels import HARD, MASTER
from server.games.square import DOTS, State, scores

LINES, BOXES = 12, 4
PLIES = {HARD: 5, MASTER: LINES}
"""How far each level looks ahead; the whole game is twelve lines long."""

BOARD = grid(DOTS, DOTS)


def choose(state: State, rng: Random, plies: int) -> str:
    """One of the best moves, as far as `plies` moves reach."""
    return _best(state, rng, plies)[0]


def judge(state: State, rng: Random, _plies: int) -> Verdict:
    """A perfect move, and who wins: the table says so at once, whatever the budget."""
    move, more = _best(state, rng, LINES)
    own, other = scores(state)[state.turn], scores(state)[1 - state.turn]
    return Verdict(move, counted(sum(own) - sum(other) + more, BOXES), exact=True)


def _best(state: State, rng: Random, plies: int) -> tuple[str, int]:
    free = free_of(state.lines)
    values = {line: after(free, line, plies - 1) for line in each(free)}
    most = max(values.values())
    line = rng.choice([line for line, value in values.items() if value == most])
    return BOARD.lines[line.bit_length() - 1], most


def after(free: int, line: int, plies: int) -> int:
    """What `line` is worth to who draws it; the turn passes in any case (`SQ4`)."""
    return closed(BOARD, free, line) - worth(free ^ line, plies)


@cache
def worth(free: int, plies: int) -> int:
    """How many more boxes than the other the player to move gets within `plies` moves, if both play well."""
    if not free or not plies:
        return 0
    return max(after(free, line, plies - 1) for line in each(free))
