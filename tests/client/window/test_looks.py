"""The palette and the letters: everything can be read, in light and dark, and every sign has a font that draws it."""

from __future__ import annotations

import pytest

from client.kept.settings import Theme
from client.window.drawing.faces import has
from client.window.drawing.lettering import fitted, runs, width, wrapped
from client.window.drawing.theme import PALETTES, Face, Ink, contrast, readable, scale_for, writing_on

READ_ON = {
    Ink.TEXT: (Ink.TABLE, Ink.PANEL, Ink.RAISED),
    Ink.QUIET: (Ink.TABLE, Ink.PANEL, Ink.RAISED),
    Ink.GOOD: (Ink.TABLE, Ink.PANEL, Ink.RAISED),
    Ink.BAD: (Ink.TABLE, Ink.PANEL, Ink.RAISED),
    Ink.ACCENT: (Ink.TABLE, Ink.PANEL, Ink.RAISED),
    Ink.ON_ACCENT: (Ink.ACCENT,),
    Ink.TICK: (Ink.BOARD,),
    Ink.CROSS: (Ink.BOARD,),
}
"""Which colour writes on which grounds."""
SIGNS = "●◇○◆XO▶✓✗…“”·◉←→↑↓♛½"


@pytest.mark.parametrize("theme", Theme)
def test_text_has_contrast(theme: Theme) -> None:
    """Issue 6: at least 4.5 for text, on every ground that it stands on."""
    palette = PALETTES[theme]
    assert set(palette) == set(Ink)
    for ink, grounds in READ_ON.items():
        for ground in grounds:
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)


@pytest.mark.parametrize("theme", Theme)
def test_dots_and_edges_can_be_made_out(theme: Theme) -> None:
    palette = PALETTES[theme]
    assert contrast(palette[Ink.DOT], palette[Ink.BOARD]) >= 4.5
    for ground in (Ink.BOARD, Ink.BOARD_LIGHT):
        assert contrast(palette[Ink.FREE], palette[ground]) >= 3, "a line that can still be drawn, a free cell"
    assert contrast(palette[Ink.FOCUS], palette[Ink.TABLE]) >= 3


@pytest.mark.parametrize("ground", ["#ffffff", "#000000", "#fffdf8", "#26292c", "#7d9a86"])
@pytest.mark.parametrize("colour", ["#00008b", "#4aa3df", "#c2185b", "#ff0000", "#0000ff", "#777777", "no colour"])
def test_players_colours_are_moved_until_they_can_be_read(colour: str, ground: str) -> None:
    """DB 13.1: a score is written in its player's colour, whatever it is written on."""
    assert contrast(readable(colour, ground), ground) >= 4.5
    if colour.startswith("#") and contrast(colour, ground) >= 4.5:
        assert readable(colour, ground) == colour


def test_what_is_written_on_a_colour_can_be_read() -> None:
    for step in range(0, 256, 5):
        ground = f"#{step:02x}{step:02x}{step:02x}"
        assert contrast(writing_on(ground), ground) >= 4.5


def test_the_scale_is_bounded() -> None:
    assert scale_for(640, 480) == 0.85
    assert scale_for(1024, 720) == 1
    assert scale_for(3840, 2160) == 3
    assert scale_for(100_000, 100_000) == 3


@pytest.mark.parametrize("sign", SIGNS)
def test_every_sign_has_a_font(sign: str) -> None:
    """Issue 6: bundled fonts; what one lacks the other has."""
    assert has(Face.PLAIN, sign) or has(Face.SYMBOL, sign)


def test_figures_are_equally_wide() -> None:
    """A countdown does not tremble."""
    for face in (Face.PLAIN, Face.BOLD):
        assert len({width(figure * 10, 20, face) for figure in "0123456789"}) == 1


def test_a_text_is_cut_to_its_room() -> None:
    for room in (5, 40, 90, 200):
        cut = fitted("Wolfgang Amadeus Wunderbar", room, 15)
        assert width(cut, 15) <= room
        assert cut == "" or cut.endswith(("…", "r"))
    assert fitted("short", 500, 15) == "short"


def test_a_paragraph_is_broken_between_words() -> None:
    text = "Two players draw lines between dots, and whoever closes a box draws again.\nThat is all."
    lines = wrapped(text, 160, 15)
    assert all(width(line, 15) <= 160 for line in lines)
    assert " ".join(lines) == text.replace("\n", " ")
    broken = wrapped("W" * 80, 100, 15)
    assert all(width(line, 15) <= 100 for line in broken)
    assert "".join(broken) == "W" * 80


def test_a_text_of_both_fonts_is_drawn_in_pieces() -> None:
    pieces = runs(Face.PLAIN, "Ada ⚑ 3")
    assert "".join(run.text for run in pieces) == "Ada ⚑ 3"
    assert {run.face for run in pieces} == {Face.PLAIN, Face.SYMBOL}
