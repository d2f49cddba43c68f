"""Following one match: in order, each event once, no gap.

The server's events carry consecutive versions. What comes twice is dropped; what bears an old version and yet is not
what was taken under it may be a new event whose version was damaged on the way (`N5`). That, and what comes too early,
shows a gap, which a question to the server (Sync, or Watch while there is no position at all) closes with the missing
events or a snapshot.
Some events say that the position is another one, which a snapshot right behind them tells: it is owed, and asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from client.conversation.position import shown_anew
from protocol.messages import Accepted, Command, MatchEvent, Snapshot, Sync, Watch
from protocol.validity import elements

ANSWER_S = 2.0
"""A question is repeated after this time, and asked at most this often."""

REMEMBERED = 8
"""Events kept to tell one that comes twice from one whose version was damaged."""


class Following:
    """One followed match; `version` is the last one received without a gap (None: no position yet)."""

    def __init__(self, match: str, now: float) -> None:
        self.match = match
        self.version: int | None = None
        self.elements: frozenset[str] | None = None
        """The ids of its board's elements; None before the first snapshot."""
        self.epoch = ""
        """In which epoch of the server's store `version` was heard last."""
        self._highest = 0
        self._taken: deque[MatchEvent] = deque(maxlen=REMEMBERED)
        self._ref: str | None = None
        self._due = now + ANSWER_S
        """When to ask if nothing came: a followed match owes its first snapshot."""
        self._owed = True
        self._wanted = False
        self._asked_twice = False

    def takes_snapshot(self, snapshot: Snapshot) -> bool:
        """Whether to show `snapshot`: an older one than what is shown comes too late."""
        if self.version is not None and snapshot.version < self.version:
            return False
        self.version = snapshot.version
        self.elements = elements(snapshot)
        self._owed = False
        return True

    def takes_event(self, event: MatchEvent, now: float) -> bool:
        """Whether `event` is the next one. A later one, or an unknown old one, means that something is missing: ask."""
        self._highest = max(self._highest, event.version)
        if self.version is None:
            return False
        if event.version <= self.version:
            self._wanted = self._wanted or event not in self._taken
            return False
        if event.version > self.version + 1:
            self._wanted = True
            return False
        self.version = event.version
        self._taken.append(event)
        if shown_anew(event):
            self._owed, self._due = True, max(self._due, now + ANSWER_S)
        return True

    def set_back(self, now: float) -> None:
        """The server has lost what was heard: whatever its snapshot says now is true, also under an old version."""
        self.version = None
        self._highest = 0
        self._taken.clear()
        self._owed, self._due = True, now + ANSWER_S

    def suspect(self) -> None:
        """Something about the match may have been missed: ask."""
        self._wanted = True

    def doubt(self) -> None:
        """What was told cannot be: only a snapshot can tell what is true."""
        self._owed = self._wanted = True

    def lost_connection(self) -> None:
        """Nobody will answer; ask at once when the connection is back."""
        self._ref = None
        self._wanted = True

    def question(self, new_ref: Callable[[], str], now: float) -> Command | None:
        """The command to send now, if one is due. It also makes the server follow the match for this connection."""
        overdue = now >= self._due and (self._ref is not None or self._owed)
        if not overdue and (not self._wanted or self._ref is not None):
            return None
        ref = new_ref()
        self._ref, self._wanted, self._due = ref, False, now + ANSWER_S
        if self._owed or self.version is None:
            return Watch(ref=ref, match=self.match)
        return Sync(ref=ref, match=self.match, after=self.version, epoch=self.epoch)

    def is_question(self, ref: str) -> bool:
        """Whether `ref` is that of the open question."""
        return ref == self._ref

    def answered(self, answer: Accepted) -> None:
        """The question was answered; what belongs to the answer came before it."""
        self._ref = None
        if self.version is None:
            return
        if answer.version < self.version:
            # The server's log is shorter than what was shown: only a snapshot can tell what is true now.
            self.version = None
            self._owed = True
            self._highest = 0
            self._wanted = True
        elif self._highest > self.version and not self._asked_twice:
            # An event overtook the answer and was dropped. Once more is enough; a version that nobody has is no gap.
            self._asked_twice = True
            self._wanted = True
        else:
            self._asked_twice = False
            self._highest = self.version
