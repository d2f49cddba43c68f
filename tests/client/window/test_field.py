"""A line of text that is being typed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.window.hands.field import Field

KEYS = ["backspace", "delete", "left", "right", "home", "end", "ctrl+u"]


def test_typing_goes_in_where_the_cursor_is() -> None:
    field = Field.holding("Ada", 20)
    for key in ("left", "left"):
        pressed = field.pressed(key)
        assert pressed is not None
        field = pressed
    field = field.typed("n")
    assert (field.text, field.at) == ("Anda", 2)


def test_what_cannot_be_seen_is_left_out_and_what_is_too_much() -> None:
    """H16: no control codes."""
    assert Field(most=6).typed("a\x1b[2J\n\u202ebc").text == "a[2J b"
    assert Field(most=3).typed("abcdef").text == "abc"


def test_a_key_that_edits_nothing_is_somebody_elses() -> None:
    assert Field().pressed("enter") is None
    assert Field().pressed("f2") is None


@given(st.lists(st.sampled_from(KEYS) | st.text(max_size=4).map(lambda text: f"type:{text}"), max_size=30))
def test_whatever_is_pressed_the_cursor_stays_in_the_text(keys: list[str]) -> None:
    field = Field(most=10)
    for key in keys:
        after = field.typed(key[5:]) if key.startswith("type:") else field.pressed(key)
        assert after is not None
        field = after
        assert 0 <= field.at <= len(field.text) <= 10
