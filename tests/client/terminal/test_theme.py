"""Colours can be seen on what they lie on, whatever the server says."""

from __future__ import annotations

import pytest
from textual.color import Color

from client.terminal.drawing import theme


@pytest.mark.parametrize(
    "ground", [theme.PAPER, theme.PAPER_SHADE, theme.DARK.table, theme.LIGHT.table, theme.DARK_TILE, theme.LIGHT_TILE]
)
@pytest.mark.parametrize(
    "colour", ["#00008b", "#4aa3df", "#ffffff", "#000000", "#f3eee1", "nonsense", "#12", "rgb(1,2,3)"]
)
def test_players_colours_can_be_seen(colour: str, ground: str) -> None:
    found = theme.readable(colour, ground)
    assert theme.contrast(Color.parse(found), Color.parse(ground)) >= theme.READABLE


def test_colours_that_can_be_seen_are_kept() -> None:
    """DB 13.1: dark blue and light blue are what they are called."""
    assert theme.readable("#00008b", theme.PAPER).lower() == "#00008b"
    assert theme.valid("#4aa3df", "#000000") == "#4aa3df"
    assert theme.valid("javascript", "#000000") == "#000000"


@pytest.mark.parametrize("name", theme.PALETTES)
def test_the_palettes_text_has_the_contrast_of_good_practice(name: str) -> None:
    """Each of its colours on each of its grounds; those of sixteen are put right when they are drawn."""
    worn = theme.PALETTES[name]
    grounds = [worn.table] if name.endswith("16") else [worn.table, worn.felt, worn.raised]
    for colour in (worn.chalk, worn.dust, worn.brass, worn.brick, worn.moss):
        for ground in grounds:
            assert theme.contrast(Color.parse(colour), Color.parse(ground)) >= 4.5, (colour, ground)


@pytest.mark.parametrize(
    ("colour", "ground"),
    [
        (theme.INK, theme.PAPER), (theme.INK, theme.PAPER_SHADE), (theme.INK, theme.GOLD),
        (theme.PENCIL_DARK, theme.PAPER_SHADE), (theme.BRICK_ON_PAPER, theme.PAPER_SHADE),
    ],
)  # fmt: skip
def test_what_is_written_on_paper_can_be_read(colour: str, ground: str) -> None:
    assert theme.contrast(Color.parse(colour), Color.parse(ground)) >= 4.5
