"""Figures for one thread, for what every command passes through: the library's own take a lock at each count."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import inf

from prometheus_client import REGISTRY
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString


class Tally(Collector):
    """A counter for one thread: the library's own takes a lock each time, which costs more than the counting."""

    def __init__(self, name: str, documentation: str) -> None:
        self._named = name, documentation
        self._count = 0
        REGISTRY.register(self)

    def inc(self, amount: int = 1) -> None:
        """So many more."""
        self._count += amount

    def collect(self) -> Iterable[Metric]:
        """As the library asks for it."""
        return (CounterMetricFamily(*self._named, value=self._count),)


class Tallies(Collector):
    """The same by labels, of which there are few."""

    def __init__(self, name: str, documentation: str, labels: Sequence[str]) -> None:
        self._named = name, documentation
        self._labels = labels
        self._counts: Counter[tuple[str, ...]] = Counter()
        REGISTRY.register(self)

    def inc(self, *labels: str) -> None:
        """One more with these values of the labels."""
        self._counts[labels] += 1

    def collect(self) -> Iterable[Metric]:
        """As the library asks for it."""
        family = CounterMetricFamily(*self._named, labels=self._labels)
        for labels, count in self._counts.items():
            family.add_metric(labels, count)
        return (family,)


class Timings(Collector):
    """A histogram for one thread, for what every command passes through; `buckets` in s."""

    def __init__(self, name: str, documentation: str, buckets: Sequence[float]) -> None:
        self._named = name, documentation
        self._bounds = (*map(float, buckets), inf)
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """One more took so long."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterable[Metric]:
        """As the library asks for it."""
        upto = zip(map(floatToGoString, self._bounds), accumulate(self._counts), strict=True)
        return (HistogramMetricFamily(*self._named, buckets=list(upto), sum_value=self._sum),)
