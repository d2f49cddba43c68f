"""Exact figures for the games of dots and lines: move counts, results of all games, values with perfect play.

What each figure rests on stands beside it in `data/`. Figures that take more than a few seconds are part of
`make perft`.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from server.games import AnyGame, load_catalogue
from server.games.dots_and_boxes import GAME, Params, State

CATALOGUE = load_catalogue()
FULL = os.environ.get("PARLOUR_PERFT") == "full"
QUICK_COUNT = 6_000_000
QUICK_LINES = 17
"""A board with more lines than this takes too long to be solved each time."""


def table(name: str) -> list[list[str]]:
    lines = (Path(__file__).parent / "data" / name).read_text("utf-8").splitlines()
    return [[field.strip() for field in line.split("|")] for line in lines if not line.startswith("#")]


def started(name: str, options: str) -> tuple[AnyGame, Any]:
    game = CATALOGUE[name]
    pairs = (pair.split("=") for pair in options.split())
    return game, game.new(game.parse_options({key: int(value) for key, value in pairs}))


def count(game: AnyGame, state: Any, depth: int) -> int:
    moves = game.legal_moves(state)
    return len(moves) if depth == 1 else sum(count(game, game.play(state, move), depth - 1) for move in moves)


COUNTS = [
    pytest.param(name, options, depth, int(nodes), id="-".join([name, *options.split(), str(depth)]))
    for name, options, counts in table("counts.txt")
    for depth, nodes in enumerate(counts.split(), 1)
    if FULL or int(nodes) <= QUICK_COUNT
]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "options", "depth", "nodes"), COUNTS)
def test_moves_are_counted(name: str, options: str, depth: int, nodes: int) -> None:
    assert count(*started(name, options), depth) == nodes


def all_ends(game: AnyGame, state: Any, known: dict[Any, Counter[int | None]]) -> Counter[int | None]:
    """How many ways of going on from `state` end with which winner; who drew the lines does not matter."""
    if over := game.outcome(state):
        return Counter({over.winner: 1})
    key = ("".join("." if owner == "." else "x" for owner in state.lines), state.boxes, state.turn)
    if key not in known:
        known[key] = Counter()
        for move in game.legal_moves(state):
            known[key].update(all_ends(game, game.play(state, move), known))
    return known[key]


@pytest.mark.parametrize(("name", "options", "first", "second", "drawn"), table("ends.txt"))
def test_all_games_are_counted_by_result(name: str, options: str, first: str, second: str, drawn: str) -> None:
    game, state = started(name, options)
    ends = all_ends(game, state, {})
    assert [ends[winner] for winner in (0, 1, None)] == [int(first), int(second), int(drawn)]
    assert ends.total() == math.factorial(len(game.legal_moves(state)))


Bounds = dict[str, tuple[int, int]]
WORST, BEST = -1_000, 1_000


def value(state: State, alpha: int, beta: int, known: Bounds) -> int:
    """Boxes to come for the seat to move, minus those for the other: exact between `alpha` and `beta`, else a bound.

    What has been closed so far and by whom does not matter to what is still to come, so the drawn lines are the key.
    """
    if GAME.to_move(state) is None:
        return 0
    key = state.lines.replace("1", "0")
    low, high = known.get(key, (WORST, BEST))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    at_least, best = alpha, WORST
    for gained, after in next_states(state):
        if gained:
            its_value = gained + value(after, at_least - gained, beta - gained, known)
        else:
            its_value = -value(after, -beta, -at_least, known)
        best = max(best, its_value)
        at_least = max(at_least, best)
        if at_least >= beta:
            break
    known[key] = (best if best > alpha else low, best if best < beta else high)
    return best


def next_states(state: State) -> list[tuple[int, State]]:
    """What each line gains and leads to: first those that close a box, last those that let the opponent close one."""
    owner = str(state.turn)
    found = []
    for move in GAME.legal_moves(state):
        after = GAME.play(state, move)
        found.append((after.boxes.count(owner) - state.boxes.count(owner), after))
    return sorted(found, key=lambda one: -one[0] or gives_away(one[1]))


def gives_away(state: State) -> int:
    """How many boxes have three sides: looked up in the lines as they are kept, row by row."""
    across, stride = state.width - 1, 2 * state.width - 1
    tops = (row * stride + column for row in range(state.height - 1) for column in range(across))
    sides = ((top, top + across, top + across + 1, top + stride) for top in tops)
    return sum([state.lines[side] for side in four].count(".") == 1 for four in sides)


def lines_of(across: int, down: int) -> int:
    return across * (down + 1) + down * (across + 1)


SOLVED = [
    (int(across), int(down), int(its_value))
    for across, down, its_value, _ in table("solved.txt")
    if FULL or lines_of(int(across), int(down)) <= QUICK_LINES
]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("across", "down", "its_value"), SOLVED)
def test_perfect_play_has_its_known_value(across: int, down: int, its_value: int) -> None:
    assert value(GAME.new(Params(across + 1, down + 1)), WORST, BEST, {}) == its_value


def test_brute_force_without_pruning_agrees_on_the_smallest_boards() -> None:
    """The search above leaves lines out; this one looks at every game."""

    def exact(state: State, known: dict[str, int]) -> int:
        if GAME.to_move(state) is None:
            return 0
        key = state.lines.replace("1", "0")
        if key not in known:
            nexts = next_states(state)
            known[key] = max(
                gained + exact(after, known) if gained else -exact(after, known) for gained, after in nexts
            )
        return known[key]

    found = {(w, h): exact(GAME.new(Params(w + 1, h + 1)), {}) for w, h in [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2)]}
    published = {(int(w), int(h)): int(its_value) for w, h, its_value, _ in table("solved.txt")}
    assert found == {size: published[size] for size in found}
