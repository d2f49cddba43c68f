"""Long work a slice at a time: the loop is never held for longer, and whoever has long work takes turns.

A match of thousands of moves is read, a saved game is replayed: that is work that a few milliseconds do not do. It is
done in slices, one in each turn of the loop, whoever asks for how much: all others are served in between.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from server.hub.metrics import SLICE_SECONDS
from server.match.fold import Work

SLICE_S = 0.002
"""Work may hold the loop for so long, and for the one step that it is in then."""

SHORT = 20
"""Steps that are done without waiting for a turn: a position found from the nearest one that is kept, or the events of
a notice."""

T = TypeVar("T")


class Bill:
    """What was spent on somebody, in seconds of CPU."""

    def __init__(self) -> None:
        self.spent_s = 0.0


_bill: ContextVar[Bill | None] = ContextVar("bill", default=None)


@contextmanager
def billed() -> Iterator[Bill]:
    """What long work is done within the block is on this bill: on that of who asked for it first, if many wait."""
    bill = Bill()
    token = _bill.set(bill)
    try:
        yield bill
    finally:
        _bill.reset(token)


class Slices:
    """The long work of one loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def begin(self, work: Work[T]) -> T:
        """Like `run`, for what is nearly always short: up to SHORT steps of it are done at once, without waiting."""
        try:
            for _ in range(SHORT):
                next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        return await self.run(work)

    async def run(self, work: Work[T]) -> T:
        """Do all of `work`, and return what it does; what it raises is raised. Breaking off harms nothing."""
        while True:
            # The lock goes to those who wait in their order, so that all work that is under way goes on alike.
            async with self._turn:
                until, spent_s = time.perf_counter() + SLICE_S, -time.thread_time()
                try:
                    while time.perf_counter() < until:
                        next(work)
                except StopIteration as end:
                    result: T = end.value
                    return result
                finally:
                    self._note(spent_s + time.thread_time())
                await asyncio.sleep(0)

    def _note(self, spent_s: float) -> None:
        SLICE_SECONDS.observe(spent_s)
        bill = _bill.get()
        if bill is not None:
            bill.spent_s += spent_s
