"""Matches whose log cannot be followed here: noted for the operator once, and tried again ever more seldom."""

from __future__ import annotations

import time
from typing import NamedTuple

from protocol.errors import UnreadableMatch
from server.store.port import Store

FIRST_S = 1.0
LONGEST_S = 60.0
"""A match that was mended, or that this release can read after all, is found out about after so long at most."""
MAX_KNOWN = 10_000
"""So many are remembered; of more, some are read again before their time."""


class _Known(NamedTuple):
    error: UnreadableMatch
    again_at: float
    pause_s: float


class Unreadable:
    """What this hub knows of them; times are monotonic."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, _Known] = {}

    def demand_readable(self, match_id: str) -> None:
        """Raise UnreadableMatch, as lately, for one that was not readable lately: reading it again is not tried yet."""
        known = self._known.get(match_id)
        if known is not None and time.monotonic() < known.again_at:
            raise known.error.with_traceback(None)

    def add(self, match_id: str, error: UnreadableMatch) -> None:
        """It could not be read just now."""
        known = self._known.pop(match_id, None)
        pause_s = FIRST_S if known is None else min(2 * known.pause_s, LONGEST_S)
        while len(self._known) >= MAX_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[match_id] = _Known(error, time.monotonic() + pause_s, pause_s)
        self._store.note_unusable("match", match_id, f"{error.code}: {error.reason}")

    def pause_s(self, match_id: str) -> float:
        """How long to leave it alone now."""
        known = self._known.get(match_id)
        return FIRST_S if known is None else known.pause_s

    def readable(self, match_id: str) -> None:
        """It could be read."""
        self._known.pop(match_id, None)
