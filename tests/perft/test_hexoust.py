"""Move counts of HexOust: no published ones are known, so these were computed once and checked otherwise.

By hand: the first stone has every cell, the second every cell but that one. The third stone has every cell that is
free and touches no own stone, and those beside the own stone that capture: `third_stones` sums them up. All counts on
the two small boards were also computed with the naive oracle, which does one of them again here. A pass would count.
"""

from __future__ import annotations

from copy import deepcopy

import pytest

from server.games.hexoust import GAME, Params, State
from tests.server.games.oracles.hexoust import HexOust, touching

COUNTS = {
    3: (19, 342, 4_878, 63_504, 753_924),
    4: (37, 1_332, 41_496, 1_251_624),
    7: (127, 16_002, 1_919_706),
}


def count(state: State, depth: int) -> int:
    moves = GAME.legal_moves(state)
    return len(moves) if depth == 1 else sum(count(GAME.play(state, move), depth - 1) for move in moves)


def count_by_oracle(game: HexOust, depth: int) -> int:
    if depth == 1:
        return len(game.moves)
    nodes = 0
    for move in game.moves:
        after = deepcopy(game)
        after.play(move)
        nodes += count_by_oracle(after, depth - 1)
    return nodes


def third_stones(side: int) -> int:
    """Summed over all first and second stones: free cells not beside RED's stone, and captures beside it.

    A cell beside RED's stone captures when the pair then touches BLUE's single stone.
    """
    near = touching(side)
    nodes = 0
    for red, beside in near.items():
        for blue in near:
            if blue != red:
                nodes += sum(cell not in (red, blue) and cell not in beside for cell in near)
                nodes += sum(cell != blue and (blue in beside or blue in near[cell]) for cell in beside)
    return nodes


def test_the_first_stone_has_127_cells() -> None:
    assert count(GAME.new(Params()), 1) == 127


@pytest.mark.parametrize(
    ("side", "depth", "nodes"),
    [(side, depth, nodes) for side, counts in COUNTS.items() for depth, nodes in enumerate(counts, 1)],
)
def test_move_counts_from_the_start(side: int, depth: int, nodes: int) -> None:
    assert count(GAME.new(Params(side)), depth) == nodes


@pytest.mark.parametrize("side", [3, 4, 7])
def test_move_counts_of_the_third_stone_by_closed_form(side: int) -> None:
    assert third_stones(side) == COUNTS[side][2]


def test_move_counts_by_the_oracle() -> None:
    assert count_by_oracle(HexOust(3), 4) == COUNTS[3][3]


def test_the_pie_rule_adds_one_second_move() -> None:
    assert count(GAME.new(Params(3, pie=True)), 2) == 342 + 19
