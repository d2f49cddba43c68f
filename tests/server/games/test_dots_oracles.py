"""L18: the three games of dots and lines agree with an independent oracle at every ply of random games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from server.games import AnyGame, dots_and_boxes, square, ultimate_dots
from tests.forms import FUZZ
from tests.server.games.oracles.dots import OneSheet, Ultimate

pytestmark = pytest.mark.fuzz
GAMES = 10_000 if FUZZ else 200
PARTS = 5

in_parts = pytest.mark.parametrize("part", range(PARTS))


def marks(game: AnyGame, state: Any) -> dict[str, tuple[int | None, str]]:
    return {id_: (mark.seat, mark.piece.value) for id_, mark in game.marks(state).items()}


def agree_on_moves(game: AnyGame, state: Any, legal: set[str], turn: int) -> list[str]:
    moves = list(game.legal_moves(state))
    assert len(moves) == len(legal)
    assert set(moves) == legal
    assert game.to_move(state) == turn
    return moves


@pytest.mark.timeout(1800)
@in_parts
def test_l18_dots_and_boxes(part: int) -> None:
    """Boards of 2 to 6 dots either way, and the standard one in every tenth game."""
    for number in range(part, GAMES, PARTS):
        rng = Random(number)
        width, height = (8, 8) if number // PARTS % 10 == 0 else (rng.randint(2, 6), rng.randint(2, 6))
        game, oracle = dots_and_boxes.GAME, OneSheet(width, height, closing_moves_again=True)
        state = game.new(dots_and_boxes.Params(width, height))
        while (result := oracle.result()) is None:
            move = rng.choice(agree_on_moves(game, state, oracle.legal(), oracle.turn))
            state = game.play(state, move)
            oracle.play(move)
            assert game.scores(state) == ((oracle.sheet.owned_by(0),), (oracle.sheet.owned_by(1),))
        assert marks(game, state) == oracle.sheet.shown()
        over = game.outcome(state)
        assert over is not None
        assert (game.to_move(state), list(game.legal_moves(state))) == (None, [])
        winner, *boxes = result
        words = "Draw" if winner is None else f"Player {winner + 1} wins"
        assert over.winner == winner
        assert str(over.text) == f"{words}, {max(boxes)} - {min(boxes)}"


@in_parts
def test_l18_square(part: int) -> None:
    for number in range(part, GAMES, PARTS):
        rng = Random(number)
        game, oracle = square.GAME, OneSheet(3, 3, closing_moves_again=False)
        state = game.new(square.Params())
        while (result := oracle.result()) is None:
            move = rng.choice(agree_on_moves(game, state, oracle.legal(), oracle.turn))
            state = game.play(state, move)
            oracle.play(move)
            shown = {
                id_: (None if piece == "line" else who, piece) for id_, (who, piece) in oracle.sheet.shown().items()
            }
            assert marks(game, state) == shown
        over = game.outcome(state)
        assert over is not None
        assert game.to_move(state) is None
        winner, x, o = result
        assert over.winner == winner
        assert str(over.text) == (f"It is a draw: {x} - {o}" if winner is None else f"Winner is: {'XO'[winner]}")


@pytest.mark.timeout(3600)
@in_parts
def test_l18_ultimate_dots_and_boxes(part: int) -> None:
    reasons = set()
    for number in range(part, GAMES, PARTS):
        rng = Random(number)
        game, oracle = ultimate_dots.GAME, Ultimate()
        state = game.new(ultimate_dots.Params())
        while (result := oracle.result()) is None:
            assert game.focus(state) == tuple(str(sheet) for sheet in sorted(oracle.open()))
            move = rng.choice(agree_on_moves(game, state, oracle.legal(), oracle.turn))
            state = game.play(state, move)
            oracle.play(move)
        assert marks(game, state) == oracle.shown()
        over = game.outcome(state)
        assert over is not None
        assert game.to_move(state) is None
        assert (over.winner, over.reason) == result
        reasons.add(over.reason)
    assert len(reasons) == 2, "both ways to win the match were met"
