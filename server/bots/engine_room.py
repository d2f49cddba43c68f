"""Where the computer thinks: worker processes, a queue that is fair to players, and what happens if one hangs.

A hub's loop is never held up: it writes a line to a worker and waits for one. There are as many workers as cores less
one; they start when they are needed first. Whoever asks for much waits behind whoever asks for little: players take
turns. While many wait, what is asked for is thought about for less, and that is told in the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import structlog

from server.bots.worker import READY, Asked, Found
from server.hub.concurrency.cancelling import end_tasks

WORKERS = max(1, (os.cpu_count() or 1) - 1)
HUNG_S = 10.0
"""Who has not answered after so long is killed, and another one takes the place: ten times what any level needs on one
core. On Linux, who has waited for a core has longer: see TURN and PATIENCE."""
TURN = 0.25
"""Who has computed for less than this share of the time, and would go on, has waited for a core, and does not hang."""
PATIENCE = 6
"""So many times as long a machine that has much else to do may leave a worker without its turn (on Linux)."""
LOOKS = 10
"""How often in that time one is looked at again who has waited for a core: it hangs as soon as it had its turn."""
START_S = 60.0
"""So long a worker may take to be there, on a machine that has much else to do."""
END_S = 5.0
"""So long is waited at the end for workers that were killed."""
BUSY = 4
"""With more waiting than so many for each worker, what is asked for from then on is thought about for less."""
LESS = 0.1
"""Of a level's budget, when many wait, or after a worker hung."""
MODULE = "server.bots.worker"
_OF_ALL_THREADS = 2
"""CPUCLOCK_SCHED: beside the complement of a pid it makes the clock that clock_getcpuclockid(3) answers with."""

log = structlog.get_logger(__name__)


class NoMove(Exception):
    """The worker hung, died, or its game raised something; the text says which."""


class WorkerLost(NoMove):
    """It hung or died, for which the game need not be the cause."""


@dataclass(eq=False)
class _Job:
    line: bytes
    found: asyncio.Future[Found]


class EngineRoom:
    """Thinks for one hub."""

    def __init__(
        self,
        games: Path | None,
        *,
        workers: int = WORKERS,
        hung_s: float = HUNG_S,
        command: Sequence[str] = (sys.executable, "-m", MODULE),
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
    ) -> None:
        self._command = (*command, *([str(games)] if games is not None else []))
        self._workers = workers
        self.hung_s = hung_s
        self._sleep = sleep
        self._queues: dict[str, deque[_Job]] = {}
        """What waits, by player; whose turn it is next comes first."""
        self._waiting = asyncio.Semaphore(0)
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: set[asyncio.Task[int]] = set()
        self.pids: set[int] = set()
        """Of the workers that live."""

    @property
    def is_busy(self) -> bool:
        """Whether so many wait that the next is thought about for less; what nobody wants any more does not wait."""
        waiting = sum(not job.found.cancelled() for queue in self._queues.values() for job in queue)
        return waiting >= BUSY * self._workers

    async def think(self, player: str, asked: Asked) -> Found:
        """What is found for `player`. Raises NoMove.

        Cancelled, it is not begun; what a worker has begun it ends, within its budget, and that is thrown away.
        """
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._serve()) for _ in range(self._workers)]
        less = False
        if self.is_busy:
            asked = msgspec.structs.replace(asked, share=min(asked.share, LESS))
            log.warning("the computer thinks less, for many wait", share=asked.share)
            less = True
        job = _Job(msgspec.json.encode(asked) + b"\n", asyncio.get_running_loop().create_future())
        self._queues.setdefault(player, deque()).append(job)
        self._waiting.release()
        return msgspec.structs.replace(await job.found, less=less)

    async def close(self) -> None:
        """End all workers."""
        await end_tasks(self._tasks)
        if self._ending:
            await asyncio.wait(self._ending, timeout=END_S)

    async def _take(self) -> _Job:
        """What is next; its player's turn comes again after all others'."""
        await self._waiting.acquire()
        player = next(iter(self._queues))
        queue = self._queues.pop(player)
        job = queue.popleft()
        if queue:
            self._queues[player] = queue
        return job

    async def _serve(self) -> None:
        process: Process | None = None
        try:
            while True:
                job = await self._take()
                if job.found.cancelled():
                    continue
                try:
                    process = process or await self._start()
                    found = await self._ask(process, job.line)
                except (TimeoutError, OSError, EOFError, ValueError) as error:
                    if process is not None:
                        await self._end(process)
                    process = None
                    log.warning("a worker of the computer hung or died, and is replaced", error=repr(error))
                    if not job.found.cancelled():
                        job.found.set_exception(WorkerLost(_how_lost(error)))
                    continue
                if job.found.cancelled():
                    continue
                if found.error:
                    job.found.set_exception(NoMove(found.error))
                else:
                    job.found.set_result(found)
        finally:
            if process is not None:
                await self._end(process)

    async def _start(self) -> Process:
        # Ctrl-C goes to the whole group of a terminal, and the hub still needs it. See `worker.be_nice`, too.
        process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        self.pids.add(process.pid)
        try:
            async with asyncio.timeout(START_S):
                if await self._line(process) != READY:
                    raise EOFError("it did not start")
        except BaseException:
            await self._end(process)
            raise
        return process

    async def _ask(self, process: Process, line: bytes) -> Found:
        assert process.stdin is not None
        process.stdin.write(line)
        await process.stdin.drain()
        return msgspec.json.decode(await self._answer(process), type=Found)

    async def _answer(self, process: Process) -> bytes:
        """Its next line. Raises TimeoutError when it hangs.

        That is after HUNG_S or, on Linux, where it had to wait for a core, up to PATIENCE times as long.
        """
        reading = asyncio.create_task(self._line(process))
        began_s, waited_s, step_s = computed_s(process.pid), 0.0, self.hung_s
        try:
            while not hangs(waited_s, computed_s(process.pid) - began_s, would_run(process.pid), self.hung_s):
                pausing = asyncio.create_task(self._sleep(step_s))
                try:
                    await asyncio.wait((reading, pausing), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    await end_tasks((pausing,))
                if reading.done():
                    return reading.result()
                waited_s, step_s = waited_s + step_s, self.hung_s / LOOKS
            raise TimeoutError("it hung")
        finally:
            await end_tasks((reading,))

    async def _line(self, process: Process) -> bytes:
        assert process.stdout is not None
        line = await process.stdout.readline()
        if not line:
            raise EOFError("it died")
        return line

    async def _end(self, process: Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        # Whoever ends us may lose patience and cancel again: the system is to be asked all the same what became of it.
        ending = asyncio.create_task(process.wait())
        self._ending.add(ending)
        ending.add_done_callback(lambda _: self._ended(ending, process.pid))
        await asyncio.shield(ending)

    def _ended(self, ending: asyncio.Task[int], pid: int) -> None:
        self._ending.discard(ending)
        self.pids.discard(pid)


def _how_lost(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it hung"
    return "it wrote what is no answer" if isinstance(error, ValueError) else "it died"


def hangs(waited_s: float, computed_s: float, runs: bool, hung_s: float) -> bool:
    """Whether a worker hangs that was asked so long ago, has computed for so long since, and now runs, or would.

    It has had its turn, or sleeps, or was stopped; or the machine has had enough time to let it answer.
    """
    if waited_s < hung_s:
        return False
    return not runs or computed_s >= TURN * hung_s or waited_s >= PATIENCE * hung_s


def would_run(pid: int) -> bool:
    """Whether a process computes or waits for a core, as Linux tells it; elsewhere always False."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "R"
    except OSError:
        return False


def computed_s(pid: int) -> float:
    """The processor time that a process has taken (s), as Linux tells it of any; elsewhere always 0."""
    try:
        return time.clock_gettime(~pid << 3 | _OF_ALL_THREADS)
    except OSError:
        return 0.0
