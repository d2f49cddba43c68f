"""Contests of two players: each game with another seed, from either seat in turn, and what came of them."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from server.bots import players
from server.games import AnyGame
from tests.bench.strength.theory import DRAWN, WORTH

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
    """CPU time of each of the first player's moves, by its name."""
    theoretical: float | None = None
    """The first player's theoretical points in all games; None where the game is not solved."""

    @property
    def points(self) -> float:
        """A draw is half of one."""
        return self.won + DRAWN * self.drawn

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points of those that there were."""
        return self.points / self.games if self.games else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's, of the share."""
        return wilson(self.share, self.games)

    def __str__(self) -> str:
        share = _with_interval(self.share, self.games)
        if self.theoretical:
            # Who gets all that there was to get plays perfectly: each theoretical point is one trial.
            share += f"; of the theoretical points {_with_interval(self.points / self.theoretical, self.theoretical)}"
        return f"+{self.won} ={self.drawn} -{self.lost} | {share}"


def _with_interval(share: float, trials: float) -> str:
    low, high = wilson(share, trials)
    return f"{share:.0%} ({low:.0%} to {high:.0%})"


def wilson(share: float, games: float) -> tuple[float, float]:
    """The interval in which the true share lies, with 95 % confidence."""
    if not games:
        return 0.0, 1.0
    z2 = CONFIDENCE**2 / games
    middle = (share + z2 / 2) / (1 + z2)
    half = CONFIDENCE * math.sqrt(share * (1 - share) / games + z2 / 4 / games) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)


class Played(msgspec.Struct):
    """One game of a contest: the first player's points (1, 0.5 or 0), the CPU time of each of its moves, and its
    theoretical points (None where the game is not solved)."""

    row: str
    number: int
    points: float
    seconds: list[float]
    theoretical: float | None = None


class Kept:
    """Games of contests, a line of JSON each in a file, so that a run that is broken off goes on where it was."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_bytes().splitlines() if path.exists() else []
        games = [msgspec.json.decode(line, type=Played) for line in lines]
        self._games = {(game.row, game.number): game for game in games}

    def get(self, row: str, number: int) -> Played | None:
        """That game, if it was played."""
        return self._games.get((row, number))

    def add(self, game: Played) -> None:
        """Keep one more."""
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(game) + b"\n")


def contest(
    game: AnyGame,
    options: dict[str, Any],
    first: Player,
    second: Player,
    numbers: Iterable[int],
    kept: Kept | None = None,
) -> Contest:
    """The games of these numbers, `first` on either seat in turn; those that were kept are not played again."""
    found = Contest()
    row = " | ".join([game.name, *map(str, options.values()), first.name, second.name])
    for number in numbers:
        played = kept.get(row, number) if kept else None
        if played is None or (played.theoretical is None and game.name in WORTH):
            played = _played(row, number, game, options, (first, second))
            if kept:
                kept.add(played)
        found.drawn += played.points == DRAWN
        found.won += played.points > DRAWN
        found.lost += played.points < DRAWN
        found.seconds.setdefault(first.name, []).extend(played.seconds)
        if played.theoretical is not None:
            found.theoretical = (found.theoretical or 0.0) + played.theoretical
    return found


def _played(row: str, number: int, game: AnyGame, options: dict[str, Any], players: tuple[Player, Player]) -> Played:
    seat, seconds = number % 2, dict[str, list[float]]()
    states = list[Any]()
    winner = one_game(game, options, players if seat == 0 else players[::-1], number, seconds, states)
    points = DRAWN if winner is None else float(winner == seat)
    worth = WORTH.get(game.name)
    theoretical = max(worth(state, seat) for state in states) if worth is not None else None
    return Played(row, number, points, seconds.get(players[0].name, []), theoretical)


def one_game(
    game: AnyGame,
    options: dict[str, Any],
    seated: tuple[Player, Player],
    seed: int,
    seconds: dict[str, list[float]] | None = None,
    states: list[Any] | None = None,
) -> int | None:
    """The winner's seat, or None. Each move's CPU time is added to `seconds`, each position to `states`, if given."""
    for seat, player in enumerate(seated):
        player.begin(game, options, seat, seed)
    state = game.new(game.parse_options(options))
    for ply in range(LONGEST):
        if states is not None:
            states.append(state)
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
