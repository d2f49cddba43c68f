"""Contests of two players: each game with another seed, from either seat in turn, and what came of them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

from server.bots import players
from server.games import AnyGame

CONFIDENCE = 1.96
LONGEST = 1_000
"""Plies; a game that lasts longer is a draw."""


class Player:
    """Somebody who plays games of one kind, one after another. This much is enough for who needs no memory."""

    name: str

    def begin(self, game: AnyGame, options: dict[str, Any], seat: int, seed: int) -> None:
        """A game begins; this player has that seat."""

    def choose(self, game: AnyGame, state: Any, seed: int) -> str:
        """The move in a state in which it is this player's turn."""
        raise NotImplementedError

    def saw(self, game: AnyGame, state: Any, move: str) -> None:
        """`move` is played in `state`, by either."""

    def ended(self) -> bool:
        """Whether the game is a draw by a rule that this player has and the game does not."""
        return False


class Level(Player):
    """The computer at one of its levels, with `share` of that level's budget."""

    def __init__(self, name: str, share: float = 1.0) -> None:
        self.name = name
        self._share = share

    def choose(self, game: AnyGame, state: Any, seed: int) -> str:
        return players.choose(game, state, self.name, seed, self._share)


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


def contest(game: AnyGame, options: dict[str, Any], first: Player, second: Player, games: int) -> Contest:
    """`games` games, `first` on either seat in turn."""
    found = Contest()
    for number in range(games):
        seat = number % 2
        seated = (first, second) if seat == 0 else (second, first)
        winner = one_game(game, options, seated, number, found.seconds)
        found.drawn += winner is None
        found.won += winner == seat
        found.lost += winner == 1 - seat
    return found


def one_game(
    game: AnyGame,
    options: dict[str, Any],
    seated: tuple[Player, Player],
    seed: int,
    seconds: dict[str, list[float]] | None = None,
) -> int | None:
    """The winner's seat, or None."""
    for seat, player in enumerate(seated):
        player.begin(game, options, seat, seed)
    state = game.new(game.parse_options(options))
    for ply in range(LONGEST):
        mover = game.to_move(state)
        if mover is None:
            break
        if any(player.ended() for player in seated):
            return None
        player = seated[mover]
        began = time.process_time()
        move = game.automatic(state) or player.choose(game, state, seed * LONGEST + ply)
        if seconds is not None:
            seconds.setdefault(player.name, []).append(time.process_time() - began)
        for one in seated:
            one.saw(game, state, move)
        state = game.play(state, move)
    outcome = game.outcome(state)
    return outcome.winner if outcome is not None else None
