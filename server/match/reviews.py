"""A saved game that is opened to be gone over: a match of one person which is over from its start. Pure.

So every client shows it with what it has for a match that is over, and nothing in it can be played.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol.board import Mark, Piece
from protocol.errors import Refusal
from protocol.messages import ClockRule, OptionValue
from server.games import AnyGame
from server.match.asked import Asked
from server.match.events import Created
from server.match.fold import COMPUTER_NAME, Work
from server.match.names import clean_name
from server.match.state import Match, Status

_OF_THE_COMPUTER = re.compile(rf"({COMPUTER_NAME})( \(([a-z ]{{1,20}})\))")

NOBODYS = (Piece.LINE, Piece.BOX)
"""What is as good whoever made it, where the scores are the same."""


def begun(
    game: AnyGame, given: Mapping[str, OptionValue], moves: Sequence[str], names: tuple[str, str], by: Asked
) -> Created:
    """The first event of such a match; whether the moves fit is seen by opening it.

    Private, for the names are those of people who are not here. Its level is that of the computer, where one of them is
    its name. Raises BadOption.
    """
    params = game.parse_options(given)
    first, second = (_shown(name) or style.name for name, style in zip(names, game.seats(params), strict=True))
    return Created(
        at_ms=by.now_ms, player=by.player, ref=by.ref, game=game.name,
        options={option.name: getattr(params, option.name) for option in game.options},
        name=first, guest=second, level=_level(game, names), private=True, both_seats=True, review=True,
        clock=ClockRule(), moves=tuple(moves),
    )  # fmt: skip


def _shown(name: str) -> str:
    """The name as a player would have it, or the computer with its level behind it; "" if neither could."""
    computer = _OF_THE_COMPUTER.fullmatch(name)
    called, level, _ = computer.groups() if computer is not None else (name, "", "")
    try:
        return f"{clean_name(called)}{level}"
    except Refusal:
        return ""


def _level(game: AnyGame, names: tuple[str, str]) -> str:
    """How well the computer played in it, if it did: one practises from there against the same."""
    computers = filter(None, map(_OF_THE_COMPUTER.fullmatch, names))
    known = {level.name for level in game.levels}
    return next((level for one in computers if (level := one[3]) in known), "")


def spoils(match: Match, player: str, game: AnyGame, params: Any, moves: Sequence[str] = ()) -> bool:
    """Whether any verdict of the game that these moves are would be one of `match`, which `player` plays or watches.

    Between people any position of the same game may be one of theirs. Who plays alone may go over other games
    meanwhile, but not over what the own match has come to so far: hints in it are counted. Nor over a position that is
    its own by other moves: see `passing`.
    """
    if match.status not in (Status.PLAYING, Status.PAUSED) or match.game.name != game.name:
        return False
    if not match.solo:
        return True
    return bool(moves) and guards(match, player, game, params) and match.moves[: len(moves)] == tuple(moves)


def guards(match: Match, player: str, game: AnyGame, params: Any) -> bool:
    """Whether `player` plays this match alone, of such a game, so that its position is not judged for nothing.

    The start is nobody's own: a match without a move keeps nothing from being said of others.
    """
    goes_on = match.status in (Status.PLAYING, Status.PAUSED) and match.plies > 0
    own = bool(match.seats_of(player)) and match.solo and not match.lesson
    return goes_on and own and match.game.name == game.name and match.params == params


def passing(game: AnyGame, params: Any, moves: Sequence[str], guarded: Sequence[Any]) -> Work[bool]:
    """Whether one of the states `guarded` is on the way that these moves take, behind the start of the game.

    In steps of one state or move. Moves that cannot be played lead nowhere.
    """
    known = set()
    for one in guarded:
        known.add(position(game, one))
        yield
    standings = {one.standing for one in known}
    state = game.new(params)
    for move in moves:
        try:
            state = game.play(state, move)
        except Refusal:
            return False
        if standing(game, state) in standings and position(game, state) in known:
            return True
        yield
    return False


def among(game: AnyGame, state: Any, guarded: Sequence[Any]) -> Work[bool]:
    """Whether this state is one of those `guarded`; in steps of one of these."""
    own = position(game, state)
    for one in guarded:
        yield
        if position(game, one) == own:
            return True
    return False


Standing = tuple[int | None, tuple[tuple[int, ...], ...]]
"""Who has to move on, and the scores."""


class Position(NamedTuple):
    """What two states have in common that are the same to who has to move on, by whatever moves they came to be.

    Who drew a line or took a box makes no difference but in the scores; nor does what only counts moves.
    """

    standing: Standing
    legal: tuple[str, ...]
    seen: frozenset[tuple[str, Mark]]


def standing(game: AnyGame, state: Any) -> Standing:
    """What is quickly told of a state."""
    return game.to_move(state), game.scores(state)


def position(game: AnyGame, state: Any) -> Position:
    """What is compared of a state."""
    return Position(standing(game, state), tuple(game.legal_moves(state)), frozenset(_seen(game, state).items()))


def _seen(game: AnyGame, state: Any) -> dict[str, Mark]:
    marks = game.marks(state)
    return {at: mark if mark.piece not in NOBODYS else Mark(None, mark.piece) for at, mark in marks.items()}
