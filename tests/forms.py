"""The two forms of what repeats: short in `make test`, in full in `make faults`, `browsers`, `fuzz` or `screens`.

Nothing is left out of the full form, and the short one meets each kind of thing that the full one does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import cycle, product
from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")
U = TypeVar("U")
F = TypeVar("F", bound=Callable[..., Any])

FUZZ = os.environ.get("PARLOUR_FUZZ") == "full"
SCREENS = os.environ.get("PARLOUR_SCREENS") == "full"
EXAMPLES = 100 if FUZZ else 30
"""Of hypothesis, for a test that asks for no other number."""


def generated(full: int, short: int) -> Callable[[F], F]:
    """So many examples of hypothesis for a test that draws them."""
    return settings(max_examples=full if FUZZ else short, deadline=None, database=None)


def every(values: Sequence[T], nth: int, *, full: bool) -> Sequence[T]:
    """All in full, else every `nth` of them."""
    return values if full else values[::nth]


def crossed(values: Sequence[T], ways: Sequence[U], *, full: bool) -> list[tuple[T, U]]:
    """Each value in every way, or in the short form once, the ways taking turns."""
    return list(product(values, ways)) if full else list(zip(values, cycle(ways), strict=False))
