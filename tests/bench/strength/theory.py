"""What a position is worth by theory, for a game that is solved on its usual board.

A game's *theoretical points* for a player are the most that its position was worth, by the table, at any time of that
game: 1 where it was won with perfect play of both, 0.5 where it was drawn, 0 where it was lost. Perfect play from that
seat holds what the position is worth, so it would have got at least as many. At Square O has one from the start, and X
as many as O gives away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.bots import square
from server.bots.boxes import free_of
from server.games.square import State, scores

DRAWN = 0.5
"""Points."""


def of_square(state: State, seat: int) -> float:
    """The points that `seat` gets from here if both play perfectly, by the table of all 4,096 sets of free lines."""
    own, other = (sum(scores(state)[one]) for one in (state.turn, 1 - state.turn))
    lead = own - other + square.worth(free_of(state.lines), square.LINES)
    return DRAWN if lead == 0 else float((lead > 0) == (seat == state.turn))


WORTH: dict[str, Callable[[Any, int], float]] = {"square": of_square}
"""By the name of the game."""
