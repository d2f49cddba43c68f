"""Short animations: what moved, what came and what went, from one position to the next. Pure; they block nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from protocol.board import Mark, Piece, touched
from protocol.messages import Snapshot

MOTION_S = 0.24
FRAME_S = 1 / 60
MAX_GOING = 64
"""Elements that fade at once; a whole board that is replaced is simply replaced."""


@dataclass(frozen=True)
class Motion:
    """What happens on the board from `begun` (seconds) on, for MOTION_S."""

    begun: float = -1e9
    came: frozenset[str] = frozenset()
    """Elements whose mark is new: it grows."""
    went: Mapping[str, Mark] | None = None
    """Marks that are gone: they fade."""
    path: tuple[str, ...] = ()
    """Where a piece went, from cell to cell."""
    crowned: str | None = None

    def part(self, now: float) -> float:
        """How much of it is over: 0 at its beginning, 1 from its end on."""
        return min(max((now - self.begun) / MOTION_S, 0.0), 1.0)

    def is_on(self, now: float) -> bool:
        """Whether something moves."""
        return bool(self.came or self.went or self.path) and self.part(now) < 1

    def along(self, now: float) -> tuple[int, float]:
        """On which leg of the path the piece is, and how far along it."""
        legs = len(self.path) - 1
        done = _eased(self.part(now)) * legs
        leg = min(int(done), legs - 1)
        return leg, done - leg


def between(before: Snapshot, after: Snapshot, now: float) -> Motion:
    """What to show between two positions of one match."""
    if before.match != after.match or after.version < before.version or before.pause or after.pause:
        return Motion()
    came = frozenset(e for e, mark in after.marks.items() if before.marks.get(e) != mark)
    went = {e: mark for e, mark in before.marks.items() if e not in after.marks}
    if (not came and not went) or len(came) + len(went) > MAX_GOING:
        return Motion()
    path: tuple[str, ...] = ()
    crowned = None
    if after.last is not None and after.plies == before.plies + 1:
        cells = touched(after.last.move)
        if len(cells) > 1 and cells[0] in went and cells[-1] in after.marks:
            path = cells
            if before.marks[cells[0]].piece is not after.marks[cells[-1]].piece:
                crowned = cells[-1] if after.marks[cells[-1]].piece is Piece.KING else None
            went.pop(cells[0])
            came -= {cells[-1]}
    return Motion(now, came, went, path, crowned)


def _eased(part: float) -> float:
    return 1 - (1 - part) ** 3
