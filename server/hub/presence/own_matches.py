"""A player's own matches as rows: what goes on from the rooms, what is over from its log, read once."""

from __future__ import annotations

from contextlib import suppress

from protocol import limits
from protocol.errors import Refusal
from protocol.messages import OwnMatch, OwnMatches
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.viewers.viewer import Viewer
from server.match.record import Record
from server.match.state import Match, Status
from server.match.views import own_match
from server.store.port import Store

KEPT = 2_000
"""Rows of matches that are over which are kept: they do not change, and whoever looks at the lobby asks again."""


class OwnBook:
    """Makes the lists over one keeper."""

    def __init__(self, store: Store, keeper: Keeper, tracker: PresenceTracker) -> None:
        self._store = store
        self._tracker = tracker
        self._keeper = keeper
        self._over: dict[tuple[str, str, str, str], OwnMatch] = {}

    async def of(self, viewer: Viewer, ref: str) -> OwnMatches:
        """All that is to be told. A match that cannot be read is left out. Raises StoreUnavailable."""
        unfinished = await self._store.unfinished(viewer.player)
        going_on = [row for match in unfinished[: limits.OWN_MATCHES] if (row := await self._going_on(viewer, match))]
        ended = await self._store.ended(viewer.player)
        over = [row for match, at_ms in ended.items() if (row := await self._ended(viewer, match, at_ms))]
        going_on.sort(key=lambda row: row.created_ms, reverse=True)
        known = {row.match for row in going_on}
        rows = (*going_on, *(row for row in over if row.match not in known))
        return OwnMatches(ref=ref, now_ms=self._store.now_ms(), matches=rows)

    async def forget(self, viewer: Viewer, match: str) -> None:
        """One that is over is in the player's list no longer."""
        await self._store.forget_ended(viewer.player, [match])

    async def _going_on(self, viewer: Viewer, match_id: str) -> OwnMatch | None:
        with suppress(Refusal):
            room = await self._keeper.room(match_id)
            self._tracker.look_away(viewer, room)
            if room.match.status is not Status.ENDED and room.match.seats_of(viewer.player):
                return self._row(viewer, room.match, None, room.attendance(self._keeper.live_hubs).here)
        return None

    async def _ended(self, viewer: Viewer, match_id: str, at_ms: int) -> OwnMatch | None:
        """Of one that was never read here the log is read, without keeping a room for it."""
        key = (self._keeper.epoch, match_id, viewer.player, viewer.form.language)
        if key not in self._over:
            match = await self._read(match_id)
            if match is None or match.status is not Status.ENDED or not match.seats_of(viewer.player):
                return None
            self._over[key] = self._row(viewer, match, at_ms, (False, False))
            if len(self._over) > KEPT:
                del self._over[next(iter(self._over))]
        return self._over[key]

    async def _read(self, match_id: str) -> Match | None:
        room = self._keeper.rooms.get(match_id)
        if room is not None:
            return room.match
        with suppress(Refusal):
            events = await self._store.read(match_id)
            if events:
                reading = Record.reading(match_id, events, self._keeper.catalogue)
                return (await self._keeper.slices.run(reading)).match
        return None

    def _row(self, viewer: Viewer, match: Match, ended_ms: int | None, here: tuple[bool, bool]) -> OwnMatch:
        now = self._keeper.moment()
        return own_match(match, viewer.player, viewer.translate, now.now_ms, ended_ms, here, now.outages)
