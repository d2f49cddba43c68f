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
CALM_TURNS = 3
"""While nobody is here so many turns are one, until `wake` is called. More would have a hub beat as seldom as a beat is
fresh, and its own pause could pass for an outage (`D5`)."""

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
        self._passed = 0
        self._trouble = Trouble(regular.work.__name__)
        self.task: asyncio.Task[None] | None = None

    def turn(self, number: int) -> None:
        """Begin it if it is due, wanted, and not still going on. A calm wheel passes over turns, also those of it."""
        passed, self._passed = self._passed, number // self._turns
        if passed == self._passed or not self._regular.wanted() or (self.task is not None and not self.task.done()):
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
        self._timer: asyncio.TimerHandle | None = None
        self._number = 0
        """The turn that comes next."""
        self._due = 0.0
        """When it comes, by the loop's time."""
        self._rests = False
        """Whether turns were passed over to come to it."""

    def start(self) -> None:
        """Begin to turn."""
        self._due = asyncio.get_running_loop().time()
        self._wait()

    async def stop(self) -> None:
        """End all work."""
        if self._timer is not None:
            self._timer.cancel()
        await end_tasks([spoke.task for spoke in self._spokes if spoke.task is not None])

    def wake(self) -> None:
        """Somebody is here: the next turn comes when it would come to a wheel that was never calm."""
        if not self._rests or self._timer is None:
            return
        self._rests = False
        self._timer.cancel()
        loop = asyncio.get_running_loop()
        early = max(0, int((self._due - loop.time()) / TURN_S))
        self._number, self._due = self._number - early, self._due - early * TURN_S
        self._timer = loop.call_at(self._due, self._come_round)

    def turn(self, number: int) -> None:
        """The turn with this number, from 1 on: everything whose time has come."""
        for spoke in self._spokes:
            spoke.turn(number)

    def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        turns = CALM_TURNS - self._number % CALM_TURNS if self._is_calm() else 1
        # Turns that were missed are not made up for.
        self._due = max(self._due, loop.time() - TURN_S) + turns * TURN_S
        self._number, self._rests = self._number + turns, turns > 1
        self._timer = loop.call_at(self._due, self._come_round)

    def _come_round(self) -> None:
        LATE_SECONDS.observe(max(0.0, asyncio.get_running_loop().time() - self._due))
        self._rests = False
        try:
            self.turn(self._number)
        finally:
            self._wait()
