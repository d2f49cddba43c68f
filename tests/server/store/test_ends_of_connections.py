"""Every way in which the connection to Redis can end is one error, and leaves nobody waiting (`Q11`, `Q5`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import uvloop

from protocol.errors import Code, OutcomeUnknown, ParlourError, StoreBusy, StoreSilent, StoreUnavailable
from server.store.connection.guarded import guarded
from server.store.connection.links import FairPool
from server.store.connection.pipe import ScriptPipe
from server.store.redis_store import RedisStore, connect
from tests.driver import WAIT_S, RedisProcess
from tests.faults.trial.proxy import DOWN, UP, Proxy

EVALSHA = b"EVALSHA"
LIFE_MS = 60_000


class Lines:
    """A pipe through a proxy to a real Redis, and a straight way to look at what was done."""

    def __init__(self, proxy: Proxy, redis: RedisProcess) -> None:
        self.proxy = proxy
        self.client: Any = connect(f"redis://127.0.0.1:{proxy.port}", 1, answer_timeout_s=None)
        self.pipe = ScriptPipe(self.client)
        self.straight: Any = connect(redis.url, 1)

    async def close(self) -> None:
        await self.pipe.close()
        for client in (self.client, self.straight):
            await client.aclose(close_connection_pool=True)

    def put(self, name: str) -> asyncio.Future[Any]:
        """Ask for a key to be written by a script."""
        return self.pipe.run("replace", [name], ["", "there", LIFE_MS])


@pytest.fixture
async def lines(redis: RedisProcess) -> AsyncIterator[Lines]:
    async with Proxy(redis.socket) as proxy:
        lines = Lines(proxy, redis)
        await lines.straight.flushall()
        await lines.put("first")
        try:
            yield lines
        finally:
            proxy.alter = None
            proxy.heal()
            await lines.close()


def cut_before(way: str, data: bytes) -> bytes | None:
    """The script never arrives."""
    return None if way == UP and EVALSHA in data else data


def cut_after(way: str, data: bytes) -> bytes | None:
    """The script arrives, and its answer does not."""
    return None if way == DOWN and data == b":1\r\n" else data


def half_an_answer(lines: Lines) -> Callable[[str, bytes], bytes | None]:
    """The connection ends within an answer."""
    sent: list[bytes] = []

    def alter(way: str, data: bytes) -> bytes | None:
        if way != DOWN or data != b":1\r\n":
            return data
        sent.append(data)
        asyncio.get_running_loop().call_later(0.05, lines.proxy.cut)
        return data[:2]

    return alter


def nonsense(way: str, data: bytes) -> bytes | None:
    """The answer does not parse."""
    return b"?what\r\n" if way == DOWN and data == b":1\r\n" else data


async def fate(call: asyncio.Future[Any]) -> ParlourError:
    """The error that a call ends with, soon."""
    with pytest.raises(StoreUnavailable) as caught:
        async with asyncio.timeout(WAIT_S):
            await call
    return caught.value


@pytest.mark.parametrize("way", ["before", "after", "half", "nonsense"])
async def test_q11_however_the_connection_ends_the_caller_is_told_and_the_next_call_goes_through(
    lines: Lines, way: str
) -> None:
    """Q11, Q5: cut before or after the script arrived, within the answer, or an answer that is none: not known."""
    ways = {"before": cut_before, "after": cut_after, "half": half_an_answer(lines), "nonsense": nonsense}
    lines.proxy.alter = ways[way]
    error = await fate(lines.put("second"))
    assert isinstance(error, OutcomeUnknown)
    assert error.code == Code.UNKNOWN_OUTCOME
    lines.proxy.alter = None
    done = await lines.straight.exists("second") == 1
    assert done is (way != "before")
    # The same again says what became of it.
    assert await lines.put("second") == (0 if done else 1)


async def test_q5_what_could_not_be_sent_was_not_done(redis: RedisProcess) -> None:
    """Q5: nobody listens, so nothing was sent: that is known, and said."""
    async with Proxy(redis.socket) as proxy:
        port = proxy.port
    client = connect(f"redis://127.0.0.1:{port}", 1, answer_timeout_s=None)
    pipe = ScriptPipe(client)
    error = await fate(pipe.run("replace", ["nothing"], ["", "there", LIFE_MS]))
    assert isinstance(error, StoreSilent)
    assert error.code == Code.UNAVAILABLE
    await pipe.close()
    await client.aclose(close_connection_pool=True)


async def test_q5_what_redis_refuses_was_not_done(lines: Lines) -> None:
    """Q5: an error that Redis answers with is known as well."""
    await lines.straight.config_set("maxmemory", "1")
    try:
        error = await fate(lines.put("second"))
    finally:
        await lines.straight.config_set("maxmemory", "0")
    assert type(error) is StoreUnavailable
    assert not await lines.straight.exists("second")


async def test_q11_the_answers_that_came_before_the_end_are_given(lines: Lines) -> None:
    """Q11: of a batch that was cut in its middle each call is told what is known of it."""
    lines.proxy.alter = lambda way, data: data[:4] if way == DOWN and data.startswith(b":1\r\n:1\r\n") else data
    calls = [lines.put(f"key{number}") for number in range(3)]
    async with asyncio.timeout(10):
        done = await asyncio.gather(*calls, return_exceptions=True)
    assert done[0] == 1
    assert [type(each) for each in done[1:]] == [OutcomeUnknown, OutcomeUnknown]


class Spoilt(FairPool):
    """Hands out links of the client library on which one thing goes wrong, as it does now and then in its inside."""

    spoil: Callable[[Any], None] | None = None

    async def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Any:
        link = await super().get_connection()
        if self.spoil is not None:
            try:
                self.spoil(link)
            except BaseException:
                await self.release(link)
                raise
            await asyncio.sleep(0.01)
        return link


def close_the_transport(link: Any) -> None:
    """It has ended by the time that it is there."""
    link._writer.transport.abort()


def close_it_at_the_write(link: Any) -> None:
    """What uvloop answers a write with from now on is a bare RuntimeError."""
    transport = link._writer.transport

    class Closed:
        """The transport, which does not look closed until it is written to."""

        written = False

        def __getattr__(self, name: str) -> Any:
            return getattr(transport, name)

        def write(self, data: bytes) -> None:
            self.written = True
            transport.write(data)

        def is_closing(self) -> bool:
            return self.written

    transport.abort()
    link._writer._transport = Closed()


def cancel_the_connecting(link: Any) -> None:
    """A task of the library's own is cancelled, and its CancelledError comes out at us, whom nobody has cancelled."""
    raise asyncio.CancelledError


def fail_in_our_own_code(link: Any) -> None:
    """A fault of a program: the callers must not wait for ever, and it stands in the log."""
    raise LookupError("a fault of a program")


def fail_at_the_answer(link: Any) -> None:
    """The same, where an answer is dealt with; Redis says that it has no such script."""

    def broken(_: str) -> None:
        del link._parser.parse_error
        raise LookupError("a fault of a program")

    link._parser.parse_error = broken


@pytest.mark.parametrize(
    ("spoil", "ours"),
    [
        (close_the_transport, StoreSilent),
        (close_it_at_the_write, OutcomeUnknown),
        (cancel_the_connecting, StoreSilent),
        (fail_in_our_own_code, StoreSilent),
        (fail_at_the_answer, OutcomeUnknown),
    ],
)
def test_q11_the_ends_that_do_not_look_like_ends(
    redis: RedisProcess, spoil: Callable[[Any], None], ours: type[StoreUnavailable]
) -> None:
    """Q11: uvloop's RuntimeError, a CancelledError that is not ours, a fault of a program: nobody waits for ever."""

    async def main() -> None:
        client: Any = connect(redis.url, 1, answer_timeout_s=None)
        pool: Any = Spoilt.from_url(redis.url, max_connections=1, socket_timeout=None)
        client.connection_pool = pool
        pipe = ScriptPipe(client)
        pool.spoil = spoil
        calls = [pipe.run("replace", ["spoilt"], ["", "there", LIFE_MS]) for _ in range(3)]
        errors: list[Any] = [await fate(call) for call in calls]
        assert {type(error) for error in errors} == {ours}
        assert spoil is not close_it_at_the_write or errors[0].reason.startswith("RuntimeError")
        pool.spoil = None
        assert await pipe.run("replace", ["spoilt"], ["", "there", LIFE_MS]) == 1
        await pipe.close()
        await pool.aclose()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())


async def test_q11_a_connecting_that_is_cancelled_leaves_nobody_waiting(lines: Lines) -> None:
    """Q11: at the end of the process all tasks are cancelled, also the one that connects."""
    lines.proxy.blackhole()
    client: Any = connect(f"redis://127.0.0.1:{lines.proxy.port}", 1, answer_timeout_s=None)
    pipe = ScriptPipe(client)
    calls = [pipe.run("replace", [name], ["", "there", LIFE_MS]) for name in ("second", "third")]
    await asyncio.sleep(0)
    calls.append(pipe.run("replace", ["fourth"], ["", "there", LIFE_MS]))
    connecting = pipe._connecting
    assert connecting is not None
    connecting.cancel()
    for call in calls:
        assert type(await fate(call)) is StoreSilent
    with pytest.raises(asyncio.CancelledError):
        await connecting
    lines.proxy.heal()
    assert await pipe.run("replace", ["fifth"], ["", "there", LIFE_MS]) == 1
    assert await lines.straight.exists("second", "third", "fourth") == 0
    await pipe.close()
    await client.aclose(close_connection_pool=True)


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (RuntimeError("unable to perform operation; the handler is closed"), StoreSilent),
        (asyncio.IncompleteReadError(b"", 2), StoreSilent),
        (ConnectionResetError(), StoreSilent),
        (TimeoutError(), StoreSilent),
        (asyncio.CancelledError(), StoreSilent),
        (RecursionError(), RecursionError),
        (NotImplementedError(), NotImplementedError),
        (ValueError(), ValueError),
    ],
)
async def test_q11_reads_end_in_one_error_too(error: BaseException, ours: type[BaseException]) -> None:
    """Q11: what says that a connection has ended is StoreSilent; faults of a program stay what they are."""

    @guarded
    async def read() -> None:
        raise error

    with pytest.raises(ours):
        await read()


async def test_q11_who_is_really_cancelled_is_cancelled() -> None:
    """Q11: our own cancellation is not taken for an end of the connection."""

    @guarded
    async def read() -> None:
        await asyncio.sleep(60)

    task = asyncio.create_task(read())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# Readers --------------------------------------------------------------------------------------------------------------


async def test_q5_a_burst_of_readers_is_queued(redis: RedisProcess) -> None:
    """Q5: far more readers than links at once, none of whom is told that the store cannot be reached."""
    store = RedisStore(redis.url, "hub", prefix="burst")
    try:
        found = await asyncio.gather(*(store.read(f"match{number}") for number in range(3_000)), return_exceptions=True)
        assert [each for each in found if each] == []
    finally:
        await store.close()


async def test_q5_links_are_lent_in_turn(redis: RedisProcess) -> None:
    """Q5: whoever gives a link back does not take it again before those who wait."""
    pool: Any = FairPool.from_url(redis.url, max_connections=1)
    order: list[int] = []

    async def twice(number: int) -> None:
        for _ in range(2):
            link = await pool.get_connection()
            order.append(number)
            await asyncio.sleep(0)
            await pool.release(link)

    await asyncio.gather(*(twice(number) for number in range(4)))
    assert order == [0, 1, 2, 3, 0, 1, 2, 3]
    await pool.aclose()


async def test_q5_whose_turn_does_not_come_is_told_busy(redis: RedisProcess) -> None:
    """Q5: the wait for a link is bounded in time; then the store is busy, and not away."""
    pool: Any = FairPool.from_url(redis.url, max_connections=1, queue_s=0.05)
    link = await pool.get_connection()
    with pytest.raises(StoreBusy) as refused:
        await pool.get_connection()
    assert refused.value.code == Code.BUSY
    await pool.release(link)
    await pool.release(await pool.get_connection())
    await pool.aclose()


async def test_q5_links_that_cannot_be_made_are_lent_again(tmp_path: Path) -> None:
    """Q5: failing to connect, more often than there are links, uses none up; neither does giving up while waiting."""
    redis = RedisProcess(tmp_path)
    pool: Any = FairPool.from_url(redis.url, max_connections=2, queue_s=5.0)
    for _ in range(6):
        with pytest.raises(Exception, match="rror"):
            await pool.get_connection()
    redis.start()
    try:
        links = [await pool.get_connection() for _ in range(2)]
        waiting = asyncio.create_task(pool.get_connection())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        for link in links:
            await pool.release(link)
        for link in [await pool.get_connection() for _ in range(2)]:
            await pool.release(link)
        await pool.aclose()
    finally:
        redis.stop()
