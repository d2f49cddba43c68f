"""What the store keeps about people rather than matches: who is here, live names, and what was said."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from server.store.guarded import guarded
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.pipe import ScriptPipe

CHAT_LINES = 50
"""Lines of each channel of a match that are kept, for those who come back."""
AT_ONCE = 500
"""Names renewed in one round trip."""


class Line(NamedTuple):
    """A line that was said: its number in its channel, from 1, and what the hub stored."""

    number: int
    data: bytes


class PeopleStore(ABC):
    """The port. All methods raise StoreUnavailable when the backing does not answer in time or refuses to write."""

    @abstractmethod
    async def report(self, data: bytes, lifetime_ms: int) -> None:
        """Leave word of this hub for the others; it is forgotten after its lifetime."""

    @abstractmethod
    async def reports(self, hubs: Collection[str]) -> list[bytes]:
        """The last word of each of these hubs that has left one."""

    @abstractmethod
    async def claim_name(self, name: str, player: str, lease_ms: int) -> str:
        """Hold a name for so long, unless another player does; returns who holds it now."""

    @abstractmethod
    async def name_holder(self, name: str) -> str | None:
        """The player who holds a name."""

    @abstractmethod
    async def renew_names(self, holders: Mapping[str, str], lease_ms: int) -> None:
        """Go on holding names, each for its player."""

    @abstractmethod
    async def release_name(self, name: str, player: str, held_ms: int) -> None:
        """This hub needs a name for so long only (0: no longer), if it is this player's; another hub may."""

    @abstractmethod
    async def say(self, match: str, channel: str, by: str, data: bytes) -> int:
        """Add a line to a channel of a match and tell the hubs that follow it; returns its number.

        `by` names the line: said again while it is kept, it counts once.
        """

    @abstractmethod
    async def lines(self, match: str, channel: str) -> list[Line]:
        """The last lines of a channel, in order."""


class RedisPeople(PeopleStore):
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    lifetimes: Lifetimes
    _reader: Any
    _pipe: ScriptPipe

    @guarded
    async def report(self, data: bytes, lifetime_ms: int) -> None:
        await self._reader.set(self.keys.report(self.hub), data, px=lifetime_ms)

    @guarded
    async def reports(self, hubs: Collection[str]) -> list[bytes]:
        if not hubs:
            return []
        pipe = self._reader.pipeline(transaction=False)
        for hub in hubs:
            pipe.get(self.keys.report(hub))
        return [bytes(found) for found in await pipe.execute() if found is not None]

    async def claim_name(self, name: str, player: str, lease_ms: int) -> str:
        holder = await self._pipe.run("claim_name", [self.keys.name(name)], [player, lease_ms, self.hub])
        return bytes(holder).decode()

    @guarded
    async def name_holder(self, name: str) -> str | None:
        found = await self._reader.hget(self.keys.name(name), "player")
        return None if found is None else bytes(found).decode()

    @guarded
    async def renew_names(self, holders: Mapping[str, str], lease_ms: int) -> None:
        pairs = list(holders.items())
        for start in range(0, len(pairs), AT_ONCE):
            pipe = self._reader.pipeline(transaction=False)
            for name, player in pairs[start : start + AT_ONCE]:
                pipe.hset(self.keys.name(name), mapping={"player": player, f"hub {self.hub}": 1})
                pipe.pexpire(self.keys.name(name), lease_ms)
            await pipe.execute()

    async def release_name(self, name: str, player: str, held_ms: int) -> None:
        await self._pipe.run("release_name", [self.keys.name(name)], [player, held_ms, self.hub])

    async def say(self, match: str, channel: str, by: str, data: bytes) -> int:
        keys = [self.keys.chat(match, channel), self.keys.hubs_of(match)]
        words: list[str | bytes | int] = [
            self.hub,
            self.keys.hub_channel(""),
            self.lifetimes.ms("chat"),
            CHAT_LINES,
            match,
            channel,
            by,
            data,
        ]
        return int(await self._pipe.run("say", keys, words))

    @guarded
    async def lines(self, match: str, channel: str) -> list[Line]:
        found = await self._reader.xrange(self.keys.chat(match, channel))
        return [Line(int(entry.partition(b"-")[0]), bytes(fields[b"line"])) for entry, fields in found]
