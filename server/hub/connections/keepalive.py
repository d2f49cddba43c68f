"""Pings, by which dead connections are found: one wheel for all, where a task for each cost more than what it sent."""

from __future__ import annotations

from typing import Protocol

INTERVAL_S = 15.0
"""A ping goes out this often, and must be answered before the next one: a dead path is noticed within 30 s, half of
what proxies commonly allow (`G3`: at most 40 s)."""
TURN_S = 0.25
SLOTS = round(INTERVAL_S / TURN_S)
"""The connections of one slot are looked at together: of 10,000, those are 167."""
LATE_S = 1.0
"""A hub that stood still for this long has not read what has come meanwhile: it calls nobody silent yet."""


class Link(Protocol):
    """A connection, as far as it is pinged."""

    def probe(self) -> None:
        """Send one."""

    @property
    def is_silent(self) -> bool:
        """Whether the last ping was not answered, and could have been."""

    def lost(self) -> None:
        """End it: its path is dead."""


class Keepalive:
    """All connections of a hub in turn, as many in each slot."""

    def __init__(self) -> None:
        self._slots: list[set[Link]] = [set() for _ in range(SLOTS)]
        self._of: dict[Link, int] = {}
        self._next_slot = 0
        """Where the next connection comes: in turn, so that a thousand who come at once are not pinged at once."""
        self._at = 0
        self._turned: float | None = None

    def add(self, link: Link) -> None:
        """Ping it from now on."""
        self._of[link] = self._next_slot
        self._slots[self._next_slot].add(link)
        self._next_slot = (self._next_slot + 1) % SLOTS

    def discard(self, link: Link) -> None:
        """It is gone."""
        slot = self._of.pop(link, None)
        if slot is not None:
            self._slots[slot].discard(link)

    def turn(self, now: float) -> None:
        """To be called every TURN_S; `now` is in s of any clock that never goes back."""
        late = self._turned is not None and now - self._turned > TURN_S + LATE_S
        self._turned = now
        for link in list(self._slots[self._at]):
            if link.is_silent and not late:
                link.lost()
            else:
                link.probe()
        self._at = (self._at + 1) % SLOTS
