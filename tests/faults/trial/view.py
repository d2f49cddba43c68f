"""A match as one reader knows it: a snapshot, and every event since folded into it.

Written from the protocol's description alone, so that it can judge what a hub sends.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields

import msgspec

from protocol.board import Board, Mark
from protocol.messages import (
    Away,
    Continued,
    Ended,
    Joined,
    LastMove,
    LegalChange,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    OfferInfo,
    Paused,
    PauseInfo,
    Rematched,
    Replaced,
    Result,
    SeatFreed,
    Snapshot,
    Status,
)


@dataclass
class View:
    """What everybody who follows a match must agree on at one version, and which seats this reader holds (`you`).

    How much time is left is no part of it: a snapshot tells it as of the moment it was made.
    """

    version: int
    status: Status
    names: list[str | None]
    board: Board
    marks: dict[str, Mark]
    legal: set[str]
    resting: set[str]
    to_move: int | None
    focus: tuple[str, ...]
    scores: tuple[tuple[int, ...], tuple[int, ...]]
    text: str
    plies: int
    last: LastMove | None
    result: Result | None
    can: list[tuple[str, ...]]
    offer: OfferInfo | None
    paused_by: int | None
    away: list[int]
    rematch: str
    you: tuple[int, ...] = field(default=(), compare=False)
    whole: bool = field(default=True, compare=False)
    """False after an event that says only that the position is another one; a snapshot follows it."""

    @classmethod
    def of(cls, shown: Snapshot) -> View:
        """The match as a snapshot shows it."""
        return cls(
            version=shown.version, status=shown.status, names=[seat.name for seat in shown.seats], board=shown.board,
            marks=dict(shown.marks), legal=set(shown.legal), resting=set(shown.resting), to_move=shown.to_move,
            focus=shown.focus, scores=shown.scores, text=shown.text, plies=shown.plies, last=shown.last,
            result=shown.result, can=list(shown.can), offer=shown.offer, paused_by=_seat(shown.pause),
            away=[away.seat for away in shown.away], rematch=shown.rematch, you=shown.you,
        )  # fmt: skip

    def apply(self, event: MatchEvent) -> None:
        """The match after one more event. Raises ValueError for one that does not follow on this version."""
        if event.version != self.version + 1:
            raise ValueError(f"version {event.version} came after {self.version}")
        self.version = event.version
        self.text = event.text or self.text
        for seat, can in enumerate(event.can or ()):
            self.can[seat] = self.can[seat] if can is None else can
        match event:
            case Moved():
                self._move(event)
            case Joined():
                self.names[event.seat], self.status = event.name, event.status
            case SeatFreed():
                self.names[event.seat], self.status, self.offer, self.away = None, "waiting", None, []
            case Ended():
                self.whole = self.paused_by is None
                self.status, self.to_move, self.focus, self.legal = "ended", None, (), set()
                self.result, self.offer, self.paused_by, self.away = event.result, None, None, []
            case Offered():
                self.offer = OfferInfo(event.kind, event.seat, event.version)
            case OfferClosed():
                self.offer = None
            case Paused():
                self.paused_by, self.offer = event.seat, None
                self.marks, self.legal, self.resting, self.focus, self.last = {}, set(), set(), (), None
            case Away():
                self.away = [away.seat for away in event.away]
            case Rematched():
                self.rematch = event.next
            case Continued() | Replaced():
                self.whole = False

    def _move(self, event: Moved) -> None:
        for element, mark in event.marks.items():
            if mark is None:
                del self.marks[element]
            else:
                self.marks[element] = mark
        change = event.legal or LegalChange()
        before = {"last": self.legal - {event.move}, "turn": self.resting, "none": set[str]()}[change.base]
        if event.to_move != event.seat:
            self.resting = self.legal
        self.legal = (before - set(change.drop)) | set(change.add)
        self.to_move, self.plies = event.to_move, self.plies + 1
        self.last = LastMove(event.seat, event.move, event.automatic, event.entry)
        self.scores = self.scores if event.scores is None else event.scores
        self.focus = self.focus if event.focus is None else event.focus

    def unlike(self, other: View) -> str:
        """In what two views differ, in words."""
        names = [
            one.name for one in fields(self) if one.compare and getattr(self, one.name) != getattr(other, one.name)
        ]
        return ", ".join(f"{name} {getattr(other, name)!r} for {getattr(self, name)!r}" for name in names)

    def digest(self) -> str:
        """One hash of all that readers must agree on."""
        plain = [
            self.version, self.status, self.names, sorted(self.marks.items()), sorted(self.legal), sorted(self.resting),
            self.to_move, self.focus, self.scores, self.text, self.plies, self.last, self.result, self.board,
            self.can, self.offer, self.paused_by, self.away, self.rematch,
        ]  # fmt: skip
        return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()


def _seat(pause: PauseInfo | None) -> int | None:
    return pause.seat if pause else None
