"""Moves spelt from what was touched, and what to touch for a move: over the legal moves of every game."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.board import spell, touched
from tests.server.games.plays import CASES, Case, random_game

GAMES = 3


@pytest.mark.parametrize("case", CASES, ids=str)
def test_spell_and_touched_are_inverse_for_legal_moves(case: Case) -> None:
    """A client that touches what a move is made of sends that move; jumps (`x`) are told by the legal moves alone."""
    board = case.game.board(case.params)
    ids = {e.id for kind in (board.dots, board.lines, board.cells, board.regions) for e in kind}
    seen = 0
    for seed in range(GAMES):
        for step in random_game(case.game, case.params, Random(seed)):
            for move in case.game.legal_moves(step.before):
                elements = touched(move)
                seen += 1
                if "x" in move.rpartition(":")[2]:
                    assert touched(spell(elements)) == elements
                else:
                    assert spell(elements) == move
                assert set(elements) <= ids or elements == (move,), move
    assert seen


element = st.builds("{}{}".format, st.sampled_from("abcdefghijklmnop"), st.integers(1, 15))
region = st.sampled_from("123456789")


@given(st.lists(element, min_size=1, max_size=6))
def test_without_a_region(elements: list[str]) -> None:
    assert touched(spell(elements)) == tuple(elements)


@given(region, st.lists(element, min_size=1, max_size=6))
def test_within_one_region(name: str, elements: list[str]) -> None:
    inside = tuple(f"{name}:{element}" for element in elements)
    assert spell(inside) == f"{name}:" + "-".join(elements)
    assert touched(spell(inside)) == inside


def test_across_regions_is_spelt_out() -> None:
    """It is never legal, but the server shall have the words for it."""
    assert spell(["5:d1", "6:a1"]) == "5:d1-6:a1"
    assert spell(["5:d1", "a1"]) == "5:d1-a1"
