"""The search for unreachable cycles: seldom, and how long it held everybody up."""

from __future__ import annotations

import gc
import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

THRESHOLD = 50_000
"""New values that outlive old ones until cycles are looked for."""
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


def collect_seldom() -> None:
    """Look for unreachable cycles less often: a move makes many short-lived values and no cycle.

    With the usual threshold of 700 the collector would walk over every match in memory many times a second. What has
    been read by now (modules, above all) lives for ever and is never walked over.
    """
    gc.freeze()
    gc.set_threshold(THRESHOLD)
    if PAUSES not in gc.callbacks:
        gc.callbacks.append(PAUSES)
