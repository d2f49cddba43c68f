"""What a test run says of faults: the rows of the table, how often trials provoked their situation, and the load.

`tests/conftest.py` prints it at the end of a run; `make faults` has two runs and prints what both said.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from tests.faults import table
from tests.faults.table import Row


class Collector:
    """A plugin of the process that all reports come to."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.provoked: list[str] = []
        self.times: list[str] = []
        """What was measured of promises about time."""
        self.loads: list[float] = []
        """The machine's load whenever a test had ended."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test recorded; its last report has all of it."""
        if report.when != "teardown":
            return
        self.loads.append(os.getloadavg()[0])
        for name, value in report.user_properties:
            if name in ("provoked", "took"):
                told = self.provoked if name == "provoked" else self.times
                told.append(f"{report.nodeid.rpartition('::')[2]}: {value}")
            elif name == table.PROPERTY and isinstance(value, dict):
                self.rows.append(Row(**value))


def closing_lines(rows: Sequence[Row], least: int) -> list[str]:
    """The table, the sum, and what is missing of `least` faults; nothing when there was no fault and none was due."""
    injected = table.injected(rows)
    if not rows and injected >= least:
        return []
    lines = [*table.render(rows), "", f"{injected} faults injected"]
    if injected < least:
        lines.append(f"That is fewer than the {least} that were asked for: the run has failed.")
    return lines
