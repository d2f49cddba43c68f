"""Locks that exist only while somebody holds or awaits them, and one that can be had without waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairLock(asyncio.Lock):
    """A lock that can also be taken at once; those who wait have it in the order in which they came.

    It shares two private fields with the library's lock, which every Python from 3.8 on has; `test_locks.py` takes it.
    """

    _locked: bool

    def take(self) -> bool:
        """Take it if nobody has it and nobody waits for it, be it one who was woken and had no turn of the loop yet."""
        if self._locked or self._waiters:
            return False
        self._locked = True
        return True


class NamedLocks:
    """`async with locks.holding(name)`: one at a time for each name."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @asynccontextmanager
    async def holding(self, name: str) -> AsyncIterator[None]:
        """Wait for the lock called `name` and hold it."""
        lock, users = self._locks.get(name) or (asyncio.Lock(), 0)
        self._locks[name] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            users = self._locks[name][1] - 1
            if users:
                self._locks[name] = (lock, users)
            else:
                del self._locks[name]
