"""The speed of every command, on whatever way it came: by connection, by player, and by address.

A connection has its rates, and so has a player, over all connections and HTTP together: twenty tabs are no faster than
one. Besides, all that is asked for is weighed by what it costs the hub, and a player and an address may take up only
so much of its time (`work`, `work_from_address`). This machine's own address is a proxy's, or the operator's: what
comes from there is counted by player alone.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Protocol

from protocol.errors import Code, Refusal
from protocol.messages import Command
from protocol.text import N_, text
from server.hub.limits.admission import is_own
from server.hub.limits.settings import (
    CONNECTING_MS,
    COSTS_MS,
    REQUEST_MS,
    WORK_BURST_S,
    Limits,
    Meter,
    Tally,
    Verdict,
    rates,
)

REMEMBERED = 10_000
"""Players and addresses that are counted; the one that asked longest ago is forgotten first."""
LITTLE_MS_A_S = 5.0
"""Who takes up no more than this (ten moves a second, by hand) is served until the address' part is used up twice over:
one who asks for too much shuts out no neighbours."""
CROWDED = N_("Too much is asked for from your address. Wait a moment, and try again.")


class Asker(Protocol):
    """Whoever asks for something, as far as limits are concerned: see `Viewer`."""

    player: str
    address: str
    meter: Meter | None


class Work:
    """The hub's time that was taken up lately, by name: `ms_a_s` of it may be, and WORK_BURST_S' worth at once."""

    def __init__(self, ms_a_s: float) -> None:
        self._ms_a_s = ms_a_s
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def used(self, name: str, now: float) -> float:
        """Which part of what may come at once is used up; 1 or more when nothing is left."""
        tally = self._tallies.get(name)
        return 0.0 if tally is None else tally.ahead(now) / WORK_BURST_S

    def count(self, name: str, ms: float, now: float) -> None:
        """So much more for `name`."""
        tally = self._tallies.get(name)
        if tally is None:
            tally = self._tallies[name] = Tally()
            if len(self._tallies) > REMEMBERED:
                self._tallies.popitem(last=False)
        tally.count(now, ms / self._ms_a_s)
        self._tallies.move_to_end(name)


class RateLimiter:
    """What everybody has asked for lately at one hub. Times are monotonic, in seconds."""

    def __init__(self, limits: Limits) -> None:
        self._rates = rates(limits)
        self._meters: OrderedDict[str, Meter] = OrderedDict()
        self._players = Work(limits.work * limits.pace)
        self._little = Work(LITTLE_MS_A_S * limits.pace)
        self._addresses = Work(limits.work_from_address * limits.pace)

    def admit(self, asker: Asker, kind: type[Command], now: float | None = None) -> None:
        """Let a command pass. Raises Refusal `too_fast`; `asker.meter.flooding` says when warnings are of no use."""
        now = time.monotonic() if now is None else now
        if asker.meter is not None and asker.meter.admit(kind, now) is not Verdict.FINE:
            raise Refusal(Code.TOO_FAST)
        # A connection that has not said hello yet is nobody's: it has its own rates alone.
        who = asker.player or ("" if asker.meter is not None else asker.address)
        if (who and self._meter(who).admit(kind, now) is not Verdict.FINE) or self._players.used(who, now) >= 1.0:
            self._warn(asker, now)
            raise Refusal(Code.TOO_FAST)
        if self._crowded(who, asker.address, now):
            self._warn(asker, now)
            raise Refusal(Code.TOO_FAST, text(CROWDED))
        self._count(who, asker.address, COSTS_MS[kind], now)

    def charge(self, asker: Asker, spent_s: float) -> None:
        """What was admitted took so much of the hub's time besides."""
        if spent_s:
            self._count(asker.player, asker.address, spent_s * 1000, time.monotonic())

    def may_connect(self, address: str, now: float | None = None) -> bool:
        """Whether one more handshake from there is taken up; it is counted."""
        return self._may_come(address, CONNECTING_MS, now)

    def may_ask(self, address: str, now: float | None = None) -> bool:
        """Whether one more request by HTTP from there is taken up; it is counted."""
        return self._may_come(address, REQUEST_MS, now)

    def _may_come(self, address: str, ms: float, now: float | None) -> bool:
        now = time.monotonic() if now is None else now
        if self._crowded("", address, now):
            return False
        self._count("", address, ms, now)
        return True

    def _crowded(self, who: str, address: str, now: float) -> bool:
        if is_own(address) or (used := self._addresses.used(address, now)) < 1.0:
            return False
        return used >= 2.0 or self._little.used(who, now) >= 1.0

    def _count(self, who: str, address: str, ms: float, now: float) -> None:
        if who:
            self._players.count(who, ms, now)
        if not is_own(address):
            self._addresses.count(address, ms, now)
            if who:
                self._little.count(who, ms, now)

    @staticmethod
    def _warn(asker: Asker, now: float) -> None:
        if asker.meter is not None:
            asker.meter.warn(now)

    def _meter(self, name: str) -> Meter:
        meter = self._meters.get(name)
        if meter is None:
            meter = self._meters[name] = Meter(self._rates)
            if len(self._meters) > REMEMBERED:
                self._meters.popitem(last=False)
        self._meters.move_to_end(name)
        return meter
