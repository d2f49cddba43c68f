"""What an operator can see at `/metrics`."""

from __future__ import annotations

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

from server.counting import Tallies, Tally, Timings

CONNECTIONS = Gauge("parlour_connections", "WebSocket connections that are open")
ROOMS = Gauge("parlour_rooms", "Matches in this hub's memory")
TASKS = Gauge("parlour_tasks", "Tasks of this hub's event loop")
EVENTS_STORED = Tally("parlour_events_stored", "Events that this hub appended to match logs")
LOST_RACES = Counter("parlour_lost_races", "Commands judged again because another hub appended first")
COMMANDS = Tallies("parlour_commands", "Commands received, by type and outcome", ["type", "outcome"])
LAGGING = Counter("parlour_lagging", "Connections that could not keep up", ["fate"])
FLOODERS = Counter("parlour_flooders", "Connections closed because they asked for too much too fast")
SLICE_SECONDS = Histogram(
    "parlour_slice_seconds",
    "CPU time of each slice of long work: reading a long match, replaying a saved game",
    buckets=(0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512),
)
LATE_SECONDS = Timings(
    "parlour_loop_late_seconds",
    "How late the event loop was for its regular work: what everybody waits for",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10),
)
STORE_LOADS = Counter("parlour_store_loads", "Times that this hub found the store's data loaded anew")
SET_BACK = Counter("parlour_matches_set_back", "Matches of which this hub had known more than the store has left")
OWED = Gauge("parlour_owed", "Matches found in the last look that owed something in another log")
OBLIGATIONS = Counter("parlour_obligations", "What matches owed in another log, found and dealt with here", ["fate"])
COMMAND_SECONDS = Timings(
    "parlour_command_seconds",
    "From the receipt of a command to its answer",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5),
)
REFUSALS = Counter(
    "parlour_refusals", "Commands and requests that were not granted, by the code they were told", ["code"]
)
COMMIT_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5)
STORED_SECONDS = Timings(
    "parlour_stored_seconds",
    "From the receipt of a match's command until what it causes is stored",
    buckets=COMMIT_BUCKETS,
)
TOLD_SECONDS = Timings(
    "parlour_told_seconds",
    "From the receipt of a match's command until all who follow here are told",
    buckets=COMMIT_BUCKETS,
)


@cache
def _refusal_counter(code: str) -> Counter:
    return REFUSALS.labels(code)


def count_refusal(code: str) -> None:
    """One was not granted. Codes are those of `protocol.errors` and of games: they are few."""
    _refusal_counter(code).inc()
