"""Samuel, a program of English draughts by John Cheetham, from GUI Checkers: `samuel` on PyPI (an extension in C++).

    .venv/bin/pip install setuptools && CFLAGS=-fpermissive .venv/bin/pip install --no-build-isolation samuel

Its engine takes a position as FEN and leaves the one after its move; the move is ours that leads there. It captures
whenever it can, also where ours need not. Its books of openings and endgames are used as it ships them.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from server.games import AnyGame
from server.games._draughts import BITS
from tests.bench.strength.contest import Player

DEPTH = 8
MOST_S = 60
"""For one move; the depth is what ends it."""
BY_DEPTH = 3
"""Its level at which depth and time are as given."""


class Samuel(Player):
    """Its search to a fixed depth."""

    def __init__(self, depth: int = DEPTH) -> None:
        self.name = f"samuel, depth {depth}"
        self._engine: Any = importlib.import_module("samuel.engine")
        data = Path(sys.prefix) / "share/samuel/data"
        quiet = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            self._engine.init(*(str(data / name) for name in ("opening.gbk", "2pc.cdb", "3pc.cdb", "4pc.cdb")))
        finally:
            os.dup2(quiet, 1)
        self._engine.setlevel(BY_DEPTH, depth, MOST_S)

    def begin(self, game: AnyGame, options: dict[str, Any], seat: int, seed: int) -> None:
        self._engine.newgame()

    def choose(self, game: AnyGame, state: Any, seed: int) -> str:
        side = 1 + state.turn
        self._engine.setposfromFEN(fen(state))
        self._engine.setcomputercolour(side)
        self._engine.cmove(str(side))
        wanted = pieces(self._engine.getFEN())
        return next(move for move in game.legal_moves(state) if pieces(fen(game.play(state, move))) == wanted)


def fen(state: Any) -> str:
    """A position of ours as Samuel reads it."""

    def side(mask: int) -> str:
        return ",".join("K" * bool(state.kings & bit) + name for name, bit in BITS.items() if mask & bit)

    return f"{'BW'[state.turn]}:W{side(state.white)}:B{side(state.black)}."


def pieces(position: str) -> tuple[frozenset[str], frozenset[str]]:
    """White's and black's pieces in a FEN, kings with a K."""
    white, black = position.rstrip(".").split(":")[1:]
    return frozenset(white[1:].split(",")), frozenset(black[1:].split(","))
