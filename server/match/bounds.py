"""How much may happen in one match (`Q12`): a log is read by every hub that has somebody in it, and kept for months.

A match has three bounds, which no honest one meets. Once ROOM_EVENTS or ROOM_BYTES are in its log it is full: what one
alone can do without end (offers but of a draw, takebacks, pauses, waiting longer) is refused as `match_full`.
What plays on or ends it still fits. At MOST_PLIES moves, or at the last of the room that is kept for those, the server
ends it as a draw, whatever `draw_after` says. The relay of students' games has bounds of its own.
"""

from __future__ import annotations

from protocol.errors import Code, Refusal
from protocol.limits import MAX_MOVES
from server.match.asked import Asked, ended
from server.match.commands import MatchCommand, Offer, Pause, WaitLonger, Withdraw
from server.match.events import EndReason, MatchEnded
from server.match.state import Match, Status

MOST_PLIES = MAX_MOVES
"""The longest games of the largest boards have some 500 moves; a saved game holds no more than these."""
ROOM_EVENTS = 10_000
"""Eighty games of Dots and Boxes in one match, each begun anew."""
ROOM_BYTES = 1024 * 1024
KEPT_EVENTS = 6_000
"""For moves, draw offers and comings and goings in a full match: MOST_PLIES, and twice that besides."""
KEPT_BYTES = 1024 * 1024


def demand_room(match: Match, command: MatchCommand) -> None:
    """Refuse as `match_full` what a full match has no room for."""
    if not isinstance(command, Offer | Pause | WaitLonger | Withdraw) or not _is_full(match):
        return
    if isinstance(command, Offer) and command.kind == "draw" and not match.solo:
        return  # It can be made once in three moves of one's own: in a full match it is not taken back.
    raise Refusal(Code.MATCH_FULL)


def end(match: Match, by: Asked) -> MatchEnded | None:
    """The draw that ends a match at its bound; None for all others."""
    going_on = match.status in (Status.PLAYING, Status.PAUSED) and match.game.offered
    return ended(by, EndReason.TOO_LONG) if going_on and _has_no_room(match) else None


def _is_full(match: Match) -> bool:
    return match.version >= ROOM_EVENTS or match.size >= ROOM_BYTES


def _has_no_room(match: Match) -> bool:
    return (
        match.plies >= MOST_PLIES or match.version >= ROOM_EVENTS + KEPT_EVENTS or match.size >= ROOM_BYTES + KEPT_BYTES
    )
