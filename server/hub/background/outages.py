"""Tells clients that the store is away, so that no clock counts down what nobody is charged for (`D5`)."""

from __future__ import annotations

from protocol.messages import Outage
from protocol.text import N_, text
from server.hub.connections.hub import Hub
from server.hub.rooms.keeper import Keeper

ALONE = N_("The server cannot store moves just now; clocks wait.")
WITH_OTHERS = N_("The server cannot store moves just now; clocks are shown as they stood.")
"""Other hubs may be able to: then nothing is excused."""

COUNTED_MS = 2_000
"""How long after the last beat clients count on, so that those of all hubs stop at the same moment: each hub has
noticed within 1.5 s (`Heartbeat.look_at_store`), and a word has half a second to come."""


class OutageTeller:
    """Looks at the store each turn, and tells every connection."""

    def __init__(self, keeper: Keeper, hub: Hub) -> None:
        self._keeper = keeper
        self._hub = hub
        self._since_ms: int | None = None
        """Since when the store is away by what clients were told; None when they were told of no outage."""

    def look(self) -> None:
        """That the store is away is told at once; that it is back when the matches here were told what is excused."""
        self._keeper.look_at_store()
        since_ms = self._keeper.away_since_ms
        if since_ms is not None and since_ms != self._since_ms:
            self._since_ms = since_ms
            counted_ms, sentence = since_ms + COUNTED_MS, text(ALONE if self._keeper.alone else WITH_OTHERS)
            for connection in self._hub.connections:
                viewer = connection.viewer
                words = sentence.render(viewer.translate)
                viewer.send(Outage(on=True, since_ms=since_ms, counted_ms=counted_ms, text=words))
        elif since_ms is None and self._since_ms is not None and not self._waits():
            self._hub.announce(Outage(on=False, since_ms=self._since_ms))
            self._since_ms = None

    def _waits(self) -> bool:
        """Whether a match is still to be told; a clock stands by itself until what is excused has passed."""
        _, now_ms, outages = self._keeper.moment()
        passing = bool(outages) and outages[-1].until_ms > now_ms
        return passing and any(len(room) and room.charges_for(outages) for room in self._keeper.rooms.values())
