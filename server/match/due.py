"""What time alone brings to a match, in the order in which it is due: flags, ends of pauses and of waiting (`Q6`).

Whoever looks, and however late, finds the same: the first thing that was due happens first. Two that are due in one
millisecond happen in the order of `What`.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.match.asked import Asked, ended
from server.match.events import AnyEvent, EndReason, MatchEnded, PauseEnded
from server.match.fold import apply
from server.match.state import Match, Status, What


def happened(match: Match, by: Asked, until_ms: int, *, spared: int | None = None) -> Iterator[AnyEvent]:
    """What was due by `until_ms`, each to be applied before the next; at most one of them ends the match.

    Nobody is called gone for good who is here again when it is looked: that is the `spared` seat.
    """
    while (event := _first(match, by, until_ms, spared)) is not None:
        yield event
        match = apply(match, event)


def over(match: Match, by: Asked) -> bool:
    """Whether the match was lost by time when this was asked, though nobody has looked yet (`RU-M2`).

    Whoever asks is here, so their own absence has not ended it.
    """
    if not match.due or match.due[0][0] > by.now_ms:
        return False
    mine = next((seat for seat in match.seats_of(by.player) if match.absence.away[seat]), None)
    return any(isinstance(event, MatchEnded) for event in happened(match, by, by.now_ms, spared=mine))


def _first(match: Match, by: Asked, until_ms: int, spared: int | None) -> AnyEvent | None:
    for at_ms, what in match.due:
        if at_ms > until_ms:
            return None
        match what:
            case What.PAUSE_OVER:
                return PauseEnded(at_ms=by.now_ms)
            case What.FLAG:
                seat = match.clock.running
                assert seat is not None
                return ended(by, EndReason.TIME, seat=seat, winner=1 - seat)
            case What.GONE:
                seat = match.absence.away.index(True)
                if seat != spared:
                    return gone(match, seat, by)
    return None


def gone(match: Match, seat: int, by: Asked) -> MatchEnded:
    """The end because `seat` did not come back; before the first move nothing was played for (`RU-M5`)."""
    if not match.plies:
        return ended(by, EndReason.ABORTED, seat=seat)
    return ended(by, EndReason.ABANDONED, seat=seat, winner=1 - seat)


def pause_over(match: Match, by: Asked) -> Iterator[AnyEvent]:
    """The end of a pause that was due when this was asked: a command that comes after it meets a match that goes on."""
    if match.status is Status.PAUSED:
        for event in happened(match, by, by.now_ms):
            if not isinstance(event, PauseEnded):
                return
            yield event
