"""Sentences: one English original, values put in at the edge, in the reader's language."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.text import N_, Text, text, translator

GERMAN = {"{name} won.": "{name} hat gewonnen.", "It is {who}'s turn: {what}": "{what}: {who} ist dran"}


def german(message: str) -> str:
    return GERMAN.get(message, message)


def test_values_fill_the_places() -> None:
    assert text(N_("{name} won."), name="Ana").render() == "Ana won."
    assert str(text("{name} won.", name="Ana")) == "Ana won."


def test_the_original_is_the_key_of_the_catalogue() -> None:
    assert text("{name} won.", name="Ana").render(german) == "Ana hat gewonnen."
    assert Text("Nobody won.").render(german) == "Nobody won."


def test_a_text_in_a_text_is_in_the_same_language() -> None:
    inner = text("{name} won.", name="Ana")
    outer = text("It is {who}'s turn: {what}", who="Bea", what=inner)
    assert outer.render(german) == "Ana hat gewonnen.: Bea ist dran"
    assert outer.render() == "It is Bea's turn: Ana won."


@given(st.text())
def test_a_value_is_never_read_as_a_template(value: str) -> None:
    """I8: a name with braces is a name with braces."""
    assert text("{name} won.", name=value).render() == f"{value} won."
    assert text("{name} won.", name=text("{inner}", inner=value)).render() == f"{value} won."


def test_braces_and_attributes_in_values_stay_as_they_are() -> None:
    for value in ("{name}", "{0}", "{name.__class__}", "{{", "}", "%s", "$name"):
        assert str(text("{name} won.", name=value)) == f"{value} won."


def test_without_values_nothing_is_filled_in() -> None:
    assert Text("Use { and } as you like: {x}").render() == "Use { and } as you like: {x}"


def test_a_language_without_a_catalogue_is_english() -> None:
    assert translator("xx")("{name} won.") == "{name} won."
    assert translator("../../etc")("Nobody won.") == "Nobody won."
