"""Handlers for who is away (`RU-M5`), and for what time alone brings: flags, ends of pauses and of waiting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocol.errors import Code, Refusal
from server.match.actions import demand
from server.match.asked import Asked, acting_seat, ended, position_seen
from server.match.commands import CallDraw, MatchCommand, Notice, WaitLonger
from server.match.events import AnyEvent, AwayChanged, EndReason, MatchEnded, OutageExcused, PauseEnded
from server.match.fold import apply
from server.match.state import Match, Status

EXTENSION_MS = 60_000
"""What waiting longer adds (`RU-M5`)."""


def wait_longer(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The one who stays gives the other another minute."""
    assert isinstance(command, WaitLonger)
    demand(match, acting_seat(match, by), "wait_longer")
    absence = match.absence
    _absence_seen(match, command.version)
    assert absence.until_ms is not None
    longer = AwayChanged(
        at_ms=by.now_ms, player=by.player, ref=by.ref, away=absence.away, until_ms=absence.until_ms + EXTENSION_MS,
        extended=True,
    )  # fmt: skip
    return (longer,)


def call_draw(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The one who stays is content with a draw; before the first move nothing was played for."""
    assert isinstance(command, CallDraw)
    demand(match, acting_seat(match, by), "call_draw")
    _absence_seen(match, command.version)
    position_seen(match, command.version)
    return (ended(by, EndReason.AGREED if match.plies else EndReason.ABORTED),)


def _absence_seen(match: Match, version: int | None) -> None:
    """Refused as `stale` when who is away, or is waited for, has changed since `version` (`Q1`)."""
    if version is not None and version < match.absence.version:
        raise Refusal(Code.STALE)


def notice(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """Bring the match up to date with outages, with who is connected, and with the time, in this order.

    An outage is excused before anybody is held late, whichever hub looks first. At most one thing ends by time.
    """
    assert isinstance(command, Notice)
    events: list[AnyEvent] = []
    for event in _brought_by(match, command, by):
        events.append(event)
        match = apply(match, event)
        if match.status is Status.ENDED:
            return events
    late = _brought_by_time(match, by, by.now_ms - command.slack_ms)
    return events if late is None else [*events, late]


def excuses(match: Match, by: Asked) -> Iterator[OutageExcused]:
    """The outages that are known and that the match has not excused yet; each is to be applied before the next."""
    excused_ms = match.excused_ms
    for outage in by.outages:
        if outage.until_ms > excused_ms and _touches(match, outage.until_ms):
            yield OutageExcused(at_ms=by.now_ms, from_ms=max(outage.from_ms, excused_ms), until_ms=outage.until_ms)
            excused_ms = outage.until_ms


def _brought_by(match: Match, command: Notice, by: Asked) -> Iterator[AnyEvent]:
    yield from excuses(match, by)
    if command.here is not None and not match.solo:
        # Who plays alone, or against the computer, keeps nobody waiting.
        away = (not command.here[0], not command.here[1])
        if away != match.absence.away:
            yield _away(match, away, command.missed_ms, by)


def _touches(match: Match, until_ms: int) -> bool:
    """Whether anything ran in the match before the outage was over."""
    clock, absence, pause = match.clock, match.absence, match.pause
    charged = clock.timed and clock.running is not None and until_ms > clock.since_ms
    waited = absence.until_ms is not None and until_ms > absence.since_ms
    return charged or waited or (pause is not None and until_ms > pause.since_ms)


def _away(match: Match, away: tuple[bool, bool], missed_ms: int, by: Asked) -> AnyEvent:
    """While both are away nobody waits for anybody; else a grace time runs, since the connection was lost (`E7`)."""
    if not any(away) or all(away):
        return AwayChanged(at_ms=by.now_ms, away=away)
    if not match.grace_ms:
        return _abandoned(match, away.index(True), by)
    return AwayChanged(at_ms=by.now_ms, away=away, until_ms=by.now_ms + max(0, match.grace_ms - missed_ms))


def _abandoned(match: Match, seat: int, by: Asked) -> MatchEnded:
    if not match.plies:
        return ended(by, EndReason.ABORTED, seat=seat)
    return ended(by, EndReason.ABANDONED, seat=seat, winner=1 - seat)


def _brought_by_time(match: Match, by: Asked, due_ms: int) -> AnyEvent | None:
    absence, pause, clock = match.absence, match.pause, match.clock
    if absence.until_ms is not None and due_ms >= absence.until_ms:
        return _abandoned(match, absence.away.index(True), by)
    if pause is not None and due_ms >= pause.until_ms:
        return PauseEnded(at_ms=by.now_ms)
    if clock.flagged(due_ms):
        seat = clock.running
        assert seat is not None
        return ended(by, EndReason.TIME, seat=seat, winner=1 - seat)
    return None
