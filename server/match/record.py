"""A match together with what its log tells besides: who was answered what, and the last steps for who missed them.

Plain and synchronous; it grows only by steps whose events are in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from protocol.errors import Code, Refusal, UnreadableMatch
from protocol.limits import CATCH_UP_EVENTS
from server.games import Catalogue
from server.match.delay import HeldBack
from server.match.events import AnyEvent, Created, MovePlayed, decode_event, demand_known_format, encode_event
from server.match.fold import Work, apply, finished, opening
from server.match.machine import Step, stepping
from server.match.state import Match


class Record:
    """One match as a hub holds it."""

    match: Match

    def __init__(self, match_id: str, log: Iterable[bytes], catalogue: Catalogue) -> None:
        """Replay `log` from its first event. Raises UnreadableMatch."""
        finished(self._replay(match_id, log, catalogue))

    @classmethod
    def reading(cls, match_id: str, log: Iterable[bytes], catalogue: Catalogue) -> Work[Record]:
        """The same in steps of one event, or one move of a saved game."""
        record = cls.__new__(cls)
        yield from record._replay(match_id, log, catalogue)
        return record

    @classmethod
    def opened(cls, match: Match, created: Created, happened: Iterable[Step]) -> Record:
        """The same for a match that has just been opened: `match` as it is by its first event, and what followed."""
        record = cls.__new__(cls)
        record._begin(match, created)
        record.extend(happened)
        record._released.clear()
        return record

    def _replay(self, match_id: str, log: Iterable[bytes], catalogue: Catalogue) -> Work[None]:
        with _readable():
            yield from self._read(match_id, list(log), catalogue)

    def _read(self, match_id: str, log: list[bytes], catalogue: Catalogue) -> Work[None]:
        demand_known_format(log)
        events = map(decode_event, log)
        created = next(events, None)
        if not isinstance(created, Created):
            raise ValueError(f"the log of match {match_id} does not start with its creation")
        self._begin((yield from opening(match_id, created, catalogue)), created)
        for event in events:
            # One by one: all steps of a long match at once would be all its positions at once.
            self.extend((yield from stepping(self.match, (event,))))
        self._released.clear()

    def _begin(self, match: Match, created: Created) -> None:
        self.match = match
        self._newest: AnyEvent = created
        self._answers: dict[tuple[str, str], int] = {}
        self._held = HeldBack(self.match.delay_plies) if self.match.delay_plies else None
        self._released: list[Step] = []
        self._recent: list[AnyEvent] = []
        self._marks: tuple[Match, ...] = (self.match,)
        self._note(created, self.match.version)

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.match.version

    def extend(self, happened: Iterable[Step]) -> None:
        """Add steps that follow the last one and are stored."""
        if self._held is not None:
            happened = list(happened)
            self._released += self._held.push(happened)
        for step in happened:
            self._recent.append(step.event)
            self._note(step.event, step.after.version)
            self.match = step.after
            if self.match.version % CATCH_UP_EVENTS == 0:
                self._marks = (self._marks[-1], self.match)
                del self._recent[: self._marks[0].version - self.match.version]

    def steps_of(self, log: Iterable[bytes]) -> Work[list[Step]]:
        """The steps of stored events that follow the last one, for `extend`, bit by bit. Raises UnreadableMatch."""
        with _readable():
            return (yield from stepping(self.match, [decode_event(data) for data in log]))

    def move_in(self, stored: bytes) -> Step | None:
        """The step of a stored move that follows the last one; None for all else that may be stored there."""
        with _readable():
            event = decode_event(stored)
            return Step(self.match, event, apply(self.match, event)) if isinstance(event, MovePlayed) else None

    @property
    def delayed(self) -> bool:
        """Whether spectators are told later than players."""
        return self._held is not None

    @property
    def shown(self) -> Match:
        """The match as spectators know it."""
        return self.match if self._held is None else self._held.shown(self.match)

    @property
    def held_since_ms(self) -> int | None:
        """When the first thing happened that spectators do not know yet."""
        return None if self._held is None else self._held.since_ms

    def take_released(self) -> list[Step]:
        """What spectators may know since this was asked last."""
        released, self._released = self._released, []
        return released

    def answer(self, player: str, ref: str) -> int | None:
        """The version that this player's command with this ref led to, if it is in the log already."""
        return self._answers.get((player, ref))

    def since(self, version: int) -> list[Step] | None:
        """The steps above `version`, in order; None when they are too many, or when `version` never was.

        They are worked out again from a match kept now and then and the events after it: a match for each of the last
        steps would be most of what a hub holds, and of what the search for garbage walks over.
        """
        missing = self.match.version - version
        if not 0 <= missing <= CATCH_UP_EVENTS:
            return None
        if not missing:
            return []
        mark = next((mark for mark in reversed(self._marks) if mark.version <= version), None)
        if mark is None:
            return None
        events = self._recent[mark.version - self.match.version :]
        return finished(stepping(mark, events))[version - mark.version :]

    def is_newest(self, stored: bytes) -> bool:
        """Whether what is stored under the last version is the event known here (`Q9`). Raises UnreadableMatch."""
        with _readable():
            return encode_event(decode_event(stored)) == encode_event(self._newest)

    def _note(self, event: AnyEvent, version: int) -> None:
        self._newest = event
        if event.ref:
            self._answers[event.player, event.ref] = version


@contextmanager
def _readable() -> Iterator[None]:
    """Whatever is met in a log that we did not write like this means that the match cannot be followed."""
    try:
        yield
    except UnreadableMatch:
        raise
    except Refusal as refusal:
        if refusal.code == Code.UNKNOWN_GAME:
            raise UnreadableMatch(Code.UNKNOWN_GAME, refusal, refusal.text, **refusal.data) from refusal
        raise UnreadableMatch(Code.DAMAGED, refusal) from refusal
    except Exception as error:
        raise UnreadableMatch(Code.DAMAGED, f"{type(error).__name__}: {error}") from error
