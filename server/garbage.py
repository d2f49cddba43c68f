"""The search for unreachable cycles: when it is in nobody's way, and how long it held everybody up."""

from __future__ import annotations

import gc
import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

MANY = 2_000
"""New values that outlive old ones until they are put aside, out of reach of a search."""
CALM = 0.05
"""The share of a core below which the hub does next to nothing: a pause is in nobody's way then."""
ALL_EVERY_S = 60.0
ALL_AT_LATEST_S = 600.0
"""A hub that is never calm looks all the same: there may be cycles of which we do not know."""
WHOLE_EVERY_S = 3600.0
BACKSTOP = 500_000
"""New values after which the interpreter looks by itself, should nobody turn the sweeper."""
NEVER = 1_000_000
BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
GENERATIONS = 3


class Pauses(Collector):
    """How long each search took, by generation.

    It counts by itself: a search may begin anywhere, also where a counter of the metrics' library is locked.
    """

    def __init__(self) -> None:
        self._since = 0.0
        self._counts = [[0] * (len(BUCKETS_S) + 1) for _ in range(GENERATIONS)]
        self._sums_s = [0.0] * GENERATIONS

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        """One of `gc.callbacks`."""
        if phase == "start":
            self._since = time.perf_counter()
            return
        took_s = time.perf_counter() - self._since
        self._sums_s[info["generation"]] += took_s
        self._counts[info["generation"]][bisect_left(BUCKETS_S, took_s)] += 1

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """The metric."""
        family = HistogramMetricFamily(
            "parlour_garbage_seconds",
            "How long each search for unreachable cycles held the hub up, by generation",
            labels=["generation"],
        )
        for generation, (counts, sum_s) in enumerate(zip(self._counts, self._sums_s, strict=True)):
            bounds = [*map(str, BUCKETS_S), "+Inf"]
            family.add_metric([str(generation)], list(zip(bounds, accumulate(counts), strict=True)), sum_value=sum_s)
        yield family


PAUSES = Pauses()
REGISTRY.register(PAUSES)


def collect_on_purpose() -> None:
    """Leave it to `Sweeper` when unreachable cycles are looked for; what has been read by now is never walked over.

    With the usual threshold of 700 the collector would walk over every match in memory many times a second, in the
    middle of whatever is being done.
    """
    gc.freeze()
    gc.set_threshold(BACKSTOP, NEVER, NEVER)
    if PAUSES not in gc.callbacks:
        gc.callbacks.append(PAUSES)


class Sweeper:
    """Looks for cycles when little is done, and keeps the interpreter from looking in the middle of work.

    Commands make no cycles, and connections take theirs apart when they end, so there is seldom anything to be found.
    What is new while much is done is put aside, and so is what a search has found alive: only one search in
    `WHOLE_EVERY_S` walks over everything.
    """

    def __init__(self) -> None:
        self._now = self._cpu_s = self._all_at = self._whole_at = 0.0
        self._put_aside = False

    def begin(self, now: float, cpu_s: float) -> None:
        """The hub has started: what it is made of lives as long as it does. Arguments as in `turn`."""
        gc.collect()
        gc.freeze()
        self._now, self._cpu_s, self._all_at, self._whole_at = now, cpu_s, now, now

    def turn(self, now: float, cpu_s: float) -> None:
        """To be called several times a second, with the time of any clock and this thread's CPU, both in s."""
        is_calm = cpu_s - self._cpu_s < CALM * (now - self._now)
        self._now, self._cpu_s = now, cpu_s
        since_s, many = now - self._all_at, gc.get_count()[0] >= MANY
        if (is_calm and since_s >= ALL_EVERY_S and (many or self._put_aside)) or since_s >= ALL_AT_LATEST_S:
            self._search_all(now)
        elif many:
            # To walk over them costs more than all that is ever found; this costs nothing.
            gc.freeze()
            self._put_aside = True

    def _search_all(self, now: float) -> None:
        if now - self._whole_at >= WHOLE_EVERY_S:
            gc.unfreeze()
            self._whole_at = now
        gc.collect()
        gc.freeze()
        self._all_at, self._put_aside = now, False
