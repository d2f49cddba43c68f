"""The search for garbage, and the pauses that it makes."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY

from server.garbage import THRESHOLD, collect_seldom


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    callbacks, threshold = list(gc.callbacks), gc.get_threshold()
    yield
    gc.callbacks[:] = callbacks
    gc.set_threshold(*threshold)
    gc.unfreeze()


def searches(generation: int) -> float:
    """How many have been measured."""
    return REGISTRY.get_sample_value("parlour_garbage_seconds_count", {"generation": str(generation)}) or 0.0


def test_each_search_is_measured_once() -> None:
    collect_seldom()
    collect_seldom()
    gc.disable()
    try:
        before = [searches(generation) for generation in range(3)]
        gc.collect(0)
        gc.collect(2)
        gc.collect(2)
        assert [searches(generation) for generation in range(3)] == [before[0] + 1, before[1], before[2] + 2]
    finally:
        gc.enable()


def test_what_was_read_at_the_start_is_not_walked_over() -> None:
    collect_seldom()
    assert gc.get_threshold()[0] == THRESHOLD
    assert gc.get_freeze_count() > 0
