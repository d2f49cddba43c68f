"""One hub for the tests of what is served beside the API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile.tools import House, housed


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A hub over a Redis, which must be well at the end and stop with status 0."""
    with housed(tmp_path_factory.mktemp("house")) as house:
        yield house
