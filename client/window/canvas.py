"""Draws a picture on a surface, and of the next one only what is different. Knows shapes, and nothing of games."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import pygame

from client.window import lettering
from client.window.shapes import Align, Box, Colour, Disc, Picture, Point, Polygon, Rect, Shape, Stroke, Text
from client.window.theme import PALETTES, Ink, Theme

MARGIN = 3
"""Pixels around a shape that drawing it may touch: rounding and soft edges."""
MAX_CHANGES = 32
"""Shapes that are redrawn one by one; when more differ, all that lies between them is."""
SMOOTH = 4
"""Edges are drawn this much larger and scaled down, for pygame draws hard ones."""
LARGE_AREA = 40_000
"""Pixels from which on half of that is enough for areas."""


class Canvas:
    """One surface, the palette it is drawn in, and the picture that it shows."""

    def __init__(self, surface: pygame.Surface, theme: Theme) -> None:
        self.surface = surface
        self.theme = theme
        self._shown: Picture | None = None
        self._bounds: list[pygame.Rect] = []
        self._bounded: tuple[Shape, ...] = ()
        """The shapes drawn last, and where each of them is."""

    def show(self, picture: Picture, theme: Theme) -> list[pygame.Rect]:
        """Draw what differs from the picture before; the rectangles that changed, none when nothing did."""
        whole = self.surface.get_rect()
        if theme is not self.theme or self._shown is None:
            changed = [whole]
        else:
            changed = [rect.clip(whole) for rect in differences(self._shown, picture) if rect.colliderect(whole)]
        if changed:
            self._remember_bounds(picture)
        self.theme, self._shown = theme, picture
        for rect in changed:
            self.surface.set_clip(rect)
            self.surface.fill(self.colour(Ink.TABLE))
            for index in rect.collidelistall(self._bounds):
                self._draw(picture.shapes[index])
        self.surface.set_clip(None)
        return changed

    def _remember_bounds(self, picture: Picture) -> None:
        """Those of shapes that stay where they are in the order are known."""
        before, known = self._bounded, len(self._bounded)
        self._bounds = [
            self._bounds[index] if index < known and before[index] is shape else bounds(shape)
            for index, shape in enumerate(picture.shapes)
        ]
        self._bounded = picture.shapes

    def colour(self, colour: Colour) -> pygame.Color:
        """What the palette, or the match, says."""
        return _colour(PALETTES[self.theme][colour] if isinstance(colour, Ink) else colour)

    def _draw(self, shape: Shape) -> None:
        match shape:
            case Box():
                self._box(shape)
            case Stroke():
                self._stroke(shape)
            case Disc():
                self._disc(shape)
            case Polygon():
                self._polygon(shape)
            case Text():
                self._text(shape)

    def _box(self, box: Box) -> None:
        rect = _rect(box.rect)
        if rect.width <= 0 or rect.height <= 0:
            return
        radius = round(min(box.radius, rect.width / 2, rect.height / 2))
        border = max(round(box.thickness), 1) if box.border is not None else 0
        fill = self.colour(box.fill) if box.fill is not None else None
        edge = self.colour(box.border) if box.border is not None else None
        if not radius and box.alpha >= 1:
            if fill is not None:
                self.surface.fill(fill, rect)
            if edge is not None:
                self._frame(rect, edge, border)
            return
        self._nine(rect, radius, border, fill, edge, box.alpha)

    def _nine(
        self, rect: pygame.Rect, radius: int, border: int, fill: pygame.Color | None, edge: pygame.Color | None,
        alpha: float,
    ) -> None:  # fmt: skip
        """A box with round corners: the corners smooth, from a small picture, the rest plain."""
        if radius:
            corner = max(radius, border) + 1
            if rect.width >= 2 * corner and rect.height >= 2 * corner:
                side = 2 * corner + 1
                tile = _rounded(side, side, radius, border, _key(fill), _key(edge), round(alpha * 255))
                _stretch(self.surface, tile, rect, corner)
                return
            tile = _rounded(rect.width, rect.height, radius, border, _key(fill), _key(edge), round(alpha * 255))
            self.surface.blit(tile, rect)
            return
        if fill is not None:
            veil = _veil(rect.width, rect.height, _key(fill), round(alpha * 255))
            self.surface.blit(veil, rect)
        if edge is not None:
            self._frame(rect, edge, border)

    def _frame(self, rect: pygame.Rect, colour: pygame.Color, thickness: int) -> None:
        """The edge of a box, inside it; `pygame.draw.rect` draws another one where a part is clipped away."""
        thickness = min(thickness, rect.width, rect.height)
        left, top, wide, high = rect
        for part in (
            (left, top, wide, thickness),
            (left, rect.bottom - thickness, wide, thickness),
            (left, top, thickness, high),
            (rect.right - thickness, top, thickness, high),
        ):
            self.surface.fill(colour, part)

    def _stroke(self, stroke: Stroke) -> None:
        colour = self.colour(stroke.colour)
        half = max(stroke.thickness / 2, 0.5)
        (x1, y1), (x2, y2) = stroke.start, stroke.end
        if stroke.alpha >= 1 and (x1 == x2 or y1 == y2):
            # Straight along the lattice, which is nearly every line there is: no soft edge is needed.
            left, top = round(min(x1, x2) - half), round(min(y1, y2) - half)
            wide, high = round(abs(x2 - x1) + 2 * half), round(abs(y2 - y1) + 2 * half)
            radius = round(half) if half >= 2 else 0
            self._nine(pygame.Rect(left, top, max(wide, 1), max(high, 1)), radius, 0, colour, None, 1.0)
            return
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (y2 - y1) / length * half, (x1 - x2) / length * half
        corners = ((x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy))
        self._smooth_polygon(corners, colour, stroke.alpha)

    def _disc(self, disc: Disc) -> None:
        fill = self.colour(disc.fill) if disc.fill is not None else None
        edge = self.colour(disc.border) if disc.border is not None else None
        thickness = max(disc.thickness, 1.0) if edge is not None else 0.0
        tile = _circle(round(disc.radius * 4), round(thickness * 4), _key(fill), _key(edge), round(disc.alpha * 255))
        x, y = disc.centre
        self.surface.blit(tile, (round(x - tile.get_width() / 2), round(y - tile.get_height() / 2)))

    def _polygon(self, polygon: Polygon) -> None:
        if polygon.fill is not None:
            self._smooth_polygon(polygon.points, self.colour(polygon.fill), polygon.alpha)
        if polygon.border is not None:
            ends = (*polygon.points[1:], polygon.points[0])
            for start, end in zip(polygon.points, ends, strict=True):
                self._stroke(Stroke(start, end, polygon.border, polygon.thickness))

    def _smooth_polygon(self, points: tuple[Point, ...], colour: pygame.Color, alpha: float) -> None:
        """An area with soft edges, from a small picture of it: drawn so, it is the same wherever drawing is clipped."""
        left, top = math.floor(min(x for x, _ in points)) - 1, math.floor(min(y for _, y in points)) - 1
        corners = tuple((round((x - left) * 4), round((y - top) * 4)) for x, y in points)
        self.surface.blit(_area(corners, (colour.r, colour.g, colour.b), round(alpha * 255)), (left, top))

    def _text(self, text: Text) -> None:
        shown = lettering.fitted(text.text, text.rect.width, text.size, text.face)
        if not shown:
            return
        size = round(text.size)
        wide = lettering.width(shown, text.size, text.face)
        x = text.rect.x
        if text.align is Align.CENTRE:
            x += (text.rect.width - wide) / 2
        elif text.align is Align.RIGHT:
            x += text.rect.width - wide
        colour = _key(self.colour(text.colour))
        assert colour is not None
        # The middle of the capitals, so that a symbol of the second font does not move the line.
        baseline = text.rect.y + text.rect.height / 2 + size * 0.36
        for run in lettering.runs(text.face, shown):
            wide, above = lettering.size_of(run, size)
            self.surface.blit(_letters(run, size, colour), (round(x), round(baseline - above)))
            x += wide


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
            found = _rect(rect)
        case Text(rect, _, size):
            # Letters may be higher than the line that they stand in.
            over = max(size * 1.8 - rect.height, 0) / 2
            found = _rect(Rect(rect.x, rect.y - over, rect.width, rect.height + 2 * over))
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


def _rect(rect: Rect) -> pygame.Rect:
    left, top = round(rect.x), round(rect.y)
    return pygame.Rect(left, top, round(rect.right) - left, round(rect.bottom) - top)


_Key = tuple[int, int, int] | None


def _key(colour: pygame.Color | None) -> _Key:
    return None if colour is None else (colour.r, colour.g, colour.b)


@lru_cache(maxsize=256)
def _colour(text: str) -> pygame.Color:
    return pygame.Color(text)


@lru_cache(maxsize=1024)
def _letters(run: lettering.Run, size: int, colour: tuple[int, int, int]) -> pygame.Surface:
    return lettering.draw(run, size, colour)


@lru_cache(maxsize=128)
def _veil(width: int, height: int, colour: _Key, alpha: int) -> pygame.Surface:
    veil = pygame.Surface((width, height), pygame.SRCALPHA)
    veil.fill((*(colour or (0, 0, 0)), alpha))
    return veil


@lru_cache(maxsize=512)
def _circle(radius_4: int, thickness_4: int, fill: _Key, edge: _Key, alpha: int) -> pygame.Surface:
    """A smooth circle; `radius_4` and `thickness_4` are quarters of pixels."""
    side = math.ceil(radius_4 / 4) * 2 + 2
    large = pygame.Surface((side * SMOOTH, side * SMOOTH), pygame.SRCALPHA)
    centre = (side * SMOOTH // 2, side * SMOOTH // 2)
    base = edge if edge is not None else fill
    if base is not None:
        # Scaling mixes in what lies around, which must have the same colour.
        large.fill((*base, 0))
    if edge is not None:
        pygame.draw.circle(large, (*edge, alpha), centre, radius_4)
        inside = (*fill, alpha) if fill is not None else (*edge, 0)
        pygame.draw.circle(large, inside, centre, max(radius_4 - thickness_4, 0))
    elif fill is not None:
        pygame.draw.circle(large, (*fill, alpha), centre, radius_4)
    return pygame.transform.smoothscale(large, (side, side))


@lru_cache(maxsize=512)
def _area(corners_4: tuple[tuple[int, int], ...], colour: tuple[int, int, int], alpha: int) -> pygame.Surface:
    """A smooth polygon; `corners_4` are quarters of pixels from its upper left corner, which is left free."""
    wide, high = max(x for x, _ in corners_4) // 4 + 2, max(y for _, y in corners_4) // 4 + 2
    smooth = SMOOTH if wide * high < LARGE_AREA else 2
    large = pygame.Surface((wide * smooth, high * smooth), pygame.SRCALPHA)
    large.fill((*colour, 0))
    pygame.draw.polygon(large, (*colour, alpha), [(x * smooth / 4, y * smooth / 4) for x, y in corners_4])
    return pygame.transform.smoothscale(large, (wide, high))


@lru_cache(maxsize=512)
def _rounded(width: int, height: int, radius: int, border: int, fill: _Key, edge: _Key, alpha: int) -> pygame.Surface:
    """A box with smooth round corners."""
    large = pygame.Surface((width * SMOOTH, height * SMOOTH), pygame.SRCALPHA)
    whole = large.get_rect()
    base = edge if edge is not None else fill
    if base is not None:
        large.fill((*base, 0))
    if edge is not None:
        pygame.draw.rect(large, (*edge, 255), whole, 0, radius * SMOOTH)
        inner = whole.inflate(-2 * border * SMOOTH, -2 * border * SMOOTH)
        inside = (*fill, alpha) if fill is not None else (*edge, 0)
        pygame.draw.rect(large, inside, inner, 0, max(radius - border, 0) * SMOOTH)
    elif fill is not None:
        pygame.draw.rect(large, (*fill, alpha), whole, 0, radius * SMOOTH)
    return pygame.transform.smoothscale(large, (width, height))


def _stretch(surface: pygame.Surface, tile: pygame.Surface, rect: pygame.Rect, corner: int) -> None:
    """Cover `rect` by a tile of which only the row and the column in the middle are repeated."""
    end = corner + 1
    right, bottom = rect.right - corner, rect.bottom - corner
    inner_wide, inner_high = rect.width - 2 * corner, rect.height - 2 * corner
    for x, y, source in (
        (rect.x, rect.y, (0, 0, corner, corner)),
        (right, rect.y, (end, 0, corner, corner)),
        (rect.x, bottom, (0, end, corner, corner)),
        (right, bottom, (end, end, corner, corner)),
    ):
        surface.blit(tile, (x, y), source)
    for x, y, source, size in (
        (rect.x + corner, rect.y, (corner, 0, 1, corner), (inner_wide, corner)),
        (rect.x + corner, bottom, (corner, end, 1, corner), (inner_wide, corner)),
        (rect.x, rect.y + corner, (0, corner, corner, 1), (corner, inner_high)),
        (right, rect.y + corner, (end, corner, corner, 1), (corner, inner_high)),
        (rect.x + corner, rect.y + corner, (corner, corner, 1, 1), (inner_wide, inner_high)),
    ):
        if size[0] > 0 and size[1] > 0:
            surface.blit(pygame.transform.scale(tile.subsurface(source), size), (x, y))
