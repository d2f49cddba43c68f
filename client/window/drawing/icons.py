"""Icons as strokes: the drawings of `client.shown.actions.icons`, at any size and place. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from client.shown.actions.icons import ICONS
from client.window.drawing.shapes import Colour, Point, Shape, Stroke

SQUARE = 24.0
"""The width and height that drawings are made for."""
THICK = 2.0
"""Of their strokes."""
PIECES = 10
"""Straight lines of which a curve is made."""
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}
_PART = re.compile(r"([MLHVCZ])([^MLHVCZ]*)")


def icon(action: str, middle: Point, size: float, ink: Colour) -> list[Shape]:
    """The icon of an action, `size` pixels wide and high around `middle`; of one without an icon nothing."""
    if action not in ICONS:
        return []
    scale, (x, y) = size / SQUARE, middle
    left, top = x - size / 2, y - size / 2
    placed = (
        [(left + across * scale, top + down * scale) for across, down in line] for line in lines(ICONS[action].path)
    )
    thick = max(THICK * scale, 1.5)
    return [Stroke(start, end, ink, thick) for line in placed for start, end in pairwise(line)]


@cache
def lines(path: str) -> tuple[tuple[Point, ...], ...]:
    """The lines of a drawing, curves in pieces. Raises ValueError for a command without its numbers."""
    done: list[list[Point]] = []
    for command, given in _PART.findall(path):
        numbers = [float(number) for number in given.split()]
        if len(numbers) != _NUMBERS[command]:
            raise ValueError(f"{command}{given} in {path}")
        if command == "M":
            done.append([(numbers[0], numbers[1])])
            continue
        line = done[-1]
        x, y = line[-1]
        match command:
            case "L":
                line.append((numbers[0], numbers[1]))
            case "H":
                line.append((numbers[0], y))
            case "V":
                line.append((x, numbers[0]))
            case "C":
                line += _curve((x, y), numbers)
            case _:
                line.append(line[0])
    return tuple(tuple(line) for line in done)


def _curve(start: Point, numbers: list[float]) -> Iterator[Point]:
    """A cubic curve after its start, through two handles to its end."""
    points = (start, *zip(numbers[::2], numbers[1::2], strict=True))
    for piece in range(1, PIECES + 1):
        part = piece / PIECES
        weights = ((1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3)
        yield (
            sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
            sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
        )
