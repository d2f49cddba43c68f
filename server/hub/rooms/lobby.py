"""The lobby as this hub knows it: a copy of the store's, kept up by notices, and those who watch it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from protocol.limits import LOBBY_ROWS
from protocol.messages import LobbyChange, LobbyState, MatchSummary, Message
from server.hub.viewers.frames import make_frame
from server.hub.viewers.viewer import Viewer
from server.store.port import Lobby, LobbyNotice

LOBBY = "lobby"
MAX_ROW_BYTES = 16 * 1024
"""Rows that we write have some 500."""
_DECODER = msgspec.msgpack.Decoder(MatchSummary)


class LobbyBook:
    """Rows of public matches, and watchers, who get gathered changes with each `flush`."""

    def __init__(self, bad_row: Callable[[str, str, bytes], None]) -> None:
        """`bad_row` is told of a row that cannot be shown: the match, why, and the row."""
        self._bad_row = bad_row
        self._rows: dict[str, MatchSummary] = {}
        self._change = -1
        self._changed: set[str] = set()
        self._watchers: set[Viewer] = set()
        self._people: tuple[tuple[str, ...], int] = ((), 0)
        self._people_changed = False
        self._spectators: dict[str, int] = {}

    def load(self, lobby: Lobby) -> None:
        """Take over the whole lobby; watchers are told the difference."""
        read = {match: self._read(match, row) for match, row in lobby.rows.items()}
        rows = {match: row for match, row in read.items() if row is not None}
        self._changed |= rows.keys() ^ self._rows.keys()
        self._changed |= {match for match in rows.keys() & self._rows.keys() if rows[match] != self._rows[match]}
        self._rows, self._change = rows, lobby.change

    def apply(self, notice: LobbyNotice) -> bool:
        """Take over one change. False when one before it was missed: the whole lobby must be loaded again."""
        if notice.change <= self._change:
            return True
        if notice.change != self._change + 1:
            return False
        self._change = notice.change
        self._changed.add(notice.match)
        row = None if notice.row is None else self._read(notice.match, notice.row)
        if row is None:
            self._rows.pop(notice.match, None)
        else:
            self._rows[notice.match] = row
        return True

    def _read(self, match: str, data: bytes) -> MatchSummary | None:
        """A row; None for one that cannot be shown: it is left out, and told of."""
        try:
            row = _DECODER.decode(data)
            if len(data) > MAX_ROW_BYTES or row.match != match:
                raise ValueError(f"{len(data)} bytes of match {row.match[:40]!r}")
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            self._bad_row(match, str(error), data)
            return None
        return row

    @property
    def rows(self) -> Mapping[str, MatchSummary]:
        """All rows by match."""
        return self._rows

    @property
    def watched(self) -> bool:
        """Whether anybody here watches the lobby."""
        return bool(self._watchers)

    def take_people(self, names: tuple[str, ...], here: int, spectators: dict[str, int]) -> None:
        """Who is connected anywhere, how many that are, and how many watch each match."""
        self._people_changed |= (names, here) != self._people
        self._people = (names, here)
        before, self._spectators = self._spectators, spectators
        changed = {match for match, _ in before.items() ^ spectators.items()}
        self._changed |= changed & self._rows.keys()

    def watch(self, viewer: Viewer) -> None:
        """Show `viewer` the lobby now and its changes from now on."""
        self._watchers.add(viewer)
        viewer.send(self.state())

    def unwatch(self, viewer: Viewer) -> None:
        """`viewer` watches no longer."""
        self._watchers.discard(viewer)

    def state(self) -> LobbyState:
        """The newest rows, as many as fit."""
        newest = sorted(self._rows.values(), key=lambda row: row.created_ms, reverse=True)
        rows = tuple(self._counted(row) for row in newest[:LOBBY_ROWS])
        return LobbyState(matches=rows, total=len(newest), people=self._people[0], here=self._people[1])

    def flush(self) -> None:
        """Tell the watchers what has changed since the last flush."""
        changed, self._changed = self._changed, set()
        people_changed, self._people_changed = self._people_changed, False
        if not (changed or people_changed) or not self._watchers:
            return
        message: Message = self.state() if len(changed) > LOBBY_ROWS else self._difference(changed, people_changed)
        frames: dict[object, bytes] = {}
        for viewer in self._watchers:
            codec = viewer.form.codec
            if codec not in frames:
                frames[codec] = make_frame(codec, message)
            viewer.send_shared(frames[codec], LOBBY)

    def _counted(self, row: MatchSummary) -> MatchSummary:
        spectators = self._spectators.get(row.match, 0)
        return msgspec.structs.replace(row, spectators=spectators) if spectators else row

    def _difference(self, changed: Iterable[str], people: bool) -> LobbyChange:
        put = [self._counted(self._rows[match]) for match in changed if match in self._rows]
        return LobbyChange(
            put=tuple(put),
            gone=tuple(match for match in changed if match not in self._rows),
            people=self._people[0] if people else None,
            here=self._people[1] if people else None,
        )
