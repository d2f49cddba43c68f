"""This hub's pulse in the store: what a beat tells of the time, the other hubs, outages, and the store itself."""

from __future__ import annotations

import time
from typing import NamedTuple

import structlog

from protocol.errors import StoreBusy, StoreSilent, StoreUnavailable
from server.hub.metrics import STORE_LOADS
from server.match.machine import Outage
from server.store.port import Store

FRESH_S = 1.0
"""Nothing is judged by a beat that is older: an outage may have passed that is not known here yet."""
LOST_S = 0.5
"""When the store did not answer this lately, it is not asked again, so that nobody waits for one refusal after another
(`J5`, `K5`); the pacemaker looks as often."""
BENEFIT_S = 2.0
"""After the store was away no hub is taken for dead for this long: none could beat."""

log = structlog.get_logger(__name__)


class Moment(NamedTuple):
    """What this hub knows besides of the time at which it shows a match."""

    live_hubs: set[str]
    now_ms: int
    outages: tuple[Outage, ...] = ()
    """Those that clocks are shown without."""


class Heartbeat:
    """What this hub knows by its last beat, and whether that is enough to judge by."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._beaten = float("-inf")
        self._lost = float("-inf")
        self._benefit_until = 0.0
        self.live_hubs: set[str] = set()
        self.epoch = ""
        """That of the store's data, as far as is known here: see `Beat`."""
        self.outages: tuple[Outage, ...] = ()
        self.store_answers = False
        self.away_since_ms: int | None = None
        """Since when the store is away, as far as clients are to know it (shared clock); None while it is not."""
        self._beaten_ms = 0
        """When any hub beat last, as far as is known here (shared clock)."""
        self._was_late = False
        self._excusing_ms = 0
        """Since when there was an outage that is still to be written down; 0 for none."""

    async def beat(self) -> None:
        """Say that this hub lives; learn the time, the hubs that live, and outages.

        Raises StoreUnavailable, and never OutcomeUnknown: whether a beat was heard says nothing of any command.
        """
        try:
            beat = await self._store.beat()
            # What clients were told holds, also where an outage was too short to count by itself.
            if self.away_since_ms is not None and beat.at_ms - beat.last_ms >= FRESH_S * 1000:
                self._excusing_ms = beat.last_ms
            if self._excusing_ms:
                beat = await self._store.beat(self._excusing_ms)
            self._excusing_ms = 0
        except StoreBusy:
            raise
        except StoreSilent as error:
            self.store_answers = False
            self._lost = time.monotonic()
            raise StoreSilent(error.reason) from error
        except StoreUnavailable:
            self.store_answers = False
            raise
        now = time.monotonic()
        if not self.store_answers:
            self._benefit_until = now + BENEFIT_S
        self.store_answers, self._beaten = True, now
        self.away_since_ms, self._was_late = None, False
        self.hear_beat(beat.at_ms)
        if beat.epoch != self.epoch:
            if self.epoch:
                STORE_LOADS.inc()
                log.warning("the store has loaded its data anew: every match is compared with it")
            self.epoch = beat.epoch
        self.live_hubs = beat.hubs | self.live_hubs if now < self._benefit_until else beat.hubs
        self.outages = tuple(Outage(*outage) for outage in beat.outages)

    def hear_beat(self, at_ms: int) -> None:
        """Some hub beat then: the clients of all hubs are to be told of an outage since the same beat."""
        self._beaten_ms = max(self._beaten_ms, at_ms)

    def look_at_store(self) -> None:
        """To be called each turn: whether the store has been away for so long that clients must know (`D5`).

        That is so when the last beat was too old to judge by, now and a turn ago: one turn alone may be this hub's own
        being late. What passes from the last beat of any hub on is shown to nobody as charged; whether it is, is known
        when the store answers: not where no hub could beat.
        """
        late = time.monotonic() - self._beaten > FRESH_S
        if late and self._was_late and self._beaten_ms and self.away_since_ms is None:
            self.away_since_ms = self._beaten_ms
        self._was_late = late

    def moment(self) -> Moment:
        """Now, for whom a match is to be shown. What passes while the store is away is an outage that goes on."""
        now_ms = self._store.now_ms()
        passing = () if self.away_since_ms is None else (Outage(self.away_since_ms, now_ms),)
        return Moment(self.live_hubs, now_ms, self.outages + passing)

    async def others(self) -> bool:
        """This hub is to stop: whether others live that are not, as of now; False while the store does not say.

        Hubs that are to stop at the same moment know it of each other: each says so before it looks.
        """
        try:
            stopping = await self._store.retreat()
            await self.beat()
        except StoreUnavailable:
            return False
        return bool(self.live_hubs - {self._store.hub} - stopping)

    async def _be_fresh(self) -> None:
        """Know the time and outages well enough to judge. Raises StoreUnavailable, at once if it was silent lately."""
        self._be_hopeful()
        if time.monotonic() - self._beaten > FRESH_S:
            await self.beat()

    def _be_hopeful(self) -> None:
        """Raise StoreSilent when the store was just that."""
        if not self.store_answers and time.monotonic() - self._lost < LOST_S:
            raise StoreSilent("no answer lately")
