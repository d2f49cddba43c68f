"""Who breaks off a request that takes its time: nobody is left to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from server.hub.concurrency.cancelling import end_tasks

T = TypeVar("T")


async def gone(request: Request) -> None:
    """Ends when the client has broken off. The body has been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def first_of(news: asyncio.Event, leaving: asyncio.Task[None], limit_s: float) -> None:
    """Ends with the news, when the client has broken off (`leaving`: that of `gone`), or after so long."""
    coming = asyncio.create_task(news.wait())
    try:
        await asyncio.wait({coming, leaving}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        coming.cancel()


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns or raises; it is cancelled when the client breaks off. Raises ClientDisconnect then."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(gone(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        await end_tasks([working, leaving])
