"""One hub for each file of hostile tests; what a test leaves in its log fails that test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.tools import UNMETERED, House, housed


@pytest.fixture(scope="module")
def whole_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The hub of this file, which must still be well at the end and stop with status 0."""
    with housed(tmp_path_factory.mktemp("house"), *UNMETERED) as house:
        yield house


@pytest.fixture
def house(whole_house: House) -> Iterator[House]:
    """The same, looked after: no test may leave an error or an exception in the hub's log."""
    yield whole_house
    whole_house.assert_no_trouble()
