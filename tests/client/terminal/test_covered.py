"""What lies over a screen of the terminal has the keys, and none is told below it that does nothing meanwhile."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from client.shown.actions.controls import Place
from client.terminal.parts.widgets import KeyHint
from client.terminal.screens.base import Dialog
from tests.client.positions import snapshot


def told(at: Any, place: Place) -> list[str]:
    """The actions whose keys can be read on that screen, wherever it is."""
    below = next(one for one in at.app.screen_stack if getattr(one, "PLACE", None) is place)
    shown = unescape(at.app.export_screenshot()).replace("\xa0", " ")
    hints = [hint for hint in below.query(KeyHint) if hint.visible and hint.display and hint.region.width]
    return [hint.action for hint in hints if f" {hint._parts[1]}" in shown]


@pytest.mark.parametrize("key", ["n", "m", "h", "k", "o", "equals_sign"])
async def test_the_lobbys_keys_are_not_told_below_a_dialog(terminal: Any, key: str) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: {"quick", "help", "load"} <= set(told(at, Place.LOBBY)))
        await at.press(key)
        await at.opens(Dialog)
        await at.until(lambda: told(at, Place.LOBBY) == [])
        await at.press("escape")
        await at.until(lambda: {"quick", "help", "load"} <= set(told(at, Place.LOBBY)))


@pytest.mark.parametrize("key", ["slash", "colon", "s", "a", "b"])
async def test_those_of_a_match_neither(terminal: Any, key: str) -> None:
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.until(lambda: {"help", "give_up"} <= set(told(at, Place.MATCH)))
        await at.press(key)
        await at.opens(Dialog)
        await at.until(lambda: told(at, Place.MATCH) == [])
        await at.press("escape")
        await at.until(lambda: {"help", "give_up"} <= set(told(at, Place.MATCH)))
