"""What a server told that cannot be (`protocol.validity`): it is not shown; a few times what is true is asked for."""

from __future__ import annotations

from collections import deque

from protocol.messages import Refused

NONSENSE = "nonsense"
"""The code of what is told about it; the server knows none of this."""
MOST = 3
"""So often within WITHIN_S, and what it was about is left: it would go on for ever."""
WITHIN_S = 60.0


class Doubts:
    """About one thing that is told: a match, or the lobby. `now` is in seconds of the session's clock."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._times: deque[float] = deque(maxlen=MOST)

    def add(self, now: float) -> bool:
        """Once more; whether that was once too often."""
        self._times.append(now)
        return len(self._times) == MOST and now - self._times[0] <= WITHIN_S

    def forget(self) -> None:
        """Another one is followed now, or none."""
        self._times.clear()

    def told(self, why: str, *, left: bool) -> Refused:
        """What the user is told of it."""
        if left:
            text = f"The server told {MOST} times what cannot be (at last {why}): {self._what} is left."
        else:
            text = f"The server told what cannot be: {why}. What is true is asked for again."
        return Refused(ref="", code=NONSENSE, text=text)
