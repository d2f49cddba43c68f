"""Names of players who are here: one name, one player, on all hubs together (`RU-M9`).

A name is held in the store by its looks, for `LEASE_S` at a time, which the hub renews while the player is connected.
So a hub that dies holds nothing for longer than that. After the last connection is closed the name is free at once;
after it is lost, it is kept for the time in which one comes back. The same player always gets the own name.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from itertools import chain
from typing import Any, NamedTuple

import structlog

from protocol.errors import Code, OutcomeUnknown, ParlourError, Refusal, StoreUnavailable
from server.hub.viewers.viewer import Viewer
from server.match.names import looks, numbered
from server.store.people import Admission, Guest
from server.store.port import Store

LEASE_S = 60.0
RENEW_S = 20.0
KEPT_S = 15.0
"""How long the name of a lost player is kept: a reconnect takes seconds."""
AGAIN_S = 2.0
"""How soon a name is tried to be given back again while the store is away."""
SMALL_NUMBERS = range(2, 10)
LARGE_NUMBERS = 20
"""When the small numbers behind a name are taken, so many random ones up to 9,999 are tried."""

log = structlog.get_logger(__name__)


class Coming(NamedTuple):
    """Who comes: `known_as` is the name that the store has already, and `once` and `word` are as in Admission."""

    player: str
    token_hash: str
    stays: bool
    known_as: str = ""
    once: str = ""
    word: str = ""

    @property
    def is_new(self) -> bool:
        """Whether nobody can come as this player again: it has no token yet that anybody knows."""
        return not (self.known_as or self.once)

    def under(self, name: str) -> Admission:
        """What the store is asked to do if it is to be under this name."""
        return Admission(
            looks=looks(name), guest=Guest(self.player, name), token_hash=self.token_hash, keep=name != self.known_as,
            lease_ms=int(LEASE_S * 1000) if self.stays else 0, once=self.once, word=self.word,
        )  # fmt: skip


class Let(NamedTuple):
    """The name that somebody was let in under; or what was remembered of the first time (`word`)."""

    name: str
    word: str = ""


class LiveNames:
    """The names held for players who are connected to this hub."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, str] = {}
        self._releasing: set[asyncio.Task[None]] = set()

    async def admit(self, name: str, coming: Coming, *, rename: bool) -> Let:
        """Let somebody in under the name wished for, or (`rename`) one that is free; it is held for one who stays.

        The guest is remembered in the same step, so that one who is refused has changed nothing (`Q4`). Raises Refusal
        `name_in_use` with a suggestion, StoreUnavailable, or OutcomeUnknown.
        """
        large = (10 + secrets.randbelow(9_990) for _ in range(LARGE_NUMBERS))
        for other in chain([name], (numbered(name, number) for number in chain(SMALL_NUMBERS, large))):
            if other != name and not rename:
                holder = await self._store.name_holder(looks(other))
                if holder is None or holder.player == coming.player:
                    raise Refusal(Code.NAME_IN_USE, suggestion=other)
                continue
            try:
                admitted = await self._store.admit(coming.under(other))
            except OutcomeUnknown:
                if coming.is_new and coming.stays:
                    self.give_back(other, coming.player)
                raise
            if admitted.inside or admitted.word:
                return Let(other, admitted.word)
        raise ParlourError(Code.BUSY)

    def come(self, viewer: Viewer) -> None:
        """The player is let in."""
        self._held[viewer.player] = viewer.name

    def go(self, viewer: Viewer) -> None:
        """The player's last connection is gone."""
        held = self._held.pop(viewer.player, None)
        if held is not None:
            kept_s = 0.0 if viewer.said_goodbye else KEPT_S
            self._in_background(self._release(looks(held), viewer.player, kept_s))

    def _in_background(self, release: Coroutine[Any, Any, None]) -> None:
        releasing = asyncio.get_running_loop().create_task(release)
        self._releasing.add(releasing)
        releasing.add_done_callback(self._releasing.discard)

    async def renew(self) -> None:
        """Go on holding."""
        holders = {looks(name): Guest(player, name) for player, name in self._held.items()}
        await self._store.renew_names(holders, int(LEASE_S * 1000))

    def give_back(self, name: str, player: str) -> None:
        """A new guest may hold a name of whom nobody knows whether the store has let it in: it never came (`Q4`)."""
        self._in_background(self._give_back(looks(name), player))

    async def _give_back(self, name: str, player: str) -> None:
        """Until the lease ends by itself: the store is away just now."""
        for _ in range(int(LEASE_S / AGAIN_S)):
            try:
                await self._store.release_name(name, player, 0)
            except StoreUnavailable:
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def _release(self, name: str, player: str, kept_s: float) -> None:
        try:
            await self._store.release_name(name, player, int(kept_s * 1000))
        except ParlourError as error:
            # The lease ends by itself.
            log.debug("a name could not be released", reason=str(error))
