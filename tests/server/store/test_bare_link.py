"""What the links to Redis use of its client beyond the documented interface, held to the installed version.

If one of these fails after an upgrade, `server/store/connection/bare_link.py` has to change with it. Each runs on
asyncio's loop and on uvloop, because the transports differ.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import hiredis
import pytest
import uvloop
from redis.exceptions import NoScriptError

from protocol.errors import StoreSilent, StoreUnavailable
from server.store.connection.bare_link import BareLink
from server.store.connection.pipe import ScriptPipe
from server.store.redis_store import connect
from tests.driver import RedisProcess

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
pack: Callable[[tuple[Any, ...]], bytes] = hiredis.pack_command
Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=LOOPS.values(), ids=list(LOOPS))
def run(request: pytest.FixtureRequest) -> Run:
    """Run something on one kind of loop and on the other."""

    def to_its_end(scenario: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(scenario)

    return to_its_end


class Talk:
    """One link and what came of it."""

    def __init__(self) -> None:
        self.answers: asyncio.Queue[Any] = asyncio.Queue()
        self.ends: asyncio.Queue[StoreUnavailable] = asyncio.Queue()

    async def link(self, client: Any) -> BareLink:
        """A link of `client`."""
        return await BareLink.borrow(
            client.connection_pool, self.answers.put_nowait, lambda _, error: self.ends.put_nowait(error)
        )


def test_it_answers_ends_once_and_is_given_back(redis: RedisProcess, run: Run) -> None:
    async def scenario() -> None:
        client, talk = connect(redis.url, 1, answer_timeout_s=None), Talk()
        link = await talk.link(client)
        link.write(pack(("SET", "k", b"\xff")) + pack(("GET", "k")))
        link.write(pack(("EVALSHA", "f" * 40, 0)))
        assert [await talk.answers.get() for _ in range(2)] == [b"OK", b"\xff"]
        assert isinstance(await talk.answers.get(), NoScriptError)
        assert link.stands
        link.end(StoreSilent("enough"))
        link.end(StoreSilent("again"))
        assert not link.stands
        assert talk.ends.get_nowait().reason == "enough"
        assert talk.ends.empty()
        await link.give_back()
        # The pool has one connection: it can be had again.
        second = await talk.link(client)
        second.write(pack(("GET", "k")))
        assert await talk.answers.get() == b"\xff"
        await second.give_back()
        await client.aclose(close_connection_pool=True)

    run(scenario())


def test_what_channels_say_is_told_apart_from_answers(redis: RedisProcess, run: Run) -> None:
    async def scenario() -> None:
        client, talk = connect(redis.url, 2, answer_timeout_s=None), Talk()
        pushed: asyncio.Queue[list[Any]] = asyncio.Queue()
        link = await BareLink.borrow(
            client.connection_pool, talk.answers.put_nowait, lambda *_: None, pushed.put_nowait
        )  # fmt: skip
        link.write(pack(("SUBSCRIBE", "c")) + pack(("PING",)))
        assert await pushed.get() == [b"subscribe", b"c", 1]
        assert await talk.answers.get() == b"PONG"
        await client.publish("c", b"\xff")
        await client.publish("c", b"more")
        assert [await pushed.get() for _ in range(2)] == [[b"message", b"c", b"\xff"], [b"message", b"c", b"more"]]
        assert talk.answers.empty()
        await link.give_back()
        await client.aclose(close_connection_pool=True)

    run(scenario())


def test_it_learns_that_redis_is_gone(redis: RedisProcess, run: Run) -> None:
    async def scenario() -> None:
        client, talk = connect(redis.url, 1, answer_timeout_s=None), Talk()
        link = await talk.link(client)
        redis.kill()
        await talk.ends.get()
        assert not link.stands
        await link.give_back()
        await client.aclose(close_connection_pool=True)

    run(scenario())


def test_what_comes_before_it_is_asked_is_looked_at(redis: RedisProcess, run: Run) -> None:
    """A push is passed over; anything else is told to whoever asked for nothing."""

    async def scenario() -> None:
        client, talk = connect(redis.url, 1, answer_timeout_s=None), Talk()
        pool: Any = client.connection_pool
        connection = await pool.get_connection()
        connection._reader.feed_data(b">2\r\n+maintenance\r\n+soon\r\n+OK\r\n")
        await pool.release(connection)
        pool.get_connection = lambda: _soon(connection)
        link = await talk.link(client)
        assert talk.answers.get_nowait() == b"OK"
        assert talk.answers.empty()
        link._pool = _NoPool()
        await link.give_back()
        await client.aclose(close_connection_pool=True)

    run(scenario())


async def _soon(connection: Any) -> Any:
    return connection


class _NoPool:
    async def release(self, connection: Any) -> None:
        """It has its connection already."""


def test_the_library_logs_in_and_selects_the_database(redis: RedisProcess, run: Run) -> None:
    async def scenario() -> None:
        straight: Any = connect(redis.url, 1)
        await straight.config_set("requirepass", "secret")
        client: Any = connect(f"unix://:secret@{redis.socket}?db=3", 1, answer_timeout_s=None)
        pipe = ScriptPipe(client)
        assert await pipe.run("replace", ["key"], ["", "there", 60_000]) == 1
        await pipe.close()
        assert await client.get("key") == b"there"
        wrong: Any = connect(f"unix://:guess@{redis.socket}?db=3", 1, answer_timeout_s=None)
        shut_out = ScriptPipe(wrong)
        with pytest.raises(StoreUnavailable, match="unavailable"):
            await shut_out.run("replace", ["key"], ["there", "gone", 60_000])
        await shut_out.close()
        assert await client.get("key") == b"there"
        await straight.config_set("requirepass", "")
        for each in (straight, client, wrong):
            await each.aclose(close_connection_pool=True)

    run(scenario())
