"""The sets of colours that boards can have: all are light, for players' colours are made for that. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from client.kept.settings import BoardColours


class Grounds(NamedTuple):
    """As `#rrggbb`: the ground, the parts that are not in play, light cells (hexagons among them), and dark ones."""

    ground: str
    shade: str
    light: str
    dark: str


GROUNDS: Mapping[BoardColours, Grounds] = {
    BoardColours.WOOD: Grounds("#f6e4c0", "#e2cb9b", "#f6e6c6", "#b98d52"),
    BoardColours.MEADOW: Grounds("#e6f0da", "#d3e1c2", "#eef5e4", "#7f9f6c"),
    BoardColours.SKY: Grounds("#e3edf6", "#cdddeb", "#edf4fa", "#7d9dbd"),
}
"""Without paper, of which each front end has its own."""
