"""Typed lines on their way to being understood, one after the other.

The next line waits until the last one has its answer, but never longer than ANSWER_S: so a script on a pipe works, and
a person is never kept waiting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

ANSWER_S = 1.0
LAST_WORDS_S = 3.0
"""How long what was typed before the end of the input may take to be answered."""
QUIT_S = 0.3
"""To quit one waits hardly, and not at all where nothing is asked (`N1`)."""
QUITS = ("quit", "q", "exit")


class Typed:
    """`call_later` has the queue looked at again after so many seconds."""

    def __init__(self, clock: Callable[[], float], call_later: Callable[[float], object]) -> None:
        self._clock = clock
        self._call_later = call_later
        self._lines: deque[str | None] = deque()
        self._due: float | None = None

    def put(self, line: str | None) -> None:
        """A line was typed; None is the end of the input."""
        self._lines.append(line)

    def is_ready(self, *, waits_for_server: bool, is_busy: bool) -> bool:
        """Whether there is a line to understand now.

        `waits_for_server`: nothing can be understood before it has said welcome, for as long as that takes.
        `is_busy`: the last command is not answered yet.
        """
        if not self._lines:
            return False
        line = self._lines[0]
        if waits_for_server:
            return is_quit(line)
        if not is_busy:
            return True
        if self._due is None:
            wait_s = LAST_WORDS_S if line is None else QUIT_S if is_quit(line) else ANSWER_S
            self._due = self._clock() + wait_s
            self._call_later(wait_s + 0.01)
        return self._clock() >= self._due

    def pop(self) -> str | None:
        """The next line."""
        self._due = None
        return self._lines.popleft()


def is_quit(line: str | None) -> bool:
    """Whether it is a word that leaves the program."""
    return line is not None and line.strip().lower() in QUITS
