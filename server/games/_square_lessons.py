"""Tasks for who learns Square."""

from __future__ import annotations

from typing import Any

from protocol.text import N_
from server.games._boxes import FREE, OWNERS, layout, sides_drawn
from server.games.game import Lesson

GRID = layout(3, 3)


def _won(start: Any, now: Any) -> int:
    """Boxes that the learner has claimed."""
    owner = OWNERS[start.turn]
    won: int = now.boxes.count(owner) - start.boxes.count(owner)
    return won


def _gives_nothing(start: Any, now: Any) -> bool:
    boxes = enumerate(now.boxes)
    return now.turn != start.turn and not any(
        owner == FREE and sides_drawn(GRID, now.lines, box) == 3 for box, owner in boxes
    )


LESSONS = (
    Lesson(
        title=N_("Claim a box"),
        task=N_("One box has three sides. Draw its fourth, and the box is yours."),
        done=N_("The box is yours. In Square the turn goes to the other player all the same."),
        missed=N_("Look for the box with three black sides, and draw the one that is still grey."),
        moves=tuple(["c2-c3", "a2-a3", "b2-b3", "b2-c2"]),
        reached=lambda start, now: _won(start, now) == 1,
    ),
    Lesson(
        title=N_("Claim two at once"),
        task=N_("You have one line. Draw the one that completes two boxes."),
        done=N_("Two boxes with one line, which is as much as a turn can bring."),
        missed=N_("Both boxes lack the same line: the one between them."),
        moves=tuple(["a2-b2", "c2-c3", "b3-c3", "b1-c1", "b2-b3", "b1-b2", "a3-b3", "c1-c2"]),
        reached=lambda start, now: _won(start, now) == 2,
    ),
    Lesson(
        title=N_("Give nothing away"),
        task=N_("Draw a line after which no box has three sides: there is only one left."),
        done=N_("Whatever your opponent draws now gives you a box."),
        missed=N_("That line was the third side of a box, which the other player now claims."),
        moves=tuple(["b1-b2", "c2-c3", "a1-a2", "b1-c1", "a3-b3", "a2-a3"]),
        reached=_gives_nothing,
    ),
)
