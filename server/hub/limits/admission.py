"""Limits that outlive a connection: wrong keys, new guests, and connections, by player and by address."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from functools import lru_cache

from protocol.errors import Code, Refusal
from server.hub.limits.settings import Limits, Tally

MINUTE_S = 60.0
HOUR_S = 3600.0
MISTYPED = 3
"""Wrong keys within an hour that one who has a right one may well have typed."""
REMEMBERED = 10_000
"""Players and addresses whose tallies are kept; the one that was counted longest ago is forgotten first."""
IPV6_HOME_BITS = 64
"""One household or server has at least so many bits of IPv6 addresses to itself: they count as one."""


class Tallies:
    """At most `limit` in `span_s` for each name, all of which may come at once."""

    def __init__(self, limit: int, span_s: float = MINUTE_S) -> None:
        self.limit = limit
        self._span_s = span_s
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def __contains__(self, name: str) -> bool:
        return name in self._tallies

    def used(self, name: str, now: float) -> float:
        """Which part of the limit is used up; 1 or more when nothing is left."""
        tally = self._tallies.get(name)
        interval_s = self._span_s / self.limit
        return 0.0 if tally is None else (tally.ahead(now) + interval_s / 2) / self._span_s

    def count(self, name: str, now: float) -> None:
        """One more for `name`."""
        tally = self._tallies.setdefault(name, Tally())
        tally.count(now, self._span_s / self.limit)
        self._tallies.move_to_end(name)
        if len(self._tallies) > REMEMBERED:
            self._tallies.popitem(last=False)


class KeyGate:
    """Makes guessing private keys slow (`I4`), without locking out who types a right one.

    Only wrong keys count: for the player, the address, and in all. What others have guessed is held against nobody who
    has mistyped no more than MISTYPED times within an hour, however many guess: a right key works. What ever new guests
    win by that is bounded by how many may come from an address, and small against the 2**60 keys there are.
    """

    def __init__(self, limits: Limits) -> None:
        self._players = Tallies(limits.wrong_keys)
        self._mistyped = Tallies(MISTYPED, HOUR_S)
        self._addresses = Tallies(limits.wrong_keys_from_address)
        self._all = Tallies(limits.wrong_keys_in_all)

    def admit(self, player: str, address: str, now: float | None = None) -> None:
        """Let a key be tried. Raises Refusal `too_fast`."""
        now = time.monotonic() if now is None else now
        shared = max(self._addresses.used(address, now), self._all.used("", now))
        guesses = self._mistyped.used(player, now) >= 1.0
        if self._players.used(player, now) >= 1.0 or (guesses and shared >= 1.0):
            raise Refusal(Code.TOO_FAST)

    def wrong(self, player: str, address: str, now: float | None = None) -> None:
        """The key was wrong."""
        now = time.monotonic() if now is None else now
        self._players.count(player, now)
        self._mistyped.count(player, now)
        self._addresses.count(address, now)
        self._all.count("", now)


class GuestGate:
    """New guests from one address: each is written into the store and kept for months."""

    def __init__(self, limits: Limits) -> None:
        self._addresses = Tallies(limits.guests_from_address)

    def admit(self, address: str) -> None:
        """Let a new guest in. Raises Refusal `too_fast`."""
        if is_own(address):
            return
        now = time.monotonic()
        if self._addresses.used(address, now) >= 1.0:
            raise Refusal(Code.TOO_FAST)
        self._addresses.count(address, now)


class Crowd:
    """How many connections there are of each name (a player, an address)."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._counts: Counter[str] = Counter()

    def full(self, name: str) -> bool:
        """Whether one more of `name` would be too many."""
        return self._counts.get(name, 0) >= self.limit

    def add(self, name: str) -> None:
        """One came."""
        self._counts[name] += 1

    def remove(self, name: str) -> None:
        """One went."""
        self._counts[name] -= 1
        if self._counts[name] <= 0:
            del self._counts[name]


@lru_cache(maxsize=1_000)
def home(address: str) -> str:
    """What counts as one address: an IPv4 address or a whole IPv6 network of 64 bits; what is none is itself."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 6:
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(ipaddress.ip_network((parsed, IPV6_HOME_BITS), strict=False))
    return str(parsed)


def is_own(address: str) -> bool:
    """Whether an address is the one by which this very machine calls itself (or unknown, as that of a Unix socket)."""
    return address in ("", "127.0.0.1", "::1")
