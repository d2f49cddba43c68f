"""The round trip to the server, and how far its clock is ahead: measured, and believed no more than it deserves."""

from __future__ import annotations

from collections.abc import Callable

from client.conversation.events import InStep, Latency
from protocol.messages import Ping, Pong

PING_S = 5.0
"""How often the round trip is measured."""

DRIFT_MS_PER_S = 0.2
"""How fast two clocks may part; what was measured long ago is worth less."""


class Pulse:
    """`now` is in seconds of the session's clock, which runs as fast as the server's but began elsewhere."""

    def __init__(self) -> None:
        self._open: tuple[str, float] | None = None
        self._due = 0.0
        self._ahead_ms: float | None = None
        self._error_ms = 0.0
        self._measured = 0.0

    def connected(self, now: float) -> None:
        """A new connection, perhaps to another hub: measure at once."""
        self._open, self._due = None, now

    def ping(self, new_ref: Callable[[], str], now: float) -> Ping | None:
        """The question to send now, if it is time for one."""
        if now < self._due:
            return None
        self._due = now + PING_S
        self._open = (new_ref(), now)
        return Ping(ref=self._open[0])

    def pong(self, answer: Pong, now: float) -> Latency | None:
        """The round trip that the answer ends; None when it answers nothing that is open."""
        if self._open is None or answer.ref != self._open[0]:
            return None
        round_trip_ms = (now - self._open[1]) * 1000
        self._open = None
        # The server looked at its clock somewhere on the way: half way is off by half the round trip at most.
        self._learn(answer.now_ms + round_trip_ms / 2 - now * 1000, round_trip_ms / 2, now)
        assert self._ahead_ms is not None
        return Latency(round_trip_ms, self._ahead_ms)

    def told(self, server_ms: int, now: float) -> InStep | None:
        """The server's clock stood at `server_ms` when it sent what came now: it stands there, or later."""
        least_ms = server_ms - now * 1000
        if server_ms == 0 or (self._ahead_ms is not None and least_ms <= self._ahead_ms):
            return None
        self._ahead_ms, self._error_ms, self._measured = least_ms, float("inf"), now
        return InStep(least_ms)

    def _learn(self, ahead_ms: float, error_ms: float, now: float) -> None:
        """Keep the sharper of what was known and what was seen; unless they exclude each other, as after a sleep."""
        error_then_ms = self._error_ms + (now - self._measured) * DRIFT_MS_PER_S
        known = self._ahead_ms
        if known is not None and error_then_ms < error_ms and abs(known - ahead_ms) <= error_then_ms + error_ms:
            return
        self._ahead_ms, self._error_ms, self._measured = ahead_ms, error_ms, now
