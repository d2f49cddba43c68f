"""The examples of the games that the page's first screen shows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocol.text import translator
from server.games import load_catalogue
from server.http.examples import PLIES, examples

CATALOGUE = load_catalogue()


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """All examples by game."""
    return {one["game"]: one for one in json.loads(examples(CATALOGUE, translator("en", "")))}


def test_every_game_on_offer_has_one(told: dict[str, Any]) -> None:
    assert set(told) == set(CATALOGUE)


@pytest.mark.parametrize("game", CATALOGUE)
def test_an_example_is_a_match_that_could_be_played(told: dict[str, Any], game: str) -> None:
    """What its moves change leads to what the rules say of the position after them."""
    rules, one = CATALOGUE[game], told[game]
    assert 4 <= len(one["moves"]) <= PLIES
    preset = rules.presets[len(rules.presets) // 2].options if rules.presets else {}
    state = rules.new(rules.parse_options(preset))
    marks = dict(one["marks"])
    for move in one["moves"]:
        assert move["seat"] == rules.to_move(state)
        state = rules.play(state, move["move"])
        marks = {id_: mark for id_, mark in {**marks, **move["changes"]}.items() if mark is not None}
    assert marks == {id_: [mark.seat, mark.piece] for id_, mark in rules.marks(state).items()}


def test_they_are_small_enough_for_a_first_page() -> None:
    assert len(examples(CATALOGUE, translator("en", ""))) < 60_000
