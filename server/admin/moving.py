"""Taking everything that a store keeps along: into a file, and from there into another store, of whatever kind."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from protocol.errors import UnreadableMatch
from server.admin.backup import EVENTS_IN_A_LINE, Backup, BackupError, BackupWriter, Head, LogRow, ValueRow
from server.config import release
from server.games import Catalogue
from server.hub.rooms.index import index_change
from server.match.record import Record
from server.match.state import Match, Status
from server.store.port import Append, Appended, Index
from server.store.redis_store import RedisStore

SLACK_MS = 2_000
"""A store whose clock is behind by less is near enough: no clock of a match is read as finely."""


class Moved(NamedTuple):
    """How much was taken along, and what could not be followed (matches and why)."""

    matches: int
    players: int
    unreadable: dict[str, UnreadableMatch]


async def export(store: RedisStore, file: Path) -> Moved:
    """Write all that is kept to `file`, beside hubs that run or without. Raises OSError, StoreUnavailable.

    Answers and chat are read before the logs that they speak of, so that none is of what the logs do not have.
    """
    await store.take_time()
    head = Head(release=release(), at_ms=store.now_ms(), last_beat_ms=await store.last_beat_ms())
    matches, players, unreadable = 0, 0, {}
    with BackupWriter(file, head) as backup:
        async for value in store.all_values():
            players += value.name.startswith("token:")
            backup.write(ValueRow(name=value.name, type=value.type, parts=value.parts, lives_ms=value.lives_ms))
        async for match_id in store.all_matches():
            try:
                written = await _export_match(store, match_id, backup)
            except UnreadableMatch as error:
                unreadable[match_id] = error
            else:
                matches += written
    return Moved(matches, players, unreadable)


async def _export_match(store: RedisStore, match_id: str, backup: BackupWriter) -> bool:
    key, lives_ms = await store.key_of(match_id), await store.lives_ms(match_id)
    events = await store.read(match_id)
    if not events:
        return False  # it was forgotten meanwhile
    for start in range(0, len(events), EVENTS_IN_A_LINE):
        some = events[start : start + EVENTS_IN_A_LINE]
        last = start + len(some) == len(events)
        backup.write(
            LogRow(
                match=match_id, first=start + 1, events=some, last=last,
                key=key if last else None, lives_ms=lives_ms if last else None,
            )
        )  # fmt: skip
    return True


async def import_(store: RedisStore, file: Path, catalogue: Catalogue) -> Moved:
    """Put all of `file` into a store that is empty and that no hub uses. Raises BackupError, StoreUnavailable.

    Matches are listed by what their logs say; one that cannot be followed here is put back as it is, unlisted.
    """
    backup = Backup(file)
    await _take_place(store, backup.head)
    coming = _Import(store, catalogue)
    for row in backup.rows():
        if isinstance(row, ValueRow):
            await coming.take_value(row)
        else:
            await coming.take_log(row)
    await coming.list_last()
    await store.end_import(backup.head.last_beat_ms)
    return Moved(coming.matches, coming.players, coming.unreadable)


async def _take_place(store: RedisStore, head: Head) -> None:
    """From here on no hub starts there. Raises BackupError when the place is not free."""
    if (used := await store.first_used()) is not None:
        raise BackupError(
            f"This store is not empty ({used} is there, for one), and nothing in it is overwritten:"
            " import into another data folder, database or --prefix."
        )
    await store.take_time()
    if (behind_ms := head.at_ms - store.now_ms()) > SLACK_MS:
        raise BackupError(
            f"The clock of the store's machine is {behind_ms / 1000:.0f} s behind the time of the backup,"
            " and matches go by it: set it right first."
        )
    await store.begin_import()
    # A hub says that it lives before it looks for our mark.
    if hubs := await store.live_hubs():
        await store.end_import(None)
        raise BackupError(f"A hub runs on this store ({', '.join(sorted(hubs))}): stop it, or import into another one.")


class _Import:
    """What was put back so far. One match is held at a time, besides a row of each that waits and ids of rematches."""

    def __init__(self, store: RedisStore, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue
        self._events: list[bytes] = []
        self._waiting: list[tuple[int, str, int, Index]] = []
        self._rematches: dict[str, tuple[int, str]] = {}
        self.matches = 0
        self.players = 0
        self.unreadable: dict[str, UnreadableMatch] = {}

    async def take_value(self, row: ValueRow) -> None:
        """Put back what belongs to people."""
        self.players += row.name.startswith("token:")
        await self._store.put_value(row)

    async def take_log(self, row: LogRow) -> None:
        """Take a part of a match; with the last one, put it back and list it."""
        self._events = row.events if row.first == 1 else [*self._events, *row.events]
        if not row.last:
            return
        events, self._events = self._events, []
        match = self._followed(row.match, events)
        if not await self._put(row, events, match):
            return  # Redis may name a match twice while it is looked through.
        self.matches += 1
        if match is not None and match.status is Status.WAITING:
            index = index_change(None, match, self._store.now_ms())
            self._waiting.append((match.created_ms, match.id, match.version, index))
        if match is not None and match.rematch:
            self._rematches[match.id] = (match.version, match.rematch)

    def _followed(self, match_id: str, events: list[bytes]) -> Match | None:
        try:
            return Record(match_id, events, self._catalogue).match
        except UnreadableMatch as error:
            self.unreadable[match_id] = error
            return None

    async def _put(self, row: LogRow, events: list[bytes], match: Match | None) -> bool:
        index = Index()
        if match is not None and match.status not in (Status.ENDED, Status.WAITING):
            index = index_change(None, match, self._store.now_ms())
        for start in range(0, len(events), EVENTS_IN_A_LINE):
            some = events[start : start + EVENTS_IN_A_LINE]
            last = start + len(some) == len(events)
            append = Append(
                match=row.match, base=start, events=some, index=index if last else Index(),
                over=match is not None and match.status is Status.ENDED, key=row.key if last else None,
            )  # fmt: skip
            if await self._store.append(append) is not Appended.STORED:
                return False
        if row.lives_ms is not None:
            await self._store.let_live(row.match, row.key, row.lives_ms)
        return True

    async def list_last(self) -> None:
        """List those that wait in the order in which they came, and the rematches that were agreed and not opened."""
        for _, match_id, version, index in sorted(self._waiting, key=itemgetter(0)):
            await self._list(match_id, version, index)
        for match_id, (version, rematch) in self._rematches.items():
            if not await self._store.lives(rematch):
                await self._list(match_id, version, Index(owed_ms=self._store.now_ms()))

    async def _list(self, match_id: str, version: int, index: Index) -> None:
        await self._store.append(Append(match=match_id, base=version, events=[], index=index))
