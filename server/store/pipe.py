"""One connection for all scripts: whatever is waiting when the connection is free goes out as one pipeline.

A lone call goes straight through; under load the calls of one event-loop tick share one round trip and one flush to
disk. Nothing is sent twice: after a lost connection the caller learns that the fate of the call is unknown.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError, ResponseError

from protocol.errors import Code, ParlourError, StoreUnavailable
from server.store.guarded import unavailable
from server.store.scripts import script

MAX_WAITING = 20_000
"""Calls that wait for the connection. At 30,000 a second a queue this long is half a second old: refuse the rest."""

ANSWER_TIMEOUT_S = 2.0
"""How long Redis may take to answer a batch; a player is still waiting for the move to be confirmed."""

Words = Sequence[str | bytes | int]


class _Call:
    __slots__ = ("answer", "keys", "name", "words")

    def __init__(self, name: str, keys: Sequence[str], words: Words, answer: asyncio.Future[Any]) -> None:
        self.name = name
        self.keys = keys
        self.words = words
        self.answer = answer


class ScriptPipe:
    """Runs scripts by name over one dedicated connection of `client` (whose retries must be off)."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._waiting: list[_Call] = []
        self._sender: asyncio.Task[None] | None = None
        self._digests: dict[str, str] = {}
        self._closed = False

    def run(self, name: str, keys: Sequence[str], words: Words) -> asyncio.Future[Any]:
        """The script's answer, once it has one. Raises ParlourError `busy` at once when too much is waiting.

        The future raises StoreUnavailable when the answer does not come, or when Redis refuses to write.
        """
        if self._closed:
            raise StoreUnavailable("closed")
        if len(self._waiting) >= MAX_WAITING:
            raise ParlourError(Code.BUSY)
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
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                # One deadline for the batch: the client library's own would be set and cleared for each answer.
                async with asyncio.timeout(ANSWER_TIMEOUT_S):
                    await self._send(batch)
            except (TimeoutError, RedisError, OSError) as error:
                if isinstance(error, TimeoutError):
                    # What came meanwhile has waited as well, and was not sent: players are to be told soon (`J5`).
                    batch, self._waiting = batch + self._waiting, []
                for call in batch:
                    if not call.answer.done():
                        call.answer.set_exception(unavailable(error))

    async def _send(self, batch: list[_Call]) -> None:
        answers = await self._execute(batch)
        unknown = [call for call, answer in zip(batch, answers, strict=True) if isinstance(answer, NoScriptError)]
        if unknown:
            for name in {call.name for call in unknown}:
                self._digests[name] = str(await self._client.script_load(script(name)))
        for call, answer in zip(batch, answers, strict=True):
            if not isinstance(answer, NoScriptError):
                _settle(call, answer)
        if unknown:
            for call, answer in zip(unknown, await self._execute(unknown), strict=True):
                _settle(call, answer)

    async def _execute(self, batch: list[_Call]) -> list[Any]:
        pipe = self._client.pipeline(transaction=False)
        for call in batch:
            pipe.execute_command("EVALSHA", self._digest(call.name), len(call.keys), *call.keys, *call.words)
        answers: list[Any] = await pipe.execute(raise_on_error=False)
        return answers

    def _digest(self, name: str) -> str:
        digest = self._digests.get(name)
        if digest is None:
            digest = hashlib.sha1(script(name).encode(), usedforsecurity=False).hexdigest()
            self._digests[name] = digest
        return digest


def _settle(call: _Call, answer: Any) -> None:
    if call.answer.done():
        return
    if isinstance(answer, ResponseError | RedisError):
        call.answer.set_exception(unavailable(answer))
    else:
        call.answer.set_result(answer)
