"""How the tests are shared out among processes, and the end of a run that had fault trials: how often each provoked its
situation, and the table of faults.

It stands here because the process that prints the summary loads no `conftest.py` further down when others run the
tests.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import distribution, fork_server, pace, stalls
from tests.faults.trial import table
from tests.faults.trial.collector import Collector, closing_lines
from tests.faults.trial.schedule import longest_first, minutes_of
from tests.forms import EXAMPLES
from tests.pace import NotProvoked

# How long one example takes says something of the machine's other work, and nothing of ours.
settings.register_profile("parlour", deadline=None, max_examples=EXAMPLES)
settings.load_profile("parlour")

SEARCHES = (10_000, 20, 100)
"""How seldom garbage is searched for while tests run. A terminal leaves so many objects that whole searches took a
quarter of the time of its tests; what makes the process grow meanwhile is what one or two tests leave."""


class Closing:
    """What is done with what was collected when the run is over."""

    def __init__(self, config: pytest.Config, collector: Collector) -> None:
        self._least: int = config.getoption("--least-faults")
        self._collector = collector

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Too few faults are no proof: the run has failed."""
        too_few = table.injected(self._collector.rows) < self._least
        if too_few and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print it, and write the table to the file that PARLOUR_FAULT_TABLE names."""
        for title, told in self._collector.sections():
            if told:
                terminalreporter.section(title)
            for line in told:
                terminalreporter.write_line(line)
        if lines := closing_lines(self._collector.rows, self._least, len(self._collector.stalls)):
            terminalreporter.section("faults")
            for line in lines:
                terminalreporter.write_line(line)
            if name := os.environ.get("PARLOUR_FAULT_TABLE"):
                Path(name).write_text("\n".join(lines) + "\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many faults a run must have injected."""
    parser.addoption("--least-faults", type=int, default=0, metavar="N", help="fail when fewer faults were injected")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes `-n auto` means."""
    return distribution.processes()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> distribution.Distribution | None:
    """Who hands out the tests to them: ours for `--dist loadscope`, which says what a scope is here."""
    return distribution.Distribution(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_configure(config: pytest.Config) -> None:
    """Collect where the reports come together: in the only process, or in the one that others report to.

    Whoever brings a collector of its own, as `make faults` does, closes itself.
    """
    _heed_signals()
    plugins = config.pluginmanager
    if hasattr(config, "workerinput") or any(isinstance(each, Collector) for each in plugins.get_plugins()):
        return
    collector = Collector()
    plugins.register(collector)
    plugins.register(Closing(config, collector))


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """pytest-rerunfailures tells the process that hands out the tests about each one, in two pieces. The second would
    wait until the first is acknowledged, 40 ms for each test of a run."""
    link = getattr(getattr(session.config, "failures_db", None), "sock", None)
    if link is not None:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _heed_signals() -> None:
    """A run that was begun by `nohup`, or behind a shell's `&`, ignores signals, and so would every hub that it starts,
    which trials end by them. What is caught here is as usual again in whatever is started."""
    for number in (signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_unconfigure() -> None:
    """Nobody starts hubs any more."""
    fork_server.end()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is read for the tests stays to the end: searching it for garbage would take two fifths of the reading, in
    each process, and much of every later search."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(*SEARCHES)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest is begun first."""
    if os.environ.get("PARLOUR_FAULTS") == "full":
        items[:] = longest_first(items, minutes_of)
    else:
        scopes = [distribution.scope(item.nodeid) for item in items]
        place = {name: number for number, name in enumerate(distribution.in_order(dict.fromkeys(scopes)))}
        items.sort(key=lambda item: place[distribution.scope(item.nodeid)])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """What a trial measured of promises about time goes with its report, also when it failed; and one that failed while
    the machine kept hubs from their store is run again."""
    pace.figures.clear()
    watch = stalls.Watch()
    try:
        return (yield)
    except Exception as failure:
        if isinstance(failure, NotProvoked) or item.get_closest_marker(stalls.MARK):
            raise
        if disturbance := watch.disturbance():
            item.user_properties.append((stalls.PROPERTY, f"{disturbance} ({type(failure).__name__} came of it)"))
            raise NotProvoked(f"the machine stalled, {disturbance}") from failure
        raise
    finally:
        item.user_properties += [("took", said) for _, said in pace.figures.values()]
