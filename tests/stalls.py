"""Whether the machine, and nothing in the test, kept hubs from their store while a test ran.

A disk may stand for some seconds. All hubs lose all stores then, refuse what they cannot keep, and give matches the
time back: as promised, but not what a test is about that does no such thing to its store. Such a test was disturbed,
and is run again. What one meets that itself stops, kills or cuts off a store may be its own doing, and counts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import redis

from server.store.beats import RETURN_MS

if TYPE_CHECKING:
    from tests.driver import HubProcess, RedisProcess

MARK = "harms"
"""On tests that do harm in a way that is not seen here."""
PROPERTY = "stalled"
"""The user property that says that a test was disturbed, and how."""
AWAY = re.compile(r"^.*(?:the store is away|store unavailable).*$", re.MULTILINE)
"""What a hub logs that has no answer from its store."""
OUTAGES = "*:outages"
"""Where hubs write down when none of them could serve."""

hubs: WeakSet[HubProcess] = WeakSet()
stores: WeakSet[RedisProcess] = WeakSet()
harmed_stores = harmed_hubs = 0
"""How often something in a test stopped, killed or cut off one of them."""


def harm_to_a_store() -> None:
    """Something in a test does so now."""
    global harmed_stores
    harmed_stores += 1


def harm_to_a_hub() -> None:
    """Something in a test does so now."""
    global harmed_hubs
    harmed_hubs += 1


class Watch:
    """What happens from now on."""

    def __init__(self) -> None:
        self._harmed = (harmed_stores, harmed_hubs)
        self._since_ms = time.time() * 1000
        self._read = {hub: _size(hub) for hub in hubs}

    def disturbance(self) -> str | None:
        """What the machine did since, in words; None when it did nothing, or when it may have been the test."""
        return next(self._disturbances(), None)

    def _disturbances(self) -> Iterator[str]:
        if harmed_stores == self._harmed[0]:
            for hub in list(hubs):
                # One that is stopping takes its leave of the store by itself.
                if not hub.killed and (line := AWAY.search(_since(hub, self._read.get(hub, 0)))):
                    yield f"a hub logged: {line.group().strip()}"
        if (harmed_stores, harmed_hubs) == self._harmed:
            for store in [store for store in stores if any(hub.is_over(store) for hub in hubs)]:
                for from_ms, until_ms in outages(store.url):
                    if until_ms >= self._since_ms:
                        yield f"no hub reached its store for {(until_ms - from_ms) / 1000:.1f} s"


def outages(url: str) -> list[tuple[int, int]]:
    """From when to when (ms) no hub could serve, as its store has it; none of a store that does not answer."""
    found = []
    with suppress(redis.RedisError, ValueError), redis.Redis.from_url(url, socket_timeout=10) as store:
        for key in store.scan_iter(OUTAGES, count=10_000, _type="LIST"):
            lines: Any = store.lrange(key, 0, -1)
            found += [(int(begin), int(end) - RETURN_MS) for begin, end in (line.split() for line in lines)]
    return found


def _size(hub: HubProcess) -> int:
    return hub.log.stat().st_size if hub.log.exists() else 0


def _since(hub: HubProcess, read: int) -> str:
    return hub.log.read_bytes()[read:].decode(errors="replace") if hub.log.exists() else ""
