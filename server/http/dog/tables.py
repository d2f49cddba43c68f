"""Matches of the relay game as the gateway uses them: entries in, the next one for a player out.

A move is shown to nobody before it is in the log, since what is served is read from the room, which grows by what is
stored alone. A player's cursor (the order number served last) is kept in the store after each answer: a hub that comes
after this one may serve a move twice, which clients ignore, but leaves none out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from protocol.codec import MSGPACK
from protocol.errors import Code, Refusal, StoreUnavailable
from protocol.messages import Message
from server.games import relay
from server.http.dog import aliases, wire
from server.http.dog.book import Bell
from server.http.dog.halls import Pairing, Stage
from server.http.dog.record import Entry, Record
from server.hub.presence.identity import new_id
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.hub.viewers.viewer import Viewer, form_for
from server.match.commands import Relay
from server.match.events import AnyEvent, Created, MovePlayed, SeatTaken
from server.match.state import Status
from server.store.port import Store

SEAT_NAME = 60


class Item(NamedTuple):
    """What a player is told next, the order number that it is told with, and what it knows of the match after it."""

    reply: wire.Reply
    order: int
    leaves_at: Stage = Stage.DONE


class Watcher(Viewer):
    """Holds both seats of a match at this hub, so that its room stays and everything new rings."""

    def __init__(self, player: str, ring: Callable[[], None]) -> None:
        self.player = self.name = player
        self.form = form_for(MSGPACK)
        self._ring = ring

    def send(self, message: Message) -> None:
        self._ring()

    def send_shared(self, frame: bytes, source: str) -> None:
        self._ring()


class Table:
    """One match at this hub."""

    def __init__(self, pairing: Pairing) -> None:
        self.pairing = pairing
        self.bell = Bell()
        self.watcher = Watcher(pairing.table, self.bell.ring)
        self.cursors: dict[int, int] = {}
        self.stored: dict[int, bytes] = {}
        self.passed: dict[int, int] = {}
        """For each place the order number up to which there is nothing for it: its own entries are read once."""
        self.unsaved: set[int] = set()
        """Places whose cursor the store could not be told."""
        self.sent_ms: dict[int, int] = {}
        self.fetched_ms: dict[tuple[int, int], int] = {}
        """When each move came, and when each player fetched it, as far as this hub has seen it."""


class Tables:
    """All matches of the gateway at this hub."""

    def __init__(self, keeper: Keeper, tracker: PresenceTracker, store: Store) -> None:
        self._keeper = keeper
        self._tracker = tracker
        self._store = store
        self._tables: dict[str, Table] = {}
        self._interrupted: set[str] = set()
        keeper.on_set_back.append(self._set_back)

    @property
    def matches(self) -> list[str]:
        """The matches that this hub serves."""
        return list(self._tables)

    async def record(self, match: str) -> Record:
        """All that was said in a match, whole. Raises Refusal `unknown_match` when it is none, or StoreUnavailable."""
        room = await self._keeper.room(match)
        if room.match.game.name != relay.NAME:
            raise Refusal(Code.UNKNOWN_MATCH)
        table = self._tables.get(match)
        players = [name for name, _ in relay.read(room.match.moves[0])[2]]
        entries = []
        for order, entry in enumerate(room.match.moves[1:], 1):
            _, place, *rest = relay.read(entry)
            fetched = {
                players[reader]: at_ms
                for (reader, known), at_ms in (table.fetched_ms if table else {}).items()
                if known == order
            }
            sent_ms = table.sent_ms.get(order) if table else None
            entries.append(Entry(order, place, rest[0] if rest else None, sent_ms, fetched))
        return Record(match, str(room.match.options.get("title", "")), players, entries)

    def table(self, match: str, pairing: Pairing) -> Table:
        """The table of that match."""
        return self._tables.setdefault(match, Table(pairing))

    async def room(self, match: str, pairing: Pairing, hall: str) -> Room:
        """The room, with a log that has begun, however little came of earlier tries. Raises StoreUnavailable."""
        table = self.table(match, pairing)
        try:
            room = await self._keeper.room(match)
        except Refusal as refusal:
            if refusal.code != Code.UNKNOWN_MATCH:
                raise
            await self._keeper.open(match, _opening(pairing, hall))
            room = await self._keeper.room(match)
        if table.watcher not in room:
            self._tracker.enter(table.watcher, room)
        return room

    async def ended(self, matches: Iterable[str]) -> set[str]:
        """Those of the matches that are over. Raises StoreUnavailable."""
        ended = set()
        for match in matches:
            with suppress(Refusal):  # its log has not begun
                if over(await self._keeper.room(match)):
                    ended.add(match)
        return ended

    async def say(self, room: Room, pairing: Pairing, place: int, entry: str, ref: str) -> None:
        """Store one entry, once for its ref. Raises Refusal, StoreUnavailable or `busy`."""
        await self._keeper.commit(room, Relay(relay.seat_of(place), entry), pairing.table, ref)
        self.table(room.match.id, pairing).sent_ms.setdefault(len(room.match.moves) - 1, self._store.now_ms())

    def _set_back(self, room: Room) -> None:
        """The store has lost some of what was served (`Q9`), and no program can unlearn it: the match must end."""
        if (table := self._tables.get(room.match.id)) is not None:
            for served in (table.cursors, table.passed):
                served.update((place, min(order, len(room.match.moves) - 1)) for place, order in served.items())
            table.stored.clear()
            self._interrupted.add(room.match.id)

    async def interrupt(self) -> None:
        """End the matches that were set back: to everybody they were interrupted. Raises StoreUnavailable."""
        for match in list(self._interrupted):
            table = self._tables.get(match)
            if table is not None:
                room = await self._keeper.room(match)
                with suppress(Refusal):  # it is over
                    await self.say(room, table.pairing, 0, relay.left_entry(-1), new_id())
            self._interrupted.discard(match)

    def close(self, match: str) -> None:
        """This hub has no more to do with the match."""
        table, room = self._tables.pop(match, None), self._keeper.rooms.get(match)
        if table is not None:
            table.bell.ring()
            if room is not None and table.watcher in room:
                self._tracker.leave(table.watcher, room)

    # What a player is told next ---------------------------------------------------------------------------------------

    async def cursor(self, match: str, pairing: Pairing, place: int) -> int:
        """The order number that the player was served last, by whichever hub; by this one if the store is away."""
        table = self.table(match, pairing)
        with suppress(StoreUnavailable):
            stored = await self._store.document(_cursor(match, place))
            table.stored[place] = stored
            table.cursors[place] = max(table.cursors.get(place, 0), int(stored or b"0"))
        return table.cursors.get(place, 0)

    def still_served(self, match: str, place: int, cursor: int) -> int:
        """A cursor that was asked for a while ago: the store may have lost what was served since (`Q9`)."""
        table = self._tables.get(match)
        return cursor if table is None else min(cursor, table.cursors.get(place, cursor))

    async def served(self, match: str, pairing: Pairing, place: int, order: int) -> None:
        """The player has it."""
        table = self.table(match, pairing)
        table.fetched_ms.setdefault((place, order), self._store.now_ms())
        table.cursors[place] = max(order, table.cursors.get(place, 0))
        table.unsaved.add(place)
        with suppress(StoreUnavailable):  # `write_down` tries again
            await self._save(match, table, place)

    async def write_down(self) -> None:
        """Keep the cursors that could not be kept when they were served. Raises StoreUnavailable."""
        for match, table in list(self._tables.items()):
            for place in list(table.unsaved):
                await self._save(match, table, place)

    async def _save(self, match: str, table: Table, place: int) -> None:
        old, new = table.stored.get(place, b""), b"%d" % table.cursors[place]
        if await self._store.replace_document(_cursor(match, place), old, new):
            table.stored[place] = new
        table.unsaved.discard(place)

    def next_for(self, room: Room, pairing: Pairing, place: int, cursor: int) -> Item | None:
        """The first entry above the cursor that is not the player's own."""
        moves, passed = room.match.moves, self.table(room.match.id, pairing).passed
        for order in range(max(cursor, passed.get(place, 0)) + 1, len(moves)):
            kind, author, *rest = relay.read(moves[order])
            if author == place:
                passed[place] = order
                continue
            if kind == "left":
                return Item(wire.interrupted(), order)
            return self._item(pairing, place, author, rest[0], order)
        return None

    def all_moves(self, room: Room, pairing: Pairing, place: int) -> list[dict[str, Any]]:
        """Every move so far, own ones as well, as the player is told of it."""
        ids, logged = aliases.seen(pairing.players, place), aliases.logged(pairing.players)
        told = []
        for order, entry in enumerate(room.match.moves[1:], 1):
            _, author, said = relay.read(entry)
            told.append({**aliases.said_again(said, logged, ids), "player": ids[author], "order": order})
        return told

    def last_word(self, room: Room, pairing: Pairing, place: int) -> Item:
        """What a player who asks for moves of a match that is over is told after all else: the end, again."""
        order = len(room.match.moves) - 1
        kind, author, *rest = relay.read(room.match.moves[order])
        status = rest[0].get("match_status") if kind == "move" else wire.INTERRUPTED
        if author == place and status != wire.INTERRUPTED:
            return Item(wire.NOTHING, order, _knows(status))
        if kind == "left":
            return Item(wire.interrupted(), order)
        return self._item(pairing, place, author, rest[0], order)

    def _item(self, pairing: Pairing, place: int, author: int, said: dict[str, Any], order: int) -> Item:
        status = said.get("match_status")
        if status == wire.INTERRUPTED:
            return Item(wire.interrupted(), order)
        ids = aliases.seen(pairing.players, place)
        heard = aliases.said_again(said, aliases.logged(pairing.players), ids)
        return Item(wire.told(heard, ids[author], order), order, _knows(status))


def author_knows(status: str) -> Stage:
    """What the author of a last move with that status knows: the library goes on after its own `interrupted`."""
    return Stage.OUSTED if status == wire.INTERRUPTED else _knows(status)


def _knows(status: Any) -> Stage:
    """What a player's library knows once it has said, or heard, a last move with that status."""
    return Stage.DONE if status == relay.FINISHED else Stage.LINGERING


def over(room: Room) -> bool:
    """Whether no more can be said."""
    return room.match.status is Status.ENDED


async def wait_for_any(timeout_s: float, *events: asyncio.Event) -> None:
    """Until one of the events is set, or the time is over."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


def _opening(pairing: Pairing, hall: str) -> list[AnyEvent]:
    at_ms, table = pairing.created_ms, pairing.table
    (first, _), *others = pairing.players
    names = ", ".join(name for name, _ in others)[:SEAT_NAME]
    seats = relay.seats_entry(hall, list(pairing.players))
    return [
        Created(at_ms=at_ms, player=table, game=relay.NAME, options={"title": pairing.title}, name=first),
        SeatTaken(at_ms=at_ms, player=table, seat=1, name=names),
        MovePlayed(at_ms=at_ms, player=table, seat=0, move=seats),
    ]


def _cursor(match: str, place: int) -> str:
    return f"dog:cursor:{match}:{place}"
