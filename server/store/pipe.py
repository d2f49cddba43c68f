"""One connection for all scripts: whatever is waiting when the connection is free goes out as one pipeline.

A lone call goes straight through; under load the calls of one event-loop tick share one round trip and one flush to
disk. Nothing is sent twice, and nobody is left waiting: however the connection ends, a call whose answer had come has
it, one that was not sent was not done (StoreSilent), and of the others it is not known (OutcomeUnknown).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, ResponseError

from protocol.errors import OutcomeUnknown, StoreBusy, StoreSilent, StoreUnavailable
from server.store.guarded import one_error, unavailable
from server.store.scripts import script

MAX_WAITING = 20_000
"""Calls that wait for the connection. At 30,000 a second a queue this long is half a second old: refuse the rest."""

ANSWER_TIMEOUT_S = 2.0
"""How long Redis may take to answer a batch; a player is still waiting for the move to be confirmed."""

Words = Sequence[str | bytes | int]

log = structlog.get_logger(__name__)


class _Call:
    __slots__ = ("answer", "keys", "name", "sent", "words")

    def __init__(self, name: str, keys: Sequence[str], words: Words, answer: asyncio.Future[Any]) -> None:
        self.name = name
        self.keys = keys
        self.words = words
        self.answer = answer
        self.sent = False
        """Whether Redis may have it, with no answer to say what came of it."""

    def settle(self, answer: Any) -> None:
        """Redis has answered."""
        self.sent = False
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: StoreUnavailable) -> None:
        """There is no answer, or it is a refusal. Does nothing for a call that is settled."""
        if not self.answer.done():
            self.answer.set_exception(OutcomeUnknown(error.reason) if self.sent else error)


class ScriptPipe:
    """Runs scripts by name over one dedicated connection of `client` (whose retries must be off).

    Redis forgets its scripts when it stops. `first` names one, its keys and words, that goes out before any other when
    Redis turns out not to know a script: nothing is done with data that was just loaded before that one has looked.
    """

    def __init__(self, client: Redis, first: Callable[[], tuple[str, Sequence[str], Words]] | None = None) -> None:
        self._first = first
        self._pool: Any = client.connection_pool
        self._waiting: list[_Call] = []
        self._sender: asyncio.Task[None] | None = None
        self._digests: dict[str, str] = {}
        self._closed = False

    def run(self, name: str, keys: Sequence[str], words: Words) -> asyncio.Future[Any]:
        """The script's answer, once it has one. Raises StoreBusy at once when too much is waiting.

        The future raises StoreUnavailable when nothing was done (Redis refused, or was not reached), and OutcomeUnknown
        when the script was sent and its answer does not come.
        """
        if self._closed:
            raise StoreUnavailable("closed")
        if len(self._waiting) >= MAX_WAITING:
            raise StoreBusy("too many scripts are waiting")
        loop = asyncio.get_running_loop()
        call = _Call(name, keys, words, loop.create_future())
        self._waiting.append(call)
        if self._sender is None or self._sender.done():
            self._sender = loop.create_task(self._send_all())
        return call.answer

    async def close(self) -> None:
        """Let what waits go out, then refuse everything."""
        self._closed = True
        if self._sender is not None:
            await self._sender

    async def _send_all(self) -> None:
        batch: list[_Call] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._send_batch(batch)
        except BaseException:
            # A fault of ours, or the end of the process: whatever it is, nobody must wait for ever.
            self._fail((*batch, *self._waiting), StoreSilent("the sender has ended"))
            self._waiting = []
            raise

    async def _send_batch(self, batch: list[_Call]) -> None:
        try:
            # One deadline for the batch: the client library's own would be set and cleared for each answer.
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                with one_error():
                    await self._send(batch)
        except StoreUnavailable as error:
            self._fail(batch, error)
        except TimeoutError as error:
            # What came meanwhile has waited as well, and was not sent: players are to be told soon (`J5`).
            waiting, self._waiting = self._waiting, []
            self._fail((*batch, *waiting), unavailable(error))
        except Exception as error:
            log.exception("a batch of scripts failed")
            self._fail(batch, unavailable(error))

    def _fail(self, calls: Iterable[_Call], error: StoreUnavailable) -> None:
        for call in calls:
            call.fail(error)

    async def _send(self, batch: list[_Call]) -> None:
        connection = await self._pool.get_connection()
        try:
            unknown = await self._exchange(connection, batch)
            if unknown:
                unknown = [*self._opening(), *unknown]
                for name in sorted({call.name for call in unknown}):
                    await connection.send_command("SCRIPT", "LOAD", script(name))
                    self._digests[name] = bytes(await connection.read_response()).decode()
                self._fail(await self._exchange(connection, unknown), StoreUnavailable("Redis keeps no scripts"))
        except BaseException:
            # Answers that nobody reads any more must not be taken for those of the next calls.
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)

    def _opening(self) -> list[_Call]:
        """The call that goes before all others, whose answer nobody awaits."""
        if self._first is None:
            return []
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(asyncio.Future.exception)
        return [_Call(*self._first(), answer)]

    async def _exchange(self, connection: Any, calls: list[_Call]) -> list[_Call]:
        """Send calls and settle each as its answer comes; returns those whose script Redis does not know."""
        packed = connection.pack_commands(
            [
                ("EVALSHA", self._digest(call.name), len(call.keys), *call.keys, *call.words)
                for call in calls
            ]
        )  # fmt: skip
        for call in calls:
            call.sent = True
        await connection.send_packed_command(packed)
        unknown = []
        for call in calls:
            try:
                call.settle(await connection.read_response())
            except NoScriptError:
                call.sent = False
                unknown.append(call)
            except ResponseError as refusal:
                call.sent = False
                call.fail(unavailable(refusal))
        return unknown

    def _digest(self, name: str) -> str:
        digest = self._digests.get(name)
        if digest is None:
            digest = hashlib.sha1(script(name).encode(), usedforsecurity=False).hexdigest()
            self._digests[name] = digest
        return digest
