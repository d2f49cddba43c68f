"""What people wrote reaches an operator's terminal as text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.admin.saying import harmless
from tests.nasty import LINES


@pytest.mark.parametrize("line", LINES, ids=ascii)
def test_a_line_does_nothing_to_a_terminal(line: str) -> None:
    """Q19: names, and moves of a log, as an operator prints them."""
    assert harmless(line).replace("\n", "").isprintable()
    if line.isprintable():
        assert harmless(line) == line


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_json_stays_what_it_was(text: str) -> None:
    """Q19: the log and the export can still be read by a program."""
    assert json.loads(harmless(json.dumps({"name": text}, ensure_ascii=False))) == {"name": text}
