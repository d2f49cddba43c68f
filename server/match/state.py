"""The match as a frozen value: the fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from protocol.messages import OptionValue
from server.games import AnyGame


class Status(StrEnum):
    """Where a match is in its life; the machine's table is indexed by it."""

    WAITING = "waiting"
    PLAYING = "playing"
    ENDED = "ended"


class Seat(msgspec.Struct, frozen=True):
    """Who holds a seat, and the name shown there (which may differ from the player's by a number, `RU-M9`)."""

    player: str
    name: str


Seats = tuple[Seat | None, Seat | None]


class LastPly(msgspec.Struct, frozen=True):
    """The move played last."""

    seat: int
    move: str
    automatic: bool


class Ending(msgspec.Struct, frozen=True):
    """How the match ended: see `events.MatchEnded`."""

    winner: int | None
    reason: str
    by: int | None


class Match(msgspec.Struct, frozen=True, dict=True, eq=True):
    """One match. `state` is the game's own value; `version` is that of the last event."""

    id: str
    game: AnyGame
    params: Any
    options: Mapping[str, OptionValue]
    private: bool
    both_seats: bool
    seed: int
    created_ms: int
    status: Status
    seats: Seats
    state: Any
    version: int = 1
    plies: int = 0
    last: LastPly | None = None
    rested: tuple[str, ...] = ()
    """The legal moves that the seat not to move had on its last turn."""
    ending: Ending | None = None

    @property
    def host(self) -> str:
        """The player who created the match (always on seat 0)."""
        seat = self.seats[0]
        return seat.player if seat else ""

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None unless the match is being played."""
        return self.turn if self.status is Status.PLAYING else None

    @cached_property
    def turn(self) -> int | None:
        """The seat to move by the game's rules, whether or not the match has started."""
        seat: int | None = self.game.to_move(self.state)
        return seat

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The legal moves of the seat to move; () once the match is over."""
        return () if self.status is Status.ENDED else tuple(self.game.legal_moves(self.state))

    @cached_property
    def legal_set(self) -> frozenset[str]:
        """`legal` for comparing."""
        return frozenset(self.legal)

    def seats_of(self, player: str) -> tuple[int, ...]:
        """The seats that `player` holds: (), (0,), (1,), or (0, 1) for two people at one connection."""
        return tuple(number for number, seat in enumerate(self.seats) if seat is not None and seat.player == player)
