"""The only file with a socket: connects a session to its server, and comes back after every loss.

Outgoing frames are bounded by the session, which holds at most MAX_PENDING commands and a handful of its own; incoming
ones by `max_queue` and `max_size`. A path that died without a word is noticed within PING_S + PONG_S (`G3`).
Who is sent on to another hub talks to this one until the connection to that one stands (`K2`).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from random import Random, SystemRandom
from typing import NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from client.conversation.address import Address
from client.conversation.session import Session
from protocol import limits

PING_S = 5.0
PONG_S = 5.0
OPEN_S = 5.0
"""How long making a connection may take."""
CLOSE_S = 0.5
"""How long a closing handshake may take: quitting takes less than a second."""
QUIT_S = 0.6
"""How long stopping may take before the connection is simply dropped."""
AWAY = (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT)
"""What a proxy says whose hubs are all away, and a hub that is stopping or full."""
TICK_S = 0.5
FIRST_S = 2.0
"""The first try after a loss comes within this time, anywhere in it, so that a thousand clients do not come at once."""
LONGEST_S = 8.0
GROWTH = 1.5


class Backoff:
    """How long to wait before the next try: growing, bounded, and spread by chance."""

    def __init__(self, rng: Random, *, first: float = FIRST_S) -> None:
        self._rng = rng
        self._bound = first
        self._first = True

    def next(self, at_least: float = 0.0) -> float:
        """Seconds to wait now. `at_least` is what the server announced; the spread comes on top."""
        low = 0.0 if self._first else self._bound / 2
        wait = at_least + self._rng.uniform(low, self._bound)
        if not self._first:
            self._bound = min(self._bound * GROWTH, LONGEST_S)
        self._first = False
        return min(wait, LONGEST_S)


class NoAddress(Exception):
    """There is no server to connect to now; the text says why, for a person."""


class Link(NamedTuple):
    """A connection that stands, and its server's name for people."""

    socket: ClientConnection
    label: str


Finder = Callable[[], Awaitable[Address]]
"""Says before each try where the server is: it may have been started anew. Raises NoAddress."""


class Transport:
    """Carries `session` to a server; calls `notify` whenever the session may have events."""

    def __init__(
        self,
        server: Address | Finder,
        session: Session,
        notify: Callable[[], None],
        *,
        rng: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._session = session
        self._notify = notify
        self._rng = rng if rng is not None else SystemRandom()
        self._clock = clock
        self._work = asyncio.Event()
        self._stopping = asyncio.Event()
        self._renewing = asyncio.Event()
        self._moving = asyncio.Event()
        self._next: Link | None = None
        """The connection to the hub to which this one has sent us on."""

    def flush(self) -> None:
        """The session has something to send."""
        self._work.set()

    def renew(self) -> None:
        """Leave this connection for a new one at once: a connection has one name."""
        self._renewing.set()

    def stop(self) -> None:
        """End `run` soon; what is being sent has CLOSE_S to go."""
        self._stopping.set()
        self._work.set()

    async def run(self) -> None:
        """Connect and stay connected until `stop`.

        Returns as well when the server has never said welcome: before that, a person decides whether to try again.
        """
        try:
            await self._stay_connected()
        finally:
            if self._next is not None:
                self._next.socket.transport.abort()
                self._next = None

    async def _stay_connected(self) -> None:
        backoff = Backoff(self._rng, first=FIRST_S)
        while not self._stopping.is_set():
            reason = await self._connection_or_stop()
            if self._session.is_online:
                backoff = Backoff(self._rng, first=FIRST_S)
            moving = self._session.moving
            self._session.closed(self._clock(), reason)
            self._notify()
            if not self._session.welcomed:
                return
            if moving or self._renewing.is_set():
                self._renewing.clear()
                continue
            with contextlib.suppress(TimeoutError):
                wait = backoff.next(self._session.back_in_ms / 1000)
                await asyncio.wait_for(self._stopping.wait(), wait)

    async def _connection_or_stop(self) -> str:
        """One connection; `stop` gives it QUIT_S to end politely, in whatever state it is (`N1`)."""
        connection = asyncio.create_task(self._connection())
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({connection, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not connection.done():
                await asyncio.wait({connection}, timeout=QUIT_S)
            return connection.result() if connection.done() else "The connection was closed."
        finally:
            connection.cancel()
            stopping.cancel()
            await asyncio.gather(connection, stopping, return_exceptions=True)

    async def _connection(self) -> str:
        """One connection from its first byte to its last; returns why it ended, as a sentence."""
        try:
            link, self._next = self._next or await self._link(), None
        except NoAddress as error:
            return str(error)
        try:
            if link.socket.subprotocol != limits.SUBPROTOCOL_MSGPACK:
                return f"What answers at {link.label} is no Parlour server."
            return await self._talk(link.socket)
        except (OSError, TimeoutError, WebSocketException) as error:
            return _sentence(error, link.label)
        finally:
            await link.socket.close()

    async def _link(self) -> Link:
        """A connection that stands. Raises NoAddress."""
        address = self._server if isinstance(self._server, Address) else await self._server()
        try:
            made = await connect(
                address.url,
                subprotocols=[Subprotocol(limits.SUBPROTOCOL_MSGPACK)],
                compression=None,
                ping_interval=PING_S,
                ping_timeout=PONG_S,
                open_timeout=OPEN_S,
                close_timeout=CLOSE_S,
                max_size=limits.MAX_NOTIFICATION_BYTES,
                proxy=None if address.is_loopback else True,
            )
        except (OSError, TimeoutError, WebSocketException, ValueError) as error:
            # A ValueError is a name that the resolver or the library does not take.
            raise NoAddress(_sentence(error, address.label)) from error
        return Link(made, address.label)

    async def _talk(self, socket_: ClientConnection) -> str:
        self._moving.clear()
        self._session.opened(self._clock())
        self._notify()
        going_on = asyncio.create_task(self._go_on())
        jobs = [
            asyncio.create_task(job)
            for job in (
                self._read(socket_), self._write(socket_), self._tick(), self._stopping.wait(), self._renewing.wait()
            )
        ]  # fmt: skip
        jobs.append(going_on)
        try:
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
            if self._moving.is_set() and not self._stopping.is_set():
                await asyncio.wait({going_on})
            for job in jobs:
                error = job.exception() if job.done() else None
                if error is not None and not isinstance(error, ConnectionClosed):
                    raise error
        finally:
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
        if self._stopping.is_set():
            with contextlib.suppress(ConnectionClosed, TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    for frame in self._session.data_to_send():
                        await socket_.send(frame)
        elif self._moving.is_set() or self._renewing.is_set():
            # Not by a closing handshake: it would be waited for, and mean that we leave.
            socket_.transport.abort()
            return "The connection is made anew."
        if self._session.wants_close:
            return "The server gave no sensible answer."
        return "The connection was lost."

    async def _go_on(self) -> None:
        """Sent on to another hub, return when a connection to it stands or cannot be made: this one serves so long."""
        await self._moving.wait()
        with contextlib.suppress(NoAddress):
            self._next = await self._link()

    async def _read(self, socket_: ClientConnection) -> None:
        async for frame in socket_:
            self._session.receive(frame, self._clock())
            self._after()
            if self._session.moving:
                self._moving.set()

    async def _write(self, socket_: ClientConnection) -> None:
        while True:
            self._work.clear()
            for frame in self._session.data_to_send():
                await socket_.send(frame)
            await self._work.wait()

    async def _tick(self) -> None:
        while not self._session.wants_close:
            await asyncio.sleep(TICK_S)
            self._session.tick(self._clock())
            self._after()

    def _after(self) -> None:
        self._work.set()
        self._notify()


def _sentence(error: Exception, label: str) -> str:
    """Why no connection could be made, for a person."""
    match error:
        case ConnectionClosed():
            return "The connection was lost."
        case ConnectionRefusedError():
            return f"Nobody answers at {label}."
        case socket.gaierror():
            return f"There is no computer of this name: {label}."
        case TimeoutError():
            return f"{label} did not answer within {OPEN_S:.0f} seconds."
        case ssl.SSLError():
            return f"No safe connection to {label} could be made: {error.reason}."
        case InvalidStatus() if error.response.status_code == HTTPStatus.UPGRADE_REQUIRED:
            return f"A proxy before {label} does not let WebSockets through."
        case InvalidStatus() if error.response.status_code == HTTPStatus.NOT_ACCEPTABLE:
            return f"{label} speaks another version of the protocol: the older of the two is to be renewed."
        case InvalidStatus() if error.response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            return f"{label} takes no more connections from your address at the moment."
        case InvalidStatus() if error.response.status_code in AWAY:
            return f"{label} cannot serve at the moment."
        case InvalidHandshake() | WebSocketException():
            return f"What answers at {label} is no Parlour server."
        case OSError() if error.errno is None:
            # asyncio sums up several failed addresses in one error without a number.
            return f"Nobody answers at {label}."
        case OSError():
            return f"{label} cannot be reached: {error.strerror or error}."
        case ValueError():
            return f"{label} is no address of a server."
        case _:
            return f"{label} cannot be reached."
