"""The characters of a board in one of the sets of colours: what lies on another ground is seen there as well."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from client.kept.board_colours import GROUNDS
from client.kept.settings import BoardColours
from client.terminal.drawing import theme
from client.terminal.drawing.few_colours import is_ground, least_for
from client.terminal.drawing.raster import Ink


@lru_cache(maxsize=2048)
def inked(ink: Ink, text: str, board: BoardColours) -> Ink:
    """How that is printed which on paper is printed with `ink`."""
    grounds = GROUNDS.get(board)
    if grounds is None:
        return ink
    instead = {
        theme.PAPER: grounds.ground, theme.PAPER_SHADE: grounds.shade, theme.LIGHT_TILE: grounds.light,
        theme.DARK_TILE: grounds.dark,
    }  # fmt: skip
    colour, ground = ink.colour, instead.get(ink.ground, ink.ground)
    if is_ground(text):
        colour = instead.get(colour, colour)
    elif ground != ink.ground:
        colour = theme.readable(colour, ground, least_for(text))
    return replace(ink, colour=colour, ground=ground)


def ground_of(board: BoardColours) -> str:
    """What lies around a board."""
    grounds = GROUNDS.get(board)
    return theme.PAPER if grounds is None else grounds.ground
