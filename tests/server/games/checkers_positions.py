"""Positions of checkers for tests, as PDN's FEN: the side to move, White's and Black's squares, K for a king."""

from __future__ import annotations

from typing import Literal

import pytest

from protocol.errors import Refusal
from server.games.checkers import GAME, Params, State

Captures = Literal["free", "forced"]
both_ways = pytest.mark.parametrize("captures", ["free", "forced"])


def position(fen: str, captures: Captures = "free", draw_after: int = 80) -> State:
    side, white, black = fen.split(":")
    boards = {"W": 0, "B": 0}
    kings = 0
    for pieces in (white, black):
        for piece in filter(None, pieces[1:].split(",")):
            number = int(piece.removeprefix("K")) - 1
            bit = 1 << number + number // 8
            boards[pieces[0]] |= bit
            kings |= bit if piece.startswith("K") else 0
    return State(Params(captures, draw_after), boards["B"], boards["W"], kings, "BW".index(side))


def played(state: State, moves: str) -> State:
    for move in moves.split():
        state = GAME.play(state, move)
    return state


def refusal(state: State, move: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.play(state, move)
    return caught.value
