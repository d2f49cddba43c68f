"""Where matches are found, in Redis: the lobby, who waits, quick match's aims, a player's matches, private keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from protocol import limits
from server.store.aside import Aside, fitting
from server.store.bad_values import RedisAside
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.port import Lobby, Waiting

AIM_MS = 30_000
"""How long it is remembered to which match a quick match led: far longer than one takes, at however many hubs."""
AT_ONCE = 500
"""Questions in one round trip, so that others get their answers in between."""
MAX_WAITING = 500
"""Matches of one group that are looked through by one who wants to be paired: some may be none that can be joined."""


class RedisLists(RedisAside):
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    lifetimes: Lifetimes
    _reader: Any
    _pipe: ScriptPipe
    aside: Aside

    @fitting(lambda keys: keys.lobby, lambda keys: f"{keys.lobby}:change")
    @guarded
    async def lobby(self) -> Lobby:
        # The number first: rows that are newer than it are put once more by their notices, which does no harm.
        # No transaction: Redis refuses even one that only reads when its memory is full.
        pipe = self._reader.pipeline(transaction=False)
        pipe.get(f"{self.keys.lobby}:change")
        pipe.hgetall(self.keys.lobby)
        change, rows = await pipe.execute()
        found = {match: row for row in rows.items() if (match := self._text("lobby row", self.keys.lobby, *row))}
        number = await self._number(change, f"{self.keys.lobby}:change")
        return Lobby({match: row for match, (_, row) in found.items()}, number)

    @fitting(lambda keys, group: keys.group(group), lambda keys, group: keys.group_count(group))
    @guarded
    async def waiting(self, group: str) -> Waiting:
        key = self.keys.group(group)
        pipe = self._reader.pipeline(transaction=False)
        pipe.get(self.keys.group_count(group))
        pipe.zrange(key, 0, MAX_WAITING - 1)
        count, matches = await pipe.execute()
        arrivals = await self._number(count, self.keys.group_count(group))
        return Waiting(self._texts("waiting match", key, matches), arrivals)

    @fitting(lambda keys, player, group: keys.aim(player, group))
    @guarded
    async def aim(self, player: str, group: str) -> str:
        key = self.keys.aim(player, group)
        found = await self._reader.get(key)
        aim = self._text("aim", key, None, found)
        if found is not None and aim is None:
            # Nothing could ever take its place.
            await self._reader.delete(key)
        return aim or ""

    @fitting(lambda keys, player, group, *_: keys.aim(player, group))
    async def move_aim(self, player: str, group: str, old: str, new: str) -> bool:
        return bool(await self._pipe.run("replace", [self.keys.aim(player, group)], [old, new, AIM_MS]) == 1)

    @fitting(lambda keys, player: keys.matches_of(player))
    @guarded
    async def unfinished(self, player: str) -> list[str]:
        key = self.keys.matches_of(player)
        found = sorted(self._texts("match of a player", key, await self._pipe.ask("SMEMBERS", key)))
        forgotten = await self._forgotten(found)
        if forgotten:
            await self._reader.srem(key, *forgotten)
        return [match for match in found if match not in forgotten]

    @fitting(lambda keys, player: keys.ended_of(player))
    @guarded
    async def ended(self, player: str) -> dict[str, int]:
        key = self.keys.ended_of(player)
        found = {}
        for member, at_ms in await self._reader.zrange(key, 0, limits.OWN_ENDED - 1, desc=True, withscores=True):
            match = self._text("match of a player", key, member, member)
            if match is not None and isfinite(at_ms):
                found[match] = int(at_ms)
        return found

    @fitting(lambda keys, player, _: keys.ended_of(player))
    @guarded
    async def forget_ended(self, player: str, matches: Sequence[str]) -> None:
        await self._reader.zrem(self.keys.ended_of(player), *matches)

    async def _forgotten(self, matches: Sequence[str]) -> set[str]:
        """Those that have no log any more. Mostly none: one question tells for AT_ONCE of them."""
        missing: set[str] = set()
        for start in range(0, len(matches), AT_ONCE):
            logs = {self.keys.log(match): match for match in matches[start : start + AT_ONCE]}
            if await self._pipe.ask("EXISTS", *logs) < len(logs):
                pipe = self._reader.pipeline(transaction=False)
                for log in logs:
                    pipe.exists(log)
                answers = zip(logs.values(), await pipe.execute(), strict=True)
                missing |= {match for match, there in answers if not there}
        return missing

    @fitting(lambda keys, key: keys.by_key(key))
    @guarded
    async def match_by_key(self, key: str) -> str | None:
        place = self.keys.by_key(key)
        return self._text("private key", place, None, await self._reader.get(place))

    @fitting(lambda keys, match: keys.key_of(match))
    @guarded
    async def key_of(self, match: str) -> str | None:
        place = self.keys.key_of(match)
        return self._text("private key", place, None, await self._reader.get(place))
