"""The store in Redis 7 or later (or Valkey): every match a stream, every append one script.

Writes go through one dedicated connection (`pipe.ScriptPipe`), reads through a small pool, notices come on a third.
The client library's own retries are off: it would send a script again whose answer was lost. Socket timeouts are
short, so that a silent Redis is noticed while a player still waits.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from server.store.aside import Aside, fitting
from server.store.beats import RedisBeats
from server.store.challenges import RedisChallenges
from server.store.connection.address import DEFAULT_PREFIX, StoreAddress, read_address
from server.store.connection.guarded import guarded
from server.store.connection.links import FairPool
from server.store.connection.pipe import ANSWER_TIMEOUT_S, ScriptPipe
from server.store.deadlines import RedisDeadlines
from server.store.form import RedisForm
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.lists import RedisLists
from server.store.logs import RedisLogs
from server.store.notices import Listener
from server.store.obligations import RedisObligations
from server.store.operators.durability import judge, slow_flushes
from server.store.operators.examine import RedisExamination
from server.store.operators.rights import RedisRights
from server.store.operators.survey import RedisSurvey
from server.store.operators.transfer import RedisTransfer
from server.store.people import RedisPeople
from server.store.port import AtOnce, Durability, Flush, Notice, Store
from server.store.presence import RedisPresence
from server.store.receipts import RedisReceipts

CONNECT_TIMEOUT_S = 2.0
READ_CONNECTIONS = 8


def connect(
    address: StoreAddress | str, connections: int, *, answer_timeout_s: float | None = ANSWER_TIMEOUT_S
) -> Redis:
    """A client for an address, without retries of its own and with short timeouts."""
    address = read_address(address) if isinstance(address, str) else address
    pool = FairPool.from_url(
        address.url,
        **address.options,
        max_connections=connections,
        socket_timeout=answer_timeout_s,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
        decode_responses=False,
    )
    return Redis(connection_pool=cast("ConnectionPool", pool))


class RedisStore(
    RedisLogs, RedisPresence, RedisLists, RedisDeadlines, RedisBeats, RedisPeople, RedisObligations, RedisReceipts,
    RedisChallenges, RedisSurvey, RedisRights, RedisTransfer, RedisForm, RedisExamination, Store,
):  # fmt: skip
    """One hub's way to Redis. `hub` is this hub's id, unique among those that share the store."""

    def __init__(
        self,
        address: StoreAddress | str,
        hub: str,
        *,
        prefix: str = DEFAULT_PREFIX,
        lifetimes: Lifetimes | None = None,
    ) -> None:
        self.address = read_address(address) if isinstance(address, str) else address
        self.hub = hub
        self.lifetimes = lifetimes or Lifetimes()
        self.keys = Keys(prefix, self.address.database)
        # Any: the library's annotations mix its synchronous and asynchronous, decoded and raw answers.
        self._reader: Any = connect(self.address, READ_CONNECTIONS)
        self._writer = connect(self.address, 1, answer_timeout_s=None)
        self._pipe = ScriptPipe(self._writer, first=self._epoch)
        self._subscriber = connect(self.address, 2)
        self._start_clock()
        self.aside = Aside(self.keys, self._reader, self._pipe, self.now_ms)

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

    def notices(self, at_once: AtOnce = lambda _: False) -> AsyncIterator[Notice]:
        return Listener(self._subscriber, self.keys, self.hub, self.aside, at_once).notices()

    @guarded
    async def durability(self) -> Durability:
        return await judge(self._reader)

    @guarded
    async def slow_flushes(self) -> Flush | None:
        return await slow_flushes(self._reader)

    @property
    def scripts_waiting(self) -> int:
        """How many scripts wait for the store, or for its answer."""
        return self._pipe.waiting

    async def close(self) -> None:
        await self._pipe.close()
        for client in (self._reader, self._writer, self._subscriber):
            await client.aclose(close_connection_pool=True)
