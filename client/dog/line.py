"""What an actor needs of whatever carries its matches, and how callbacks get to the game."""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from client.dog.interface import OFFLINE, OFFLINE_TEXT, STARTED, STARTED_TEXT, TOO_FEW, TOO_FEW_TEXT, StartStatus

NOT_SENT = "not_sent"
NOT_SENT_TEXT = "O servidor não respondeu; a jogada não foi enviada."

Call = Callable[[], None]
Deliver = Callable[[Call], object]
"""Takes a callback and sees to it that it is called, soon and in order: `lambda call: window.after(0, call)`."""


class MoveRefused(ValueError):
    """A move that nobody is told of: against the rules that the server knows, or none at all, or not sent.

    `code` is stable, the text for people.
    """

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
    in_match = False
    """Whether a match goes on, as far as is known here."""
    why = OFFLINE_TEXT
    """Why there is no connection."""

    @abstractmethod
    def connect(self) -> bool:
        """Whether the server knows this player now."""

    @abstractmethod
    def start(self, number_of_players: int, wait_s: float) -> StartStatus:
        """Ask for a match, and wait for the others for so long (`UD RF2`)."""

    @abstractmethod
    def send(self, move: dict[str, Any]) -> dict[str, Any] | None:
        """Send a move (`UD RF4`); returns what it did, where the server knows the rules. Raises MoveRefused."""

    @abstractmethod
    def close(self) -> None:
        """Go away."""

    def offline(self) -> StartStatus:
        """There is no server."""
        return StartStatus(OFFLINE, OFFLINE_TEXT, [], self.local_id)

    def too_few(self, why: str = TOO_FEW_TEXT) -> StartStatus:
        """Nobody to play with yet."""
        return StartStatus(TOO_FEW, why, [], self.local_id)

    def started(self, players: list[list[str]], position: dict[str, Any] | None = None) -> StartStatus:
        """A match has begun."""
        return StartStatus(STARTED, STARTED_TEXT, players, self.local_id, position)
