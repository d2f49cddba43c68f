"""A saved game that is opened to be gone over: a match of one person which is over from its start. Pure.

So every client shows it with what it has for a match that is over, and nothing in it can be played.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from protocol.errors import Refusal
from protocol.messages import ClockRule, OptionValue
from server.games import AnyGame
from server.match.asked import Asked
from server.match.events import Created
from server.match.fold import COMPUTER_NAME
from server.match.names import clean_name
from server.match.state import Match, Status

_OF_THE_COMPUTER = re.compile(rf"({COMPUTER_NAME})( \([a-z ]{{1,20}}\))")


def begun(
    game: AnyGame, given: Mapping[str, OptionValue], moves: Sequence[str], names: tuple[str, str], by: Asked
) -> Created:
    """The first event of such a match; whether the moves fit is seen by opening it.

    Private, for the names are those of people who are not here. Raises BadOption.
    """
    params = game.parse_options(given)
    first, second = (_shown(name) or style.name for name, style in zip(names, game.seats(params), strict=True))
    return Created(
        at_ms=by.now_ms, player=by.player, ref=by.ref, game=game.name,
        options={option.name: getattr(params, option.name) for option in game.options},
        name=first, guest=second, private=True, both_seats=True, review=True, clock=ClockRule(), moves=tuple(moves),
    )  # fmt: skip


def _shown(name: str) -> str:
    """The name as a player would have it, or the computer with its level behind it; "" if neither could."""
    computer = _OF_THE_COMPUTER.fullmatch(name)
    called, level = computer.groups() if computer is not None else (name, "")
    try:
        return f"{clean_name(called)}{level}"
    except Refusal:
        return ""


def spoils(match: Match, player: str, game: AnyGame, params: Any, moves: Sequence[str]) -> bool:
    """Whether verdicts of the game that these moves are would be some of `match`, which `player` plays or watches.

    Between people any position of the same game may be one of theirs. Who plays alone may go over other games
    meanwhile, but not over what the own match has come to so far: hints in it are counted.
    """
    if match.status not in (Status.PLAYING, Status.PAUSED) or match.game.name != game.name:
        return False
    if not match.solo:
        return True
    own = bool(moves) and bool(match.seats_of(player)) and not match.lesson
    return own and match.params == params and match.moves[: len(moves)] == tuple(moves)
