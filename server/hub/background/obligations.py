"""Carries out what logs oblige us to elsewhere, whichever hub they were written by (see `store/obligations.py`).

The hub that has written such an event does at once what it brings about, before it tells anybody. If it dies or the
store goes away in between, every hub finds it here within seconds, and so does the first one to start again.
"""

from __future__ import annotations

import structlog

from protocol.errors import StoreUnavailable
from server.hub.metrics import OBLIGATIONS, OWED
from server.hub.rooms.keeper import Keeper
from server.match.record import Record
from server.store.obligations import Obligation
from server.store.port import Store

GRACE_MS = 1_000
"""Younger ones are just being carried out by the hub that wrote them."""
AT_ONCE = 50
TRIES = 3
"""How often this hub tries what is wrong with more than the store, before it is set aside."""
PUT_OFF_MS = 10_000
"""So much later is such a one tried again, by any hub: one of another release may be able to do it."""
REMEMBERED = 1_000

log = structlog.get_logger(__name__)


class Obligations:
    """One hub's share of them: all that it finds, since to carry one out twice does no harm."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        self._store = store
        self._keeper = keeper
        self._failed: dict[str, int] = {}
        self._found = 0
        """In the last look."""

    @property
    def has_any(self) -> bool:
        """Whether anything may have been owed for a while; also once after that, for the metric."""
        return self._found > 0 or self._store.first_owed_ms <= self._store.now_ms() - GRACE_MS

    async def look(self) -> None:
        """Carry out what has been owed for a while. Raises StoreUnavailable; what is left is found again next time."""
        await self._look(self._store.now_ms() - GRACE_MS)

    async def settle_all(self) -> None:
        """Carry out everything that is owed, before this hub is ready. Raises StoreUnavailable."""
        # Clocks of two hubs differ a little: what another one wrote just now counts, too.
        while await self._look(self._store.now_ms() + GRACE_MS):
            pass

    async def _look(self, until_ms: int) -> int:
        owed = await self._store.owed(until_ms, AT_ONCE)
        self._found = len(owed)
        OWED.set(self._found)
        for obligation in owed:
            await self._meet(obligation)
        return len(owed)

    async def _meet(self, obligation: Obligation) -> None:
        try:
            events = await self._store.read(obligation.match)
            reading = Record.reading(obligation.match, events, self._keeper.catalogue)
            await self._keeper.carry_out((await self._keeper.slices.run(reading)).match)
        except StoreUnavailable:
            raise
        except Exception as error:
            await self._despair(obligation, error)
        else:
            self._failed.pop(obligation.match, None)
            await self._store.met(obligation)
            OBLIGATIONS.labels("met").inc()

    async def _despair(self, obligation: Obligation, error: Exception) -> None:
        """It is no fault of the store: try again later, and after some tries set it aside and report it, once."""
        now_ms, tries = self._store.now_ms(), self._failed.pop(obligation.match, 0) + 1
        if tries < TRIES:
            self._failed[obligation.match] = tries
            if len(self._failed) > REMEMBERED:
                del self._failed[next(iter(self._failed))]
            await self._store.put_off(obligation, now_ms + PUT_OFF_MS)
            return
        await self._store.set_aside(obligation, now_ms)
        OBLIGATIONS.labels("set aside").inc()
        log.warning("what a match owes cannot be done, and is set aside", match=obligation.match, reason=repr(error))
