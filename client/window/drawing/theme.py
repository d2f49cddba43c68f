"""The window's looks, defined once: the palette in light and dark, the spacing scale, the sizes of text. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache

from client.kept.board_colours import GROUNDS
from client.kept.settings import BoardColours, Theme


class Face(Enum):
    """The fonts that come with the program, the first also in bold. Its figures are all equally wide."""

    PLAIN = "plain"
    BOLD = "bold"
    SYMBOL = "symbol"
    """The second font: symbols, and letters that the first one lacks."""
    WORLD = "world"
    WORLD_UPPER = "world upper"
    """The third font, in two files: letters of all scripts that the others lack."""


class Ink(Enum):
    """What a colour is for; which it is, says the palette."""

    TABLE = "table"
    """Behind everything."""
    PANEL = "panel"
    RAISED = "raised"
    """A button, a field, the row under the mouse."""
    EDGE = "edge"
    TEXT = "text"
    QUIET = "quiet"
    """Text of less weight; still well readable."""
    ACCENT = "accent"
    """What one is to look at: whose turn it is, the button that leads on."""
    ON_ACCENT = "on accent"
    """Text on the accent."""
    GOOD = "good"
    BAD = "bad"
    FOCUS = "focus"
    BOARD = "board"
    """The ground of boards without tones: paper in either palette, for players' colours are made for it."""
    BOARD_LIGHT = "board light"
    BOARD_DARK = "board dark"
    DOT = "dot"
    FREE = "free"
    """A line that may still be drawn, a free cell's edge."""
    GLOW = "glow"
    """Under the last move."""
    TICK = "tick"
    """A place that can be played, on the board."""
    CROSS = "cross"
    """A place that cannot."""
    VEIL = "veil"
    """Over the parts of a board that are not in play now."""


PALETTES: Mapping[Theme, Mapping[Ink, str]] = {
    Theme.LIGHT: {
        Ink.TABLE: "#f3f0ea", Ink.PANEL: "#fbfaf7", Ink.RAISED: "#ffffff", Ink.EDGE: "#d5cfc3",
        Ink.TEXT: "#24211d", Ink.QUIET: "#635c52", Ink.ACCENT: "#1f5f57", Ink.ON_ACCENT: "#ffffff",
        Ink.GOOD: "#1c6b3c", Ink.BAD: "#a32a22", Ink.FOCUS: "#1f5f57", Ink.BOARD: "#fffdf8",
        Ink.BOARD_LIGHT: "#efe3cb", Ink.BOARD_DARK: "#7d9a86", Ink.DOT: "#3b3630", Ink.FREE: "#898170",
        Ink.GLOW: "#f2c14e", Ink.TICK: "#1c7a41", Ink.CROSS: "#b3261e", Ink.VEIL: "#e4dfd4",
    },
    Theme.DARK: {
        Ink.TABLE: "#1b1d1f", Ink.PANEL: "#232629", Ink.RAISED: "#2e3236", Ink.EDGE: "#41474c",
        Ink.TEXT: "#ece9e2", Ink.QUIET: "#aaa79f", Ink.ACCENT: "#6cc4b5", Ink.ON_ACCENT: "#0e2421",
        Ink.GOOD: "#7fd09a", Ink.BAD: "#f08a7f", Ink.FOCUS: "#6cc4b5", Ink.BOARD: "#d6d1c6",
        Ink.BOARD_LIGHT: "#d9cdb3", Ink.BOARD_DARK: "#6d8a77", Ink.DOT: "#37332d", Ink.FREE: "#746d60",
        Ink.GLOW: "#f2c14e", Ink.TICK: "#166235", Ink.CROSS: "#a3211a", Ink.VEIL: "#b3ada0",
    },
}  # fmt: skip


@cache
def palette(theme: Theme, board: BoardColours) -> Mapping[Ink, str]:
    """A palette with the boards made of something; in the dark one they are a little darker."""
    grounds = GROUNDS.get(board)
    if grounds is None:
        return PALETTES[theme]
    ground, shade, light, dark = (one if theme is Theme.LIGHT else mixed(one, "#000000", DIMMED) for one in grounds)
    return {
        **PALETTES[theme], Ink.BOARD: ground, Ink.VEIL: shade, Ink.BOARD_LIGHT: light, Ink.BOARD_DARK: dark,
    }  # fmt: skip


DIMMED = 0.1
SPACE = 8.0
"""The unit of the spacing scale, in pixels at a scale of 1: gaps are whole, half or double units."""
MARGIN = 1.75
"""Units that every screen keeps free along the edges of the window: no word touches them."""
TEXT_SIZES = {"small": 13.0, "body": 15.0, "large": 19.0, "title": 28.0}
"""In pixels at a scale of 1."""
SMALLEST = (640, 480)


def scale_for(width: float, height: float) -> float:
    """How much larger than at 1,024 x 720 everything but the board is drawn: from 0.85 in the smallest window to 3."""
    return min(max(min(width / 1024, height / 720), 0.85), 3.0)


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2 of `#rrggbb`, from 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


def mixed(one: str, other: str, part: float) -> str:
    """`one` with `part` (0 to 1) of `other` in it."""
    ends = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in ends)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=512)
def readable(colour: str, ground: str, least: float = 4.5) -> str:
    """`colour`, moved away from `ground` as far as it takes to be read on it; one that is no colour is grey."""
    colour = colour if re.fullmatch(r"#[0-9a-fA-F]{6}", colour) else "#777777"
    away = "#000000" if luminance(ground) > 0.18 else "#ffffff"
    for step in range(21):
        tried = mixed(colour, away, step / 20)
        if contrast(tried, ground) >= least:
            return tried
    return away


def writing_on(ground: str) -> str:
    """Black or white, whichever is better read on `ground`."""
    return "#000000" if contrast("#000000", ground) > contrast("#ffffff", ground) else "#ffffff"
