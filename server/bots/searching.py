"""A player for any game: it knows nothing but the rules, and how good a position is if the game, or a player, says so.

With `evaluate` it looks ahead, a move deeper each time (alpha-beta); without, it plays to the end by lot again and
again, and more often where that went well (Monte Carlo tree search). Its budget is counted in moves played, never in
time: the same state, random numbers and budget give the same move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from server.bots.verdict import FULL, Verdict, guessed
from server.games import AnyGame

WIN = 10**7
"""Beyond everything that `evaluate` may say; a win that is nearer counts more."""
DEEPEST = 60
LONGEST = 300
"""Moves of one game played by lot; one that is not over by then counts as a draw, or as `evaluate` sees it."""
CURIOSITY = 0.9
"""How much the search is drawn to moves that it has tried seldom."""


Evaluate = Callable[[Any], int]
Candidates = Callable[[Any, Sequence[str], bool], Sequence[str]]
"""Of a state, its legal moves, and whether it is the one to be played in."""


class Spent(Exception):
    """The budget is used up."""


def search(game: AnyGame, state: Any, rng: Random, plays: int) -> str:
    """A good move in `state`, found with at most some `plays` moves played."""
    if game.evaluate is not None:
        return look_ahead(game, state, rng, plays, game.evaluate)
    moves = list(game.legal_moves(state))
    rng.shuffle(moves)
    return moves[0] if len(moves) == 1 else _Lots(game, rng, plays).best(state, moves)[0]


def judge(game: AnyGame, state: Any, rng: Random, plays: int) -> Verdict:
    """The same move, also if it is the only one, and who stands better."""
    if game.evaluate is not None:
        return judge_ahead(game, state, rng, plays, game.evaluate)
    moves = list(game.legal_moves(state))
    rng.shuffle(moves)
    move, share = _Lots(game, rng, plays).best(state, moves)
    return Verdict(move, round((FULL - 1) * share))


def look_ahead(
    game: AnyGame, state: Any, rng: Random, plays: int, evaluate: Evaluate, candidates: Candidates | None = None
) -> str:
    """The same by alpha-beta; `candidates` are the moves worth a thought, the likely best first."""
    moves = list(game.legal_moves(state))
    if len(moves) == 1:
        return moves[0]
    rng.shuffle(moves)
    return _Depths(game, evaluate, candidates, plays).best(state, moves)[0]


def judge_ahead(
    game: AnyGame,
    state: Any,
    rng: Random,
    plays: int,
    evaluate: Evaluate,
    candidates: Candidates | None = None,
    *,
    all_moves: bool = True,
) -> Verdict:
    """The same move, also if it is the only one, and who stands better.

    Exact where the end is in sight, if the `candidates` are `all_moves`.
    """
    moves = list(game.legal_moves(state))
    rng.shuffle(moves)
    depths = _Depths(game, evaluate, candidates, plays)
    move, value = depths.best(state, moves)
    if abs(value) >= WIN - DEEPEST and not all_moves:
        # The one who loses may have had a way out among the moves that were left out.
        value = -evaluate(state) if game.to_move(state) else evaluate(state)
    if abs(value) < WIN - DEEPEST:
        return Verdict(move, guessed(value, game.clear_lead))
    return Verdict(move, FULL if value > 0 else -FULL, exact=True)


@dataclass(frozen=True, slots=True)
class LookingAhead:
    """A player by alpha-beta: what it thinks of a position, and which moves it looks at."""

    game: AnyGame
    evaluate: Evaluate
    candidates: Candidates
    all_moves: bool = True
    """Whether the `candidates` are."""

    def choose(self, state: Any, rng: Random, plays: int) -> str:
        """The best move found by playing so many."""
        return look_ahead(self.game, state, rng, plays, self.evaluate, self.candidates)

    def judge(self, state: Any, rng: Random, plays: int) -> Verdict:
        """The same move, and who stands better."""
        return judge_ahead(self.game, state, rng, plays, self.evaluate, self.candidates, all_moves=self.all_moves)


class _Depths:
    def __init__(self, game: AnyGame, evaluate: Evaluate, candidates: Candidates | None, plays: int) -> None:
        self._game = game
        self._evaluate = evaluate
        self._candidates = candidates or (lambda _state, moves, _first: moves)
        self._left = plays

    def best(self, state: Any, moves: list[str]) -> tuple[str, int]:
        moves = list(self._candidates(state, moves, True))
        found, value = moves[0], 0
        try:
            for depth in range(1, DEEPEST):
                found, value = self._at_root(state, moves, depth)
                moves.sort(key=found.__ne__)  # the best first: more is cut off
                if abs(value) >= WIN - DEEPEST:
                    break
        except Spent:
            pass
        return found, value

    def _at_root(self, state: Any, moves: list[str], depth: int) -> tuple[str, int]:
        best, low = moves[0], -2 * WIN
        try:
            for move in moves:
                value = self._after(state, move, depth, 0, low, 2 * WIN)
                if value > low:
                    best, low = move, value
        except Spent:
            # What was best at the last depth is looked at first, so whatever beat it is better.
            if low == -2 * WIN:
                raise
            self._left = 0
            # Of the moves that were not looked at this deep nobody knows that they lose, too.
            return best, max(low, DEEPEST - WIN + 1)
        return best, low

    def _after(self, state: Any, move: str, depth: int, ply: int, low: int, high: int) -> int:
        """What `move` is worth to who plays it. Who may move again does not lose the turn."""
        if not self._left:
            raise Spent
        self._left -= 1
        game, seat = self._game, self._game.to_move(state)
        after = game.play(state, move)
        following = game.to_move(after)
        if following is None:
            outcome = game.outcome(after)
            if outcome is None or outcome.winner is None:
                return 0
            return WIN - ply if outcome.winner == seat else ply - WIN
        if following == seat:
            # A turn is not cut in the middle: it goes on at the same depth.
            return self._value(after, seat, depth, ply + 1, low, high)
        return -self._value(after, following, depth - 1, ply + 1, -high, -low)

    def _value(self, state: Any, seat: int, depth: int, ply: int, low: int, high: int) -> int:
        """What `state` is worth to `seat`, which is to move; exact between `low` and `high`."""
        if depth <= 0 or ply >= DEEPEST:
            value = self._evaluate(state)
            return -value if seat else value
        best = -2 * WIN
        for move in self._candidates(state, self._game.legal_moves(state), False):
            best = max(best, self._after(state, move, depth, ply, max(low, best), high))
            if best >= high:
                break
        return best


class _Node:
    __slots__ = ("children", "moves", "seat", "state", "total", "visits")

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.state = state
        self.seat: int | None = game.to_move(state)
        self.moves: list[str] = []
        self.children: list[tuple[str, _Node]] = []
        self.visits = 0
        self.total = 0.0
        """Sum of what seat 0 got, from -1 to 1."""


class _Lots:
    def __init__(self, game: AnyGame, rng: Random, plays: int) -> None:
        self._game = game
        self._rng = rng
        self._left = plays

    def best(self, state: Any, moves: list[str]) -> tuple[str, float]:
        """The move tried most, and what came of it for who makes it, from -1 to 1."""
        root = _Node(self._game, state)
        root.moves = list(moves)
        while self._left > 0:
            self._once(root)
        if not root.children:
            return moves[0], 0.0
        move, tried = max(root.children, key=lambda child: child[1].visits)
        return move, (-tried.total if root.seat else tried.total) / tried.visits

    def _once(self, root: _Node) -> None:
        node, path = root, [root]
        while not node.moves and node.children:
            node = self._promising(node)
            path.append(node)
        if node.moves:
            move = node.moves.pop()
            child = _Node(self._game, self._played(node.state, move))
            if child.seat is not None:
                child.moves = list(self._game.legal_moves(child.state))
                self._rng.shuffle(child.moves)
            node.children.append((move, child))
            path.append(child)
        else:
            self._left -= 1  # an end is visited again: that, too, must come to an end
        result = self._to_the_end(path[-1].state)
        for visited in path:
            visited.visits += 1
            visited.total += result

    def _played(self, state: Any, move: str) -> Any:
        self._left -= 1
        return self._game.play(state, move)

    def _promising(self, node: _Node) -> _Node:
        sign, much = (-1 if node.seat else 1), math.log(node.visits)
        return max(
            (child for _, child in node.children),
            key=lambda child: sign * child.total / child.visits + CURIOSITY * math.sqrt(much / child.visits),
        )

    def _to_the_end(self, state: Any) -> float:
        """What seat 0 gets when both play by lot from here."""
        for _ in range(LONGEST):
            outcome = self._game.outcome(state)
            if outcome is not None:
                return 0.0 if outcome.winner is None else -1.0 if outcome.winner else 1.0
            state = self._played(state, self._rng.choice(self._game.legal_moves(state)))
        return 0.0
