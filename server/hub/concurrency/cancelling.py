"""Ending tasks so that they do end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

AGAIN_S = 0.2


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until all have ended.

    Once is not enough for one that talks to Redis: the client library sends under `asyncio.wait_for`, which on Python
    3.11 loses a cancellation that meets the end of the sending, and a task that loops goes on for ever then.
    """
    ending = set(tasks)
    left = ending
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN_S)
    await asyncio.gather(*ending, return_exceptions=True)
