"""A server in the test's own process, on the real websockets library and the real codec; it plays what a test says.

Greetings, pings and the lobby are answered by itself; everything else the test takes from `received` and answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from client.conversation.address import Address, parse_address
from protocol import limits
from protocol.codec import MSGPACK
from protocol.messages import (
    Accepted,
    Command,
    GameInfo,
    GetMatches,
    Hello,
    Leave,
    LobbyState,
    MatchSummary,
    Message,
    Notification,
    OwnMatch,
    OwnMatches,
    Ping,
    Pong,
    Sync,
    WatchLobby,
    Welcome,
)
from tests.client.positions import DOTS_INFO
from tests.pace import WAIT_S

C = TypeVar("C", bound=Command)
TURNS = 10
"""More turns of the loop than it takes to know who was let in."""
BOUND_S = WAIT_S
"""How long a test waits for something that comes at once or never."""


class ScriptedServer:
    """One client at a time; `lobby`, `games`, `matches` are what it is told, `version` what Sync is answered with."""

    def __init__(self) -> None:
        self.games: tuple[GameInfo, ...] = (DOTS_INFO,)
        self.lobby: tuple[MatchSummary, ...] = ()
        self.matches: tuple[str, ...] = ()
        self.own: tuple[OwnMatch, ...] | None = None
        """One's own matches, if the server tells of them: old ones do not."""
        self.refuse_hello: Callable[[Hello], Notification | None] = lambda hello: None
        self.answer_sync: Callable[[Sync], Iterable[Notification]] = lambda sync: (
            Accepted(ref=sync.ref, match=sync.match, version=sync.after),
        )
        self.page: Callable[[str], Awaitable[str]] | None = None
        """What is answered by HTTP to a path, if the server does so."""
        self.hellos: list[Hello] = []
        self.received: asyncio.Queue[Message] = asyncio.Queue()
        self.connection: ServerConnection | None = None
        self._server: Server | None = None
        self._port = 0

    @property
    def address(self) -> Address:
        return parse_address(f"127.0.0.1:{self._port}")

    async def start(self) -> None:
        """Listen on the port of the first time, or a free one."""
        self._server = await serve(
            self._handle,
            "127.0.0.1",
            self._port,
            subprotocols=[Subprotocol(limits.SUBPROTOCOL_MSGPACK)],
            close_timeout=0.2,
            ping_interval=None,  # It shares its loop with what is tested: one that is busy says nothing of the other.
            process_request=self._answer_http,
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]

    async def stop(self) -> None:
        """Listen no longer, and close the connections.

        Whoever was let in and is not known yet, as a client that asks for a picture, would stay open in Python 3.11.
        """
        if self._server is not None:
            for listening in self._server.sockets:
                asyncio.get_running_loop().remove_reader(listening.fileno())
            for _ in range(TURNS):
                await asyncio.sleep(0)
            self._server.close()
            await self._server.wait_closed()

    async def _answer_http(self, connection: ServerConnection, request: Request) -> Response | None:
        if self.page is None or "Upgrade" in request.headers:
            return None
        return connection.respond(HTTPStatus.OK, await self.page(request.path))

    async def _handle(self, connection: ServerConnection) -> None:
        self.connection = connection
        try:
            async for frame in connection:
                await self._answer(MSGPACK.decode_command(frame))
        except ConnectionClosed:
            pass

    async def _answer(self, command: Message) -> None:
        match command:
            case Hello():
                self.hellos.append(command)
                refusal = self.refuse_hello(command)
                await self.say(refusal if refusal is not None else self._welcome(command))
            case Ping(ref=ref):
                await self.say(Pong(ref=ref, now_ms=1_000_000_000))
            case WatchLobby(on=True):
                await self.say(LobbyState(matches=self.lobby, total=len(self.lobby)))
            case GetMatches(ref=ref):
                if self.own is not None:
                    await self.say(OwnMatches(ref=ref, now_ms=1_000_000_000, matches=self.own))
            case Sync():
                await self.received.put(command)
                await self.say(*self.answer_sync(command))
            case Leave(ref=ref, match=match):
                await self.received.put(command)
                await self.say(Accepted(ref=ref, match=match))
            case _:
                await self.received.put(command)

    def _welcome(self, hello: Hello) -> Welcome:
        return Welcome(
            ref=hello.ref,
            player="id",
            name=hello.name,
            token=None if hello.token else "secret",
            games=self.games,
            matches=self.matches,
        )

    async def say(self, *notifications: Notification) -> None:
        """Tell the client."""
        assert self.connection is not None
        for one in notifications:
            await self.connection.send(MSGPACK.encode(one))

    async def say_bytes(self, frame: bytes) -> None:
        """Tell the client something that may be unreadable."""
        assert self.connection is not None
        await self.connection.send(frame)

    async def next(self, kind: type[C]) -> C:
        """The next command of this kind; others before it are passed over."""
        async with asyncio.timeout(BOUND_S):
            while True:
                command = await self.received.get()
                if isinstance(command, kind):
                    return command

    async def cut(self) -> None:
        """Cut the connection without a word."""
        assert self.connection is not None
        self.connection.transport.abort()
        await self.connection.wait_closed()
