"""Every code has its own sentence, and every place in a sentence is filled by who raises it."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from protocol.errors import (
    SENTENCES,
    BadMessage,
    BadOption,
    Code,
    IllegalMove,
    MalformedMove,
    ParlourError,
    Refusal,
    StoreUnavailable,
)
from protocol.text import Text

DOCUMENTED = {
    "limit": "the bound that was passed, a number",
    "type": "the name of the message, at most MAX_ID characters",
    "problem": "what is wrong with a field or an option, in words",
    "game": "the name of the game that was asked for",
    "option": "the name of the option",
    "name": "the name of the player who was challenged",
    "move": "the move as it was sent",
    "suggestion": "a name that is free",
    "ply": "the number of the first saved move that does not fit",
    "plies": "how many moves the match has had",
}
"""What may stand in a sentence of `SENTENCES`, and what it is."""

every_code = pytest.mark.parametrize("code", list(Code))


def places(sentence: str) -> set[str]:
    """The named places of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@every_code
def test_every_code_has_a_sentence(code: Code) -> None:
    sentence = SENTENCES[code]
    assert re.search(r"[.']$", sentence), "a sentence ends"
    assert sentence[0].isupper() or sentence[0] == "“"
    assert "\n" not in sentence


def test_no_two_codes_share_a_sentence() -> None:
    assert len(set(SENTENCES.values())) == len(SENTENCES) == len(Code)


@every_code
def test_every_place_is_documented_and_plain(code: Code) -> None:
    for name in places(SENTENCES[code]):
        assert name in DOCUMENTED
        assert name.isidentifier(), "no attribute or index of a value is ever looked up"


@every_code
def test_an_error_renders_with_its_data(code: Code) -> None:
    data: dict[str, Any] = dict.fromkeys(places(SENTENCES[code]), "HERE")
    error = ParlourError(code, **data)
    assert error.code == code.value
    assert str(error).startswith(f"{code.value}: ")
    assert ("HERE" in str(error)) is bool(data)
    assert "{" not in str(error)


def test_codes_are_stable_words() -> None:
    """A code is for programs: lower case, no spaces, the same in every language."""
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in Code)


def test_the_tree() -> None:
    assert {BadMessage, Refusal, StoreUnavailable} == set(ParlourError.__subclasses__())
    assert {MalformedMove, IllegalMove, BadOption} <= set(Refusal.__subclasses__())


def test_moves_and_options_carry_what_they_name() -> None:
    assert str(MalformedMove("zz").text) == "“zz” is not a move in this game."
    assert IllegalMove("a1-b1").data == {"move": "a1-b1"}
    error = BadOption("width", Text("it is a whole number from {low} to {high}", {"low": 2, "high": 15}))
    assert str(error.text) == "The option “width” does not fit: it is a whole number from 2 to 15."


def test_a_game_gives_its_own_words() -> None:
    error = IllegalMove("d4", Text("Invalid Cell Placement"), code="occupied")
    assert (error.code, str(error.text), error.data) == ("occupied", "Invalid Cell Placement", {"move": "d4"})


def test_the_stores_trouble_tells_nothing_of_its_inside() -> None:
    """The reason is for the log; the sentence for a player says only what to do."""
    error = StoreUnavailable("ConnectionError: /run/secret.sock")
    assert error.reason.endswith("secret.sock")
    assert "secret" not in str(error)
    assert not error.data
