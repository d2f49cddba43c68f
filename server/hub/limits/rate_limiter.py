"""The speed of every command, on whatever way it came: by player, by address, and by connection before hello.

A player has rates over all connections and HTTP together: twenty tabs are no faster than one. A connection that has not
said hello has the same for itself. Besides, all that is asked for is weighed by what it costs the hub, and a player and
an address may take up only so much of its time (`work`, `work_from_address`). This machine's own address is a proxy's,
or the operator's: what comes from there is counted by player alone.
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
    Rate,
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


class Account:
    """What one player, or one who asks by HTTP without a name, has asked for lately."""

    __slots__ = ("little", "meter", "work")

    def __init__(self, rates: dict[type[Command], Rate]) -> None:
        self.meter = Meter(rates)
        self.work = Tally()
        """The hub's time that was taken up, as a part of what may be; WORK_BURST_S' worth at once."""
        self.little = Tally()
        """The same as a part of LITTLE_MS_A_S."""


class RateLimiter:
    """What everybody has asked for lately at one hub. Times are monotonic, in seconds."""

    def __init__(self, limits: Limits) -> None:
        self._rates = rates(limits)
        self._work_ms_a_s = limits.work * limits.pace
        self._little_ms_a_s = LITTLE_MS_A_S * limits.pace
        self._address_ms_a_s = limits.work_from_address * limits.pace
        self._accounts: OrderedDict[str, Account] = OrderedDict()
        self._addresses: OrderedDict[str, Tally] = OrderedDict()

    def admit(self, asker: Asker, kind: type[Command], now: float | None = None) -> None:
        """Let a command pass. Raises Refusal `too_fast`; `asker.meter.flooding` says when warnings are of no use."""
        now = time.monotonic() if now is None else now
        who = asker.player or ("" if asker.meter is not None else asker.address)
        if not who:
            # A connection that has not said hello yet is nobody's: it has its own rates.
            account = None
            if asker.meter is not None and asker.meter.admit(kind, now) is not Verdict.FINE:
                raise Refusal(Code.TOO_FAST)
        else:
            account = self._account(who)
            if account.meter.admit(kind, now) is not Verdict.FINE or account.work.ahead(now) >= WORK_BURST_S:
                self._warn(asker, now)
                raise Refusal(Code.TOO_FAST)
        address = None if is_own(asker.address) else self._address(asker.address)
        if address is not None and self._crowded(account, address, now):
            self._warn(asker, now)
            raise Refusal(Code.TOO_FAST, text(CROWDED))
        self._count(account, address, COSTS_MS[kind], now)

    def charge(self, asker: Asker, spent_s: float) -> None:
        """What was admitted took so much of the hub's time besides."""
        if spent_s:
            account = self._account(asker.player) if asker.player else None
            address = None if is_own(asker.address) else self._address(asker.address)
            self._count(account, address, spent_s * 1000, time.monotonic())

    def may_connect(self, address: str, now: float | None = None) -> bool:
        """Whether one more handshake from there is taken up; it is counted."""
        return self._may_come(address, CONNECTING_MS, now)

    def may_ask(self, address: str, now: float | None = None) -> bool:
        """Whether one more request by HTTP from there is taken up; it is counted."""
        return self._may_come(address, REQUEST_MS, now)

    def _may_come(self, name: str, ms: float, now: float | None) -> bool:
        if is_own(name):
            return True
        now = time.monotonic() if now is None else now
        address = self._address(name)
        if self._crowded(None, address, now):
            return False
        self._count(None, address, ms, now)
        return True

    @staticmethod
    def _crowded(account: Account | None, address: Tally, now: float) -> bool:
        used = address.ahead(now) / WORK_BURST_S
        if used < 1.0:
            return False
        return used >= 2.0 or (account is not None and account.little.ahead(now) >= WORK_BURST_S)

    def _count(self, account: Account | None, address: Tally | None, ms: float, now: float) -> None:
        if account is not None:
            account.work.count(now, ms / self._work_ms_a_s)
        if address is not None:
            address.count(now, ms / self._address_ms_a_s)
            if account is not None:
                account.little.count(now, ms / self._little_ms_a_s)

    @staticmethod
    def _warn(asker: Asker, now: float) -> None:
        if asker.meter is not None:
            asker.meter.warn(now)

    def _account(self, name: str) -> Account:
        account = self._accounts.get(name)
        if account is None:
            account = self._accounts[name] = Account(self._rates)
            if len(self._accounts) > REMEMBERED:
                self._accounts.popitem(last=False)
        else:
            self._accounts.move_to_end(name)
        return account

    def _address(self, name: str) -> Tally:
        tally = self._addresses.get(name)
        if tally is None:
            tally = self._addresses[name] = Tally()
            if len(self._addresses) > REMEMBERED:
                self._addresses.popitem(last=False)
        else:
            self._addresses.move_to_end(name)
        return tally
