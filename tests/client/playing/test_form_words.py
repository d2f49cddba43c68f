"""The form for a match has the same words, clocks and times on the page as in the Python clients."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from client.playing import form_words, new_match
from tests.driver import ROOT

WEB = ROOT / "client" / "web"
WORDS = (WEB / "texts" / "en" / "form.js").read_text(encoding="utf-8")
CHOICE = (WEB / "shown" / "choice.js").read_text(encoding="utf-8")


def told(name: str) -> Any:
    """The value of that name in the page's words."""
    found = re.search(rf"^  {name}: (\{{\n.*?\n  \}}|[\[{{].*?[\]}}]),\n", WORDS, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    named = re.sub(r"^\s*(\w+):", r'"\1":', re.sub(r"([{,] )(\w+):", r'\1"\2":', found[1]), flags=re.MULTILINE)
    return json.loads(re.sub(r",(\s*[\]}])", r"\1", named))


@pytest.mark.parametrize("name", ["rows", "opponents"])
def test_each_row_has_the_same_label_and_sentence(name: str) -> None:
    ours = {"rows": form_words.ROWS, "opponents": form_words.OPPONENTS}[name]
    assert {key: tuple(words) for key, words in told(name).items()} == ours


def test_each_value_is_called_the_same() -> None:
    assert told("clocks") == form_words.CLOCKS
    assert {against: tuple(both) for against, both in told("begins").items()} == form_words.BEGINS
    assert tuple(told("watch")) == form_words.WATCH
    assert f'ownSize: "{form_words.OWN_SIZE}"' in WORDS
    assert f'notLater: "{form_words.NOT_LATER}"' in WORDS
    assert form_words.changed_text(2) == "More (2 changed)"
    assert "`More (${count} changed)`" in WORDS


@pytest.mark.parametrize("name", ["MOVE_TIMES_S", "TOTALS_S", "INCREMENTS_S", "GRACES_S", "DELAYS"])
def test_there_are_the_same_times_to_choose_from(name: str) -> None:
    found = re.search(rf"const {name} = (\[.*?\]);", CHOICE)
    assert found is not None
    assert tuple(json.loads(found[1])) == getattr(new_match, name)


def test_the_same_clocks_are_ready() -> None:
    ready = dict(re.findall(r'^  \["([^"]+)", rule\((\d+, \d+, \d+)\)\],$', CHOICE, re.MULTILINE))
    assert {name: tuple(int(part) * 1000 for part in rule.split(", ")) for name, rule in ready.items()} == {
        name: (rule.per_move_ms, rule.total_ms, rule.increment_ms) for name, rule in new_match.CLOCKS.items()
    }
