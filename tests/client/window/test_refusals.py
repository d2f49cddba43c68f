"""Where a refused move is told: near the place that it is about, whatever hand made it."""

from __future__ import annotations

import pytest

from client.shown.board.cursor import places
from client.shown.board.picking import NOT_YOURS, NOTHING_THERE
from client.shown.model import Model, update
from client.window.drawing.shapes import Box, Rect, Text
from client.window.drawing.theme import Ink
from client.window.hands.inputs import Key, Left, Moved, Pressed, Released
from client.window.intents import InVain, Play
from client.window.parts.match_view import layout
from client.window.screens.match_screen import TOLD_S, MatchScreen
from protocol.board import Tone
from protocol.messages import Refused
from tests.client.refereed import Refereed

SIZES = [(640.0, 480.0), (1024.0, 720.0), (700.0, 1000.0)]
NO = Refused(ref="", code="diagonal", text="No.")


def at_board(size: tuple[float, float]) -> tuple[MatchScreen, Model]:
    """A screen that shows a match, with the first move to be made here."""
    screen, model = MatchScreen(), Refereed().model()
    screen.picture(model, size, 0.0)
    return screen, model


def place(screen: MatchScreen, model: Model, size: tuple[float, float], element: str) -> tuple[float, float]:
    """Where a dot, or the middle of a line, is."""
    match = model.match
    assert match is not None
    dots = {dot.id: (dot.x, dot.y) for dot in match.board.dots}
    view = layout(screen.sheet(size), screen.seen(0.0), model).view
    return view.place(*(dots | places(match.board))[element])


def told(screen: MatchScreen, model: Model, size: tuple[float, float], now: float) -> Rect | None:
    """The box of the sentence on the board."""
    found = [s.rect for s in screen.picture(model, size, now).shapes if isinstance(s, Box) and s.border is Ink.BAD]
    return found[0] if found else None


def is_near(rect: Rect | None, at: tuple[float, float]) -> bool:
    """Whether the box begins or ends not further than a finger's width above or below the place."""
    return rect is not None and min(abs(rect.y - at[1]), abs(rect.bottom - at[1])) < 60 and (
        rect.x - 60 <= at[0] <= rect.right + 60
    )  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_a_refused_move_is_told_where_the_mouse_made_it(size: tuple[float, float]) -> None:
    """DB 7.3.2.1, CK 6.1, HX SR4.1: near the second dot, for a few seconds, and not again."""
    screen, model = at_board(size)
    for dot in ("a1", "b2"):
        x, y = place(screen, model, size, dot)
        screen.take(Pressed(x, y), model, size, 0.0)
        done = screen.take(Released(x, y), model, size, 0.0)
    assert done == [Play("a1-b2")]
    refused = update(model, NO)
    assert is_near(told(screen, refused, size, 1.0), place(screen, model, size, "b2"))
    assert told(screen, refused, size, 1.0 + TOLD_S) is None


@pytest.mark.parametrize("size", SIZES)
def test_a_refused_move_is_told_where_the_keys_made_it(size: tuple[float, float]) -> None:
    """DB 7.3.2.2, DB 8.1: at the cursor, wherever the mouse is."""
    screen, model = at_board(size)
    screen.take(Moved(5, 5), model, size, 0.0)
    for key in ("down", "down", "enter"):
        done = screen.take(Key(key), model, size, 0.0)
    assert len(done) == 1
    assert isinstance(done[0], Play)
    refused = update(model, NO)
    assert is_near(told(screen, refused, size, 1.0), place(screen, model, size, done[0].move))


def test_what_is_no_move_is_refused_beside_the_board_only() -> None:
    """CK 6.1: a refused offer has no place on the board; the line below it says why."""
    size = SIZES[1]
    screen, model = at_board(size)
    screen.act("draw", "", model, 0.0)
    assert told(screen, update(model, NO), size, 1.0) is None


def test_a_mouse_that_leaves_keeps_what_is_picked() -> None:
    """DB 8.1: the first of two dots stays picked, and nothing is held any more."""
    size = SIZES[1]
    screen, model = at_board(size)
    x, y = place(screen, model, size, "a1")
    screen.take(Pressed(x, y), model, size, 0.0)
    screen.take(Released(x, y), model, size, 0.0)
    screen.take(Left(), model, size, 0.0)
    assert screen.hand.picked == ("a1",)
    assert (screen.hand.held, screen.hand.hovered) == (None, None)


def test_a_taken_line_of_square_is_only_hinted_at() -> None:
    """SQ7, RU-SQ4: a click on it is ignored; what is said about it is no warning."""
    size = SIZES[1]
    screen, model = at_board(size)
    x, y = place(screen, model, size, "a1-b1")
    screen.take(Pressed(x, y), model, size, 0.0)
    assert screen.take(Released(x, y), model, size, 0.0) == [Play("a1-b1")]
    hinted = update(model, Refused(ref="", code="taken", text="Drawn already."))
    shown = [s for s in screen.picture(hinted, size, 1.0).shapes if isinstance(s, Text) and "Drawn already." in s.text]
    assert [(s.text, s.colour) for s in shown] == [("Drawn already.", Ink.QUIET)] * 2
    assert told(screen, hinted, size, 1.0) is None


@pytest.mark.parametrize("size", SIZES)
def test_a_square_where_nothing_begins_says_so(size: tuple[float, float]) -> None:
    """A light square of Checkers, or a piece of the other side: no move is sent."""
    screen, model = MatchScreen(), Refereed("checkers").model()
    match = model.match
    assert match is not None
    light = next(cell.id for cell in match.board.cells if cell.tone is Tone.LIGHT)
    theirs = next(id_ for id_, mark in match.marks.items() if mark.seat == 1)
    for element, why in ((light, NOTHING_THERE), (theirs, NOT_YOURS)):
        x, y = place(screen, model, size, element)
        screen.take(Pressed(x, y), model, size, 0.0)
        assert screen.take(Released(x, y), model, size, 0.0) == [InVain(why)]
