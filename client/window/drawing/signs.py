"""The symbols of the seats: discs and diamonds as shapes, crisp and in the middle at any size; others as text. Pure."""

from __future__ import annotations

import math

from client.window.drawing.shapes import Align, Colour, Disc, Point, Polygon, Rect, Shape, Stroke, Text
from client.window.drawing.theme import Face, writing_on

_DISCS = {"●": True, "○": False}
_DIAMONDS = {"◆": True, "◇": False}


def sign(symbol: str, at: Point, size: float, ink: Colour) -> list[Shape]:
    """The first character of `symbol`, about `size` pixels high, around `at`."""
    symbol = symbol[:1]
    x, y = at
    thick = max(size * 0.13, 1.5)
    if symbol in _DISCS:
        radius = size * 0.36
        return [Disc(at, radius, ink)] if _DISCS[symbol] else [Disc(at, radius, None, ink, thick)]
    if symbol in _DIAMONDS:
        reach = size * 0.42
        corners = ((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y))
        if _DIAMONDS[symbol]:
            return [Polygon(corners, ink)]
        # A little beyond the corners, which are sharp then.
        more = thick / 2 / math.dist(*corners[:2])
        ends = zip(corners, (*corners[1:], corners[0]), strict=True)
        return [Stroke(_beyond(a, b, more), _beyond(b, a, more), ink, thick) for a, b in ends]
    return [Text(Rect(x - size, y - size, 2 * size, 2 * size), symbol, size, ink, Face.BOLD, Align.CENTRE)]


def _beyond(start: Point, end: Point, part: float) -> Point:
    """The start of a stroke that is longer there by `part` of itself."""
    return start[0] - (end[0] - start[0]) * part, start[1] - (end[1] - start[1]) * part


def ball(symbol: str, at: Point, radius: float, colour: str) -> list[Shape]:
    """A ball in a player's colour with the player's symbol on it: whose turn it is (`HX SR1`, `SR2.2`)."""
    ink = writing_on(colour)
    return [Disc(at, radius, colour, ink, max(radius * 0.08, 1.0)), *sign(symbol, at, radius, ink)]
