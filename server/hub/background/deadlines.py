"""What time brings to matches: one sorted set of deadlines, found by any hub; the log lets only one of them act."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog

from protocol.errors import Refusal, StoreUnavailable, UnreadableMatch
from server.hub.presence.tracker import AWAY_AFTER_S, SLACK_MS, PresenceTracker
from server.hub.rooms.index import HOST_GRACE_MS
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.match.commands import Expire
from server.match.state import Status
from server.store.port import Store

DUE_AT_ONCE = 200
LOOKS_AT_ONCE = 3
"""So many matches are looked at together, which lets their ends share a flush (`D2`); fewer than there are links to the
store, so that players need not wait for one."""

log = structlog.get_logger(__name__)


class Deadlines:
    """Looks at matches whose time has come."""

    def __init__(self, keeper: Keeper, tracker: PresenceTracker, store: Store) -> None:
        self._keeper = keeper
        self._tracker = tracker
        self._store = store
        self._few = asyncio.Semaphore(LOOKS_AT_ONCE)

    @property
    def has_any(self) -> bool:
        """Whether any may have passed. Those that were set at another hub are known by the next beat."""
        return self._store.first_deadline_ms <= self._store.now_ms() - SLACK_MS

    async def look(self) -> None:
        """Everything whose deadline has passed: flags, ends of pauses and of waiting (`D2`, `D3`, `D11`)."""
        due = await self._store.due(self._store.now_ms() - SLACK_MS, DUE_AT_ONCE)
        if not due:
            return
        async with asyncio.TaskGroup() as looking:
            for match_id in due:
                looking.create_task(self._look_at(match_id))

    async def _look_at(self, match_id: str) -> None:
        async with self._few:
            try:
                room = await self._keeper.room(match_id)
                await self._tracker.look_up(room)
                if room.match.status is Status.WAITING:
                    await self._look_at_waiting(room)
                else:
                    await self._look_at_playing(room)
            except UnreadableMatch:
                await self._put_off_unreadable(match_id)
            except Refusal:
                await self._store.set_deadline(match_id, 0, None)
            except StoreUnavailable:
                return  # It is still in the set; that the store is away is said by whoever asks for the set next.
            except Exception:
                # One match that cannot be looked at keeps no other one waiting, not even by standing before it.
                log.exception("a deadline could not be looked at", match=match_id)
                await self._put_off_unreadable(match_id)

    async def _put_off_unreadable(self, match_id: str) -> None:
        now_ms = self._store.now_ms()
        pause_ms = round(self._keeper.unreadable.pause_s(match_id) * 1000)
        with suppress(StoreUnavailable):
            await self._store.put_deadline_off(match_id, now_ms, now_ms + pause_ms)

    async def _look_at_waiting(self, room: Room) -> None:
        """A waiting match ends when its host has been gone for the grace time, and has not come back at another hub in
        its last moment, of which word is on its way (`B3`, `C6`)."""
        if self._tracker.is_host_gone(room):
            await self._keeper.commit(room, Expire())
        elif self._tracker.here(room)[room.match.host_seat]:
            await self._put_off(room)
        else:
            await self._put_off(room, round(AWAY_AFTER_S * 1000))

    async def _put_off(self, room: Room, by_ms: int = HOST_GRACE_MS) -> None:
        """Another hub may have begun the match already: its clock's deadline must stay (`D2`, `D3`)."""
        until_ms = self._store.now_ms() + by_ms
        await self._store.set_deadline(room.match.id, room.match.version, until_ms)

    async def _look_at_playing(self, room: Room) -> None:
        version = room.match.version
        await self._tracker.notice(room)
        if room.match.version != version:
            return
        # Nothing came of it (or another hub was quicker): the set must not bring it up for ever.
        deadline_ms = room.match.deadline_ms
        later_ms = None if deadline_ms is None else max(deadline_ms, self._store.now_ms())
        await self._store.set_deadline(room.match.id, version, later_ms)

    async def keep_waiting(self) -> None:
        """Put off the deadline of every waiting match whose host is connected to this hub (`B3`, `C6`)."""
        for room in list(self._keeper.rooms.values()):
            if room.match.status is Status.WAITING and room.local_counts()[f"{room.match.host_seat}"]:
                await self._put_off(room)

    async def excuse_outage(self) -> None:
        """This is the first hub up again: hosts of waiting matches could not be connected meanwhile (`RU-M5`)."""
        for match_id in await self._store.due(self._store.now_ms(), 1_000_000):
            try:
                room = await self._keeper.room(match_id)
            except UnreadableMatch:
                continue  # `look` puts it off.
            except Refusal:
                await self._store.set_deadline(match_id, 0, None)  # it was forgotten meanwhile
                continue
            if room.match.status is Status.WAITING:
                await self._put_off(room)
