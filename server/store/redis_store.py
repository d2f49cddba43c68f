"""The store in Redis 7 or later (or Valkey): every match a stream, every append one script.

Writes go through one dedicated connection (`pipe.ScriptPipe`), reads through a small pool, notices come on a third.
The client library's own retries are off: it would send a script again whose answer was lost. Socket timeouts are
short, so that a silent Redis is noticed while a player still waits.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

import msgspec
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError

from protocol.errors import Code, UnreadableMatch
from server.store.aside import MAX_DIGITS, Aside, fitting, text_of
from server.store.bad_values import RedisAside
from server.store.beats import RedisBeats
from server.store.durability import judge
from server.store.guarded import WrongType, guarded, unavailable
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.links import FairPool
from server.store.notices import Listener, events_notice, presence_notice
from server.store.obligations import RedisObligations
from server.store.people import Guest, RedisPeople
from server.store.pipe import ANSWER_TIMEOUT_S, ScriptPipe
from server.store.port import Append, Appended, Durability, Lobby, Notice, Store, Waiting
from server.store.receipts import KEPT, Receipt, RedisReceipts
from server.store.survey import RedisSurvey

AIM_MS = 30_000
"""How long it is remembered to which match a quick match led: far longer than one takes, at however many hubs."""

OUTCOMES = {1: Appended.STORED, 0: Appended.CONFLICT, -1: Appended.CONFLICT, -2: Appended.RELOADED}
"""What the script `append` says."""

CONNECT_TIMEOUT_S = 2.0
READ_CONNECTIONS = 8
PAGE = 1_000
"""Entries of a log in one read."""
AT_ONCE = 500
"""Questions in one round trip, so that others get their answers in between."""
MAX_WAITING = 500
"""Matches of one group that are looked through by one who wants to be paired: some may be none that can be joined."""
MAX_PAGES = 50
"""Pages of deadlines in one look, if all on one page are bad."""
PUT_OFF_MS = 24 * 3600 * 1000
"""A deadline of what cannot be a match comes up once a day, until the operator takes it away."""
MAX_MS = 10.0**MAX_DIGITS
MAX_EVENTS = 200_000
"""Events of one match; a log that is longer is not one that we wrote."""


def connect(url: str, connections: int, *, answer_timeout_s: float | None = ANSWER_TIMEOUT_S) -> Redis:
    """A client for `url` (redis://, rediss:// or unix://) without retries of its own and with short timeouts."""
    pool = FairPool.from_url(
        url,
        max_connections=connections,
        socket_timeout=answer_timeout_s,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
        decode_responses=False,
    )
    return Redis(connection_pool=cast("ConnectionPool", pool))


class RedisStore(RedisAside, RedisBeats, RedisPeople, RedisObligations, RedisReceipts, RedisSurvey, Store):
    """One hub's way to Redis. `hub` is this hub's id, unique among those that share the store."""

    def __init__(self, url: str, hub: str, *, prefix: str = "parlour", lifetimes: Lifetimes | None = None) -> None:
        self.hub = hub
        self.lifetimes = lifetimes or Lifetimes()
        self.keys = Keys(prefix)
        # Any: the library's annotations mix its synchronous and asynchronous, decoded and raw answers.
        self._reader: Any = connect(url, READ_CONNECTIONS)
        self._writer = connect(url, 1, answer_timeout_s=None)
        self._pipe = ScriptPipe(self._writer, first=self._epoch)
        self._subscriber = connect(url, 2)
        self._start_clock()
        self.aside = Aside(self.keys, self._reader, self._pipe, self.now_ms)

    # Matches ----------------------------------------------------------------------------------------------------------

    async def append(self, append: Append) -> Appended | Receipt:
        keys, words = self._append_words(append)
        try:
            stored = await self._pipe.run("append", keys, words)
        except WrongType:
            # The script looks at all types before it writes anything.
            if not await self.aside.fit(self._touched(append, keys)):
                raise
            stored = await self._pipe.run("append", keys, words)
        return Receipt.read(stored) if isinstance(stored, bytes) else OUTCOMES[stored]

    def _touched(self, append: Append, keys: list[str]) -> list[str]:
        return [*keys, f"{self.keys.lobby}:change", self.keys.group_count(append.index.group)]

    def _append_words(self, append: Append) -> tuple[list[str], list[str | bytes | int]]:
        names, index = self.keys, append.index
        condition = "" if append.unless_newer is None else str(append.unless_newer)
        aim = "" if append.aim is None else append.match
        keys = [
            names.log(append.match), names.hubs_of(append.match), names.group_count(index.group),
            names.aim(*(append.aim or ("", ""))), names.epoch,
        ]  # fmt: skip
        words: list[str | bytes | int] = [
            append.base, self.lifetimes.ms("finished" if append.over else "match"), self.hub, names.hub_channel(""),
            events_notice(append.match, append.base, append.events), condition, aim, append.epoch,
            len(append.events), *append.events,
        ]  # fmt: skip

        def operation(key: str, *parts: str | bytes | int) -> None:
            keys.append(key)
            words.extend((len(parts), *parts))

        if index.lobby is not None:
            operation(names.lobby, "LOBBY", append.match, index.lobby)
        if index.waiting is True:
            operation(names.group(index.group), "ENLIST", append.match)
        elif index.waiting is False:
            operation(names.group(index.group), "ZREM", append.match)
        if index.deadline_ms:
            operation(names.deadlines, "ZADD", index.deadline_ms, append.match)
        elif index.deadline_ms == 0:
            operation(names.deadlines, "ZREM", append.match)
        if index.owed_ms is not None:
            operation(names.outbox, "ZADD", index.owed_ms, append.match)
        for player in index.unfinished:
            operation(names.matches_of(player), "SADD", append.match)
        for player in index.finished:
            operation(names.matches_of(player), "SREM", append.match)
        for ref in append.refs:
            receipt = ref.receipt.text() if ref.receipt is not None else ""
            operation(names.receipts(ref.player, ref.match), "REF", ref.ref, receipt, KEPT, self.lifetimes.ms("ref"))
        if append.hosted:
            operation(names.here(append.match), "HOST")
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
        pipe = self._reader.pipeline(transaction=False)
        pipe.sadd(self.keys.hubs_of(match), self.hub)
        pipe.pexpire(self.keys.hubs_of(match), self.lifetimes.ms("match"))
        await pipe.execute()
        return await self.read(match, after)

    @guarded
    async def unheard(self, matches: Sequence[str]) -> list[str]:
        missing = []
        for start in range(0, len(matches), AT_ONCE):
            some = matches[start : start + AT_ONCE]
            pipe = self._reader.pipeline(transaction=False)
            for match in some:
                pipe.sismember(self.keys.hubs_of(match), self.hub)
            follows = await pipe.execute(raise_on_error=False)
            missing += [match for match, known in zip(some, follows, strict=True) if known != 1]
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
    @guarded
    async def unfollow(self, match: str) -> None:
        await self._reader.srem(self.keys.hubs_of(match), self.hub)

    @fitting(lambda keys, match, _: keys.here(match), lambda keys, match, _: keys.hubs_of(match))
    async def announce_presence(self, match: str, counts: dict[str, int]) -> dict[str, dict[str, int]]:
        keys = [self.keys.here(match), self.keys.hubs_of(match)]
        words: list[str | bytes | int] = [
            self.hub, self.lifetimes.ms("match"), self.keys.hub_channel(""), presence_notice(match),
        ]  # fmt: skip
        for what, count in counts.items():
            words += [what, count]
        answer = await self._pipe.run("presence", keys, words)
        pairs = answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
        return self._by_hub(match, dict(pairs))

    @fitting(lambda keys, match: keys.here(match))
    @guarded
    async def presence(self, match: str) -> dict[str, dict[str, int]]:
        return self._by_hub(match, await self._reader.hgetall(self.keys.here(match)))

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

    # Finding matches --------------------------------------------------------------------------------------------------

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

    @fitting(lambda keys, *_: keys.deadlines)
    @guarded
    async def due(self, now_ms: int, limit: int) -> list[str]:
        for _ in range(MAX_PAGES):
            found = await self._reader.zrangebyscore(self.keys.deadlines, "-inf", now_ms, start=0, num=limit)
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
        await self._pipe.run("deadline", [self.keys.log(match), self.keys.deadlines], words)

    @fitting(lambda keys, player: keys.matches_of(player))
    @guarded
    async def unfinished(self, player: str) -> list[str]:
        key = self.keys.matches_of(player)
        found = sorted(self._texts("match of a player", key, await self._reader.smembers(key)))
        forgotten = await self._forgotten(found)
        if forgotten:
            await self._reader.srem(key, *forgotten)
        return [match for match in found if match not in forgotten]

    async def _forgotten(self, matches: Sequence[str]) -> set[str]:
        """Those that have no log any more. Mostly none: one question tells for AT_ONCE of them."""
        missing: set[str] = set()
        for start in range(0, len(matches), AT_ONCE):
            logs = {self.keys.log(match): match for match in matches[start : start + AT_ONCE]}
            if await self._reader.exists(*logs) < len(logs):
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

    # Guests -----------------------------------------------------------------------------------------------------------

    @fitting(lambda keys, token_hash: keys.guest(token_hash))
    @guarded
    async def guest(self, token_hash: str) -> Guest | None:
        # Who is known stays known to a Redis that refuses to write (`J7`): then the lifetime starts anew another time.
        pipe = self._reader.pipeline(transaction=False)
        pipe.get(self.keys.guest(token_hash))
        pipe.pexpire(self.keys.guest(token_hash), self.lifetimes.ms("guest"))
        found, _ = await pipe.execute(raise_on_error=False)
        if isinstance(found, Exception):
            raise found
        try:
            return None if found is None else msgspec.msgpack.decode(found, type=Guest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.aside.note("guest", self.keys.guest(token_hash), None, error, found)
            return None

    # Documents --------------------------------------------------------------------------------------------------------

    @fitting(lambda keys, name: keys.document(name))
    @guarded
    async def document(self, name: str) -> bytes:
        return bytes(await self._reader.get(self.keys.document(name)) or b"")

    @fitting(lambda keys, name, *_: keys.document(name))
    async def replace_document(self, name: str, old: bytes, new: bytes) -> bool:
        answer = await self._pipe.run("replace", [self.keys.document(name)], [old, new, self.lifetimes.ms("document")])
        return bool(answer == 1)

    # The hub itself ---------------------------------------------------------------------------------------------------

    def notices(self) -> AsyncIterator[Notice]:
        return Listener(self._subscriber, self.keys, self.hub, self.aside).notices()

    @guarded
    async def durability(self) -> Durability:
        return await judge(self._reader)

    async def close(self) -> None:
        await self._pipe.close()
        for client in (self._reader, self._writer, self._subscriber):
            await client.aclose(close_connection_pool=True)
