"""A match as one position: its last snapshot brought forward event by event. Pure.

Screens use it, and so do players who want to know the whole position. The snapshot's `clock` is what each seat had
left at its `now_ms`; both go forward together, with `clock_from_ms`.
"""

from __future__ import annotations

from typing import Any

from msgspec import structs

from protocol.legal import legal_after
from protocol.messages import (
    Away,
    AwayInfo,
    Continued,
    Ended,
    Excused,
    Hinted,
    Joined,
    LastMove,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    OfferInfo,
    Paused,
    PauseInfo,
    Presence,
    Rematched,
    Replaced,
    SeatFreed,
    SeatInfo,
    Snapshot,
)

_HIDDEN: dict[str, Any] = {"marks": {}, "focus": (), "legal": (), "resting": (), "last": None}
"""What nobody may see during a pause (`CK 5.4.3`), in the form in which the server hides it."""


def seat_name(match: Snapshot, seat: int) -> str:
    """How the holder of a seat is called: by name, or by the seat's own while nobody sits there.

    Two people at one keyboard have one name between them, so their seats keep theirs. A saved game that is gone over
    has the names of its file.
    """
    info = match.seats[seat]
    return info.style.name if info.name is None or (len(match.you) == 2 and not match.review) else info.name


def shown_anew(event: object) -> bool:
    """Whether the position after the event comes in a Snapshot that follows it."""
    return isinstance(event, Replaced | Continued)


def advance(match: Snapshot, event: MatchEvent | Presence) -> Snapshot:
    """The snapshot after the next event of its match; for screens, and for players who want the whole position."""
    if isinstance(event, Presence):
        first, second = (
            structs.replace(seat, here=event.here[number], where=event.where[number], since_ms=event.since_ms[number])
            for number, seat in enumerate(match.seats)
        )
        return structs.replace(match, seats=(first, second), spectators=event.spectators)
    return structs.replace(match, **(_common(match, event) | _changes(match, event)))


def _common(match: Snapshot, event: MatchEvent) -> dict[str, Any]:
    """What any event may bring: what is left out of it is as it was."""
    changes: dict[str, Any] = {"version": event.version, "text": event.text or match.text}
    if event.clock is not None:
        changes |= {"clock": event.clock, "clock_from_ms": event.clock_from_ms, "now_ms": event.at_ms}
    if event.uncharged is not None:
        changes["uncharged"] = event.uncharged
    if event.can is not None:
        changes["can"] = tuple(known if new is None else new for known, new in zip(match.can, event.can, strict=True))
    return changes


def _changes(match: Snapshot, event: MatchEvent) -> dict[str, Any]:
    match event:
        case Moved():
            return _moved(match, event)
        case Joined():
            seats = _with_seat(match, event.seat, event.name, here=True)
            return {"seats": seats, "status": event.status}
        case SeatFreed():
            return {
                "seats": _with_seat(match, event.seat, None, here=False),
                "status": "waiting",
                "offer": None,
                "away": (),
            }
        case Ended(result=result):
            return {
                "status": "ended", "result": result, "text": result.text, "to_move": None, "legal": (), "focus": (),
                "offer": None, "pause": None, "away": (), **_stopped(match, event),
            }  # fmt: skip
        case Offered(seat=seat, kind=kind):
            return {"offer": OfferInfo(kind, seat, event.version)}
        case OfferClosed():
            return {"offer": None}
        case Replaced():
            return {"offer": None}
        case Paused(seat=seat, until_ms=until_ms):
            return {"pause": PauseInfo(seat, until_ms), "offer": None, **_HIDDEN}
        case Continued():
            return {"pause": None}
        case Away(away=away):
            return {"away": away}
        case Hinted(seat=seat):
            first, second = match.hints
            return {"hints": (first + 1, second) if seat == 0 else (first, second + 1)}
        case Excused(outage_ms=outage_ms):
            return _put_off(match, outage_ms)
        case Rematched(next=following):
            return {"rematch": following, "offer": None}
        case _:
            return {}


def _moved(match: Snapshot, event: Moved) -> dict[str, Any]:
    marks = dict(match.marks)
    for element, mark in event.marks.items():
        if mark is None:
            marks.pop(element, None)
        else:
            marks[element] = mark
    return {
        "status": "playing",
        "marks": marks,
        "focus": match.focus if event.focus is None else event.focus,
        "scores": match.scores if event.scores is None else event.scores,
        "to_move": event.to_move,
        "legal": legal_after(event.legal, match.legal, match.resting, event.move),
        "resting": match.resting if event.to_move == event.seat else match.legal,
        "plies": match.plies + 1,
        "last": LastMove(event.seat, event.move, event.automatic, event.entry),
    }


def _put_off(match: Snapshot, outage_ms: int) -> dict[str, Any]:
    """Nobody is charged for an outage (`D5`): what would have run out during it runs out as much later."""
    away = tuple(
        info if info.until_ms is None else AwayInfo(info.seat, info.until_ms + outage_ms, info.stands)
        for info in match.away
    )
    pause = match.pause
    return {"away": away, "pause": None if pause is None else PauseInfo(pause.seat, pause.until_ms + outage_ms)}


def _stopped(match: Snapshot, event: MatchEvent) -> dict[str, Any]:
    """The clock as it stands at the end, where the event does not say."""
    left = time_left(match, event.at_ms)
    stopped: dict[str, Any] = {"clock": left, "clock_from_ms": 0, "now_ms": event.at_ms}
    return {} if event.clock is not None or left is None else stopped


def cleared(match: Snapshot) -> Snapshot:
    """The empty board of a match that is over, and of no match any more (`UD RF3`)."""
    first, second = (structs.replace(seat, name=None, here=False) for seat in match.seats)
    nothing = tuple(0 for _ in match.scores[0])
    return structs.replace(
        match, match="", status="ended", seats=(first, second), you=(), scores=(nothing, nothing), to_move=None,
        text="", plies=0, result=None, spectators=0, key=None, clock=None, offer=None, pause=None, away=(),
        can=((), ()), rematch="", **_HIDDEN,
    )  # fmt: skip


def running_seat(match: Snapshot) -> int | None:
    """Whose time goes down: of the seat to move, but not in a pause, nor before the start or after the end.

    Nor, before the first move, while the host is waited for who was away when the guest sat down.
    """
    if match.clock is None or match.status != "playing" or match.pause is not None:
        return None
    waits = not match.plies and any(info.stands for info in match.away)
    return None if waits else match.to_move


def time_left(match: Snapshot, server_now_ms: float) -> tuple[int, int] | None:
    """What each seat has left at a time of the server's clock, in ms; None where time is not limited (`CK R2.3`).

    What is excused and has not passed yet is not counted down.
    """
    if match.clock is None:
        return None
    running = running_seat(match)
    gone_ms = max(0.0, max(server_now_ms, match.clock_from_ms) - match.now_ms)
    first, second = (
        max(0, round(left - gone_ms)) if seat == running else left for seat, left in enumerate(match.clock)
    )
    return first, second


def _with_seat(match: Snapshot, seat: int, name: str | None, *, here: bool) -> tuple[SeatInfo, SeatInfo]:
    changed = structs.replace(match.seats[seat], name=name, here=here)
    return (changed, match.seats[1]) if seat == 0 else (match.seats[0], changed)
