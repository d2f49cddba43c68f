"""Where people find the hub goes into all that names addresses, and pages that were named may read the API (CORS)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import unix_connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.codec import JSON
from tests.driver import HubProcess, RedisProcess
from tests.stand import running_hub, running_redis

PROXY = "127.0.0.2"
FRIEND = "https://pages.example"
BELOW = {"x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https", "x-forwarded-host": "games.example",
         "x-forwarded-prefix": "/parlour"}  # fmt: skip


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """Its address is told by a proxy; a page from elsewhere may read its answers."""
    with running_hub(tmp_path_factory, redis, "--proxy", PROXY, "--origin", FRIEND, "--dog", "--dog-port", "0",
                     "--no-dog-front") as hub:  # fmt: skip
        yield hub


@pytest_asyncio.fixture
async def behind(hub: HubProcess) -> AsyncIterator[httpx.AsyncClient]:
    """Requests as the proxy sends them."""
    way = httpx.AsyncHTTPTransport(local_address=PROXY)
    async with httpx.AsyncClient(transport=way, base_url=f"http://127.0.0.1:{hub.port}", headers=BELOW) as link:
        yield link


@pytest_asyncio.fixture
async def straight(hub: HubProcess) -> AsyncIterator[httpx.AsyncClient]:
    """Requests of somebody who writes the same headers and is no proxy."""
    async with httpx.AsyncClient(trust_env=False, base_url=f"http://127.0.0.1:{hub.port}", headers=BELOW) as link:
        yield link


async def named(link: httpx.AsyncClient) -> dict[str, Any]:
    """All addresses that the hub names."""
    guest = (await link.post("/api/guests", json={"name": "Ana"})).json()
    signed = {"authorization": f"Bearer {guest['token']}"}
    made = await link.post("/api/matches", json={"ref": "r", "game": "square"}, headers=signed)
    lost = await link.get("/api/matches/nothing", headers=signed)
    found = re.findall(r"wss?://(\S+?)[ ;]", (await link.get("/")).headers["content-security-policy"])
    return {
        "openapi": (await link.get("/api/openapi.json")).json()["servers"],
        "asyncapi": (await link.get("/api/asyncapi.json")).json()["servers"]["hub"],
        "location": made.headers["location"].removesuffix(made.json()["match"]),
        "problem": lost.json()["type"],
        "sockets": set(found),
    }


PUBLIC = {
    "openapi": [{"url": "https://games.example/parlour"}],
    "asyncapi": {"host": "games.example", "protocol": "wss", "pathname": "/parlour"},
    "location": "/parlour/api/matches/",
    "problem": "/parlour/api/docs#unknown_match",
    "sockets": {"games.example"},
}


async def test_a_trusted_proxy_says_it(behind: httpx.AsyncClient) -> None:
    assert await named(behind) == PUBLIC
    page = (await behind.get("/dog/")).text
    assert "https://games.example/parlour/dog/" in page


async def test_anybody_else_does_not(straight: httpx.AsyncClient, hub: HubProcess) -> None:
    host = f"127.0.0.1:{hub.port}"
    assert await named(straight) == {
        "openapi": [{"url": f"http://{host}"}],
        "asyncapi": {"host": host, "protocol": "ws"},
        "location": "/api/matches/",
        "problem": "/api/docs#unknown_match",
        "sockets": {host},
    }


async def test_the_page_at_the_address_that_a_proxy_says_is_our_own(behind: httpx.AsyncClient) -> None:
    """A proxy may put another Host into its requests, if it says which one it was asked for."""
    for origin, status in (("https://games.example", 201), ("https://evil.example", 403)):
        answer = await behind.post("/api/guests", json={"name": "Ana"}, headers={"origin": origin})
        assert answer.status_code == status, origin


# CORS ---------------------------------------------------------------------------------------------------------------


ASKS = {"access-control-request-method": "POST", "access-control-request-headers": "authorization, content-type"}


async def test_a_page_that_was_named_may_ask_and_read(behind: httpx.AsyncClient) -> None:
    before = await behind.options("/api/matches", headers={"origin": FRIEND, **ASKS})
    assert before.status_code == 200
    assert before.headers["access-control-allow-origin"] == FRIEND
    assert "POST" in before.headers["access-control-allow-methods"]
    guest = await behind.post("/api/guests", json={"name": "Ana"}, headers={"origin": FRIEND})
    refused = await behind.post("/api/matches", json={}, headers={"origin": FRIEND})
    for answer, status in ((guest, 201), (refused, 422)):
        assert answer.status_code == status
        assert answer.headers["access-control-allow-origin"] == FRIEND
        assert "Origin" in answer.headers["vary"]
        assert "access-control-allow-credentials" not in answer.headers
        assert "location" in answer.headers["access-control-expose-headers"].lower()


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://pages.example", "https://pages.example.evil", "null"]
)
async def test_a_page_that_was_not_named_may_not(behind: httpx.AsyncClient, origin: str) -> None:
    before = await behind.options("/api/matches", headers={"origin": origin, **ASKS})
    asked = await behind.get("/api/games", headers={"origin": origin})
    changed = await behind.post("/api/guests", json={"name": "Ana"}, headers={"origin": origin})
    assert (before.status_code, asked.status_code, changed.status_code) == (400, 200, 403)
    for answer in (before, asked, changed):
        assert "access-control-allow-origin" not in answer.headers


async def test_only_the_api_is_shared(behind: httpx.AsyncClient) -> None:
    for path in ("/", "/metrics", "/ready"):
        answer = await behind.get(path, headers={"origin": FRIEND})
        assert "access-control-allow-origin" not in answer.headers, path


# A Unix socket, and an address that the operator names --------------------------------------------------------------


async def test_at_a_unix_socket_under_the_address_that_was_named(
    redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("socket") / "hub.sock"
    words = ("--unix", str(file), "--public-url", "https://games.example/parlour/")
    with running_hub(tmp_path_factory, redis, *words) as hub:
        assert hub.port == 0
        assert f"address='unix:{file}'" in hub.log.read_text()
        assert "page='https://games.example/parlour/'" in hub.log.read_text()
        way = httpx.AsyncHTTPTransport(uds=str(file))
        async with httpx.AsyncClient(transport=way, base_url="http://hub") as link:
            assert await named(link) == PUBLIC
        ours, foreign = Origin("https://games.example"), Origin("https://evil.example")
        async with unix_connect(str(file), "ws://hub/ws", origin=ours, subprotocols=[Subprotocol(JSON.subprotocol)]):
            pass
        with pytest.raises(InvalidStatus, match="403"):
            await unix_connect(str(file), "ws://games.example/ws", origin=foreign)
    assert not file.exists()
