"""For terminals of 16 or 256 colours: each character in colours that they have, and that can be read on each other.

What such a terminal shows for its sixteen is a matter of its settings. Two tables are usual, the VGA's and xterm's, and
a colour is taken only where it is read in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from textual.color import Color
from textual.filter import LineFilter

from client.terminal.drawing import theme

VGA = (
    "#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
    "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
)  # fmt: skip
XTERM = (
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
)  # fmt: skip
_TABLES = tuple(tuple(Color.parse(colour) for colour in table) for table in (VGA, XTERM))
_LEVELS = (0, 95, 135, 175, 215, 255)


def _cube() -> tuple[Color, ...]:
    """The colours 16 to 255, which are the same everywhere: a cube, and greys."""
    colours = [Color(red, green, blue) for red in _LEVELS for green in _LEVELS for blue in _LEVELS]
    return (*colours, *(Color(level, level, level) for level in range(8, 248, 10)))


_CUBE = _cube()
_FIRST_OF_CUBE = 16


def contrast_of_16(ink: int, ground: int) -> float:
    """That of two of the sixteen, in the table in which it is less."""
    return min(theme.contrast(table[ink], table[ground]) for table in _TABLES)


_GROUNDS = tuple(ground for ground in range(16) if max(contrast_of_16(ink, ground) for ink in range(16)) >= theme.TEXT)
"""Those of the sixteen on which something can be read in either table."""
_GREYS = (0, 7, 8, 15)
_COLOURLESS = 50
"""Between the parts of what counts as grey."""
_PAPER_SHADE, _SHADE = Color.parse(theme.PAPER_SHADE).rgb, 7
"""Nearer to white, as the paper is that it is to be told from."""
UNSEEN = 1.2
"""Contrast below which nothing was meant to be seen."""


def least_for(text: str) -> float:
    """The least contrast of what is printed: a sign, or letters and figures."""
    return theme.TEXT if any(character.isalnum() for character in text) else theme.READABLE


def is_ground(text: str) -> bool:
    """Whether it is printed in blocks only: edges and areas, which are no signs."""
    return all(character == " " or "\u2580" <= character <= "\u259f" for character in text)


@lru_cache(maxsize=4096)
def of_16(ink: tuple[int, int, int], ground: tuple[int, int, int], least: float) -> tuple[int, int]:
    """The numbers of two of the sixteen for a colour on another one: the nearest that can be read."""
    under = _SHADE if ground == _PAPER_SHADE else _nearest(_GROUNDS, ground)
    # What is grey stays so: the nearest readable colour of a grey would be a red or a blue that means something.
    inks = _GREYS if max(ink) - min(ink) < _COLOURLESS else range(16)
    read = [number for number in inks if contrast_of_16(number, under) >= least]
    read = read or [number for number in range(16) if contrast_of_16(number, under) >= least]
    return _nearest(read, ink), under


def _nearest(numbers: Iterable[int], colour: tuple[int, int, int]) -> int:
    return min(numbers, key=lambda number: _distance(_TABLES[0][number].rgb, colour))


@lru_cache(maxsize=4096)
def of_256(ink: tuple[int, int, int], ground: tuple[int, int, int], least: float) -> tuple[int, int]:
    """The same of 256."""
    under = min(range(len(_CUBE)), key=lambda number: _distance(_CUBE[number].rgb, ground))
    read = [number for number, colour in enumerate(_CUBE) if theme.contrast(colour, _CUBE[under]) >= least]
    best = min(read, key=lambda number: _distance(_CUBE[number].rgb, ink))
    return best + _FIRST_OF_CUBE, under + _FIRST_OF_CUBE


def _distance(one: Sequence[int], other: Sequence[int]) -> float:
    """How different two colours look: the usual weights, by how much red there is."""
    red = (one[0] + other[0]) / 2
    across, down, deep = ((a - b) ** 2 for a, b in zip(one, other, strict=True))
    return (2 + red / 256) * across + 4 * down + (2 + (255 - red) / 256) * deep


class FewColours(LineFilter):
    """Puts lines into 16 colours, or 256."""

    def __init__(self, *, sixteen: bool) -> None:
        super().__init__()
        self._choose = of_16 if sixteen else of_256

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """See the class."""
        return [self._put(segment, background) for segment in segments]

    def _put(self, segment: Segment, background: Color) -> Segment:
        text, style, control = segment
        if style is None or control:
            return segment
        ground = _triplet(style.bgcolor, background)
        ink = _triplet(style.color, Color.parse(theme.writing_on(Color(*ground).hex)))
        first, second = self._choose(ink, ground, _least(text, theme.contrast(Color(*ink), Color(*ground))))
        return Segment(text, style + Style(color=RichColor.from_ansi(first), bgcolor=RichColor.from_ansi(second)))


def _least(text: str, before: float) -> float:
    """What was not meant to be seen, such as an edge in the colour of its ground, is not to be seen here."""
    if not text.strip() or before < UNSEEN or (is_ground(text) and before < theme.READABLE):
        return 1.0
    return theme.READABLE if is_ground(text) else least_for(text)


def _triplet(colour: RichColor | None, otherwise: Color) -> tuple[int, int, int]:
    if colour is None or colour.is_default:
        return otherwise.rgb
    found = colour.get_truecolor(DEFAULT_TERMINAL_THEME)
    return found.red, found.green, found.blue
