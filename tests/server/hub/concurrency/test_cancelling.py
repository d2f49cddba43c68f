"""Tasks that do not end at the first cancellation."""

from __future__ import annotations

import asyncio

from server.hub.concurrency.cancelling import end_tasks
from tests.pace import WAIT_S


async def stubborn(cancellations: int) -> None:
    """Loses so many cancellations, as `asyncio.wait_for` does on Python 3.11."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            if not cancellations:
                raise
            cancellations -= 1


async def fails() -> None:
    raise ValueError


async def test_a_task_that_loses_a_cancellation_is_ended_all_the_same() -> None:
    tasks = [asyncio.create_task(task) for task in (stubborn(0), stubborn(2), fails())]
    await asyncio.sleep(0)
    async with asyncio.timeout(WAIT_S):
        await end_tasks(tasks)
    assert all(task.done() for task in tasks)
    assert [task.cancelled() for task in tasks] == [True, True, False]


async def test_there_may_be_nothing_to_end() -> None:
    await end_tasks([])
