"""One hub's service in this process, over a real Redis behind a proxy that can end the connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from protocol.messages import Command, Create, Join, Move
from server.games import load_catalogue
from server.hub.limits.settings import Limits, Meter, rates
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
from server.hub.service import Service
from server.store.redis_store import RedisStore, connect
from tests.driver import RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.server.hub.conftest import Reader

LIMITS = Limits(pace=1_000, wrong_keys=1_000, open_matches=2)
OWN = (b":beat", b":hubs", b":outages")
"""What a hub tells of itself at any time: that it lives, and which matches it wants to hear of."""


@asynccontextmanager
async def opened(redis: RedisProcess, limits: Limits | None = None) -> AsyncIterator[House]:
    """A house with an empty store, which has beaten; it is closed afterwards."""
    async with Proxy(redis.socket) as proxy:
        house = House(proxy, redis, limits or LIMITS)
        await house.straight.flushall()
        await house.keeper.beat()
        try:
            yield house
        finally:
            await house.close()


class House:
    """One hub without sockets, and a straight way to look into the store."""

    def __init__(self, proxy: Proxy, redis: RedisProcess, limits: Limits = LIMITS) -> None:
        self.proxy = proxy
        self.limits = limits
        self.store = RedisStore(f"redis://127.0.0.1:{proxy.port}", "house")
        self.straight: Any = connect(redis.url, 1)
        self.keeper = Keeper(self.store, load_catalogue())
        self.tracker = PresenceTracker(self.keeper, self.store)
        self.lobby = LobbyBook(lambda *_: None)
        self.service = Service(
            self.store, self.keeper.catalogue, self.keeper, self.tracker, self.lobby, version="1", limits=limits
        )
        self._refs = count(1)

    def viewer(self, player: str, *, stays: bool = False) -> Reader:
        """Somebody; one who `stays` has a connection."""
        viewer = Reader(player, player.capitalize())
        viewer.meter = Meter(rates(self.limits)) if stays else None
        return viewer

    def ref(self) -> str:
        """A new ref."""
        return f"r{next(self._refs)}"

    async def ask(self, player: str, command: type[Command], /, **fields: Any) -> Any:
        """Have something granted; returns what came for it."""
        viewer = self.viewer(player)
        await self.service.perform(viewer, command(ref=self.ref(), **fields))
        return viewer.received[0]

    async def waiting(self, **fields: Any) -> str:
        """A match of Ana's that waits; she is at this hub."""
        match: str = (await self.ask("ana", Create, game="square", **fields)).match
        return match

    async def begun(self) -> str:
        """A match of Ana's and Bo's in which one move was made."""
        match = await self.waiting()
        await self.ask("bo", Join, match=match)
        await self.ask("ana", Move, match=match, version=2, move=self.keeper.rooms[match].match.legal[0])
        return match

    async def stored(self) -> dict[bytes, Any]:
        """All that is in the store, but for what this hub says of itself."""
        found = {}
        for key in await self.straight.keys("*"):
            if not key.endswith(OWN):
                found[key] = await self.straight.dump(key)
        return found

    def known(self) -> dict[str, Any]:
        """What this hub has in mind of its viewers, players and commands."""
        return {
            "following": {match: len(room) for match, room in self.keeper.rooms.items() if len(room)},
            "versions": {match: room.match.version for match, room in self.keeper.rooms.items()},
            "names": dict(self.service.names._held),
            "online": {player: len(own) for player, own in self.service.online._viewers.items()},
        }

    async def close(self) -> None:
        self.proxy.alter = None
        self.proxy.heal()
        await self.store.close()
        await self.straight.aclose(close_connection_pool=True)
