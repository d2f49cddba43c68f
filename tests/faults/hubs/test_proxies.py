"""Behind real proxies, each with its file in `deploy/`: TLS, a path, HTTP/2, silence, long polls, restarts of both."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from protocol.messages import Accepted, Ping, Pong
from tests.browser.subpath import certificate
from tests.driver import WAIT_S, Client
from tests.faults.trial.proxies import ALL, PATH, HAProxy, RealProxy, absent
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import Lost, Recorder
from tests.faults.trial.stage import FULL, Stage, staged

pytestmark = pytest.mark.faults

SILENCE_S = 75.0
"""Longer than what proxies commonly allow."""
WAY_S = 0.025
"""Between proxy and hub, each way."""
POSTS, BETWEEN_S = 14, 5.0
"""How often, and how far apart: connections that are kept meet the end of their time."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One hub, which believes proxies on this machine."""
    with staged(tmp_path_factory.mktemp("stage"), 1, arguments=("--proxy", "127.0.0.1", "--inspect")) as stage:
        yield stage


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    certificate(folder)
    return folder / "certificate.pem", folder / "key.pem"


@pytest.fixture(params=ALL, ids=[kind.program for kind in ALL])
def proxy(
    request: pytest.FixtureRequest, stage: Stage, signed: tuple[Path, Path], tmp_path: Path
) -> Iterator[RealProxy]:
    if why := absent(request.param):
        pytest.skip(why)
    made: RealProxy = request.param(tmp_path, signed, [stage.hubs[0].port])
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest_asyncio.fixture
async def link(proxy: RealProxy) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        verify=proxy.trusting, trust_env=False, base_url=proxy.origin + PATH, timeout=60
    ) as link:
        yield link


async def opened(proxy: RealProxy, name: str, token: str | None = None) -> Recorder:
    """A socket as a page of ours opens it."""
    page = Origin(proxy.origin)
    return await Recorder.open(proxy.sockets, name, token=token, ssl=proxy.trusting, origin=page, proxy=None)


async def is_ready(link: httpx.AsyncClient) -> None:
    """Wait until the hub says so through the proxy."""
    async with asyncio.timeout(WAIT_S):
        while True:
            with contextlib.suppress(httpx.TransportError):
                if (await link.get("ready")).status_code == 200:
                    return
            await asyncio.sleep(0.05)


async def gone(client: Recorder) -> None:
    """Wait until its connection is lost."""
    with contextlib.suppress(Lost):
        await client.until(lambda: client.gone)


async def moves(player: Recorder, match: str) -> int:
    """The player's move; returns the version that it makes."""
    moved = await player.ask(player.a_move(match, min(player.views[match].legal)), Accepted)
    await player.reach(match, moved.version)
    return moved.version


async def test_tls_a_path_and_http_2(proxy: RealProxy, link: httpx.AsyncClient) -> None:
    """Addresses are the public ones, and what a client writes of others is not believed."""
    with socket.create_connection(("127.0.0.1", proxy.port)) as plain:
        context = proxy.trusting
        context.set_alpn_protocols(["h2", "http/1.1"])
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as secured:
            assert secured.selected_alpn_protocol() == "h2"
    await is_ready(link)
    page = await link.get("")
    assert page.status_code == 200
    assert f"wss://127.0.0.1:{proxy.port}" in page.headers["content-security-policy"]
    forged = {
        "X-Forwarded-For": "127.0.0.1",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "ftp",
        "X-Forwarded-Prefix": "/evil",
        "Forwarded": "for=127.0.0.1;host=evil.example",
    }
    document = (await link.get("api/openapi.json", headers=forged)).json()
    assert document["servers"] == [{"url": proxy.origin + PATH.rstrip("/")}]
    assert (await link.get("debug", headers=forged)).status_code == 404
    without = await link.get(f"{proxy.origin}{PATH.rstrip('/')}")
    assert without.status_code in (301, 302, 308)
    assert without.headers["location"].endswith(PATH)
    assert (await link.post("api/guests", json={"name": "Ana"}, headers={"Origin": proxy.origin})).status_code == 201
    evil = {"Origin": "https://evil.example"}
    assert (await link.post("api/guests", json={"name": "Ana"}, headers=evil)).status_code == 403
    with pytest.raises(InvalidStatus, match="403"):
        await Client.connect(proxy.sockets, ssl=proxy.trusting, origin=Origin("https://evil.example"), proxy=None)


async def test_a_match_a_long_poll_and_restarts_of_both(
    proxy: RealProxy, link: httpx.AsyncClient, stage: Stage
) -> None:
    """Played by sockets and by HTTP; the proxy is ended and started anew, then the hub: all is there again."""
    if not FULL and not isinstance(proxy, HAProxy):
        pytest.skip("one of the three shows it in the short form; make faults has all")
    await is_ready(link)
    ana, bo = await opened(proxy, "Ana"), await opened(proxy, "Bo")
    match = (await ana.create("square")).match
    await bo.join(match)
    version = (await ana.reach(match, 2)).version
    signed = {"Authorization": f"Bearer {bo.token}"}
    held = asyncio.create_task(link.get(f"api/matches/{match}/updates?after={version}&wait=25", headers=signed))
    version = await moves(ana, match)
    assert (await held).json()["version"] >= version

    for restart in (proxy, stage.hubs[0]):
        await asyncio.to_thread(restart.stop)
        await asyncio.gather(*(gone(client) for client in (ana, bo)))
        await asyncio.to_thread(restart.start)
        await is_ready(link)
        again = [await opened(proxy, client.name, client.token) for client in (ana, bo)]
        for before, client in zip((ana, bo), again, strict=True):
            await client.resume(before, match)
        ana, bo = again
        # Whose turn it is says the match, not we: in this game one may move twice.
        version = await moves((ana, bo)[ana.views[match].to_move or 0], match)
        await asyncio.gather(*(client.reach(match, version) for client in (ana, bo)))
    shown = await link.get(f"api/matches/{match}", headers=signed)
    assert shown.json()["version"] == version
    for client in (ana, bo):
        await client.close()


@pytest.mark.skipif(not FULL, reason="takes 75 s of silence; make faults has it")
@pytest.mark.minutes(2)
async def test_silence(proxy: RealProxy, link: httpx.AsyncClient) -> None:
    """A socket on which nobody says anything stays, and so does a question that is held for its longest time."""
    await is_ready(link)
    ana = await opened(proxy, "Ana")
    match = (await ana.create("square")).match
    signed = {"Authorization": f"Bearer {ana.token}"}

    async def poll() -> None:
        for _ in range(3):
            answer = await link.get(f"api/matches/{match}/updates?after=1&wait=25", headers=signed)
            assert answer.status_code == 200

    await asyncio.gather(asyncio.sleep(SILENCE_S), poll())
    await ana.ask(Ping(ref=ana.ref()), Pong)
    await ana.close()


@pytest.mark.skipif(not FULL, reason="takes 70 s; make faults has it")
@pytest.mark.minutes(2)
@pytest.mark.parametrize("kind", ALL, ids=[kind.program for kind in ALL])
async def test_requests_over_connections_that_are_kept(
    kind: type[RealProxy], stage: Stage, signed: tuple[Path, Path], tmp_path: Path
) -> None:
    """Over a way of 50 ms no POST meets a connection that is just being closed: 6 of 14 were answered with 502."""
    if why := absent(kind):
        pytest.skip(why)
    async with Proxy(("127.0.0.1", stage.hubs[0].port)) as slow:
        slow.delay_s = lambda: WAY_S
        proxy = kind(tmp_path, signed, [slow.port])
        try:
            await asyncio.to_thread(proxy.start)
            async with httpx.AsyncClient(verify=proxy.trusting, trust_env=False, base_url=proxy.origin + PATH) as link:
                await is_ready(link)
                statuses = []
                for number in range(POSTS):
                    statuses.append((await link.post("api/guests", json={"name": f"Guest {number}"})).status_code)
                    await asyncio.sleep(BETWEEN_S)
        finally:
            proxy.stop()
    assert statuses == [201] * POSTS
