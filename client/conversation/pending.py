"""The user's commands that wait for their answer: bounded, and sent again under the same ref until they have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from client.conversation.events import Answer, Settled
from protocol.errors import SENTENCES, Code
from protocol.messages import Analyse, Command, Hint, Refused

MAX_PENDING = 32
"""Commands that wait at a time. A person has one or two; more means that nobody answers."""

ANSWER_S = 5.0
"""A command unanswered for so long on a live connection is sent again: its answer may have been unreadable."""

UNAVAILABLE_S = 1.0
"""How long to wait before a command that the server could not store is sent again."""

MAX_TRIES = 8
"""How often a command is sent again while the server says that its store is away."""

PASSING = frozenset({Code.BUSY, Code.UNAVAILABLE, Code.UNKNOWN_OUTCOME, Code.ONE_ANALYSIS})
"""Refusals that say nothing of the command itself: it is to be sent again, under the same ref. The last one is of a
hint or a review, while another question of the same player is thought about: of another match, or in another window."""


class Backlog(Exception):
    """Too many commands wait for an answer; this one was not taken."""


@dataclass
class _Waiting:
    command: Command
    due: float | None = None
    """When to send it again if it has no answer by then; None until the clock was looked at."""
    tries: int = 0
    sent: bool = False
    in_doubt: bool = False
    """Whether it may have been done by an earlier sending, of which nothing was heard or which left it open."""


class Pending:
    """See the module's docstring."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}

    def __contains__(self, ref: str) -> bool:
        return ref in self._waiting

    def __iter__(self) -> Iterator[Command]:
        return (waiting.command for waiting in self._waiting.values())

    def add(self, command: Command, *, sent: bool = False) -> None:
        """Let it wait; `sent` when it goes out at once. Raises Backlog when too many wait."""
        if len(self._waiting) >= MAX_PENDING:
            raise Backlog
        self._waiting[command.ref] = _Waiting(command, sent=sent)

    def all_sent(self, now: float) -> None:
        """All were just sent, on a new connection."""
        for waiting in self._waiting.values():
            waiting.due = now + ANSWER_S
            waiting.sent = True

    def lost_connection(self) -> None:
        """What was sent may have been done, and the answer cannot come any more."""
        for waiting in self._waiting.values():
            waiting.in_doubt = waiting.in_doubt or waiting.sent

    def due(self, now: float) -> list[Command]:
        """Those to send again now."""
        again = []
        for waiting in self._waiting.values():
            if waiting.due is not None and now >= waiting.due:
                again.append(waiting.command)
                waiting.in_doubt = waiting.in_doubt or not waiting.tries
                waiting.due = None
            if waiting.due is None:
                waiting.due = now + ANSWER_S
        return again

    def settle(self, answer: Answer, now: float) -> Settled | None:
        """The command and what became of it, once it is answered for good; None when it goes on waiting.

        While the server or its store has no time it is sent again, a bounded number of times. A command that may have
        been done is never said to have come to nothing: then the answer is `unknown_outcome`, and the match tells.
        """
        waiting = self._waiting[answer.ref]
        if isinstance(answer, Refused) and answer.code in PASSING:
            waiting.in_doubt = waiting.in_doubt or answer.code == Code.UNKNOWN_OUTCOME
            if waiting.tries < MAX_TRIES:
                waiting.tries += not self._waits_for_our_own(answer)
                waiting.due = now + UNAVAILABLE_S
                return None
            if waiting.in_doubt and answer.code != Code.UNKNOWN_OUTCOME:
                answer = unknown(answer)
        del self._waiting[answer.ref]
        return Settled(waiting.command, answer)

    def _waits_for_our_own(self, answer: Refused) -> bool:
        """Whether an earlier question of this session is thought about first: that will be answered, however late."""
        questions = (ref for ref, waiting in self._waiting.items() if isinstance(waiting.command, (Analyse, Hint)))
        return answer.code == Code.ONE_ANALYSIS and next(questions, answer.ref) != answer.ref


def unknown(answer: Refused) -> Refused:
    """The refusal of a last try, for a command that an earlier try may have done all the same."""
    text = SENTENCES[Code.UNKNOWN_OUTCOME]
    return Refused(ref=answer.ref, code=Code.UNKNOWN_OUTCOME, text=text, match=answer.match)
