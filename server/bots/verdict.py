"""What a player thinks of a position: the best move it found, and who stands how much better."""

from __future__ import annotations

import math
from typing import NamedTuple

FULL = 1000
"""The lead of one who has won."""
NARROW = 500
"""The least lead of one who wins for certain, and by little: more than any guess is drawn at so far."""


class Verdict(NamedTuple):
    """`lead` is that of the player to move, from -FULL to FULL, 0 where both stand alike; `exact` if it is no guess.

    Of a game that is over `move` is "", and the lead is that of seat 0.
    """

    move: str
    lead: int
    exact: bool = False


def guessed(value: float, clear: float) -> int:
    """The lead for a value of a player's own; at `clear` somebody stands clearly better."""
    return round((FULL - 1) * math.tanh(value / clear))


def counted(boxes: float, of: int) -> int:
    """The lead of one who is certain to end so many boxes ahead (or behind) of a board's."""
    if not boxes:
        return 0
    return round(math.copysign(NARROW + (FULL - NARROW) * min(1.0, abs(boxes) / of), boxes))
