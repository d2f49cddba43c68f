"""OpenSpiel's Monte Carlo player at Checkers with forced captures, as an opponent for `make strength`.

    .venv/bin/pip install open_spiel
    python -m tests.bench.strength_openspiel --games 20 --level hard --simulations 1000

OpenSpiel plays hop by hop, with the first player's men at the bottom: squares are turned by half.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from server.bots import players
from server.games import load_catalogue
from tests.bench.strength import Contest

SIDE = 8
CURIOSITY = 2.0
"""`uct_c`, as in OpenSpiel's own example."""
MEMORY_MB = 200
LONGEST = 400


def square(file_and_rank: str) -> str:
    """Our number of their square, such as `a1`."""
    row, column = int(file_and_rank[1]) - 1, SIDE - 1 - "abcdefgh".index(file_and_rank[0])
    return str(4 * row + column // 2 + 1)


def hop(action: str) -> tuple[str, str]:
    """From where to where, in our numbers, of an action of theirs such as `a3b4`."""
    here, there = re.findall("[a-h][1-8]", action)[:2]
    return square(here), square(there)


def one_game(pyspiel: Any, level: str, simulations: int, seat: int, seed: int) -> int | None:
    """The winner's seat, or None; `level` of ours sits on `seat`."""
    ours, theirs = load_catalogue()["checkers"], pyspiel.load_game("checkers")
    state, mirror = ours.new(ours.parse_options({"captures": "forced"})), theirs.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(
        theirs, evaluator, CURIOSITY, simulations, MEMORY_MB, True, seed, False, pyspiel.ChildSelectionPolicy.UCT
    )
    for ply in range(LONGEST):
        mover = ours.to_move(state)
        if mover is None or mirror.is_terminal():
            break
        if mover == seat:
            move = players.choose(ours, state, level, seed * LONGEST + ply)
            path = re.split("[-x]", move)
            for wanted in pairwise(path):
                mirror.apply_action(
                    next(one for one in mirror.legal_actions() if hop(mirror.action_to_string(one)) == wanted)
                )
        else:
            path = []
            while not mirror.is_terminal() and mirror.current_player() == mover:
                action = bot.step(mirror)
                here, there = hop(mirror.action_to_string(action))
                path = path or [here]
                path.append(there)
                mirror.apply_action(action)
            jumps = not any(move == "-".join(path) for move in ours.legal_moves(state))
            move = ("x" if jumps else "-").join(path)
        state = ours.play(state, move)
    outcome = ours.outcome(state)
    return outcome.winner if outcome is not None else None


def main(arguments: Sequence[str]) -> None:
    """Plays, and prints a row of the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--level", default="hard")
    parser.add_argument("--simulations", type=int, default=1_000)
    given = parser.parse_args(arguments)
    pyspiel, found = importlib.import_module("pyspiel"), Contest()
    for number in range(given.games):
        winner = one_game(pyspiel, given.level, given.simulations, number % 2, number)
        found.drawn += winner is None
        found.won += winner == number % 2
        found.lost += winner == 1 - number % 2
    opponent = f"OpenSpiel MCTS {given.simulations:,}"
    print(f"| checkers forced | {given.level} | {opponent} | {found.games} | {found} |")


if __name__ == "__main__":
    main(sys.argv[1:])
