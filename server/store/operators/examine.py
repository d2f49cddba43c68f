"""What a doctor asks of Redis: figures of its own, and how long a write takes to be on its disk."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from server.store.connection.guarded import guarded
from server.store.keys import Keys

TRIES = 30
LIVES_MS = 1_000


class Trips(NamedTuple):
    """Of some questions and some writes one after the other, in ms: the middle one and the longest."""

    question_ms: float
    write_ms: float
    longest_ms: float


class RedisExamination:
    """A part of the Redis adapter, for the operator alone. All methods raise StoreUnavailable."""

    keys: Keys
    _reader: Any

    @guarded
    async def figures(self) -> dict[str, Any]:
        """All that Redis says of itself (INFO)."""
        found: dict[str, Any] = await self._reader.info()
        return found

    @guarded
    async def clock_ahead_s(self) -> float:
        """How far the store's clock is ahead of this machine's."""
        before = time.time()
        seconds, micros = await self._reader.time()
        return float(seconds + micros / 1_000_000 - (before + time.time()) / 2)

    @guarded
    async def trips(self) -> Trips:
        """How long it takes to ask something, and to write something, which is flushed if Redis is set to do that."""
        asked, written = [], []
        for _ in range(TRIES):
            started = time.perf_counter()
            await self._reader.exists(self.keys.trial)
            asked.append(1_000 * (time.perf_counter() - started))
            started = time.perf_counter()
            await self._reader.set(self.keys.trial, b"1", px=LIVES_MS)
            written.append(1_000 * (time.perf_counter() - started))
        return Trips(sorted(asked)[TRIES // 2], sorted(written)[TRIES // 2], max(written))
