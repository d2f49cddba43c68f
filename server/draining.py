"""Drain: a hub that is to stop hands its players over to the others first, a few at a time, and ends when it has none.

    asked      /ready says no, and proxies send nobody new; everybody is served as before
    NOTICED_S  nobody new is let in, and each client is told to go: it comes to another hub at once, and nobody sees it;
               until it has its connection there it is served here, STAYS_S at most
    ...        the hub stops when the last one is there, COMES_S after it went, or when the time is up

Without another hub that stays there is nowhere to go, and without time to do it in the hub stops at once: its clients
come back when it is there again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

import structlog

from server.hub.connections.hub import COMES_S, Hub

NOTICED_S = 2.0
"""How long proxies may take to see that /ready says no; at most a quarter of the time that there is."""
PACE_S = 0.1
"""So often some are told to go."""
LEAST_AT_ONCE = 3
"""Of few, so many each time: thirty a second are no crowd for another hub."""
ASKED_FOR_S = 10.0
"""The time for one who asks for a drain by `admin`, of a hub that was given none."""

log = structlog.get_logger(__name__)


class Drain:
    """Of one hub. `others` says whether other hubs are there that stay, `close_doors` lets nobody new in."""

    def __init__(self, hub: Hub, others: Callable[[], Awaitable[bool]], close_doors: Callable[[], None]) -> None:
        self._hub = hub
        self._others = others
        self._close_doors = close_doors

    async def run(self, seconds: float) -> None:
        """Returns when the hub may stop, within so many seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        if not await self._others() or not self._hub.connections:
            return
        self._hub.draining = True
        log.info("draining", connections=len(self._hub.connections), seconds=seconds)
        await asyncio.sleep(min(NOTICED_S, seconds / 4))
        self._close_doors()
        while (self._hub.connections or self._hub.under_way) and loop.time() < end:
            if left := len(self._hub.staying):
                if not await self._others():
                    return
                turns = max(1.0, (end - COMES_S - loop.time()) / PACE_S)
                self._hub.send_on(max(LEAST_AT_ONCE, math.ceil(left / turns)))
            await asyncio.sleep(PACE_S)
        log.info("drained", left=len(self._hub.connections))
