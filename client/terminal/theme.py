"""The palette, once: a table of calm green-grey, on it paper for whatever belongs to a game.

Players' colours come from the server and are chosen to be seen on white (`DB 13.1`), so boards and seats lie on paper.
"""

from __future__ import annotations

from functools import lru_cache
from string import hexdigits
from typing import Any

from textual.app import App
from textual.color import Color
from textual.theme import Theme

TABLE = "#1d2527"
"""The background of everything."""
FELT = "#263133"
"""Bars, panels, lists."""
RAISED = "#33413f"
CHALK = "#dfe5e0"
"""Text on the table."""
DUST = "#93a29c"
"""Text of less weight."""
BRASS = "#e3b657"
"""What one can do now: the cursor, the turn, the focus."""
BRICK = "#e58a78"
"""Refusals and lost connections."""
MOSS = "#9cc38b"
"""All is well."""

PAPER = "#f3eee1"
PAPER_SHADE = "#e6dfcc"
"""Parts of the board that are not in play now."""
INK = "#2f2c26"
FAINT = "#857d69"
"""Lines that nobody has drawn, free cells."""
BRICK_ON_PAPER = "#b3261e"
MOSS_ON_PAPER = "#2c7a3f"
PENCIL = "#655e50"
"""Labels, coordinates, dots that are not in play now."""
PENCIL_DARK = "#635c4d"
"""Small text on paper."""
GLOW = "#ffe6a3"
"""The last move."""
BLUSH = "#f7d4cd"
"""What a refusal is about."""
LIGHT_TILE = "#efe3c6"
DARK_TILE = "#b58f63"

VARIABLES = {
    "table": TABLE,
    "felt": FELT,
    "raised": RAISED,
    "chalk": CHALK,
    "dust": DUST,
    "brass": BRASS,
    "brick": BRICK,
    "moss": MOSS,
    "paper": PAPER,
    "paper-shade": PAPER_SHADE,
    "ink": INK,
}
"""The names of the palette in the style sheet."""

THEME = Theme(
    name="parlour",
    primary=BRASS,
    secondary=DUST,
    accent=BRASS,
    warning=BRASS,
    error=BRICK,
    success=MOSS,
    foreground=CHALK,
    background=TABLE,
    surface=FELT,
    panel=RAISED,
    dark=True,
    variables={
        "border": RAISED,
        "scrollbar": RAISED,
        "scrollbar-hover": DUST,
        "scrollbar-active": BRASS,
        "scrollbar-background": FELT,
        "scrollbar-background-hover": FELT,
        "scrollbar-background-active": FELT,
        "scrollbar-corner-color": FELT,
    },
)

READABLE = 3.0
"""Least contrast of a sign, such as a player's line or symbol, with what it lies on; signs are never colour alone."""
TEXT = 4.5
"""Least contrast of letters and figures."""


def put_on(app: App[Any]) -> None:
    """Have an application begin in these colours: one that changes into them later reads its style sheet twice."""
    app.register_theme(THEME)
    app.set_reactive(App.theme, THEME.name)
    app.stylesheet.set_variables(app.get_css_variables())


@lru_cache(maxsize=512)
def readable(colour: str, ground: str, least: float = READABLE) -> str:
    """`colour`, moved away from `ground` as far as it takes to be seen on it. A bad colour is ink or chalk."""
    below = Color.parse(ground)
    away = Color.parse("#000000" if below.brightness > 0.5 else "#ffffff")
    wanted = Color.parse(valid(colour, INK if below.brightness > 0.5 else CHALK))
    for step in range(11):
        tried = wanted.blend(away, step / 10)
        if contrast(tried, below) >= least:
            return tried.hex
    return away.hex


def writing_on(ground: str) -> str:
    """Ink or paper, whichever is better seen on `ground`."""
    below = Color.parse(ground)
    return INK if contrast(Color.parse(INK), below) > contrast(Color.parse(PAPER), below) else PAPER


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@lru_cache(maxsize=512)
def valid(colour: str, otherwise: str) -> str:
    """`colour` if it is one in the form #rrggbb, else the other."""
    return colour if len(colour) == 7 and colour[0] == "#" and set(colour[1:]) <= set(hexdigits) else otherwise
