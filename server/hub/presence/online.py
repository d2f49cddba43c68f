"""Who is connected: told to the other hubs with the spectators' counts, and shown in the lobby.

Nothing of it is asked of the store while people play: every `EXCHANGE_S` each hub leaves one report, which is forgotten
when the hub dies, and reads those of the others if anybody here watches the lobby.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import msgspec

from protocol.limits import LOBBY_NAMES
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
from server.hub.rooms.room import SPECTATORS
from server.hub.viewers.viewer import Viewer
from server.match.state import Status
from server.store.bad_values import BadKind
from server.store.port import Store

EXCHANGE_S = 2.0
REPORT_LIFETIME_S = 10.0
RENEW_S = 5.0
"""A report that says nothing new is left again after this long."""


class Report(msgspec.Struct, frozen=True, array_like=True):
    """One hub's word: the names of players by id (as many as are shown), how many there are, spectators by match.

    And of which release it is; hubs of the first ones do not say.
    """

    names: dict[str, str]
    here: int
    spectators: dict[str, int]
    release: str = ""


NOBODY = Report({}, 0, {})
_DECODER = msgspec.msgpack.Decoder(Report)


def read_report(hub: str, data: bytes, note_unusable: Callable[[BadKind, str, object, bytes], None]) -> Report | None:
    """A hub's word; None, and set aside, for one that is none."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        note_unusable("report", hub, error, data)
        return None


class OnlinePlayers:
    """The players connected to this hub, and what is known of the others."""

    def __init__(self, store: Store, keeper: Keeper, lobby: LobbyBook, release: str = "") -> None:
        self._store = store
        self._release = release
        self._keeper = keeper
        self._lobby = lobby
        self._viewers: dict[str, set[Viewer]] = {}
        self._names: dict[str, str] = {}
        self._told = NOBODY
        self._told_at = float("-inf")

    def come(self, viewer: Viewer) -> None:
        """A player has said hello."""
        self._viewers.setdefault(viewer.player, set()).add(viewer)
        self._names[viewer.player] = viewer.name

    def go(self, viewer: Viewer) -> bool:
        """A connection that had come is gone; returns whether it was the player's last one here."""
        own = self._viewers.get(viewer.player, set())
        if viewer not in own:
            return False
        own.discard(viewer)
        if own:
            return False
        del self._viewers[viewer.player], self._names[viewer.player]
        return True

    @property
    def viewers(self) -> list[Viewer]:
        """All connections of all players here."""
        return [viewer for own in self._viewers.values() for viewer in own]

    def viewers_of(self, player: str) -> list[Viewer]:
        """A player's connections to this hub."""
        return list(self._viewers.get(player, ()))

    async def exchange(self) -> None:
        """Leave word for the other hubs, and take theirs to the lobby."""
        own, now = self._report(), time.monotonic()
        if own != self._told or now - self._told_at > RENEW_S:
            await self._store.report(msgspec.msgpack.encode(own), int(REPORT_LIFETIME_S * 1000))
            self._told, self._told_at = own, now
        if self._lobby.watched:
            await self.look(own)

    async def look(self, own: Report | None = None) -> None:
        """Bring the lobby up to date with all hubs' words."""
        others = self._keeper.live_hubs - {self._store.hub}
        words = await self._store.reports(others)
        told = [read_report(hub, data, self._store.note_unusable) for hub, data in words.items()]
        reports = [own or self._report(), *(report for report in told if report is not None)]
        names: dict[str, str] = {}
        spectators: Counter[str] = Counter()
        for report in reports:
            names.update(report.names)
            spectators.update(report.spectators)
        # Somebody who is connected to two hubs counts once, as far as names tell.
        twice = sum(len(report.names) for report in reports) - len(names)
        shown = tuple(sorted(names.values(), key=str.casefold)[:LOBBY_NAMES])
        self._lobby.take_people(shown, sum(report.here for report in reports) - twice, dict(spectators))

    def _report(self) -> Report:
        newest = list(self._names)[-LOBBY_NAMES:]
        return Report(
            {player: self._names[player] for player in newest}, len(self._names), self._spectators(), self._release
        )

    def _spectators(self) -> dict[str, int]:
        counts = {}
        for match_id, room in self._keeper.rooms.items():
            count = room.announced.get(SPECTATORS, 0)
            if count and not room.match.private and room.match.status is not Status.ENDED:
                counts[match_id] = count
        return counts
