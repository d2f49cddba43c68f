"""The matches' logs in Redis: each a stream, every append one script that changes the lists, too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from redis.exceptions import ResponseError

from protocol import limits
from protocol.errors import Code, StoreUnavailable, UnreadableMatch
from server.store.aside import Aside, fitting
from server.store.connection.guarded import WrongType, guarded, unavailable
from server.store.connection.pipe import ScriptPipe
from server.store.deadlines import FirstDeadline
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.notices import events_notice
from server.store.port import UNCHANGED, Append, Appended
from server.store.receipts import KEPT, Receipt

OUTCOMES = {
    1: Appended.STORED, 0: Appended.CONFLICT, -1: Appended.CONFLICT, -2: Appended.RELOADED, -3: Appended.TOO_MANY,
}  # fmt: skip
"""What the script `append` says."""
PAGE = 1_000
"""Entries of a log in one read."""
AT_ONCE = 500
"""Questions in one round trip, so that others get their answers in between."""
MAX_EVENTS = 200_000
"""Events of one match; a log that is longer is not one that we wrote."""


def _outcome(said: bytes | int) -> Appended | Receipt:
    return Receipt.read(said) if isinstance(said, bytes) else OUTCOMES[said]


class RedisLogs:
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    lifetimes: Lifetimes
    _reader: Any
    _pipe: ScriptPipe
    _first_deadline: FirstDeadline
    aside: Aside

    async def append(self, append: Append) -> Appended | Receipt:
        keys, words = self._append_words(append)
        try:
            stored = await self._pipe.run("append", keys, words)
        except WrongType:
            # The script looks at all types before it writes; what is wrong, another hub may just have set right.
            await self.aside.fit(self._touched(append, keys))
            stored = await self._pipe.run("append", keys, words)
        return _outcome(stored)

    def append_then(self, append: Append, done: Callable[[Appended | Receipt | StoreUnavailable], None]) -> None:
        def answered(said: Any) -> None:
            if isinstance(said, int):
                done(OUTCOMES[said])
            elif isinstance(said, WrongType):
                done(Appended.CONFLICT)  # what that takes is done by `append`
            else:
                done(said if isinstance(said, StoreUnavailable) else Receipt.read(said))

        self._pipe.call("append", *self._append_words(append), answered)

    def _touched(self, append: Append, keys: list[str]) -> list[str]:
        return [*keys, f"{self.keys.lobby}:change", self.keys.group_count(append.index.group)]

    def _append_words(self, append: Append) -> tuple[list[str], list[str | bytes | int]]:
        names, index = self.keys, append.index
        log, condition, aim = names.log(append.match), "", ""
        count_key = aim_key = log
        if append.unless_newer is not None:
            condition, count_key = str(append.unless_newer), names.group_count(index.group)
        if append.aim is not None:
            aim, aim_key = append.match, names.aim(*append.aim)
        keys = [log, names.hubs_of(append.match), count_key, aim_key, names.epoch]
        words: list[str | bytes | int] = [
            append.base, self.lifetimes.ms("finished" if append.over else "match"), self.hub, names.hub_channel(""),
            events_notice(append.match, append.base, append.events), condition, aim, append.epoch,
            len(append.events), *append.events,
        ]  # fmt: skip

        if index is UNCHANGED and not append.refs and append.hosted is None and append.key is None:
            return keys, words  # of most moves

        def operation(key: str, *parts: str | bytes | int) -> None:
            keys.append(key)
            words.extend((len(parts), *parts))

        if index.lobby is not None:
            operation(names.lobby, "LOBBY", append.match, index.lobby, names.lobby_changes)
        if index.waiting is True:
            operation(names.group(index.group), "ENLIST", append.match)
        elif index.waiting is False:
            operation(names.group(index.group), "ZREM", append.match)
        if index.deadline_ms:
            self._first_deadline.set(index.deadline_ms)
            operation(names.deadlines, "ZADD", index.deadline_ms, append.match)
        elif index.deadline_ms == 0:
            operation(names.deadlines, "ZREM", append.match)
        if index.owed_ms is not None:
            operation(names.outbox, "ZADD", index.owed_ms, append.match)
        for player in index.unfinished:
            if append.most_unfinished is None:
                operation(names.matches_of(player), "SADD", append.match)
            else:
                operation(names.matches_of(player), "ADDED", append.match, append.most_unfinished)
        for player in index.finished:
            operation(names.matches_of(player), "SREM", append.match)
            if index.ended_ms is not None:
                kept, lifetime = limits.OWN_ENDED, self.lifetimes.ms("finished")
                operation(names.ended_of(player), "END", index.ended_ms, append.match, kept, lifetime)
        for ref in append.refs:
            receipt = ref.receipt.text() if ref.receipt is not None else ""
            operation(names.receipts(ref.player, ref.match), "REF", ref.ref, receipt, KEPT, self.lifetimes.ms("ref"))
        if append.hosted is not None:
            operation(names.here(append.match), "HOST", append.hosted)
        if append.key is not None:
            operation(names.by_key(append.key), "SET", append.match, "PX", self.lifetimes.ms("match"))
            operation(names.key_of(append.match), "SET", append.key, "PX", self.lifetimes.ms("match"))
        return keys, words

    @guarded
    async def read(self, match: str, after: int = 0) -> list[bytes]:
        events: list[bytes] = []
        while len(events) < MAX_EVENTS:
            start = f"{after + len(events) + 1}-0"
            try:
                page = await self._reader.xrange(self.keys.log(match), min=start, count=PAGE)
            except ResponseError as error:
                if isinstance(unavailable(error), WrongType):
                    raise UnreadableMatch(Code.DAMAGED, str(error)) from error
                raise
            first = after + len(events) + 1
            for version, (entry, fields) in enumerate(page, start=first):
                if entry != b"%d-0" % version or b"e" not in fields:
                    raise UnreadableMatch(Code.DAMAGED, f"entry {entry!r} is not version {version}")
                events.append(fields[b"e"])
            if len(page) < PAGE:
                break
        return events

    @fitting(lambda keys, match, *_, **__: keys.hubs_of(match))
    @guarded
    async def follow(self, match: str, after: int = 0) -> list[bytes]:
        key = self.keys.hubs_of(match)
        asked = self._pipe.ask("SADD", key, self.hub), self._pipe.ask("PEXPIRE", key, self.lifetimes.ms("match"))
        await asyncio.gather(*asked)
        return await self.read(match, after)

    async def unheard(self, matches: Sequence[str]) -> list[str]:
        missing = []
        for start in range(0, len(matches), AT_ONCE):
            some = matches[start : start + AT_ONCE]
            places = await self._pipe.run("unheard", [self.keys.hubs_of(match) for match in some], [self.hub])
            missing += [some[place - 1] for place in places]
        return missing

    @guarded
    async def keep(self, match: str, key: str | None) -> None:
        names = self.keys
        pipe = self._reader.pipeline(transaction=False)
        for name in (names.log(match), names.hubs_of(match), names.here(match), names.key_of(match)):
            pipe.pexpire(name, self.lifetimes.ms("match"))
        if key is not None:
            pipe.pexpire(names.by_key(key), self.lifetimes.ms("match"))
        await pipe.execute()

    @fitting(lambda keys, match: keys.hubs_of(match))
    async def unfollow(self, match: str) -> None:
        await self._pipe.ask("SREM", self.keys.hubs_of(match), self.hub)
