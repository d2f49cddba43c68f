"""Which trials `make faults` runs, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.faults import __main__ as command
from tests.faults.trial.collector import Collector, closing_lines
from tests.faults.trial.schedule import longest_first
from tests.faults.trial.table import PROPERTY, Row

FILES = {"clocks": [Path("test_clocks.py")], "seats": [Path("faults/test_seats.py"), Path("hub/test_seats.py")]}


def test_all_files_with_trials_are_parts() -> None:
    known = command.parts()
    assert {"clocks", "kills", "slow_readers", "adversity"} <= known.keys()
    assert len(known["seats"]) == 2
    assert "table" not in known, "a file without trials"


def test_a_part_is_all_files_of_its_name_and_none_means_all() -> None:
    assert command.chosen(["seats", "seats"], FILES) == FILES["seats"]
    assert command.chosen([], FILES) == [*FILES["clocks"], *FILES["seats"]]


@pytest.mark.parametrize(("name", "hint"), [("clock", "Did you mean clocks? "), ("xyz", "")])
def test_a_part_that_is_none_is_told_with_those_there_are(
    name: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="there is no part"):
        command.chosen([name], FILES)
    assert command.main([name]) == pytest.ExitCode.USAGE_ERROR
    assert f"there is no part '{name}'. {hint}There are: adversity, " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("minutes", "order"),
    [
        ([0, 0, 0], [0, 1, 2]),
        ([0, 1, 0, 3, 0, 2, 0], [3, 0, 5, 2, 1, 4, 6]),
        ([1, 2, 3], [2, 1, 0]),
        ([1, 0], [0, 1]),
    ],
)
def test_long_ones_are_begun_first_each_before_a_quick_one(minutes: list[int], order: list[int]) -> None:
    assert longest_first(range(len(minutes)), lambda item: minutes[item]) == order


@pytest.mark.parametrize(
    ("statuses", "too_few", "status"),
    [
        ([0, 0], False, 0),
        ([0, 1], False, 1),
        ([2, 1], False, 2),
        ([5, 0], False, 0),
        ([5, 5], False, 5),
        ([0, 0], True, 1),
    ],
)
def test_the_status_of_two_runs(statuses: list[int], too_few: bool, status: int) -> None:
    """Ends with 5 when no trial was there in either."""
    assert command.judged(statuses, too_few) == status


def test_what_stands_below_the_table() -> None:
    assert closing_lines([], 0) == []
    assert closing_lines([], 1)[-1] == "That is fewer than the 1 that were asked for: the run has failed."
    assert closing_lines([Row("K1 hub killed", 3)], 1)[-1] == "3 faults injected"


def test_a_run_that_is_broken_off_has_told_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Interrupted a second time, pytest does not sum up any more; and what is killed sums up nothing."""
    file = tmp_path / "table"
    monkeypatch.setenv(command.FORM, "")
    monkeypatch.setenv(command.TABLE, str(file))

    def interrupted(words: Sequence[str], plugins: Sequence[Collector]) -> int:
        for times in (2, 3):
            row = Row("K1 hub killed", times, trial=str(times), lost=0, doubled=0, reordered=0).plain()
            plugins[0].pytest_runtest_logreport(
                pytest.TestReport(
                    str(times), ("", 0, ""), {}, "passed", None, "teardown", user_properties=[(PROPERTY, row)]
                )
            )
            assert f"{5 if times == 3 else 2} faults injected" in file.read_text()
        raise KeyboardInterrupt

    monkeypatch.setattr(pytest, "main", interrupted)
    assert command.main(["clocks"]) == pytest.ExitCode.INTERRUPTED
    assert capsys.readouterr().out.endswith("\nfaults\n" + file.read_text())
