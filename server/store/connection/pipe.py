"""One connection for all scripts: whatever is waiting when the connection is free goes out as one pipeline.

Calls of one event-loop tick share one round trip and one flush to disk, and so do those that come while a batch is on
its way. Nothing is sent twice, and nobody is left waiting: however the connection ends, a call whose answer had come
has it, one that was not sent was not done (StoreSilent), and of the others it is not known (OutcomeUnknown).
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import hiredis
import structlog
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError, ResponseError

from protocol.errors import OutcomeUnknown, StoreBusy, StoreSilent, StoreUnavailable
from server.counting import Timings
from server.store.connection.bare_link import BareLink
from server.store.connection.guarded import one_error, unavailable
from server.store.scripts import script

MAX_WAITING = 20_000
"""Calls that wait for the connection. At 30,000 a second a queue this long is half a second old: refuse the rest."""

ANSWER_TIMEOUT_S = 2.0
"""How long Redis may take to answer a batch; a player is still waiting for the move to be confirmed."""
BUCKETS = (0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2)
TIMER_STEP_S = 0.001
"""A timer may fire a little early, and is not set again for less."""

WAIT_SECONDS = Timings(
    "parlour_store_wait_seconds", "How long the first script of each batch waited for the link to the store", BUCKETS
)
TRIP_SECONDS = Timings(
    "parlour_store_trip_seconds", "From a batch of scripts to the store until its last answer", BUCKETS
)

Words = Sequence[str | bytes | int]

_pack: Callable[[tuple[Any, ...]], bytes] = hiredis.pack_command  # its annotation has tuples of one

log = structlog.get_logger(__name__)


Done = Callable[[Any], None]
"""Called once with the answer to a script, or with the StoreUnavailable that there is instead. It must not raise."""


class _Call:
    __slots__ = ("answer", "done", "loaded", "name", "packed", "sent")

    def __init__(
        self, name: str, packed: bytes, answer: asyncio.Future[Any] | None = None, done: Done | None = None
    ) -> None:
        """With neither `answer` nor `done` for what is asked on our own account; without a name for a question."""
        self.name = name
        self.packed = packed
        self.answer = answer
        self.done = done
        self.sent = False
        """Whether Redis may have it, with no answer to say what came of it."""
        self.loaded = False
        """Whether Redis was given the script for its sake."""

    def settle(self, answer: Any) -> None:
        """Redis has answered."""
        self.sent = False
        done = self.done
        if done is not None:
            self.done = None
            done(answer)
        elif self.answer is not None and not self.answer.done():
            self.answer.set_result(answer)

    def refuse(self, error: StoreUnavailable) -> None:
        """Redis has answered that it was not done."""
        self.sent = False
        self.fail(error)

    def fail(self, error: StoreUnavailable) -> None:
        """There is no answer. Does nothing for a call that is settled."""
        if self.sent and self.name:
            error = OutcomeUnknown(error.reason)
        done = self.done
        if done is not None:
            self.done = None
            done(error)
        elif self.answer is not None and not self.answer.done():
            self.answer.set_exception(error)


class ScriptPipe:
    """Runs scripts by name over one dedicated connection of `client` (whose retries must be off).

    Redis forgets its scripts when it stops. `first` names one, its keys and words, that goes out before any other when
    Redis turns out not to know a script: nothing is done with data that was just loaded before that one has looked.
    """

    def __init__(self, client: Redis, first: Callable[[], tuple[str, Sequence[str], Words]] | None = None) -> None:
        self._first = first
        self._pool: Any = client.connection_pool
        self._waiting: list[_Call] = []
        self._batch: deque[_Call] = deque()
        """What the connection is asked for now, in the order in which the answers come."""
        self._unknown: list[_Call] = []
        """Of this batch, what Redis has no script for: goes out again, once it was given the scripts."""
        self._loads: list[_Call] = []
        """What Redis is being given."""
        self._busy = False
        """Whether a batch is on its way, or will be at the end of this turn of the loop."""
        self._waits_since = 0.0
        """Since when the first of `_waiting` waits. Times are monotonic: the loop's own has steps of a millisecond."""
        self._went_at = 0.0
        """When the present batch went out."""
        self._due: float | None = None
        """When the present batch must be over."""
        self._timer: asyncio.TimerHandle | None = None
        self._link: BareLink | None = None
        self._ended_link: BareLink | None = None
        """To be given back before there is another one."""
        self._connecting: asyncio.Task[None] | None = None
        self._closed = False
        self._quiet: asyncio.Future[None] | None = None

    def run(self, name: str, keys: Sequence[str], words: Words) -> asyncio.Future[Any]:
        """The script's answer, once it has one. Raises StoreBusy at once when too much is waiting.

        The future raises StoreUnavailable when nothing was done (Redis refused, or was not reached), and OutcomeUnknown
        when the script was sent and its answer does not come.
        """
        answer = asyncio.get_running_loop().create_future()
        self._take(_Call(name, _packed(name, keys, words), answer))
        return answer

    def call(self, name: str, keys: Sequence[str], words: Words, done: Done) -> None:
        """Like `run`, for one who does not wait: `done` is called within the reading of the answer."""
        self._take(_Call(name, _packed(name, keys, words), done=done))

    def ask(self, *words: str | bytes | int) -> asyncio.Future[Any]:
        """The answer to a command that may be done or not without harm, on the way that scripts take: it shares an
        exchange with what else is due then. Raises as `run` does, but never OutcomeUnknown."""
        answer = asyncio.get_running_loop().create_future()
        self._take(_Call("", _pack(words), answer))
        return answer

    @property
    def waiting(self) -> int:
        """How many scripts wait for the connection, or for their answer."""
        return len(self._waiting) + len(self._batch)

    async def close(self) -> None:
        """Let what waits go out, then refuse everything."""
        self._closed = True
        if self._busy:
            self._quiet = self._quiet or asyncio.get_running_loop().create_future()
            await self._quiet
        if self._timer is not None:
            self._timer.cancel()
        for link in (self._link, self._ended_link):
            if link is not None:
                await link.give_back()
        self._link = self._ended_link = None

    def _take(self, call: _Call) -> None:
        if self._closed:
            raise StoreUnavailable("closed")
        if len(self._waiting) >= MAX_WAITING:
            raise StoreBusy("too many scripts are waiting")
        if not self._waiting:
            self._waits_since = time.monotonic()
        self._waiting.append(call)
        if not self._busy:
            self._busy = True
            asyncio.get_running_loop().call_soon(self._next_batch)

    # Batches ----------------------------------------------------------------------------------------------------------

    def _next_batch(self) -> None:
        """The connection is free: what waits goes out."""
        if not self._waiting:
            self._busy, self._due = False, None
            if self._quiet is not None and not self._quiet.done():
                self._quiet.set_result(None)
            return
        self._batch.extend(self._waiting)
        self._waiting = []
        self._went_at = time.monotonic()
        WAIT_SECONDS.observe(self._went_at - self._waits_since)
        self._due = self._went_at + ANSWER_TIMEOUT_S
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(ANSWER_TIMEOUT_S, self._look)
        if self._link is not None and self._link.stands:
            self._send(self._batch)
        else:
            self._drop_link()
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    def _send(self, calls: Iterable[_Call]) -> None:
        assert self._link is not None
        packed = []
        for call in calls:
            call.sent = True
            packed.append(call.packed)
        self._link.write(b"".join(packed))

    def _answered(self, answer: Any) -> None:
        if not self._batch:
            raise RuntimeError("Redis answers what it was not asked")
        call = self._batch[0]
        if isinstance(answer, RedisError):
            if not isinstance(answer, ResponseError):
                raise answer  # it speaks of the connection, not of the call
            self._refused(call, answer)
        else:
            call.settle(answer)
        self._batch.popleft()
        if not self._batch:
            self._go_on()

    def _refused(self, call: _Call, error: ResponseError) -> None:
        if not isinstance(error, NoScriptError):
            call.refuse(unavailable(error))
        elif call.loaded:
            call.refuse(StoreUnavailable("Redis keeps no scripts"))
        else:
            call.sent = False
            self._unknown.append(call)

    def _go_on(self) -> None:
        """Every answer has come: on with what this batch still lacks, else with the next one."""
        if self._loads:
            self._send_again()
        elif self._unknown:
            self._load()
        else:
            TRIP_SECONDS.observe(time.monotonic() - self._went_at)
            self._next_batch()

    def _load(self) -> None:
        """Give Redis the scripts that it lacks. What needs them goes out when it has them all."""
        if self._first is not None:
            name, keys, words = self._first()
            self._unknown.insert(0, _Call(name, _packed(name, keys, words)))
        loop = asyncio.get_running_loop()
        for name in sorted({call.name for call in self._unknown}):
            loaded: asyncio.Future[Any] = loop.create_future()
            loaded.add_done_callback(asyncio.Future.exception)
            self._loads.append(_Call(name, _pack(("SCRIPT", "LOAD", script(name))), loaded))
        self._batch.extend(self._loads)
        self._send(self._loads)

    def _send_again(self) -> None:
        calls, self._unknown = self._unknown, []
        loads, self._loads = self._loads, []
        errors = [error for load in loads if load.answer is not None and (error := load.answer.exception())]
        if errors:
            for call in calls:
                call.fail(unavailable(errors[0]) if not isinstance(errors[0], StoreUnavailable) else errors[0])
            self._next_batch()
            return
        for call in calls:
            call.loaded = True
        self._batch.extend(calls)
        self._send(calls)

    # The connection ---------------------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        """Get a connection for the batch that waits for one."""
        link, failed = None, None
        try:
            with one_error():
                link = await self._borrow()
        except StoreUnavailable as error:
            failed = error
        except Exception as error:
            log.exception("there is no connection for scripts")
            failed = unavailable(error)
        except BaseException:
            if asyncio.current_task() is self._connecting:
                # The end of the process.
                self._connecting = None
                self._fail_all(StoreSilent("the sender has ended"))
            raise
        if asyncio.current_task() is not self._connecting:
            # Its time was over, and that was not noticed: on Python 3.11 a cancellation can be lost.
            if link is not None:
                await link.give_back()
            return
        self._connecting = None
        self._link = link
        if link is not None and link.stands:
            self._send(self._batch)
        else:
            self._drop_link()
            self._fail_batch(failed or StoreSilent("the connection to Redis has ended"))
            self._next_batch()

    async def _borrow(self) -> BareLink:
        if self._ended_link is not None:
            ended, self._ended_link = self._ended_link, None
            await ended.give_back()
        return await BareLink.borrow(self._pool, self._answered, self._link_ended)

    def _link_ended(self, link: BareLink, error: StoreUnavailable) -> None:
        if link is self._link:
            self._drop_link()
            if self._busy:
                self._fail_batch(error)
                self._next_batch()

    def _drop_link(self) -> None:
        if self._link is not None:
            self._link.ended = True
            self._ended_link, self._link = self._link, None

    def _look(self) -> None:
        """Whether the batch takes too long."""
        self._timer = None
        if self._due is None:
            return
        left_s = self._due - time.monotonic()
        if left_s > 0:
            self._timer = asyncio.get_running_loop().call_later(max(left_s, TIMER_STEP_S), self._look)
            return
        # What came meanwhile has waited as well, and was not sent: players are to be told soon (`J5`).
        self._fail_all(unavailable(TimeoutError()))
        if self._link is not None:
            self._link.end(StoreSilent("no answer"))
        elif self._connecting is not None:
            connecting, self._connecting = self._connecting, None
            connecting.cancel()

    def _fail_batch(self, error: StoreUnavailable) -> None:
        for call in (*self._batch, *self._unknown):
            call.fail(error)
        self._batch.clear()
        self._unknown, self._loads = [], []

    def _fail_all(self, error: StoreUnavailable) -> None:
        waiting, self._waiting = self._waiting, []
        self._fail_batch(error)
        for call in waiting:
            call.fail(error)
        self._next_batch()


def _packed(name: str, keys: Sequence[str], words: Words) -> bytes:
    return _pack(("EVALSHA", _digest(name), len(keys), *keys, *words))


@cache
def _digest(name: str) -> str:
    return hashlib.sha1(script(name).encode(), usedforsecurity=False).hexdigest()
