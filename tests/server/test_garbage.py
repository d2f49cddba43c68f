"""The search for garbage, and the pauses that it makes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from prometheus_client import REGISTRY

from server.garbage import (
    ALL_AT_LATEST_S,
    ALL_EVERY_S,
    BACKSTOP,
    MANY,
    WHOLE_EVERY_S,
    Sweeper,
    collect_on_purpose,
)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """All is walked over in these tests; what the run of tests had put aside is put aside again."""
    callbacks, threshold, aside = list(gc.callbacks), gc.get_threshold(), gc.get_freeze_count()
    gc.unfreeze()
    yield
    gc.callbacks[:] = callbacks
    gc.set_threshold(*threshold)
    if aside:
        gc.freeze()
    else:
        gc.unfreeze()


def searches(generation: int) -> float:
    """How many have been measured."""
    return REGISTRY.get_sample_value("parlour_garbage_seconds_count", {"generation": str(generation)}) or 0.0


def test_each_search_is_measured_once() -> None:
    collect_on_purpose()
    collect_on_purpose()
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
    collect_on_purpose()
    assert gc.get_threshold()[0] == BACKSTOP
    assert gc.get_freeze_count() > 0


class Swept:
    """A sweeper, and the searches that its turns made; `values` are new ones that live on."""

    def __init__(self) -> None:
        collect_on_purpose()
        self.sweeper = Sweeper()
        self.now, self.cpu_s = 1_000.0, 10.0
        self.sweeper.begin(self.now, self.cpu_s)
        self.values: list[list[int]] = []

    def turn(self, after_s: float = 0.25, *, busy: float = 0.0, new: int = 0) -> list[int]:
        """One turn after so long, of which the hub worked a share; which generations were searched."""
        self.now += after_s
        self.cpu_s += busy * after_s
        self.values += [[] for _ in range(new)]
        before = [searches(generation) for generation in range(3)]
        self.sweeper.turn(self.now, self.cpu_s)
        return [generation for generation in range(3) if searches(generation) > before[generation]]


def test_nothing_is_searched_while_much_is_done() -> None:
    swept = Swept()
    for _ in range(20):
        assert swept.turn(busy=0.9, new=MANY) == []
        assert gc.get_count()[0] < MANY, "the interpreter has no reason to look by itself"


def test_all_is_searched_when_the_hub_is_calm() -> None:
    swept = Swept()
    swept.turn(busy=0.9, new=MANY)
    assert swept.turn(ALL_EVERY_S, busy=0.9) == []
    assert swept.turn() == [2]
    assert swept.turn() == [], "once"
    swept.turn(ALL_EVERY_S - 1, busy=0.9, new=MANY)
    assert swept.turn() == [], "not so soon"
    assert swept.turn(1.0) == [2]


def test_a_calm_hub_without_anything_new_does_not_search() -> None:
    swept = Swept()
    assert swept.turn(ALL_EVERY_S) == []


def test_a_hub_that_is_never_calm_searches_all_the_same() -> None:
    swept = Swept()
    assert swept.turn(ALL_AT_LATEST_S - 1, busy=0.9) == []
    assert swept.turn(1.0, busy=0.9) == [2]


class Circle:
    """It knows itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_found_alive_is_not_walked_over_again_but_once_in_a_while() -> None:
    swept = Swept()
    circle = Circle()
    freed: list[bool] = []
    weakref.finalize(circle, freed.append, True)
    swept.turn(busy=0.9, new=MANY)
    swept.turn(ALL_EVERY_S)
    assert not any(one is circle for one in gc.get_objects()), "it is frozen"
    del circle
    swept.turn(busy=0.9, new=MANY)
    swept.turn(ALL_EVERY_S)
    assert not freed
    swept.turn(busy=0.9, new=MANY)
    swept.turn(WHOLE_EVERY_S)
    assert freed
