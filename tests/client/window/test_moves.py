"""Beside the board in the window: the moves in two numbered columns that can be clicked, and the chat apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.conversation.events import Settled
from client.shown.model import Link, Model, update
from client.shown.story import Happening
from client.shown.words.move_list import Cell
from client.window.drawing.lettering import width
from client.window.drawing.shapes import Picture, Text
from client.window.hands.inputs import Key, Pressed, Released
from client.window.intents import Intent, StepTo
from client.window.parts.moves_view import CHAT, LOOK, TAB
from client.window.parts.side import SAY
from client.window.screens.match_screen import MatchScreen
from protocol.messages import GetRecord
from server.match.views import record
from tests.client.refereed import ENGLISH, Refereed, infos

SIZES = [(640, 480), (600, 900), (1024, 720), (3840, 2160)]


def played(moves: int) -> Model:
    match = Refereed("ultimate-dots-and-boxes")
    model = update(Model(link=Link.UP, name="Ada", games=infos()), match.snapshot())
    for _ in range(moves):
        for event in match.play():
            model = update(model, event)
    return model


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def click(screen: MatchScreen, model: Model, size: tuple[int, int], action: str, value: str) -> list[Intent]:
    found = next(t for t in screen.picture(model, size, 9.0).targets if (t.action, t.value) == (action, value))
    screen.take(Pressed(*found.rect.centre), model, size, 9.0)
    return screen.take(Released(*found.rect.centre), model, size, 9.0)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_moves_stand_in_two_columns_and_lead_to_their_positions(size: tuple[int, int]) -> None:
    screen, model = MatchScreen(), played(40)
    picture = screen.picture(model, size, 9.0)
    cells = [target for target in picture.targets if target.action == LOOK]
    assert [int(cell.value) for cell in cells][-1] == 40
    assert len({cell.rect.x for cell in cells}) == 2
    for cell in cells:
        move = model.moves[int(cell.value) - 1]
        (shown,) = [
            shape for shape in picture.shapes
            if isinstance(shape, Text) and shape.text in Cell(0, move.move, move.gains).texts
            and cell.rect.holds(*shape.rect.centre)
        ]  # fmt: skip
        assert width(shown.text, shown.size, shown.face) <= shown.rect.width + 1
    assert click(screen, model, size, LOOK, cells[0].value) == [StepTo(int(cells[0].value))]
    assert click(screen, model, size, "start", "") == [StepTo(0)]
    looking = replace(model, step=3)
    assert "3" in {target.value for target in screen.picture(looking, size, 9.0).targets if target.action == LOOK}
    assert click(screen, looking, size, "live", "") == [StepTo(40)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_who_comes_back_reads_what_each_move_brought(size: tuple[int, int]) -> None:
    match = Refereed()
    for move in ("a1-b1", "a1-a2", "a2-b2", "b1-b2"):
        match.play(move)
    model = update(Model(link=Link.UP, name="Ada", games=infos()), match.snapshot())
    asked = GetRecord(ref="r", match="m1")
    model = update(model, Settled(asked, record(match.match, ENGLISH, asked.ref)))
    assert {"b1-b2 (+1)", "b1-b2 +1"} & set(texts(MatchScreen().picture(model, size, 9.0)))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_talk_is_apart_and_marked_until_it_is_seen(size: tuple[int, int]) -> None:
    screen, model = MatchScreen(), played(6)
    line = Happening("Ben: “Good luck!”", 1, is_said=True)
    model = replace(model, chat=(line,), unread=1)
    assert " ●1" in texts(screen.picture(model, size, 9.0))
    click(screen, model, size, TAB, CHAT)
    assert screen.shows_chat
    shown = texts(screen.picture(model, size, 9.0))
    assert any("Good luck!" in text for text in shown)
    assert " ●1" not in shown
    screen.take(Key("comma"), model, size, 9.0)
    assert not screen.shows_chat
    screen.take(Key("slash"), model, size, 9.0)
    screen.picture(model, size, 9.0)
    assert screen.pointer.focus == ("field", SAY)
    assert screen.shows_chat
