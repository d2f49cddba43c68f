"""Why a move is good or bad, in a clause that goes on from it: "takes a piece", "closes a chain of 4".

A game may say it itself (`Game.remark`); two whose boards are known here have their own words; for all others it is
what the scores say of the move, and of the best answer to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from protocol.text import N_, Text, text
from server.bots.boxes import Grid, closed, each, free_of, grid, safe, takes
from server.games import AnyGame, hexoust
from server.games._hexes import layout as hexes
from server.games.dots_and_boxes import State as DotsState
from server.games.hexoust import State as HexState
from server.games.hexoust import hauls

MOST_ANSWERS = 200
"""Moves that are played to see what they take: more than there are at a time but on the largest boards."""
LEFT_OF_A_LOOP = 4
"""Boxes that declining costs where a loop was opened; of a chain it is two."""


def remark(game: AnyGame, state: Any, move: str) -> Text | None:
    """Why `move` is good or bad in `state`; None where there is nothing to say."""
    if game.remark is not None:
        return game.remark(state, move)
    own = OWN.get(game.state)
    return own(state, move) if own is not None else _by_scores(game, state, move)


def _by_scores(game: AnyGame, state: Any, move: str) -> Text | None:
    seat = game.to_move(state)
    after = game.play(state, move)
    outcome = game.outcome(after)
    if outcome is not None and outcome.winner == seat:
        return Text(N_("wins the game"))
    gain = _gain(game, state, after)
    if gain.by:
        return text(N_("takes {count} {what}"), count=gain.by, what=_called(game, gain))
    if outcome is not None or game.to_move(after) in (None, seat):
        return None
    answer, loss = _most(game, after)
    return _loses(game, answer, loss) if loss.by else None


class _Gain(NamedTuple):
    """By how much somebody came ahead, and in which of the scores."""

    by: int = 0
    place: int = 0


def _loses(game: AnyGame, answer: str, loss: _Gain) -> Text:
    what = _called(game, loss)
    return text(N_("loses {count} {what} after {move}"), count=loss.by, what=what, move=game.shown(answer))


def _called(game: AnyGame, gain: _Gain) -> Text:
    ones = game.score_names_one
    return Text(ones[gain.place] if gain.by == 1 and gain.place < len(ones) else game.score_names[gain.place])


def _most(game: AnyGame, state: Any) -> tuple[str, _Gain]:
    """The move that takes most at once, and what of that the other does not take back at once."""
    tried = _tried(game, state)
    move = max(tried, key=lambda move: tried[move][1].by)
    after, gain = tried[move]
    if gain.by and game.to_move(after) not in (None, game.to_move(state)):
        back = max((gain.by for _, gain in _tried(game, after).values()), default=0)
        gain = gain._replace(by=max(0, gain.by - back))
    return move, gain


def _tried(game: AnyGame, state: Any) -> dict[str, tuple[Any, _Gain]]:
    played = {move: game.play(state, move) for move in game.legal_moves(state)[:MOST_ANSWERS]}
    return {move: (after, _gain(game, state, after)) for move, after in played.items()}


def _gain(game: AnyGame, before: Any, after: Any) -> _Gain:
    """How far who was to move has come ahead, in the first of the scores in which that is so."""
    seat = game.to_move(before)
    if seat is None:
        return _Gain()
    was, now = game.scores(before), game.scores(after)
    for place in range(len(game.score_names)):
        count = now[seat][place] - now[1 - seat][place] - was[seat][place] + was[1 - seat][place]
        if count > 0:
            return _Gain(count, place)
    return _Gain()


def _of_dots(state: DotsState, move: str) -> Text | None:
    board = grid(state.width, state.height)
    line = 1 << board.lines.index(move)
    free = free_of(state.lines)
    after = free ^ line
    if at_once := closed(board, free, line):
        # On from this line alone: what is open elsewhere is another chain.
        count = at_once + len(_in_reach(board, after, board.beside[line])[0])
        return text(N_("closes a chain of {count}"), count=count) if count > 1 else Text(N_("closes a box"))
    given, rest = _in_reach(board, after, board.sides)
    count = len(given)
    if not count:
        return Text(N_("gives nothing away"))
    if not takes(board, free):
        return text(N_("opens a chain of {count}"), count=count) if count > 1 else Text(N_("gives a box away"))
    if _declines(board, after, line, given) and rest and not any(safe(board, rest, one) for one in each(rest)):
        if count == LEFT_OF_A_LOOP:
            return Text(N_("leaves the last four boxes, so that the other has to open what comes next"))
        return Text(N_("leaves the last two boxes, so that the other has to open what comes next"))
    several = N_("leaves {count} boxes for the other to close")
    return text(several, count=count) if count > 1 else Text(N_("leaves a box for the other to close"))


def _declines(board: Grid, after: int, line: int, given: list[int]) -> bool:
    """Whether `line` left of its chain a pair of boxes with one line between them, of a loop two such pairs; and these
    are all that is `given`."""
    beside = [after & sides for sides in board.beside[line] if sides in given]
    pairs = [last for last in beside if not last & last - 1 and closed(board, after, last) == 2]
    return len(given) == 2 * len(pairs)


def _in_reach(board: Grid, free: int, near: Iterable[int]) -> tuple[list[int], int]:
    """The boxes that can be closed one after another from those `near` on, by their sides; and the lines left then."""
    found, todo = [], list(near)
    while todo:
        line = free & todo.pop()
        if line and not line & line - 1:
            free ^= line
            found += [sides for sides in board.beside[line] if not free & sides]
            todo += board.beside[line]
    return found, free


def _of_stones(state: HexState, move: str) -> Text | None:
    taken = hauls(state).get(hexes(state.params.side).bits.get(move, 0), 0)
    if taken:
        return text(N_("captures {count} stones"), count=taken) if taken > 1 else Text(N_("captures a stone"))
    lost = max(hauls(hexoust.play(state, move)).values(), default=0)
    if lost:
        several = N_("can be answered by taking {count} stones")
        return text(several, count=lost) if lost > 1 else Text(N_("can be answered by taking a stone"))
    return Text(N_("cannot be captured at once"))


OWN: dict[type, Callable[[Any, str], Text | None]] = {DotsState: _of_dots, HexState: _of_stones}
"""By the type of a game's state. What they return stands, also where it is None."""
