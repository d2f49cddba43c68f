"""The table of faults: rows of one fault are one, sums are right, and what was not judged does not look sound."""

from __future__ import annotations

import pytest

from tests.faults.trial.evidence import Fault
from tests.faults.trial.table import Row, injected, percentile, render

pytest_plugins = "pytester"

PLAIN = ("-p", "no:cacheprovider", "-p", "no:schemathesis")
"""Reading the plugin of schemathesis would take longer than all else."""

_SOUND = """
def test_sound(record_property):
    record_property("fault", {"fault": "A3 hub killed", "times": 7})
"""
_BROKEN = """
def test_broken(record_property):
    record_property("fault", {"fault": "A3 hub killed", "times": 5})
    raise AssertionError
"""


def cells(line: str) -> list[str]:
    """The cells of a line behind the name of the fault."""
    return line.split()[-7:]


def test_a_row_takes_the_verdict_and_comes_back_from_plain_values() -> None:
    row = Row("J1 Redis killed", 10, 2, [0.5], "one")
    row.take([Fault("lost", ""), Fault("doubled", ""), Fault("lost", ""), Fault("other", "")])
    assert (row.lost, row.doubled, row.reordered) == (2, 1, 0)
    assert Row(**row.plain()) == row


def test_rows_of_one_fault_are_one_and_the_last_line_has_the_sums() -> None:
    kills = Row("K1 hub killed", 3, 1, [0.1, 0.3], "one", 0, 0, 0)
    more = Row("K1 hub killed", 4, 2, [0.2], "two", 1, 0, 2)
    cuts = Row("J4 subscribers cut", 200, None, [], "three", 0, 1, 0)
    head, _, first, second, _, last = render([kills, cuts, more])
    assert head.startswith("fault")
    assert first.startswith("J4 subscribers cut")
    assert cells(first) == ["200", "-", "0", "1", "0", "-", "-"]
    assert second.startswith("K1 hub killed")
    assert cells(second) == ["7", "3", "1", "0", "2", "0.30", "0.30"]
    assert cells(last) == ["207", "3", "1", "1", "2", "0.30", "0.30"]
    assert injected([kills, cuts, more]) == 207


def test_a_trial_with_two_faults_counts_once_in_the_sums() -> None:
    rows = [Row(fault, 1, 0, [], "one", 2, 0, 0) for fault in ("full", "read-only")]
    lines = render(rows)
    assert [cells(line)[2] for line in (lines[2], lines[3], lines[-1])] == ["2", "2", "2"]


def test_rows_are_in_the_order_of_their_numbers() -> None:
    lines = render([Row(name, 1) for name in ("Q15 b", "Q5 a", "A3 c", "Q5 Q11 d")])
    assert [line.split("  ")[0] for line in lines[2:-2]] == ["A3 c", "Q5 Q11 d", "Q5 a", "Q15 b"]


def test_what_was_not_judged_is_marked() -> None:
    lines = render([Row("a", 1, trial="one"), Row("a", 1, None, [], "two", 1, 0, 0)])
    assert cells(lines[2])[2:5] == ["1?", "0?", "0?"]
    assert cells(lines[-1])[2:5] == ["1?", "0?", "0?"]


@pytest.mark.parametrize(("percent", "value"), [(50, 10), (95, 19), (96, 20), (100, 20), (0, 1)])
def test_percentiles(percent: int, value: int) -> None:
    assert percentile(list(range(20, 0, -1)), percent) == value


def test_a_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 95)


def test_what_another_process_ran_stands_in_the_table_also_of_failed_trials(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests.conftest import *")
    pytester.makepyfile(_SOUND, test_broken=_BROKEN)
    result = pytester.runpytest_subprocess(*PLAIN, "-n", "1")
    result.stdout.fnmatch_lines(["*= faults =*", "fault *", "*", "A3 hub killed*12 *", "*", "all *12 *"])
    result.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(("file", "faults"), [(_SOUND, 7), (_BROKEN, 5)], ids=["sound", "broken"])
def test_the_table_is_printed_and_written_whatever_came_of_the_trials(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, file: str, faults: int
) -> None:
    result, table = _closed(pytester, monkeypatch, file, faults)
    result.stdout.fnmatch_lines(["*= faults =*", "fault *", "*", f"A3 hub killed*{faults} *", "*", f"all *{faults} *"])
    assert table[2].startswith("A3 hub killed")
    assert f"{faults} faults injected" in table


@pytest.mark.parametrize(("least", "status"), [(7, 0), (8, 1)])
def test_too_few_faults_fail_the_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, least: int, status: int
) -> None:
    result, table = _closed(pytester, monkeypatch, _SOUND, least)
    assert result.ret == status
    assert ("That is fewer than the 8 that were asked for: the run has failed." in table) == bool(status)


def _closed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, file: str, least: int
) -> tuple[pytest.RunResult, list[str]]:
    """A run within this process, and the lines of the table's file."""
    written = pytester.path / "table"
    monkeypatch.setenv("PARLOUR_FAULT_TABLE", str(written))
    pytester.makeconftest("from tests.conftest import pytest_addoption, pytest_configure")
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile(file)
    result = pytester.runpytest_inprocess(*PLAIN, "--least-faults", str(least))
    return result, written.read_text().splitlines()
