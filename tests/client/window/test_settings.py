"""The window's settings: one screen, each choice holds at once and is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.conversation.events import Planned
from client.kept.identity import take_identity
from client.kept.settings import BoardColours, Settings, Theme, load_settings
from client.shown.model import Link, Model, update
from client.start.launch import Launch
from client.window.application import Application
from client.window.drawing.shapes import Text
from client.window.hands.inputs import Key, Pressed, Released
from client.window.intents import Act, Play
from client.window.screens.match_screen import MatchScreen
from client.window.screens.settings_screen import SettingsScreen
from tests.client.refereed import Refereed, infos

SIZES = [(640, 480), (960, 640), (3840, 2160), (480, 900)]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Application]:
    with take_identity(folder=tmp_path) as identity:
        launch = Launch(prepare=lambda: None, identity=identity, name="Ada")  # type: ignore[arg-type, return-value]
        application = Application(launch, lambda: None, MatchScreen, settings_path=tmp_path / "window.json")
        application.start()
        yield application
        application.stop()


def click(app: Application, value: str, size: tuple[int, int]) -> None:
    target = next(one for one in app.screen.picture(app.model, size, 0.0).targets if one.value == value)
    x, y = target.rect.centre
    app.take_input(Pressed(x, y), size)
    app.take_input(Released(x, y), size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_everything_can_be_chosen_by_mouse_at_every_size(
    app: Application, tmp_path: Path, size: tuple[int, int]
) -> None:
    before = app.screen
    app.take_input(Key("f2"), size)
    assert app.settings.theme is Theme.DARK
    app.carry_out(next(iter(app.screen._done("settings", "", app.model, 0.0))))
    assert isinstance(app.screen, SettingsScreen)
    picture = app.screen.picture(app.model, size, 0.0)
    for target in picture.targets:
        assert 0 <= target.rect.x < target.rect.right <= size[0]
        assert 0 <= target.rect.y < target.rect.bottom <= size[1]
    for value in ("theme light", "sound off", "volume 0.25", "motion off", "confirm on", "premove off", "board wood"):
        click(app, value, size)
        chosen = [one.text for one in app.screen.picture(app.model, size, 0.0).shapes if isinstance(one, Text)]
        assert sum(text.startswith("● ") for text in chosen) == 7
    now = Settings(
        Theme.LIGHT, sound=False, motion=False, volume=0.25, confirm=True, premove=False, board=BoardColours.WOOD
    )
    assert app.settings == now
    assert load_settings(tmp_path / "window.json") == now
    assert (app.model.confirms, app.model.premoves) == (True, False)
    app.take_input(Key("escape"), size)
    assert app.screen is before


def test_a_click_plans_or_waits_to_be_confirmed() -> None:
    """The same hand, whosever turn it is; Enter and Escape answer for it."""
    table, size = Refereed("square"), (960, 640)
    model = replaced(update(Model(link=Link.UP, games=infos()), table.snapshot("ben")))
    screen = MatchScreen()
    line = table.match.legal[0]
    assert screen.take(Key("down"), model, size, 0.0) == []
    played = screen.take(Key("enter"), model, size, 0.0)
    assert len(played) == 1
    assert isinstance(played[0], Play)
    planned = replaced(model, path=(line,))
    assert texts(screen, planned, size) >= {f"Planned for your next turn: {line}.", "Let go"}
    assert screen.take(Key("escape"), planned, size, 0.0) == [Act("unplan")]
    unsent = replaced(model, unsent=line)
    assert texts(screen, unsent, size) >= {f"Play {line}?", "Play it", "Let go"}
    assert screen.take(Key("enter"), unsent, size, 0.0) == [Act("confirm")]


def replaced(model: Model, path: tuple[str, ...] = (), unsent: str = "") -> Model:

    return update(model, Planned(path, unsent))


def texts(screen: MatchScreen, model: Model, size: tuple[int, int]) -> set[str]:
    return {one.text for one in screen.picture(model, size, 0.0).shapes if isinstance(one, Text)}
