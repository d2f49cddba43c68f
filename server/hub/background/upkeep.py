"""Keeps in the store what is in use, and takes out of the lists what the store has forgotten (`J13`)."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

import structlog

from protocol.errors import Refusal
from server.hub.rooms.index import group_of, index_change
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
from server.match.state import Status
from server.store.lifetimes import Lifetimes
from server.store.port import Append, Appended, Index, Store

AT_ONCE = 200
"""Rows of the lobby that are looked at in one turn."""
LONGEST_PAUSE_S = 3600.0

log = structlog.get_logger(__name__)


class Upkeep:
    """One hub's part of it; `pause_s` is how long to wait between two turns, short against a match's lifetime."""

    def __init__(self, store: Store, keeper: Keeper, lobby: LobbyBook, lifetimes: Lifetimes) -> None:
        self._store = store
        self._keeper = keeper
        self._lobby = lobby
        self._looked_at: set[str] = set()
        self.pause_s = min(lifetimes.match / 4, LONGEST_PAUSE_S)

    async def renew(self) -> None:
        """A match that goes on lives as long as anybody follows it, however slowly it is played; all of it."""
        for room in list(self._keeper.rooms.values()):
            if len(room) and room.match.status is not Status.ENDED:
                await self._store.keep(room.match.id, room.key)

    async def sweep(self) -> None:
        """Take matches out of the lobby, and out of those that wait, that nobody has touched for a lifetime."""
        rows, followed = self._lobby.rows, {match for match, room in self._keeper.rooms.items() if len(room)}
        left = [match for match in rows if match not in followed and match not in self._looked_at]
        if not left:
            self._looked_at.clear()
        for match in islice(left, AT_ONCE):
            self._looked_at.add(match)
            row = rows[match]
            # Without events it is the test that there is no log, and the change of the lists, in one step.
            gone = Index(lobby=b"", group=group_of(row.game, row.options, row.clock_rule), waiting=False, deadline_ms=0)
            if await self._store.append(Append(match=match, base=0, events=[], index=gone)) is Appended.STORED:
                log.info("a match is forgotten that nobody has touched for long", match=match)

    async def rebuild(self) -> None:
        """Build the lists of matches again from the logs, after one of them held something else (`Q10`)."""
        if not await self._store.lists_are_lost():
            return
        found = 0
        async for match_id in self._store.all_matches():
            with suppress(Refusal):
                found += await self._list_again(match_id)
        await self._store.lists_are_built()
        log.warning("the lists of matches were built again from the logs", matches=found)

    async def _list_again(self, match_id: str) -> bool:
        """Put one match back where it is looked for, unless it is over; whether it was."""
        match = (await self._keeper.room(match_id)).match
        await self._keeper.carry_out(match)
        if match.status is Status.ENDED:
            return False
        again = Append(
            match=match_id, base=match.version, events=[], index=index_change(None, match, self._store.now_ms())
        )
        # When it has moved on meanwhile, it was listed by that.
        return await self._store.append(again) is Appended.STORED
