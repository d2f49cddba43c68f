"""What clocks must show by the written rule, worked out from the stored log alone: `RU-M1`, `RU-M2` and outages (`D5`).

A turn's time is charged to its player, but for a seat's first move. An outage is given back, and three seconds for
coming back with it, to the player in whose turn it fell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from protocol.messages import Snapshot
from tests.faults.trial.evidence import Log, Reader

RETURN_MS = 3_000
"""What is given for coming back."""


class Window(NamedTuple):
    """A time in which nobody could be served (ms since 1970)."""

    from_ms: float
    until_ms: float


class Clocks(NamedTuple):
    """What each seat has left, since when the running one's time goes (ahead when an outage was given back), and until
    when it stands, for that was excused."""

    left_ms: tuple[float, float]
    since_ms: float
    stands_ms: float = 0.0


class Shown(NamedTuple):
    """A clock that was shown in a match, when, and by how much (ms) it was too high."""

    match: str
    at_ms: float
    off_ms: float


def clocks(log: Log, total_ms: int, increment_ms: int = 0) -> Clocks:
    """Both seats' time after the last event of a log without pauses."""
    left_ms, moves, since_ms, stands_ms = [float(total_ms)] * 2, [0, 0], 0.0, 0.0
    last: int | None = None
    for _, event in log:
        match event["event"]:
            case "joined":
                since_ms = event["at_ms"]
            case "excused":
                stands_ms = event["until_ms"] if event["until_ms"] > since_ms else stands_ms
                since_ms += max(0.0, event["until_ms"] - max(event["from_ms"], since_ms))
            case "moved":
                seat = event.get("seat", 0)
                if last is not None and seat != last:
                    left_ms[last] += increment_ms
                if moves[seat]:
                    left_ms[seat] -= max(0.0, event["at_ms"] - since_ms)
                moves[seat] += 1
                since_ms, last, stands_ms = max(since_ms, event["at_ms"]), seat, 0.0
    return Clocks((left_ms[0], left_ms[1]), since_ms, stands_ms)


def shown_wrongly(
    reader: Reader, logs: Mapping[str, Log], total_ms: int, outages: Sequence[Window] = ()
) -> Iterator[Shown]:
    """How far (ms) each clock that the reader was shown was from the rule: of both seats in every snapshot in play.

    One that came after an outage that the match had not been told of yet was shown with it excused. A match whose turn
    was over by a move that the outage held up, or that was not looked at again, is never told of it: `outages` are all
    that there were, for those who were shown such a one while it was just over.
    """
    for message in reader.traffic:
        if isinstance(message, Snapshot) and message.clock is not None and message.status == "playing":
            log = logs[message.match]
            known = message.version
            while known < len(log) and log[known][1]["event"] == "excused":
                known += 1
            ways = [clocks(log[:version], total_ms) for version in range(message.version, known + 1)]
            ways += [
                clocks([*log[: message.version], excused(outage)], total_ms)
                for outage in outages
                if outage.from_ms <= message.now_ms <= outage.until_ms + RETURN_MS
            ]
            for seat in (0, 1):
                off_ms = min((_off(message, seat, right) for right in ways), key=abs)
                yield Shown(message.match, message.now_ms, off_ms)


def _off(message: Snapshot, seat: int, right: Clocks) -> float:
    """How far what was to be seen of the seat's clock was from what is right."""
    assert message.clock is not None
    if seat != message.to_move:
        return message.clock[seat] - right.left_ms[seat]
    shown_ms = message.clock[seat] - max(0, message.clock_from_ms - message.now_ms)
    return shown_ms - (right.left_ms[seat] - (max(message.now_ms, right.stands_ms, right.since_ms) - right.since_ms))


def excused(outage: Window) -> tuple[int, dict[str, Any]]:
    """As the log would have it."""
    return 0, {"event": "excused", "from_ms": outage.from_ms, "until_ms": outage.until_ms + RETURN_MS}


def windows(log: Log) -> list[Window]:
    """The outages that were given back in a match."""
    return [Window(event["from_ms"], event["until_ms"]) for _, event in log if event["event"] == "excused"]


def in_play_at(log: Log, at_ms: float) -> bool:
    """Whether somebody's time went then."""
    begun_ms = next((event["at_ms"] for _, event in log if event["event"] == "joined"), float("inf"))
    ended_ms = next((event["at_ms"] for _, event in log if event["event"] == "ended"), float("inf"))
    return bool(begun_ms < at_ms < ended_ms)
