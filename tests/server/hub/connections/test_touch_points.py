"""What the hub uses of uvicorn and websockets beyond their documented interfaces, held to the installed versions.

If one of these fails after an upgrade, the adapter (`server/hub/connections/connection.py`, `server/http/guard.py`)
has to change with it. Each runs on asyncio's loop and on uvloop, because the transports differ.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest
import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from protocol.codec import CODECS, JSON, MSGPACK, Codec
from protocol.limits import MAX_COMMAND_BYTES
from protocol.messages import Accepted, Command, GoingAway, Hello, Pong, Welcome
from server.http import guard
from server.http.guard import GuardedHttp
from server.hub.connections import connection as connections
from server.hub.connections import outboxes
from server.hub.connections.connection import HubConnection, connection_class
from server.hub.connections.hub import Hub
from server.hub.limits.rate_limiter import RateLimiter
from server.hub.limits.settings import Limits
from server.hub.viewers.frames import make_frame
from server.hub.viewers.viewer import Viewer
from tests.driver import WAIT_S, Client
from tests.pace import within

Scenario = Callable[["Stand"], Coroutine[Any, Any, None]]


class Service:
    """Stands for the hub's service: greets, answers everything else, and remembers who is there."""

    def __init__(self) -> None:
        self.rate_limiter = RateLimiter(Limits())
        self.viewers: list[Viewer] = []
        self.forgotten = 0

    async def perform(self, viewer: Viewer, command: Command) -> None:
        if isinstance(command, Hello):
            self.viewers.append(viewer)
            viewer.send(Welcome(ref=command.ref, player="p", name=command.name))
        else:
            viewer.send(Accepted(ref=command.ref))

    def forget(self, viewer: Viewer) -> None:
        self.forgotten += 1

    def show_again(self, viewer: Viewer, source: str) -> None:
        viewer.send(Pong(ref=f"again {source}", now_ms=0))


class Server(uvicorn.Server):
    """uvicorn's server without signal handlers, which belong to the test runner."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Stand:
    """A hub's connections on uvicorn, in this process, without a store."""

    def __init__(self, port: int, server: Server, hub: Hub, service: Service, served: asyncio.Task[None]) -> None:
        self.port = port
        self.server = server
        self.hub = hub
        self.service = service
        self.served = served

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def connection(self) -> HubConnection:
        """The only connection there is."""
        (connection,) = self.hub.connections
        assert isinstance(connection, HubConnection)
        return connection

    async def stop(self) -> None:
        self.server.should_exit = True
        await asyncio.wait_for(self.served, WAIT_S)


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """An ASGI application that answers 204."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@contextlib.asynccontextmanager
async def standing() -> AsyncIterator[Stand]:
    """A stand that serves, until the end of the block."""
    listener = socket.create_server(("127.0.0.1", 0))
    service = Service()
    hub = Hub(service, frozenset())  # type: ignore[arg-type]
    server = Server(
        uvicorn.Config(
            nothing, ws=connection_class(hub), http=GuardedHttp, lifespan="off", log_config=None, access_log=False,
            timeout_graceful_shutdown=5,
        )
    )  # fmt: skip
    served = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await asyncio.wait_for(server.listening.wait(), WAIT_S)
        stand = Stand(listener.getsockname()[1], server, hub, service, served)
        yield stand
        await stand.stop()
    finally:
        served.cancel()
        await asyncio.gather(served, return_exceptions=True)
        listener.close()


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until `condition` holds."""
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110 (what is awaited happens in other people's code)
            await asyncio.sleep(0.001)


LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


@pytest.fixture(params=LOOPS)
def run(request: pytest.FixtureRequest) -> Callable[[Scenario], None]:
    """Runs a scenario against a stand on one of the loops."""

    async def main(scenario: Scenario) -> None:
        async with asyncio.timeout(2 * WAIT_S), standing() as stand:
            await scenario(stand)

    def runs(scenario: Scenario) -> None:
        with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
            runner.run(main(scenario))

    return runs


# uvicorn --------------------------------------------------------------------------------------------------------------


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
    assert calls[0][1] == {"config", "server_state", "app_state"}
    assert calls[1][1] is transport
    assert calls[2][1].startswith(b"GET /ws HTTP/1.1\r\n")
    assert b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" in calls[2][1].lower().replace(b"a" * 22, b"A" * 22), (
        "the request is handed over whole"
    )
    assert isinstance(transport.protocol, Taker)
    assert set(inspect.signature(HubConnection).parameters) == calls[0][1]


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


# websockets -----------------------------------------------------------------------------------------------------------


def test_the_constructors_take_what_we_give() -> None:
    of_connection = inspect.signature(ServerConnection).parameters
    assert list(of_connection)[:2] == ["protocol", "server"]
    assert {"ping_interval", "ping_timeout", "close_timeout", "max_queue", "write_limit"} <= set(of_connection)
    assert {"max_size", "select_subprotocol"} <= set(inspect.signature(ServerProtocol).parameters)
    assert {"process_request", "server_header"} <= set(inspect.signature(ServerConnection.handshake).parameters)


def test_the_connection_has_our_settings(run: Callable[[Scenario], None]) -> None:
    """G3, G10: pings that notice a dead path in time, and a bound on messages, reach the library."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        assert connection.ping_interval == connections.PING_INTERVAL_S
        assert connection.ping_timeout == connections.PING_TIMEOUT_S
        assert connection.close_timeout == connections.CLOSE_TIMEOUT_S
        assert connection.max_queue_high == connections.MAX_QUEUE
        assert connection.protocol.max_message_size == MAX_COMMAND_BYTES
        assert connection.keepalive_task is not None
        assert not connection.keepalive_task.done()
        low, high = connection.transport.get_write_buffer_limits()
        assert (low, high) == (outboxes.OUTBOX_LOW, outboxes.OUTBOX_HIGH)
        await client.close()

    run(scenario)


def test_a_dead_path_is_noticed_within_40_seconds() -> None:
    """G3, by the settings: a ping goes out after one interval, and its answer is awaited for one timeout."""
    assert connections.PING_INTERVAL_S + connections.PING_TIMEOUT_S + connections.CLOSE_TIMEOUT_S < 40


def test_a_connection_that_answers_no_ping_is_closed(
    run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """G3: with pings a hundred times as often, a peer that is silent and does not close is noticed."""
    monkeypatch.setattr(connections, "PING_INTERVAL_S", 0.1)
    monkeypatch.setattr(connections, "PING_TIMEOUT_S", 0.1)
    monkeypatch.setattr(connections, "CLOSE_TIMEOUT_S", 0.1)

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        client.socket.transport.pause_reading()
        await until(lambda: not stand.hub.connections)
        assert stand.service.forgotten == 1
        client.cut()

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


async def say(client: ClientConnection, codec: Codec, command: Command) -> None:
    data = codec.encode(command)
    await client.send(data.decode() if codec.text else data)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
@pytest.mark.parametrize("size", [0, 1, 90, 125, 126, 127, 65_000, 65_535, 65_536, 200_000])
def test_our_frames_are_what_the_library_sends(codec: Codec, size: int) -> None:
    """A frame made once for many is byte for byte what the library would send to each."""
    message = Pong(ref="x" * size, now_ms=1)
    library = ServerProtocol()
    library.state = State.OPEN
    (library.send_text if codec.text else library.send_binary)(codec.encode(message))
    assert [make_frame(codec, message)] == library.data_to_send()


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
def test_frames_written_to_the_transport_arrive_in_order_with_the_librarys(
    codec: Codec, run: Callable[[Scenario], None]
) -> None:
    """Frames of ours go past the library, straight to the transport: pings and closing frames still fit between."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url, codec=codec)
        connection = stand.connection
        for number in range(50):
            assert connection.write_frame(make_frame(codec, Pong(ref=str(number), now_ms=0)), 1)
            if number % 10 == 9:
                answered = await connection.ping()
                assert [(await client.expect(Pong)).ref for _ in range(10)] == [
                    str(number - 9 + place) for place in range(10)
                ]
                await answered
        await connection.close()
        await client.socket.wait_closed()
        assert client.socket.close_code == 1000
        assert connection.write_frame(b"not a frame", 1), "nothing is written to a closed connection"

    run(scenario)


def test_the_write_buffer_can_be_seen_and_bounds_the_outbox(run: Callable[[Scenario], None]) -> None:
    """G1: a reader who stalls costs the bound and no more; then is shown anew what it missed, or is cut."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        frame = make_frame(MSGPACK, Pong(ref="x" * 10_000, now_ms=0))
        client.socket.transport.pause_reading()
        sent = 0
        while connection.viewer.lagging_since is None:
            connection.viewer.send_shared(frame, "m1")
            sent += 1
        waiting = connection.transport.get_write_buffer_size()
        assert outboxes.OUTBOX_HIGH < waiting <= outboxes.OUTBOX_HIGH + len(frame)
        connection.viewer.send_shared(frame, "m2")
        assert connection.transport.get_write_buffer_size() == waiting, "what lags gets nothing more"
        assert stand.hub.lagging == {connection}

        stand.hub.relieve()
        assert stand.hub.lagging == {connection}, "nothing was taken off yet"
        client.socket.transport.resume_reading()
        reading = asyncio.create_task(client.expect(Pong, lambda pong: pong.ref == "again m2"))
        await until(lambda: connection.transport.get_write_buffer_size() <= outboxes.OUTBOX_LOW)
        stand.hub.relieve()
        assert not stand.hub.lagging
        assert connection.viewer.lagging_since is None
        await reading
        assert [m.ref for m in client.received if isinstance(m, Pong)][-2:] == ["again m1", "again m2"]
        assert len(client.received) == sent + 2, "the welcome, all but the last two frames, and both sources again"
        await client.close()

    run(scenario)


def test_who_lags_for_too_long_is_cut(run: Callable[[Scenario], None]) -> None:
    """G1: within 40 s of the stall."""
    assert connections.LAG_LIMIT_S < 38

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        frame = make_frame(MSGPACK, Pong(ref="x" * 10_000, now_ms=0))
        while connection.viewer.lagging_since is None:
            connection.viewer.send_shared(frame, "m")
        since = connection.viewer.lagging_since
        connection.relieve(since + connections.LAG_LIMIT_S)
        assert connection in stand.hub.connections
        connection.relieve(since + connections.LAG_LIMIT_S + 0.001)
        await until(lambda: not stand.hub.connections)
        assert not stand.hub.lagging
        client.cut()

    run(scenario)


def test_answers_alone_can_fill_the_outbox(run: Callable[[Scenario], None]) -> None:
    """G1, G3: who asks and never reads is cut as well, although no event was dropped and no ping can go out."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        await until(lambda: asked_more(connection) and connection.paused)
        assert outboxes.OUTBOX_HIGH < connection.transport.get_write_buffer_size() < outboxes.OUTBOX_CUT
        assert stand.hub.lagging == {connection}
        now = time.monotonic()
        connection.relieve(now)
        assert stand.hub.lagging == {connection}
        connection.relieve(now + connections.LAG_LIMIT_S + 1)
        await until(lambda: not stand.hub.connections)
        assert not stand.hub.lagging
        client.cut()

    def asked_more(connection: HubConnection) -> bool:
        if not connection.paused:
            connection.viewer.send(Pong(ref="x" * 50_000, now_ms=0))
        return True

    run(scenario)


def test_a_full_outbox_that_empties_is_no_lag(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        sent = 0
        while not connection.paused:
            connection.viewer.send(Pong(ref="x" * 50_000, now_ms=0))
            sent += 1
            await asyncio.sleep(0)
        client.socket.transport.resume_reading()
        for _ in range(sent):
            await client.expect(Pong)
        await until(lambda: not connection.paused)
        stand.hub.relieve()
        assert not stand.hub.lagging
        connection.relieve(time.monotonic() + connections.LAG_LIMIT_S + 1)
        assert connection in stand.hub.connections
        await client.close()

    run(scenario)


def test_a_stalled_reader_does_not_hold_up_the_stop(
    run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """K2: closing waits for a full outbox to be taken, so closing has a bound of its own."""
    monkeypatch.setattr(connections, "CLOSE_TIMEOUT_S", 0.2)

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        while not connection.paused:
            connection.viewer.send(Pong(ref="x" * 50_000, now_ms=0))
            await asyncio.sleep(0)
        began = time.monotonic()
        await stand.stop()
        within(time.monotonic() - began, 3)
        assert not stand.hub.connections
        client.cut()

    run(scenario)


def test_answers_that_pile_up_are_cut_too(run: Callable[[Scenario], None]) -> None:
    """Answers are not dropped, so who asks without reading meets a bound of its own."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        answer = Pong(ref="x" * 50_000, now_ms=0)
        most = 0
        while most <= outboxes.OUTBOX_CUT:
            connection.viewer.send(answer)
            most = connection.transport.get_write_buffer_size()
        connection.viewer.send(answer)
        await until(lambda: not stand.hub.connections)
        assert outboxes.OUTBOX_CUT < most < outboxes.OUTBOX_CUT + 60_000
        client.cut()

    run(scenario)


def test_a_message_beyond_the_bound_is_refused_by_the_library(run: Callable[[Scenario], None]) -> None:
    """G10: close code 1009, without reading it."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        await client.socket.send(b"\xc0" * (MAX_COMMAND_BYTES + 1))
        with contextlib.suppress(ConnectionClosed):
            while True:
                await client.socket.recv()
        assert client.socket.close_code == 1009

    run(scenario)


def test_a_frame_is_serialized_without_a_mask() -> None:
    frame = Frame(Opcode.BINARY, b"abc").serialize(mask=False)
    assert frame == b"\x82\x03abc"


def test_the_guards_bounds() -> None:
    """The figures that the hub's manual gives; the HTTP tests try them."""
    assert guard.REQUEST_TIMEOUT_S == 5.0
    assert guard.MAX_HEAD_BYTES == 16 * 1024
