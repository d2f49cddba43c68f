"""Handlers for sitting down, moving, giving up and going away."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import Code, Refusal
from server.match import due, lessons
from server.match.asked import Asked, acting_seat, ended, own_seats, position_seen
from server.match.commands import Abandon, Join, MatchCommand, Play
from server.match.events import AnyEvent, AwayChanged, EndReason, MovePlayed, OfferEnded, SeatLeft, SeatTaken
from server.match.names import distinct_name
from server.match.state import Match


def join(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The free seat is taken; for the one who sits there already nothing happens (`B9`, `C10`). Raises `reserved`.

    A host who is away just then is waited for like any player, no longer than the waiting match would have been (`B3`,
    `C6`).
    """
    assert isinstance(command, Join)
    if match.seats_of(by.player):
        return ()
    if match.reserved not in ("", by.player):
        raise Refusal(Code.RESERVED)
    free = match.seats.index(None)
    other = match.seats[1 - free]
    name = distinct_name(command.name, other.name if other else None)
    at = {"at_ms": by.now_ms, "player": by.player, "ref": by.ref}
    taken = SeatTaken(seat=free, name=name, **at)  # type: ignore[arg-type]
    if command.host_until_ms is None:
        return (taken,)
    away = (match.host_seat == 0, match.host_seat == 1)
    return (taken, AwayChanged(away=away, until_ms=command.host_until_ms, **at))  # type: ignore[arg-type]


def join_late(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Joining what one has joined is no error (`C10`); for everybody else the seats are taken."""
    if match.seats_of(by.player):
        return ()
    raise Refusal(Code.FULL)


def play(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """A move, and what it brings: an open offer is declined (`RU-M3`), the server passes (`RU-HX3`), the end."""
    assert isinstance(command, Play)
    seats = own_seats(match, by)
    # First of all: whose turn it is says nothing to one who has not seen the newest position (`A1`).
    position_seen(match, command.version)
    seat = match.turn
    if seat is None or seat not in seats:
        raise Refusal(Code.NOT_YOUR_TURN)
    if due.over(match, by):
        raise Refusal(Code.TOO_LATE)
    game = match.game
    state = match.after(command.move)
    move = game.canonical(match.state, command.move)
    at = {"at_ms": by.now_ms, "player": by.player, "ref": by.ref}
    events: list[AnyEvent] = [OfferEnded(fate="moved", **at)] if match.offer else []  # type: ignore[arg-type]
    events.append(MovePlayed(seat=seat, move=move, hurried=command.hurried, **at))  # type: ignore[arg-type]
    while (passed := game.automatic(state)) is not None:
        mover = game.to_move(state)
        assert mover is not None
        events.append(MovePlayed(seat=mover, move=passed, automatic=True, **at))  # type: ignore[arg-type]
        state = game.play(state, passed)
    by_the_task = lessons.end(match, seat, state, by)
    if by_the_task is not None:
        return [*events, by_the_task]
    outcome = game.outcome(state)
    if outcome is not None:
        events.append(ended(by, outcome.reason, winner=outcome.winner))
    return events


def abandon(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Giving up hands the win to the opponent (`CK R4.3`, `UD RF7`); before the first move nobody wins (`RU-M5`).

    Who gave up while nobody would have won, and met the first move on the way, is asked again (`Q1`).
    """
    assert isinstance(command, Abandon)
    seat = acting_seat(match, by)
    if not match.plies or match.lesson:
        return (ended(by, EndReason.ABORTED, seat=seat),)
    if command.version is not None and command.version < match.begun:
        raise Refusal(Code.STALE)
    return (ended(by, EndReason.FORFEIT, seat=seat, winner=1 - seat),)


def leave_waiting(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """A host who goes takes the match back; anybody else only stops following."""
    return cancel(match, command, by) if match.seats_of(by.player) else ()


def leave_playing(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Before the first move a guest's seat is free again (`B10`); later, leaving the room is not giving up.

    A task is over when one goes away from it.
    """
    if match.lesson and match.seats_of(by.player):
        return (ended(by, EndReason.ABORTED, seat=match.host_seat),)
    guest = 1 - match.host_seat
    if match.plies or match.seats_of(by.player) != (guest,):
        return ()
    return (SeatLeft(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=guest),)


def leave(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Only the following ends."""
    return ()


def cancel(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The host takes the waiting match back."""
    return (ended(by, EndReason.CANCELLED, seat=own_seats(match, by)[0]),)


def stop(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The operator ends the match, whatever its state; nobody wins."""
    return (ended(by, EndReason.STOPPED),)


def expire(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The host did not come back to the waiting match (`B3`)."""
    return (ended(by, EndReason.EXPIRED),)
