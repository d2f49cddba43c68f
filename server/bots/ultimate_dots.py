"""Two strong players of Ultimate Dots and Boxes: both look ahead, and count what the player to move has in reach.

The one who knows more also sees what lies in reach elsewhere, for whoever is sent there, and where on the macro board a
micro game is worth most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from server.bots.searching import LookingAhead
from server.games._boxes import FREE, OWNERS, haul, layout, put
from server.games.ultimate_dots import (
    ANY,
    BOARD,
    BOXES,
    BOXES_OF,
    DOTS,
    GAME,
    LINES,
    NAMES,
    ROWS,
    TO_WIN,
    State,
    open_micro_games,
    winner,
)

PLAYS, FEW_PLAYS = 50_000, 5_000
"""Moves played for each move, by the one who knows more and by the other."""


class Worth(NamedTuple):
    """What a player holds to be worth how much."""

    box: int
    """Of an unfinished micro game."""
    micro_game: int
    pair: int
    """Two micro games in a row whose third is open."""


COUNTED, KNOWN = Worth(box=4, micro_game=30, pair=24), Worth(box=1, micro_game=30, pair=9)
"""To the one who knows less, and to the other. All numbers of the latter have the proportions of a logistic regression
over who won some 6,000 games of the computer against itself."""
MATCH = 1_000
"""The match within reach, to either."""
ROW = 7
"""For each row in which a micro game that is won lies."""
ONE_SHORT = 31
"""All but one of the micro games that win the match."""
TAKE, TAKE_IN_ROW = 23, 4
"""A micro game that the player to move can win at once; for each row with another of its own, as much more."""
ELSEWHERE, LAST_ELSEWHERE = 15, 33
"""One that this seat can win at once if it is sent there, and the other could not; one that wins the match besides."""
CHOICE = 5
"""To play wherever one will."""

LINES_IN = tuple(slice(LINES * micro, LINES * (micro + 1)) for micro in range(len(NAMES)))
BOXES_IN = tuple(slice(BOXES * micro, BOXES * (micro + 1)) for micro in range(len(NAMES)))
MICRO_BOARD = layout(DOTS, DOTS)
ALL_BOXES = range(BOXES)
ROWS_WITH = tuple(tuple(row for row in ROWS if micro in row) for micro in range(len(NAMES)))
SIGNS = (1, -1)
"""Of what is good for a seat."""
REMEMBERED = 1 << 15
"""Micro games that are kept in mind, of which a search meets the same ones again and again. What is kept by who won
which micro games needs no such bound: there are some 10,000 ways."""


def evaluate(state: State) -> int:
    """How much better seat 0 stands: what is won, what can be won at once, and what could be by who is sent there."""
    lines, boxes, won, focus, turn = state.lines, state.boxes, state.won, state.focus, state.turn
    value, best = _standing(won), 0
    for micro in _open(won):
        lead, taken, within = _part(lines[LINES_IN[micro]], boxes[BOXES_IN[micro]])
        value += lead
        if not taken:
            continue
        if focus in (micro, ANY):
            best = max(best, KNOWN.box * taken + (_taking(won, micro, turn) if within[turn] else 0))
        elif within[0] != within[1]:
            seat = 0 if within[0] else 1
            value += SIGNS[seat] * (LAST_ELSEWHERE if _ends(won, micro, seat) else ELSEWHERE)
    if focus == ANY:
        best += CHOICE
    return value + SIGNS[turn] * best


@cache
def _open(won: str) -> tuple[int, ...]:
    """The unfinished micro games."""
    return tuple(micro for micro, owner in enumerate(won) if owner == FREE)


@cache
def _standing(won: str) -> int:
    """What the micro games that are won are worth."""
    value = 0
    for owner, sign in zip(OWNERS, SIGNS, strict=True):
        own = [micro for micro, its_owner in enumerate(won) if its_owner == owner]
        value += sign * (KNOWN.micro_game * len(own) + ROW * sum(len(ROWS_WITH[micro]) for micro in own))
        value += sign * ONE_SHORT * (len(own) == TO_WIN - 1)
        value += sign * KNOWN.pair * _pairs(won, owner)
    return value


def _pairs(won: str, owner: str) -> int:
    """How often two micro games in a row have this owner, and the third is open."""
    rows = ([won[micro] for micro in row] for row in ROWS)
    return sum(FREE in row and row.count(owner) == len(row) - 1 for row in rows)


@lru_cache(REMEMBERED)
def _part(lines: str, boxes: str) -> tuple[int, int, tuple[bool, bool]]:
    """Of one micro game: how much better seat 0 stands, how many boxes can be closed at once, and who wins so."""
    taken = haul(MICRO_BOARD, lines, ALL_BOXES)
    first, second = (boxes.count(owner) for owner in OWNERS)
    return KNOWN.box * (first - second), taken, (first + taken >= TO_WIN, second + taken >= TO_WIN)


@cache
def _taking(won: str, micro: int, seat: int) -> int:
    """What it is worth to `seat` that it can win `micro` at once."""
    if _ends(won, micro, seat):
        return MATCH
    return TAKE + TAKE_IN_ROW * sum(OWNERS[seat] in [won[other] for other in row] for row in ROWS_WITH[micro])


@cache
def _ends(won: str, micro: int, seat: int) -> bool:
    """Whether `seat` wins the match with `micro`."""
    return winner(put(won, micro, OWNERS[seat])) is not None


def count(state: State) -> int:
    """How much better seat 0 stands, with what the seat to move takes at once."""
    own, other = OWNERS[0], OWNERS[1]
    value = 0
    for micro, owner in enumerate(state.won):
        if owner == FREE:
            part = state.boxes[BOXES_IN[micro]]
            value += COUNTED.box * (part.count(own) - part.count(other))
    value += COUNTED.micro_game * (state.won.count(own) - state.won.count(other))
    value += COUNTED.pair * (_pairs(state.won, own) - _pairs(state.won, other))
    reach = max((_reach(state, micro) for micro in open_micro_games(state)), default=0)
    return value - reach if state.turn else value + reach


def _reach(state: State, micro: int) -> int:
    """What the seat to move can take in `micro` in this turn."""
    boxes = BOXES_OF[micro]
    taken = haul(BOARD, state.lines, boxes)
    if not taken:
        return 0
    own = state.boxes.count(OWNERS[state.turn], boxes.start, boxes.stop)
    if own + taken < TO_WIN:
        return COUNTED.box * taken
    worth = COUNTED.box * taken + COUNTED.micro_game
    for row in ROWS_WITH[micro]:
        mine = sum(state.won[other] == OWNERS[state.turn] for other in row if other != micro)
        worth += MATCH if mine == 2 else COUNTED.pair if mine == 1 else 0
    return worth


def candidates(state: State, moves: Sequence[str], _first: bool) -> list[str]:
    """The moves to look at, the likely best first: what closes boxes, then what gives none away."""
    if state.focus == ANY:
        ranks = [_ranks(state.lines[part]) for part in LINES_IN]
        return sorted(moves, key=lambda move: ranks[BOARD.numbers[move] // LINES][BOARD.numbers[move] % LINES])
    first, ranks_here = LINES * state.focus, _ranks(state.lines[LINES_IN[state.focus]])
    return sorted(moves, key=lambda move: ranks_here[BOARD.numbers[move] - first])


@lru_cache(REMEMBERED)
def _ranks(lines: str) -> bytes:
    """The rank of each line of one micro game: of those that close a box, that neither do nor give one, that give."""
    open_sides = [sum(lines[side] == FREE for side in around) for around in MICRO_BOARD.sides]
    beside = [[open_sides[box] for box in boxes] for boxes in MICRO_BOARD.beside]
    return bytes(0 if 1 in sides else 2 if 2 in sides else 1 for sides in beside)


KNOWING, COUNTING = LookingAhead(GAME, evaluate, candidates), LookingAhead(GAME, count, candidates)
"""The master, and the one at the hard level."""
