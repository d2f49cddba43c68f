"""The match machine: what may happen in which status is a table.

A command goes through `deciding`: it looks the pair (status, command) up in `TABLE`. A pair that is missing is a
refusal whose code is the status (`waiting`, `started`, `paused`, `finished`). A handler that is found either raises a
Refusal, and then nothing has happened, or returns the events that the command causes: often one, none when the
command finds done what it asks for, several when one thing brings another (a last move ends the match). The events are
folded into the match by `fold.apply`. What else may stand against a command is in `actions.CONDITIONS`.

    waiting --join--> playing --play--> playing | ended        ended is final, but for a rematch
    waiting --cancel, leave, expire--> ended
    playing --leave, before the first move, by the guest--> waiting
    playing --pause--> paused --continue, or its time--> playing
    playing, paused --abandon, or the wait for one who is away--> ended
    playing --a draw agreed, time run out--> ended
    waiting, playing, paused --stop, by the operator--> ended
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import GeneratorType
from typing import NamedTuple

from protocol.errors import BadOption, Code, Refusal
from protocol.messages import ClockRule, OptionValue
from protocol.text import N_, text
from server.games import AnyGame
from server.match import absence, bounds, due, hints, lessons, moves, offers, pauses, relaying
from server.match.actions import not_now
from server.match.asked import Asked, Outage
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    Cancel,
    Continue,
    Expire,
    Join,
    Leave,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Play,
    Relay,
    Stop,
    TakeHint,
    WaitLonger,
    Withdraw,
)
from server.match.events import DEFAULT_GRACE_MS, AnyEvent, Created, EndReason, MatchEnded, SeatTaken
from server.match.fold import Work, apply, applying, finished, open_match, replay
from server.match.state import Match, Status

__all__ = [
    "Asked",
    "Outage",
    "Step",
    "apply",
    "create",
    "decide",
    "deciding",
    "follow_up",
    "open_match",
    "replay",
    "stepping",
    "steps",
]


class Step(NamedTuple):
    """One event and the match on both sides of it; the first step of a match has no `before`."""

    before: Match | None
    event: AnyEvent
    after: Match


Handler = Callable[[Match, MatchCommand, Asked], Sequence[AnyEvent] | Work[Sequence[AnyEvent]]]
"""One that may have to replay a saved game does so in steps."""


def create(
    game: AnyGame,
    given: Mapping[str, OptionValue],
    name: str,
    by: Asked,
    *,
    private: bool = False,
    both_seats: bool = False,
    computer: bool = False,
    level: str = "",
    seat: int = 0,
    seed: int = 0,
    clock: ClockRule | None = None,
    grace_ms: int = DEFAULT_GRACE_MS,
    saved: Sequence[str] = (),
    spectators: bool = False,
    delay_plies: int = 0,
    reserved: str = "",
) -> Created:
    """The first event of a new match, with all options written out; whether `saved` fits is seen by opening it.

    Raises BadOption, or Refusal `unknown_game` or `no_computer`.
    """
    if not game.offered:
        raise Refusal(Code.UNKNOWN_GAME, game=game.name)
    params = game.parse_options(given)
    if computer and not game.levels:
        raise Refusal(Code.NO_COMPUTER)
    if level and not computer:
        raise BadOption("level", text(N_("it can be chosen against the computer only")))
    if seat and both_seats:
        raise BadOption("seat", text(N_("both seats are yours")))
    names = [known.name for known in game.levels]
    if level and level not in names:
        raise BadOption("level", text(N_("choose one of {choices}"), choices=", ".join(names)))
    return Created(
        at_ms=by.now_ms,
        player=by.player,
        ref=by.ref,
        game=game.name,
        options={option.name: getattr(params, option.name) for option in game.options},
        name=name,
        private=private,
        both_seats=both_seats,
        computer=computer,
        level=level or game.usual_level if computer else "",
        seat=seat,
        seed=seed,
        clock=game.clock if clock is None else clock,
        grace_ms=grace_ms,
        moves=tuple(saved),
        spectators=spectators,
        delay_plies=delay_plies,
        reserved=reserved,
    )


def follow_up(match: Match, at_ms: int) -> list[AnyEvent]:
    """The first events of the rematch that was agreed in `match`: the same with seats swapped, also with the computer.

    Two at one keyboard sit as they like.
    """
    first, second = match.seats
    assert first is not None
    assert second is not None
    stays = match.both_seats or (match.computer and not match.host_seat)
    host, guest = (first, second) if stays else (second, first)
    seat = 1 - match.host_seat if match.computer else 0
    created = Created(
        at_ms=at_ms, player=host.player, game=match.game.name, options=dict(match.options), name=host.name,
        private=match.private, both_seats=match.both_seats, computer=match.computer, level=match.level, seat=seat,
        seed=match.seed + 1, clock=match.clock.rule, grace_ms=match.grace_ms, rematch_of=match.id,
        spectators=match.spectators, delay_plies=match.delay_plies, lesson=match.lesson, moves=lessons.start(match),
        reserved="" if match.solo else guest.player,
    )  # fmt: skip
    if match.solo:
        return [created]
    return [created, SeatTaken(at_ms=at_ms, player=guest.player, seat=1, name=guest.name)]


def deciding(match: Match, command: MatchCommand, by: Asked) -> Work[list[Step]]:
    """The steps that `command` causes; [] when it asks for what is so already. Raises Refusal; `match` never changes.

    In steps of one move, since a saved game may be brought into the match (`RU-M8`). The events are not in the log yet:
    whoever calls this stores them first and shows them afterwards. What is asked first after an outage is judged, and
    charged, without it (`D5`). What was due before it has happened before it, even if nobody has looked yet (`Q6`).
    """
    passed, now, found = _asked(match, command, by)
    events: Sequence[AnyEvent] = (yield from found) if isinstance(found, GeneratorType) else found  # type: ignore[assignment]
    return _in_all(passed, (yield from stepping(now, events)), by)


def decide(match: Match, command: MatchCommand, by: Asked) -> list[Step]:
    """The same without steps."""
    passed, now, found = _asked(match, command, by)
    events: Sequence[AnyEvent] = finished(found) if isinstance(found, GeneratorType) else found  # type: ignore[assignment]
    return _in_all(passed, steps(now, events), by)


def _asked(
    match: Match, command: MatchCommand, by: Asked
) -> tuple[list[Step], Match, Sequence[AnyEvent] | Work[Sequence[AnyEvent]]]:
    """What happens before the command, the match that it meets then, and what its handler says."""
    passed: list[Step] = []
    if by.outages and not isinstance(command, Notice):
        passed = steps(match, absence.excuses(match, by))
    now = passed[-1].after if passed else match
    if now.status is Status.PAUSED and type(command) in ENDS_PAUSE:
        passed += steps(now, due.pause_over(now, by))
        now = passed[-1].after if passed else match
    handler = TABLE.get((now.status, type(command)))
    if handler is None:
        raise not_now(now.status)
    if type(command) in IN_TIME and due.over(now, by):
        raise Refusal(Code.TOO_LATE)
    return passed, now, handler(now, command, by)


def _in_all(passed: list[Step], caused: list[Step], by: Asked) -> list[Step]:
    if not caused:
        return []
    too_long = bounds.end(caused[-1].after, by)
    if too_long is not None:
        caused += steps(caused[-1].after, [too_long])
    return passed + caused


def stepping(match: Match, events: Iterable[AnyEvent]) -> Work[list[Step]]:
    """`events` applied one after the other, a step for each of them, and for each move of a whole position."""
    happened = []
    for event in events:
        after = yield from applying(match, event)
        happened.append(Step(match, event, after))
        match = after
        yield
    return happened


def steps(match: Match, events: Iterable[AnyEvent]) -> list[Step]:
    """The same without steps."""
    happened = []
    for event in events:
        after = apply(match, event)
        happened.append(Step(match, event, after))
        match = after
    return happened


def computer_to_move(match: Match) -> bool:
    """Whether the computer is awaited."""
    return match.to_move is not None and match.computers[match.to_move]


def over_at_once(opened: Match) -> list[AnyEvent]:
    """The end that a match has at once which was opened from a finished saved game, or to review one; [] for others."""
    outcome = opened.game.outcome(opened.state)
    if outcome is not None:
        return [MatchEnded(at_ms=opened.created_ms, winner=outcome.winner, reason=outcome.reason)]
    if opened.review:
        return [MatchEnded(at_ms=opened.created_ms, winner=None, reason=EndReason.REVIEWED)]
    return []


TABLE: dict[tuple[Status, type[MatchCommand]], Handler] = {
    (Status.WAITING, Join): moves.join,
    (Status.WAITING, Leave): moves.leave_waiting,
    (Status.WAITING, Cancel): moves.cancel,
    (Status.WAITING, Expire): moves.expire,
    (Status.WAITING, Stop): moves.stop,
    (Status.PLAYING, Join): moves.join_late,
    (Status.PLAYING, Play): moves.play,
    (Status.PLAYING, Relay): relaying.relay,
    (Status.PLAYING, Leave): moves.leave_playing,
    (Status.PLAYING, Abandon): moves.abandon,
    (Status.PLAYING, TakeHint): hints.take,
    (Status.PLAYING, Offer): offers.offer,
    (Status.PLAYING, Answer): offers.answer,
    (Status.PLAYING, Withdraw): offers.withdraw,
    (Status.PLAYING, Pause): pauses.pause,
    (Status.PLAYING, WaitLonger): absence.wait_longer,
    (Status.PLAYING, CallDraw): absence.call_draw,
    (Status.PLAYING, Notice): absence.notice,
    (Status.PLAYING, Stop): moves.stop,
    (Status.PAUSED, Join): moves.join_late,
    (Status.PAUSED, Leave): moves.leave,
    (Status.PAUSED, Abandon): moves.abandon,
    (Status.PAUSED, Continue): pauses.resume,
    (Status.PAUSED, WaitLonger): absence.wait_longer,
    (Status.PAUSED, CallDraw): absence.call_draw,
    (Status.PAUSED, Notice): absence.notice,
    (Status.PAUSED, Stop): moves.stop,
    (Status.ENDED, Leave): moves.leave,
    (Status.ENDED, Offer): offers.offer,
    (Status.ENDED, Answer): offers.answer,
    (Status.ENDED, Withdraw): offers.withdraw,
}
"""What can be asked when. Everything else is refused with the code of the status."""
IN_TIME = frozenset({Abandon, Answer, CallDraw, Offer, Pause, TakeHint, WaitLonger, Withdraw})
"""What comes too late, like a move (`RU-M2`), once the match is lost by time: a flag, or one who did not come back."""
ENDS_PAUSE = IN_TIME | {Play}
"""What finds a pause over whose time is up."""
