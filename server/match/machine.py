"""The match machine: what may happen in which status is a table, and everything that moves a match is in this file.

A command goes through `decide`: it looks the pair (status, command) up in `TABLE`. A pair that is missing is a
refusal whose code is the status (`waiting`, `started`, `finished`). A handler that is found either raises a Refusal,
and then nothing has happened, or returns the events that the command causes: often one, none when the command finds
done what it asks for, several when one thing brings another (a last move ends the match). `apply` folds one event
into a match; it never refuses, because what is in the log has happened. `replay` is that fold from the start.

    waiting --join--> playing --play--> playing | ended        ended is final
    waiting --cancel, leave, expire--> ended
    playing --leave, before the first move, by the guest--> waiting
    playing --abandon--> ended

Clocks, offers and pauses are further rows: a command, a handler, an event, a line in `apply`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from protocol.errors import Code, Refusal
from protocol.messages import OptionValue
from server.games import AnyGame, Catalogue
from server.match.commands import Abandon, Cancel, Expire, Join, Leave, MatchCommand, Play
from server.match.events import (
    LOG_FORMAT,
    AnyEvent,
    Created,
    EndReason,
    MatchEnded,
    MovePlayed,
    SeatLeft,
    SeatTaken,
)
from server.match.names import distinct_name
from server.match.state import Ending, LastPly, Match, Seat, Seats, Status


class Step(NamedTuple):
    """One event and the match on both sides of it; the first step of a match has no `before`."""

    before: Match | None
    event: AnyEvent
    after: Match


class Asked(NamedTuple):
    """Who asks, by which ref, and when (server's shared clock, ms)."""

    player: str
    ref: str
    now_ms: int


Handler = Callable[[Match, MatchCommand, Asked], Sequence[AnyEvent]]


def create(
    game: AnyGame, given: Mapping[str, OptionValue], name: str, by: Asked, *, private: bool, both_seats: bool, seed: int
) -> Created:
    """The first event of a new match, with all options written out. Raises BadOption."""
    params = game.parse_options(given)
    options = {option.name: getattr(params, option.name) for option in game.options}
    return Created(
        at_ms=by.now_ms, player=by.player, ref=by.ref, game=game.name, options=options, name=name,
        private=private, both_seats=both_seats, seed=seed,
    )  # fmt: skip


def decide(match: Match, command: MatchCommand, by: Asked) -> list[Step]:
    """The steps that `command` causes; [] when it asks for what is so already. Raises Refusal; `match` never changes.

    The events are not in the log yet: whoever calls this stores them first and shows them afterwards.
    """
    handler = TABLE.get((match.status, type(command)))
    if handler is None:
        raise Refusal(_NOT_NOW[match.status])
    return steps(match, handler(match, command, by))


def steps(match: Match, events: Iterable[AnyEvent]) -> list[Step]:
    """`events` applied one after the other."""
    matches = [match]
    happened = list(events)
    for event in happened:
        matches.append(apply(matches[-1], event))
    return [Step(before, event, after) for event, (before, after) in zip(happened, pairwise(matches), strict=True)]


def open_match(match_id: str, event: Created, catalogue: Catalogue) -> Match:
    """The match right after its first event. Raises Refusal `unknown_game`, or ValueError for a newer log format."""
    if event.format != LOG_FORMAT:
        raise ValueError(f"match {match_id} is in log format {event.format}, this is {LOG_FORMAT}")
    game = catalogue[event.game]
    params = game.parse_options(event.options)
    host = Seat(event.player, event.name)
    guest = Seat(event.player, distinct_name(event.name, event.name)) if event.both_seats else None
    return Match(
        id=match_id, game=game, params=params, options=event.options, private=event.private,
        both_seats=event.both_seats, seed=event.seed, created_ms=event.at_ms,
        status=Status.PLAYING if guest else Status.WAITING, seats=(host, guest), state=game.new(params),
    )  # fmt: skip


def apply(match: Match, event: AnyEvent) -> Match:
    """The match after one more event of its log."""
    version = match.version + 1
    match event:
        case MovePlayed(seat=seat, move=move, automatic=automatic):
            state = match.game.play(match.state, move)
            last = LastPly(seat, move, automatic)
            rested = match.rested if match.game.to_move(state) == seat else match.legal
            return replace(match, version=version, state=state, plies=match.plies + 1, last=last, rested=rested)
        case SeatTaken(seat=seat, name=name, player=player):
            seats = _with_seat(match.seats, seat, Seat(player, name))
            status = Status.PLAYING if all(seats) else Status.WAITING
            return replace(match, version=version, seats=seats, status=status)
        case SeatLeft(seat=seat):
            return replace(match, version=version, seats=_with_seat(match.seats, seat, None), status=Status.WAITING)
        case MatchEnded(winner=winner, reason=reason, by=by):
            return replace(match, version=version, status=Status.ENDED, ending=Ending(winner, reason, by))
        case Created():
            raise ValueError(f"match {match.id} was created twice")


def replay(match_id: str, events: Iterable[AnyEvent], catalogue: Catalogue) -> Match:
    """The match that a whole log adds up to. Raises ValueError when the log does not start with Created."""
    first, *others = events
    if not isinstance(first, Created):
        raise ValueError(f"the log of match {match_id} does not start with its creation")
    match = open_match(match_id, first, catalogue)
    for event in others:
        match = apply(match, event)
    return match


# Handlers -------------------------------------------------------------------------------------------------------------


def _join(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    assert isinstance(command, Join)
    if match.seats_of(by.player):
        return ()
    free = match.seats.index(None)
    other = match.seats[1 - free]
    name = distinct_name(command.name, other.name if other else None)
    return (SeatTaken(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=free, name=name),)


def _join_late(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Joining what one has joined is no error (`C10`); for everybody else the seats are taken."""
    if match.seats_of(by.player):
        return ()
    raise Refusal(Code.FULL)


def _play(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    assert isinstance(command, Play)
    seats = _own_seats(match, by)
    # First of all: whose turn it is says nothing to one who has not seen the newest position (`A1`).
    if command.version != match.version:
        raise Refusal(Code.STALE)
    seat = match.turn
    if seat is None or seat not in seats:
        raise Refusal(Code.NOT_YOUR_TURN)
    game = match.game
    state = game.play(match.state, command.move)
    move = game.canonical(match.state, command.move)
    events: list[AnyEvent] = [MovePlayed(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=seat, move=move)]
    while (passed := game.automatic(state)) is not None:
        mover = game.to_move(state)
        assert mover is not None
        events.append(
            MovePlayed(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=mover, move=passed, automatic=True)
        )
        state = game.play(state, passed)
    outcome = game.outcome(state)
    if outcome is not None:
        events.extend(_ended(by, outcome.reason, winner=outcome.winner))
    return events


def _abandon(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Giving up hands the win to the opponent (`CK R4.3`, `UD RF7`); before the first move nobody wins (`RU-M5`)."""
    seats = _own_seats(match, by)
    if not match.plies:
        return _ended(by, EndReason.ABORTED, seat=seats[0])
    seat = match.turn if match.turn in seats else seats[0]
    assert seat is not None
    return _ended(by, EndReason.ABANDONED, seat=seat, winner=1 - seat)


def _leave_waiting(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    return _cancel(match, command, by) if match.seats_of(by.player) else ()


def _leave_playing(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Before the first move a guest's seat is free again (`B10`); later, leaving the room is not giving up."""
    if match.plies or match.seats_of(by.player) != (1,):
        return ()
    return (SeatLeft(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=1),)


def _leave_ended(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    return ()


def _cancel(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    return _ended(by, EndReason.CANCELLED, seat=_own_seats(match, by)[0])


def _expire(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    return _ended(by, EndReason.EXPIRED)


def _ended(by: Asked, reason: str, *, seat: int | None = None, winner: int | None = None) -> Sequence[AnyEvent]:
    return (MatchEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, winner=winner, reason=reason, by=seat),)


def _own_seats(match: Match, by: Asked) -> tuple[int, ...]:
    seats = match.seats_of(by.player)
    if not seats:
        raise Refusal(Code.NOT_SEATED)
    return seats


def _with_seat(seats: Seats, number: int, seat: Seat | None) -> Seats:
    return (seat, seats[1]) if number == 0 else (seats[0], seat)


_NOT_NOW = {Status.WAITING: Code.WAITING, Status.PLAYING: Code.STARTED, Status.ENDED: Code.FINISHED}

TABLE: dict[tuple[Status, type[MatchCommand]], Handler] = {
    (Status.WAITING, Join): _join,
    (Status.WAITING, Leave): _leave_waiting,
    (Status.WAITING, Cancel): _cancel,
    (Status.WAITING, Expire): _expire,
    (Status.PLAYING, Join): _join_late,
    (Status.PLAYING, Play): _play,
    (Status.PLAYING, Leave): _leave_playing,
    (Status.PLAYING, Abandon): _abandon,
    (Status.ENDED, Leave): _leave_ended,
}
"""What can be asked when. Everything else is refused with the code of the status."""
