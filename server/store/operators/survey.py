"""What an operator asks of Redis across all matches; hubs never do, since it reads much."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from server.store.aside import text_of
from server.store.beats import HUB_LIFETIME_MS
from server.store.connection.guarded import guarded, one_error
from server.store.keys import Keys
from server.store.notices import DRAIN

AT_ONCE = 500
"""Keys that Redis looks at in one step; others are served in between."""


class RedisSurvey:
    """A part of the Redis adapter."""

    keys: Keys
    _reader: Any

    async def all_matches(self) -> AsyncIterator[str]:
        """The ids of all matches that are kept, in no order. Raises StoreUnavailable."""
        before, after = self.keys.log("\n").split("\n")
        with one_error():
            async for key in self._reader.scan_iter(match=f"{before}*{after}", count=AT_ONCE, _type="STREAM"):
                match = text_of(key)
                if match is not None and "}" not in (match_id := match.removeprefix(before).removesuffix(after)):
                    yield match_id

    @guarded
    async def all_unfinished(self) -> set[str]:
        """The matches that some player has among the unfinished ones."""
        found: set[str] = set()
        async for key in self._reader.scan_iter(match=self.keys.matches_of("*"), count=AT_ONCE, _type="SET"):
            found.update(match for member in await self._reader.smembers(key) if (match := text_of(member)))
        return found

    @guarded
    async def live_hubs(self) -> set[str]:
        """The hubs that said lately that they live."""
        seconds, _ = await self._reader.time()
        # Whoever beats takes the dead out; when all of them are, nobody does.
        lately = await self._reader.zrangebyscore(self.keys.hubs, seconds * 1000 - HUB_LIFETIME_MS, "+inf")
        return {hub for member in lately if (hub := text_of(member))}

    @guarded
    async def ask_to_drain(self, hub: str) -> bool:
        """Ask a hub to hand its players over and stop; False when nobody of that name hears it."""
        return bool(await self._reader.publish(self.keys.hub_channel(hub), DRAIN))

    @guarded
    async def announce(self, sentence: str) -> int:
        """Tell every hub a sentence for everybody; returns how many heard it."""
        return int(await self._reader.publish(self.keys.announcements, sentence))
