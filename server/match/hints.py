"""Handlers for hints: the move that the computer thinks best, told to who plays against it, and counted."""

from __future__ import annotations

from collections.abc import Sequence

from server.match.actions import demand
from server.match.asked import Asked, own_seats, position_seen
from server.match.commands import MatchCommand, TakeHint
from server.match.events import AnyEvent, HintTaken
from server.match.state import Match


def demand_hint(match: Match, player: str, version: int) -> int:
    """The seat that a hint would be for. Raises Refusal, also `stale` if the position is not that of `version`."""
    seats = own_seats(match, Asked(player, "", 0))
    position_seen(match, version)
    demand(match, seats[0], "hint")
    return seats[0]


def take(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The hint counts, unless one was taken in this position before."""
    assert isinstance(command, TakeHint)
    seat = demand_hint(match, by.player, command.version)
    if match.hinted == match.position:
        return ()
    return (HintTaken(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=seat, move=command.move),)
