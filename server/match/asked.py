"""Who asks something of a match, and what follows from that for every handler."""

from __future__ import annotations

from typing import NamedTuple

from protocol.errors import Code, Refusal
from server.match.events import MatchEnded
from server.match.state import Match


class Outage(NamedTuple):
    """A time in which no hub could serve (ms of the shared clock)."""

    from_ms: int
    until_ms: int


class Asked(NamedTuple):
    """Who asks, by which ref, when the hub received it (shared clock, ms), and the outages that are known."""

    player: str
    ref: str
    now_ms: int
    outages: tuple[Outage, ...] = ()


def own_seats(match: Match, by: Asked) -> tuple[int, ...]:
    """The seats of the one who asks. Raises Refusal `not_seated`."""
    seats = match.seats_of(by.player)
    if not seats:
        raise Refusal(Code.NOT_SEATED)
    return seats


def acting_seat(match: Match, by: Asked) -> int:
    """The seat for which a player acts; who holds both acts for the one to move. Raises Refusal `not_seated`."""
    seats = own_seats(match, by)
    turn = match.turn
    return turn if turn in seats and turn is not None else seats[0]


def position_seen(match: Match, version: int | None) -> None:
    """Nobody consents to a position unseen: refused as `stale` unless that of `version` is the present one (`Q1`).

    None is a consent to whatever position there is.
    """
    if version is not None and not match.position <= version <= match.version:
        raise Refusal(Code.STALE)


def ended(by: Asked, reason: str, *, seat: int | None = None, winner: int | None = None) -> MatchEnded:
    """The end of the match; `seat` is the one that brought it about by giving up or being late."""
    return MatchEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, winner=winner, reason=reason, by=seat)
