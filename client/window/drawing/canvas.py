"""Draws a picture on a surface, and of the next one only what is different. Knows shapes, and nothing of games."""

from __future__ import annotations

import math

import pygame

from client.kept.settings import BoardColours, Theme
from client.window.drawing import lettering, tiles
from client.window.drawing.differences import bounds, differences, rect_of
from client.window.drawing.shapes import Align, Box, Colour, Disc, Picture, Point, Polygon, Shape, Stroke, Text
from client.window.drawing.theme import Ink, palette
from client.window.drawing.tiles import key_of


class Canvas:
    """One surface, the palette it is drawn in, and the picture that it shows."""

    def __init__(self, surface: pygame.Surface, theme: Theme) -> None:
        self.surface = surface
        self.theme = theme
        self._palette = palette(theme, BoardColours.PAPER)
        self._shown: Picture | None = None
        self._bounds: list[pygame.Rect] = []
        self._bounded: tuple[Shape, ...] = ()
        """The shapes drawn last, and where each of them is."""

    def show(self, picture: Picture, theme: Theme, board: BoardColours = BoardColours.PAPER) -> list[pygame.Rect]:
        """Draw what differs from the picture before; the rectangles that changed, none when nothing did."""
        whole = self.surface.get_rect()
        worn = palette(theme, board)
        if worn is not self._palette or self._shown is None:
            changed = [whole]
        else:
            changed = [rect.clip(whole) for rect in differences(self._shown, picture) if rect.colliderect(whole)]
        if changed:
            self._remember_bounds(picture)
        self.theme, self._palette, self._shown = theme, worn, picture
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
        return tiles.colour_of(self._palette[colour] if isinstance(colour, Ink) else colour)

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
        rect = rect_of(box.rect)
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
                tile = tiles.rounded(side, side, radius, border, key_of(fill), key_of(edge), round(alpha * 255))
                tiles.stretch(self.surface, tile, rect, corner)
                return
            tile = tiles.rounded(
                rect.width, rect.height, radius, border, key_of(fill), key_of(edge), round(alpha * 255)
            )
            self.surface.blit(tile, rect)
            return
        if fill is not None:
            veil = tiles.veil(rect.width, rect.height, key_of(fill), round(alpha * 255))
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
        tile = tiles.circle(
            round(disc.radius * 4),
            round(thickness * 4),
            key_of(fill),
            key_of(edge),
            round(disc.alpha * 255),
        )
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
        self.surface.blit(tiles.area(corners, (colour.r, colour.g, colour.b), round(alpha * 255)), (left, top))

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
        colour = key_of(self.colour(text.colour))
        assert colour is not None
        # The middle of the capitals, so that a symbol of the second font does not move the line.
        baseline = text.rect.y + text.rect.height / 2 + size * 0.36
        for run in lettering.runs(text.face, shown):
            wide, above = lettering.size_of(run, size)
            self.surface.blit(tiles.letters(run, size, colour), (round(x), round(baseline - above)))
            x += wide
