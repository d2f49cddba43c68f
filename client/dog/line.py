"""What an actor needs of whatever carries its matches, and how callbacks get to the game."""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from client.dog.interface import OFFLINE, OFFLINE_TEXT, STARTED, STARTED_TEXT, TOO_FEW, TOO_FEW_TEXT, StartStatus

Call = Callable[[], None]
Deliver = Callable[[Call], object]
"""Takes a callback and sees to it that it is called, soon and in order: `lambda call: window.after(0, call)`."""


class MoveRefused(ValueError):
    """The server knows the rules of this game, and this move is against them; `code` is stable, the text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Courier:
    """Calls the game back: in order, never two at a time, on a thread of its own unless told where."""

    def __init__(self, deliver: Deliver | None) -> None:
        self._queue: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._deliver = deliver if deliver is not None else self._queue.put
        if deliver is None:
            threading.Thread(target=self._work, name="dog callbacks", daemon=True).start()

    def call(self, callback: Callable[..., None], *values: object) -> None:
        """Have `callback` called with these values."""
        self._deliver(lambda: callback(*values))

    def close(self) -> None:
        """Call nothing any more."""
        self._queue.put(None)

    def _work(self) -> None:
        while (call := self._queue.get()) is not None:
            call()


class Line(ABC):
    """A way to the server. All methods wait for their answer, for a bounded time."""

    local_id: str = ""

    @abstractmethod
    def connect(self) -> bool:
        """Whether the server knows this player now."""

    @abstractmethod
    def start(self, number_of_players: int) -> StartStatus:
        """Ask for a match (`UD RF2`)."""

    @abstractmethod
    def send(self, move: dict[str, Any]) -> None:
        """Send a move (`UD RF4`). Raises MoveRefused where the server knows the rules."""

    @abstractmethod
    def close(self) -> None:
        """Go away."""

    def offline(self) -> StartStatus:
        """There is no server."""
        return StartStatus(OFFLINE, OFFLINE_TEXT, [], self.local_id)

    def too_few(self) -> StartStatus:
        """Nobody to play with yet."""
        return StartStatus(TOO_FEW, TOO_FEW_TEXT, [], self.local_id)

    def started(self, players: list[list[str]]) -> StartStatus:
        """A match has begun."""
        return StartStatus(STARTED, STARTED_TEXT, players, self.local_id)
