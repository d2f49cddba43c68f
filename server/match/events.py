"""What can happen in a match: the events of its log, as they are stored.

The event with version N is the N-th of its match. An event holds what was decided and by whose command, and nothing
that can be worked out by replaying: marks, scores and turns come from the game's rules. Stored events live as long as
the matches do, so a field may be added with a default but never removed or given another meaning.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from protocol.messages import OptionValue

LOG_FORMAT = 1
"""Stands in each Created; a reader that does not know the number refuses the log."""


class EndReason(StrEnum):
    """How a match ends other than by its game's own rules (those reasons are `server.games.game.Reason`)."""

    ABANDONED = "abandoned"
    ABORTED = "aborted"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", omit_defaults=True):
    """Base: when (server's shared clock, ms), and whose command with which ref caused it ("" for the server's own)."""

    at_ms: int
    player: str = ""
    ref: str = ""


class Created(Event, frozen=True, kw_only=True, tag="created"):
    """The host opened the match."""

    game: str
    options: dict[str, OptionValue]
    name: str
    private: bool = False
    both_seats: bool = False
    seed: int = 0
    format: int = LOG_FORMAT


class SeatTaken(Event, frozen=True, kw_only=True, tag="joined"):
    """`player` sits down on `seat` under `name`; the match starts when both seats are taken."""

    seat: int
    name: str


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_freed"):
    """`seat` is free again, before any move."""

    seat: int


class MovePlayed(Event, frozen=True, kw_only=True, tag="moved"):
    """`seat` plays `move`, in canonical spelling; `automatic` when the server made it (`RU-HX3`)."""

    seat: int
    move: str
    automatic: bool = False


class MatchEnded(Event, frozen=True, kw_only=True, tag="ended"):
    """The one end: winner's seat or None, and the reason. `by` is the seat that gave up, if one did."""

    winner: int | None
    reason: str
    by: int | None = None


AnyEvent = Created | SeatTaken | SeatLeft | MovePlayed | MatchEnded

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[AnyEvent] = msgspec.msgpack.Decoder(AnyEvent)


def encode_event(event: Event) -> bytes:
    """The stored form."""
    return _ENCODER.encode(event)


def decode_event(data: bytes) -> AnyEvent:
    """The event in `data`. Raises msgspec.DecodeError when it is none: the log is damaged or newer than we are."""
    return _DECODER.decode(data)
