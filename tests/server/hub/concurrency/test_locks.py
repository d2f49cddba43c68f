"""A lock that can be taken at once stays fair."""

from __future__ import annotations

import asyncio

from server.hub.concurrency.locks import FairLock


async def test_who_waits_comes_before_who_takes() -> None:
    """Also between the moment in which the lock is given up and that in which the first one who waits is woken."""
    lock, order = FairLock(), []

    async def waits(name: str) -> None:
        async with lock:
            order.append(name)

    assert lock.take()
    assert not lock.take()
    waiting = [asyncio.create_task(waits(name)) for name in "ab"]
    await asyncio.sleep(0)
    lock.release()
    assert not lock.locked()
    assert not lock.take(), "it is the turn of the first who waits"
    await asyncio.gather(*waiting)
    assert order == ["a", "b"]
    assert lock.take()
