"""The sets of colours that boards can have, in the window: what is drawn on them is seen, in light and dark."""

from __future__ import annotations

import pygame
import pytest

from client.kept.settings import BoardColours, Theme
from client.window.drawing.canvas import Canvas
from client.window.drawing.shapes import Box, Picture, Rect
from client.window.drawing.theme import Ink, contrast, palette


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("board", BoardColours)
def test_what_is_on_a_board_can_be_read_and_seen(board: BoardColours, theme: Theme) -> None:
    """Letters and figures at 4.5 : 1, signs at 3 : 1, on the ground, on what is not in play, and on light cells."""
    worn = palette(theme, board)
    for ground in (Ink.BOARD, Ink.VEIL, Ink.BOARD_LIGHT):
        assert contrast(worn[Ink.DOT], worn[ground]) >= 4.5, ground
        assert contrast(worn[Ink.TICK], worn[ground]) >= 3, ground
        assert contrast(worn[Ink.CROSS], worn[ground]) >= 3, ground
    assert contrast(worn[Ink.FREE], worn[Ink.BOARD]) >= 3


def test_every_set_is_another_one() -> None:
    for theme in Theme:
        assert len({palette(theme, board)[Ink.BOARD] for board in BoardColours}) == len(BoardColours)


def test_what_was_chosen_is_drawn_at_once() -> None:
    surface = pygame.Surface((10, 10))
    canvas = Canvas(surface, Theme.LIGHT)
    picture = Picture((Box(Rect(0, 0, 10, 10), Ink.BOARD),), (), None)
    for board in BoardColours:
        assert canvas.show(picture, Theme.LIGHT, board)
        assert surface.get_at((5, 5)) == pygame.Color(palette(Theme.LIGHT, board)[Ink.BOARD])
        assert not canvas.show(picture, Theme.LIGHT, board)
