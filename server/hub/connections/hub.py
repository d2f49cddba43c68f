"""All connections of one process: how many there are and whose, who lags, and what they share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from protocol.errors import Code, Refusal
from protocol.messages import Message
from server.hub.connections.keepalive import Keepalive
from server.hub.connections.outboxes import MIB, Outbox, Outboxes
from server.hub.limits.admission import Crowd
from server.hub.limits.proxies import Proxies
from server.hub.limits.settings import Limits, rates
from server.hub.metrics import CONNECTIONS
from server.hub.service import Service
from server.hub.viewers.viewer import Viewer

COMES_S = 3.0
"""How long a client that was told to go to another hub may take to be there."""


class Link(Protocol):
    """A connection, as far as all of them together are concerned."""

    viewer: Outbox
    address: str
    sent_on: bool
    """Whether it was told to go to another hub."""

    def send_on(self) -> None:
        """Tell it to go to another hub, and close."""

    @property
    def due_bytes(self) -> int:
        """What waits to be written."""

    def relieve(self, now: float) -> None:
        """See whether it has caught up, or must be cut."""


class Hub:
    """All connections of one process, and what they need: the service, allowed origins, limits, trusted proxies."""

    def __init__(
        self,
        service: Service,
        origins: frozenset[str],
        limits: Limits | None = None,
        proxies: Proxies | None = None,
    ) -> None:
        limits = limits or Limits()
        self.service = service
        self.origins = origins
        self.proxies = proxies or Proxies()
        self.rates = rates(limits)
        self.outboxes = Outboxes(limits.outboxes_mib * MIB)
        self.addresses = Crowd(limits.connections_from_address)
        self.players = Crowd(limits.connections_of_player)
        self.keepalive = Keepalive()
        self.connections: set[Link] = set()
        self.lagging: set[Link] = set()
        self.under_way: set[Link] = set()
        """Those that are on their way to another hub, and count as here until they are there."""
        self.stopping = False
        self.draining = False
        """Whether its clients are handed over to other hubs, for it is to stop."""
        self.talkative = False
        """Whether every command is logged; a call of the logger for nothing would cost as much as a command."""
        self.last_busy = time.monotonic()
        self.on_come: Callable[[], None] = lambda: None
        """Called when a connection has come."""

    def come(self, connection: Link) -> None:
        """A connection stands."""
        self.connections.add(connection)
        self.addresses.add(connection.address)
        CONNECTIONS.set(len(self.connections))
        self.on_come()

    def let_in(self, viewer: Viewer, player: str) -> Callable[[], None]:
        """A door of the service: one player has only so many connections. Raises Refusal `too_many_connections`.

        Returns how to go back, for one who is refused after all.
        """
        if not isinstance(viewer, Outbox):
            return lambda: None
        if self.players.full(player):
            raise Refusal(Code.TOO_MANY_CONNECTIONS, limit=self.players.limit)
        self.players.add(player)
        viewer.counted = player
        return lambda: self._send_back(viewer)

    def _send_back(self, outbox: Outbox) -> None:
        if outbox.counted:
            self.players.remove(outbox.counted)
            outbox.counted = ""

    def let_out(self, connection: Link) -> None:
        """A connection is gone."""
        self.connections.discard(connection)
        self.lagging.discard(connection)
        self.addresses.remove(connection.address)
        if connection.viewer.counted:
            self.players.remove(connection.viewer.counted)
        self.last_busy = time.monotonic()
        CONNECTIONS.set(len(self.connections))
        if connection.sent_on:
            # It comes to another hub just now: nobody is to see it gone in between.
            self.under_way.add(connection)
            asyncio.get_running_loop().call_later(COMES_S, self._arrived, connection)
        else:
            self.service.forget(connection.viewer)

    def _arrived(self, connection: Link) -> None:
        self.under_way.discard(connection)
        self.service.forget(connection.viewer)

    @property
    def staying(self) -> list[Link]:
        """Those that were not told to go to another hub."""
        return [connection for connection in self.connections if not connection.sent_on]

    def send_on(self, most: int) -> None:
        """Tell so many of them to go there."""
        for connection in self.staying[:most]:
            connection.send_on()

    def relieve(self) -> None:
        """Look at the lagging: show those who have caught up what they missed, cut those who lag for too long."""
        now = time.monotonic()
        self.outboxes.settle()
        for connection in list(self.lagging):
            connection.relieve(now)

    def announce(self, message: Message) -> None:
        """Tell everybody who is connected."""
        for connection in self.connections:
            connection.viewer.send(message)
