"""Clocks as one reader shows them from what it was told, and as the written rule has them from the stored log.

Both are worked out from the protocol's description and the rules page (`RU-M1`, `RU-M2`) alone. Times in ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from protocol.messages import (
    Away,
    AwayInfo,
    ClockRule,
    Continued,
    Ended,
    Joined,
    MatchEvent,
    Moved,
    Paused,
    Snapshot,
)
from tests.faults.trial.evidence import Log
from tests.faults.trial.recorder import Recorder

Pair = tuple[float, float]


@dataclass
class Dial:
    """Both clocks of a match as `reader` can show them: what was told last, and whose time goes since then."""

    left_ms: Pair = (0, 0)
    told_at_ms: float = 0
    to_move: int | None = None
    playing: bool = False
    paused: bool = False
    plies: int = 0
    away: tuple[AwayInfo, ...] = ()

    @classmethod
    def of(cls, reader: Recorder, match: str, before: Dial | None = None) -> Dial:
        """What all traffic so far adds up to; after a resume it goes on from `before`, which is what was known then."""
        dial = replace(before) if before is not None else cls()
        for message in reader.traffic:
            if isinstance(message, Snapshot) and message.match == match:
                dial.show(message)
            elif isinstance(message, MatchEvent) and message.match == match:
                dial.take(message)
        return dial

    def show(self, shown: Snapshot) -> None:
        """Start from a snapshot. AssertionError when the match has no clock."""
        assert shown.clock is not None
        self.left_ms, self.told_at_ms, self.to_move = shown.clock, shown.now_ms, shown.to_move
        self.playing, self.paused = shown.status == "playing", shown.pause is not None
        self.plies, self.away = shown.plies, shown.away

    def take(self, event: MatchEvent) -> None:
        """Go on by one event."""
        if event.clock is not None:
            self.left_ms, self.told_at_ms = event.clock, event.at_ms
        match event:
            case Moved():
                self.to_move, self.plies = event.to_move, self.plies + 1
            case Joined():
                self.playing = event.status == "playing"
            case Paused():
                self.paused = True
            case Continued():
                self.paused = False
            case Away():
                self.away = event.away
            case Ended():
                self.playing = False

    @property
    def running(self) -> int | None:
        """Whose time goes down."""
        waits = not self.plies and any(info.until_ms is not None for info in self.away)
        return self.to_move if self.playing and not self.paused and not waits else None

    def shows(self, at_ms: float) -> Pair:
        """What stands on both clocks at a time."""
        gone_ms = max(0.0, at_ms - self.told_at_ms)
        first, second = (
            max(0.0, left - gone_ms) if seat == self.running else left for seat, left in enumerate(self.left_ms)
        )
        return first, second


class Ruled(NamedTuple):
    """Both clocks right after the event of a version, and what each seat has spent on how many moves by then."""

    version: int
    left_ms: Pair
    spent_ms: Pair
    moves: tuple[int, int]


def by_the_rule(log: Log, turns: dict[int, int | None], rule: ClockRule) -> Iterator[Ruled]:
    """The clocks after each event of a log without outages; `turns` says for each move's version who moves next.

    A seat's first move is not charged; what a turn gives comes when the turn passes, however many placements it had.
    Hubs' clocks may be some ms apart: nobody is charged or given anything for that.
    """
    full_ms = rule.per_move_ms or rule.total_ms
    left, spent, moves = [float(full_ms)] * 2, [0.0, 0.0], [0, 0]
    running: int | None = None
    turn: int | None = 0
    since_ms = 0
    for version, event in log:
        if running is not None:
            gone_ms = max(0, event["at_ms"] - since_ms)
            spent[running] += gone_ms
            if moves[running]:
                left[running] -= gone_ms
        match event["event"]:
            case "joined" | "continued":
                running = turn
            case "paused" | "ended":
                running = None
            case "moved":
                seat = event["seat"]
                moves[seat] += 1
                turn = turns[version]
                if turn != seat:
                    left[seat] = rule.per_move_ms or left[seat] + rule.increment_ms
                running = turn
        since_ms = max(since_ms, event["at_ms"])
        yield Ruled(version, (left[0], left[1]), (spent[0], spent[1]), (moves[0], moves[1]))


def turns_of(reader: Recorder, match: str) -> dict[int, int | None]:
    """Who was told to move next, by the version of each move."""
    return {event.version: event.to_move for event in moves_told(reader, match)}


def moves_told(reader: Recorder, match: str) -> list[Moved]:
    """All moves that a reader was told."""
    return [event for event in reader.traffic if isinstance(event, Moved) and event.match == match]
