"""Events into a match: `apply` adds one and never refuses, because what is in the log has happened."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from msgspec.structs import replace

from protocol.errors import Code, Refusal, UnreadableMatch
from server.games import AnyGame, Catalogue
from server.match.clock import new_clock, with_seat
from server.match.events import (
    LOG_FORMAT,
    AnyEvent,
    AwayChanged,
    Created,
    HintTaken,
    MatchEnded,
    MovePlayed,
    OfferEnded,
    OfferMade,
    OutageExcused,
    PauseBegun,
    PauseEnded,
    PositionReplaced,
    RematchAgreed,
    SeatLeft,
    SeatTaken,
    encode_event,
)
from server.match.names import distinct_name
from server.match.state import COMPUTER, Absence, Ending, LastPly, Match, OpenOffer, OpenPause, Seat, Seats, Status

COMPUTER_NAME = "Computer"
STRIDE = 16
"""Moves between two states that a match keeps, so that any position is never further away than that: 16 moves of the
slowest game take under a millisecond or two."""

P = ParamSpec("P")
T = TypeVar("T")
Work = Generator[None, None, T]
"""Something long, done in small steps: whoever runs it may do something else in between."""


def finished(work: Work[T]) -> T:
    """All of `work` at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


def at_once(long: Callable[P, Work[T]]) -> Callable[P, T]:
    """The function that does all of what `long` does in steps."""

    @wraps(long)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        return finished(long(*args, **kwargs))

    return done


def open_match(match_id: str, event: Created, catalogue: Catalogue) -> Match:
    """The match right after its first event. Raises Refusal `unknown_game`, or UnreadableMatch `newer_format`."""
    return finished(opening(match_id, event, catalogue))


def opening(match_id: str, event: Created, catalogue: Catalogue) -> Work[Match]:
    """The same in steps, since a saved game may bring thousands of moves."""
    if event.format != LOG_FORMAT:
        raise UnreadableMatch(Code.NEWER_FORMAT, f"log format {event.format}, this is {LOG_FORMAT}")
    game = catalogue[event.game]
    params = game.parse_options(event.options)
    host = Seat(event.player, event.name)
    guest = None
    if event.both_seats:
        guest = Seat(event.player, distinct_name(event.guest or event.name, event.name))
    elif event.computer:
        called = f"{COMPUTER_NAME} ({event.level})" if event.level else COMPUTER_NAME
        guest = Seat(COMPUTER, distinct_name(called, event.name))
    state, movers, last, trail = yield from replaying(game, params, event.moves)
    match = Match(
        id=match_id, game=game, params=params, options=event.options, private=event.private,
        both_seats=event.both_seats, computer=event.computer, seed=event.seed, created_ms=event.at_ms,
        grace_ms=event.grace_ms, status=Status.WAITING, level=event.level, state=state, moves=event.moves,
        seats=(guest, host) if event.seat else (host, guest), movers=movers, last=last, trail=trail,
        clock=new_clock(event.clock), spectators=event.spectators, delay_plies=event.delay_plies,
        lesson=event.lesson, reserved=event.reserved, review=event.review, host_seat=event.seat,
        size=len(encode_event(event)),
    )  # fmt: skip
    return _started(match, event.at_ms) if guest else match


class Replayed(NamedTuple):
    """Where a row of moves leads to: the state, the seat of each move, the last one; and states on the way."""

    state: Any
    movers: tuple[int, ...]
    last: LastPly | None
    trail: tuple[Any, ...]


def replay_moves(game: AnyGame, params: Any, moves: Sequence[str]) -> Replayed:
    """What `moves` lead to. Raises Refusal `does_not_replay`, with the number of the first move that does not fit."""
    return finished(replaying(game, params, moves))


def replaying(game: AnyGame, params: Any, moves: Sequence[str], start: Replayed | None = None) -> Work[Replayed]:
    """The same in steps of one move; `start` is where the first of them lead to, if that is known."""
    state, movers, last, trail = start or Replayed(game.new(params), (), None, ())
    played, seats, states = len(movers), list(movers), list(trail)
    if not states:
        states.append(state)
    for ply, move in enumerate(moves[played:], played + 1):
        seat = game.to_move(state)
        automatic = game.automatic(state) is not None
        try:
            state = game.play(state, move)
        except Refusal:
            raise Refusal(Code.DOES_NOT_REPLAY, ply=ply) from None
        assert seat is not None
        seats.append(seat)
        last = LastPly(seat, move, automatic)
        if ply % STRIDE == 0:
            states.append(state)
        yield
    return Replayed(state, tuple(seats), last, tuple(states))


def going_to(match: Match, moves: Sequence[str]) -> Work[Replayed]:
    """What `moves` lead to in this match; of those that it has made, too, at most STRIDE are played. In steps of one.

    Raises Refusal `does_not_replay` as `replay_moves`.
    """
    # From before the last move: what it was like is seen by playing it.
    kept = max(0, min(parted(match, moves)[0], len(moves) - 1)) // STRIDE
    start = Replayed(match.trail[kept], match.movers[: kept * STRIDE], None, match.trail[: kept + 1])
    return (yield from replaying(match.game, match.params, moves, start))


after_moves = at_once(going_to)
"""The same without steps."""


def moves_to(match: Match, event: OfferMade | PositionReplaced) -> tuple[str, ...]:
    """All moves of the position that an event goes back to."""
    return event.moves if event.keep is None else (*match.moves[: event.keep], *event.moves)


def parted(match: Match, moves: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """How many of the match's moves these begin with, and those that come after them."""
    pairs = enumerate(zip(match.moves, moves, strict=False))
    keep = next((ply for ply, (made, move) in pairs if made != move), min(match.plies, len(moves)))
    return keep, tuple(moves[keep:])


def applying(match: Match, event: AnyEvent) -> Work[Match]:
    """The match after one more event of its log, in steps of one move where the event brings a whole position."""
    if isinstance(event, MovePlayed):
        return _moved(match, event)
    return replace((yield from _applied(match, event)), size=_size(match, event))


def apply(match: Match, event: AnyEvent) -> Match:
    """The same without steps."""
    if isinstance(event, MovePlayed):
        return _moved(match, event)  # what nearly all events are
    return finished(applying(match, event))


def _size(match: Match, event: AnyEvent) -> int:
    return match.size + len(encode_event(event))


def _applied(match: Match, event: AnyEvent) -> Work[Match]:
    version = match.version + 1
    match event:
        case SeatTaken(seat=seat, name=name, player=player):
            taken = replace(match, version=version, seats=_with_holder(match.seats, seat, Seat(player, name)))
            return _started(taken, event.at_ms) if all(taken.seats) else taken
        case SeatLeft(seat=seat):
            # Whoever comes next begins a match with nothing of it used, asked or answered (`Q7`).
            return replace(
                match, version=version, seats=_with_holder(match.seats, seat, None), status=Status.WAITING,
                clock=new_clock(match.clock.rule), absence=Absence(), offer=None, declined=(), pauses=(0, 0),
                absences=with_seat(match.absences, seat, 0), freed=version,
            )  # fmt: skip
        case MatchEnded(winner=winner, reason=reason, by=by):
            return replace(
                match, version=version, status=Status.ENDED, ending=Ending(winner, reason, by), offer=None, pause=None,
                absence=Absence(), clock=match.clock.run(None, event.at_ms),
            )  # fmt: skip
        case OfferMade(seat=seat, kind=kind):
            return replace(match, version=version, offer=OpenOffer(seat, kind, moves_to(match, event), version))
        case OfferEnded(fate=fate):
            return _offer_ended(match, fate, version)
        case PositionReplaced():
            return (yield from _replaced(match, event, version))
        case PauseBegun(seat=seat, until_ms=until_ms):
            return replace(
                match, version=version, status=Status.PAUSED, pause=OpenPause(seat, event.at_ms, until_ms), offer=None,
                pauses=with_seat(match.pauses, seat, match.pauses[seat] + 1), clock=match.clock.run(None, event.at_ms),
            )  # fmt: skip
        case PauseEnded():
            return _running(replace(match, version=version, status=Status.PLAYING, pause=None), event.at_ms)
        case AwayChanged():
            return _away(match, event, version)
        case HintTaken(seat=seat, move=move):
            hints = with_seat(match.hints, seat, match.hints[seat] + 1)
            return replace(match, version=version, hints=hints, hinted=match.position, hint=move)
        case OutageExcused(from_ms=from_ms, until_ms=until_ms):
            return _excused(match, from_ms, until_ms, version)
        case RematchAgreed(next=following):
            return replace(match, version=version, rematch=following, offer=None)
        case Created() | MovePlayed():
            raise ValueError(f"{type(event).__name__} is no event of this function in match {match.id}")


def replay(match_id: str, events: Iterable[AnyEvent], catalogue: Catalogue) -> Match:
    """The match that a whole log adds up to. Raises ValueError when the log does not start with Created."""
    first, *others = events
    if not isinstance(first, Created):
        raise ValueError(f"the log of match {match_id} does not start with its creation")
    match = open_match(match_id, first, catalogue)
    for event in others:
        match = apply(match, event)
    return match


def _started(match: Match, at_ms: int) -> Match:
    return _running(replace(match, status=Status.PLAYING, position=match.version), at_ms)


def _running(match: Match, at_ms: int) -> Match:
    """The time of the seat to move goes from now on, unless it waits for the host."""
    waits = not match.plies and match.absence.stands
    return replace(match, clock=match.clock.run(None if waits else match.turn, at_ms))


def _away(match: Match, event: AwayChanged, version: int) -> Match:
    """Who is away has changed. That stops no clock but where the host was away when the guest sat down.

    Then time begins when the host is back, once: who comes and goes before the first move puts nothing off (`Q7`).
    """
    began = bool(event.player) and not event.extended
    stands = (began or match.absence.stands) and event.away[match.host_seat] and event.until_ms is not None
    extensions = match.absence.extensions + event.extended if any(event.away) else 0
    absence = Absence(event.away, event.at_ms, event.until_ms, extensions, version, stands)
    went = (now and not before for now, before in zip(event.away, match.absence.away, strict=True))
    first, second = (times + gone for times, gone in zip(match.absences, went, strict=True))
    told = replace(match, version=version, absence=absence, absences=(first, second))
    begins = stands != match.absence.stands and match.status is Status.PLAYING and not match.plies
    return _running(told, event.at_ms) if begins else told


def _moved(match: Match, event: MovePlayed) -> Match:
    seat, version = event.seat, match.version + 1
    state = match.after(event.move)
    moves = (*match.moves, event.move)
    following = match.game.to_move(state)
    return replace(
        match,
        version=version,
        size=_size(match, event),
        position=version,
        begun=match.begun or version,
        state=state,
        moves=moves,
        movers=(*match.movers, seat),
        trail=match.trail if len(moves) % STRIDE else (*match.trail, state),
        last=LastPly(seat, event.move, event.automatic),
        hurried=(*match.hurried, len(moves)) if event.hurried else match.hurried,
        rested=match.rested if following == seat or match.game.moves_only_go else match.legal,
        clock=match.clock.press(seat, following, event.at_ms),
    )


def _offer_ended(match: Match, fate: str, version: int) -> Match:
    offer = match.offer
    assert offer is not None
    declined = match.declined
    if fate in ("declined", "moved"):
        others = (entry for entry in declined if entry[:2] != (offer.seat, offer.kind))
        declined = (*others, (offer.seat, offer.kind, match.clock.moves[offer.seat]))
    return replace(match, version=version, offer=None, declined=declined)


def _replaced(match: Match, event: PositionReplaced, version: int) -> Work[Match]:
    moves = moves_to(match, event)
    state, movers, last, trail = yield from going_to(match, moves)
    clock = match.clock if event.by == "takeback" else new_clock(match.clock.rule)
    keep, _ = parted(match, moves)
    hurried = tuple(ply for ply in match.hurried if ply <= keep)
    replaced = replace(
        match, version=version, position=version, begun=version if moves else 0, state=state, moves=moves,
        movers=movers, last=last, trail=trail, hurried=hurried, rested=(), offer=None, clock=clock,
    )  # fmt: skip
    return _running(replaced, event.at_ms)


def _excused(match: Match, from_ms: int, until_ms: int, version: int) -> Match:
    """Whatever runs out is put off by as much as the outage took of it."""

    def taken(since_ms: int) -> int:
        return max(0, until_ms - max(from_ms, since_ms))

    absence, pause = match.absence, match.pause
    if absence.until_ms is not None:
        absence = replace(absence, until_ms=absence.until_ms + taken(absence.since_ms))
    if pause is not None:
        pause = replace(pause, until_ms=pause.until_ms + taken(pause.since_ms))
    clock = match.clock.excuse(from_ms, until_ms)
    return replace(match, version=version, clock=clock, absence=absence, pause=pause, excused_ms=until_ms)


def _with_holder(seats: Seats, number: int, seat: Seat | None) -> Seats:
    return (seat, seats[1]) if number == 0 else (seats[0], seat)
