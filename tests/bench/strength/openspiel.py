"""OpenSpiel's Monte Carlo player at Checkers with forced captures.

It comes with `.venv/bin/pip install open_spiel`. OpenSpiel plays hop by hop, with the first player's men at the bottom:
squares are turned by half.
"""

from __future__ import annotations

import importlib
import re
from itertools import pairwise
from typing import Any

from server.games import AnyGame
from tests.bench.strength.contest import Player

SIDE = 8
CURIOSITY = 2.0
"""`uct_c`, as in OpenSpiel's own example."""
MEMORY_MB = 200
SIMULATIONS = 1_000


class OpenSpiel(Player):
    """Its `MCTSBot` with random playouts."""

    def __init__(self, simulations: int = SIMULATIONS) -> None:
        self.name = f"OpenSpiel MCTS {simulations:,}"
        self._simulations = simulations
        self._spiel: Any = importlib.import_module("pyspiel")
        self._game = self._spiel.load_game("checkers")

    def begin(self, game: AnyGame, options: dict[str, Any], seat: int, seed: int) -> None:
        self._mirror = self._game.new_initial_state()
        evaluator = self._spiel.RandomRolloutEvaluator(1, seed)
        self._bot = self._spiel.MCTSBot(
            self._game, evaluator, CURIOSITY, self._simulations, MEMORY_MB, True, seed, False,
            self._spiel.ChildSelectionPolicy.UCT,
        )  # fmt: skip

    def choose(self, game: AnyGame, state: Any, seed: int) -> str:
        ahead, mover = self._mirror.clone(), self._mirror.current_player()
        path: list[str] = []
        while not ahead.is_terminal() and ahead.current_player() == mover:
            action = self._bot.step(ahead)
            here, there = hop(ahead.action_to_string(action))
            path = [*(path or [here]), there]
            ahead.apply_action(action)
        return next(joined for joined in ("-".join(path), "x".join(path)) if joined in game.legal_moves(state))

    def saw(self, game: AnyGame, state: Any, move: str) -> None:
        for wanted in pairwise(re.split("[-x]", move)):
            actions = self._mirror.legal_actions()
            self._mirror.apply_action(next(one for one in actions if hop(self._mirror.action_to_string(one)) == wanted))

    def ended(self) -> bool:
        terminal: bool = self._mirror.is_terminal()  # it counts moves without a capture in its own way
        return terminal


def square(file_and_rank: str) -> str:
    """Our number of their square, such as `a1`."""
    row, column = int(file_and_rank[1]) - 1, SIDE - 1 - "abcdefgh".index(file_and_rank[0])
    return str(4 * row + column // 2 + 1)


def hop(action: str) -> tuple[str, str]:
    """From where to where, in our numbers, of an action of theirs such as `a3b4`."""
    here, there = re.findall("[a-h][1-8]", action)[:2]
    return square(here), square(there)
