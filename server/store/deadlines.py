"""What some hub has to do for a match, in Redis: deadlines in one sorted set, and which hub does what came up."""

from __future__ import annotations

from math import inf
from typing import Any

from server.store.aside import MAX_DIGITS, Aside, fitting, text_of
from server.store.bad_values import RedisAside
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes

MAX_PAGES = 50
"""Pages of deadlines in one look, if all on one page are bad."""
PUT_OFF_MS = 24 * 3600 * 1000
"""A deadline of what cannot be a match comes up once a day, until the operator takes it away."""
MAX_MS = 10.0**MAX_DIGITS


class FirstDeadline:
    """When the first of all deadlines falls due, as far as it is known without asking for it.

    Each beat tells it of those that any hub has set; what this hub sets comes in between.
    """

    def __init__(self) -> None:
        self.at_ms = inf
        self._set_since_asked_ms = inf

    def set(self, at_ms: float) -> None:
        """This hub sets a deadline."""
        self.at_ms = min(self.at_ms, at_ms)
        self._set_since_asked_ms = min(self._set_since_asked_ms, at_ms)

    def asked(self) -> None:
        """A beat goes out: its answer counts what was set before."""
        self._set_since_asked_ms = inf

    def told(self, at_ms: float) -> None:
        """Its answer has come."""
        self.at_ms = min(at_ms, self._set_since_asked_ms)


class RedisDeadlines(RedisAside):
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    lifetimes: Lifetimes
    _reader: Any
    _pipe: ScriptPipe
    _first_deadline: FirstDeadline
    aside: Aside

    @property
    def first_deadline_ms(self) -> float:
        return self._first_deadline.at_ms

    @fitting(lambda keys, *_: keys.deadlines)
    @guarded
    async def due(self, now_ms: int, limit: int) -> list[str]:
        for _ in range(MAX_PAGES):
            found = await self._pipe.ask("ZRANGEBYSCORE", self.keys.deadlines, "-inf", now_ms, "LIMIT", 0, limit)
            matches = self._texts("deadline", self.keys.deadlines, found)
            bad = [member for member in found if text_of(member) is None]
            if bad:
                # They would stand before all others for ever.
                await self._reader.zadd(self.keys.deadlines, dict.fromkeys(bad, now_ms + PUT_OFF_MS), xx=True)
            if matches or not bad:
                break
        return matches

    @fitting(lambda keys, *_: keys.deadlines)
    @guarded
    async def put_deadline_off(self, match: str, now_ms: int, until_ms: int) -> None:
        due_ms = await self._reader.zscore(self.keys.deadlines, match)
        if due_ms is not None and due_ms <= now_ms:
            await self._reader.zadd(self.keys.deadlines, {match: until_ms}, xx=True)

    @fitting(lambda keys, _: keys.deadlines)
    @guarded
    async def deadline(self, match: str) -> int | None:
        due_ms = await self._reader.zscore(self.keys.deadlines, match)
        return None if due_ms is None or abs(due_ms) >= MAX_MS else int(due_ms)

    @fitting(lambda keys, *_: keys.deadlines)
    async def set_deadline(self, match: str, version: int, deadline_ms: int | None) -> None:
        words: list[str | bytes | int] = [version, match, "" if deadline_ms is None else deadline_ms]
        if deadline_ms is not None:
            self._first_deadline.set(deadline_ms)
        await self._pipe.run("deadline", [self.keys.log(match), self.keys.deadlines], words)

    @fitting(lambda keys, match, *_: keys.claim(match))
    async def claim(self, match: str, version: int, lease_ms: int) -> bool:
        return bool(await self._pipe.run("claim", [self.keys.claim(match)], [self.hub, version, lease_ms]))
