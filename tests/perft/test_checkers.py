"""Exact move counts of checkers with forced captures, and recorded games of English draughts replayed.

The counts are those of English draughts from the start, as published by Aart Bik ("Computing deep perft and divide
numbers for checkers") and others. A chain of jumps is one move, and two chains that end alike are two. The recorded
games' sources are named in the data file itself.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from server.games.checkers import GAME, Params, State

COUNTS = (7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931)
DEEPEST, DEEPEST_COUNT = 9, 3_963_680
RECORDED = json.loads((Path(__file__).parent / "data" / "checkers_games.json").read_text())


def count(state: State, depth: int) -> int:
    moves = GAME.legal_moves(state)
    return len(moves) if depth == 1 else sum(count(GAME.play(state, move), depth - 1) for move in moves)


def start() -> State:
    return GAME.new(Params(captures="forced", draw_after=0))


@pytest.mark.parametrize(("depth", "nodes"), list(enumerate(COUNTS, 1)))
def test_ru_ck3_move_counts_from_the_start(depth: int, nodes: int) -> None:
    assert count(start(), depth) == nodes


@pytest.mark.skipif(os.environ.get("PARLOUR_PERFT") != "full", reason="part of make perft")
def test_ru_ck3_move_count_at_full_depth() -> None:
    assert count(start(), DEEPEST) == DEEPEST_COUNT


def test_the_first_moves_are_the_same_when_captures_are_free() -> None:
    """Two plies in, nothing can be jumped yet; checked by hand."""
    free = GAME.new(Params())
    assert [count(free, depth) for depth in (1, 2)] == [7, 49]


def test_there_are_400_recorded_games() -> None:
    assert len(RECORDED["games"]) == 400
    assert RECORDED["sources"]


@pytest.mark.parametrize("game", RECORDED["games"], ids=lambda game: game["id"])
def test_a_recorded_game_replays_to_its_end(game: dict[str, Any]) -> None:
    state = GAME.new(GAME.parse_options(game["options"]))
    for move, legal in zip(game["moves"].split(), game["legal"], strict=True):
        moves = GAME.legal_moves(state)
        assert len(moves) == legal
        assert move in moves
        state = GAME.play(state, move)
