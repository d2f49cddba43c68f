"""The match as a frozen value: the fold of its events."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

import msgspec

from protocol.messages import OfferKind, OptionValue
from server.games import AnyGame
from server.match.clock import Clock, Pair
from server.match.kept import kept

MOVES_BEFORE_OFFERING_AGAIN = 3
"""Own moves after which a declined offer may be made again (`RU-M3`)."""

ROOM_EVENTS = 10_000
"""Events after which a match is full (`bounds`): eighty games of Dots and Boxes in one match, each begun anew."""
ROOM_BYTES = 1024 * 1024
"""The same in bytes of its log."""

COMPUTER = "computer"
"""Holds a seat like a player's id. No player has it: theirs are random and longer."""


class Status(StrEnum):
    """Where a match is in its life; the machine's table is indexed by it."""

    WAITING = "waiting"
    PLAYING = "playing"
    PAUSED = "paused"
    ENDED = "ended"


class What(IntEnum):
    """What time alone brings."""

    PAUSE_OVER = 0
    FLAG = 1
    GONE = 2
    """The wait for one who is away is over."""


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


class OpenOffer(msgspec.Struct, frozen=True):
    """An offer that waits for its answer; `version` is that of the event that made it, and its name."""

    seat: int
    kind: OfferKind
    moves: tuple[str, ...] = ()
    version: int = 0


class OpenPause(msgspec.Struct, frozen=True):
    """A pause that is on."""

    seat: int
    since_ms: int
    until_ms: int


class Absence(msgspec.Struct, frozen=True):
    """Whose players are away; `until_ms` ends the wait for the one whose opponent is there. Told at `version`.

    `stands`: the clocks wait for the host, who was away when the guest sat down.
    """

    away: tuple[bool, bool] = (False, False)
    since_ms: int = 0
    until_ms: int | None = None
    extensions: int = 0
    version: int = 0
    stands: bool = False


class Standing(NamedTuple):
    """All that permissions depend on."""

    status: Status
    both_seats: bool
    computer: bool
    thinks: bool
    """Whether the computer is to move."""
    moved: tuple[bool, bool]
    offer: tuple[int, str] | None
    declined: frozenset[tuple[int, str]]
    pause: int | None
    pauses: tuple[int, int]
    away: tuple[bool, bool]
    waited_for: bool
    extensions: int
    complete: bool
    rematch: bool
    full: bool
    lesson: bool
    review: bool
    host_seat: int


class Match(msgspec.Struct, frozen=True, dict=True, kw_only=True):
    """One match. `state` is the game's own value; `version` is that of the last event.

    `position` is the version at which the present position came to be: what does not touch the position (an offer, an
    absence) does not make a move stale.
    """

    id: str
    game: AnyGame
    params: Any
    options: Mapping[str, OptionValue]
    private: bool
    both_seats: bool
    computer: bool
    level: str = ""
    """How well the computer plays: one of the game's `levels`, or "" for as it did before there were any."""
    seed: int
    created_ms: int
    grace_ms: int
    status: Status
    seats: Seats
    state: Any
    clock: Clock
    version: int = 1
    size: int = 0
    """Bytes of its log."""
    position: int = 1
    begun: int = 0
    """The version at which the first of `moves` was made; 0 before it."""
    moves: tuple[str, ...] = ()
    movers: tuple[int, ...] = ()
    """The seat of each move, the server's own (`RU-HX3`) included."""
    last: LastPly | None = None
    trail: tuple[Any, ...] = ()
    """The states after 0, `fold.STRIDE`, twice that ... moves: from one of them any position is near."""
    rested: tuple[str, ...] = ()
    """The legal moves that the seat not to move had on its last turn."""
    offer: OpenOffer | None = None
    declined: tuple[tuple[int, str, int], ...] = ()
    """Offers that were declined: seat, kind, and how many moves the seat had made by then."""
    pause: OpenPause | None = None
    pauses: Pair = (0, 0)
    freed: int = 0
    """The version at which a guest's seat became free last; 0 if none did."""
    absence: Absence = Absence()
    absences: Pair = (0, 0)
    """How often each seat's player has gone away."""
    hints: Pair = (0, 0)
    """How many each seat has taken."""
    hurried: tuple[int, ...] = ()
    """Which moves the computer thought less about than its level does, counted from 1."""
    hinted: int = 0
    """The version of the position that `hint` is for; 0 if none was taken."""
    hint: str = ""
    """The move that was told last."""
    excused_ms: int = 0
    """The end of the last outage that was excused."""
    ending: Ending | None = None
    rematch: str = ""
    spectators: bool = False
    """Whether it can be watched although it is private."""
    delay_plies: int = 0
    """How many moves spectators are behind."""
    lesson: int = 0
    """The number of the task that it is about (`Game.lessons`, from 1 on); 0 in all other matches."""
    reserved: str = ""
    """The only player who may take the guest's seat; "" for anybody."""
    review: bool = False
    """Whether it is a saved game that is only gone over."""
    host_seat: int = 0
    """Where the player sits who created it."""

    @property
    def watchable(self) -> bool:
        """Whether spectators are let in (`F5`)."""
        return self.spectators or not self.private

    @property
    def host(self) -> str:
        """The player who created the match."""
        seat = self.seats[self.host_seat]
        return seat.player if seat else ""

    @kept
    def computers(self) -> tuple[bool, bool]:
        """Which seats are the computer's."""
        first, second = self.seats
        return first is not None and first.player == COMPUTER, second is not None and second.player == COMPUTER

    @property
    def plies(self) -> int:
        """How many moves were made."""
        return len(self.moves)

    @property
    def solo(self) -> bool:
        """Whether one person decides alone (`RU-M6`)."""
        return self.both_seats or self.computer

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None unless the match is being played."""
        return self.turn if self.status is Status.PLAYING else None

    @kept
    def turn(self) -> int | None:
        """The seat to move by the game's rules, whether or not the match has started."""
        seat: int | None = self.game.to_move(self.state)
        return seat

    def after(self, move: str) -> Any:
        """The game's state after `move`. Raises Refusal as `Game.play`.

        A command is judged by it and its event folded in by it, one after the other: it is played once for both.
        """
        known = self.__dict__.get("after_move")
        if known is None or known[0] != move:
            known = self.__dict__["after_move"] = (move, self.game.play(self.state, move))
        return known[1]

    @kept
    def legal(self) -> tuple[str, ...]:
        """The legal moves of the seat to move; () once the match is over."""
        return () if self.status is Status.ENDED else tuple(self.game.legal_moves(self.state))

    @property
    def resting(self) -> tuple[str, ...]:
        """What was legal before the move that passed the turn last; where moves only go it need not be kept."""
        if not self.game.moves_only_go:
            return self.rested
        following = (*self.movers[1:], self.turn)
        for ply in range(self.plies - 1, -1, -1):
            if self.movers[ply] != following[ply]:
                return (*self.game.legal_moves(self.state), *self.moves[ply:])
        return ()

    @kept
    def legal_set(self) -> frozenset[str]:
        """`legal` for comparing."""
        return frozenset(self.legal)

    @kept
    def standing(self) -> Standing:
        """The facts on which permissions depend."""
        made, offer, absence = self.clock.moves, self.offer, self.absence
        return Standing(
            status=self.status,
            both_seats=self.both_seats,
            computer=self.computer,
            thinks=self.turn is not None and self.computers[self.turn],
            moved=(0 in self.movers, 1 in self.movers),
            offer=(offer.seat, offer.kind) if offer else None,
            declined=frozenset(
                (seat, kind) for seat, kind, then in self.declined if made[seat] - then < MOVES_BEFORE_OFFERING_AGAIN
            ),
            pause=self.pause.seat if self.pause else None,
            pauses=self.pauses,
            away=absence.away,
            waited_for=absence.until_ms is not None,
            extensions=absence.extensions,
            complete=None not in self.seats,
            rematch=bool(self.rematch),
            full=self.version >= ROOM_EVENTS or self.size >= ROOM_BYTES,
            lesson=bool(self.lesson),
            review=self.review,
            host_seat=self.host_seat,
        )

    @kept
    def due(self) -> tuple[tuple[int, What], ...]:
        """What time brings to the match as it is, and when (ms of the shared clock), in that order."""
        if self.status is Status.WAITING or self.status is Status.ENDED:
            return ()
        if self.pause is None and self.absence.until_ms is None and not self.clock.timed:
            return ()
        ends = (
            (self.pause.until_ms if self.pause is not None else None, What.PAUSE_OVER),
            (self.clock.deadline_ms, What.FLAG),
            (self.absence.until_ms, What.GONE),
        )
        return tuple(sorted((at_ms, what) for at_ms, what in ends if at_ms is not None))

    @property
    def deadline_ms(self) -> int | None:
        """When time changes the match next: a flag, the end of a pause or of a wait. None when it does not."""
        return self.due[0][0] if self.due else None

    def seats_of(self, player: str) -> tuple[int, ...]:
        """The seats that `player` holds: (), (0,), (1,), or (0, 1) for two people at one connection."""
        first, second = self.seats
        mine = first is not None and first.player == player
        if second is not None and second.player == player:
            return (0, 1) if mine else (1,)
        return (0,) if mine else ()
