"""Each event as a notification: what everybody who reads one language is told, made once for all of them."""

from __future__ import annotations

from typing import Any

from protocol.legal import legal_change
from protocol.messages import (
    Away,
    Continued,
    Ended,
    Excused,
    Hinted,
    Joined,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    Paused,
    Rematched,
    Replaced,
    SeatFreed,
)
from protocol.text import Translate
from server.match.actions import permissions
from server.match.events import (
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
)
from server.match.machine import Step
from server.match.sentences import position_text, status_text
from server.match.state import Match
from server.match.views import away_info, result, status_name

_SHOWN_ANEW = (PositionReplaced, PauseEnded)


def needs_snapshot(step: Step) -> bool:
    """Whether the position after the step cannot be told by changes: a snapshot follows it.

    A pause hides the position, and an end shows it again.
    """
    ended_hidden = step.before is not None and step.before.pause is not None and step.after.ending is not None
    return ended_hidden or isinstance(step.event, _SHOWN_ANEW)


def notification(step: Step, translate: Translate) -> MatchEvent:
    """One event as it is told. Raises ValueError for a match's creation, which is told by its snapshot."""
    before, event, after = step
    if before is None or isinstance(event, Created):
        raise ValueError("a match's creation is told by its snapshot")
    told: dict[str, Any] = {"match": after.id, "version": after.version, "at_ms": event.at_ms}
    if after.clock.timed and after.clock != before.clock:
        told["clock"] = after.clock.left(event.at_ms)
        told["clock_from_ms"] = after.clock.counts_from_ms(event.at_ms)
        if after.clock.moves != before.clock.moves and after.clock.uncharged != before.clock.uncharged:
            told["uncharged"] = after.clock.uncharged
    if not _leaves_permissions(before, event):
        was, now = permissions(before), permissions(after)
        if was != now:
            told["can"] = tuple(None if then == since else since for then, since in zip(was, now, strict=True))
    if isinstance(event, MovePlayed):
        return _moved(before, event, after, translate, told)
    if not isinstance(event, OfferMade | OfferEnded | AwayChanged | HintTaken | OutageExcused | RematchAgreed):
        told["text"] = status_text(after).render(translate)
    return _told(before, event, after, translate, told)


def _leaves_permissions(before: Match, event: AnyEvent) -> bool:
    """Whether it is plain without working anything out that nobody's permissions change: for most moves it is."""
    moved = isinstance(event, MovePlayed) and not before.declined and not before.computer
    return moved and 0 in before.movers and 1 in before.movers


def _told(before: Match, event: AnyEvent, after: Match, translate: Translate, told: dict[str, Any]) -> MatchEvent:
    match event:
        case SeatTaken(seat=seat, name=name):
            return Joined(**told, seat=seat, name=name, status=status_name(after))
        case SeatLeft(seat=seat):
            return SeatFreed(**told, seat=seat)
        case MatchEnded():
            assert after.ending is not None
            return Ended(**told, result=result(after, after.ending, translate))
        case OfferMade(seat=seat, kind=kind):
            return Offered(**told, seat=seat, kind=kind)
        case OfferEnded(fate=fate):
            assert before.offer is not None
            return OfferClosed(**told, seat=before.offer.seat, kind=before.offer.kind, fate=fate)
        case PositionReplaced(seat=seat, by=by):
            return Replaced(**told, seat=seat, by=by)
        case PauseBegun(seat=seat, until_ms=until_ms):
            return Paused(**told, seat=seat, until_ms=until_ms)
        case PauseEnded():
            return Continued(**told, seat=event.seat)
        case AwayChanged():
            return Away(**told, away=away_info(after))
        case HintTaken(seat=seat):
            return Hinted(**told, seat=seat)
        case OutageExcused(from_ms=from_ms, until_ms=until_ms):
            return Excused(**told, outage_ms=until_ms - from_ms)
        case RematchAgreed(next=following):
            return Rematched(**told, next=following)
        case _:
            raise ValueError(f"{type(event).__name__} is told elsewhere")


def _moved(before: Match, event: MovePlayed, after: Match, translate: Translate, told: dict[str, Any]) -> Moved:
    game = after.game
    scores = game.scores(after.state)
    focus = game.focus(after.state)
    return Moved(
        **told,
        text=position_text(after, after.state).render(translate),
        seat=event.seat,
        move=game.shown(event.move),
        marks=dict(game.changes(before.state, after.state)),
        to_move=after.turn,
        legal=None
        if game.moves_only_go
        else legal_change(after.legal_set, before.legal_set, before.rested, event.move),
        scores=None if scores == game.scores(before.state) else scores,
        focus=None if focus == game.focus(before.state) else focus,
        automatic=event.automatic,
        entry=game.entry(event.move),
        less=event.hurried,
    )
