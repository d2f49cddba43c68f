"""Handlers for pause and continue (`CK 5.4.3`, `5.4.4`, `RU-M4`)."""

from __future__ import annotations

from collections.abc import Sequence

from server.match.actions import demand
from server.match.asked import Asked, acting_seat
from server.match.commands import MatchCommand
from server.match.events import AnyEvent, OfferEnded, PauseBegun, PauseEnded
from server.match.state import Match

MAX_PAUSE_MS = 5 * 60 * 1000
"""A pause ends by itself after this time (`RU-M4`)."""


def pause(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The clocks stand still and the position is hidden; an open offer is withdrawn or declined by it."""
    seat = acting_seat(match, by)
    demand(match, seat, "pause")
    events: list[AnyEvent] = []
    if match.offer is not None:
        fate = "withdrawn" if match.offer.seat == seat else "declined"
        events.append(OfferEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, fate=fate))  # type: ignore[arg-type]
    events.append(
        PauseBegun(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=seat, until_ms=by.now_ms + MAX_PAUSE_MS)
    )
    return events


def resume(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Only the player who paused ends the pause before its time (`CK 5.4.3`, `D12`)."""
    seat = acting_seat(match, by)
    demand(match, seat, "continue")
    return (PauseEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=seat),)
