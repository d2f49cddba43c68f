"""The end of a test run that had fault trials: how often each provoked its situation, and the table of faults.

It stands here because the process that prints the summary loads no `conftest.py` further down when others run the
tests.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.faults import table
from tests.faults.table import Row

COLLECTOR = "faults"

# How long one example takes says something of the machine's other work, and nothing of ours.
settings.register_profile("parlour", deadline=None)
settings.load_profile("parlour")


class Collector:
    """What the reports of this run say of faults."""

    def __init__(self, config: pytest.Config) -> None:
        self._least: int = config.getoption("--least-faults")
        self.rows: list[Row] = []
        self.provoked: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test recorded; its last report has all of it."""
        if report.when != "teardown":
            return
        for name, value in report.user_properties:
            if name == "provoked":
                self.provoked.append(f"{report.nodeid.rpartition('::')[2]}: {value}")
            elif name == table.PROPERTY and isinstance(value, dict):
                self.rows.append(Row(**value))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Too few faults are no proof: the run has failed."""
        if self._too_few() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print it, and write the table to the file that PARLOUR_FAULT_TABLE names."""
        if self.provoked:
            terminalreporter.section("provoked")
            for line in self.provoked:
                terminalreporter.write_line(line)
        if self.rows or self._too_few():
            lines = [*table.render(self.rows), "", f"{table.injected(self.rows)} faults injected"]
            if self._too_few():
                lines.append(f"That is fewer than the {self._least} that were asked for: the run has failed.")
            terminalreporter.section("faults")
            for line in lines:
                terminalreporter.write_line(line)
            if name := os.environ.get("PARLOUR_FAULT_TABLE"):
                Path(name).write_text("\n".join(lines) + "\n")

    def _too_few(self) -> bool:
        return table.injected(self.rows) < self._least


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many faults a run must have injected."""
    parser.addoption("--least-faults", type=int, default=0, metavar="N", help="fail when fewer faults were injected")


def pytest_configure(config: pytest.Config) -> None:
    """Collect where the reports come together: in the only process, or in the one that others report to."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Collector(config), COLLECTOR)
