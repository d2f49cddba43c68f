"""A seat that was taken by somebody who was gone at once is free again soon (`B2`).

To join is one step here, so nobody can die between reserving a seat and taking it. But the connection may break just
after, and then the host would sit opposite a ghost for the whole grace time of a player (`RU-M5`). Who is lost within
`AT_ONCE_S` of sitting down, has asked for nothing since and does not come back within `FREE_AFTER_S` was never here.
"""

from __future__ import annotations

import asyncio
import time

import structlog

from protocol.errors import ParlourError
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.viewers.viewer import Viewer
from server.match.commands import Leave
from server.match.state import Status

AT_ONCE_S = 2.0
FREE_AFTER_S = 2.5

log = structlog.get_logger(__name__)


class NoShows:
    """Remembers who has just sat down."""

    def __init__(self, keeper: Keeper, tracker: PresenceTracker) -> None:
        self._keeper = keeper
        self._tracker = tracker
        self._fresh: dict[Viewer, tuple[str, float]] = {}
        self._looking: set[asyncio.Task[None]] = set()

    def sat_down(self, viewer: Viewer, match_id: str) -> None:
        """`viewer` has just taken a seat. Without a connection nobody is lost at once."""
        if viewer.meter is not None:
            self._fresh[viewer] = (match_id, time.monotonic())

    def spoke(self, viewer: Viewer) -> None:
        """`viewer` asked for something: it is here."""
        if self._fresh:
            self._fresh.pop(viewer, None)

    def gone(self, viewer: Viewer) -> None:
        """`viewer` is gone: see soon whether it had come at all."""
        match_id, since = self._fresh.pop(viewer, ("", 0.0))
        if match_id and time.monotonic() - since < AT_ONCE_S:
            looking = asyncio.get_running_loop().create_task(self._look(match_id, viewer.player))
            self._looking.add(looking)
            looking.add_done_callback(self._looking.discard)

    async def _look(self, match_id: str, player: str) -> None:
        await asyncio.sleep(FREE_AFTER_S)
        try:
            room = await self._keeper.room(match_id)
            match = room.match
            guest = 1 - match.host_seat
            seated = match.status is Status.PLAYING and not match.plies and match.seats_of(player) == (guest,)
            if seated and not (await self._tracker.look_up(room))[guest]:
                await self._keeper.commit(room, Leave(), player)
        except ParlourError as error:
            # The seat's grace time takes care of it.
            log.warning("a seat could not be freed", reason=str(error))
