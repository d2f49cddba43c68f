"""What the hub uses of websockets beyond its documented interface, held to the installed version.

If one of these fails after an upgrade, the adapter (`server/hub/connections/connection.py`, `server/http/guard.py`)
has to change with it. Each runs on asyncio's loop and on uvloop, because the transports differ.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
from collections.abc import Callable

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from protocol.codec import CODECS, MSGPACK
from protocol.limits import MAX_COMMAND_BYTES
from protocol.messages import Accepted, Hello, Ping, Pong, Welcome
from server.http.guard import GuardedHttp
from server.hub.connections import connection as connections
from server.hub.connections import outboxes
from server.hub.connections.connection import READ, HubConnection
from server.hub.connections.outboxes import Outbox
from tests.driver import Client
from tests.server.hub.connections.stand import Scenario, Stand, say, until


def test_the_constructors_take_what_we_give() -> None:
    of_connection = inspect.signature(ServerConnection).parameters
    assert list(of_connection)[:2] == ["protocol", "server"]
    assert {"ping_interval", "close_timeout", "max_queue", "write_limit"} <= set(of_connection)
    assert {"max_size", "select_subprotocol"} <= set(inspect.signature(ServerProtocol).parameters)
    assert {"process_request", "server_header"} <= set(inspect.signature(ServerConnection.handshake).parameters)


def test_the_connection_has_our_settings(run: Callable[[Scenario], None]) -> None:
    """G10: a bound on messages reaches the library; and it sends no pings of its own."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        assert connection.keepalive_task is None
        assert connection.close_timeout == connections.CLOSE_TIMEOUT_S
        assert connection.max_queue_high == connections.MAX_QUEUE
        assert connection.protocol.max_message_size == MAX_COMMAND_BYTES
        low, high = connection.transport.get_write_buffer_limits()
        assert (low, high) == (outboxes.OUTBOX_LOW, outboxes.OUTBOX_HIGH)
        await client.close()

    run(scenario)


def test_who_says_no_hello_is_closed(run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """G9: a connection that stops after the upgrade."""
    monkeypatch.setattr(connections, "HELLO_TIMEOUT_S", 0.2)

    async def scenario(stand: Stand) -> None:
        client = await Client.connect(stand.url)
        await client.socket.wait_closed()
        assert (client.socket.close_code, client.socket.close_reason) == (connections.CLOSE_POLICY, "no hello")
        await until(lambda: not stand.server.server_state.connections)

    run(scenario)


def test_nothing_is_kept_of_the_handshake(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        assert stand.connection.request is READ
        assert stand.connection.response is None
        assert client.socket.request is not None
        gc.collect()
        kept = [one for one in gc.get_objects() if type(one) is Headers and "Sec-WebSocket-Version" in one]
        assert kept == [client.socket.request.headers], "the client's own alone"
        await client.ask(Ping(ref="p"), Accepted)
        await client.close()

    run(scenario)


def test_the_handler_runs_as_a_task_that_the_server_keeps(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        served = stand.connection.server
        assert len(served.handler_tasks) == 1
        (task,) = served.handler_tasks
        assert isinstance(task, asyncio.Task)
        await client.close()
        await until(task.done)
        assert task not in served.handler_tasks
        assert task.exception() is None

    run(scenario)


@pytest.mark.parametrize("way", ["closed", "cut", "refused"])
def test_a_connection_that_ended_is_freed_at_once(run: Callable[[Scenario], None], way: str) -> None:
    """Its parts know each other in circles, which are taken apart: nobody has to search for them."""

    async def scenario(stand: Stand) -> None:
        gc.collect()
        gc.disable()
        try:
            before = connections_in_memory()
            if way == "refused":
                with pytest.raises(InvalidStatus):
                    await connect(stand.url, origin=Origin("http://elsewhere"))
            else:
                client = await Client.open(stand.url)
                assert connections_in_memory() == before + 3, "of HTTP nothing is left when the handshake is over"
                (viewer,) = stand.service.viewers
                stand.service.viewers.clear()
                await (client.close() if way == "closed" else asyncio.sleep(0))
                client.cut()
            await until(lambda: not stand.hub.connections and not stand.server.server_state.connections)
            if way != "refused":
                viewer.send(Pong(ref="late", now_ms=0))
                del viewer
            await until(lambda: connections_in_memory() == before)
        finally:
            gc.enable()

    run(scenario)


def connections_in_memory() -> int:
    """Connections and what the library keeps of each, dead or alive."""
    kinds = (ServerProtocol, Outbox, HubConnection, GuardedHttp)
    return sum(issubclass(type(one), kinds) for one in gc.get_objects())  # a proxy is none of them


def test_the_handshake_asks_whether_the_server_is_serving(run: Callable[[Scenario], None]) -> None:
    """A connection that comes while the hub stops is sent away and may try another hub."""

    async def scenario(stand: Stand) -> None:
        (await Client.open(stand.url)).cut()
        stand.hub.stopping = True
        with pytest.raises(InvalidStatus) as caught:
            await Client.connect(stand.url)
        assert caught.value.response.status_code == 503

    run(scenario)
    assert "self.server.is_serving()" in inspect.getsource(ServerConnection.handshake)
    assert "self.server.handler(self)" in inspect.getsource(ServerConnection.connection_made)
    assert "self.server.handler_tasks.add" in inspect.getsource(ServerConnection.connection_made)


def test_the_handshake_tells_no_versions(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.connect(stand.url)
        assert client.socket.response is not None
        assert "Server" not in client.socket.response.headers
        assert "Sec-WebSocket-Extensions" not in client.socket.response.headers
        await client.close()

    run(scenario)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["parlour.v1.msgpack"], "parlour.v1.msgpack"),
        (["parlour.v1.json"], "parlour.v1.json"),
        (["other", "parlour.v1.json", "parlour.v1.msgpack"], "parlour.v1.json"),
        (["other"], None),
        (None, None),
    ],
)
def test_the_subprotocol_is_the_first_of_ours(
    run: Callable[[Scenario], None], offered: list[str] | None, chosen: str | None
) -> None:
    """A client that offers none of ours is served MessagePack; the library by itself would refuse it with 400."""

    async def scenario(stand: Stand) -> None:
        given = None if offered is None else [Subprotocol(name) for name in offered]
        codec = CODECS[chosen] if chosen else MSGPACK
        async with connect(stand.url, subprotocols=given) as client:
            assert client.subprotocol == chosen
            await say(client, codec, Hello(ref="r", name="Ana"))
            assert codec.decode_notification(await client.recv()) == Welcome(ref="r", player="p", name="Ana")

    run(scenario)
