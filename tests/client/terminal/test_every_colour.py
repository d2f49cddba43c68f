"""All that is drawn can be read: letters at 4.5 : 1 and signs at 3 : 1, on dark and light ground, in any colours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rich.color import Color as RichColor
from rich.color import ColorType
from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region

from client.kept.settings import Ground
from client.shown.actions.controls import Place
from client.terminal.drawing import few_colours, theme
from client.terminal.screens.settings_dialog import SettingsDialog
from protocol.messages import MatchSummary, Refused
from tests.client.refereed import Refereed, infos
from tests.client.scripted_server import ScriptedServer
from tests.forms import SCREENS, crossed

SYSTEMS = {"all": ("xterm-256color", "truecolor"), "256": ("xterm-256color", ""), "16": ("xterm", "")}


def ratio(ink: RichColor, ground: RichColor) -> float:
    """As a terminal shows them; of the sixteen in the worse of the two usual tables."""
    if ink.type is ColorType.STANDARD and ground.type is ColorType.STANDARD:
        assert ink.number is not None
        assert ground.number is not None
        return few_colours.contrast_of_16(ink.number, ground.number)
    return theme.contrast(*(Color(*colour.get_truecolor()) for colour in (ink, ground)))


def is_faint(segment: Segment) -> bool:
    text, style, _ = segment
    if style is None or not text.strip() or few_colours.is_ground(text):
        return False
    assert style.color is not None, text
    assert style.bgcolor is not None, text
    colours = (style.bgcolor, style.color) if style.reverse else (style.color, style.bgcolor)
    return bool(style.dim) or ratio(*colours) < few_colours.least_for(text) - 0.02


def faint_in(at: Any, region: Region | None = None) -> set[str]:
    """What cannot be read on screen, or in this part of it."""
    found = set()
    within = region or Region(0, 0, *at.app.size)
    for y, strip in enumerate(at.app.screen._compositor.render_strips()):
        if within.y <= y < within.bottom:
            found |= {str(one) for one in strip.crop(within.x, within.right) if is_faint(one)}
    return found


@pytest.mark.screens
@pytest.mark.parametrize(("system", "dark"), crossed(list(SYSTEMS), [True, False], full=SCREENS))
async def test_all_that_is_drawn_can_be_read(
    terminal: Any, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, system: str, dark: bool
) -> None:
    """Screen by screen, as the segments are that go to the terminal; of what lies over a screen only that."""
    kind, truly = SYSTEMS[system]
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setenv("COLORTERM", truly)
    server.lobby = (
        MatchSummary(match="a", game="checkers", options={}, status="waiting", names=("Ben", None), created_ms=1_000),
        MatchSummary(match="b", game="square", options={}, status="playing", names=("Cy", "Di"), created_ms=1_000),
    )
    match = Refereed("checkers")
    for _ in range(8):
        match.play()
    async with terminal(size=(100, 30), is_dark=dark) as at:
        await at.sees("Two here")
        assert not faint_in(at)
        await at.to_lobby()
        await at.sees("Ben")
        assert not faint_in(at)
        await at.press("n")
        await at.sees("Host (Enter)")
        assert not faint_in(at, at.app.screen.query_one("#form").region)
        await at.press("escape")
        at.app.take(match.snapshot())
        await at.until(lambda: at.is_at(Place.MATCH) and at.app.focused is not None)
        at.app.model = replace(at.app.model, games=infos())
        at.app.take(Refused(ref="", code="x", text="That is refused."))
        at.app.refresh_screens()
        await at.sees("That is refused.")
        assert not faint_in(at)
        await at.press("question_mark")
        await at.sees("Close this help")
        assert not faint_in(at)
        await at.press("equals_sign")
        await at.opens(SettingsDialog)
        assert not faint_in(at, at.app.screen.query_one("#dialog").region)
        at.app.change_settings(ground=Ground.LIGHT if dark else Ground.DARK)
        await at.pilot.pause()
        assert not faint_in(at, at.app.screen.query_one("#dialog").region)
        await at.press("escape")
        assert not faint_in(at)
