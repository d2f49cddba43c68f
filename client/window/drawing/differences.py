"""What must be drawn again when one picture follows another: where shapes lie, and where two pictures differ."""

from __future__ import annotations

import math
from collections import Counter

import pygame

from client.window.drawing.shapes import Box, Disc, Picture, Point, Polygon, Rect, Shape, Stroke, Text

MARGIN = 3
"""Pixels around a shape that drawing it may touch: rounding and soft edges."""
MAX_CHANGES = 32
"""Shapes that are redrawn one by one; when more differ, all that lies between them is."""


def differences(before: Picture, after: Picture) -> list[pygame.Rect]:
    """Rectangles around all that is not drawn alike in both, in shape or in order; none of them overlap."""
    old, new = before.shapes, after.shapes
    if old == new:
        return []
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    old, new = old[first:], new[first:]
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    changed = [bounds(shape) for shape in (*gone, *come)]
    # Of two that are in both pictures and lie the other way round, at least one is in another place of the order.
    stay = zip(_without(old, gone), _without(new, come), strict=True)
    changed += [bounds(shape) for pair in stay if pair[0] != pair[1] for shape in pair]
    return _apart(changed)


def _without(shapes: tuple[Shape, ...], left_out: Counter[Shape]) -> list[Shape]:
    left = dict(left_out)
    kept = []
    for shape in shapes:
        if left.get(shape):
            left[shape] -= 1
        else:
            kept.append(shape)
    return kept


def _apart(rects: list[pygame.Rect]) -> list[pygame.Rect]:
    """The rectangles, those that touch each other joined, and all joined when they are many."""
    if len(rects) > MAX_CHANGES:
        return [rects[0].unionall(rects[1:])]
    joined: list[pygame.Rect] = []
    for rect in rects:
        grown = rect
        while (index := grown.collidelist(joined)) >= 0:
            grown = grown.union(joined.pop(index))
        joined.append(grown)
    return joined


def bounds(shape: Shape) -> pygame.Rect:
    """The pixels that drawing the shape may touch."""
    match shape:
        case Box(rect):
            found = rect_of(rect)
        case Text(rect, _, size):
            # Letters may be higher than the line that they stand in.
            over = max(size * 1.8 - rect.height, 0) / 2
            found = rect_of(Rect(rect.x, rect.y - over, rect.width, rect.height + 2 * over))
        case Stroke(start, end, _, thickness):
            found = _around((start, end), thickness / 2)
        case Disc((x, y), radius):
            found = _around(((x, y),), radius)
        case Polygon(points, thickness=thickness):
            found = _around(points, thickness)
    return found.inflate(2 * MARGIN, 2 * MARGIN)


def _around(points: tuple[Point, ...], reach: float) -> pygame.Rect:
    left, right = min(x for x, _ in points) - reach, max(x for x, _ in points) + reach
    top, bottom = min(y for _, y in points) - reach, max(y for _, y in points) + reach
    return pygame.Rect(math.floor(left), math.floor(top), math.ceil(right - left) + 1, math.ceil(bottom - top) + 1)


def rect_of(rect: Rect) -> pygame.Rect:
    """The whole pixels of a rectangle."""
    left, top = round(rect.x), round(rect.y)
    return pygame.Rect(left, top, round(rect.right) - left, round(rect.bottom) - top)
