"""What a test run says of faults: the rows of the table, how often trials provoked their situation, and the load.

`tests/conftest.py` prints it at the end of a run; `make faults` has two runs and prints what both said.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import pytest

from tests import stalls
from tests.faults.trial import table
from tests.faults.trial.table import Row


class Collector:
    """A plugin of the process that all reports come to."""

    def __init__(self, keep: Callable[[Collector], None] | None = None) -> None:
        self._keep = keep
        """Called whenever a trial has added its rows: a run that is broken off has told what it found."""
        self.rows: list[Row] = []
        self.provoked: list[str] = []
        self.times: list[str] = []
        """What was measured of promises about time."""
        self.stalls: list[str] = []
        """Tests that are run again because the machine kept hubs from their store."""
        self.loads: list[float] = []
        """The machine's load whenever a test had ended."""
        self._taken: dict[str, int] = {}
        """How much each test had recorded by its last run: one that is run again goes on where it was."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test recorded; its last report has all of it."""
        if report.when != "teardown":
            return
        self.loads.append(os.getloadavg()[0])
        new = report.user_properties[self._taken.get(report.nodeid, 0) :]
        self._taken[report.nodeid] = len(report.user_properties)
        lists = {"provoked": self.provoked, "took": self.times, stalls.PROPERTY: self.stalls}
        for name, value in new:
            if name in lists:
                lists[name].append(f"{report.nodeid.rpartition('::')[2]}: {value}")
            elif name == table.PROPERTY and isinstance(value, dict):
                self.rows.append(Row(**value))
                if self._keep is not None:
                    self._keep(self)

    def sections(self) -> list[tuple[str, list[str]]]:
        """What is told before the table, each list with its title."""
        disturbed = "run again, for the machine had stalled"
        return [("provoked", self.provoked), ("promises about time", self.times), (disturbed, self.stalls)]


def closing_lines(rows: Sequence[Row], least: int, stalls: int = 0) -> list[str]:
    """The table, the sum, how often a trial was run again because the machine had stalled, and what is missing of
    `least` faults; nothing when there was no fault and none was due."""
    injected = table.injected(rows)
    if not rows and injected >= least:
        return []
    lines = [*table.render(rows), "", f"{injected} faults injected"]
    if stalls:
        lines.append(f"Trials run again because the machine had kept hubs from their store: {stalls}")
    if injected < least:
        lines.append(f"That is fewer than the {least} that were asked for: the run has failed.")
    return lines
