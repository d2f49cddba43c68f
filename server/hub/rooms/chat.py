"""What players say to each other and spectators among themselves: two channels for each match, neither in its log.

The store keeps the last lines of a channel and numbers them; this hub tells each number once, in order, and reads
again when one is missing. Nothing of it is ever written to a log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple, get_args
from weakref import WeakKeyDictionary, WeakSet

import msgspec

from protocol.errors import OutcomeUnknown, StoreUnavailable
from protocol.messages import Channel, Chat, Said, Say
from server.hub.concurrency.locks import NamedLocks
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.hub.viewers.viewer import Viewer
from server.match.lines import channel_of, clean_line, hears
from server.store.people import CHAT_LINES, Line
from server.store.port import ChatNotice, Store
from server.store.receipts import Receipt, Ref

CHANNELS: tuple[Channel, ...] = get_args(Channel)


class Spoken(msgspec.Struct, frozen=True, array_like=True):
    """A line as it is stored."""

    name: str
    text: str
    at_ms: int
    seat: int | None = None
    version: int = 0
    """Of the match when it was said; 0 in lines that were stored before that was known."""


class Known(NamedTuple):
    """A line as it is told, and the version of the match at which it was said."""

    said: Said
    version: int


Lines = deque[Known]
_DECODER = msgspec.msgpack.Decoder(Spoken)


class ChatBook:
    """The lines of this hub's rooms that somebody has asked for."""

    def __init__(self, store: Store, keeper: Keeper) -> None:
        self._store = store
        self._keeper = keeper
        self._lines: WeakKeyDictionary[Room, dict[Channel, Lines]] = WeakKeyDictionary()
        self._set_back: WeakSet[Room] = WeakSet()
        self._behind: WeakSet[Room] = WeakSet()
        """Rooms that lack lines which could not be read when they were said."""
        self._locks = NamedLocks()
        keeper.on_set_back.append(self._set_back.add)

    async def say(self, viewer: Viewer, room: Room, asked: Say) -> int:
        """Store a line, once for its ref, then tell it; returns the version to answer with.

        Raises Refusal `nothing_said`, or StoreUnavailable.
        """
        match, channel = room.match, channel_of(room.match, viewer.player)
        seat = next(iter(match.seats_of(viewer.player)), None)
        holder = match.seats[seat] if seat is not None else None
        name = holder.name if holder else viewer.name
        spoken = Spoken(name, clean_line(asked.text), self._store.now_ms(), seat, match.version)
        data = msgspec.msgpack.encode(spoken)
        by = Ref(viewer.player, asked.ref, match.id, Receipt(match.id, room.seen_by(viewer.player).version))
        async with self._locks.holding(match.id):
            try:
                said = await self._store.say(match.id, channel, by, data)
            except OutcomeUnknown:
                self._behind.add(room)
                raise
            if not said.before:
                await self._put_sometime(room, channel, Line(said.number, data))
        return said.version

    async def prepare(self, viewer: Viewer, room: Room) -> None:
        """Know what was said lately, so that `viewer` can be shown it. Raises StoreUnavailable."""
        async with self._locks.holding(room.match.id):
            if room not in self._lines:
                await self._load(room, but=viewer)

    def show_again(self, viewer: Viewer, match_id: str) -> None:
        """The same from memory, for one who lagged."""
        room = self._keeper.rooms.get(match_id)
        lines = self._lines.get(room) if room is not None and viewer in room else None
        if lines is None or room is None:
            return
        channel = channel_of(room.match, viewer.player)
        heard = tuple(line.said for line in lines[channel] if hears(room.match, viewer.player, channel, line.version))
        if heard:
            viewer.send(Chat(match=match_id, channel=channel, lines=heard))

    async def take(self, notice: ChatNotice) -> None:
        """A line was said at another hub."""
        room = self._keeper.rooms.get(notice.match)
        if room is not None and notice.channel in CHANNELS:
            async with self._locks.holding(notice.match):
                await self._put(room, notice.channel, Line(notice.number, notice.line))

    async def read_again(self) -> None:
        """Notices may have been missed: read and tell what this hub's rooms lack."""
        for room in list(self._lines):
            await self._read_lines(room)

    @property
    def is_set_back(self) -> bool:
        """Whether `tell_anew` has something to tell."""
        return bool(self._set_back)

    async def tell_anew(self) -> None:
        """Tell all lines of the rooms that were set back once more: who is there has forgotten them (`Q9`)."""
        for room in list(self._set_back):
            async with self._locks.holding(room.match.id):
                if room in self._lines:
                    await self._begin_anew(room, told=True)
            self._set_back.discard(room)

    def _has_lost(self, room: Room, channel: Channel, lines: Sequence[Line]) -> bool:
        """Whether the last line that is known here is no longer there, or is another one."""
        known = self._lines[room][channel]
        if not known:
            return False
        same = next((line for line in lines if line.number == known[-1].said.number), None)
        return same is None or self._known(room, channel, same) != known[-1]

    async def _begin_anew(self, room: Room, *, told: bool = False) -> None:
        """Read all lines and show them as if for the first time, after word of it unless that was `told` already."""
        fresh = {channel: await self._store.lines(room.match.id, channel) for channel in CHANNELS}
        if not told:
            room.show_anew(self._keeper.moment())
        self._lines[room] = {channel: deque(maxlen=CHAT_LINES) for channel in CHANNELS}
        for channel, lines in fresh.items():
            self._add(room, channel, lines)

    async def catch_up(self) -> None:
        """Tell what could not be told when it was said. Raises StoreUnavailable; the rest is for the next time."""
        for room in list(self._behind):
            await self._read_lines(room)
            self._behind.discard(room)

    async def _read_lines(self, room: Room) -> None:
        async with self._locks.holding(room.match.id):
            if room not in self._lines:
                await self._load(room)
                return
            for channel in CHANNELS:
                lines = await self._store.lines(room.match.id, channel)
                if self._has_lost(room, channel, lines):
                    await self._begin_anew(room)
                    return
                self._add(room, channel, lines)

    async def _put_sometime(self, room: Room, channel: Channel, line: Line) -> None:
        """A line is stored, whatever becomes of the telling: what cannot be read now is told a little later."""
        try:
            await self._put(room, channel, line)
        except StoreUnavailable:
            self._behind.add(room)

    async def _put(self, room: Room, channel: Channel, line: Line) -> None:
        """A line was said: tell it, and what is missing before it."""
        known = self._lines.get(room)
        if known is None:
            await self._load(room)
        elif line.number > _last(known[channel]) + 1:
            self._add(room, channel, await self._store.lines(room.match.id, channel))
        else:
            self._add(room, channel, [line])

    async def _load(self, room: Room, but: Viewer | None = None) -> None:
        """Read a room's lines for the first time, and tell them to all who are there but one who is shown them.

        Whoever created or joined the match was told none of them: the notice of one that was just said at another hub
        may still be on its way.
        """
        fresh = [(channel, await self._store.lines(room.match.id, channel)) for channel in CHANNELS]
        self._lines[room] = {channel: deque(maxlen=CHAT_LINES) for channel in CHANNELS}
        for channel, lines in fresh:
            self._add(room, channel, lines, but)

    def _add(self, room: Room, channel: Channel, lines: Iterable[Line], but: Viewer | None = None) -> None:
        known = self._lines[room][channel]
        for line in lines:
            if line.number > _last(known):
                spoken = self._known(room, channel, line)
                if spoken is None:
                    continue
                known.append(spoken)
                room.tell_line(*spoken, but)

    def _known(self, room: Room, channel: Channel, line: Line) -> Known | None:
        """A line; None for one that cannot be shown: it is left out, and set aside."""
        try:
            spoken = _DECODER.decode(line.data)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            self._store.note_unusable("chat line", f"{room.match.id} {channel} {line.number}", error, line.data)
            return None
        said = Said(
            match=room.match.id, channel=channel, number=line.number, name=spoken.name, text=spoken.text,
            at_ms=spoken.at_ms, seat=spoken.seat,
        )  # fmt: skip
        return Known(said, spoken.version)


def _last(lines: Lines) -> int:
    return lines[-1].said.number if lines else 0
