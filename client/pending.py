"""The user's commands that wait for their answer: bounded, and sent again under the same ref until they have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from client.events import Answer
from protocol.errors import Code
from protocol.messages import Command, Refused

MAX_PENDING = 32
"""Commands that wait at a time. A person has one or two; more means that nobody answers."""

ANSWER_S = 5.0
"""A command unanswered for so long on a live connection is sent again: its answer may have been unreadable."""

UNAVAILABLE_S = 1.0
"""How long to wait before a command that the server could not store is sent again."""

MAX_TRIES = 8
"""How often a command is sent again while the server says that its store is away."""


class Backlog(Exception):
    """Too many commands wait for an answer; this one was not taken."""


@dataclass
class _Waiting:
    command: Command
    due: float | None = None
    """When to send it again if it has no answer by then; None until the clock was looked at."""
    tries: int = 0


class Pending:
    """See the module's docstring."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}

    def __contains__(self, ref: str) -> bool:
        return ref in self._waiting

    def __iter__(self) -> Iterator[Command]:
        return (waiting.command for waiting in self._waiting.values())

    def add(self, command: Command) -> None:
        """Let it wait. Raises Backlog when too many do."""
        if len(self._waiting) >= MAX_PENDING:
            raise Backlog
        self._waiting[command.ref] = _Waiting(command)

    def all_sent(self, now: float) -> None:
        """All were just sent, on a new connection."""
        for waiting in self._waiting.values():
            waiting.due = now + ANSWER_S

    def due(self, now: float) -> list[Command]:
        """Those to send again now."""
        again = []
        for waiting in self._waiting.values():
            if waiting.due is not None and now >= waiting.due:
                again.append(waiting.command)
                waiting.due = None
            if waiting.due is None:
                waiting.due = now + ANSWER_S
        return again

    def settle(self, answer: Answer, now: float) -> Command | None:
        """The command that is answered for good; None when it goes on waiting.

        When the store was away, whether the command was stored is unknown until it is sent again under the same ref.
        """
        waiting = self._waiting[answer.ref]
        if isinstance(answer, Refused) and answer.code == Code.UNAVAILABLE and waiting.tries < MAX_TRIES:
            waiting.tries += 1
            waiting.due = now + UNAVAILABLE_S
            return None
        del self._waiting[answer.ref]
        return waiting.command
