"""A hint on screen: told in words and marked on the board, for as long as its position is there; in every front end."""

from __future__ import annotations

import pytest

from client.conversation.events import Sent, Settled
from client.plain.intents import Said
from client.plain.telling import tell
from client.plain.words import understand
from client.shown.actions.controls import BY_ACTION, is_enabled
from client.shown.board.scene import Hints, fit, scene
from client.shown.model import Model, update
from client.terminal.drawing.layout import choose_layout
from client.terminal.drawing.raster import raster, text_of
from client.window.drawing.shapes import Box, Rect, Shape, Stroke
from client.window.drawing.theme import Ink
from client.window.parts.board import Look, board_shapes, view_of
from protocol.messages import Analysis, Hint, Snapshot
from server.match.commands import Abandon
from tests.client.positions import snapshot, squares_board
from tests.client.refereed import Refereed


def asked(model: Model) -> Hint:
    assert model.match is not None
    return Hint(ref="h", match=model.match.match, version=model.match.version)


def told(model: Model, move: str, *, less: bool = False) -> Settled:
    match = model.match
    assert match is not None
    answer = Analysis(
        ref="h", match=match.match, version=match.version, ply=match.plies, plies=match.plies, to_move=0, move=move,
        text="gives nothing away", less=less,
    )  # fmt: skip
    return Settled(asked(model), answer)


@pytest.fixture
def game() -> Refereed:
    return Refereed("dots-and-boxes", computer=True, joined=False)


def test_it_is_told_and_marked_until_the_next_move(game: Refereed) -> None:
    model = game.model()
    hinted = update(model, told(model, "a1-b1"))
    assert (hinted.hinted, hinted.notice.text) == ("a1-b1", "Hint: a1-b1 gives nothing away.")
    assert tell(model, hinted, told(model, "a1-b1")) == ["Hint: a1-b1 gives nothing away."]
    for event in game.play("a1-b1"):
        hinted = update(hinted, event)
    assert hinted.hinted == ""


def test_its_mark_goes_with_the_end_of_the_match(game: Refereed) -> None:
    model = game.model()
    hinted = update(model, told(model, "a1-b1"))
    for event in game.do("ada", Abandon()):
        hinted = update(hinted, event)
    assert (hinted.match is not None and hinted.match.status, hinted.hinted) == ("ended", "")


def test_it_is_said_that_a_smaller_budget_was_used(game: Refereed) -> None:
    model = game.model()
    assert update(model, told(model, "a1-b1", less=True)).notice.text.startswith("Hint, found in haste: a1-b1 ")


def test_one_that_comes_too_late_is_dropped(game: Refereed) -> None:
    model = game.model()
    late = told(model, "a1-b1")
    for event in game.play("b1-c1"):
        model = update(model, event)
    assert update(model, late).hinted == ""


def test_the_key_is_there_against_the_computer_alone(game: Refereed) -> None:
    control = BY_ACTION["hint"]
    assert is_enabled("hint", game.model())
    people = Refereed("dots-and-boxes").model()
    assert not control.is_seen(people)
    for event in game.play("a1-b1"):
        assert event
    thinking = game.model()
    assert (control.is_seen(thinking), control.enabled(thinking)) == (True, False)


def test_one_is_asked_for_at_a_time(game: Refereed) -> None:
    model = game.model()
    waits = update(model, Sent(asked(model)))
    assert not is_enabled("hint", waits)
    assert is_enabled("hint", update(waits, told(model, "a1-b1")))


def test_plain_words_ask_for_it(game: Refereed) -> None:
    model = game.model()
    assert understand(Said(("hint",), model, lambda: "h")) == asked(model)


def advised(match: Snapshot, move: str) -> set[str]:
    shapes = scene(match, fit(match.board, 400, 400), Hints(advised=move))
    return {shape.id for shape in shapes if shape.advised}


def test_its_line_or_its_cells_are_marked() -> None:
    assert advised(snapshot(), "a1-b1") == {"a1-b1"}
    assert advised(snapshot(squares_board()), "11-15") == {"11", "15"}
    assert advised(snapshot(), "") == set()


def test_it_is_seen_in_the_terminal_without_colour() -> None:
    match = snapshot()
    layout = choose_layout(match.board, 0, 0)
    drawn = text_of(raster(scene(match, layout.view, Hints(advised="a1-b1", shows_legal=False)), layout))
    assert any("•╍╍╍•" in row for row in drawn)
    squares = snapshot(squares_board())
    layout = choose_layout(squares.board, 60, 26)
    text = "".join(text_of(raster(scene(squares, layout.view, Hints(advised="11-15")), layout)))
    assert (text.count("»"), text.count("«")) == (2, 2)


def test_it_is_seen_in_the_window() -> None:
    for match, move, kind, more in ((snapshot(), "a1-b1", Stroke, 1), (snapshot(squares_board()), "11-15", Box, 2)):
        view = view_of(match, Rect(0, 0, 600, 600))
        drawn, plain = (board_shapes(match, view, Look(advised=what)) for what in (move, ""))

        def marks(found: list[Shape], kind: type[Stroke | Box] = kind) -> int:
            colours = [one.colour if isinstance(one, Stroke) else one.border for one in found if isinstance(one, kind)]
            return colours.count(Ink.TICK)

        assert marks(drawn) == marks(plain) + more
