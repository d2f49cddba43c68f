"""Where one goes from the first screen, once one is welcome."""

from __future__ import annotations

import math
from collections.abc import Callable

from client.playing.new_match import AtOnce

LOST = "The connection was lost."
"""What is said of a first connection that ended for a reason nobody knows."""
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 30.0
"""How long it takes until a server that did not answer is asked again: twice as long each time, up to a bound."""


class Retrying:
    """When a first connection that failed is tried again, and how that is told."""

    def __init__(self) -> None:
        self._wait_s = FIRST_WAIT_S
        self._due: float | None = None
        self._reason = ""

    def failed(self, reason: str, now: float) -> None:
        """It did not come about, which `reason` says in a sentence."""
        self._reason, self._due = reason, now + self._wait_s
        self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)

    def stop(self) -> None:
        """It is tried now, or there is nothing to try."""
        self._due = None

    def is_due(self, now: float) -> bool:
        """Whether it is time."""
        return self._due is not None and now >= self._due

    def told(self, now: float) -> str:
        """What failed, and when it is tried again; "" while nothing has to be."""
        if self._due is None:
            return ""
        return f"{self._reason} Trying again in {max(math.ceil(self._due - now), 1)} s."


class Entering:
    """What was asked for on the first screen: a match at once (`play`), what the program was started for (`enter`, the
    first time one goes on), or the lobby."""

    def __init__(
        self, play: Callable[[AtOnce], object], enter: Callable[[], None], to_lobby: Callable[[], None]
    ) -> None:
        self._play = play
        self._enter = enter
        self._to_lobby = to_lobby
        self.asked: AtOnce | None = None
        """The match that is to begin."""
        self.goes_on = False
        """Whether one wants to leave the first screen."""
        self.entered = False
        """Whether one has been further."""

    def go_on(self) -> None:
        """One is welcome: to the board that was asked for, or to where one wanted to go, if anywhere."""
        asked, self.asked = self.asked, None
        if asked is not None:
            self._play(asked)
        elif self.goes_on:
            self.goes_on = False
            if self.entered:
                self._to_lobby()
            else:
                self.entered = True
                self._enter()
