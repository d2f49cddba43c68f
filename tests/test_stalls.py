"""A test that fails while the machine keeps hubs from their store is run again and says so; every other one fails."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from server.store.beats import OUTAGE_MS
from tests import stalls
from tests.driver import HubProcess, RedisProcess, wait_for
from tests.faults.trial.collector import Collector, closing_lines
from tests.faults.trial.evidence import connect
from tests.faults.trial.table import Row
from tests.stand import running_hub, running_redis

pytest_plugins = "pytester"
pytestmark = pytest.mark.harms

TOY = """
import os, signal
import pytest
from tests import test_stalls

def test_toy(request, record_property):
    {first}
    record_property("provoked", f"run {{request.node.execution_count}}")
    assert request.node.execution_count > {fails}, "toy"
"""
STALLED = "request.node.execution_count > 1 or test_stalls.stall()"
AGAIN = ("--reruns=3", "--only-rerun=NotProvoked", "-p", "no:cacheprovider", "-p", "no:schemathesis")

running: list[tuple[RedisProcess, HubProcess]] = []
"""What the toys play with: they run in this process."""


@pytest.fixture(scope="module", autouse=True)
def _house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with running_redis(tmp_path_factory) as redis, running_hub(tmp_path_factory, redis) as hub:
        running.append((redis, hub))
        yield
        running.clear()


def stall() -> None:
    """Let the store stand as if the disk did, until the hub has noticed; and wait until the hub is well again."""
    redis, hub = running[0]
    heard = hub.log.stat().st_size
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        wait_for(lambda: b"the store is away" in hub.log.read_bytes()[heard:])
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    with connect(redis.url) as store:
        # The first may be one that the store had not come to.
        beats = {store.get("parlour:beat")}

        def is_well() -> bool:
            beats.add(store.get("parlour:beat"))
            return len(beats) > 3

        wait_for(is_well)


def silence_ms(url: str) -> float:
    """Since when no hub has said to this store that it lives."""
    with connect(url) as store:
        now: Any = store.time()
        last: Any = store.get("parlour:beat")
        return now[0] * 1000 + now[1] / 1000 - float(last)


def played(pytester: pytest.Pytester, first: str, fails: int) -> tuple[list[str], Collector]:
    """What becomes of a toy, run by run, that does `first` and then fails in so many of them."""
    pytester.makeconftest("from tests.conftest import pytest_runtest_call")
    pytester.makeini(f"[pytest]\nmarkers = {stalls.MARK}\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile(TOY.format(first=first, fails=fails))
    collector = Collector()
    result = pytester.inline_run(*AGAIN, plugins=[collector])
    outcomes = [str(each.outcome) for each in result.getreports("pytest_runtest_logreport") if each.when == "call"]
    return outcomes, collector


def test_a_trial_that_a_stalled_disk_disturbed_is_run_again_and_named(pytester: pytest.Pytester) -> None:
    outcomes, collector = played(pytester, STALLED, fails=1)
    assert outcomes == ["rerun", "passed"]
    (said,) = collector.stalls
    assert "test_toy: a hub logged: " in said
    assert "the store is away" in said
    assert collector.provoked == ["test_toy: run 1", "test_toy: run 2"], "each run is told once"
    assert dict(collector.sections())["run again, for the machine had stalled"] == [said]
    assert "had kept hubs from their store: 1" in closing_lines([Row("K1", 1)], 0, len(collector.stalls))[-1]


def test_what_fails_in_every_run_fails(pytester: pytest.Pytester) -> None:
    """Run again once, on a machine that is well then."""
    outcomes, _ = played(pytester, STALLED, fails=9)
    assert outcomes == ["rerun", "failed"]


@pytest.mark.parametrize(
    "first",
    [
        pytest.param("pass", id="no_stall"),
        pytest.param("test_stalls.running[0][0].signal(signal.SIGCONT); test_stalls.stall()", id="its_own_doing"),
        pytest.param("request.applymarker(pytest.mark.harms); test_stalls.stall()", id="marked"),
    ],
)
def test_what_fails_otherwise_fails_at_once(pytester: pytest.Pytester, first: str) -> None:
    outcomes, collector = played(pytester, first, fails=1)
    assert outcomes == ["failed"]
    assert not collector.stalls


def test_an_outage_that_no_hub_had_words_for_is_seen_in_the_store() -> None:
    redis, hub = running[0]
    watch = stalls.Watch()
    assert watch.disturbance() is None
    os.kill(hub.pid, signal.SIGSTOP)
    try:
        before = stalls.outages(redis.url)
        wait_for(lambda: silence_ms(redis.url) > OUTAGE_MS)
    finally:
        os.kill(hub.pid, signal.SIGCONT)
    wait_for(lambda: stalls.outages(redis.url) != before)
    assert "no hub reached its store for " in (watch.disturbance() or "")
    assert stalls.Watch().disturbance() is None, "what was before is over"
