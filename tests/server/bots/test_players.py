"""Every level of every game: legal, the same for the same seed, and as clever as it says."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.bots import players
from server.bots.searching import search
from server.games import AnyGame, load_catalogue
from server.games.levels import LEVELS
from server.games.square import AS_DOCUMENTED
from tests.server.games.plays import random_game
from tests.server.games.test_adding_a_game import example

CATALOGUE = load_catalogue()
GAMES = [game for game in CATALOGUE.values() if game.levels]
SHARE = 0.02
"""Of each level's budget: what is looked at here does not depend on how much of it there is."""


def every(game: AnyGame, of: int) -> list[Any]:
    """Some states of a game by lot."""
    steps = [step.before for step in random_game(game, game.parse_options({}), Random(5))]
    return steps[:: max(1, len(steps) // of)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_level_is_legal_and_the_same_for_the_same_seed(game: AnyGame) -> None:
    for level in [*(level.name for level in game.levels), ""]:
        for state in every(game, 3):
            move = players.choose(game, state, level, 9, SHARE)
            assert move in game.legal_moves(state)
            assert move == players.choose(game, state, level, 9, SHARE)


def test_five_levels_by_name_and_one_of_squares_own() -> None:
    """SQ5: the document's steps are a level, and what an old match plays."""
    for game in GAMES:
        assert game.levels[:5] == LEVELS
    square = CATALOGUE["square"]
    assert square.levels[5:] == (AS_DOCUMENTED,)
    assert square.choose is not None
    for state in every(square, 12):
        documented = square.choose(state, Random(4))
        assert players.choose(square, state, "document", 4) == documented == players.choose(square, state, "", 4)


def test_a_level_that_a_game_does_not_have_is_an_error() -> None:
    game = CATALOGUE["checkers"]
    with pytest.raises(ValueError, match="no level 'document'"):
        players.choose(game, game.new(game.parse_options({})), "document", 1)


def after(game: AnyGame, moves: str, **options: Any) -> Any:
    state = game.new(game.parse_options(options))
    for move in moves.split():
        state = game.play(state, move)
    return state


def test_a_beginner_sees_a_win_and_mostly_what_can_be_taken() -> None:
    """Never loses on purpose: a win at once is always taken, a box in three of four times at least."""
    dots = CATALOGUE["dots-and-boxes"]
    last = after(dots, "a1-b1 a1-a2 b1-b2", width=2, height=2)
    assert {players.choose(dots, last, "beginner", seed) for seed in range(20)} == {"a2-b2"}
    open_box = after(dots, "a1-b1 a1-a2 b1-b2", width=4, height=4)
    taken = sum(players.choose(dots, open_box, "beginner", seed) == "a2-b2" for seed in range(200))
    assert taken > 140


# Games of authors -----------------------------------------------------------------------------------------------------


@pytest.fixture(params=["choose", "lots", "evaluate"])
def authored(request: pytest.FixtureRequest, tmp_path: Path) -> AnyGame:
    """Tic-tac-toe of the docs: as it is there, without a player, and without one but with what a position is worth."""
    code = example()
    if request.param != "choose":
        code = code.replace("    choose=choose,\n", "")
    if request.param == "evaluate":
        code = code.replace("    status=status,\n", "    status=status,\n    evaluate=lambda state: 0,\n")
    (tmp_path / "tic_tac_toe.py").write_text(code, "utf-8")
    return load_catalogue(tmp_path)["tic-tac-toe"]


def test_a_game_that_gives_no_player_has_all_levels(authored: AnyGame) -> None:
    assert authored.info().computer
    for level in authored.levels:
        for state in every(authored, 9):
            assert players.choose(authored, state, level.name, 3, SHARE) in authored.legal_moves(state)


@pytest.mark.parametrize("moves", ["a1 b2 a2", "b2 a1 c1", "a1 b2 c3"])
def test_the_general_search_defends(authored: AnyGame, moves: str) -> None:
    """Whoever may lose at once does not; from a corner to the far corner only an edge holds."""
    holds = {"a1 b2 a2": {"a3"}, "b2 a1 c1": {"a3"}, "a1 b2 c3": {"b1", "a2", "c2", "b3"}}[moves]
    state = after(authored, moves)
    assert {search(authored, state, Random(seed), 4_000) for seed in range(3)} <= holds


def test_the_general_search_wins_against_play_by_lot(authored: AnyGame) -> None:
    """Or draws where that cannot be helped; ten games from either seat."""
    for number in range(10):
        rng, state = Random(number), after(authored, "")
        while (seat := authored.to_move(state)) is not None:
            by_lot = seat != number % 2
            move = rng.choice(authored.legal_moves(state)) if by_lot else search(authored, state, rng, 600)
            state = authored.play(state, move)
        outcome = authored.outcome(state)
        assert outcome is not None
        assert outcome.winner in (None, number % 2)
