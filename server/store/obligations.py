"""What one log obliges us to do elsewhere: an outbox of matches, written in the same step as the event that obliges.

An append touches the keys of one match. What it brings about in another place (today: the match that was agreed as a
rematch) is owed from then on. Any hub may carry it out, more than once and at the same time as others; what is owed is
read from the log, so an entry is no more than the match's id and since when.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import isfinite
from typing import Any, NamedTuple

from server.store.aside import fitting
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys

MAX_ASIDE = 1_000
"""So many obligations that could not be met are kept for the operator, the newest ones."""


class Obligation(NamedTuple):
    """A match that owes something, since when or not to be tried before (shared clock, ms)."""

    match: str
    since_ms: int


class ObligationStore(ABC):
    """The port. All methods raise StoreUnavailable when the backing does not answer in time or refuses to write."""

    first_owed_ms: float
    """Since when the first of all matches owes something (shared clock), by the last beat; infinite when none does."""

    @abstractmethod
    async def owed(self, until_ms: int, limit: int) -> list[Obligation]:
        """At most `limit` obligations from `until_ms` or before, the oldest first."""

    @abstractmethod
    async def owes(self, match: str) -> bool:
        """Whether the match owes anything."""

    @abstractmethod
    async def met(self, obligation: Obligation) -> None:
        """It was carried out, and is owed no longer; unless the match has come to owe something since."""

    @abstractmethod
    async def put_off(self, obligation: Obligation, until_ms: int) -> None:
        """It is not to be tried again before `until_ms`; nothing happens if it has changed meanwhile."""

    @abstractmethod
    async def set_aside(self, obligation: Obligation, now_ms: int) -> None:
        """It cannot be met: nobody tries any more. It is kept for the operator."""


class RedisObligations(ObligationStore):
    """The part of the Redis adapter."""

    keys: Keys
    _reader: Any
    _pipe: ScriptPipe

    @fitting(lambda keys, *_: keys.outbox)
    @guarded
    async def owed(self, until_ms: int, limit: int) -> list[Obligation]:
        found = await self._pipe.ask(
            "ZRANGEBYSCORE", self.keys.outbox, "-inf", until_ms, "WITHSCORES", "LIMIT", 0, limit
        )
        endless = {match: 0 for match, since_ms in found if not isfinite(since_ms)}
        if endless:
            # A time that we did not write.
            await self._reader.zadd(self.keys.outbox, endless, xx=True)
        since = {match: 0 if match in endless else int(since_ms) for match, since_ms in found}
        return [Obligation(match.decode(errors="surrogateescape"), since_ms) for match, since_ms in since.items()]

    @fitting(lambda keys, _: keys.outbox)
    @guarded
    async def owes(self, match: str) -> bool:
        return await self._reader.zscore(self.keys.outbox, match) is not None

    async def met(self, obligation: Obligation) -> None:
        await self._settle(obligation, "")

    async def put_off(self, obligation: Obligation, until_ms: int) -> None:
        await self._settle(obligation, until_ms)

    async def set_aside(self, obligation: Obligation, now_ms: int) -> None:
        await self._settle(obligation, "", aside_ms=now_ms)

    @fitting(lambda keys, *_, **__: keys.outbox, lambda keys, *_, **__: keys.set_aside)
    async def _settle(self, obligation: Obligation, until_ms: int | str, aside_ms: int | str = "") -> None:
        keys = [self.keys.outbox, self.keys.set_aside]
        match = obligation.match.encode(errors="surrogateescape")
        words: list[str | bytes | int] = [match, obligation.since_ms, until_ms, aside_ms, MAX_ASIDE]
        await self._pipe.run("settle", keys, words)
