"""Tasks for who learns Checkers."""

from __future__ import annotations

from typing import Any

from protocol.text import N_
from server.games._draughts import Position, jumpers
from server.games.game import Lesson


def _captured(start: Any, now: Any) -> int:
    """White's pieces that have left the board; the learner has Black in all of these tasks."""
    won: int = start.white.bit_count() - now.white.bit_count()
    return won


def _is_safe(start: Any, now: Any) -> bool:
    return now.turn != start.turn and not jumpers(Position.of(now.black, now.white, now.kings, now.turn))


LESSONS = (
    Lesson(
        title=N_("Capture a piece"),
        task=N_("A white man stands before yours, and the square behind it is free. Jump over it."),
        done=N_("The piece that was jumped over is gone. Nobody has to jump unless the match says so."),
        missed=N_("Pick the man next to a white one, then the free square on the other side of it."),
        moves=tuple(["11-15", "24-19"]),
        reached=lambda start, now: _captured(start, now) == 1,
    ),
    Lesson(
        title=N_("Capture two pieces"),
        task=N_("The same man may jump again from where it lands. Capture two pieces in one turn."),
        done=N_("Two pieces in one turn. Look for such ways before each move, also for your opponent's."),
        missed=N_("Jump with the man on 9, and pick the square after the second jump, too."),
        moves=tuple(["10-15", "23-18", "15-19", "27-23", "11-16", "18-14"]),
        reached=lambda start, now: _captured(start, now) == 2,
    ),
    Lesson(
        title=N_("Make a king"),
        task=N_("A man that reaches the opponent's first row becomes a king. One of yours can do so now."),
        done=N_("A king steps and jumps in all four directions."),
        missed=N_("Your man on 28 is one step away from the last row."),
        moves=tuple(["12-16", "23-18", "10-14", "24-20", "16-19", "28-24", "19x28", "27-23", "6-10", "32-27"]),
        reached=lambda start, now: now.kings.bit_count() > start.kings.bit_count(),
    ),
    Lesson(
        title=N_("Lose nothing"),
        task=N_("The man on 20 threatens yours on 16. Move so that White has nothing to jump over."),
        done=N_("A man with another one behind it cannot be jumped over."),
        missed=N_("White can jump now. Put a man on the free square behind the one on 16."),
        moves=tuple(["11-16", "24-20"]),
        reached=_is_safe,
    ),
)
