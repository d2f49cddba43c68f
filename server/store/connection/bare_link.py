"""A connection for scripts or for notices: made by the client library, written and read here.

The library connects, encrypts, logs in and selects the database. From then on its streams are left alone: a task and
two futures for each answer are most of what a stored move costs otherwise. What is used of the library beyond its
documented interface is used here and in `links`, and `test_bare_link.py` holds it to that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self, cast

import hiredis
import structlog
from redis.exceptions import InvalidResponse, RedisError

from protocol.errors import StoreSilent, StoreUnavailable
from server.store.connection.guarded import unavailable

log = structlog.get_logger(__name__)

OnAnswer = Callable[[Any], None]
OnEnd = Callable[["BareLink", StoreUnavailable], None]
OnPush = Callable[[list[Any]], None]

_NOT_YET = object()
"""What the parser says when there is no whole answer."""


class BareLink(asyncio.Protocol):
    """One connection until its end, for whatever reason; then it goes back to the pool.

    `on_answer` is called with each answer of Redis, errors included, in their order; `on_end` once. `on_push` is called
    with what Redis says unasked, such as a message of a channel, in the same order.
    """

    def __init__(
        self, pool: Any, connection: Any, on_answer: OnAnswer, on_end: OnEnd, on_push: OnPush | None = None
    ) -> None:
        self._pool = pool
        self._connection = connection
        self._transport = cast("asyncio.Transport", connection._writer.transport)
        self._parser = hiredis.Reader(
            protocolError=InvalidResponse, replyError=connection._parser.parse_error, notEnoughData=_NOT_YET
        )
        self._on_answer = on_answer
        self._on_end = on_end
        self._on_push = on_push
        self.ended = False

    @classmethod
    async def borrow(cls, pool: Any, on_answer: OnAnswer, on_end: OnEnd, on_push: OnPush | None = None) -> Self:
        """A connection of `pool` that stands. Raises what the client library raises."""
        connection = await pool.get_connection()
        link = cls(pool, connection, on_answer, on_end, on_push)
        link._transport.set_protocol(link)
        early = bytes(connection._reader._buffer)
        if early:
            # Redis may say something unasked; or there is no sense in what it says.
            link.data_received(early)
        return link

    @property
    def stands(self) -> bool:
        """Whether something can be written to it."""
        return not self.ended and not self._transport.is_closing()

    def write(self, data: bytes) -> None:
        """Send; what goes wrong ends the link."""
        try:
            self._transport.write(data)
        except (OSError, RuntimeError) as error:
            self.end(unavailable(error))

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed(data)
            while not self.ended and (answer := self._parser.gets()) is not _NOT_YET:
                if not isinstance(answer, hiredis.PushNotification):
                    self._on_answer(answer)
                elif self._on_push is not None:
                    self._on_push(answer)
        except RedisError as error:
            self.end(unavailable(error))
        except Exception as error:
            # Whose answer is whose is not known any more: nobody must wait for ever, or get another one's.
            log.exception("an answer of Redis could not be dealt with")
            self.end(unavailable(error))

    def connection_lost(self, exc: Exception | None) -> None:
        self.end(StoreSilent("the connection to Redis has ended") if exc is None else unavailable(exc))

    def end(self, error: StoreUnavailable) -> None:
        """Cut it: answers that nobody reads any more must not be taken for those of the next calls."""
        if self.ended:
            return
        self.ended = True
        self._transport.abort()
        self._on_end(self, error)

    async def give_back(self) -> None:
        """Let the pool have its connection again, which is to be made anew."""
        self.ended = True
        try:
            await self._connection.disconnect(nowait=True)
        finally:
            await self._pool.release(self._connection)
