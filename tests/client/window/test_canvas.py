"""Drawing only what changed shows exactly what drawing everything would; nothing is cached without a bound."""

from __future__ import annotations

import random

import pygame
import pytest

from client.kept.settings import Theme
from client.window.drawing import faces, lettering, tiles
from client.window.drawing.canvas import Canvas
from client.window.drawing.differences import bounds, differences
from client.window.drawing.shapes import Align, Box, Disc, Picture, Polygon, Rect, Shape, Stroke, Text
from client.window.drawing.theme import Face, Ink

SIZE = (320, 240)
COLOURS = (Ink.TEXT, Ink.ACCENT, Ink.BAD, Ink.RAISED, "#00008b", "#4aa3df")
GROUND = Box(Rect(0, 0, *SIZE), Ink.TABLE)


def some_shape(rng: random.Random) -> Shape:
    """Any shape, anywhere, also partly outside."""
    x, y = rng.uniform(-20, SIZE[0]), rng.uniform(-20, SIZE[1])
    wide, high = rng.uniform(1, 120), rng.uniform(1, 80)
    colour, alpha = rng.choice(COLOURS), rng.choice((1.0, 1.0, 0.5))
    match rng.randrange(5):
        case 0:
            border, radius = rng.choice((None, Ink.EDGE)), rng.choice((0, 6, 14))
            return Box(Rect(x, y, wide, high), colour, border, rng.choice((1, 2.5)), radius, alpha)
        case 1:
            end = (x + rng.choice((0, wide, -wide)), y + rng.choice((0, high)))
            return Stroke((x, y), end, colour, rng.choice((1, 4, 9)), alpha)
        case 2:
            return Disc((x, y), rng.uniform(1, 40), colour, rng.choice((None, Ink.DOT)), 2, alpha)
        case 3:
            return Polygon(((x, y), (x + wide, y + high / 2), (x + wide / 3, y + high)), colour, Ink.BOARD, 2)
        case _:
            face, align = rng.choice(list(Face)), rng.choice(list(Align))
            return Text(Rect(x, y, wide, high), "Abc ★ Wörld", rng.choice((11, 17, 30)), colour, face, align)


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("seed", range(60))
def test_what_is_drawn_step_by_step_is_what_is_drawn_at_once(seed: int) -> None:
    """UD RNF1: shapes come, go, change, and change places; after each step each pixel is that of a fresh drawing."""
    rng = random.Random(seed)
    shapes = [some_shape(rng) for _ in range(25)]
    stepwise = Canvas(pygame.Surface(SIZE), Theme.LIGHT)
    for _ in range(12):
        theme = Theme.DARK if rng.random() < 0.1 else stepwise.theme
        for _ in range(rng.randrange(4)):
            match rng.randrange(4):
                case 0:
                    shapes.insert(rng.randrange(len(shapes) + 1), some_shape(rng))
                case 1:
                    shapes.pop(rng.randrange(len(shapes)))
                case 2:
                    shapes[rng.randrange(len(shapes))] = some_shape(rng)
                case _:
                    rng.shuffle(shapes)
        picture = Picture((GROUND, *shapes))
        stepwise.show(picture, theme)
        fresh = Canvas(pygame.Surface(SIZE), theme)
        fresh.show(picture, theme)
        assert pixels(stepwise.surface) == pixels(fresh.surface)


def test_no_shape_is_drawn_outside_its_bounds() -> None:
    """UD RNF1: what is redrawn is found by these bounds, so nothing may lie outside them."""
    rng = random.Random(5)
    for _ in range(300):
        shape = some_shape(rng)
        surface = pygame.Surface(SIZE)
        surface.fill("#123456")
        Canvas(surface, Theme.LIGHT)._draw(shape)
        inside = bounds(shape).clip(surface.get_rect())
        if inside.width and inside.height:
            surface.fill("#123456", inside)
        plain = pygame.Surface(SIZE)
        plain.fill("#123456")
        assert pixels(surface) == pixels(plain), shape


def test_the_same_picture_is_not_drawn_again() -> None:
    """UD RNF1: nothing changed, nothing is drawn; a change at one end does not redraw the other."""
    left, right = Box(Rect(0, 0, 10, 10), Ink.BAD), Box(Rect(300, 200, 10, 10), Ink.BAD)
    before = Picture((GROUND, left, right))
    assert differences(before, Picture((GROUND, left, right))) == []
    moved = Picture((GROUND, Box(Rect(2, 0, 10, 10), Ink.BAD), Box(Rect(300, 198, 10, 10), Ink.BAD)))
    changed = differences(before, moved)
    assert len(changed) == 2
    assert sum(rect.width * rect.height for rect in changed) < 1500


def test_caches_are_bounded() -> None:
    """UD RNF1: an evening of countdowns and chat keeps no picture of each of them."""
    surface = Canvas(pygame.Surface(SIZE), Theme.LIGHT)
    for number in range(3000):
        surface._draw(Text(Rect(0, 0, 200, 20), f"line {number}", 13))
    for cached in (tiles.letters, tiles.circle, tiles.rounded, tiles.veil, faces.font, lettering.width):
        info = cached.cache_info()
        assert info.maxsize is not None
        assert info.currsize <= info.maxsize
