"""Long work in slices: the loop is free in between, whoever works; and what it took is on the bill (Q12)."""

from __future__ import annotations

import asyncio
import time

import pytest

from server.hub.concurrency import slices as module
from server.hub.concurrency.slices import Slices, billed
from server.match.fold import Work


def steps(count: int, log: list[str], name: str = "") -> Work[str]:
    for _ in range(count):
        log.append(name)
        yield
    return f"{name} is done"


async def test_one_slice_in_each_turn_of_the_loop_whoever_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q12: twenty long works hold a turn of the loop no longer than one does."""
    monkeypatch.setattr(module, "SLICE_S", 0.0)  # no time at all: one step is what is done whatever it takes
    slices, log = Slices(), list[str]()
    monkeypatch.setattr(time, "perf_counter", iter(range(10**9)).__next__)
    monkeypatch.setattr(module, "SLICE_S", 6)  # the clock goes on by 1 with each look at it: five steps
    works = [asyncio.create_task(slices.run(steps(50, log, str(number)))) for number in range(20)]
    most = known = 0
    while not all(work.done() for work in works):
        await asyncio.sleep(0)
        most, known = max(most, len(log) - known), len(log)
    assert len(log) == 20 * 50
    assert most <= 5
    assert [work.result() for work in works] == [f"{number} is done" for number in range(20)]


async def test_all_long_works_go_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q12: a short one that comes last is done long before the long ones."""
    monkeypatch.setattr(time, "perf_counter", iter(range(10**9)).__next__)
    monkeypatch.setattr(module, "SLICE_S", 6)
    slices, log = Slices(), list[str]()
    long = [asyncio.create_task(slices.run(steps(1_000, log, "long"))) for _ in range(3)]
    await asyncio.sleep(0)
    assert await slices.run(steps(10, log, "short")) == "short is done"
    assert log.count("long") <= 3 * 5 * 5
    for work in long:
        work.cancel()


async def test_what_is_short_waits_for_no_turn() -> None:
    """Q12: a move is judged at once, however much long work others have; what is not short takes turns after all."""
    slices, log = Slices(), list[str]()
    long = asyncio.create_task(slices.run(steps(10_000, log, "long")))
    await asyncio.sleep(0)
    known = len(log)
    assert await slices.begin(steps(module.SHORT - 1, log, "short")) == "short is done"
    assert log[known:] == ["short"] * (module.SHORT - 1), "the loop had no turn"
    assert await slices.begin(steps(3 * module.SHORT, log, "middling")) == "middling is done"
    assert log.count("middling") == 3 * module.SHORT
    long.cancel()


async def test_who_asked_is_billed() -> None:
    slices = Slices()

    def work() -> Work[None]:
        until = time.thread_time() + 0.01
        while time.thread_time() < until:
            yield

    async def asker() -> float:
        with billed() as bill:
            await slices.run(work())
        return bill.spent_s

    first, second = await asyncio.gather(asker(), asker())
    # Both looked at the same clock, so that together they took what one was to take.
    assert min(first, second) > 0
    assert first + second >= 0.009
    with billed() as bill:
        pass
    assert bill.spent_s == 0


async def test_what_the_work_raises_is_raised_and_others_go_on() -> None:
    slices = Slices()

    def work() -> Work[None]:
        yield
        raise ValueError("no log")

    with pytest.raises(ValueError, match="no log"):
        await slices.run(work())
    assert await slices.run(steps(3, [], "next")) == "next is done"
