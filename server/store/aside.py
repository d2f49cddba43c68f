"""Values in the store that cannot be what they should be: skipped, told once, and noted for the operator.

Nobody of ours writes such a value, but a store outlives releases, disks fail, and people type commands. Each harms what
it belongs to and nothing else: whoever meets one goes on without it and notes it here. It stays where it is, since a
hub of a newer release may be able to use it, until the operator takes it away (`parlour-server admin aside`). A whole
key of a wrong type is put out of the way, for nothing could be written in its place; logs alone stay even then.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import wraps
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

import msgspec
import structlog
from prometheus_client import Counter

from server.store.connection.guarded import WrongType, guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys

MAX_NOTES = 10_000
"""Notes in the store, and bad values that one hub remembers so as to tell each once."""
MAX_UNWRITTEN = 1_000
"""Notes that wait to be written; beyond it they are in the hub's own log alone."""
SHOWN_BYTES = 64 * 1024
"""So much of a bad value is kept with its note."""
MAX_REASON = 300
LAST_MS = 253_402_300_799_000
"""The end of the year 9999: what lies beyond is no time of ours."""
MAX_DIGITS = 16
"""Numbers that are longer are none that we wrote; scripts and hub agree on this."""

NOTICE = "notice"

BAD_VALUES = Counter("parlour_bad_values", "Stored values that could not be used and were set aside", ["kind"])

log = structlog.get_logger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one bad value. `member` is its place within the key, None when all of the key is bad.

    `value` is its beginning, `size` its length in bytes; `at_ms` is when a hub first met it (shared clock).
    """

    kind: str
    key: str
    member: bytes | None = None
    reason: str
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=LAST_MS)]
    value: bytes = b""
    size: int = 0

    @property
    def id(self) -> str:
        """A short name for the operator: the same for the same place."""
        return hashlib.sha256(self.key.encode() + b"\n" + (self.member or b"")).hexdigest()[:8]


class Aside:
    """Notes of one hub over one store."""

    def __init__(self, keys: Keys, reader: Any, pipe: ScriptPipe, now_ms: Callable[[], int]) -> None:
        self._keys = keys
        self._reader = reader
        self._pipe = pipe
        self._now_ms = now_ms
        self._known: dict[tuple[str, bytes | None], bytes] = {}
        self._unwritten: list[Note] = []

    def note(self, kind: str, key: str, member: bytes | None, reason: object, value: bytes = b"") -> None:
        """This value is skipped. Told once for as long as the same value is there; never waits.

        A channel is told of once whatever comes on it: there may be no end of different values.
        """
        digest = hashlib.sha256(value).digest() if value and kind != NOTICE else str(kind).encode()
        if self._known.get((key, member)) == digest:
            return
        while len(self._known) >= MAX_NOTES:
            self._known.pop(next(iter(self._known)))
        self._known[key, member] = digest
        note = Note(
            kind=kind, key=key, member=member, reason=str(reason)[:MAX_REASON], at_ms=self._now_ms(),
            value=value[:SHOWN_BYTES], size=len(value),
        )  # fmt: skip
        BAD_VALUES.labels(kind).inc()
        log.warning("a stored value cannot be used; it is set aside", kind=kind, key=key, member=member,
                    reason=note.reason, id=note.id)  # fmt: skip
        if len(self._unwritten) < MAX_UNWRITTEN:
            self._unwritten.append(note)

    async def write(self) -> None:
        """Let the operator find what was noted since the last time. Raises StoreUnavailable; tried again then."""
        if not self._unwritten:
            return
        await self.fit([self._keys.aside])
        notes = self._unwritten[:MAX_UNWRITTEN]
        await self._write(notes)
        del self._unwritten[: len(notes)]

    @guarded
    async def _write(self, notes: Iterable[Note]) -> None:
        pipe = self._reader.pipeline(transaction=False)
        if await self._reader.hlen(self._keys.aside) < MAX_NOTES:
            for note in notes:
                pipe.hset(self._keys.aside, note.id, msgspec.msgpack.encode(note))
            await pipe.execute()

    async def fit(self, keys: Iterable[str]) -> None:
        """Put those of `keys` out of the way that are of a wrong type. Raises StoreUnavailable."""
        for key in keys:
            kind = self._keys.kind(key)
            if kind is None:
                continue
            away = self._keys.out_of_the_way(secrets.token_hex(8))
            is_list = "1" if self._keys.can_be_rebuilt(key) else ""
            was = bytes(await self._pipe.run("fit", [key, away, self._keys.rebuild], [kind, is_list])).decode()
            if was:
                self.note("key", away, None, f"{key} was a {was} where a {kind} belongs")

    # For the operator -------------------------------------------------------------------------------------------------

    @guarded
    async def notes(self) -> list[Note]:
        """All notes, the oldest first; one that cannot be read itself is shown as such.

        What matches owe and nobody could do is among them (`server.store.obligations`).
        """
        await self.fit([self._keys.aside, self._keys.set_aside])
        found = await self._reader.hgetall(self._keys.aside)
        owed = await self._reader.zrange(self._keys.set_aside, 0, -1, withscores=True)
        notes = [self._read(field, data) for field, data in found.items()]
        return sorted([*notes, *(self._owed(match, at_ms) for match, at_ms in owed)], key=lambda note: note.at_ms)

    def _owed(self, match: bytes, at_ms: float) -> Note:
        return Note(
            kind="obligation", key=self._keys.set_aside, member=match, at_ms=int(min(max(at_ms, 0), LAST_MS)),
            reason="what the match owes, such as a rematch that was agreed, could not be done",
        )  # fmt: skip

    @guarded
    async def find(self, note_id: str) -> Note | None:
        """The note of that id."""
        data = await self._reader.hget(self._keys.aside, note_id)
        if data is not None:
            return self._read(note_id.encode(), data)
        return next((note for note in await self.notes() if note.id == note_id), None)

    def _read(self, field: bytes, data: bytes) -> Note:
        try:
            return msgspec.msgpack.decode(data, type=Note)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Note(kind="note", key=self._keys.aside, member=field, reason=str(error), at_ms=0, value=data)

    @guarded
    async def remove(self, note: Note) -> None:
        """Take the value away for good, and its note."""
        kind = (await self._reader.type(note.key)).decode()
        if note.member is None:
            await self._reader.delete(note.key)
        elif kind in _REMOVERS:
            await _REMOVERS[kind](self._reader, note.key, note.member)
        await self.forget(note)

    @guarded
    async def forget(self, note: Note) -> None:
        """Take the note away alone: the value is well again, or somebody else's business."""
        await self._reader.hdel(self._keys.aside, note.id if note.kind != "note" else note.member)


_REMOVERS: dict[str, Callable[[Any, str, bytes], Awaitable[Any]]] = {
    "hash": lambda client, key, member: client.hdel(key, member),
    "zset": lambda client, key, member: client.zrem(key, member),
    "set": lambda client, key, member: client.srem(key, member),
    "list": lambda client, key, member: client.lrem(key, 0, member),
    "stream": lambda client, key, member: client.xdel(key, member),
}


def text_of(data: bytes) -> str | None:
    """The text in `data`; None when it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


Method = Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]


def fitting(*places: Callable[..., str]) -> Callable[[Method[P, T]], Method[P, T]]:
    """Try a method once more after keys of a wrong type were put out of the way, here or by whoever was quicker.

    Each of `places` makes a key that the method uses out of the store's `keys` and the method's arguments.
    """

    def decorate(method: Method[P, T]) -> Method[P, T]:
        @wraps(method)
        async def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return await method(self, *args, **kwargs)
            except WrongType:
                await self.aside.fit([place(self.keys, *args, **kwargs) for place in places])
                return await method(self, *args, **kwargs)

        return call

    return decorate
