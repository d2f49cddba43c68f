"""A hub's connections on uvicorn, in this process, without a store."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import uvicorn
import uvloop
from websockets.asyncio.client import ClientConnection

from protocol.codec import Codec
from protocol.messages import Accepted, Command, Hello, Message, Move, Pong, Welcome
from server.http.guard import Callers, GuardedHttp, guarded_http
from server.hub.connections.connection import HubConnection, connection_class
from server.hub.connections.hub import Hub
from server.hub.limits.rate_limiter import RateLimiter
from server.hub.limits.settings import Limits
from server.hub.moves import Outcome
from server.hub.viewers.viewer import Viewer
from tests.driver import WAIT_S

Scenario = Callable[["Stand"], Coroutine[Any, Any, None]]


class Moves:
    """Stands for the short way of moves: begins each, and ends it when it is told to."""

    def __init__(self) -> None:
        self.begun: list[tuple[Viewer, Callable[[Outcome], None]]] = []

    def play(self, viewer: Viewer, move: Move, done: Callable[[Outcome], None]) -> bool:
        self.begun.append((viewer, done))
        return True

    def end(self, answer: Message | None = None, outcome: Outcome = None) -> None:
        viewer, done = self.begun.pop()
        if answer is not None:
            viewer.send(answer)
        done(outcome)


class Service:
    """Stands for the hub's service: greets, answers everything else, and remembers who is there."""

    def __init__(self) -> None:
        self.rate_limiter = RateLimiter(Limits())
        self.viewers: list[Viewer] = []
        self.forgotten = 0
        self.moves = Moves()
        self.performed: list[Command] = []
        """All but hellos."""

    async def perform(self, viewer: Viewer, command: Command) -> None:
        if isinstance(command, Hello):
            self.viewers.append(viewer)
            viewer.send(Welcome(ref=command.ref, player="p", name=command.name))
        else:
            self.performed.append(command)
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
async def standing(*, at_once: bool = True) -> AsyncIterator[Stand]:
    """A stand that serves, until the end of the block. Unless `at_once` every handshake is the library's."""
    listener = socket.create_server(("127.0.0.1", 0))
    service = Service()
    hub = Hub(service, frozenset())  # type: ignore[arg-type]
    connection = connection_class(hub)
    http = guarded_http(Callers(), connection.take_over) if at_once else GuardedHttp
    server = Server(
        uvicorn.Config(
            nothing, ws=connection, http=http, lifespan="off", log_config=None, access_log=False,
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


BY_THE_LIBRARY = "uvloop, handshakes by the library"
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop, BY_THE_LIBRARY: uvloop.new_event_loop}


async def say(client: ClientConnection, codec: Codec, command: Command) -> None:
    data = codec.encode(command)
    await client.send(data.decode() if codec.text else data)
