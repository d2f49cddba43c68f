"""Who is connected to which match, by hub, in Redis: a hash for each match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.store.aside import MAX_DIGITS, Aside, fitting, text_of
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.notices import presence_notice

AT_ONCE = 500
"""Questions in one round trip, so that others get their answers in between."""


class RedisPresence:
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    lifetimes: Lifetimes
    _reader: Any
    _pipe: ScriptPipe
    aside: Aside

    @fitting(lambda keys, match, _: keys.here(match), lambda keys, match, _: keys.hubs_of(match))
    async def announce_presence(self, match: str, counts: dict[str, int]) -> dict[str, dict[str, int]]:
        keys = [self.keys.here(match), self.keys.hubs_of(match)]
        words: list[str | bytes | int] = [
            self.hub, self.lifetimes.ms("match"), self.keys.hub_channel(""), presence_notice(match),
        ]  # fmt: skip
        for what, count in counts.items():
            words += [what, count]
        return self._by_hub(match, _fields(await self._pipe.run("presence", keys, words)))

    @fitting(lambda keys, match: keys.here(match))
    async def presence(self, match: str) -> dict[str, dict[str, int]]:
        return self._by_hub(match, _fields(await self._pipe.ask("HGETALL", self.keys.here(match))))

    async def presences(self, matches: Sequence[str]) -> list[dict[str, dict[str, int]]]:
        found = await self._all_fields([self.keys.here(match) for match in matches])
        # What is no table of connections is asked for alone, which puts it out of the way.
        return [
            await self.presence(match) if fields is None else self._by_hub(match, fields)
            for match, fields in zip(matches, found, strict=True)
        ]

    @guarded
    async def _all_fields(self, keys: Sequence[str]) -> list[dict[Any, Any] | None]:
        """Each hash; None for what is none."""
        found: list[dict[Any, Any] | None] = []
        for start in range(0, len(keys), AT_ONCE):
            pipe = self._reader.pipeline(transaction=False)
            for key in keys[start : start + AT_ONCE]:
                pipe.hgetall(key)
            answers = await pipe.execute(raise_on_error=False)
            found += [answer if isinstance(answer, dict) else None for answer in answers]
        return found

    def _by_hub(self, match: str, fields: dict[Any, Any]) -> dict[str, dict[str, int]]:
        counts: dict[str, dict[str, int]] = {}
        for field, count in fields.items():
            hub, _, what = (text_of(bytes(field)) or "").partition("|")
            if hub and what and bytes(count).isdigit() and len(count) < MAX_DIGITS:
                counts.setdefault(hub, {})[what] = int(count)
            else:
                self.aside.note("presence", self.keys.here(match), bytes(field), "not a number of connections", count)
        return counts


def _fields(answer: Any) -> dict[Any, Any]:
    """A hash as Redis tells it: a map, or field and value in turn."""
    return answer if isinstance(answer, dict) else dict(zip(answer[::2], answer[1::2], strict=True))
