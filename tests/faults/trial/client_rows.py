"""Rows of the fault table for trials of a client, which has no log of its own to be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.faults.trial.table import PROPERTY, Row

Count = Callable[..., None]


@pytest.fixture
def count(record_property: Any, request: pytest.FixtureRequest) -> Iterator[Count]:
    """Counts up how often something was done to a client. One that ends, or shows what is not so, fails its trial."""
    rows: dict[str, Row] = {}

    def add(fault: str, times: int = 1) -> None:
        rows.setdefault(fault, Row(fault, trial=request.node.nodeid, lost=0, doubled=0, reordered=0)).times += times

    yield add
    for row in rows.values():
        record_property(PROPERTY, row.plain())
