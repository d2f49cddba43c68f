"""A real Redis for the tests of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.driver import RedisProcess


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis of this test's own, flushed always."""
    process = RedisProcess(tmp_path)
    process.start()
    try:
        yield process
    finally:
        process.stop()
