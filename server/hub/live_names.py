"""Names of players who are here: one name, one player, on all hubs together (`RU-M9`).

A name is held in the store by its looks, for `LEASE_S` at a time, which the hub renews while the player is connected.
So a hub that dies holds nothing for longer than that. After the last connection is closed the name is free at once;
after it is lost, it is kept for the time in which one comes back. The same player always gets the own name.
"""

from __future__ import annotations

import asyncio
import secrets

import structlog

from protocol.errors import Code, ParlourError, Refusal
from server.hub.viewer import Viewer
from server.match.names import looks, numbered
from server.store.port import Store

LEASE_S = 60.0
RENEW_S = 20.0
KEPT_S = 15.0
"""How long the name of a lost player is kept: a reconnect takes seconds."""
SMALL_NUMBERS = range(2, 10)
LARGE_NUMBERS = 20
"""When the small numbers behind a name are taken, so many random ones up to 9,999 are tried."""

log = structlog.get_logger(__name__)


class LiveNames:
    """The names held for players who are connected to this hub."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, str] = {}
        self._releasing: set[asyncio.Task[None]] = set()

    async def admit(self, name: str, player: str, *, rename: bool, stays: bool) -> str:
        """The name under which `player` comes: the one wished for, or (`rename`) one that is free.

        It is held from now on for one who `stays`. Raises Refusal `name_in_use` with a suggestion, or StoreUnavailable.
        """
        if await self._free(name, player, take=stays):
            return name
        numbers = [*SMALL_NUMBERS, *(10 + secrets.randbelow(9_990) for _ in range(LARGE_NUMBERS))]
        for other in (numbered(name, number) for number in numbers):
            if await self._free(other, player, take=stays and rename):
                if rename:
                    return other
                raise Refusal(Code.NAME_IN_USE, suggestion=other)
        raise ParlourError(Code.BUSY)

    def come(self, viewer: Viewer) -> None:
        """The player is let in."""
        self._held[viewer.player] = looks(viewer.name)

    def go(self, viewer: Viewer) -> None:
        """The player's last connection is gone."""
        held = self._held.pop(viewer.player, None)
        if held is not None:
            kept_s = 0.0 if viewer.said_goodbye else KEPT_S
            releasing = asyncio.get_running_loop().create_task(self._release(held, viewer.player, kept_s))
            self._releasing.add(releasing)
            releasing.add_done_callback(self._releasing.discard)

    async def renew(self) -> None:
        """Go on holding."""
        await self._store.renew_names({name: player for player, name in self._held.items()}, int(LEASE_S * 1000))

    async def _free(self, name: str, player: str, *, take: bool) -> bool:
        if take:
            return await self._store.claim_name(looks(name), player, int(LEASE_S * 1000)) == player
        return await self._store.name_holder(looks(name)) in (None, player)

    async def _release(self, name: str, player: str, kept_s: float) -> None:
        try:
            await self._store.release_name(name, player, int(kept_s * 1000))
        except ParlourError as error:
            # The lease ends by itself.
            log.debug("a name could not be released", reason=str(error))
