"""Figures without locks say the same as the library's own."""

from __future__ import annotations

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.registry import Collector

from server.counting import Tallies, Tally, Timings

BUCKETS = (0.001, 0.01, 1)


def told(*collectors: Collector) -> list[str]:
    """As `/metrics` says it, but for when each was made, which the library adds to its own."""
    registry = CollectorRegistry()
    for one in collectors:
        registry.register(one)
    lines = generate_latest(registry).decode().splitlines()
    return [line for line in lines if "_created" not in line]


def test_they_count_as_the_library_does() -> None:
    counted = Tally("trial_events", "Events"), Tallies("trial_commands", "Commands", ["type", "outcome"])
    library = (
        Counter("trial_events", "Events", registry=None),
        Counter("trial_commands", "Commands", ["type", "outcome"], registry=None),
    )
    timed = Timings("trial_seconds", "Seconds", BUCKETS)
    own = Histogram("trial_seconds", "Seconds", buckets=BUCKETS, registry=None)
    try:
        for kind, outcome in (("Move", "done"), ("Say", "refused"), ("Move", "done")):
            counted[0].inc()
            library[0].inc()
            counted[1].inc(kind, outcome)
            library[1].labels(kind, outcome).inc()
        for seconds in (0.0005, 0.001, 0.5, 7.0):
            timed.observe(seconds)
            own.observe(seconds)
        assert told(*counted, timed) == told(*library, own)
    finally:
        for one in (*counted, timed):
            REGISTRY.unregister(one)
