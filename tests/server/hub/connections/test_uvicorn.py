"""What the hub uses of uvicorn beyond its documented interface, held to the installed version.

If one of these fails after an upgrade, the adapter (`server/hub/connections/connection.py`, `server/http/guard.py`)
has to change with it. Each runs on asyncio's loop and on uvloop, because the transports differ.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from protocol.messages import GoingAway
from server.http import guard
from server.http.guard import GuardedHttp
from server.hub.connections.connection import HubConnection
from tests.driver import WAIT_S, Client
from tests.server.hub.connections.stand import Scenario, Stand, nothing, until


def test_uvicorn_takes_classes_and_keeps_sets() -> None:
    config = uvicorn.Config(nothing, ws=HubConnection, http=GuardedHttp, lifespan="off", log_config=None)
    config.load()
    assert config.ws_protocol_class is HubConnection
    assert config.http_protocol_class is GuardedHttp
    state = uvicorn.Server(config).server_state
    assert state.connections == set()
    assert state.tasks == set()


def test_uvicorn_hands_over_by_these_names() -> None:
    """The upgrade calls the class with three keywords, then connection_made, then data_received with the request."""
    calls: list[tuple[str, Any]] = []

    class Taker(asyncio.Protocol):
        def __init__(self, **given: Any) -> None:
            calls.append(("init", set(given)))

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            calls.append(("made", transport))

        def data_received(self, data: bytes) -> None:
            calls.append(("data", data))

    class Transport(asyncio.Transport):
        def __init__(self) -> None:
            super().__init__()
            self.protocol: asyncio.BaseProtocol = asyncio.Protocol()

        def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
            self.protocol = protocol

        def get_protocol(self) -> asyncio.BaseProtocol:
            return self.protocol

        def is_closing(self) -> bool:
            return False

    async def upgrade() -> Transport:
        config = uvicorn.Config(nothing, ws=Taker, http=GuardedHttp, lifespan="off", log_config=None)
        config.load()
        http = GuardedHttp(config, uvicorn.Server(config).server_state, {})
        transport = Transport()
        transport.set_protocol(http)
        http.connection_made(transport)
        http.data_received(
            b"GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        return transport

    transport = asyncio.run(upgrade())
    assert [name for name, _ in calls] == ["init", "made", "data"]
    assert calls[0][1] == {"config", "server_state", "app_state", "peer"}
    assert calls[1][1] is transport
    assert calls[2][1].startswith(b"GET /ws HTTP/1.1\r\n")
    assert b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" in calls[2][1].lower().replace(b"a" * 22, b"A" * 22), (
        "the request is handed over whole"
    )
    assert isinstance(transport.protocol, Taker)
    assert set(inspect.signature(HubConnection).parameters) == calls[0][1] | {"state"}, "one more for our own handshake"


def test_the_guard_finds_what_it_overrides() -> None:
    """The methods that the guard extends; the parser is fed within the one, and calls the others."""
    own = {name for name, value in vars(GuardedHttp).items() if inspect.isfunction(value) and name[0] != "_"}
    assert {"data_received", "handle_websocket_upgrade", "on_headers_complete", "on_message_complete"} <= own
    assert own <= set(vars(HttpToolsProtocol))
    assert "self.parser.feed_data(data)" in inspect.getsource(HttpToolsProtocol.data_received)


def test_a_connection_is_among_uvicorns_while_it_lives(run: Callable[[Scenario], None]) -> None:
    """uvicorn waits for these at its stop, and counts them."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        assert stand.connection in stand.server.server_state.connections  # type: ignore[comparison-overlap]
        await client.close()
        await until(lambda: not stand.server.server_state.connections and not stand.hub.connections)
        assert stand.service.forgotten == 1

    run(scenario)


def test_a_connection_that_breaks_off_is_forgotten(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        served = stand.connection.server
        client.cut()
        await until(lambda: not stand.server.server_state.connections and not served.handler_tasks)
        assert stand.service.forgotten == 1

    run(scenario)


def test_uvicorns_stop_says_going_away_and_restart(run: Callable[[Scenario], None]) -> None:
    """K2: shutdown() is called on every connection: greeted, silent, and one that is still http."""

    async def scenario(stand: Stand) -> None:
        greeted = await Client.open(stand.url)
        silent = await Client.connect(stand.url, "Bea")
        reader, writer = await asyncio.open_connection("127.0.0.1", stand.port)
        await until(lambda: len(stand.server.server_state.connections) == 3)
        stand.hub.stopping = True
        stand.server.should_exit = True
        for client in (greeted, silent):
            going = await client.expect(GoingAway)
            assert going.back_in_ms > 0
            await client.socket.wait_closed()
            assert client.socket.close_code == 1012
        assert await reader.read() == b""
        writer.close()
        await asyncio.wait_for(stand.served, WAIT_S)
        assert not stand.server.server_state.connections

    run(scenario)


def test_the_guards_bounds() -> None:
    """The figures that the hub's manual gives; the HTTP tests try them."""
    assert guard.REQUEST_TIMEOUT_S == 5.0
    assert guard.MAX_HEAD_BYTES == 16 * 1024
