"""A class: programs that are the unmodified library in all its weaknesses, at tables, over a hub that is killed.

In full 30 programs at 15 tables play for ten minutes, asking once a second as the library does, and the hub is killed
and stopped in the middle. Nothing may be lost or doubled, nobody may fall silent, and everybody is told of every end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from server.dog_front import launch
from tests.driver import HubProcess, RedisProcess, wait_for
from tests.faults.stage import FULL, rounds
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
def school(tmp_path: Path) -> Iterator[tuple[HubProcess, str]]:
    """A hub with a front, and where programs reach it."""
    port = free_port()
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url, "--dog-port", str(port))
    hub.start()
    yield hub, f"http://127.0.0.1:{port}/"
    hub.stop()
    launch.ask(port, "stop")
    redis.stop()
    assert "Traceback" not in hub.log.read_text(), hub.log.read_text()


def test_t3_a_class_plays_on_over_a_hub_that_is_killed_and_restarted(school: tuple[HubProcess, str]) -> None:
    """T3: nothing lost, nobody deaf, all told of every end; the first and the last restart are clean ones."""
    hub, url = school
    pairs = [Pair(url, number + 1) for number in range(TABLES)]
    for pair in pairs:
        pair.start()
    wait_for(lambda: all(pair.sent > 0 or pair.wrong for pair in pairs))
    for number in range(KILLS):
        time.sleep(CLASS_S / (KILLS + 1))
        before = [pair.sent for pair in pairs]
        if number in (0, KILLS - 1) and KILLS > 2:
            hub.stop()
        else:
            hub.kill()
        hub.start()
        wait_for(lambda before=before: all(p.sent > b or p.wrong for p, b in zip(pairs, before, strict=True)))  # type: ignore[misc]
    for pair in pairs:
        pair.over.set()
    for pair in pairs:
        pair.join()
    assert [pair.wrong for pair in pairs if pair.wrong] == []
    assert all(program.silenced is None for pair in pairs for program in pair.programs)
    print(
        f"{2 * TABLES} programs, {sum(pair.sent for pair in pairs)} moves, {sum(pair.ends for pair in pairs)} ends,"
        f" {KILLS} restarts"
    )
    for pair in pairs:
        for program in pair.programs:
            program.stop()
