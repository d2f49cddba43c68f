"""Positions of HexOust for tests, by the cells of the stones."""

from __future__ import annotations

import pytest

from protocol.errors import Refusal
from server.games.hexoust import GAME, Params, State


def position(red: str = "", blue: str = "", turn: int = 0, side: int = 7) -> State:
    params = Params(side)
    cells = [cell.id for cell in GAME.board(params).cells]
    stones = [sum(1 << len(cells) - 1 - cells.index(cell) for cell in colour.split()) for colour in (red, blue)]
    return State(params, f"{stones[0]:x}", f"{stones[1]:x}", turn)


def played(state: State, moves: str) -> State:
    for move in moves.split():
        state = GAME.play(state, move)
    return state


def refusal(state: State, move: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.play(state, move)
    return caught.value


def stones(state: State, seat: int) -> set[str]:
    return {cell for cell, mark in GAME.marks(state).items() if mark.seat == seat}
