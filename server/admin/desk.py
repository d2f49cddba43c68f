"""What an operator can look up and do: over the store alone, as one more reader of it that never counts as a hub."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec

from protocol.errors import Code, Refusal, UnreadableMatch
from protocol.messages import Result
from server.admin.doctor import of_the_store, of_the_way
from server.admin.doctor.findings import Finding
from server.admin.moving import Moved, export, import_
from server.games import Catalogue
from server.hub.connections.public import PublicAddress
from server.hub.presence.online import read_report
from server.hub.rooms.index import index_change
from server.match.commands import Stop
from server.match.events import Event, decode_event, encode_event
from server.match.machine import Asked, decide
from server.match.record import Record
from server.match.state import Match, Status
from server.match.views import position_hash, result
from server.store.aside import Note
from server.store.port import Append, Appended, Index
from server.store.redis_store import RedisStore

TRIES = 20
"""How often ending a match is tried again because somebody moved meanwhile."""


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A finished match as it is exported, one to a line."""

    match: str
    game: str
    options: dict[str, Any]
    names: tuple[str | None, str | None]
    private: bool
    created_ms: int
    ended_ms: int
    moves: tuple[str, ...]
    hash: str
    result: Result


class NoSuchNote(Exception):
    """Nothing was set aside under that id."""


class NoSuchHub(Exception):
    """No hub of that id is there."""


class Desk:
    """Answers an operator over one store."""

    def __init__(self, store: RedisStore, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue
        self.unreadable: dict[str, UnreadableMatch] = {}
        """The matches that could not be read so far, and why."""

    async def match(self, match_id: str) -> Match:
        """A match at its newest version. Raises Refusal `unknown_match`."""
        return (await self._record(match_id))[0].match

    async def unfinished(self) -> list[Match]:
        """The matches that wait or are being played, the oldest first; unreadable ones are left to `unreadable`."""
        matches = []
        for match_id in await self._store.all_unfinished():
            try:
                matches.append(await self.match(match_id))
            except UnreadableMatch as error:
                self.unreadable[match_id] = error
            except Refusal:
                continue  # It was forgotten meanwhile.
        return sorted((m for m in matches if m.status is not Status.ENDED), key=lambda m: m.created_ms)

    async def spectators(self, match_id: str) -> int:
        """How many watch a match, at hubs that live."""
        hubs = await self._store.live_hubs()
        counts = await self._store.presence(match_id)
        return sum(count.get("w", 0) for hub, count in counts.items() if hub in hubs)

    async def people(self) -> tuple[dict[str, str], int]:
        """Players who are connected: names by id (each hub tells some only), and how many there are."""
        reports = await self._store.reports(await self._store.live_hubs())
        read = [read_report(hub, report, self._store.note_unusable) for hub, report in reports.items()]
        decoded = [report for report in read if report is not None]
        names = {player: name for report in decoded for player, name in report.names.items()}
        return names, sum(report.here for report in decoded)

    async def log(self, match_id: str) -> list[tuple[int, Event | bytes]]:
        """The events of a match with their versions; what is no event, as the bytes that are stored.

        Raises Refusal `unknown_match`, or UnreadableMatch for what is no log at all.
        """
        stored = await self._store.read(match_id)
        if not stored:
            raise Refusal(Code.UNKNOWN_MATCH)
        return list(enumerate(map(_event_or_bytes, stored), start=1))

    async def end(self, match_id: str) -> int:
        """End a match with nobody as the winner; returns the version that did. Raises Refusal.

        One that cannot be followed cannot be ended either, only taken away: see `remove`.
        """
        await self._store.take_time()
        for _ in range(TRIES):
            before = await self.match(match_id)
            asked = Asked("", "", self._store.now_ms())
            happened = decide(before, Stop(), asked)
            after = happened[-1].after
            append = Append(
                match=match_id,
                base=before.version,
                events=[encode_event(step.event) for step in happened],
                index=index_change(before, after, asked.now_ms),
            )
            if await self._store.append(append) is Appended.STORED:
                return after.version
        raise Refusal(Code.BUSY)

    async def hubs(self) -> dict[str, int]:
        """The hubs that live, and how many players are connected to each."""
        reports = await self._store.reports(hubs := await self._store.live_hubs())
        read = {hub: read_report(hub, report, self._store.note_unusable) for hub, report in reports.items()}
        return {hub: found.here if (found := read.get(hub)) is not None else 0 for hub in sorted(hubs)}

    async def drain(self, hub: str) -> None:
        """Ask a hub to hand its players over to others, and stop. Raises NoSuchHub."""
        if hub not in await self._store.live_hubs() or not await self._store.ask_to_drain(hub):
            raise NoSuchHub(f"there is no hub {hub}")

    async def announce(self, sentence: str) -> int:
        """Tell a sentence to everybody who is connected; returns how many hubs pass it on."""
        return await self._store.announce(sentence)

    async def finished(self) -> AsyncIterator[Finished]:
        """All matches that are over and not forgotten yet."""
        async for match_id in self._store.all_matches():
            try:
                record, events = await self._record(match_id)
            except UnreadableMatch as error:
                self.unreadable[match_id] = error
                continue
            except Refusal:
                continue  # It was forgotten meanwhile.
            match = record.match
            if match.ending is not None:
                yield Finished(
                    match=match.id, game=match.game.name, options=dict(match.options), names=_names(match),
                    private=match.private, created_ms=match.created_ms, ended_ms=_ended_ms(events),
                    moves=match.moves, hash=position_hash(match), result=result(match, match.ending, str),
                )  # fmt: skip

    async def export(self, file: Path) -> Moved:
        """Write all that is kept to a file. Raises OSError."""
        return await export(self._store, file)

    async def import_(self, file: Path) -> Moved:
        """Put a backup into this store, which must be empty. Raises BackupError."""
        return await import_(self._store, file, self._catalogue)

    async def examine(self, folder: Path | None, address: PublicAddress | None) -> AsyncIterator[Finding]:
        """What a doctor finds: of the store (in `folder`, if it is embedded), and at an address if one is given."""
        async for finding in of_the_store.examine(self._store, folder):
            yield finding
        if address is not None:
            async for finding in of_the_way.examine(address):
                yield finding

    # What was set aside -----------------------------------------------------------------------------------------------

    async def aside(self) -> list[Note]:
        """What hubs have met and could not use, the oldest first; matches that can be read again are left out."""
        notes = []
        for note in await self._store.aside.notes():
            if note.kind == "match" and not await self._is_unreadable(note):
                await self._store.aside.forget(note)
            else:
                notes.append(note)
        return notes

    async def remove(self, note_id: str) -> Note:
        """Take what was set aside away for good; a match from all lists, too. Raises NoSuchNote."""
        note = await self._store.aside.find(note_id)
        if note is None:
            raise NoSuchNote(note_id)
        await self._store.aside.remove(note)
        if note.kind == "match":
            gone = Index(lobby=b"", deadline_ms=0)
            await self._store.append(Append(match=self._store.keys.match_of(note.key), base=0, events=[], index=gone))
        return note

    async def _is_unreadable(self, note: Note) -> bool:
        try:
            await self._record(self._store.keys.match_of(note.key))
        except UnreadableMatch:
            return True
        except Refusal:
            return False
        return False

    async def _record(self, match_id: str) -> tuple[Record, list[Event]]:
        stored = await self._store.read(match_id)
        if not stored:
            raise Refusal(Code.UNKNOWN_MATCH)
        return Record(match_id, stored, self._catalogue), [decode_event(data) for data in stored]


def _event_or_bytes(data: bytes) -> Event | bytes:
    try:
        return decode_event(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return data


def _names(match: Match) -> tuple[str | None, str | None]:
    first, second = (seat.name if seat else None for seat in match.seats)
    return first, second


def _ended_ms(events: list[Event]) -> int:
    # A rematch is agreed after the end; the end itself is what has a result.
    return next(event.at_ms for event in reversed(events) if hasattr(event, "winner"))
