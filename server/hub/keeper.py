"""Keeps the rooms: loads them from the store, commits to them, lets go of them, and follows what other hubs do."""

from __future__ import annotations

import asyncio
import time

import structlog

from protocol.errors import (
    Code,
    OutcomeUnknown,
    ParlourError,
    Refusal,
    StoreBusy,
    StoreSilent,
    StoreUnavailable,
    UnreadableMatch,
)
from server.games import Catalogue
from server.hub.comparing import Comparing
from server.hub.index import index_change
from server.hub.locks import NamedLocks
from server.hub.metrics import EVENTS_STORED, LOST_RACES, ROOMS, STORE_LOADS
from server.hub.rooms import Room
from server.match.commands import MatchCommand
from server.match.events import AnyEvent, Created, encode_event
from server.match.fold import opening
from server.match.machine import Asked, Outage, decide, steps
from server.match.record import Record
from server.match.state import Match, Status
from server.store.port import Aim, Append, Appended, Store

COMMIT_TRIES = 50
"""How often a command is judged again because another hub was quicker; each time one of them got through."""
KEEP_EMPTY_S = 30.0
"""A room that nobody follows stays this long in memory, for those who only lost their connection."""
KEEP_ENDED_S = 5.0
"""The same for a match that is over, to which one comes back for a last look at most (`K7`)."""
FRESH_S = 1.0
"""Nothing is judged by a beat that is older: an outage may have passed that is not known here yet."""
LOST_S = 0.5
"""When the store did not answer this lately, it is not asked again, so that nobody waits for one refusal after another
(`J5`, `K5`); the pacemaker looks as often."""
BENEFIT_S = 2.0
"""After the store was away no hub is taken for dead for this long: none could beat."""

log = structlog.get_logger(__name__)


class Keeper(Comparing):
    """This hub's rooms over one store.

    `on_change` is called for a room that was loaded, or whose match has changed and was told.
    """

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        super().__init__(store, catalogue)
        self._loading = NamedLocks()
        self._beaten = float("-inf")
        self._lost = float("-inf")
        self._benefit_until = 0.0
        self.outages: tuple[Outage, ...] = ()
        self.store_answers = False

    # The time and the other hubs --------------------------------------------------------------------------------------

    async def beat(self) -> None:
        """Say that this hub lives; learn the time, the hubs that live, and outages.

        Raises StoreUnavailable, and never OutcomeUnknown: whether a beat was heard says nothing of any command.
        """
        try:
            beat = await self._store.beat()
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
        if beat.epoch != self.epoch:
            if self.epoch:
                STORE_LOADS.inc()
                log.warning("the store has loaded its data anew: every match is compared with it")
            self.epoch = beat.epoch
        self.live_hubs = beat.hubs | self.live_hubs if now < self._benefit_until else beat.hubs
        self.outages = tuple(Outage(*outage) for outage in beat.outages)

    async def _be_fresh(self) -> None:
        """Know the time and outages well enough to judge. Raises StoreUnavailable, at once if it was silent lately."""
        self._be_hopeful()
        if time.monotonic() - self._beaten > FRESH_S:
            await self.beat()

    def _be_hopeful(self) -> None:
        """Raise StoreSilent when the store was just that."""
        if not self.store_answers and time.monotonic() - self._lost < LOST_S:
            raise StoreSilent("no answer lately")

    # Rooms ------------------------------------------------------------------------------------------------------------

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
        room.empty_since = time.monotonic()
        self.rooms[match_id] = room
        ROOMS.set(len(self.rooms))
        self._changed(room)
        return room

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
                    del self.rooms[match_id]
                    await self._store.unfollow(match_id)
        ROOMS.set(len(self.rooms))

    # Committing -------------------------------------------------------------------------------------------------------

    async def commit(
        self, room: Room, command: MatchCommand, player: str = "", ref: str = "", received_ms: int | None = None
    ) -> int:
        """Judge a command, store what it causes, then tell it; returns the version that it led to.

        It counts as asked when it was received (shared clock, ms; now if not given). A ref that is in the log already
        is answered as before. Raises Refusal, `busy`, StoreUnavailable when nothing was done, or OutcomeUnknown.
        """
        await self._be_fresh()
        async with room.lock:
            await self._be_fresh()  # once more, for waiting may have taken long
            asked = Asked(player, ref, received_ms or self._store.now_ms(), self.outages)
            for _ in range(COMMIT_TRIES):
                if self._doubts(room):
                    await self._read_on(room)
                answered = room.record.answer(player, ref) if ref else None
                if answered is not None:
                    return answered
                version = await self._try(room, command, asked)
                if version is not None:
                    return version
                LOST_RACES.inc()
                await self._read_on(room)
        raise ParlourError(Code.BUSY)

    async def _try(self, room: Room, command: MatchCommand, asked: Asked) -> int | None:
        """Judge and store once; None when another hub was quicker."""
        before = room.match
        try:
            happened = decide(before, command, asked)
        except Refusal as refusal:
            if await self._was_behind(room):
                return None
            refusal.data["version"] = before.version
            raise
        if not happened:
            return before.version
        after = happened[-1].after
        append = Append(
            match=before.id,
            base=before.version,
            events=[encode_event(step.event) for step in happened],
            index=index_change(before, after, asked.now_ms),
            epoch=room.epoch,
            over=after.status is Status.ENDED,
        )
        try:
            outcome = await self._store.append(append)
        except (OutcomeUnknown, asyncio.CancelledError):
            # It may be stored all the same: nothing is shown or judged here before the log was read.
            room.doubtful = True
            raise
        if outcome is Appended.RELOADED:
            await self.beat()
        if outcome is not Appended.STORED:
            return None
        EVENTS_STORED.inc(len(happened))
        try:
            await self._take_over(room, happened)
        except StoreUnavailable as error:
            # It is stored, but what it brings about is not there yet: nobody may be told that nothing was done.
            raise OutcomeUnknown(error.reason) from error
        return after.version

    async def _was_behind(self, room: Room) -> bool:
        """Whether another hub has appended without our having heard yet: nobody is refused for what is over."""
        if self.live_hubs <= {self._store.hub}:
            return False
        version = room.record.version
        await self._read_on(room)
        return room.record.version != version
