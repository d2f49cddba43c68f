"""Handlers for who is away (`RU-M5`), and for looking at a match: who is there, what was excused, what is due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protocol.errors import Code, Refusal
from server.match import bounds, due
from server.match.actions import demand
from server.match.asked import Asked, acting_seat, ended, position_seen
from server.match.commands import CallDraw, MatchCommand, Notice, WaitLonger
from server.match.events import AnyEvent, AwayChanged, EndReason, OutageExcused
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
    """Bring the match up to date with outages, with who is connected, and with the time.

    An outage is excused before anybody is held late, whichever hub looks first. What was due before somebody was lost
    happens before that is told (`Q6`).
    """
    assert isinstance(command, Notice)
    events: list[AnyEvent] = []

    def take(following: Iterable[AnyEvent]) -> None:
        nonlocal match
        for event in following:
            events.append(event)
            match = apply(match, event)

    take(excuses(match, by))
    due_ms = by.now_ms - command.slack_ms
    if command.here is not None and not match.solo:
        # Who plays alone, or against the computer, keeps nobody waiting.
        away = (not command.here[0], not command.here[1])
        if away != match.absence.away:
            back = next((seat for seat in (0, 1) if match.absence.away[seat] and not away[seat]), None)
            take(due.happened(match, by, min(due_ms, by.now_ms - command.missed_ms), spared=back))
            if match.status is not Status.ENDED:
                was_away = match.absence.away
                take([_away(match, away, command, by)])
                take(_away_too_often(match, was_away, by))
    take(due.happened(match, by, due_ms))
    return events


def _away_too_often(match: Match, was_away: tuple[bool, bool], by: Asked) -> Iterator[AnyEvent]:
    """The end by one who has just gone away once too often, so that none but who comes and goes bears it (`Q12`).

    Of two who do so in one moment neither has stayed.
    """
    gone = [
        seat
        for seat in (0, 1)
        if match.absence.away[seat] and not was_away[seat] and match.absences[seat] > bounds.MOST_ABSENCES
    ]
    if len(gone) == 1:
        yield due.gone(match, gone[0], by)


def excuses(match: Match, by: Asked) -> Iterator[OutageExcused]:
    """The outages that are known and that the match has not excused yet; each is to be applied before the next."""
    excused_ms = match.excused_ms
    for outage in by.outages:
        if outage.until_ms > excused_ms and _touches(match, outage.until_ms):
            yield OutageExcused(at_ms=by.now_ms, from_ms=max(outage.from_ms, excused_ms), until_ms=outage.until_ms)
            excused_ms = outage.until_ms


def _touches(match: Match, until_ms: int) -> bool:
    """Whether anything ran in the match before the outage was over."""
    clock, absence, pause = match.clock, match.absence, match.pause
    charged = clock.timed and clock.running is not None and until_ms > clock.since_ms
    waited = absence.until_ms is not None and until_ms > absence.since_ms
    return charged or waited or (pause is not None and until_ms > pause.since_ms)


def _away(match: Match, away: tuple[bool, bool], command: Notice, by: Asked) -> AnyEvent:
    """While both are away nobody waits for anybody; else a grace time runs, since the connection was lost (`E7`)."""
    if not any(away) or all(away):
        return AwayChanged(at_ms=by.now_ms, away=away)
    # It may be over by now; then its end takes its turn among what is due.
    return AwayChanged(at_ms=by.now_ms, away=away, until_ms=by.now_ms - command.missed_ms + match.grace_ms)
