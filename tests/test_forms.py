"""Nothing has a full form that no target of the Makefile runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MARKS = {
    "make faults": (r"PARLOUR_FAULTS|import .*\b(rounds|times)\b", r"mark\.faults"),
    "make fuzz": (r"PARLOUR_FUZZ|\bFUZZ\b", r"mark\.fuzz|@given"),
    "make screens": (r"PARLOUR_SCREENS|\bSCREENS\b", r"mark\.screens"),
}
"""By target: what in a file says that it has a full form there, and what in it has the target run it."""


@pytest.mark.parametrize("target", MARKS)
def test_each_full_form_is_run_by_its_target(target: str) -> None:
    has_one, is_run = (re.compile(pattern) for pattern in MARKS[target])
    files = {path: path.read_text() for path in TESTS.rglob("test_*.py") if path != Path(__file__)}
    with_one = {path for path, text in files.items() if has_one.search(text)}
    assert with_one
    assert [str(path) for path in with_one if not is_run.search(files[path])] == []


def test_the_page_has_its_full_form_in_its_own_folder() -> None:
    """`make browsers` runs that folder alone."""
    inside = TESTS / "browser"
    files = (path for path in TESTS.rglob("test_*.py") if path != Path(__file__) and inside not in path.parents)
    assert [str(path) for path in files if "PARLOUR_BROWSERS" in path.read_text()] == []
