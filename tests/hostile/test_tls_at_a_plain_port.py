"""Browsers that insist on https first (P37): a TLS hello at the plain port is turned away at once, without noise."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator

import pytest

from tests.driver import WAIT_S
from tests.hostile.tools import House, housed

TIMES = 100


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A hub over a Redis."""
    with housed(tmp_path_factory.mktemp("house")) as house:
        yield house


async def test_p37_a_tls_hello(house: House) -> None:
    """P37: a hundred of them, each answered by an end rather than by silence; the log says nothing of any."""
    before = len(house.hub.log.read_text().splitlines())
    context = ssl.create_default_context()
    refused = 0
    for _ in range(TIMES):
        async with asyncio.timeout(WAIT_S):
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await asyncio.open_connection("127.0.0.1", house.hub.port, ssl=context)
            refused += 1
    assert refused == TIMES
    assert len(house.hub.log.read_text().splitlines()) - before <= 1
