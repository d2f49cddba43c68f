"""The palettes, once: a table of calm green-grey, dark or light, on it paper for whatever belongs to a game.

Players' colours come from the server and are chosen to be seen on white (`DB 13.1`), so boards and seats lie on paper
in either. What is written on the table names its colour by the name that it has in every palette: Textual looks it up
when it draws, so that another palette holds at once.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from string import hexdigits

from textual.color import Color
from textual.theme import Theme

CHALK = "$chalk"
"""Text on the table."""
DUST = "$dust"
"""Text of less weight."""
BRASS = "$brass"
"""What one can do now: the cursor, the turn, the focus."""
BRICK = "$brick"
"""Refusals and lost connections."""
MOSS = "$moss"
"""All is well."""


@dataclass(frozen=True)
class Palette:
    """Colours as `#rrggbb`: the background of everything (`table`), bars, panels and lists on it (`felt`), what stands
    out of those (`raised`), and the five above."""

    table: str
    felt: str
    raised: str
    chalk: str
    dust: str
    brass: str
    brick: str
    moss: str


DARK = Palette("#1d2527", "#263133", "#33413f", "#dfe5e0", "#a3b1ab", "#e3b657", "#ee9a89", "#9cc38b")
LIGHT = Palette("#f7f8f5", "#e9ece6", "#dbe0d8", "#22292a", "#4d5753", "#6f4b00", "#a12a1d", "#245a26")
# In a terminal of sixteen colours nothing lies between black and blue, or between white and grey.
DARK_OF_16 = Palette("#000000", "#000000", "#0000aa", "#ffffff", "#aaaaaa", "#ffff55", "#ff5555", "#55ff55")
LIGHT_OF_16 = Palette("#ffffff", "#ffffff", "#aaaaaa", "#000000", "#000000", "#0000aa", "#aa0000", "#000000")

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
GOLD = "#e3b657"
"""The cursor, and a clock that runs."""
BLUSH = "#f7d4cd"
"""What a refusal is about."""
LIGHT_TILE = "#efe3c6"
DARK_TILE = "#b58f63"


def _named(name: str, palette: Palette, *, dark: bool) -> Theme:
    """A palette as Textual wants it."""
    return Theme(
        name=name,
        primary=palette.brass,
        secondary=palette.dust,
        accent=palette.brass,
        warning=palette.brass,
        error=palette.brick,
        success=palette.moss,
        foreground=palette.chalk,
        background=palette.table,
        surface=palette.felt,
        panel=palette.raised,
        dark=dark,
        variables={
            "border": palette.raised,
            "scrollbar": palette.raised,
            "scrollbar-hover": palette.dust,
            "scrollbar-active": palette.brass,
            "scrollbar-background": palette.felt,
            "scrollbar-background-hover": palette.felt,
            "scrollbar-background-active": palette.felt,
            "scrollbar-corner-color": palette.felt,
            "paper": PAPER,
            "paper-shade": PAPER_SHADE,
            "ink": INK,
            "gold": GOLD,
        }
        | asdict(palette),
    )


PALETTES = {
    "parlour-dark": DARK, "parlour-light": LIGHT, "parlour-dark-16": DARK_OF_16, "parlour-light-16": LIGHT_OF_16
}  # fmt: skip
THEMES = tuple(_named(name, palette, dark="dark" in name) for name, palette in PALETTES.items())
VARIABLES = THEMES[0].variables
"""The names of the palette in the style sheet."""
READABLE = 3.0
"""Least contrast of a sign, such as a player's line or symbol, with what it lies on; signs are never colour alone."""
TEXT = 4.5
"""Least contrast of letters and figures."""


@lru_cache(maxsize=512)
def readable(colour: str, ground: str, least: float = READABLE) -> str:
    """`colour`, moved away from `ground` as far as it takes to be seen on it. A bad colour is ink or chalk."""
    below = Color.parse(ground)
    away = Color.parse("#000000" if below.brightness > 0.5 else "#ffffff")
    wanted = Color.parse(valid(colour, INK if below.brightness > 0.5 else DARK.chalk))
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
