"""What spectators of a match with a delay may see: the log without its last moves (issue: spectators).

The last `plies` moves are held back, and with them everything that came after the first of these, so that versions
stay consecutive. Moves that were taken back count, too: what has been shown stays shown. The end releases everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from server.match.events import MovePlayed
from server.match.machine import Step
from server.match.state import Match


class HeldBack:
    """The steps that spectators do not know yet."""

    def __init__(self, plies: int) -> None:
        self._plies = plies
        self._steps: deque[Step] = deque()
        self._moves = 0

    @property
    def since_ms(self) -> int | None:
        """When the first thing happened that spectators do not know; None when they know all."""
        return self._steps[0].event.at_ms if self._steps else None

    def shown(self, match: Match) -> Match:
        """`match` (at its newest version) as spectators know it."""
        if not self._steps:
            return match
        before = self._steps[0].before
        assert before is not None
        return before

    def push(self, happened: Iterable[Step]) -> list[Step]:
        """Take what has happened; returns what spectators may know from now on, in order."""
        over = False
        for step in happened:
            self._steps.append(step)
            self._moves += isinstance(step.event, MovePlayed)
            over = step.after.ending is not None
        released: list[Step] = []
        while self._steps and (over or self._moves > self._plies or not isinstance(self._steps[0].event, MovePlayed)):
            step = self._steps.popleft()
            self._moves -= isinstance(step.event, MovePlayed)
            released.append(step)
        return released
