"""A real hub over a real Redis, with the limits that people meet, for the tests of one file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.driver import Client, HubProcess, RedisProcess

AS_SHIPPED = ("--limit", "pace=1", "--proxy", "127.0.0.1")
"""The driver's own hubs are more patient. Tests name addresses as a proxy on this machine would."""
Open = Callable[..., Awaitable[Client]]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for one file."""
    process = RedisProcess(tmp_path_factory.mktemp("redis"))
    process.start()
    yield process
    process.stop()


@pytest.fixture(scope="module")
def arguments() -> tuple[str, ...]:
    """What the hubs of a file are started with besides; a file may have its own."""
    return ()


@pytest.fixture(scope="module")
def hubs(redis: RedisProcess, arguments: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two hubs over one Redis."""
    pair = [HubProcess(_folder(tmp_path_factory), "--redis", redis.url, *AS_SHIPPED, *arguments) for _ in range(2)]
    for hub in pair:
        hub.start()
    yield pair
    assert [hub.stop() for hub in pair] == [0, 0]


@pytest.fixture(scope="module")
def hub(hubs: list[HubProcess]) -> HubProcess:
    """The first of the two."""
    return hubs[0]


@pytest.fixture
async def open_client(hub: HubProcess) -> AsyncIterator[Open]:
    """Opens clients at the first hub (or at `url`, or from `address`), and closes them in the end."""
    clients: list[Client] = []

    async def open_(name: str = "Ana", *, url: str = "", address: str = "", **options: Any) -> Client:
        if address:
            options["additional_headers"] = {"X-Forwarded-For": address}
        client = await Client.open(url or hub.url, name, **options)
        clients.append(client)
        return client

    yield open_
    for client in clients:
        await client.close()


def _folder(factory: pytest.TempPathFactory) -> Path:
    return factory.mktemp("hub")
