"""What was chosen in the form for a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from protocol.messages import ClockRule, OptionValue

Opponent = Literal["somebody", "computer", "both"]


@dataclass(frozen=True)
class Choice:
    """For this time, and as what the next form begins with."""

    game: str = ""
    options: tuple[tuple[str, OptionValue], ...] = ()
    private: bool = False
    opponent: Opponent = "somebody"
    clock: ClockRule | None = None
    """None: the game's own."""
    grace_s: int = 30
