"""Playing under fire: tables of stubborn players, faults that strike one after the other, and how soon play goes on."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from tests.faults.trial.evidence import Log
from tests.faults.trial.stage import Trial, eventually
from tests.faults.trial.stubborn import Stubborn, Table
from tests.faults.trial.table import Row

Doing = Callable[[], Awaitable[Any]]


class Fire:
    """`tables` tables that play as long as this is entered, each with one player on either of the trial's hubs.

    A player thinks `think_s` on average. `create` are the fields with which matches are created. While `up` is not
    set, nobody who has lost the connection tries to come back.
    """

    def __init__(self, trial: Trial, tables: int, think_s: float = 0, **create: Any) -> None:
        self.up = asyncio.Event()
        self.up.set()
        self.tables = [
            Table(trial, number, self.up, (number % trial.hubs, (number + 1) % trial.hubs), think_s, **create)
            for number in range(tables)
        ]
        self.struck_ms: list[float] = []
        """When each fault had struck (ms since 1970)."""
        self._stop = asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []

    @property
    def players(self) -> list[Stubborn]:
        """Everybody who plays."""
        return [player for table in self.tables for player in table.players]

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(table.moves for table in self.tables)

    async def __aenter__(self) -> Self:
        self._playing = [asyncio.create_task(table.play(self._stop)) for table in self.tables]
        try:
            await eventually(self._all_play)
        except BaseException:
            await self._break_off()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            await self._break_off()
            return
        self._stop.set()
        self.up.set()
        await asyncio.gather(*self._playing)

    async def _break_off(self) -> None:
        """The trial has failed: what is broken stays so, and nobody would ever be answered."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    def _all_play(self) -> bool:
        for task in self._playing:
            if task.done():
                task.result()
        return all(table.plays for table in self.tables)

    def _mark(self) -> float:
        for table in self.tables:
            table.resumed_at = None
        return time.monotonic()

    async def strike(self, row: Row, fault: Doing, repair: Doing | None = None, *, stops_all: bool) -> None:
        """Inject one fault, repair it, and return when every table has played on, which is entered in `row`.

        What `stops_all` play is measured from the repair on, else from the fault on.
        """
        await fault()
        row.times += 1
        self.struck_ms.append(time.time() * 1000)
        since = self._mark()
        if repair is not None:
            await repair()
        if stops_all:
            since = self._mark()
        await eventually(self._all_play)
        row.resumed_s += [(table.resumed_at or since) - since for table in self.tables]

    def count_hits(self, row: Row, logs: Mapping[str, Log]) -> None:
        """Enter how many of the faults so far hit between the storing of a command and its acknowledgement."""
        doubts = [doubt for player in self.players for doubt in player.doubts]
        row.hits = len(hit_in_commit(logs, self.struck_ms, doubts))


def hit_in_commit(logs: Mapping[str, Log], faults_ms: Sequence[float], doubts: Iterable[tuple[str, float]]) -> set[int]:
    """Which of the faults hit between the storing of a command and its acknowledgement, as indexes.

    `faults_ms` is when each struck, in order; `doubts` are commands whose answer was missed, and when that was noticed
    (all ms since 1970, by one wall clock). A command that was received before the fault and is in the log was stored
    before it, for what is sent again is received anew.
    """
    received_ms = {event["ref"]: event["at_ms"] for log in logs.values() for _, event in log if event.get("ref")}
    hit = set()
    for ref, noticed_ms in doubts:
        fault = bisect_right(faults_ms, noticed_ms) - 1
        if fault >= 0 and received_ms.get(ref, float("inf")) <= faults_ms[fault]:
            hit.add(fault)
    return hit
