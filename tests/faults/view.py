"""A match as one reader knows it: a snapshot, and every event since folded into it.

Written from the protocol's description alone, so that it can judge what a hub sends.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import msgspec

from protocol.board import Board, Mark
from protocol.messages import (
    Ended,
    Joined,
    LastMove,
    MatchEvent,
    Moved,
    Result,
    SeatFreed,
    Snapshot,
    Status,
)


@dataclass
class View:
    """What everybody who follows a match must agree on at one version, and which seats this reader holds (`you`)."""

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
    you: tuple[int, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, shown: Snapshot) -> View:
        """The match as a snapshot shows it."""
        return cls(
            version=shown.version, status=shown.status, names=[seat.name for seat in shown.seats], board=shown.board,
            marks=dict(shown.marks), legal=set(shown.legal), resting=set(shown.resting), to_move=shown.to_move,
            focus=shown.focus, scores=shown.scores, text=shown.text, plies=shown.plies, last=shown.last,
            result=shown.result, you=shown.you,
        )  # fmt: skip

    def apply(self, event: MatchEvent) -> None:
        """The match after one more event. Raises ValueError for one that does not follow on this version."""
        if event.version != self.version + 1:
            raise ValueError(f"version {event.version} came after {self.version}")
        self.version = event.version
        match event:
            case Moved():
                self._move(event)
            case Joined():
                self.names[event.seat] = event.name
                self.status, self.text = event.status, event.text
            case SeatFreed():
                self.names[event.seat] = None
                self.status, self.text = "waiting", event.text
            case Ended():
                self.status, self.to_move, self.focus, self.legal = "ended", None, (), set()
                self.result, self.text = event.result, event.result.text

    def _move(self, event: Moved) -> None:
        for element, mark in event.marks.items():
            if mark is None:
                del self.marks[element]
            else:
                self.marks[element] = mark
        before = {"last": self.legal, "turn": self.resting, "none": set[str]()}[event.legal.base]
        if event.to_move != event.seat:
            self.resting = self.legal
        self.legal = (before - set(event.legal.drop)) | set(event.legal.add)
        self.to_move, self.text, self.plies = event.to_move, event.text, self.plies + 1
        self.last = LastMove(event.seat, event.move, event.automatic)
        self.scores = self.scores if event.scores is None else event.scores
        self.focus = self.focus if event.focus is None else event.focus

    def digest(self) -> str:
        """One hash of all that readers must agree on."""
        plain = [
            self.version, self.status, self.names, sorted(self.marks.items()), sorted(self.legal), sorted(self.resting),
            self.to_move, self.focus, self.scores, self.text, self.plies, self.last, self.result, self.board,
        ]  # fmt: skip
        return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()
