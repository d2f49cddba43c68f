"""All connections of one process: how many there are and whose, who lags, and what they share."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from protocol.errors import Code, Refusal
from protocol.messages import Message
from server.hub.connections.outboxes import MIB, Outbox, Outboxes
from server.hub.limits.admission import Crowd
from server.hub.limits.proxies import Proxies
from server.hub.limits.settings import Limits, rates
from server.hub.metrics import CONNECTIONS
from server.hub.service import Service
from server.hub.viewers.viewer import Viewer


class Link(Protocol):
    """A connection, as far as all of them together are concerned."""

    viewer: Outbox
    address: str

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
        self.connections: set[Link] = set()
        self.lagging: set[Link] = set()
        self.stopping = False
        self.talkative = False
        """Whether every command is logged; a call of the logger for nothing would cost as much as a command."""
        self.last_busy = time.monotonic()

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
        self.service.forget(connection.viewer)

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
