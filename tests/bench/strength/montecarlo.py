"""A Monte Carlo player like OpenSpiel's (UCT, one random playout for a node), over the rules of any game of ours.

It thinks for a time and not for a count, so its games are not the same again.
"""

from __future__ import annotations

import math
import time
from random import Random
from typing import Any

from server.games import AnyGame
from tests.bench.strength.contest import LONGEST, Player

CURIOSITY = 2.0
"""OpenSpiel's `uct_c`."""
SECONDS = 1.0


class _Node:
    """A state after a move: how often it was looked at, and what came of it for who made the move."""

    __slots__ = ("children", "mover", "points", "state", "untried", "visits")

    def __init__(self, game: AnyGame, state: Any, mover: int | None, rng: Random) -> None:
        self.state, self.mover = state, mover
        self.visits, self.points = 0, 0.0
        self.children: dict[str, _Node] = {}
        self.untried = [] if game.to_move(state) is None else list(game.legal_moves(state))
        rng.shuffle(self.untried)

    def best(self) -> _Node:
        """The child to look at next."""
        log = math.log(self.visits)
        return max(
            self.children.values(),
            key=lambda one: one.points / one.visits + CURIOSITY * math.sqrt(log / one.visits),
        )


class MonteCarlo(Player):
    """Thinks for `seconds` of CPU time a move."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.name = f"Monte Carlo, {seconds:g} s"
        self._seconds = seconds

    def choose(self, game: AnyGame, state: Any, seed: int) -> str:
        rng = Random(seed)
        root = _Node(game, state, None, rng)
        until = time.process_time() + self._seconds
        while time.process_time() < until or not root.visits:
            _look(game, root, rng)
        return max(root.children, key=lambda move: root.children[move].visits)


def _look(game: AnyGame, root: _Node, rng: Random) -> None:
    path = [root]
    while not path[-1].untried and path[-1].children:
        path.append(path[-1].best())
    if path[-1].untried:
        here, move = path[-1], path[-1].untried.pop()
        here.children[move] = _Node(game, game.play(here.state, move), game.to_move(here.state), rng)
        path.append(here.children[move])
    winner = _played_out(game, path[-1].state, rng)
    for node in path:
        node.visits += 1
        node.points += 0.0 if winner is None else 1.0 if winner == node.mover else -1.0


def _played_out(game: AnyGame, state: Any, rng: Random) -> int | None:
    for _ in range(LONGEST):
        if game.to_move(state) is None:
            break
        state = game.play(state, rng.choice(game.legal_moves(state)))
    outcome = game.outcome(state)
    return None if outcome is None else outcome.winner
