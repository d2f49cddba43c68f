"""One act has one word, in all four front ends, in the help and in the server's sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from client.plain import reports
from client.plain.words import WORDS
from client.shown import story
from client.shown.actions.controls import BY_ACTION, CONTROLS
from client.shown.model import Model
from client.shown.words.lobby import EMPTY, LOOK, OPENING, Row, Way, waiting_text
from client.terminal.screens import lobby_screen
from client.window.parts import lobby_view, words
from server.match import sentences
from tests.client.refereed import Refereed
from tests.driver import ROOT

PAGE = "".join(
    one.read_text(encoding="utf-8") for one in sorted((ROOT / "client" / "web" / "texts" / "en").glob("*.js"))
)
ACTIONS = dict(
    re.findall(r'^    (\w+): "(.+)",$', PAGE.partition("\n  actions: {")[2].partition("\n  },")[0], re.MULTILINE)
)
PAGE_END = dict(
    re.findall(r'^    (\w+): "(.+)",$', PAGE.partition("\n  end: {")[2].partition("\n  },")[0], re.MULTILINE)
)
OTHER_WORDS = re.compile(
    r"\b(?:g[ia]ve[sn]? up|giving up|resign\w*|undo|begin anew|starts? again|new start"
    r"|go(?:es)? back to (?:a|which) \w+"
    r"|(?:take|took|taken)s? (?:the|your) match back|create (?:a|the) match|new match)\b",
    re.IGNORECASE,
)
"""For surrender, take back, restart, revert, cancel and host."""
PLAIN = {
    "give_up": "surrender", "takeback": "takeback", "restart": "restart", "revert": "revert", "cancel": "cancel",
    "new": "host", "load": "load", "draw": "draw", "rematch": "rematch", "pause": "pause", "continue": "continue",
    "withdraw": "withdraw", "accept": "accept", "decline": "decline", "save": "save", "say": "say", "watch": "watch",
    "open": "join", "quick": "quick",
}  # fmt: skip
"""Each action's word in the plain client."""


def told() -> Iterator[str]:
    """All that people read about these acts."""
    for control in CONTROLS:
        yield from (control.label, words.label(control), control.help)
    for word in WORDS:
        yield from (word.usage, word.help)
    yield from (*story.OFFERS.values(), *sentences._ENDINGS.values())
    yield from (one or other for one, other in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', PAGE))


@pytest.mark.parametrize("action", sorted(ACTIONS.keys() & BY_ACTION.keys()))
def test_a_button_has_the_same_word_in_terminal_window_and_page(action: str) -> None:
    control = BY_ACTION[action]
    word = control.label.casefold()
    assert word in ACTIONS[action].casefold()
    assert word in words.label(control).casefold()


def test_playing_once_more_with_nobody_else_is_called_so_everywhere() -> None:
    """Issue 14, 17: against the computer, and for two at one screen, there is no other opponent to be found."""
    control = BY_ACTION["again"]
    alone = [Refereed(both=True), Refereed("checkers", computer=True, joined=False, level="hard")]
    for match in alone:
        assert control.called(match.model()).casefold() in PAGE_END["againSame"].casefold()
    assert control.called(Refereed().model()).casefold() in PAGE_END["again"].casefold()


def test_a_move_that_is_not_sent_is_let_go_of_everywhere() -> None:
    """Issue 14, 17: one that is planned, and one that waits to be confirmed."""
    assert f'letGo: "{BY_ACTION["unplan"].label}"' in PAGE


@pytest.mark.parametrize(("action", "typed"), PLAIN.items())
def test_what_is_typed_is_the_word_on_the_button(action: str, typed: str) -> None:
    assert typed in {word.name for word in WORDS}
    assert BY_ACTION[action].label.casefold().replace(" ", "") == typed


def test_no_act_is_called_otherwise() -> None:
    assert [said for said in told() if OTHER_WORDS.search(said)] == []


def test_opening_a_match_of_the_lobby_is_called_the_same_everywhere() -> None:
    """In terminal, window and page; the plain client says it in its sentence."""
    for word, key in ((LOOK, "look"), *((OPENING[way], way.name.lower()) for way in Way)):
        assert f'{key}: "{word}"' in PAGE
    ended = Row("a", Way.RESUME, "Square", "", "Ben", "you won", "", act="forget", is_over=True)
    assert (ended.opening, replace(ended, is_over=False).opening) == (LOOK, OPENING[Way.RESUME])
    assert LOOK.lower() in reports._row(ended)
    assert OPENING[Way.RESUME].lower() in reports._row(replace(ended, is_over=False))


def test_an_empty_lobby_is_told_in_one_sentence() -> None:
    """In terminal, window and page; the other screens' line about the lobby says the same."""
    assert f'empty: "{EMPTY}"' in PAGE
    assert waiting_text(Model(lobby=())) == EMPTY
    for screen in (lobby_screen._EMPTY[0], lobby_view._EMPTY[:1]):
        assert any(EMPTY in str(part) for part in screen)
