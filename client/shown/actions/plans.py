"""Moves that are not sent yet: one that waits to be confirmed, and one planned for the next turn. Pure.

A plan dies with its position: when moves are taken back, in a pause, at the end, when the connection is lost and when a
whole new position comes; without a connection none is made. It is sent only if it is legal exactly as it was touched.
The page does the same (`plans.js`).
"""

from __future__ import annotations

from msgspec import structs

from client.shown.board.picking import Path, complete, marked_by
from client.shown.model import Model
from protocol.messages import Snapshot

ON_ITS_WAY = "Your last move is not confirmed yet."
UNPLANNED = "It is not your turn, and no move is planned without a connection."
DROPPED = "What you had planned cannot be played any more."


def touchable(model: Model) -> Snapshot | None:
    """The match whose legal moves touches are about: while the other side is to move those of one's own last turn."""
    match = model.shown
    if match is None or not model.may_plan or match.board.lines:
        return match
    return structs.replace(match, legal=match.resting or match.legal)


def path_of(match: Snapshot, move: str) -> Path:
    """What is touched for a planned move: its line, or its cells; () where a line lies there already."""
    path = marked_by(match.board, move)
    return () if match.board.lines and move in match.marks else path


def move_of(match: Snapshot, path: Path) -> str | None:
    """The legal move that the planned touches are now."""
    if len(path) == 1 and path[0] in match.legal:
        return path[0]
    return complete(match.legal, path)


def plan_line(model: Model) -> str:
    """What waits for the user, in a sentence; "" where nothing does."""
    plan, match = model.plan, model.match
    if match is None:
        return ""
    if plan.unsent:
        return f"Play {plan.unsent}?"
    if plan.path:
        return f"Planned for your next turn: {' to '.join(_called(match, part) for part in plan.path)}."
    return ""


def _called(match: Snapshot, element: str) -> str:
    return next((cell.label for cell in match.board.cells if cell.id == element and cell.label), element)
