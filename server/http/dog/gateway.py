"""What each of the five paths does. Raises nothing that a client could see: `routes.py` has an answer for the rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from protocol.errors import Code, IllegalMove, OutcomeUnknown, ParlourError, Refusal, StoreUnavailable
from server.games import relay
from server.http.dog import halls, wire
from server.http.dog.book import Bell, HallBook
from server.http.dog.halls import Guest, Hall, Pairing, Stage
from server.http.dog.presence import Presence
from server.http.dog.tables import Tables, over, wait_for_any
from server.http.dog.wire import Reply, Who
from server.hub.concurrency.locks import NamedLocks
from server.hub.presence.identity import new_id
from server.store.port import Store

HOLD_S = 20.0
"""An answer is held at most so long: a client knows no timeout, but what lies between may."""
LOOK_S = 0.5
"""A held call looks by itself this often, for what other hubs did and for a store that has come back."""
MOVE_S = 25.0
"""How long a move is tried to be stored while the store is away; a game's window stands still meanwhile."""
START_S = 4.0
RETRY_S = 0.2
MAX_HELD = 4_000

T = TypeVar("T")


async def nothing_more() -> None:
    """What is to be done after most answers."""


class Answer(NamedTuple):
    """A reply, and what is to be done once it has gone out."""

    reply: Reply
    after: Callable[[], Awaitable[None]] = nothing_more


Look = Callable[[], Awaitable[Answer | None]]


class Gateway:
    """The five paths, over the same keeper and log as everything else."""

    def __init__(self, store: Store, book: HallBook, tables: Tables, presence: Presence) -> None:
        self._store = store
        self._book = book
        self._tables = tables
        self._presence = presence
        self._newest: dict[tuple[str, Who], asyncio.Event] = {}
        self._speaking = NamedLocks()
        self._stopping = asyncio.Event()

    def release(self) -> None:
        """The hub stops: answer all that is held."""
        self._stopping.set()

    async def player(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`player/`: register. A second live registration of an id is refused."""
        who, name, now_ms = wire.who(form), wire.name(form), self._store.now_ms()
        if not self._book.has_room_for(who.hall):
            return Answer(wire.problem(409, "too many games"))
        alive = self._presence.alive(who.hall)
        try:
            await _patiently(
                START_S,
                lambda: self._book.change(
                    who.hall, lambda hall: halls.register(hall, who.player, name, now_ms, alive)
                ),
            )  # fmt: skip
        except halls.Full as full:
            return Answer(wire.problem(409, str(full)))
        self._presence.forget(who)
        return Answer(wire.registered(who.player))

    async def start(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`start/`: pair the caller, who moves first, with those who have waited longest; or say who it plays with."""
        who, count = wire.who(form), wire.number_of_players(form)
        pairing = Pairing(new_id(), self._store.now_ms(), ())
        match = new_id()
        hall = await _patiently(START_S, lambda: self._start(who, count, match, pairing))
        guest = hall.guests.get(who.player)
        if guest is None:
            return Answer(wire.problem(404, "this player is not registered"))
        if not guest.match:
            return Answer(wire.WAITING)
        made = hall.pairings[guest.match]
        with suppress(StoreUnavailable):
            await self._tables.room(guest.match, made, who.hall)  # else whoever needs the log first begins it
        return Answer(wire.started(made.players, made.place(who.player)))

    async def _start(self, who: Who, count: int, match: str, pairing: Pairing) -> Hall:
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is not None and guest.match and guest.stage is Stage.PLAYING:
            # It plays already. Pressed twice it is the same match; but where moves were made it wants another one.
            room = await self._tables.room(guest.match, hall.pairings[guest.match], who.hall)
            if room.match.plies > 1:
                await self.leave(who, guest.match, hall.pairings[guest.match])
        alive = self._presence.alive(who.hall)

        def change(hall: Hall) -> Hall:
            guest = hall.guests.get(who.player)
            if guest is None:
                return hall
            if not guest.match:
                return halls.pair(hall, who.player, count, match, pairing, alive) or hall
            if guest.stage is Stage.UNTOLD:
                return halls.at_stage(hall, who.player, guest.match, Stage.TOLD_BY_START)
            return hall

        return await self._book.change(who.hall, change)

    async def started(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`started/`: held until a match has begun, or until the caller has begun one itself."""
        who = wire.who(form)
        if (await self._book.hall(who.hall)).guests.get(who.player) is None:
            return Answer(wire.problem(404, "this player is not registered"))

        async def look() -> Answer | None:
            hall = await self._book.hall(who.hall)
            guest = hall.guests.get(who.player)
            if guest is None or guest.stage is Stage.TOLD_BY_START:
                return Answer(wire.WAITING)
            if not guest.match:
                return None
            if guest.stage is Stage.PLAYING:
                await self.leave(who, guest.match, hall.pairings[guest.match])
                return None
            changed = await self._book.change(who.hall, lambda hall: halls.told_by_started(hall, who.player))
            guest = changed.guests.get(who.player)
            if guest is None or not guest.match or guest.stage is not Stage.TOLD_BY_STARTED:
                return Answer(wire.WAITING)
            made = changed.pairings[guest.match]
            return Answer(wire.started(made.players, made.place(who.player)))

        return await self._held("started", who, gone, lambda: self._book.bell(who.hall), look, wire.WAITING)

    async def move(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`move/`: into the log, whether or not anybody else has polled yet. Answered when it is stored."""
        who, said = wire.who(form), wire.move(form)
        ref = f"{who.player} {wire.ref(form) or new_id()}"
        self._presence.begin(who)
        try:
            async with self._speaking.holding(f"{who.hall} {who.player}"):
                return await _patiently(MOVE_S, lambda: self._move(who, said, ref))
        finally:
            self._presence.end(who, broken=False)

    async def _move(self, who: Who, said: dict[str, Any], ref: str) -> Answer:
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is None or not guest.match:
            return Answer(wire.problem(409, "there is no match"))
        match, made = guest.match, hall.pairings[guest.match]
        place = made.place(who.player)
        room = await self._tables.room(match, made, who.hall)
        try:
            await self._tables.say(room, made, place, relay.move_entry(place, said), ref)
        except IllegalMove:
            await self.leave(who, match, made, place=-1)
            return Answer(wire.problem(409, "the match has become too long"))
        except Refusal as refusal:
            return Answer(wire.problem(409, str(refusal)))
        if over(room):
            # The author of the end has nothing more to be told.
            await self._free(who, match)
        return Answer(Reply(200, {"message": "ok"}))

    async def match(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`match/`: the next move, held until there is one."""
        who = wire.who(form)
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is None or not guest.match:
            return Answer(wire.NOTHING)
        match, made = guest.match, hall.pairings[guest.match]
        place = made.place(who.player)
        if guest.stage is not Stage.PLAYING:
            with suppress(StoreUnavailable):
                await self._book.change(who.hall, lambda hall: halls.at_stage(hall, who.player, match, Stage.PLAYING))
        cursor = await self._tables.cursor(match, made, place)

        async def look() -> Answer | None:
            room = await self._tables.room(match, made, who.hall)
            item = self._tables.next_for(room, made, place, self._tables.still_served(match, place, cursor))
            if item is not None:
                return Answer(item.reply, lambda: self._after(who, guest, made, item.order))
            if over(room):
                return Answer(wire.NOTHING, lambda: self._free(who, match))
            return None

        return await self._held("match", who, gone, lambda: self._tables.table(match, made).bell, look, wire.NOTHING)

    async def _after(self, who: Who, guest: Guest, made: Pairing, order: int) -> None:
        """The player has been told: go on behind it; after the last thing it is free for another match."""
        place = made.place(who.player)
        await self._tables.served(guest.match, made, place, order)
        room = await self._tables.room(guest.match, made, who.hall)
        if over(room) and self._tables.next_for(room, made, place, order) is None:
            await self._free(who, guest.match)

    # Leaving ----------------------------------------------------------------------------------------------------------

    async def leave(self, who: Who, match: str, made: Pairing, place: int | None = None) -> None:
        """The player is no longer in that match. If it goes on, it is over for the others, who are told."""
        room = await self._tables.room(match, made, who.hall)
        if not over(room):
            entry = relay.left_entry(made.place(who.player) if place is None else place)
            with suppress(Refusal):  # somebody else has ended it just now
                await self._tables.say(room, made, made.place(who.player), entry, new_id())
        if place is None:
            await self._free(who, match)

    async def _free(self, who: Who, match: str) -> None:
        now_ms = self._store.now_ms()
        await self._book.change(who.hall, lambda hall: halls.free(hall, who.player, match, now_ms))

    # Holding ----------------------------------------------------------------------------------------------------------

    async def _held(
        self, path: str, who: Who, gone: asyncio.Event, bell: Callable[[], Bell], look: Look, nothing: Reply
    ) -> Answer:
        """Look now, at every ring and twice a second, until there is an answer or it is time to say that there is none.

        A newer call of the same player on the same path takes the place of this one.
        """
        until = time.monotonic() + (HOLD_S if len(self._newest) < MAX_HELD else 0)
        replaced = asyncio.Event()
        if (older := self._newest.get((path, who))) is not None:
            older.set()
        self._newest[path, who] = replaced
        self._presence.begin(who)
        try:
            while not gone.is_set() and not replaced.is_set():
                ring = bell().next
                # While the store is away nothing new is known; it is looked for again.
                with suppress(StoreUnavailable):
                    if (answer := await look()) is not None:
                        return answer
                left_s = until - time.monotonic()
                if left_s <= 0 or self._stopping.is_set():
                    break
                await wait_for_any(min(left_s, LOOK_S), ring, gone, replaced, self._stopping)
            return Answer(nothing)
        finally:
            self._presence.end(who, broken=gone.is_set())
            if self._newest.get((path, who)) is replaced:
                del self._newest[path, who]


async def _patiently(limit_s: float, work: Callable[[], Awaitable[T]]) -> T:
    """Try `work` again while the store is away, for at most `limit_s`.

    Raises StoreUnavailable after that, or OutcomeUnknown when one of the tries may have done it.
    """
    in_doubt = False
    trying = True
    try:
        async with asyncio.timeout(limit_s):
            while True:
                try:
                    trying = True
                    return await work()
                except ParlourError as error:
                    if not isinstance(error, StoreUnavailable) and error.code != Code.BUSY:
                        raise
                    in_doubt = in_doubt or isinstance(error, OutcomeUnknown)
                trying = False
                await asyncio.sleep(RETRY_S)
    except TimeoutError:
        kind = OutcomeUnknown if in_doubt or trying else StoreUnavailable
        raise kind(f"no answer within {limit_s:.0f} s") from None
