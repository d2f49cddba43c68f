"""The window's looks, defined once: the palette in light and dark, the spacing scale, the sizes of text. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Theme(Enum):
    """The two palettes."""

    LIGHT = "light"
    DARK = "dark"


class Face(Enum):
    """The two fonts that come with the program, and the bold of the first."""

    PLAIN = "plain"
    BOLD = "bold"
    DIGITS = "digits"
    """All figures equally wide: clocks, scores, move numbers."""


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
    """The ground of boards without tones of their own."""
    BOARD_LIGHT = "board light"
    BOARD_DARK = "board dark"
    DOT = "dot"
    FREE = "free"
    """A line that may still be drawn, a free cell's edge."""


PALETTES: Mapping[Theme, Mapping[Ink, str]] = {
    Theme.LIGHT: {
        Ink.TABLE: "#f3f0ea", Ink.PANEL: "#fbfaf7", Ink.RAISED: "#ffffff", Ink.EDGE: "#d5cfc3",
        Ink.TEXT: "#24211d", Ink.QUIET: "#635c52", Ink.ACCENT: "#1f5f57", Ink.ON_ACCENT: "#ffffff",
        Ink.GOOD: "#1c6b3c", Ink.BAD: "#a32a22", Ink.FOCUS: "#1f5f57", Ink.BOARD: "#fffdf8",
        Ink.BOARD_LIGHT: "#efe3cb", Ink.BOARD_DARK: "#7d9a86", Ink.DOT: "#3b3630", Ink.FREE: "#d9d3c7",
    },
    Theme.DARK: {
        Ink.TABLE: "#1b1d1f", Ink.PANEL: "#232629", Ink.RAISED: "#2e3236", Ink.EDGE: "#41474c",
        Ink.TEXT: "#ece9e2", Ink.QUIET: "#aaa79f", Ink.ACCENT: "#6cc4b5", Ink.ON_ACCENT: "#0e2421",
        Ink.GOOD: "#7fd09a", Ink.BAD: "#f08a7f", Ink.FOCUS: "#6cc4b5", Ink.BOARD: "#26292c",
        Ink.BOARD_LIGHT: "#cbbd9f", Ink.BOARD_DARK: "#4f6b5a", Ink.DOT: "#cfcac0", Ink.FREE: "#3d4247",
    },
}  # fmt: skip

SPACE = 8.0
"""The unit of the spacing scale, in pixels at a scale of 1: gaps are whole, half or double units."""
TEXT_SIZES = {"small": 13.0, "body": 15.0, "large": 19.0, "title": 28.0}
"""In pixels at a scale of 1."""
SMALLEST = (640, 480)


def scale_for(width: float, height: float) -> float:
    """How much larger than at 1,024 x 720 everything but the board is drawn: from 0.85 in the smallest window to 3."""
    return min(max(min(width / 1024, height / 720), 0.85), 3.0)
