"""The gateway put together: what the hub builds when it is asked for one."""

from __future__ import annotations

import asyncio
import time

from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.dog import page
from server.http.dog.book import HallBook
from server.http.dog.gateway import Gateway
from server.http.dog.presence import Presence
from server.http.dog.routes import Ports, Routes
from server.http.dog.sweep import Sweep
from server.http.dog.tables import Tables
from server.hub.concurrency.cancelling import end_tasks
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
from server.store.port import Store


class Dog:
    """The DOG gateway of one hub. `start` and `stop` frame its regular work."""

    def __init__(
        self, store: Store, keeper: Keeper, tracker: PresenceTracker, lobby: LobbyBook, *, grace_s: float
    ) -> None:
        book, tables = HallBook(store), Tables(keeper, tracker, store)
        presence = Presence(store, int(grace_s * 1000))
        self._gateway = Gateway(store, book, tables, presence)
        self._book, self._presence, self._tables = book, presence, tables
        self._sweep = Sweep(
            self._gateway, store, keeper, book, tables, presence, lambda: lobby.state().matches
        )  # fmt: skip
        self._sweeping: asyncio.Task[None] | None = None
        self.last_busy = float("-inf")
        """When a game called last (monotonic): a hub that games play at is not idle."""

    def application(self, others: ASGIApp, port: int | None) -> ASGIApp:
        """The hub's pages with the gateway below /dog/, and nothing but the gateway on `port`."""
        routes = Routes(self._gateway, self._render, self._tables.record)

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            self.last_busy = time.monotonic()
            await routes(scope, receive, send)

        return Ports(serve, others, port)

    def _render(self, base: str, table: str) -> bytes:
        return page.render(base, table, zip(self._book.names, self._book.known, strict=True), self._presence)

    def start(self) -> None:
        """Begin to look after silent players."""
        self._sweeping = asyncio.create_task(self._sweep.run())

    def release(self) -> None:
        """The hub stops: what is held is answered at once."""
        self._gateway.release()

    async def stop(self) -> None:
        """End the regular work."""
        if self._sweeping is not None:
            await end_tasks([self._sweeping])
