"""What was chosen in the form for a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from client.shown.clocks import span_text
from protocol.messages import ClockRule, GameInfo, OptionValue

MOVE_TIMES_S = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
TOTALS_S = (30, 60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 5400)
INCREMENTS_S = (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60)
GRACES_S = (0, 10, 30, 60, 120, 300)
"""Times to choose from (`RU-M1`)."""
USUAL_MOVE_MS, USUAL_TOTAL_MS = 30_000, 600_000

Opponent = Literal["somebody", "computer", "both"]
BEGINS: tuple[tuple[OptionValue, str], ...] = ((0, "you"), (1, "the computer"))
"""Who begins against the computer: where one sits oneself, and how that is written."""


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
    level: str = ""
    """How well the computer is to play; "" is the game's usual level."""
    seat: int = 0
    """Against the computer: where one sits oneself. Seat 0 begins."""


def level_of(game: GameInfo, choice: Choice) -> str:
    """The level that a form begins with: the one chosen last, if this game has it."""
    return choice.level if choice.level in {level.name for level in game.levels} else game.usual_level


def times(seconds: tuple[int, ...], own_ms: int) -> list[tuple[OptionValue, str]]:
    """Ready times, and the one that is set already: ms, and how it is written."""
    times_ms = sorted({second * 1000 for second in seconds} | ({own_ms} if own_ms else set()))
    return [(ms, span_text(ms)) for ms in times_ms]
