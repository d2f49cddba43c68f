"""A match as one position: its last snapshot brought forward event by event, and what happened on the way. Pure.

Screens use it, and so do players who want to know the whole position.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from protocol.legal import legal_after
from protocol.messages import (
    Ended,
    GameInfo,
    Joined,
    LastMove,
    MatchEvent,
    Moved,
    Presence,
    SeatFreed,
    SeatInfo,
    Snapshot,
)


@dataclass(frozen=True)
class Happening:
    """One line of what happened in the match; `seat` is whose doing it was."""

    text: str
    seat: int | None = None


def seat_name(match: Snapshot, seat: int) -> str:
    """How the holder of a seat is called: by name, or by the seat's own while nobody sits there.

    Two people at one keyboard have one name between them, so their seats keep theirs.
    """
    info = match.seats[seat]
    return info.style.name if info.name is None or len(match.you) == 2 else info.name


def advance(match: Snapshot, event: MatchEvent | Presence) -> Snapshot:
    """The snapshot after the next event of its match; for screens, and for players who want the whole position."""
    match event:
        case Moved():
            marks = dict(match.marks)
            for element, mark in event.marks.items():
                if mark is None:
                    marks.pop(element, None)
                else:
                    marks[element] = mark
            return structs.replace(
                match,
                version=event.version,
                status="playing",
                marks=marks,
                focus=match.focus if event.focus is None else event.focus,
                scores=match.scores if event.scores is None else event.scores,
                to_move=event.to_move,
                legal=legal_after(event.legal, match.legal, match.resting, event.move),
                resting=match.resting if event.to_move == event.seat else match.legal,
                text=event.text,
                plies=match.plies + 1,
                last=LastMove(event.seat, event.move, event.automatic),
            )
        case Joined():
            seats = _with_seat(match, event.seat, event.name, here=True)
            return structs.replace(match, version=event.version, seats=seats, status=event.status, text=event.text)
        case SeatFreed():
            seats = _with_seat(match, event.seat, None, here=False)
            return structs.replace(match, version=event.version, seats=seats, status="waiting", text=event.text)
        case Ended():
            return structs.replace(
                match,
                version=event.version,
                status="ended",
                result=event.result,
                text=event.result.text,
                to_move=None,
                legal=(),
                focus=(),
            )
        case Presence():
            first, second = (
                structs.replace(seat, here=here) for seat, here in zip(match.seats, event.here, strict=True)
            )
            return structs.replace(match, seats=(first, second), spectators=event.spectators)
        case _:
            return structs.replace(match, version=event.version)


def _with_seat(match: Snapshot, seat: int, name: str | None, *, here: bool) -> tuple[SeatInfo, SeatInfo]:
    changed = structs.replace(match.seats[seat], name=name, here=here)
    return (changed, match.seats[1]) if seat == 0 else (match.seats[0], changed)


def happening(
    before: Snapshot, after: Snapshot, event: MatchEvent | Presence, game: GameInfo | None
) -> Happening | None:
    match event:
        case Moved(seat=seat):
            gains = _gains(before, after, game, seat)
            by = "by itself: " if event.automatic else ""
            return Happening(f"{seat_name(after, seat)}: {by}{event.move}{gains}", seat)
        case Joined(seat=seat):
            return Happening(f"{seat_name(after, seat)} sat down.", seat)
        case SeatFreed(seat=seat):
            return Happening(f"{seat_name(before, seat)} left.", seat)
        case Ended(result=result):
            return Happening(result.text, result.winner)
        case Presence():
            return _coming_and_going(before, after)
        case _:
            return None


def _gains(before: Snapshot, after: Snapshot, game: GameInfo | None, seat: int) -> str:
    """How the move changed the scores: " (+1)"; the other seat's with its name, labels only where there are several."""
    names = game.score_names if game is not None else ()
    parts = []
    for side in (seat, 1 - seat):
        who = "" if side == seat else f"{seat_name(after, side)} "
        for label, old, new in zip(names, before.scores[side], after.scores[side], strict=False):
            if old != new:
                parts.append(f"{who}{new - old:+d}{f' {label}' if len(names) > 1 else ''}")
    return f" ({', '.join(parts)})" if parts else ""


def _coming_and_going(before: Snapshot, after: Snapshot) -> Happening | None:
    for seat in (0, 1):
        was, now = before.seats[seat], after.seats[seat]
        if now.name is not None and was.here != now.here and seat not in after.you:
            return Happening(f"{now.name} {'is back' if now.here else 'lost the connection'}.", seat)
    return None
