"""Compares rooms with their logs: what is new there is taken over and told, and so is what is there no more.

A log may have gone on at another hub, an append may be in it of which nobody knows, and the store may have lost some of
it, or hold another one (`J5`, `Q9`). Whatever it is, the log is right.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

import structlog

from protocol.errors import Code, ParlourError, Refusal, StoreSilent, StoreUnavailable, UnreadableMatch
from server.games import Catalogue
from server.hub.concurrency.slices import Slices
from server.hub.metrics import SET_BACK
from server.hub.rooms.heartbeat import Heartbeat
from server.hub.rooms.room import NOBODY, Room
from server.hub.rooms.unreadable import Unreadable
from server.match.events import AnyEvent, RematchAgreed
from server.match.machine import Step, follow_up
from server.match.record import Record
from server.match.state import Match
from server.store.port import EventsNotice, Store

TOLD_AT_ONCE = 20
"""Events that are taken over and told before others have their turn."""
ASKED_AT_ONCE = 100
"""Rooms of which the store is asked whether it still tells this hub of them: it almost always does, so of more than
these it is asked in turn."""

log = structlog.get_logger(__name__)


class LogFollower(Heartbeat, ABC):
    """The part of the keeper that follows logs."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        super().__init__(store)
        self.catalogue = catalogue
        self.unreadable = Unreadable(store)
        self.slices = Slices()
        self.rooms: dict[str, Room] = {}
        self.taken_for_here: set[str] = set()
        """Matches without a room, of which the store was told that somebody is here and not yet that nobody is."""
        self._hosted: dict[str, bool] = {}
        """Matches that are being hosted and have no room yet, and whether something was told of one meanwhile."""
        self.on_change: list[Callable[[Room], None]] = []
        self.on_set_back: list[Callable[[Room], None]] = []
        """Called for a room that knew what the store has lost, once it was told what is there instead."""
        self._reported: str | None = None
        self._asked_about: deque[str] = deque()
        """The rooms of which the store is still to be asked whether it tells this hub of them."""

    @abstractmethod
    async def open(self, match_id: str, events: list[AnyEvent]) -> bool:
        """Store a match's first events, if it is not there. Raises StoreUnavailable."""

    def _let_go(self, room: Room) -> None:
        """Keep it no longer. Who was here is to be taken back in the store, where it would outlive the match."""
        self.rooms.pop(room.match.id, None)
        if room.announced != NOBODY:
            self.taken_for_here.add(room.match.id)

    def _doubts(self, room: Room) -> bool:
        """Whether the log may hold something else than the room: nothing is judged or shown before it was read."""
        return room.doubtful or room.epoch != self.epoch

    async def _read_on(self, room: Room) -> None:
        """Take over what is in the log and not in the room, and tell it. The room's lock must be held.

        The last event known here is compared with what is stored in its place: a log may be shorter than it was, or
        another one (`Q9`). Raises Refusal `unknown_match` when there is none any more, StoreUnavailable, or
        UnreadableMatch for what cannot be followed; the room is given up then, and everybody in it told.
        """
        epoch = self.epoch
        try:
            events = await self._store.read(room.match.id, after=room.record.version - 1)
            if events and room.record.is_newest(events[0]):
                await self._catch_up(room, events[1:])
            else:
                await self._set_back(room)
        except UnreadableMatch as error:
            self.unreadable.add(room.match.id, error)
            self._let_go(room)
            room.tell_refusal(error)
            raise
        if room.epoch != epoch:
            # What was said of connections before the store was loaded may be lost, too.
            room.announced = {}
        room.doubtful, room.epoch = False, epoch

    async def _catch_up(self, room: Room, events: list[bytes]) -> None:
        for start in range(0, len(events), TOLD_AT_ONCE):
            # Until all is taken over nothing is judged here.
            room.doubtful = True
            some = room.record.steps_of(events[start : start + TOLD_AT_ONCE])
            await self._take_over(room, await self.slices.begin(some))
            await asyncio.sleep(0)

    async def _set_back(self, room: Room) -> None:
        """The log is no continuation of what is known here: take over what there is, and say so to everybody (`Q9`)."""
        room.doubtful = True
        await self.beat()  # which epoch is it?
        match_id, knew = room.match.id, room.record.version
        events = await self._store.read(match_id)
        if not events:
            # Forgotten after its lifetime (`J13`), or lost.
            self._let_go(room)
            if room.epoch != self.epoch:
                self._report_loss(match_id, knew, 0)
            room.tell_gone()
            raise Refusal(Code.UNKNOWN_MATCH)
        record = await self.slices.run(Record.reading(match_id, events, self.catalogue))
        self._report_loss(match_id, knew, record.version)
        room.set_back(record, self.moment())
        self._changed(room)
        for call in self.on_set_back:
            call(room)

    def _report_loss(self, match_id: str, knew: int, has: int) -> None:
        """Tell the operator: loudly once for each load of the data, then one line for each match."""
        SET_BACK.inc()
        first, self._reported = self._reported != self.epoch, self.epoch
        say = log.error if first else log.warning
        say("THE STORE HAS LOST WHAT IT HAD ACKNOWLEDGED: a match is set back", match=match_id, knew=knew, has=has)

    async def _take_over(self, room: Room, happened: Iterable[Step]) -> None:
        """Add steps that are stored to the room, and tell them. The room's lock must be held.

        What they oblige us to elsewhere is there before anybody is told of it, whichever hub tells first; while it
        cannot be done they are neither known here nor told, and the room is read again.
        """
        happened = list(happened)
        for step in happened:
            if isinstance(step.event, RematchAgreed):
                try:
                    await self.carry_out(step.after)
                except (ParlourError, asyncio.CancelledError):
                    room.doubtful = True
                    raise
        self._tell(room, happened)

    def _tell(self, room: Room, happened: Iterable[Step]) -> None:
        """The same for steps that oblige us to nothing elsewhere."""
        room.record.extend(happened)
        room.tell(happened, self.moment)
        self._changed(room)

    async def carry_out(self, match: Match) -> None:
        """Do what the match's log obliges us to elsewhere, if it is not done: open the rematch that was agreed.

        Its clock starts when it is opened. Raises StoreUnavailable.
        """
        if match.rematch:
            await self.open(match.rematch, follow_up(match, self._store.now_ms()))

    def _changed(self, room: Room) -> None:
        for call in self.on_change:
            call(room)

    # What other hubs do -----------------------------------------------------------------------------------------------

    def take_at_once(self, notice: EventsNotice) -> bool:
        """Another hub appended a move: take it over and tell it, if nothing has to be waited for; whether that was so.

        All else is left to `take`, and nothing is done.
        """
        room = self.rooms.get(notice.match)
        if room is None or notice.match in self._hosted or self._doubts(room):
            return False
        if len(notice.events) != 1 or notice.base != room.record.version or not room.lock.take():
            return False
        try:
            step = room.record.move_in(notice.events[0])
            if step is None:
                return False
            self._tell(room, [step])
        except UnreadableMatch:
            return False
        except Exception:
            log.exception("a notice failed", match=notice.match)
            room.doubtful = True
        finally:
            room.lock.release()
        return True

    async def take(self, notice: EventsNotice) -> None:
        """Another hub appended: take it over if it follows on what is here, else read the log."""
        room = self.rooms.get(notice.match)
        if notice.match in self._hosted:
            self._hosted[notice.match] = True
        if room is None or notice.base + len(notice.events) <= room.record.version:
            return
        async with room.lock:
            if notice.base == room.record.version and not self._doubts(room):
                try:
                    happened = await self.slices.begin(room.record.steps_of(notice.events))
                except UnreadableMatch:
                    # It may be the notice alone that is bad.
                    await self._read_on(room)
                else:
                    await self._take_over(room, happened)
            elif notice.base + len(notice.events) > room.record.version:
                await self._read_on(room)

    @contextmanager
    def _hosting(self, match_id: str) -> Iterator[None]:
        """While a new match is stored and gets its room: somebody may join it before there is one to tell."""
        self._hosted[match_id] = False
        try:
            yield
        finally:
            del self._hosted[match_id]

    def _missed_something_of(self, match_id: str) -> bool:
        """Whether the log of a match that is being hosted may be longer than it was stored."""
        return self._hosted[match_id]

    async def read_again(self, match_id: str) -> None:
        """Read what a room misses."""
        room = self.rooms.get(match_id)
        if room is not None:
            async with room.lock:
                await self._read_on(room)

    async def follow_again(self) -> None:
        """The subscription was down: read again every room. A room that cannot be read now is doubtful.

        What can be read is told even when it cannot be followed, since the store refuses to write (`J7`): that error
        is raised in the end.
        """
        unfollowed: StoreUnavailable | None = None
        self._hosted = dict.fromkeys(self._hosted, True)
        for match_id, room in list(self.rooms.items()):
            room.doubtful = True
            try:
                await self._store.follow(match_id, after=room.record.version)
            except StoreSilent:
                raise
            except StoreUnavailable as error:
                unfollowed = error
            await self._read_if_there(match_id)
        if unfollowed is not None:
            raise unfollowed

    async def follow_unheard(self) -> None:
        """Follow those rooms again of which this hub is told nothing any more, because the store's list was spoilt.

        Some rooms at a time, each of them in its turn; one that has come meanwhile waits for the next turn.
        """
        if not self._asked_about:
            self._asked_about.extend(self.rooms)
        asked = [self._asked_about.popleft() for _ in range(min(ASKED_AT_ONCE, len(self._asked_about)))]
        for match_id in await self._store.unheard([match_id for match_id in asked if match_id in self.rooms]):
            if (room := self.rooms.get(match_id)) is not None:
                await self._store.follow(match_id, after=room.record.version)
                await self._read_if_there(match_id)

    async def read_doubtful(self) -> None:
        """Read every room of which an append's fate is unknown, or that the store may have set back (`J5`, `Q9`)."""
        epoch = self.epoch
        # Of all rooms, twice a second: without the call of `_doubts` for each.
        doubtful = [match_id for match_id, room in self.rooms.items() if room.doubtful or room.epoch != epoch]
        for match_id in doubtful:
            await self._read_if_there(match_id)

    async def _read_if_there(self, match_id: str) -> None:
        with suppress(Refusal):  # it is given up, and who followed it was told
            await self.read_again(match_id)
