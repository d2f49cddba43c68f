"""In which order trials are begun, so that several workers are done at about the same time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TypeVar

import pytest

T = TypeVar("T")


def minutes_of(item: pytest.Item) -> float:
    """What a trial takes in full, when it says so by `minutes`; 0 when it is quick."""
    mark = item.get_closest_marker("minutes")
    return float(mark.args[0]) if mark is not None else 0.0


def longest_first(items: Sequence[T], minutes: Callable[[T], float]) -> list[T]:
    """Long ones first, each followed by a quick one: a worker has one waiting beside the one that it runs, and no other
    takes that off it."""
    long = sorted((item for item in items if minutes(item)), key=minutes, reverse=True)
    quick = [item for item in items if not minutes(item)]
    return [item for two in zip_longest(long, quick[: len(long)]) for item in two if item is not None] + quick[
        len(long) :
    ]
