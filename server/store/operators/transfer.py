"""What a backup takes of Redis beside the matches' logs, and how it is put back: values as they are, with what is left
of their lifetimes.

Lists of matches (lobby, who waits, deadlines, a player's own, the outbox) are not taken: the logs tell them. Neither is
what lives by hubs being there: their beats, names that are held, who is connected.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from server.store.aside import Aside, text_of
from server.store.connection.guarded import WrongType, guarded, one_error
from server.store.keys import Keys

AT_ONCE = 500
"""Keys that Redis looks at in one step; others are served in between."""
PASSING = ("hubs", "beat", "outages", "epoch", "report", "name", "bearer", "draining", "trial")
"""Families of keys that hubs leave where nobody has played yet."""


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """One key: `name` behind the prefix and its colon, its type, and what it holds in order.

    That is the value of a string, the fields of a hash and their values in turn, the members of a list, and of a stream
    the id, field and value of each entry. `lives_ms` is what is left of its lifetime, None without one.
    """

    name: str
    type: str
    parts: list[bytes]
    lives_ms: int | None = None


class RedisTransfer:
    """A part of the Redis adapter, for the operator alone. All methods raise StoreUnavailable."""

    keys: Keys
    aside: Aside
    _reader: Any

    async def all_values(self) -> AsyncIterator[Value]:
        """What belongs to people and, beside its log and its private key, to each match. Reads much."""
        with one_error():
            async for key in self._reader.scan_iter(match=f"{self.keys.prefix}:*", count=AT_ONCE):
                name = text_of(key.removeprefix(f"{self.keys.prefix}:".encode()))
                if name is None or not _is_kept(name):
                    continue
                try:
                    value = await self._value(name)
                except WrongType as error:
                    self.aside.note("key", text_of(key) or "", None, error)
                    continue
                if value is not None:
                    yield value

    @guarded
    async def _value(self, name: str) -> Value | None:
        key = f"{self.keys.prefix}:{name}"
        kind = self.keys.kind(key) or ""
        match kind:
            case "string":
                found = await self._reader.get(key)
                parts = [] if found is None else [found]
            case "hash":
                parts = [part for pair in (await self._reader.hgetall(key)).items() for part in pair]
            case "list":
                parts = await self._reader.lrange(key, 0, -1)
            case _:
                entries = await self._reader.xrange(key)
                parts = [part for entry, fields in entries for pair in fields.items() for part in (entry, *pair)]
        if not parts:
            return None  # it was forgotten meanwhile
        return Value(name=name, type=kind, parts=[bytes(part) for part in parts], lives_ms=await self._left_ms(key))

    @guarded
    async def put_value(self, value: Value) -> None:
        """Put it where nothing is."""
        key, parts = f"{self.keys.prefix}:{value.name}", value.parts
        pipe = self._reader.pipeline(transaction=False)
        match value.type:
            case "string":
                pipe.set(key, parts[0])
            case "hash":
                pipe.hset(key, items=parts)
            case "list":
                pipe.rpush(key, *parts)
            case _:
                for entry, field, content in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
                    pipe.xadd(key, {field: content}, id=entry)
        if value.lives_ms is not None:
            pipe.pexpire(key, value.lives_ms)
        await pipe.execute()

    @guarded
    async def lives_ms(self, match: str) -> int | None:
        """What is left of the lifetime of a match; None when it has none."""
        return await self._left_ms(self.keys.log(match))

    @guarded
    async def lives(self, match: str) -> bool:
        """Whether a match is there."""
        return bool(await self._reader.exists(self.keys.log(match)))

    async def _left_ms(self, key: str) -> int | None:
        left = int(await self._reader.pttl(key))
        return None if left < 0 else max(left, 1)

    @guarded
    async def let_live(self, match: str, key: str | None, lives_ms: int) -> None:
        """Let a match, with this private key if it has one, live for so long from now on."""
        names = [self.keys.log(match)]
        if key is not None:
            names += [self.keys.key_of(match), self.keys.by_key(key)]
        pipe = self._reader.pipeline(transaction=False)
        for name in names:
            pipe.pexpire(name, lives_ms)
        await pipe.execute()

    @guarded
    async def last_beat_ms(self) -> int | None:
        """When any hub last said that it lives (shared clock); None where none ever did."""
        found = await self._reader.get(self.keys.beat)
        return int(found) if found is not None and found.isdigit() else None

    # Whether the place is free ----------------------------------------------------------------------------------------

    @guarded
    async def first_used(self) -> str | None:
        """A key that is more than what hubs leave where nobody has played yet; None when there is none."""
        async for key in self._reader.scan_iter(match=f"{self.keys.prefix}:*", count=AT_ONCE):
            name = key.decode(errors="replace")
            if name.removeprefix(f"{self.keys.prefix}:").partition(":")[0] not in PASSING:
                return str(name)
        return None

    @guarded
    async def begin_import(self) -> None:
        """From now on no hub starts on this store, until `end_import`."""
        await self._reader.set(self.keys.importing, "1")

    @guarded
    async def end_import(self, last_beat_ms: int | None) -> None:
        """All is there. Nobody could be served since `last_beat_ms`, and nobody is charged for it (`D5`)."""
        if last_beat_ms is not None:
            await self._reader.set(self.keys.beat, last_beat_ms)
        await self._reader.delete(self.keys.importing)


def _is_kept(name: str) -> bool:
    family, _, rest = name.partition(":")
    if family == "match":
        what = rest.rpartition("}")[2]
        return what.startswith((":chat:", ":receipts:"))
    own = family == "player" and name.endswith(":receipts")
    return own or family in ("token", "once", "document") or name == "outages"
