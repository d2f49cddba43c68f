"""The two sides of a game before it is on a board: what they look like, and which one is one's own. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.board import SeatStyle
from protocol.messages import GameInfo, OptionValue


def sides(game: GameInfo, options: Mapping[str, OptionValue]) -> tuple[SeatStyle, SeatStyle] | None:
    """What both seats are called and look like with these options; None where a server does not tell."""
    fitting = [one for one in game.sides if not one.option or options.get(one.option) == one.choice]
    return (fitting[-1].first, fitting[-1].second) if fitting else None


def own_side_text(game: GameInfo | None, options: Mapping[str, OptionValue], seat: int) -> str:
    """Whose side is one's own on that seat, and whether one begins: seat 0 does."""
    styles = sides(game, options) if game is not None else None
    if styles is None:
        return "you go second" if seat else "you begin"
    return f"you are {styles[seat].name}" + ("" if seat else " and begin")
