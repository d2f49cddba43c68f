"""Keeps the rooms: opens and hosts matches, loads them from the store, and lets go of them."""

from __future__ import annotations

import time

import structlog

from protocol.errors import Code, Refusal, UnreadableMatch
from server.games import Catalogue
from server.hub.concurrency.locks import NamedLocks
from server.hub.metrics import ROOMS
from server.hub.rooms.commits import Commits
from server.hub.rooms.index import index_change
from server.hub.rooms.room import NOBODY, Room
from server.match.events import AnyEvent, Created, encode_event
from server.match.fold import opening
from server.match.machine import steps
from server.match.record import Record
from server.match.state import Match, Status
from server.store.port import Aim, Append, Appended, Store
from server.store.receipts import Receipt, Ref

KEEP_EMPTY_S = 30.0
"""A room that nobody follows stays this long in memory, for those who only lost their connection."""
KEEP_ENDED_S = 5.0
"""The same for a match that is over, to which one comes back for a last look at most (`K7`)."""

log = structlog.get_logger(__name__)


class Keeper(Commits):
    """This hub's rooms over one store.

    `on_change` is called for a room that was loaded, or whose match has changed and was told.
    """

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        super().__init__(store, catalogue)
        self._loading = NamedLocks()

    async def room(self, match_id: str) -> Room:
        """The room of a match, loaded if need be.

        Raises Refusal `unknown_match`, UnreadableMatch, or StoreUnavailable.
        """
        room = self.rooms.get(match_id)
        if room is not None and not self._doubts(room):
            return room
        async with self._loading.holding(match_id):
            room = self.rooms.get(match_id)
            if room is None:
                room = await self._load_readable(match_id)
            elif self._doubts(room):
                self._be_hopeful()
                await self.read_again(match_id)
            return room

    async def _load_readable(self, match_id: str) -> Room:
        self.unreadable.demand_readable(match_id)
        try:
            room = await self._load(match_id)
        except UnreadableMatch as error:
            self.unreadable.add(match_id, error)
            raise
        self.unreadable.readable(match_id)
        return room

    async def _load(self, match_id: str) -> Room:
        epoch, events = self.epoch, await self._store.read(match_id)
        if not events:
            raise Refusal(Code.UNKNOWN_MATCH)
        events += await self._store.follow(match_id, after=len(events))
        room = Room(await self.slices.run(Record.reading(match_id, events, self.catalogue)))
        room.epoch, match = epoch, room.match
        if match.private:
            room.key = await self._store.key_of(match_id)
        if match.rematch and await self._store.owes(match_id):
            await self.carry_out(match)
        room.take_counts(self._store.hub, await self._store.presence(match_id))
        self._add(room)
        return room

    def _add(self, room: Room) -> None:
        room.empty_since = time.monotonic()
        self.rooms[room.match.id] = room
        ROOMS.set(len(self.rooms))
        self._changed(room)

    async def open(
        self,
        match_id: str,
        events: list[AnyEvent],
        *,
        opened: Match | None = None,
        unless_newer: int | None = None,
        aim: Aim | None = None,
    ) -> bool:
        """Store a match's first events. False when they are not there because a condition of `Append` did not hold.

        The same match opened again is there already, and that is well. `opened` is what the first event leads to, if
        that is known: it may bring thousands of moves.
        """
        created = events[0]
        assert isinstance(created, Created)
        if opened is None:
            opened = await self.slices.run(opening(match_id, created, self.catalogue))
        happened = steps(opened, events[1:])
        after = happened[-1].after if happened else opened
        append = Append(
            match=match_id,
            base=0,
            events=[encode_event(event) for event in events],
            index=index_change(None, after, created.at_ms),
            unless_newer=unless_newer,
            aim=aim,
            over=after.status is Status.ENDED,
        )
        stored = await self._store.append(append) is Appended.STORED
        return stored or bool(await self._store.read(match_id))

    async def host(
        self,
        opened: Match,
        events: list[AnyEvent],
        ref: Ref,
        *,
        key: str | None = None,
        unless_newer: int | None = None,
        aim: Aim | None = None,
        most_unfinished: int | None = None,
    ) -> Receipt | None:
        """Store a new match whose host is connected here, with its key and the ref that asked for it, all in one step.

        None when a condition of `Append` did not hold. A ref that was answered before is answered the same.
        """
        created = events[0]
        assert isinstance(created, Created)
        happened = steps(opened, events[1:])
        after = happened[-1].after if happened else opened
        receipt = Receipt(opened.id, after.version, key or "")
        append = Append(
            match=opened.id,
            base=0,
            events=[encode_event(event) for event in events],
            index=index_change(None, after, created.at_ms),
            unless_newer=unless_newer,
            aim=aim,
            over=after.status is Status.ENDED,
            refs=(ref._replace(receipt=receipt),),
            hosted=opened.host_seat,
            key=key,
            most_unfinished=most_unfinished,
        )
        epoch = self.epoch
        with self._hosting(opened.id):
            outcome = await self._store.append(append)
            if isinstance(outcome, Receipt):
                return outcome
            if outcome is not Appended.STORED:
                return None
            async with self._loading.holding(opened.id):
                if opened.id not in self.rooms:
                    room = Room(Record.opened(opened, created, happened))
                    room.epoch, room.key, room.announced = epoch, key, {**NOBODY, f"{opened.host_seat}": 1}
                    room.doubtful = self._missed_something_of(opened.id)
                    self._add(room)
        return receipt

    async def drop_empty(self) -> None:
        """Let go of rooms that nobody has followed for a while."""
        now = time.monotonic()
        for match_id, room in list(self.rooms.items()):
            since = now - (KEEP_ENDED_S if room.match.status is Status.ENDED else KEEP_EMPTY_S)
            if not room.idle(since):
                continue
            # Whoever wants the room meanwhile waits, or the hub would stop following what it has just loaded.
            async with self._loading.holding(match_id):
                if room.idle(since):
                    self._let_go(room)
                    await self._store.unfollow(match_id)
        ROOMS.set(len(self.rooms))
