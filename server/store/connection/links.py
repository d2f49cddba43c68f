"""The links to Redis for everything but scripts: few, lent in the order in which they were asked for."""

from __future__ import annotations

import asyncio
from typing import Any

from redis.asyncio import BlockingConnectionPool

from protocol.errors import StoreBusy

QUEUE_S = 8.0
"""How long one may wait for a link. Thousands who come at once are served in a few seconds; a client that waits longer
has asked again by then."""
MAX_QUEUED = 20_000
"""Readers that wait for a link; the rest is refused at once."""


class FairPool(BlockingConnectionPool):
    """Lends each link to whoever has waited longest, and says `busy` of a queue that is too long.

    The library's own pool lets whoever gives a link back take it again before those who wait have woken, and calls it a
    lost connection when somebody's turn does not come: a burst was told that the store could not be reached (`Q5`).
    """

    def __init__(self, max_connections: int, queue_s: float = QUEUE_S, **options: Any) -> None:
        super().__init__(max_connections=max_connections, timeout=None, **options)
        self._turns = asyncio.Semaphore(max_connections)
        self._lent: set[Any] = set()
        self._queued = 0
        self._queue_s = queue_s

    async def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Any:
        """A link that stands. Raises StoreBusy when the turn does not come in time, and what connecting raises."""
        await self._turn()
        try:
            link = await super().get_connection()  # type: ignore[no-untyped-call]
            if _has_ended(link):
                await self._renew(link)
        except BaseException:
            self._turns.release()
            raise
        self._lent.add(link)
        return link

    async def _renew(self, link: Any) -> None:
        try:
            await link.disconnect(nowait=True)
            await link.connect()
        except BaseException:
            await super().release(link)
            raise

    async def release(self, connection: Any) -> None:
        """The link is free again. The library calls this for links that could not be made, too."""
        try:
            await super().release(connection)
        finally:
            if connection in self._lent:
                self._lent.discard(connection)
                self._turns.release()

    async def _turn(self) -> None:
        if self._queued >= MAX_QUEUED:
            raise StoreBusy("too many readers are waiting")
        self._queued += 1
        try:
            async with asyncio.timeout(self._queue_s):
                await self._turns.acquire()
        except TimeoutError:
            raise StoreBusy("no link to the store became free") from None
        finally:
            self._queued -= 1


def _has_ended(link: Any) -> bool:
    """Whether the other side has reset the link: the library looks for an end of the stream alone.

    What is written to such a link is lost, and it would have to be said of it that nobody knows.
    """
    writer = getattr(link, "_writer", None)
    return writer is not None and bool(writer.transport.is_closing())
