"""How much may happen in one match (`Q12`): a log is read by every hub that has somebody in it, and kept for months.

A match has bounds that no honest one meets. Once ROOM_EVENTS or ROOM_BYTES are in its log it is full: what one alone
can do without end (offers but of a draw, taking them back, pauses, waiting longer) is refused as `match_full`, which is
a condition like all others (`actions`). What plays on or ends it still fits. At MOST_PLIES moves, or at the last of the
room that is kept for those, the server ends it as a draw, whatever `draw_after` says. Nobody brings that about by
coming and going: whoever goes away more than MOST_ABSENCES times is waited for no more. The relay of students' games
has bounds of its own.
"""

from __future__ import annotations

from protocol.limits import MAX_MOVES
from server.match.asked import Asked, ended
from server.match.events import EndReason, MatchEnded
from server.match.state import ROOM_BYTES, ROOM_EVENTS, Match, Status

MOST_PLIES = MAX_MOVES
"""The longest games of the largest boards have some 500 moves; a saved game holds no more than these."""
MOST_ABSENCES = 1_000
"""Of one player in one match: a connection that breaks every ten seconds for nearly three hours."""
KEPT_EVENTS = 4 * MOST_ABSENCES + 2 * MOST_PLIES
"""For what still happens in a full match: both players' goings and comings, moves, and draw offers, each of which can
be made and declined once in three moves of one's own."""
KEPT_BYTES = 1024 * 1024
MOST_EVENTS, MOST_BYTES = ROOM_EVENTS + KEPT_EVENTS, ROOM_BYTES + KEPT_BYTES


def end(match: Match, by: Asked) -> MatchEnded | None:
    """The draw that ends a match at its bound; None for all others."""
    has_room = match.plies < MOST_PLIES and match.version < MOST_EVENTS and match.size < MOST_BYTES
    if has_room or match.status not in (Status.PLAYING, Status.PAUSED) or not match.game.offered:
        return None
    return ended(by, EndReason.TOO_LONG)
