"""Tasks for who learns HexOust, on the smallest board."""

from __future__ import annotations

from typing import Any

from protocol.text import N_
from server.games.game import Lesson


def _captured(start: Any, now: Any) -> int:
    """BLUE's stones that have left the board; the learner is RED in all of these tasks."""
    won: int = start.stones[1].bit_count() - now.stones[1].bit_count()
    return won


LESSONS = (
    Lesson(
        title=N_("Begin a group"),
        task=N_("A stone that touches none of your own may lie anywhere, and ends your turn. Place one so."),
        done=N_("That is a new group of one stone. Groups far from each other can be joined later."),
        missed=N_("That stone joined your own ones. Choose a free cell that touches none of them."),
        moves=tuple(["e1", "b3", "c3", "b4", "c2"]),
        options={"side": 3},
        reached=lambda start, now: now.turn != start.turn and not _captured(start, now),
    ),
    Lesson(
        title=N_("Capture a group"),
        task=N_("Join your stones into a group that touches a smaller blue one: that one leaves the board."),
        done=N_("A larger group captures the smaller ones that it touches, and you place again."),
        missed=N_("That stone touched none of yours. Place one next to your own, so that the group becomes larger."),
        moves=tuple(["e1", "b3", "c3", "b4", "c2"]),
        options={"side": 3},
        reached=lambda start, now: _captured(start, now) > 0,
    ),
    Lesson(
        title=N_("Capture twice"),
        task=N_("After a capture you place again. Capture twice in this turn."),
        done=N_("A turn goes on for as long as you capture."),
        missed=N_("Capture first: whoever places a stone apart ends the turn."),
        moves=tuple(["e1", "b3", "c3", "b4", "c2", "b1", "a1"]),
        options={"side": 3},
        reached=lambda start, now: now.turn == start.turn and _captured(start, now) >= 2,
    ),
    Lesson(
        title=N_("Win the game"),
        task=N_("Capture the last blue stones. One stone is enough for it."),
        done=N_("Whoever captures the last stone of the opponent wins. There are no draws."),
        missed=N_("Look for the cell that joins your stones and touches all that is blue."),
        moves=tuple(["c2", "e1", "b4", "b2"]),
        options={"side": 3},
        reached=lambda start, now: now.winner == start.turn,
    ),
)
