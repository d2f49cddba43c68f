"""Text from outside is harmless (`H16`)."""

from __future__ import annotations

import unicodedata

import pytest

from client.terminal.drawing.plain import cleaned, content, plain
from protocol.messages import Refused
from tests.client.positions import DOTS_INFO, snapshot

HOSTILE = "\x1b[31mred\x1b]0;title\x07\r\b\x9b2J\u202eright\u2066to left\u200bzero\x00"


@pytest.mark.parametrize("text", ["Ada", "Zoë", "名前", "a [bold]b[/bold]", "🎲", "שלום"])
def test_what_is_harmless_stays(text: str) -> None:
    assert plain(text) == text


def test_controls_and_what_turns_text_are_gone() -> None:
    found = plain(HOSTILE)
    assert found == "[31mred]0;title2Jrightto leftzero"
    assert all(unicodedata.category(character)[0] != "C" for character in found)


def test_line_breaks_become_spaces_or_stay() -> None:
    assert plain("a\nb\tc\r") == "a b c"
    assert plain("a\nb\tc\r", keep_lines=True) == "a\nb c"


def test_every_string_of_a_notification_is_cleaned() -> None:
    dirty = Refused(ref="r", code="c\x1b", text=HOSTILE, data={"k\x07": ["\x1b[2J", {"deep": "\x9b"}]})
    clean = cleaned(dirty)
    assert clean.code == "c"
    assert clean.data == {"k": ["[2J", {"deep": ""}]}
    assert "\x1b" not in clean.text


def test_a_harmless_notification_is_unchanged() -> None:
    match = snapshot()
    assert cleaned(match) == match
    assert DOTS_INFO.help.count("\n\n") == 1


def test_markup_is_text() -> None:
    assert content("[bold]x[/]").plain == "[bold]x[/]"
    assert content("[bold]x[/]", "red").plain == "[bold]x[/]"
