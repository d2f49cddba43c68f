"""Who plays at which level: the strong players of the games that have one, the rules' own `choose`, and a child.

Every choice is the same for the same state, level, seed and budget. Budgets are counted in nodes, playouts or moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from server.bots import checkers, dots_and_boxes, hexoust, searching, square, ultimate_dots
from server.bots.verdict import FULL, Verdict
from server.games import AnyGame
from server.games.checkers import State as CheckersState
from server.games.dots_and_boxes import State as DotsState
from server.games.hexoust import State as HexOustState
from server.games.levels import BEGINNER, EASY, HARD, MASTER, MEDIUM
from server.games.square import State as SquareState
from server.games.ultimate_dots import State as UltimateState


class Strong(NamedTuple):
    """A strong player: its move and its verdict in a state, with these random numbers and within this budget; and the
    budget of each level that is played so."""

    choose: Callable[[Any, Random, int], str]
    judge: Callable[[Any, Random, int], Verdict]
    budgets: Mapping[str, int]


STRONG: dict[type, tuple[Strong, ...]] = {
    CheckersState: (Strong(checkers.choose, checkers.judge, checkers.NODES),),
    DotsState: (Strong(dots_and_boxes.choose, dots_and_boxes.judge, dots_and_boxes.PLAYOUTS),),
    HexOustState: (
        Strong(hexoust.COUNTING.choose, hexoust.COUNTING.judge, {HARD: hexoust.FEW_PLAYS}),
        Strong(hexoust.KNOWING.choose, hexoust.KNOWING.judge, {MASTER: hexoust.PLAYS}),
    ),
    SquareState: (Strong(square.choose, square.judge, square.PLIES),),
    UltimateState: (
        Strong(ultimate_dots.COUNTING.choose, ultimate_dots.COUNTING.judge, {HARD: ultimate_dots.FEW_PLAYS}),
        Strong(ultimate_dots.KNOWING.choose, ultimate_dots.KNOWING.judge, {MASTER: ultimate_dots.PLAYS}),
    ),
}
"""By the type of a game's state; no two of a game's have the same level."""

PLAYS = {MEDIUM: 400, HARD: 3_000, MASTER: 20_000}
"""Moves that the general search plays, for a game without a player of its own."""

ATTENTION = 0.75
"""How often a beginner looks at what a move takes at once."""
CARE = 0.5
"""How often the easy level plays as the medium one."""


DOUBT: dict[type, int] = {DotsState: 300, HexOustState: 250}
"""By how much two guesses may differ that are worth the same, by the type of a game's state: lots vary, and what is
taken just beyond the depth of a search is not seen."""
USUAL_DOUBT = 40


def has_budget(game: AnyGame, level: str) -> bool:
    """Whether this level looks as far as its budget lets it, and not as far as its rule says."""
    if _strong(game, level) is not None:
        return True
    return level not in (BEGINNER, EASY) and (game.choose is None or level in (HARD, MASTER))


def _strong(game: AnyGame, level: str) -> Strong | None:
    """The strong player that plays at this level."""
    return next((player for player in STRONG.get(game.state, ()) if level in player.budgets), None)


def choose(game: AnyGame, state: Any, level: str, seed: int, share: float = 1.0) -> str:
    """The computer's move. `share` is how much of the level's budget may be used; "" plays as before there were levels.

    Raises ValueError for a level that this game does not have.
    """
    rng = Random(seed)
    if level and level not in [known.name for known in game.levels]:
        raise ValueError(f"{game.name} has no level {level!r}")
    if level == BEGINNER or (level == EASY and rng.random() >= CARE):
        return beginner(game, state, rng)
    player = _strong(game, level)
    if player is not None:
        return player.choose(state, rng, max(1, int(player.budgets[level] * share)))
    if game.choose is not None and level not in (HARD, MASTER):
        move: str = game.choose(state, rng)
        return move
    return searching.search(game, state, rng, max(1, int(PLAYS.get(level, PLAYS[MEDIUM]) * share)))


def stand_in(game: AnyGame, state: Any, seed: int, share: float = 1.0) -> str:
    """A move of the general search, which asks the rules alone, for a player that has none."""
    return searching.search(by_rules(game), state, Random(seed), max(1, int(PLAYS[MEDIUM] * share)))


def by_rules(game: AnyGame) -> AnyGame:
    """The game without all that its author has told the computer about it."""
    return replace(game, choose=None, evaluate=None, remark=None)


def judge(game: AnyGame, state: Any, level: str, seed: int, share: float = 1.0, played: str = "") -> Verdict:
    """The move of level HARD or MASTER, and what it thinks of the position; of one that is over, how it ended.

    The move is the one `played` where no better one is known: guesses err, and who errs by no more than they do is told
    of no mistake. To know that takes as much again of the budget.
    """
    verdict = _verdict(game, state, level, seed, share)
    if not played or verdict.exact or played == verdict.move:
        return verdict
    best, other = (_after(game, state, move, level, seed, share / 2) for move in (verdict.move, played))
    doubt = 0 if best.exact and other.exact else DOUBT.get(game.state, USUAL_DOUBT)
    return verdict._replace(move=played) if other.lead >= best.lead - doubt else verdict


def _after(game: AnyGame, state: Any, move: str, level: str, seed: int, share: float) -> Verdict:
    """What is thought of the position after `move`, for who makes it.

    Two moves of one position are compared so: whoever is to move next is overrated by a guess in both alike.
    """
    after = game.play(state, move)
    verdict = _verdict(game, after, level, seed, share)
    swapped = (game.to_move(after) == 1) != (game.to_move(state) == 1)
    return verdict._replace(lead=-verdict.lead) if swapped else verdict


def _verdict(game: AnyGame, state: Any, level: str, seed: int, share: float) -> Verdict:
    seat = game.to_move(state)
    outcome = game.outcome(state)
    if outcome is not None or seat is None:
        winner = outcome.winner if outcome is not None else None
        return Verdict("", 0 if winner is None else FULL if winner == 0 else -FULL, exact=True)
    rng, player = Random(seed), _strong(game, level)
    if player is not None:
        return player.judge(state, rng, max(1, int(player.budgets[level] * share)))
    return searching.judge(game, state, rng, max(1, int(PLAYS[level] * share)))


def beginner(game: AnyGame, state: Any, rng: Random) -> str:
    """As a child plays: sees a win, mostly sees what can be taken now, and never what the other does next."""
    moves = list(game.legal_moves(state))
    seat = game.to_move(state)
    gains: dict[int, list[str]] = {}
    before = _lead(game, state, seat)
    for move in moves:
        after = game.play(state, move)
        outcome = game.outcome(after)
        if outcome is not None and outcome.winner == seat:
            return move
        gains.setdefault(_lead(game, after, seat) - before, []).append(move)
    best = max(gains)
    if best > 0 and rng.random() < ATTENTION:
        return rng.choice(gains[best])
    return rng.choice(moves)


def _lead(game: AnyGame, state: Any, seat: int | None) -> int:
    """How far `seat` is ahead by the scores, whatever these count."""
    first, second = game.scores(state)
    lead = sum(first) - sum(second)
    return -lead if seat else lead
