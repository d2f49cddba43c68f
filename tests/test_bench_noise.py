"""What the bench of the computer calls noise: how much rounds usually differ, and not what one of them suffered."""

from __future__ import annotations

import pytest

from tests.bench.computer import compared, spread

QUIET = [10.0, 11.0, 10.5, 10.2, 10.8]


def test_one_round_on_which_something_fell_is_not_the_noise() -> None:
    """Its size was: then a percentile twice as high was within what rounds differ by."""
    disturbed = [*QUIET[:-1], 40.0]
    assert spread(disturbed) < 1.0
    assert "+10.5 ms, beyond noise" in compared("with", "without", disturbed, [2 * one for one in QUIET])


@pytest.mark.parametrize("beside", [QUIET, [one + 0.5 for one in QUIET], [*QUIET[:-1], 90.0]])
def test_what_rounds_differ_by_anyway_is_noise(beside: list[float]) -> None:
    assert "within noise" in compared("with", "without", QUIET, beside)


def test_the_spread_is_a_standard_deviation_where_there_are_no_outliers() -> None:
    assert spread([float(one) for one in range(101)]) == pytest.approx(37.0, abs=0.5)
    assert spread([5.0] * 4) == 0.0
