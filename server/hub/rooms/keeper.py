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
from server.hub.concurrency.locks import NamedLocks
from server.hub.metrics import EVENTS_STORED, LOST_RACES, ROOMS, STORE_LOADS
from server.hub.rooms.index import index_change
from server.hub.rooms.log_follower import LogFollower
from server.hub.rooms.room import NOBODY, Room
from server.match.commands import MatchCommand
from server.match.events import AnyEvent, Created, encode_event
from server.match.fold import opening
from server.match.machine import Asked, Outage, deciding, steps
from server.match.record import Record
from server.match.state import Match, Status
from server.store.port import Aim, Append, Appended, Store
from server.store.receipts import Receipt, Ref

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


class Keeper(LogFollower):
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
    ) -> Receipt | None:
        """Store a new match whose host is connected here, with its key and the ref that asked for it, all in one step.

        None when a condition of `Append` did not hold. A ref that was answered before is answered the same.
        """
        after = steps(opened, events[1:])[-1].after if events[1:] else opened
        data = [encode_event(event) for event in events]
        receipt = Receipt(opened.id, after.version, key or "")
        append = Append(
            match=opened.id,
            base=0,
            events=data,
            index=index_change(None, after, events[0].at_ms),
            unless_newer=unless_newer,
            aim=aim,
            over=after.status is Status.ENDED,
            refs=(ref._replace(receipt=receipt),),
            hosted=True,
            key=key,
        )
        epoch, outcome = self.epoch, await self._store.append(append)
        if isinstance(outcome, Receipt):
            return outcome
        if outcome is not Appended.STORED:
            return None
        async with self._loading.holding(opened.id):
            if opened.id not in self.rooms:
                room = Room(await self.slices.run(Record.reading(opened.id, data, self.catalogue)))
                room.epoch, room.key, room.announced = epoch, key, {**NOBODY, "0": 1}
                # Somebody may have joined already, and the notice of it found no room here.
                room.doubtful = True
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
                    del self.rooms[match_id]
                    await self._store.unfollow(match_id)
        ROOMS.set(len(self.rooms))

    # Committing -------------------------------------------------------------------------------------------------------

    async def commit(
        self, room: Room, command: MatchCommand, player: str = "", ref: str = "", received_ms: int | None = None
    ) -> int:
        """Judge a command, store what it causes, then tell it; returns the version that it led to.

        It counts as asked when it was received (shared clock, ms; now if not given). A ref that was answered before is
        answered the same. Raises Refusal, `busy`, StoreUnavailable when nothing was done, or OutcomeUnknown.
        """
        return (await self._commit(room, command, player, ref, received_ms)).version

    async def lead(self, room: Room, command: MatchCommand, player: str, ref: str) -> Receipt:
        """Like `commit`, for a command that did not name this match: the answer is remembered with the player, too.

        If its ref was answered before, the answer may be about another match.
        """
        return await self._commit(room, command, player, ref, with_player=True)

    async def _commit(
        self,
        room: Room,
        command: MatchCommand,
        player: str,
        ref: str,
        received_ms: int | None = None,
        *,
        with_player: bool = False,
    ) -> Receipt:
        await self._be_fresh()
        async with room.lock:
            await self._be_fresh()  # once more, for waiting may have taken long
            asked = Asked(player, ref, received_ms or self._store.now_ms(), self.outages)
            for _ in range(COMMIT_TRIES):
                if self._doubts(room):
                    await self._read_on(room)
                answered = room.record.answer(player, ref) if ref else None
                if answered is not None:
                    return Receipt(room.match.id, answered)
                receipt = await self._try(room, command, asked, with_player)
                if receipt is not None:
                    return receipt
                LOST_RACES.inc()
                await self._read_on(room)
        raise ParlourError(Code.BUSY)

    async def _try(self, room: Room, command: MatchCommand, asked: Asked, with_player: bool) -> Receipt | None:
        """Judge and store once; None when another hub was quicker."""
        before = room.match
        try:
            happened = await self.slices.begin(deciding(before, command, asked))
        except Refusal as refusal:
            if await self._was_behind(room):
                return None
            refusal.data["version"] = before.version
            raise
        after = happened[-1].after if happened else before
        receipt = Receipt(before.id, after.version)
        if not happened and not asked.ref:
            return receipt
        append = Append(
            match=before.id,
            base=before.version,
            events=[encode_event(step.event) for step in happened],
            index=index_change(before, after, asked.now_ms),
            epoch=room.epoch,
            over=after.status is Status.ENDED,
            refs=_refs(asked, receipt, in_log=bool(happened), with_player=with_player),
        )
        try:
            outcome = await self._store.append(append)
        except (OutcomeUnknown, asyncio.CancelledError):
            # It may be stored all the same: nothing is shown or judged here before the log was read.
            room.doubtful = True
            raise
        if isinstance(outcome, Receipt):
            return outcome
        if outcome is Appended.RELOADED:
            await self.beat()
        if outcome is not Appended.STORED:
            return None
        EVENTS_STORED.inc(len(happened))
        try:
            await self._take_over(room, happened)
        except StoreUnavailable as error:
            # It is stored, and what it obliges us to elsewhere is not: sent again it is answered when all is there.
            raise OutcomeUnknown(error.reason) from error
        return receipt

    async def _was_behind(self, room: Room) -> bool:
        """Whether another hub has appended without our having heard yet: nobody is refused for what is over."""
        if self.live_hubs <= {self._store.hub}:
            return False
        version = room.record.version
        await self._read_on(room)
        return room.record.version != version


def _refs(asked: Asked, receipt: Receipt, *, in_log: bool, with_player: bool) -> tuple[Ref, ...]:
    """Where a command's ref is looked for, and where its receipt is kept: not with the match if the log has it."""
    if not asked.ref:
        return ()
    here = Ref(asked.player, asked.ref, receipt.match, None if in_log else receipt)
    return (here, Ref(asked.player, asked.ref, "", receipt)) if with_player else (here,)
