"""Challenges in the window: whom, from the lobby; answered over every screen, by mouse and keys. At every size."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from client.playing.new_match import Choice
from client.shown.model import Link, Model, update
from client.window.drawing import lettering
from client.window.drawing.shapes import Text
from client.window.hands.inputs import Input, Key, Pressed, Released
from client.window.intents import Act, Ask, Intent
from client.window.parts.challenge_bar import WHOM
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.match_screen import MatchScreen
from client.window.screens.screen import Screen
from client.window.sounding import Sound, sound_of
from protocol.messages import LobbyState
from tests.client.positions import DOTS_INFO, snapshot
from tests.client.shown.test_challenges import told
from tests.client.window.test_margins import outside

SIZES = [(640.0, 480.0), (600.0, 900.0), (1120.0, 760.0), (3840.0, 2160.0)]
UP = update(
    replace(Model(), link=Link.UP, name="Ada", games={"dots-and-boxes": DOTS_INFO}, server_minus_now_ms=0.0),
    LobbyState(matches=(), people=("Ada", "Ben", "Cy"), here=3),
)


def click(screen: Screen, model: Model, size: tuple[float, float], action: str, value: str = "") -> list[Intent]:
    """Press and release on the target."""
    targets = screen.shown(model, size, 0.0).targets
    x, y = next(one.rect.centre for one in reversed(targets) if (one.action, one.value) == (action, value))
    given: tuple[Input, ...] = (Pressed(x, y), Released(x, y))
    return [intent for one in given for intent in screen.take(one, model, size, 0.0)]


@pytest.mark.parametrize("size", SIZES)
def test_somebody_who_is_here_is_challenged(size: tuple[float, float]) -> None:
    screen = LobbyScreen(Choice())
    assert click(screen, UP, size, "challenge") == []
    assert click(screen, UP, size, "mute_challenges") == [Act("mute_challenges")]
    assert click(screen, UP, size, WHOM, "Cy") == []
    texts = {shape.text for shape in screen.shown(UP, size, 0.0).shapes if isinstance(shape, Text)}
    assert "Challenge Cy" in texts
    (asked,) = click(screen, UP, size, "submit")
    assert isinstance(asked, Ask)
    assert (asked.name, asked.choice.game) == ("Cy", "dots-and-boxes")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("where", ["lobby", "match", "end"])
def test_a_challenge_is_answered_over_every_screen(where: str, size: tuple[float, float]) -> None:
    model = update(UP, told(by="Wilhelmina the Elder"))
    screen: Screen = LobbyScreen(Choice()) if where == "lobby" else MatchScreen()
    if where != "lobby":
        model = replace(model, match=snapshot(status="ended" if where == "end" else "playing"))
    picture = screen.shown(model, size, 0.0)
    texts = [shape for shape in picture.shapes if isinstance(shape, Text)]
    first = next(at for at, shape in enumerate(texts) if shape.text.startswith("Wilhelmina"))
    lines = texts[first:]
    assert all(lettering.width(one.text, one.size, one.face) <= one.rect.width + 0.5 for one in lines), "whole"
    said = " ".join(one.text for one in lines)
    assert re.match(r"Wilhelmina the Elder challenges you \(\d+ s\): Dots and Boxes, 3\+2, you go second", said), said
    assert not outside(picture, size)
    assert picture.due is not None
    assert picture.due <= 1.0
    assert click(screen, model, size, "accept_challenge") == [Act("accept_challenge")]
    assert screen.take(Key("f8"), model, size, 0.0) == [Act("decline_challenge")]
    own = update(UP, told(mine=True))
    assert click(screen, replace(own, match=model.match), size, "withdraw_challenge") == [Act("withdraw_challenge")]
    assert screen.shown(UP, size, 0.0) == screen.picture(UP, size, 0.0) if where == "lobby" else True


def test_one_hears_of_a_challenge_and_of_who_sits_down() -> None:
    assert sound_of(UP, update(UP, told())) is Sound.TURN
    waiting = replace(UP, match=snapshot(status="waiting"))
    assert sound_of(waiting, replace(UP, match=snapshot(to_move=1))) is Sound.TURN
