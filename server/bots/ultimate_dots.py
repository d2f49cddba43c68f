"""A strong player of Ultimate Dots and Boxes: looks ahead, and counts what the player to move has in reach."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from server.bots.searching import judge_ahead, look_ahead
from server.bots.verdict import Verdict
from server.games._boxes import FREE, OWNERS, haul
from server.games.levels import HARD, MASTER
from server.games.ultimate_dots import BOARD, BOXES, BOXES_OF, GAME, ROWS, TO_WIN, State, open_micro_games

PLAYS = {HARD: 5_000, MASTER: 35_000}
"""Moves played for each move."""
BOX, MICRO_GAME, PAIR = 4, 30, 24
"""What each is worth: a box of an unfinished micro game, a micro game, and two in a row whose third is open."""


def choose(state: State, rng: Random, plays: int) -> str:
    """The best line found by playing so many."""
    return look_ahead(GAME, state, rng, plays, evaluate, candidates)


def judge(state: State, rng: Random, plays: int) -> Verdict:
    """The same line, and who stands better."""
    return judge_ahead(GAME, state, rng, plays, evaluate, candidates)


def evaluate(state: State) -> int:
    """How much better seat 0 stands, with what the seat to move takes at once."""
    value = 0
    for micro, owner in enumerate(state.won):
        if owner == FREE:
            part = state.boxes[BOXES * micro : BOXES * (micro + 1)]
            value += BOX * (part.count("0") - part.count("1"))
    value += MICRO_GAME * (state.won.count("0") - state.won.count("1"))
    for row in ROWS:
        owners = [state.won[micro] for micro in row]
        if FREE in owners:
            value += PAIR * ((owners.count("0") == 2) - (owners.count("1") == 2))
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
        return BOX * taken
    worth = BOX * taken + MICRO_GAME
    for row in ROWS:
        if micro in row:
            mine = sum(state.won[other] == OWNERS[state.turn] for other in row if other != micro)
            worth += 1_000 if mine == 2 else PAIR if mine == 1 else 0
    return worth


def candidates(state: State, moves: Sequence[str], _first: bool) -> list[str]:
    """The moves to look at, the likely best first: what closes boxes, then what gives none away."""

    def rank(move: str) -> int:
        free = [
            sum(state.lines[side] == FREE for side in BOARD.sides[box]) for box in BOARD.beside[BOARD.numbers[move]]
        ]
        return 0 if 1 in free else 2 if 2 in free else 1

    return sorted(moves, key=rank)
