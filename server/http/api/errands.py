"""Commands on behalf of a request: performed by the hub's service, counted like those of sockets, then let go of."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from starlette.requests import Request

from protocol.messages import Command, Message, Snapshot, Watch
from server.http.api.requests import forwarded, language_of
from server.http.api.viewers import Errand
from server.hub.limits.proxies import Proxies
from server.hub.metrics import COMMAND_SECONDS, COMMANDS
from server.hub.rooms.keeper import Keeper
from server.hub.service import Service
from server.store.people import Guest
from server.store.port import Store

M = TypeVar("M", bound=Message)


class Errands:
    """Runs commands for requests over one service."""

    def __init__(self, service: Service, keeper: Keeper, store: Store, proxies: Proxies) -> None:
        self._service = service
        self._keeper = keeper
        self._store = store
        self._proxies = proxies

    @property
    def epoch(self) -> str:
        """That of the store's data: see `Sync.epoch`."""
        return self._keeper.epoch

    @asynccontextmanager
    async def errand(self, request: Request, who: Guest | None = None) -> AsyncIterator[Errand]:
        """A viewer for as long as the request takes; afterwards it follows nothing any more."""
        errand = Errand(who, language_of(request), self._address(request))
        try:
            yield errand
        finally:
            self._service.forget(errand)

    async def perform(self, errand: Errand, command: Command, kind: type[M]) -> M:
        """Carry out a command and return the answer of the kind that it has. Raises ParlourError."""
        started, outcome = time.perf_counter(), "refused"
        try:
            await self._service.perform(errand, command)
            outcome = "done"
        finally:
            COMMANDS.inc(type(command).__name__, outcome)
            COMMAND_SECONDS.observe(time.perf_counter() - started)
        return errand.last(kind)

    async def look(self, request: Request, who: Guest, match: str) -> Snapshot:
        """A match as `who` may see it. Raises ParlourError."""
        async with self.errand(request, who) as errand:
            await self.perform(errand, Watch(ref="look", match=match), Snapshot)
        return self.snapshot(errand, match)

    def snapshot(self, errand: Errand, match: str) -> Snapshot:
        """The match for an errand that may see it and is let go of: one who just looks is not among those who watch."""
        return self._keeper.rooms[match].snapshot(errand, self._keeper.moment())

    def _address(self, request: Request) -> str:
        """Where the request comes from, as far as limits are concerned."""
        return self._proxies.client(request.client.host if request.client else "", *forwarded(request))
