"""How strong the computer is: level against level, and against programs that others wrote. `make strength`.

    python -m tests.bench.strength [--games 200] [--only checkers,square] [--against levels]

Each contest is played from either seat in turn, with another seed for each game; the same command gives the same games
again. The interval is Wilson's for 95 %. A draw counts as half a win.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from server.bots import players
from server.games import AnyGame, load_catalogue
from server.games.levels import LEVELS

CATALOGUE = load_catalogue()
CONFIDENCE = 1.96
LONGEST = 1_000
"""Plies; a game that lasts longer is a draw."""
BOARDS: dict[str, Sequence[dict[str, Any]]] = {
    "checkers": ({"captures": "free"}, {"captures": "forced"}),
    "dots-and-boxes": ({"width": 4, "height": 4}, {"width": 6, "height": 6}, {}),
    "hexoust": ({"side": 5}, {}),
    "square": ({},),
    "ultimate-dots-and-boxes": ({},),
}

Player = Callable[[AnyGame, Any, int], str]
"""The move in a state, with a seed."""


@dataclass
class Contest:
    """The games of one player against another one, as the first of them sees it."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """CPU time of each move, by player."""

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points of those that there were."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's, of the share."""
        return wilson(self.share, self.games)

    def __str__(self) -> str:
        low, high = self.interval()
        return f"+{self.won} ={self.drawn} -{self.lost} | {self.share:.0%} ({low:.0%} to {high:.0%})"


def wilson(share: float, games: int) -> tuple[float, float]:
    """The interval in which the true share lies, with 95 % confidence."""
    if not games:
        return 0.0, 1.0
    z2 = CONFIDENCE**2 / games
    middle = (share + z2 / 2) / (1 + z2)
    half = CONFIDENCE * math.sqrt(share * (1 - share) / games + z2 / 4 / games) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)


def level(name: str) -> Player:
    """The computer at one of its levels."""
    return lambda game, state, seed: players.choose(game, state, name, seed)


def contest(
    game: AnyGame, options: dict[str, Any], first: tuple[str, Player], second: tuple[str, Player], games: int
) -> Contest:
    """`games` games, `first` on either seat in turn."""
    found = Contest()
    for number in range(games):
        seat = number % 2
        winner = one_game(game, options, (first, second) if seat == 0 else (second, first), number, found.seconds)
        if winner is None:
            found.drawn += 1
        elif winner == seat:
            found.won += 1
        else:
            found.lost += 1
    return found


def one_game(
    game: AnyGame,
    options: dict[str, Any],
    seated: tuple[tuple[str, Player], tuple[str, Player]],
    seed: int,
    seconds: dict[str, list[float]] | None = None,
) -> int | None:
    """The winner's seat, or None."""
    state = game.new(game.parse_options(options))
    for ply in range(LONGEST):
        seat = game.to_move(state)
        if seat is None:
            break
        name, player = seated[seat]
        began = time.process_time()
        move = game.automatic(state) or player(game, state, seed * LONGEST + ply)
        if seconds is not None:
            seconds.setdefault(name, []).append(time.process_time() - began)
        state = game.play(state, move)
    outcome = game.outcome(state)
    return outcome.winner if outcome is not None else None


def ladder(names: Sequence[str], games: int, upto: Sequence[str]) -> None:
    """Each level against the one below, on the boards of each game."""
    levels = [known.name for known in LEVELS]
    print("| game | level | against | games | result | share (95 %) | ms a move, mean and longest |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        for options in BOARDS.get(name, ({},)):
            for lower, higher in pairwise(levels):
                if upto and higher not in upto:
                    continue
                sides = (higher, level(higher)), (lower, level(lower))
                found = contest(CATALOGUE[name], options, *sides, games)
                took = [1000 * one for one in found.seconds[higher]]
                size = " ".join(str(value) for value in options.values())
                row = f"| {name} {size} | {higher} | {lower} | {found.games} | {found} |"
                print(row, f"{sum(took) / len(took):.1f}, {max(took):.0f} |", flush=True)


def main(arguments: Sequence[str]) -> None:
    """Plays, and prints the table."""
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200, help="of each contest")
    parser.add_argument("--only", default=",".join(CATALOGUE), help="games, joined by commas")
    parser.add_argument("--levels", default="", help="the higher levels of the contests, joined by commas; else all")
    given = parser.parse_args(arguments)
    ladder(given.only.split(","), given.games, [name for name in given.levels.split(",") if name])


if __name__ == "__main__":
    main(sys.argv[1:])
