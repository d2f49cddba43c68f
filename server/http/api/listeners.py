"""Players by HTTP who can be challenged by name, as those with a connection can: whoever asks for challenges is here.

A `Listener` stands for the player from the first such request until `Limits.http_here_s` after the last one. Then it is
as if a connection were lost: what stands of its challenges ends, and the name is free again.
"""

from __future__ import annotations

import asyncio

from protocol.errors import Code, ParlourError, Refusal
from server.http.api.viewers import Woken
from server.hub.presence.live_names import Coming
from server.hub.service import Service
from server.store.people import Guest

MAX_LISTENERS = 10_000
"""Players who are here by asking for challenges at one hub."""


class Listener(Woken):
    """Somebody by HTTP who is here without a connection, and is woken when a challenge changes."""


class Listeners:
    """All listeners of this hub, by player."""

    def __init__(self, service: Service, here_s: float) -> None:
        self._service = service
        self.here_s = here_s
        self._listeners: dict[str, Listener] = {}

    async def come(self, who: Guest, token_hash: str) -> Listener | None:
        """`who` is here from now on; None while somebody else is here under that name. Raises ParlourError."""
        listener = self._listeners.get(who.player)
        if listener is None or listener.name != who.name:
            if listener is None and len(self._listeners) >= MAX_LISTENERS:
                raise ParlourError(Code.BUSY)
            try:
                coming = Coming(who.player, token_hash, stays=True, known_as=who.name)
                await self._service.names.admit(who.name, coming, rename=False)
            except Refusal:
                return None
            listener = self._take_up(who)
        listener.until = asyncio.get_running_loop().time() + self.here_s
        return listener

    def _take_up(self, who: Guest) -> Listener:
        """Two requests may come here together, and the player may have another name than before."""
        known = self._listeners.get(who.player)
        if known is not None and known.name == who.name:
            return known
        if known is not None:
            self._end(known)
        listener = Listener(who)
        self._listeners[who.player] = listener
        self._service.online.come(listener)
        self._service.names.come(listener)
        asyncio.get_running_loop().call_later(self.here_s, self._look_at, listener)
        return listener

    def wake_all(self) -> None:
        """Let every poll answer: the hub stops."""
        for listener in self._listeners.values():
            listener.wake()

    def _end(self, listener: Listener) -> None:
        del self._listeners[listener.player]
        listener.wake()
        self._service.forget(listener)

    def _look_at(self, listener: Listener) -> None:
        """End one whose time is over; else look again when it may be."""
        if self._listeners.get(listener.player) is not listener:
            return
        loop = asyncio.get_running_loop()
        if not listener.polls and listener.until <= loop.time():
            self._end(listener)
        else:
            loop.call_at(max(listener.until, loop.time() + 1), self._look_at, listener)
