"""Tasks for who learns Ultimate Dots and Boxes."""

from __future__ import annotations

from typing import Any

from protocol.text import N_
from server.games._boxes import OWNERS
from server.games.game import Lesson

CLOSING = tuple(["5:d2-d3", "5:c4-d4", "5:c3-c4", "5:d3-d4"])
NEARLY_WON = tuple(
    [
        "5:c1-d1",
        "5:a3-b3",
        "5:c2-d2",
        "5:c3-c4",
        "5:d2-d3",
        "5:b2-c2",
        "5:d3-d4",
        "5:a2-b2",
        "5:a2-a3",
        "5:c3-d3",
        "5:c2-c3",
        "5:c4-d4",
        "5:b2-b3",
        "5:b3-c3",
        "5:b3-b4",
        "5:b1-b2",
    ]
)
BOTTOM_RIGHT = 8


def _won(start: Any, now: Any) -> int:
    """Boxes that the learner has closed."""
    owner = OWNERS[start.turn]
    won: int = now.boxes.count(owner) - start.boxes.count(owner)
    return won


LESSONS = (
    Lesson(
        title=N_("Close a box"),
        task=N_("Play is in the centre, which is highlighted. Close the box there that has three sides."),
        done=N_("The box is yours, and you draw another line in the same micro game."),
        missed=N_("Look at the bottom right of the centre: one side of a box is missing."),
        moves=CLOSING,
        reached=lambda start, now: _won(start, now) == 1,
    ),
    Lesson(
        title=N_("Send your opponent"),
        task=N_(
            "The place of the last box that you close is where your opponent must play. Close the box at the bottom "
            "right, then draw a line more."
        ),
        done=N_("Your opponent now plays in the micro game at the bottom right."),
        missed=N_("Close the box first. The line after it ends your turn, and sends your opponent there."),
        moves=CLOSING,
        reached=lambda start, now: now.turn != start.turn and now.focus == BOTTOM_RIGHT,
    ),
    Lesson(
        title=N_("Win a micro game"),
        task=N_("Five boxes win a micro game. You have four in the centre: close one more."),
        done=N_("The centre is yours. Three micro games in a row win the match, and so do any five."),
        missed=N_("Look for the box in the centre with three sides."),
        moves=NEARLY_WON,
        reached=lambda start, now: now.won != start.won,
    ),
)
