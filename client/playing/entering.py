"""Where one goes from the first screen, once one is welcome."""

from __future__ import annotations

from collections.abc import Callable

from client.playing.new_match import AtOnce


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
