"""The one connection for scripts, when Redis does not answer."""

from __future__ import annotations

import asyncio
import signal

import pytest

from protocol.errors import StoreUnavailable
from server.store.connection.pipe import ScriptPipe
from server.store.redis_store import connect
from tests.driver import RedisProcess


async def test_what_waits_behind_a_call_without_an_answer_fails_with_it(redis: RedisProcess) -> None:
    """J5: a player whose command came while an earlier one waited is told as soon, and not one timeout later."""
    client = connect(redis.url, 1, answer_timeout_s=None)
    pipe = ScriptPipe(client)
    try:
        await pipe.run("replace", ["key"], ["", "one", 60_000])
        redis.signal(signal.SIGSTOP)
        sent = pipe.run("replace", ["key"], ["one", "two", 60_000])
        await asyncio.sleep(0)  # the sender takes it
        waiting = pipe.run("replace", ["key"], ["two", "three", 60_000])
        await asyncio.wait({sent})
        assert waiting.done()
        for call in (sent, waiting):
            with pytest.raises(StoreUnavailable):
                await call
    finally:
        redis.signal(signal.SIGCONT)
        await pipe.close()
        await client.aclose(close_connection_pool=True)


async def test_what_failed_while_waiting_was_never_sent(redis: RedisProcess) -> None:
    client = connect(redis.url, 1, answer_timeout_s=None)
    pipe = ScriptPipe(client)
    try:
        await pipe.run("replace", ["key"], ["", "one", 60_000])
        redis.signal(signal.SIGSTOP)
        sent = pipe.run("replace", ["other"], ["", "one", 60_000])
        await asyncio.sleep(0)
        waiting = pipe.run("replace", ["key"], ["one", "two", 60_000])
        await asyncio.wait({sent, waiting})
        redis.signal(signal.SIGCONT)
        with pytest.raises(StoreUnavailable):
            await waiting
        assert await pipe.run("replace", ["key"], ["one", "three", 60_000]) == 1
        with pytest.raises(StoreUnavailable):
            await sent
    finally:
        redis.signal(signal.SIGCONT)
        await pipe.close()
        await client.aclose(close_connection_pool=True)
