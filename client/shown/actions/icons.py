"""The icons of the actions of a match: a drawing for window and page, and for a terminal a sign that all fonts have.

No icon stands without its word. Drawings are paths in a square of 24 x 24, drawn with strokes that end round; the page
has the same (`client/web/screens/match/action_icons.js`). Signs are of WGL4, which terminals have long had.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Icon:
    """One picture, as a path of the commands M, L, H, V, C and Z with absolute places, and as one character."""

    path: str
    sign: str


ICONS: Mapping[str, Icon] = {
    "cancel": Icon("M6 6 L18 18 M18 6 L6 18", "\N{MULTIPLICATION SIGN}"),
    "hint": Icon(
        "M9.5 17 H14.5 M10.5 20.5 H13.5 M9.5 17 C9.5 14 6.5 13 6.5 9 C6.5 6 9 3.5 12 3.5 C15 3.5 17.5 6 17.5 9"
        " C17.5 13 14.5 14 14.5 17", "☼",
    ),
    "draw": Icon(
        "M5 5.5 L7.5 4 V11 M17.5 4 L6.5 20 M14 15.5 C14 12.5 19 12.5 19 15.5 C19 17.5 14 18.5 14 20.5 H19.5", "½"
    ),
    "takeback": Icon("M9 4.5 L4.5 9 L9 13.5 M4.5 9 H14 C21 9 21 19 14 19 H9", "←"),
    "restart": Icon("M19 12 C19 16 16 19 12 19 C8 19 5 16 5 12 C5 8 8 5 12 5 C14.5 5 17 6.5 18.5 9 M19 4 V9 H14", "«"),
    "revert": Icon(
        "M5.5 9 C7 6.5 9.5 5 12 5 C16 5 19 8 19 12 C19 16 16 19 12 19 C9 19 6.5 17.5 5.5 15 M5 4 V9 H10 M12 8.5 V12.5"
        " L15 14", "◄",
    ),
    "pause": Icon("M9 6 V18 M15 6 V18", "║"),
    "give_up": Icon("M6 21 V4 H18 L15 8.5 L18 13 H6", "▼"),
    "rematch": Icon("M5 8.5 H19 M15.5 5 L19 8.5 L15.5 12 M19 15.5 H5 M8.5 12 L5 15.5 L8.5 19", "↔"),
    "again": Icon("M12 5 V19 M5 12 H19", "+"),
    "review": Icon("M4 20 H20 M4.5 15.5 L9.5 9.5 L13.5 13 L19.5 5", "≈"),
    "practise": Icon("M8 5 L18 12 L8 19 Z", "►"),
    "clear": Icon("M5 5 H19 V19 H5 Z", "□"),
    "save": Icon("M12 4 V14 M8 10.5 L12 14.5 L16 10.5 M5 19 H19", "↓"),
    "mute": Icon("M5 10 V14 H8 L12 18 V6 L8 10 Z M16 10 L20 14 M20 10 L16 14", "♪"),
    "settings": Icon("M5 8 H13 M17 8 H19 M15 6 V10 M5 16 H7 M11 16 H19 M9 14 V18", "±"),
    "help": Icon("M9 9 C9 5 15 5 15 9 C15 11.5 12 11.5 12 14 M12 17.5 V17.6", "?"),
    "lobby": Icon("M4 11 L12 4 L20 11 M6.5 9.5 V20 H17.5 V9.5", "⌂"),
    "quit": Icon("M11 4 H5 V20 H11 M10 12 H20 M16 8 L20 12 L16 16", "¬"),
    "more": Icon("M5 7 H19 M5 12 H19 M5 17 H19", "≡"),
}  # fmt: skip
