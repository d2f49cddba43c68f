"""Tasks for who learns Dots and Boxes, from the fourth side to the two boxes that are worth giving away."""

from __future__ import annotations

from typing import Any

from protocol.text import N_
from server.games._boxes import FREE, OWNERS, Layout, closed_by, layout, sides_drawn
from server.games.game import Lesson

CHAIN = tuple(["a1-a2", "a1-b1", "b1-c1", "c1-d1", "a2-b2", "b2-c2", "c2-d2", "a3-b3"])
DECLINED = tuple(["c2-d2", "c1-c2", "a2-b2", "b2-b3", "b1-b2", "b3-c3", "d2-d3", "b1-c1"])


def _grid(state: Any) -> Layout:
    return layout(state.width, state.height)


def _won(start: Any, now: Any) -> int:
    """Boxes that the learner has closed."""
    owner = OWNERS[start.turn]
    won: int = now.boxes.count(owner) - start.boxes.count(owner)
    return won


def _ready(state: Any) -> list[int]:
    """Boxes that one line closes."""
    grid = _grid(state)
    return [box for box, owner in enumerate(state.boxes) if owner == FREE and sides_drawn(grid, state.lines, box) == 3]


def _declined(start: Any, now: Any) -> bool:
    """A box was taken, and the last two lie there for one line of the opponent's, who must then open the rest."""
    grid, ready = _grid(now), _ready(now)
    free = (number for number, owner in enumerate(now.lines) if owner == FREE)
    at_once = any(
        len(closed_by(grid, now.lines[:line] + OWNERS[0] + now.lines[line + 1 :], line)) == 2 for line in free
    )
    return now.turn != start.turn and _won(start, now) > 0 and len(ready) == 2 and at_once


LESSONS = (
    Lesson(
        title=N_("Close a box"),
        task=N_("One box has three sides. Draw its fourth: the box is yours, and you draw again."),
        done=N_("The box is yours. It does not matter who drew the other sides."),
        missed=N_("Look for the box with three sides, and draw the one that is missing."),
        moves=tuple(["a1-b1", "a2-a3", "a1-a2", "b3-c3", "a2-b2", "c2-c3"]),
        options={"width": 3, "height": 3},
        reached=lambda start, now: _won(start, now) == 1,
    ),
    Lesson(
        title=N_("Take a whole chain"),
        task=N_("Each box that you close gives you another line. Take all three boxes of the upper row."),
        done=N_("Three boxes in one turn: whoever opens a chain gives it away whole."),
        missed=N_("Begin where a box has three sides: closing it makes the third side of the next one."),
        moves=CHAIN,
        options={"width": 4, "height": 3},
        reached=lambda start, now: _won(start, now) == 3,
    ),
    Lesson(
        title=N_("Give nothing away"),
        task=N_("Draw a line after which no box has three sides: there is only one left."),
        done=N_("Now your opponent must open a chain. Who runs out of safe lines first mostly loses."),
        missed=N_("That line was the third side of a box, which your opponent now takes. Count sides before you draw."),
        moves=tuple(["b1-b2", "b3-c3", "a1-b1", "c1-c2", "a2-a3", "c2-c3"]),
        options={"width": 3, "height": 3},
        reached=lambda start, now: now.turn != start.turn and not _ready(now),
    ),
    Lesson(
        title=N_("Decline two, keep the rest"),
        task=N_(
            "Take one box of the chain. Then draw the line that leaves its last two to your opponent, who must open "
            "the other chain for you."
        ),
        done=N_("You gave two boxes, and get the other three: whoever keeps the last word in chains wins the game."),
        missed=N_("Take one box, then draw the far end of the chain: one line must close both of the boxes that stay."),
        moves=DECLINED,
        options={"width": 4, "height": 3},
        reached=_declined,
    ),
)
