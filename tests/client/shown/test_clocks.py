"""What a client makes of clocks: counted down from what the server said, by the shortest way that there was."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from random import Random

import pytest

from client.conversation.events import InStep
from client.conversation.latency import PING_S, Pulse
from client.shown.model import Model, update
from client.shown.state import LEAST_MS
from client.shown.words.clocks import average_text, clock_text, countdown_text, rule_text, span_text
from protocol.errors import Refusal
from protocol.messages import (
    ClockRule,
    Pong,
    Snapshot,
)
from server.match import commands as c
from tests.client.refereed import TOTAL, Refereed


def test_a_clock_goes_down_for_the_seat_to_move_and_stands_otherwise() -> None:
    """CK R2.3, 5.4.5: not in a pause, nor after the end."""
    match = Refereed(clock=TOTAL)
    model = match.model()
    model = reduce(update, [*match.play(), *match.play()], model)
    now = match.now_ms / 1000
    assert model.time_left(now) == (62_000, 62_000)
    assert model.time_left(now + 7.25) == (54_750, 62_000)
    assert model.time_left(now + 100) == (LEAST_MS, 62_000)
    match.now_ms += 10_000
    model = reduce(update, match.do("ben", c.Pause()), model)
    assert model.time_left(now + 60) == (52_000, 62_000)
    match.now_ms += 90_000
    model = reduce(update, match.do("ben", c.Continue()), model)
    assert model.time_left(match.now_ms / 1000 + 2) == (50_000, 62_000)
    match.now_ms += 2_000
    model = reduce(update, match.do("ben", c.Abandon()), model)
    assert model.time_left(match.now_ms / 1000 + 50) == (50_000, 62_000)


@pytest.mark.parametrize("seed", range(20))
def test_watchers_see_the_players_clocks(seed: int) -> None:
    """D15: within 250 ms after moves, pause, continue, reconnect and late joining, whatever the ways are like."""
    rng = Random(seed)
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    viewers = [Watcher(rng, match, player) for player in ("ada", "ben", "cid", "dora")]
    for number in range(30):
        match.now_ms += rng.randrange(100, 2_500)
        try:
            told = rng.choice((match.play, lambda: match.do("ada", c.Pause()), lambda: match.do("ada", c.Continue())))()
        except Refusal:
            continue
        for viewer in viewers:
            viewer.hear(told)
        if number % 5 == 0:
            viewers[rng.randrange(4)].come_back()
        if match.match.ending is not None:
            break
        seen = [viewer.time_left() for viewer in viewers]
        for seat in (0, 1):
            assert max(one[seat] for one in seen) - min(one[seat] for one in seen) <= 250
            truth = match.match.clock.left(match.now_ms)
            assert truth is not None
            assert all(abs(one[seat] - truth[seat]) <= 250 for one in seen)


class Watcher:
    """A client with a clock of its own and a way of its own to the server, of at most 450 ms there and back."""

    def __init__(self, rng: Random, match: Refereed, player: str) -> None:
        self._rng, self._match, self._player = rng, match, player
        self._began_ms = rng.randrange(10**9)
        self._pulse = Pulse()
        self._model = Model()
        self.come_back()

    def _now(self, later_ms: float = 0.0) -> float:
        return (self._match.now_ms + later_ms - self._began_ms) / 1000

    def come_back(self) -> None:
        there_ms, back_ms = self._rng.uniform(0, 225), self._rng.uniform(0, 225)
        self._pulse.connected(self._now(-there_ms))
        ping = self._pulse.ping(lambda: "p", self._now(-there_ms))
        assert ping is not None
        latency = self._pulse.pong(Pong(ref="p", now_ms=self._match.now_ms), self._now(back_ms))
        assert latency is not None
        self._model = update(update(self._model, latency), self._match.snapshot(self._player))

    def hear(self, told: Sequence[object]) -> None:
        for one in told:
            mine = self._match.snapshot(self._player) if isinstance(one, Snapshot) else one
            self._model = update(self._model, mine)  # type: ignore[arg-type]

    def time_left(self) -> tuple[int, int]:
        left = self._model.time_left(self._now())
        assert left is not None
        return left


def test_the_servers_clock_is_taken_from_the_shortest_way() -> None:
    pulse = Pulse()
    pulse.connected(100.0)
    assert pulse.told(1_000_000, 100.0) == InStep(900_000)
    assert pulse.told(999_000, 100.0) is None

    def measured(sent: float, came: float, server_ms: int) -> float:
        assert pulse.ping(lambda: "p", sent) is not None
        latency = pulse.pong(Pong(ref="p", now_ms=server_ms), came)
        assert latency is not None
        return latency.server_minus_now_ms

    assert measured(101.0, 101.2, 1_001_150) == pytest.approx(900_050)
    assert measured(106.2, 108.2, 1_007_000) == pytest.approx(900_050), "a long way says nothing new"
    assert measured(113.2, 113.22, 1_013_300) == pytest.approx(900_090)
    assert measured(120.0, 120.02, 1_320_010) == pytest.approx(1_200_000), "the machine slept: what was known is void"
    assert pulse.ping(lambda: "p", 120.0 + PING_S / 2) is None
    assert pulse.pong(Pong(ref="other", now_ms=5), 121.0) is None


def test_times_are_written_as_people_read_them() -> None:
    """CK R2.3: exact to a tenth below ten seconds, and never more than is left."""
    assert [clock_text(ms) for ms in (600_000, 61_999, 10_000, 9_999, 8_349, 49, 0)] == [
        "10:00", "01:01", "00:10", "9.9", "8.3", "0.0", "0.0",
    ]  # fmt: skip
    assert clock_text(3_600_000) == "1:00:00"
    assert [countdown_text(ms) for ms in (30_000, 29_001, 1, 0, -5)] == ["0:30", "0:30", "0:01", "0:00", "0:00"]
    assert [span_text(ms) for ms in (0, 45_000, 60_000, 90_000)] == ["0 s", "45 s", "1 min", "1 min 30 s"]
    rules = (ClockRule(), ClockRule(total_ms=300_000, increment_ms=3_000), ClockRule(per_move_ms=30_000))
    assert [rule_text(rule) for rule in rules] == ["", "5+3", "30 s a move"]
    assert [average_text(ms) for ms in (4_240, 12_400, 125_000)] == ["4.2 s", "12 s", "2:05"]
