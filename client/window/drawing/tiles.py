"""Small pictures with smooth edges, drawn once and used often: pygame draws hard ones."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from client.window.drawing import lettering

SMOOTH = 4
"""Edges are drawn this much larger and scaled down, for pygame draws hard ones."""
LARGE_AREA = 40_000
"""Pixels from which on half of that is enough for areas."""

Key = tuple[int, int, int] | None
"""A colour by which a small picture is found again."""


def key_of(colour: pygame.Color | None) -> Key:
    """A colour as a part of a key; None for none."""
    return None if colour is None else (colour.r, colour.g, colour.b)


@lru_cache(maxsize=256)
def colour_of(text: str) -> pygame.Color:
    """The colour that is written so."""
    return pygame.Color(text)


@lru_cache(maxsize=1024)
def letters(run: lettering.Run, size: int, colour: tuple[int, int, int]) -> pygame.Surface:
    """Letters of one font, drawn once."""
    return lettering.draw(run, size, colour)


@lru_cache(maxsize=128)
def veil(width: int, height: int, colour: Key, alpha: int) -> pygame.Surface:
    """A plane of one colour through which one sees."""
    plane = pygame.Surface((width, height), pygame.SRCALPHA)
    plane.fill((*(colour or (0, 0, 0)), alpha))
    return plane


@lru_cache(maxsize=512)
def circle(radius_4: int, thickness_4: int, fill: Key, edge: Key, alpha: int) -> pygame.Surface:
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
def area(corners_4: tuple[tuple[int, int], ...], colour: tuple[int, int, int], alpha: int) -> pygame.Surface:
    """A smooth polygon; `corners_4` are quarters of pixels from its upper left corner, which is left free."""
    wide, high = max(x for x, _ in corners_4) // 4 + 2, max(y for _, y in corners_4) // 4 + 2
    smooth = SMOOTH if wide * high < LARGE_AREA else 2
    large = pygame.Surface((wide * smooth, high * smooth), pygame.SRCALPHA)
    large.fill((*colour, 0))
    pygame.draw.polygon(large, (*colour, alpha), [(x * smooth / 4, y * smooth / 4) for x, y in corners_4])
    return pygame.transform.smoothscale(large, (wide, high))


@lru_cache(maxsize=512)
def rounded(width: int, height: int, radius: int, border: int, fill: Key, edge: Key, alpha: int) -> pygame.Surface:
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


def stretch(surface: pygame.Surface, tile: pygame.Surface, rect: pygame.Rect, corner: int) -> None:
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
