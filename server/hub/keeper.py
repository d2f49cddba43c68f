"""Keeps the rooms: loads them from the store, commits to them, lets go of them, and follows what other hubs do."""

from __future__ import annotations

import asyncio
import time

from protocol.errors import Code, ParlourError, Refusal, StoreUnavailable
from server.games import Catalogue
from server.hub.index import HOST_GRACE_MS, index_change
from server.hub.lobby import LOBBY, LobbyBook
from server.hub.locks import NamedLocks
from server.hub.metrics import EVENTS_STORED, LOST_RACES, ROOMS
from server.hub.rooms import NOBODY, Counts, Room
from server.hub.viewer import Viewer
from server.match.commands import Expire, MatchCommand
from server.match.events import Created, encode_event
from server.match.machine import Asked, decide, open_match
from server.match.record import Record
from server.match.state import Match, Status
from server.store.port import Append, Appended, EventsNotice, Store

COMMIT_TRIES = 50
"""How often a command is judged again because another hub was quicker; each time one of them got through."""
KEEP_EMPTY_S = 30.0
"""A room that nobody follows stays this long in memory, for those who only lost their connection."""
DUE_AT_ONCE = 100


class Keeper:
    """This hub's rooms over one store. `live_hubs` is kept up to date by whoever beats."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue
        self._rooms: dict[str, Room] = {}
        self._loading = NamedLocks()
        self._where: dict[Viewer, set[str]] = {}
        self._crowd_changed: set[str] = set()
        self.live_hubs: set[str] = set()
        self._dead_hubs: set[str] = set()

    # Rooms ------------------------------------------------------------------------------------------------------------

    async def room(self, match_id: str) -> Room:
        """The room of a match, loaded if need be. Raises Refusal `unknown_match`, or StoreUnavailable."""
        room = self._rooms.get(match_id)
        if room is not None and not room.doubtful:
            return room
        async with self._loading.holding(match_id):
            room = self._rooms.get(match_id)
            if room is None:
                return await self._load(match_id)
            if room.doubtful:
                async with room.lock:
                    await self._read_on(room)
            return room

    async def _load(self, match_id: str) -> Room:
        events = await self._store.read(match_id)
        if not events:
            raise Refusal(Code.UNKNOWN_MATCH)
        events += await self._store.follow(match_id, after=len(events))
        room = Room(Record(match_id, events, self._catalogue))
        if room.match.private:
            room.key = await self._store.key_of(match_id)
        await self._take_presence(room)
        room.empty_since = time.monotonic()
        self._rooms[match_id] = room
        ROOMS.set(len(self._rooms))
        return room

    async def _read_on(self, room: Room) -> None:
        """Take over what is in the log and not in the room, and tell it. The room's lock must be held."""
        events = await self._store.read(room.match.id, after=room.record.version)
        room.doubtful = False
        room.tell(room.record.read(events))

    def opened(self, match_id: str, event: Created) -> Match:
        """The match that `event` opens, without a room yet."""
        return open_match(match_id, event, self._catalogue)

    # Committing -------------------------------------------------------------------------------------------------------

    async def commit(self, room: Room, command: MatchCommand, player: str, ref: str) -> int:
        """Judge a command, store what it causes, then tell it; returns the version that it led to.

        A ref that is in the log already is answered as before. Raises Refusal, StoreUnavailable, or `busy`.
        """
        async with room.lock:
            for _ in range(COMMIT_TRIES):
                if room.doubtful:
                    await self._read_on(room)
                answered = room.record.answer(player, ref) if ref else None
                if answered is not None:
                    return answered
                before = room.match
                now_ms = self._store.now_ms()
                try:
                    happened = decide(before, command, Asked(player, ref, now_ms))
                except Refusal as refusal:
                    refusal.data["version"] = before.version
                    raise
                if not happened:
                    return before.version
                append = Append(
                    match=before.id,
                    base=before.version,
                    events=[encode_event(step.event) for step in happened],
                    index=index_change(before, happened[-1].after, now_ms),
                )
                try:
                    outcome = await self._store.append(append)
                except (StoreUnavailable, asyncio.CancelledError):
                    # It may be stored all the same: nothing is shown or judged here before the log was read.
                    room.doubtful = True
                    raise
                if outcome is Appended.STORED:
                    EVENTS_STORED.inc(len(happened))
                    if room.record.version == append.base:
                        room.record.extend(happened)
                        room.tell(happened)
                    else:
                        await self._read_on(room)
                    self._crowd_may_change(before, room)
                    return append.base + len(happened)
                LOST_RACES.inc()
                await self._read_on(room)
        raise ParlourError(Code.BUSY)

    def _crowd_may_change(self, before: Match, room: Room) -> None:
        if before.seats != room.match.seats:
            self._crowd_changed.add(room.match.id)

    # Who follows ------------------------------------------------------------------------------------------------------

    def enter(self, viewer: Viewer, room: Room, after: int | None = None) -> None:
        """`viewer` follows the room: gets what came after version `after`, or a snapshot, and then every event."""
        room.add(viewer)
        self._where.setdefault(viewer, set()).add(room.match.id)
        self._crowd_changed.add(room.match.id)
        if after is None:
            viewer.send(room.snapshot(viewer, self.live_hubs))
        else:
            room.catch_up(viewer, after, self.live_hubs)

    def leave(self, viewer: Viewer, room: Room) -> None:
        """`viewer` follows the room no longer."""
        room.remove(viewer)
        self._where.get(viewer, set()).discard(room.match.id)
        self._crowd_changed.add(room.match.id)
        if not len(room):
            room.empty_since = time.monotonic()

    def leave_all(self, viewer: Viewer) -> None:
        """`viewer` is gone."""
        for match_id in list(self._where.get(viewer, ())):
            if match_id in self._rooms:
                self.leave(viewer, self._rooms[match_id])
        self._where.pop(viewer, None)

    def here(self, room: Room) -> tuple[bool, bool]:
        """Whether each seat's player is connected, here or at another hub that lives."""
        return room.presence(self.live_hubs)[0]

    def show_again(self, viewer: Viewer, source: str, lobby: LobbyBook) -> None:
        """Show `source` as it is now to a viewer for whom events of it were dropped."""
        if source == LOBBY:
            viewer.send(lobby.state())
        elif source in self._rooms and viewer in self._rooms[source]:
            viewer.send(self._rooms[source].snapshot(viewer, self.live_hubs))

    # What other hubs do -----------------------------------------------------------------------------------------------

    async def take(self, notice: EventsNotice) -> None:
        """Another hub appended: take it over if it follows on what is here, else read the log."""
        room = self._rooms.get(notice.match)
        if room is None or notice.base + len(notice.events) <= room.record.version:
            return
        if notice.base == room.record.version and not room.doubtful and not room.lock.locked():
            before = room.match
            room.tell(room.record.read(notice.events))
            self._crowd_may_change(before, room)
            return
        await self.read_again(notice.match)

    async def read_again(self, match_id: str) -> None:
        """Read what a room misses."""
        room = self._rooms.get(match_id)
        if room is None:
            return
        async with room.lock:
            before = room.match
            await self._read_on(room)
            self._crowd_may_change(before, room)

    async def take_presence(self, match_id: str) -> None:
        """Another hub's connections to the match changed."""
        room = self._rooms.get(match_id)
        if room is not None:
            await self._take_presence(room)
            room.tell_presence(self.live_hubs)

    async def _take_presence(self, room: Room) -> None:
        self._take_counts(room, await self._store.presence(room.match.id))
        strangers = room.others.keys() - self.live_hubs - self._dead_hubs
        if strangers:
            # Left over from a hub that died, or one that has come since the last beat: its players are no absentees.
            self.hubs_changed(await self._store.beat())
            self._dead_hubs |= strangers - self.live_hubs

    def _take_counts(self, room: Room, counts: dict[str, Counts]) -> None:
        room.announced = {**NOBODY, **counts.pop(self._store.hub, {})}
        room.others = counts

    async def follow_again(self) -> None:
        """The subscription was down: read again every room. A room that cannot be read now is doubtful."""
        for match_id, room in list(self._rooms.items()):
            room.doubtful = True
            await self._store.follow(match_id, after=room.record.version)
            await self.read_again(match_id)
            await self.take_presence(match_id)

    async def read_doubtful(self) -> None:
        """Read every room of which an append's fate is unknown, so that its followers learn of it (`J5`)."""
        for match_id in [match_id for match_id, room in self._rooms.items() if room.doubtful]:
            await self.read_again(match_id)

    # Regular work -----------------------------------------------------------------------------------------------------

    async def publish_presence(self) -> None:
        """Tell store, other hubs and followers whose connections have changed since the last time."""
        changed, self._crowd_changed = self._crowd_changed, set()
        try:
            while changed:
                match_id = changed.pop()
                room = self._rooms.get(match_id)
                if room is None:
                    continue
                counts = room.local_counts()
                if counts != room.announced:
                    changed.add(match_id)
                    self._take_counts(room, await self._store.announce_presence(match_id, counts))
                    changed.discard(match_id)
                room.tell_presence(self.live_hubs)
        finally:
            self._crowd_changed |= changed

    def hubs_changed(self, live_hubs: set[str]) -> None:
        """A hub came or died: who was connected there is or is not here any more."""
        self.live_hubs = live_hubs
        for room in self._rooms.values():
            room.tell_presence(live_hubs)

    async def keep_waiting(self) -> None:
        """Put off the deadline of every waiting match whose host is connected to this hub (`B3`)."""
        for room in list(self._rooms.values()):
            if room.match.status is Status.WAITING and room.local_counts()["0"]:
                await self._store.set_deadline(room.match.id, self._store.now_ms() + HOST_GRACE_MS)

    async def look_at_due(self) -> None:
        """End the waiting matches whose host has been gone for the grace time; any hub may do it, the log lets one."""
        for match_id in await self._store.due(self._store.now_ms(), DUE_AT_ONCE):
            try:
                room = await self.room(match_id)
                if self.here(room)[0]:
                    await self._store.set_deadline(match_id, self._store.now_ms() + HOST_GRACE_MS)
                else:
                    await self.commit(room, Expire(), "", "")
            except Refusal:
                await self._store.clear_deadline(match_id)

    async def excuse_outage(self) -> None:
        """This is the first hub up again: nobody could be connected meanwhile, so all graces start anew (`RU-M5`)."""
        for match_id in await self._store.due(self._store.now_ms() + HOST_GRACE_MS, 1_000_000):
            await self._store.set_deadline(match_id, self._store.now_ms() + HOST_GRACE_MS)

    async def drop_empty(self) -> None:
        """Let go of rooms that nobody has followed for a while."""
        now = time.monotonic()
        for match_id, room in list(self._rooms.items()):
            if not room.idle(now - KEEP_EMPTY_S):
                continue
            # Whoever wants the room meanwhile waits, or the hub would stop following what it has just loaded.
            async with self._loading.holding(match_id):
                if room.idle(now - KEEP_EMPTY_S):
                    del self._rooms[match_id]
                    await self._store.unfollow(match_id)
        ROOMS.set(len(self._rooms))
