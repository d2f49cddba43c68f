"""Regular work on one timer: what falls due together wakes the process once, and asks the store in one exchange."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import structlog

from protocol.errors import StoreUnavailable
from server.hub.concurrency.cancelling import end_tasks
from server.hub.metrics import LATE_SECONDS

TURN_S = 0.25
"""All pauses are multiples of it."""
CALM_TURNS = 2
"""While nobody is here so many turns are one: who comes then is looked at after 0.5 s, once."""

log = structlog.get_logger(__name__)


def always() -> bool:
    """For work of which nobody knows beforehand whether there is anything to do."""
    return True


class Regular(NamedTuple):
    """Work to be done every `every_s`. Unless `wanted` there is nothing to do, and it is not begun.

    What needs no waiting is done on the spot; the rest is a task of its own, and never twice at once.
    """

    work: Callable[[], Awaitable[None] | None]
    every_s: float
    wanted: Callable[[], bool] = always


class Trouble:
    """What keeps one piece of work from being done: told when it begins and when it becomes another."""

    def __init__(self, work: str) -> None:
        self._work = work
        self._told = ""

    def met(self, error: Exception) -> str:
        """It failed; returns why, in words."""
        away = isinstance(error, StoreUnavailable)
        words = error.reason if isinstance(error, StoreUnavailable) else f"{type(error).__name__}: {error}"
        # The reasons for which a store is away come in many words, and mean the same.
        told = "away" if away else words
        if told != self._told:
            if away:
                log.warning("the store is away", work=self._work, reason=words)
            else:
                log.error("regular work failed", work=self._work, exc_info=error)
        self._told = told
        return words

    def over(self) -> None:
        """It was done."""
        self._told = ""


class _Spoke:
    """One piece of work on the wheel."""

    def __init__(self, regular: Regular) -> None:
        self._regular = regular
        self._turns = max(1, round(regular.every_s / TURN_S))
        self._trouble = Trouble(regular.work.__name__)
        self.task: asyncio.Task[None] | None = None

    def turn(self, number: int) -> None:
        """Begin it if it is due, wanted, and not still going on."""
        if number % self._turns or not self._regular.wanted() or (self.task is not None and not self.task.done()):
            return
        try:
            waiting = self._regular.work()
        except Exception as error:
            self._trouble.met(error)
        else:
            if waiting is not None:
                self.task = asyncio.get_running_loop().create_task(self._carry_out(waiting))
            else:
                self._trouble.over()

    async def _carry_out(self, waiting: Awaitable[None]) -> None:
        try:
            await waiting
        except Exception as error:
            self._trouble.met(error)
        else:
            self._trouble.over()


class Wheel:
    """All regular work of a hub. A piece that fails, or takes long, keeps no other one from being done."""

    def __init__(self, works: list[Regular], is_calm: Callable[[], bool] = lambda: False) -> None:
        self._is_calm = is_calm
        self._spokes = [_Spoke(regular) for regular in works]
        self._turning: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to turn."""
        self._turning = asyncio.get_running_loop().create_task(self._turn())

    async def stop(self) -> None:
        """End all work."""
        await end_tasks([self._turning] if self._turning is not None else [])
        await end_tasks([spoke.task for spoke in self._spokes if spoke.task is not None])

    def turn(self, number: int) -> None:
        """The turn with this number, from 1 on: everything whose time has come."""
        for spoke in self._spokes:
            spoke.turn(number)

    async def _turn(self) -> None:
        loop, number = asyncio.get_running_loop(), 0
        due = loop.time()
        while True:
            turns = CALM_TURNS - number % CALM_TURNS if self._is_calm() else 1
            # Turns that were missed are not made up for.
            due = max(due, loop.time() - TURN_S) + turns * TURN_S
            await asyncio.sleep(due - loop.time())
            LATE_SECONDS.observe(max(0.0, loop.time() - due))
            number += turns
            self.turn(number)
