"""Quick match: paired with whoever waits, else one waits. One player at several hubs at once is led to one match.

Where a player is being led is an aim in the store, for each group of matches: whoever leads the same player next, at
any hub, goes for the same match, and it is moved on, in one step, only from a match that is of no use to the player. A
match of the player's own that waits comes first. An aim is forgotten after half a minute: pressed again later, quick
match still leads to the player's match that waits, but not to one that was joined and has not begun.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from protocol.errors import Code, ParlourError, Refusal
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.hub.viewers.viewer import Viewer
from server.match.state import Match, Status
from server.store.port import Aim, Store
from server.store.receipts import Receipt

PAIRING_TRIES = 20
"""How often quick match looks again when others were quicker; each time one of them is served."""

LOOKED_AT_ONCE = 50
"""Matches of a group of which it is asked at once whether their host may be here: mostly the first one will do."""

HostIsHere = Callable[[Room], Awaitable[bool]]
PerhapsHosted = Callable[[Sequence[str]], Awaitable[list[str]]]
"""Those of the matches whose host may be here: those of hosts who are gone cost little."""
SitDown = Callable[[Viewer, str, Room], Awaitable[Receipt]]
Open = Callable[[str, int, Aim], Awaitable[Receipt | None]]
"""Opens the player's own match under that id, unless somebody came into the group since, or the aim was moved."""


class Pairing:
    """One quick match of one player; `group` is the matches that will do, `own` the id to open one under."""

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        viewer: Viewer,
        ref: str,
        group: str,
        own: str,
        *,
        host_is_here: HostIsHere,
        perhaps_hosted: PerhapsHosted,
        sit_down: SitDown,
        open_match: Open,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._viewer = viewer
        self._ref = ref
        self._group = group
        self._own = own
        self._host_is_here = host_is_here
        self._perhaps_hosted = perhaps_hosted
        self._sit_down = sit_down
        self._open = open_match
        self._useless: set[str] = set()
        """Matches that are there and that the player cannot be led to."""

    async def lead(self, unfinished: list[str]) -> Receipt:
        """The match to enter; `unfinished` are the player's. Raises StoreUnavailable, or `busy`."""
        player, group, own = self._viewer.player, self._group, frozenset(unfinished)
        for _ in range(PAIRING_TRIES):
            waiting = await self._store.waiting(group)
            aim = await self._store.aim(player, group)
            if aim and (receipt := await self._enter(aim)):
                return receipt
            found = await self._first([match for match in waiting.matches if match in own])
            found = found or await self._first_of_others([match for match in waiting.matches if match not in own])
            # Without anybody to play with: the match that another hub is about to open for this player, or our own.
            target = found or (aim if aim and aim not in self._useless else self._own)
            if target != aim and not await self._store.move_aim(player, group, aim, target):
                continue
            if found:
                receipt = await self._enter(found)
            else:
                receipt = await self._open(target, waiting.arrivals, Aim(player, group))
            if receipt:
                return receipt
        raise ParlourError(Code.BUSY)

    async def _enter(self, match_id: str) -> Receipt | None:
        """Be in that match; one that is there and does not do is useless from now on."""
        if match_id in self._useless:
            return None
        try:
            room = await self._keeper.room(match_id)
        except Refusal:
            return None  # it is still to be opened
        match = room.match
        if _may_begin(match) if match.seats_of(self._viewer.player) else match.status is Status.WAITING:
            # For one who sits there already nothing happens but that the ref is remembered.
            with suppress(Refusal):
                return await self._sit_down(self._viewer, self._ref, room)
        self._useless.add(match_id)
        return None

    async def _first_of_others(self, matches: Sequence[str]) -> str | None:
        for start in range(0, len(matches), LOOKED_AT_ONCE):
            some = await self._perhaps_hosted(matches[start : start + LOOKED_AT_ONCE])
            if found := await self._first(some):
                return found
        return None

    async def _first(self, matches: Sequence[str]) -> str | None:
        """The first of the matches that waits for this player: the own one, or one whose host is here (`B3`)."""
        for match_id in matches:
            if match_id in self._useless:
                continue
            try:
                room = await self._keeper.room(match_id)
            except Refusal:
                continue
            waits = room.match.status is Status.WAITING
            if waits and (room.match.seats_of(self._viewer.player) or await self._host_is_here(room)):
                return match_id
        return None


def _may_begin(match: Match) -> bool:
    """Whether quick match still leads back to it: it waits, or nobody has moved yet."""
    return match.status is not Status.ENDED and not match.plies
