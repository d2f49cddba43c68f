"""What is counted only when somebody looks at `/metrics`: who is here, what is played, what waits, if all is well."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from protocol.errors import StoreUnavailable
from server.hub.connections.hub import Hub
from server.hub.rooms.keeper import Keeper
from server.store.port import Store

AT_ONCE = 500
"""Matches that are looked at in one turn of the loop, so that players' moves get in between."""


class Figures:
    """Of one hub. `durability` is what an acknowledgement is worth."""

    def __init__(self, hub: Hub, keeper: Keeper, store: Store, durability: str) -> None:
        self._hub = hub
        self._keeper = keeper
        self._store = store
        self._durability = durability

    async def text(self, ready: Callable[[], str | None]) -> bytes:
        """All of them as Prometheus reads them."""
        matches: Counter[tuple[str, str]] = Counter()
        seated = watching = behind = 0
        for place, room in enumerate(list(self._keeper.rooms.values()), 1):
            matches[room.match.game.name, room.match.status.value] += 1
            sit, watch = room.audience()
            seated, watching, behind = seated + sit, watching + watch, behind + room.doubtful
            if place % AT_ONCE == 0:
                await asyncio.sleep(0)
        waiting, flush = self._store.scripts_waiting, await self._flush()
        families = [
            _one("parlour_ready", "Whether this hub can serve: 1, or 0", ready() is None),
            _one("parlour_draining", "Whether this hub hands its players over and stops: 1, or 0", self._hub.draining),
            _one("parlour_players", "Players who are connected to this hub", len(self._players())),
            _one("parlour_seated", "Those of this hub who follow a match in which they sit, by match", seated),
            _one("parlour_watchers", "Those of this hub who watch a match, by match", watching),
            _one("parlour_outbox_bytes", "Bytes that wait to be taken by clients", self._hub.outboxes.known),
            _one("parlour_lagging_now", "Connections that are behind just now", len(self._hub.lagging)),
            _one("parlour_matches_behind", "Matches of which this hub has yet to read what others stored", behind),
            _one("parlour_store_waiting", "Scripts that wait for the store, or for its answer", waiting),
            _many("parlour_store_flush_seconds", "Flushes to disk that the store found slow: the last, and the worst",
                  ["which"], flush),
            _many("parlour_durability", "What an acknowledgement is worth: 1 for what holds", ["level"],
                  [((self._durability,), 1)]),
            _many("parlour_matches", "Matches in this hub's memory", ["game", "status"], matches.items()),
        ]  # fmt: skip
        registry = CollectorRegistry()
        registry.register(_Families(families))
        return generate_latest(registry)

    async def _flush(self) -> list[tuple[tuple[str], float]]:
        try:
            flush = await self._store.slow_flushes()
        except StoreUnavailable:
            return []
        return [] if flush is None else [(("last",), flush.last_ms / 1000), (("worst",), flush.worst_ms / 1000)]

    def _players(self) -> set[str]:
        return {connection.viewer.player for connection in self._hub.connections if connection.viewer.player}


class _Families(Collector):
    """Those that are ready."""

    def __init__(self, families: list[GaugeMetricFamily]) -> None:
        self._families = families

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from self._families


def _one(name: str, says: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, says, value=float(value))


def _many(
    name: str, says: str, labels: list[str], values: Iterable[tuple[tuple[str, ...], float]]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, says, labels=labels)
    for given, value in values:
        family.add_metric(given, value)
    return family
