"""What each of the five paths does. Raises nothing that a client could see: `routes.py` has an answer for the rest."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from protocol.errors import IllegalMove, Refusal, StoreUnavailable
from server.games import relay
from server.http.dog import aliases, halls, wire
from server.http.dog.book import HallBook
from server.http.dog.halls import Guest, Hall, Pairing, Stage
from server.http.dog.holding import HOLD_S, Answer, Holds, patiently
from server.http.dog.presence import Presence
from server.http.dog.tables import Item, Tables, author_knows, over
from server.http.dog.wire import Reply, Who
from server.hub.concurrency.locks import NamedLocks
from server.hub.presence.identity import new_id
from server.store.port import Store

MOVE_S = 25.0
"""How long a move is tried to be stored while the store is away; a game's window stands still meanwhile."""
START_S = 4.0
SETTLE_MS = 5_000
"""Between an answer and what a program does: calls that were under way then say nothing of what it knows now."""


class Gateway:
    """The five paths, over the same keeper and log as everything else."""

    def __init__(
        self, store: Store, book: HallBook, tables: Tables, presence: Presence, *, hold_s: float = HOLD_S
    ) -> None:
        self._store = store
        self._book = book
        self._tables = tables
        self._presence = presence
        self._holds = Holds(presence, hold_s)
        self._speaking = NamedLocks()

    def release(self) -> None:
        """The hub stops: answer all that is held."""
        self._holds.release()

    async def player(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`player/`: register. A second live registration of an id is refused."""
        who, name, now_ms = wire.who(form), wire.name(form), self._store.now_ms()
        if not self._book.has_room_for(who.hall):
            return Answer(wire.problem(409, "too many games"))
        alive, ref = self._presence.alive(who.hall), wire.ref(form) or ""
        try:
            await patiently(
                START_S,
                lambda: self._book.change(
                    who.hall, lambda hall: halls.register(hall, who.player, name, now_ms, alive, ref, wire.title(form))
                ),
            )  # fmt: skip
        except halls.Full as full:
            return Answer(wire.problem(409, str(full)))
        self._presence.forget(who)
        return Answer(wire.registered(who.player))

    async def start(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`start/`: pair the caller, who moves first, with those who have waited longest; or say who it plays with."""
        who, count = wire.who(form), wire.number_of_players(form)
        pairing = Pairing(new_id(), self._store.now_ms(), (), wire.title(form))
        match = new_id()
        hall = await patiently(START_S, lambda: self._start(who, count, match, pairing))
        guest = hall.guests.get(who.player)
        if guest is None:
            return Answer(wire.problem(404, "this player is not registered"))
        if not guest.match:
            return Answer(wire.WAITING)
        made = hall.pairings[guest.match]
        with suppress(StoreUnavailable):
            await self._tables.room(guest.match, made, who.hall)  # else whoever needs the log first begins it
        return Answer(_started(made, who))

    async def _start(self, who: Who, count: int, match: str, pairing: Pairing) -> Hall:
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is not None and guest.match and guest.stage is Stage.PLAYING:
            # It plays already. Pressed twice it is the same match; but where moves were made it wants another one.
            room = await self._tables.room(guest.match, hall.pairings[guest.match], who.hall)
            if room.match.plies > 1:
                await self.leave(who, guest.match, hall.pairings[guest.match], Stage.OUSTED)
        ended = await self._tables.ended(hall.pairings)
        alive, now_ms = self._presence.alive(who.hall), self._store.now_ms()

        def change(hall: Hall) -> Hall:
            guest = hall.guests.get(who.player)
            if guest is None:
                return hall
            if not guest.match:
                return halls.pair(hall, who.player, count, match, pairing, alive) or halls.recall(hall, ended, now_ms)
            if guest.stage is Stage.UNTOLD:
                return halls.at_stage(hall, who.player, guest.match, Stage.TOLD_BY_START, now_ms)
            return hall

        return await self._book.change(who.hall, change)

    async def started(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`started/`: held until a match has begun, or until the caller has begun one itself."""
        who, began_ms = wire.who(form), self._store.now_ms()
        if (await self._book.hall(who.hall)).guests.get(who.player) is None:
            return Answer(wire.problem(404, "this player is not registered"))

        async def look() -> Answer | None:
            hall = await self._book.hall(who.hall)
            guest = hall.guests.get(who.player)
            if guest is None:
                return Answer(wire.WAITING)
            if guest.stage is Stage.ASKING:
                return None
            if guest.stage is Stage.TOLD_BY_START and began_ms - guest.since_ms < SETTLE_MS:
                return Answer(wire.WAITING)
            if guest.stage is Stage.PLAYING:
                await self.leave(who, guest.match, hall.pairings[guest.match], Stage.ASKING)
                return None
            stage = Stage.TOLD_BY_STARTED if guest.match else Stage.ASKING
            now_ms = self._store.now_ms()
            changed = await self._book.change(
                who.hall, lambda now: halls.at_stage(now, who.player, guest.match, stage, now_ms)
                if now.guests.get(who.player) == guest else now
            )  # fmt: skip
            guest_now = changed.guests.get(who.player)
            if guest_now is not None and guest_now.match and guest_now.stage is Stage.TOLD_BY_STARTED:
                return Answer(_started(changed.pairings[guest_now.match], who))
            return None

        return await self._holds.held("started", who, gone, lambda: self._book.bell(who.hall), look, wire.WAITING)

    async def move(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`move/`: into the log, whether or not anybody else has polled yet. Answered when it is stored."""
        who, said = wire.who(form), wire.move(form)
        ref = f"{who.player} {wire.ref(form) or new_id()}"
        self._presence.begin(who)
        try:
            async with self._speaking.holding(f"{who.hall} {who.player}"):
                return await patiently(MOVE_S, lambda: self._move(who, said, ref))
        finally:
            self._presence.end(who, broken=False)

    async def _move(self, who: Who, said: dict[str, Any], ref: str) -> Answer:
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is None or not guest.match or guest.stage is Stage.UNTOLD:
            # A program that has not heard of its match means another one, which is over.
            return Answer(wire.problem(409, "there is no match"))
        match, made = guest.match, hall.pairings[guest.match]
        place = made.place(who.player)
        room = await self._tables.room(match, made, who.hall)
        written = aliases.said_again(said, aliases.seen(made.players, place), aliases.logged(made.players))
        try:
            await self._tables.say(room, made, place, relay.move_entry(place, written), ref)
        except IllegalMove:
            await self.leave(who, match, made, place=-1)
            return Answer(wire.problem(409, "the match has become too long"))
        except Refusal as refusal:
            return Answer(wire.problem(409, str(refusal)))
        if over(room):
            await self._free(who, match, author_knows(said["match_status"]))
        return Answer(Reply(200, {"message": "ok"}))

    async def match(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`match/`: the next move, held until there is one. Who plays no match is told that it is over."""
        who = wire.who(form)
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is None:
            return Answer(wire.interrupted())
        if not guest.match or guest.stage is Stage.UNTOLD:
            return await self._without_a_match(who, guest, gone)
        match, made = guest.match, hall.pairings[guest.match]
        place = made.place(who.player)
        if guest.stage is not Stage.PLAYING:
            now_ms = self._store.now_ms()
            with suppress(StoreUnavailable):
                await self._book.change(
                    who.hall, lambda hall: halls.at_stage(hall, who.player, match, Stage.PLAYING, now_ms)
                )  # fmt: skip
        cursor = await self._tables.cursor(match, made, place)
        began_over = over(await self._tables.room(match, made, who.hall))

        async def look() -> Answer | None:
            now = (await self._book.hall(who.hall)).guests.get(who.player)
            if now is None or now.match != match:
                # It has left meanwhile, or said that it is over; what is told now could fall into its next match.
                return Answer(wire.NOTHING)
            room = await self._tables.room(match, made, who.hall)
            item = self._tables.next_for(room, made, place, self._tables.still_served(match, place, cursor))
            if item is None and over(room):
                if not began_over:
                    # It ends the match itself just now; what it has to be told of that its next call is told.
                    return Answer(wire.NOTHING)
                item = self._tables.last_word(room, made, place)
            if item is None:
                return None
            return Answer(item.reply, lambda: self._after(who, match, made, item))

        return await self._holds.held(
            "match", who, gone, lambda: self._tables.table(match, made).bell, look, wire.NOTHING
        )

    async def again(self, form: dict[str, str], gone: asyncio.Event) -> Answer:
        """`again/`, which the library does not know: a program that crashed is told its match from the start."""
        who = wire.who(form)
        hall = await self._book.hall(who.hall)
        guest = hall.guests.get(who.player)
        if guest is None or not guest.match:
            return Answer(wire.WAITING)
        match, made = guest.match, hall.pairings[guest.match]
        place, room = made.place(who.player), await self._tables.room(match, made, who.hall)
        if over(room):
            return Answer(wire.WAITING)
        now_ms, moves = self._store.now_ms(), self._tables.all_moves(room, made, place)
        await self._book.change(
            who.hall, lambda hall: halls.at_stage(hall, who.player, match, Stage.PLAYING, now_ms)
        )  # fmt: skip
        answer = _started(made, who)
        told = Reply(answer.status, {**answer.body, "moves": moves})
        return Answer(told, lambda: self._tables.served(match, made, place, len(moves)))

    async def _without_a_match(self, who: Who, guest: Guest, gone: asyncio.Event) -> Answer:
        """`match/` of a player who is in none, or has not heard of its new one: its program still plays the last."""

        async def told() -> None:
            now_ms = self._store.now_ms()
            await self._book.change(
                who.hall,
                lambda hall: hall if _plays(hall, who) else halls.at_stage(hall, who.player, "", Stage.DONE, now_ms),
            )

        async def look() -> Answer | None:
            now = (await self._book.hall(who.hall)).guests.get(who.player)
            if now is not None and now.stage is Stage.LINGERING:
                return None
            if now is None or now.stage in (Stage.UNTOLD, Stage.OUSTED):
                return Answer(wire.interrupted(), told)
            return Answer(wire.NOTHING)

        if guest.stage is Stage.LINGERING:
            return await self._holds.held("match", who, gone, lambda: self._book.bell(who.hall), look, wire.NOTHING)
        if guest.stage is Stage.DONE and self._store.now_ms() - guest.since_ms < SETTLE_MS:
            # On its way when its program said that the match is over.
            return Answer(wire.NOTHING)
        return Answer(wire.interrupted(), told)

    async def _after(self, who: Who, match: str, made: Pairing, item: Item) -> None:
        """The player has been told: go on behind it; after the last thing it is free for another match."""
        place = made.place(who.player)
        await self._tables.served(match, made, place, item.order)
        room = await self._tables.room(match, made, who.hall)
        if over(room) and self._tables.next_for(room, made, place, item.order) is None:
            await self._free(who, match, item.leaves_at)

    # Leaving ----------------------------------------------------------------------------------------------------------

    async def leave(
        self, who: Who, match: str, made: Pairing, stage: Stage | None = None, place: int | None = None
    ) -> None:
        """The player is no longer in that match; if it goes on, it is over for the others, who are told.

        `stage` is what the player knows of it; None: it is told like the others. `place` is -1 when nobody has left.
        """
        room = await self._tables.room(match, made, who.hall)
        if not over(room):
            entry = relay.left_entry(made.place(who.player) if place is None else place)
            with suppress(Refusal):  # somebody else has ended it just now
                await self._tables.say(room, made, made.place(who.player), entry, new_id())
        if stage is not None:
            await self._free(who, match, stage)

    async def _free(self, who: Who, match: str, stage: Stage) -> None:
        now_ms = self._store.now_ms()
        await self._book.change(who.hall, lambda hall: halls.free(hall, who.player, match, stage, now_ms))


def _plays(hall: Hall, who: Who) -> bool:
    guest = hall.guests.get(who.player)
    return guest is not None and guest.match != "" and guest.stage is not Stage.UNTOLD


def _started(made: Pairing, who: Who) -> Reply:
    place = made.place(who.player)
    return wire.started(made.players, aliases.seen(made.players, place), place)
