"""What happened in a match, one line for each event, for the log beside the board. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from client.conversation.position import seat_name
from protocol.messages import (
    Away,
    Continued,
    Ended,
    Excused,
    GameInfo,
    Hinted,
    Joined,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    OfferKind,
    Paused,
    Presence,
    Record,
    Rematched,
    Replaced,
    Replacement,
    Said,
    SeatFreed,
    SeatInfo,
    Snapshot,
)

Scores = tuple[tuple[int, ...], tuple[int, ...]]
"""Those of either seat."""


@dataclass(frozen=True)
class Happening:
    """One line of what happened in the match; `seat` is whose doing it was, and `is_said` what somebody said."""

    text: str
    seat: int | None = None
    is_said: bool = False


@dataclass(frozen=True)
class Made:
    """A move that was made: by whom, where that was told, and how it changed the scores, " (+1)".

    `short` is the weightiest part of that: what the other side lost, by its sign, or else the first gain. `less`: the
    computer thought about it for less than its level does.
    """

    move: str
    seat: int | None
    gains: str = ""
    short: str = ""
    less: bool = False


HASTE = ", in haste"
"""Behind a move about which the computer thought for less than its level does."""

OFFERS: dict[OfferKind, str] = {
    "draw": "offers a draw",
    "takeback": "asks to take the last move back",
    "restart": "asks to restart the match",
    "revert": "asks to revert to a saved position",
    "rematch": "asks for a rematch",
}
"""What follows a name; with a question mark behind it is what the other one is asked."""

_OFFER_NAMES: dict[OfferKind, str] = {
    "draw": "draw",
    "takeback": "taking back",
    "restart": "restart",
    "revert": "saved position",
    "rematch": "rematch",
}
_REPLACED: dict[Replacement, str] = {
    "takeback": "A move was taken back.",
    "restart": "The match was restarted.",
    "revert": "The match was reverted to a saved position.",
}


def offer_text(match: Snapshot, kind: OfferKind, seat: int) -> str:
    """Who offers what: "Ben offers a draw." """
    return f"{seat_name(match, seat)} {OFFERS[kind]}."


def said_text(line: Said) -> Happening:
    """A line that was said, in quotes, so that nobody can say what looks like something that happened."""
    return Happening(f"{line.name}: “{line.text}”", line.seat, is_said=True)


def made(before: Snapshot, after: Snapshot, event: Moved, game: GameInfo | None) -> Made:
    """The move of `event`, for the list of moves."""
    return _made(after, event.move, event.seat, (before.scores, after.scores), game, less=event.less)


def made_before(match: Snapshot, record: Record, game: GameInfo | None) -> tuple[Made, ...]:
    """The moves of `record` for the same list: they were made when nobody looked from here."""
    movers = record.movers or (None,) * len(record.moves)
    changes = tuple(pairwise(record.scores)) or (None,) * len(record.moves)
    return tuple(
        _made(match, move, seat, change, game, less=ply in record.less)
        for ply, (move, seat, change) in enumerate(zip(record.moves, movers, changes, strict=False), record.after + 1)
    )


def _made(
    match: Snapshot, move: str, seat: int | None, change: tuple[Scores, Scores] | None, game: GameInfo | None, *,
    less: bool,
) -> Made:  # fmt: skip
    if seat is None or change is None:
        return Made(move, seat, less=less)
    own, others = _changed(change, game, seat)
    symbol = match.seats[1 - seat].style.symbol[:1] or str(2 - seat)
    short = next((f"{symbol}{part}" for part in others), next(iter(own), ""))
    return Made(move, seat, _gains(match, change, game, seat), short, less)


def happening(
    before: Snapshot, after: Snapshot, event: MatchEvent | Presence, game: GameInfo | None
) -> Happening | None:
    """The line for `event`, None for what needs no line."""
    match event:
        case Moved(seat=seat):
            gains = _gains(after, (before.scores, after.scores), game, seat)
            by = "by itself: " if event.automatic else ""
            haste = HASTE if event.less else ""
            return Happening(f"{seat_name(after, seat)}: {by}{event.move}{gains}{haste}", seat)
        case Joined(seat=seat):
            return Happening(f"{seat_name(after, seat)} sat down.", seat)
        case SeatFreed(seat=seat):
            return Happening(f"{seat_name(before, seat)} left.", seat)
        case Ended(result=result):
            return Happening(result.text, result.winner)
        case Presence():
            return _coming_and_going(before, after)
        case _:
            return _around_the_moves(before, after, event)


def _around_the_moves(before: Snapshot, after: Snapshot, event: MatchEvent | Presence) -> Happening | None:
    match event:
        case Offered(seat=seat, kind=kind):
            return Happening(offer_text(after, kind, seat), seat)
        case OfferClosed():
            return _offer_closed(after, event)
        case Replaced(seat=seat, by=by):
            return Happening(_REPLACED[by], seat)
        case Paused(seat=seat):
            return Happening(f"{seat_name(after, seat)} paused the match.", seat)
        case Continued(seat=seat):
            return Happening("The pause is over." if seat is None else f"{seat_name(after, seat)} goes on.", seat)
        case Away():
            return _waited_for(before, after)
        case Hinted(seat=seat):
            return Happening(f"{seat_name(after, seat)} took a hint.", seat)
        case Excused(outage_ms=outage_ms):
            seconds = max(round(outage_ms / 1000), 1)
            return Happening(f"The server was away. {seconds} s are charged to nobody.")
        case Rematched():
            return Happening("The task begins anew." if after.lesson else "The rematch begins.")
        case _:
            return None


def _offer_closed(match: Snapshot, event: OfferClosed) -> Happening:
    offerer, other, name = seat_name(match, event.seat), seat_name(match, 1 - event.seat), _OFFER_NAMES[event.kind]
    match event.fate:
        case "accepted":
            return Happening(f"{other} agrees ({name}).", 1 - event.seat)
        case "declined":
            return Happening(f"{other} declines ({name}).", 1 - event.seat)
        case "withdrawn":
            return Happening(f"{offerer} takes the offer back ({name}).", event.seat)
        case "moved":
            return Happening(f"The offer is off, because play went on ({name}).")


def _waited_for(before: Snapshot, after: Snapshot) -> Happening | None:
    """Coming and going is told by presence; here only that somebody is waited for longer (`RU-M5`)."""
    until = {info.seat: info.until_ms for info in before.away}
    for info in after.away:
        was = until.get(info.seat)
        if was is not None and info.until_ms is not None and info.until_ms > was:
            stays, gone = seat_name(after, 1 - info.seat), seat_name(after, info.seat)
            return Happening(f"{stays} waits longer for {gone}.", 1 - info.seat)
    return None


def score_name(game: GameInfo | None, place: int, count: int) -> str:
    """What `count` of the score at this place is called: one "box", but two "boxes"; "" for what has no name."""
    if game is None:
        return ""
    ones, many = game.score_names_one, game.score_names
    if count == 1 and place < len(ones):
        return ones[place]
    return many[place] if place < len(many) else ""


def _gains(match: Snapshot, change: tuple[Scores, Scores], game: GameInfo | None, seat: int) -> str:
    """How the move changed the scores: " (+1)"; the other seat's with its name, labels only where there are several."""
    own, others = _changed(change, game, seat)
    parts = [*own, *(f"{seat_name(match, 1 - seat)} {part}" for part in others)]
    return f" ({', '.join(parts)})" if parts else ""


def _changed(change: tuple[Scores, Scores], game: GameInfo | None, seat: int) -> tuple[list[str], list[str]]:
    """What changed of the own scores and of the other side's."""
    before, after = change
    several = game is not None and len(game.score_names) > 1

    def of(side: int) -> list[str]:
        scores = enumerate(zip(before[side], after[side], strict=False))
        return [
            f"{new - old:+d}{f' {score_name(game, place, abs(new - old))}' if several else ''}"
            for place, (old, new) in scores
            if old != new
        ]

    return of(seat), of(1 - seat)


def _coming_and_going(before: Snapshot, after: Snapshot) -> Happening | None:
    for seat in (0, 1):
        was, now = before.seats[seat], after.seats[seat]
        if now.name is not None and was.here != now.here and seat not in after.you:
            return Happening(f"{now.name} {_came(was) if now.here else _went(now, after)}.", seat)
    return None


def _came(was: SeatInfo) -> str:
    """Nobody is back who is not known to have been away: before a match of a challenge both are elsewhere."""
    return "is back" if was.where in ("quit", "lost") else "is here"


def _went(now: SeatInfo, match: Snapshot) -> str:
    """How somebody has gone, as far as that is known: before the start and after the end no hub says."""
    unknown = {"waiting": "is away", "ended": "has left"}.get(match.status, "lost the connection")
    return {"quit": "has quit", "lost": "lost the connection"}.get(now.where, unknown)
