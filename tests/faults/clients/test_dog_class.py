"""A class: programs that are the unmodified library in all its weaknesses, at tables, over a hub that is killed.

In full 30 programs at 15 tables play for ten minutes, asking once a second as the library does, and the hub is killed
and stopped in the middle. Nothing may be lost or doubled, nobody may fall silent, and everybody is told of every end;
what was sent and heard is judged by the checker.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from server.dog_front import launch
from tests.driver import wait_for
from tests.faults.trial.relayed import Program
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged
from tests.server.dog_front.test_front import free_port
from tests.server.http.dog.library import CONNECTED, Library

pytestmark = pytest.mark.faults

TABLES = 15 if FULL else 3
POLL_S = 1.0 if FULL else 0.05
CLASS_S = 600.0 if FULL else 4.0
KILLS = rounds(6, 2)
MOVES = 8
ENDS = ("finished", "interrupted", "end")

_IDS = count(159_000_000_000)


class Pair(threading.Thread):
    """Two neighbours at one table, who play one match after the other; `wrong` is what went wrong."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(daemon=True)
        self.programs = [
            Library(f"{url}mesa-{number}/", f"{name} {number}", str(next(_IDS)), game_id="the course's", poll_s=POLL_S)
            for name in ("Ana", "Bea")
        ]
        self._rng = Random(number)
        self.over = threading.Event()
        self.said: dict[Library, list[int]] = {program: [] for program in self.programs}
        self.sent = 0
        self.ends = 0
        self.wrong: BaseException | None = None

    def run(self) -> None:
        """Play until the class is over."""
        try:
            assert [program.initialize() for program in self.programs] == [CONNECTED, CONNECTED]
            while not self.over.is_set():
                self._match()
        except BaseException as error:
            self.wrong = error

    def _match(self) -> None:
        asks, other = self._rng.sample(self.programs, 2)
        known = len(other.starts)
        wait_for(lambda: asks.start_match(2).code == "2")
        wait_for(lambda: len(other.starts) == known + 1)
        # The library knows no `end`: it is told of it when somebody asks for the next match.
        came = {program: len(program.moves) for program in self.programs}
        left = {program: program.withdrawals for program in self.programs}
        word = self._rng.choice(ENDS)
        for number in range(MOVES):
            mover, reader = (asks, other) if number % 2 == 0 else (other, asks)
            last = number == MOVES - 1
            self.said[mover].append(self.sent)
            mover.send_move({"n": self.sent, "match_status": word if last else "next"})
            if last and word == "interrupted":
                wait_for(lambda: all(program.withdrawals == left[program] + 1 for program in self.programs))
            else:
                came[reader] += 1
                reader.await_moves(came[reader])
                assert len(reader.moves) == came[reader]
                assert reader.moves[-1]["n"] == self.sent
            self.sent += 1
        self.ends += 1
        assert [program.silenced for program in self.programs] == [None, None]


@pytest.fixture
def hubs() -> int:
    """One, as in a class."""
    return 1


@pytest.fixture
def port() -> int:
    """Where the front is."""
    return free_port()


@pytest.fixture
def stage(tmp_path: Path, port: int) -> Iterator[Stage]:
    """A hub with a front."""
    with staged(tmp_path, 1, arguments=("--dog-port", str(port))) as stage:
        yield stage
        launch.ask(port, "stop")


@pytest.mark.minutes(12)
async def test_t3_a_class_plays_on_over_a_hub_that_is_killed_and_restarted(trial: Trial, port: int) -> None:
    """T3: nothing lost, nobody deaf, all told of every end; the first and the last restart are clean ones."""
    (hub,) = trial.stage.hubs
    killed, stopped = trial.fault("T3 hub killed under a class"), trial.fault("T3 hub restarted under a class")
    pairs = [Pair(f"http://127.0.0.1:{port}/", number + 1) for number in range(TABLES)]
    for pair in pairs:
        pair.start()
    await play_on(pairs)
    for number in range(KILLS):
        await asyncio.sleep(CLASS_S / (KILLS + 1))
        clean = number in (0, KILLS - 1) and KILLS > 2
        row = stopped if clean else killed
        await asyncio.to_thread(hub.stop if clean else hub.kill)
        row.times += 1
        since = time.monotonic()
        await asyncio.to_thread(hub.start)
        await play_on(pairs)
        row.resumed_s.append(time.monotonic() - since)
    for pair in pairs:
        pair.over.set()
    for pair in pairs:
        await asyncio.to_thread(pair.join)
    assert [pair.wrong for pair in pairs if pair.wrong] == []
    assert all(program.silenced is None for pair in pairs for program in pair.programs)
    trial.programs = [
        Program(program.name, pair.said[program], program.rows()) for pair in pairs for program in pair.programs
    ]
    print(
        f"{2 * TABLES} programs, {sum(pair.sent for pair in pairs)} moves, {sum(pair.ends for pair in pairs)} ends,"
        f" {KILLS} restarts"
    )
    for pair in pairs:
        for program in pair.programs:
            program.stop()
    await trial.check()


async def play_on(pairs: list[Pair]) -> None:
    """Wait until everybody has made another move."""
    before = [pair.sent for pair in pairs]
    await eventually(lambda: all(pair.sent > sent or pair.wrong for pair, sent in zip(pairs, before, strict=True)))
