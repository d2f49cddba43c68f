"""What can happen in a match: the events of its log, as they are stored.

The event with version N is the N-th of its match. An event holds what was decided and by whose command, and nothing
that can be worked out by replaying: marks, scores, turns and clocks come from rules and times. Stored events live as
long as the matches do, so a field may be added with a default but never removed or given another meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec

from protocol.errors import Code, UnreadableMatch
from protocol.messages import ClockRule, OfferFate, OfferKind, OptionValue, Replacement

LOG_FORMAT = 1
"""Stands in each Created; a reader that does not know the number refuses the log."""

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=1)]
TimeMs = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799_000)]
"""What lies beyond (the year 9999) was not written by us."""

Plies = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
"""A number of moves; no match has as many."""

DEFAULT_GRACE_MS = 30_000
"""How long a player whose connection is lost is waited for, unless the host chose otherwise (`RU-M5`)."""


class EndReason(StrEnum):
    """How a match ends other than by its game's own rules (those reasons are `server.games.game.Reason`)."""

    FORFEIT = "forfeit"
    """A player gave up (`CK R4.3`)."""
    ABANDONED = "abandoned"
    """A player was away for too long (`RU-M5`)."""
    TIME = "time"
    """A player's time ran out (`CK R2.3`)."""
    AGREED = "agreed"
    """A draw by agreement (`CK R4.5`), or called by the one who stayed."""
    TOO_LONG = "too_long"
    """A draw, because no match is kept that has more in it (`Q12`)."""
    ABORTED = "aborted"
    """It ended before the first move."""
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    STOPPED = "stopped"
    """The operator ended it."""
    TASK_DONE = "task_done"
    """Who learns the game has done the task."""
    TASK_MISSED = "task_missed"
    """The turn, or the game, was over without that."""
    REVIEWED = "reviewed"
    """It is a saved game that was not played to its end, opened to be gone over."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """Base: when (server's shared clock, ms), and whose command with which ref caused it ("" for the server's own)."""

    at_ms: TimeMs
    player: str = ""
    ref: str = ""


class Created(Event, frozen=True, kw_only=True, tag="created"):
    """The host opened the match, alone, with `both_seats`, or against the `computer`.

    The host sits on `seat`; `level` is how well the computer plays, and "" as it did before there were levels. `moves`
    are those of a saved game whose position it starts from; `rematch_of` is the match it follows. `spectators` may
    watch although it is private; all are `delay_plies` moves behind. `lesson` is the number of the task that it is
    about, from whose position (`moves`) it starts; 0 in all other matches. `reserved` is the player for whom the other
    seat is kept, whether taken or not: who agreed to a rematch, or was challenged. `review`: it is a saved game that is
    only gone over; `guest` is then the name on the second seat.
    """

    game: str
    options: dict[str, OptionValue]
    name: str
    private: bool = False
    both_seats: bool = False
    computer: bool = False
    level: str = ""
    seat: SeatNumber = 0
    seed: int = 0
    clock: ClockRule = ClockRule()
    grace_ms: int = DEFAULT_GRACE_MS
    moves: tuple[str, ...] = ()
    rematch_of: str = ""
    spectators: bool = False
    delay_plies: int = 0
    lesson: int = 0
    reserved: str = ""
    review: bool = False
    guest: str = ""
    format: int = LOG_FORMAT


class SeatTaken(Event, frozen=True, kw_only=True, tag="joined"):
    """`player` sits down on `seat` under `name`; the match starts when both seats are taken."""

    seat: SeatNumber
    name: str


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_freed"):
    """`seat` is free again, before any move."""

    seat: SeatNumber


class MovePlayed(Event, frozen=True, kw_only=True, tag="moved"):
    """`seat` plays `move`, in canonical spelling; `automatic` when the server made it (`RU-HX3`).

    `hurried` when the computer thought for less than its level does: many waited for it, or a worker had failed.
    """

    seat: SeatNumber
    move: str
    automatic: bool = False
    hurried: bool = False


class MatchEnded(Event, frozen=True, kw_only=True, tag="ended"):
    """The one end: winner's seat or None, and the reason. `by` is the seat that gave up or was too late, if one was."""

    winner: SeatNumber | None
    reason: str
    by: SeatNumber | None = None


class OfferMade(Event, frozen=True, kw_only=True, tag="offered"):
    """`seat` offers something; for a revert, `keep` and `moves` are where to go back to, as in PositionReplaced."""

    seat: SeatNumber
    kind: OfferKind
    moves: tuple[str, ...] = ()
    keep: Plies | None = None


class OfferEnded(Event, frozen=True, kw_only=True, tag="offer_closed"):
    """The open offer is open no longer."""

    fate: OfferFate


class PositionReplaced(Event, frozen=True, kw_only=True, tag="replaced"):
    """The position is another one now: taken back, started anew, or gone back to by the wish of `seat`.

    It is that after the first `keep` moves that were made until then, and `moves` after them; so a log grows by what is
    new alone (`Q12`). Where `keep` is None, as older logs have it, `moves` are all of them.
    """

    seat: SeatNumber
    by: Replacement
    moves: tuple[str, ...] = ()
    keep: Plies | None = None


class PauseBegun(Event, frozen=True, kw_only=True, tag="paused"):
    """`seat` paused; it ends by itself at `until_ms`."""

    seat: SeatNumber
    until_ms: TimeMs


class PauseEnded(Event, frozen=True, kw_only=True, tag="continued"):
    """The pause is over, by its `seat` or (None) by its time."""

    seat: SeatNumber | None = None


class AwayChanged(Event, frozen=True, kw_only=True, tag="away"):
    """Which seats' players are away, and until when the one whose opponent is there is waited for (None: no wait)."""

    away: tuple[bool, bool]
    until_ms: TimeMs | None = None
    extended: bool = False


class HintTaken(Event, frozen=True, kw_only=True, tag="hint_taken"):
    """`seat` was told that `move` is best in the present position."""

    seat: SeatNumber
    move: str


class OutageExcused(Event, frozen=True, kw_only=True, tag="excused"):
    """No hub could serve from `from_ms` to `until_ms`; nobody is charged for it."""

    from_ms: TimeMs
    until_ms: TimeMs


class RematchAgreed(Event, frozen=True, kw_only=True, tag="rematched"):
    """The next match, between the same two, is `next`."""

    next: str


AnyEvent = (
    Created
    | SeatTaken
    | SeatLeft
    | MovePlayed
    | MatchEnded
    | OfferMade
    | OfferEnded
    | PositionReplaced
    | PauseBegun
    | PauseEnded
    | AwayChanged
    | HintTaken
    | OutageExcused
    | RematchAgreed
)

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[AnyEvent] = msgspec.msgpack.Decoder(AnyEvent)


def encode_event(event: Event) -> bytes:
    """The stored form."""
    return _ENCODER.encode(event)


def decode_event(data: bytes) -> AnyEvent:
    """The event in `data`. Raises msgspec.DecodeError when it is none: the log is damaged or newer than we are."""
    return _DECODER.decode(data)


class _Form(msgspec.Struct):
    format: int = LOG_FORMAT


_FORMS = msgspec.msgpack.Decoder(_Form)


def demand_known_format(log: Sequence[bytes]) -> None:
    """Raise UnreadableMatch `newer_format` for a log whose first event says so, whatever else it says."""
    try:
        found = _FORMS.decode(log[0]).format if log else LOG_FORMAT
    except msgspec.DecodeError:
        return
    if found > LOG_FORMAT:
        raise UnreadableMatch(Code.NEWER_FORMAT, f"log format {found}, this is {LOG_FORMAT}")
