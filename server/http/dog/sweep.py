"""Regular work: writes down who called, and lets go of those who have not called for the grace time (`UD RF7`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

import structlog

from protocol.errors import ParlourError, Refusal, StoreUnavailable
from protocol.messages import MatchSummary
from server.games import relay
from server.http.dog import halls
from server.http.dog.book import HallBook
from server.http.dog.gateway import Gateway
from server.http.dog.halls import Hall, Pairing, Stage
from server.http.dog.presence import WRITE_MS, Presence
from server.http.dog.tables import Tables, over
from server.http.dog.wire import Who
from server.hub.presence.identity import new_id
from server.hub.rooms.keeper import Keeper
from server.store.port import Store

MAX_PAUSE_S = 5.0
PAUSES_IN_GRACE = 10
"""A silent player is found out within the grace time and a tenth of it."""
IDLE_LIFETIME_MS = 3600 * 1000
"""Who is in no match and has not called for so long must register again; no running client is silent for an hour."""

log = structlog.get_logger(__name__)


class Sweep:
    """Looks at every hall and every relayed match that there is."""

    def __init__(
        self,
        gateway: Gateway,
        store: Store,
        keeper: Keeper,
        book: HallBook,
        tables: Tables,
        presence: Presence,
        listed: Callable[[], Iterable[MatchSummary]],
    ) -> None:
        self._gateway = gateway
        self._store = store
        self._keeper = keeper
        self._book = book
        self._tables = tables
        self._presence = presence
        self._listed = listed
        self._outages = keeper.outages
        self._away = False
        self._unserved_ms: dict[str, int] = {}

    async def run(self) -> None:
        """Sweep until cancelled."""
        pause_s = min(MAX_PAUSE_S, self._presence.grace_ms / 1000 / PAUSES_IN_GRACE)
        while True:
            await asyncio.sleep(pause_s)
            try:
                await self.once()
                self._away = False
            except StoreUnavailable as error:
                # While the store is away nobody can reach anybody: no silence counts.
                self._presence.excuse()
                if not self._away:
                    log.warning("the DOG gateway cannot look at its matches", reason=str(error))
                self._away = True
            except ParlourError as error:
                log.warning("the DOG gateway could not look at everything", reason=str(error))
            except Exception:
                log.exception("the DOG gateway's regular work failed")

    async def once(self) -> None:
        """One look at everything. Raises StoreUnavailable."""
        if self._keeper.outages != self._outages:
            self._outages = self._keeper.outages
            self._presence.excuse()
        for name in set(self._book.names):
            await self._hall(name)
        await self._matches()
        await self._tables.interrupt()
        await self._tables.write_down()

    async def _hall(self, name: str) -> None:
        hall = await self._write_down(name)
        for player, guest in hall.guests.items():
            if guest.match and self._presence.gone(name, player, guest):
                await self._gateway.leave(Who(name, player), guest.match, hall.pairings[guest.match], Stage.OUSTED)
        now_ms = self._store.now_ms()
        lost = {p for p, g in hall.guests.items() if not g.match and now_ms - g.seen_ms > IDLE_LIFETIME_MS}
        if lost:
            hall = await self._book.change(name, lambda hall: halls.without(hall, lost))
        for who in [who for who in self._presence.called_ms if who.hall == name and who.player not in hall.guests]:
            self._presence.forget(who)
        if not hall.guests:
            self._book.forget(name)

    async def _write_down(self, name: str) -> Hall:
        """Tell the other hubs, and the next one here, who called; not more often than they need."""
        hall = await self._book.hall(name)
        often_ms = min(self._presence.grace_ms / 4, WRITE_MS)
        new = {
            who.player: called_ms
            for who, called_ms in self._presence.called_ms.items()
            if who.hall == name
            and (guest := hall.guests.get(who.player)) is not None
            and called_ms - guest.seen_ms > often_ms
        }
        return await self._book.change(name, lambda hall: halls.seen(hall, new)) if new else hall

    async def _matches(self) -> None:
        """Matches that a hub which was killed has left: take them over, and end those that nobody is in any more."""
        served = set()
        for row in self._listed():
            if row.game == relay.NAME and row.status == "playing":
                with suppress(Refusal):
                    served.add(row.match)
                    await self._look_at(row.match)
        self._unserved_ms = {match: since for match, since in self._unserved_ms.items() if match in served}
        for match in self._tables.matches:
            room = self._keeper.rooms.get(match)
            if room is not None and over(room) and not self._wanted(match):
                self._tables.close(match)

    def _wanted(self, match: str) -> bool:
        """Whether somebody still has to be told something of it."""
        return any(match in hall.pairings for hall in self._book.known)

    async def _look_at(self, match: str) -> None:
        if self._wanted(match):
            return
        room = await self._keeper.room(match)
        _, hall, players = relay.read(room.match.moves[0])
        if match in (await self._book.hall(hall)).pairings:
            return
        now_ms = self._store.now_ms()
        since_ms = self._unserved_ms.setdefault(match, now_ms)
        if now_ms - since_ms > self._presence.grace_ms and not over(room):
            made = Pairing(room.match.host, room.match.created_ms, tuple((name, player) for name, player in players))
            with suppress(Refusal, StoreUnavailable):
                await self._tables.say(room, made, 0, relay.left_entry(-1), new_id())
