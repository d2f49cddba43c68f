"""T5: the log of a student's game in the window: whole moves where boards are, newest below, scrolling, with search."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from client.conversation.events import Settled
from client.shown import match_log
from client.shown.model import Link, Model, update
from client.window.drawing.shapes import Text
from client.window.hands.inputs import Input, Key, Pressed, Released, Wheeled
from client.window.intents import Copy
from client.window.screens.match_screen import MatchScreen
from protocol.messages import GetRecord
from tests.client.student_game import MATCH, entries, entry, record, shown

SIZES = [(640, 480), (1280, 800), (3840, 2160)]


def watching(log: Sequence[str]) -> Model:
    """The match with this log, watched."""
    log = tuple(log)
    question = GetRecord(ref="r", match=MATCH)
    model = update(Model(link=Link.UP), shown(len(log) - 1, log))
    return update(model, Settled(question, record(question, log, len(log))))


class Screen:
    """The screen in a window of a size, and what is to be read on it."""

    def __init__(self, model: Model, size: tuple[int, int]) -> None:
        self.model, self.size, self.screen = model, size, MatchScreen()

    def take(self, *given: Input) -> None:
        for one in given:
            assert not self.screen.take(one, self.model, self.size, 0.0)

    def press(self, *names: str) -> None:
        self.take(*(Key(name) for name in names))

    @property
    def texts(self) -> list[str]:
        picture = self.screen.picture(self.model, self.size, 0.0)
        return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", SIZES)
def test_t5_the_log_is_whole_newest_below_and_scrolls(size: tuple[int, int]) -> None:
    screen = Screen(watching((*entries(199), entry(200, text="x" * 300 + " its end"))), size)
    assert "200 moves" in screen.texts
    assert 'match_status: "next"' in screen.texts
    assert sum(text.count("x") for text in screen.texts if set(text) <= set('text: "xits end')) >= 300
    assert "200. Bea" in screen.texts
    screen.take(Wheeled(10, 10, steps=4.0))
    newest = screen.texts
    assert "End: the newest move" in newest
    screen.press("home")
    assert "1. Ana" in screen.texts
    screen.press("home", "pagedown", "end")
    assert "200. Bea" in screen.texts


def test_t5_the_log_can_be_searched() -> None:
    screen = Screen(watching((*entries(199), entry(200, piece="Torre"))), (800, 600))
    screen.press("f")
    screen.take(*(Key(letter, letter) for letter in "torre"))
    assert "1 of 200 moves with “torre”" in screen.texts
    assert 'piece: "Torre"' in screen.texts
    assert "199. Ana" not in screen.texts
    screen.press("enter", "escape")
    assert "199. Ana" in screen.texts


def test_t5_a_move_as_long_as_the_gateway_takes_is_drawn() -> None:
    screen = Screen(watching((*entries(1), entry(2, board="ab " * 10_000))), (1280, 800))
    assert any("ab ab" in text for text in screen.texts)
    screen.press("home")
    assert "1. Ana" in screen.texts


@pytest.mark.parametrize("size", SIZES)
def test_t5_the_page_with_both_sides_is_named_and_can_be_copied(size: tuple[int, int]) -> None:
    screen = Screen(watching(entries(20)), size)
    page = screen.screen.link = match_log.page("http://192.168.0.10:7878/", MATCH)
    assert any(text.startswith("Both sides: http://192") for text in screen.texts)
    assert "20. Bea" in screen.texts
    picture = screen.screen.picture(screen.model, size, 0.0)
    target = next(target for target in picture.targets if target.action == "copy")
    x, y = target.rect.x + target.rect.width / 2, target.rect.y + target.rect.height / 2
    screen.take(Pressed(x, y))
    assert screen.screen.take(Released(x, y), screen.model, size, 0.0) == [Copy(page)]
