"""WebSocket connections: the `websockets` library's own, with a bounded outbox, on the port that uvicorn serves.

uvicorn takes a class for `ws=`, hands it the upgraded transport and asks it to shut down at the end. What is used of
either library beyond its documented interface is used here and in `server/http/guard.py` alone, and
`test_uvicorn.py`, `test_websockets.py` and `test_written_frames.py` in `tests/server/hub/connections` hold both to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.codec import CODECS, MSGPACK
from protocol.errors import Code, ParlourError, StoreUnavailable
from protocol.limits import MAX_COMMAND_BYTES
from protocol.messages import Command, GoingAway, Hello
from protocol.text import N_, text
from server.hub.connections.handshake import NotWelcome, welcome
from server.hub.connections.hub import Hub
from server.hub.connections.mover import Mover
from server.hub.connections.outboxes import OUTBOX_CUT, OUTBOX_HIGH, OUTBOX_LOW, Outbox
from server.hub.connections.session import Session
from server.hub.connections.usual_request import take_up
from server.hub.metrics import COMMAND_SECONDS, COMMANDS, FLOODERS, LAGGING
from server.hub.viewers.frames import PING
from server.hub.viewers.viewer import form_for

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    from uvicorn.server import ServerState

CLOSE_TIMEOUT_S = 3.0
HELLO_TIMEOUT_S = 10.0
MAX_QUEUE = 16
"""Commands that wait to be read; then the connection is not read any further, and TCP slows the sender."""
LAG_LIMIT_S = 20.0
"""Who has not taken anything off a full outbox for this long is cut (`G1`)."""
COME_BACK_IN_MS = 1_000
STAYS_S = 2.0
"""So long somebody who was told to go to another hub is served here: until the connection to that one stands."""

GOODBYES = (1000, 1001)
CLOSE_POLICY = 1008
CLOSE_RESTART = 1012
CLOSE_TOO_SLOW = 4008

READ = Request("", Headers())
"""Stands for every request that was read: the library takes what comes for one until there is one."""

log = structlog.get_logger(__name__)


class HubConnection(Mover):
    """One WebSocket. Subclasses made by `connection_class` know their hub."""

    __slots__ = (
        "_full_since", "_held", "_lost", "_peer", "_pinged", "_siblings", "_talked", "address", "sent_on",
    )  # fmt: skip
    served: _Served

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        peer: str = "",
        state: State = State.CONNECTING,
    ) -> None:
        protocol = ServerProtocol(max_size=MAX_COMMAND_BYTES, select_subprotocol=_select_subprotocol, state=state)
        super().__init__(
            protocol,
            self.served,
            ping_interval=None,
            close_timeout=CLOSE_TIMEOUT_S,
            max_queue=MAX_QUEUE,
            write_limit=(OUTBOX_HIGH, OUTBOX_LOW),
        )
        # The library's is a deque, which takes 700 bytes while it is empty, as it nearly always is.
        self.drain_waiters = []  # type: ignore[assignment]
        self.address = ""
        self.sent_on = False
        self._siblings = server_state.connections
        self._peer = peer
        self._full_since: float | None = None
        self._talked = self._lost = False
        self._pinged = False
        """Whether a ping is out that was not answered."""
        self._held: list[bytes] | None = None
        """Frames that are kept back, to go out as one write."""

    @classmethod
    def take_over(cls, http: HttpToolsProtocol, peer: str, data: bytes) -> bool:
        """Whether `data`, with which a connection begins, is the usual request: then it stands, and is no more of
        `http`."""
        taken_up = take_up(data, peer, cls.hub)
        if taken_up is None:
            return False
        connection = cls(http.config, http.server_state, http.app_state, peer, State.OPEN)
        connection.address, connection.protocol.subprotocol = taken_up.address, taken_up.subprotocol  # type: ignore[assignment]
        connection.connection_made(http.transport)
        connection._stand()
        date = b"".join(b"Date: %s\r\n" % told for name, told in http.server_state.default_headers if name == b"date")
        http.transport.write(b"%s%s\r\n" % (taken_up.answer, date))
        http.transport.set_protocol(connection)
        return True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._siblings.add(self)  # type: ignore[arg-type]
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._siblings.discard(self)
        self.hub.outboxes.lost(self)
        self.hub.keepalive.discard(self)
        super().connection_lost(exc)
        self._lost = True
        if self._talked:
            self._untie()

    def talked(self) -> None:
        """Nothing more is done for it: whatever was, has ended."""
        self._talked = True
        if self._lost:
            self._untie()

    def _untie(self) -> None:
        """Take its circles apart: all of it is freed at once, and no search for garbage is needed for it."""
        del self.recv_messages.pause, self.recv_messages.resume
        del self.protocol.parser, self.protocol.select_subprotocol
        self.protocol.parser_exc = None
        if (viewer := getattr(self, "viewer", None)) is not None:
            viewer.let_go()

    def shutdown(self) -> None:
        """Asked by uvicorn when the server stops: say so, then close; the client comes back by itself (`K2`)."""
        self._send_away(0.0, back_in_ms=COME_BACK_IN_MS)

    def send_on(self) -> None:
        """Another hub is there: tell the client to go to it, and close when it had the time to get there."""
        self.sent_on = True
        self._send_away(STAYS_S, elsewhere=True)

    def _send_away(self, stays_s: float, **how: Any) -> None:
        if self.protocol.state is State.OPEN:
            sentence = text(N_("The server restarts. Everything is stored.")).render(self.viewer.translate)
            self.viewer.send(GoingAway(text=sentence, **how))
            self.in_background(self._end_for_restart(stays_s))
        elif self.transport is not None:
            self.transport.close()

    async def _end_for_restart(self, stays_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wait_closed(), stays_s)
        await self.end(CLOSE_RESTART, "restart")

    # The conversation -------------------------------------------------------------------------------------------------

    async def converse(self) -> None:
        """From the handshake, where it is still to be done, to the end of the connection."""
        if self.request is not READ:
            try:
                async with asyncio.timeout(HELLO_TIMEOUT_S):
                    await self.handshake(self._may_connect, server_header=None)
            except TimeoutError:
                self.transport.abort()
                return
            if self.protocol.state is not State.OPEN:
                return
            self._stand()
        try:
            await self._talk(self.session)
        except ConnectionClosed:
            await self.all_answered()
        finally:
            closing = self.protocol.close_rcvd
            self.viewer.said_goodbye = closing is not None and closing.code in GOODBYES
            self.hub.let_out(self)
            if self.state is not State.CLOSED:
                await self.end()

    def _stand(self) -> None:
        """The handshake is over: the connection counts, and its viewer can be told things."""
        self._forget_handshake()
        self.hub.keepalive.add(self)
        codec = CODECS.get(self.subprotocol or "", MSGPACK)
        self.viewer, self.session = Outbox(self, form_for(codec), self.hub.rates), Session(codec)
        self.hub.come(self)

    def _forget_handshake(self) -> None:
        """The library keeps it as long as the connection, and it would be a quarter of one that is idle."""
        if self.request is not None:
            self.request.headers.clear()  # the library's parser keeps it by itself
        self.request, self.response = READ, None

    async def end(self, code: int = 1000, reason: str = "") -> None:
        """Close, in a bounded time: the library's own close waits for a reader who has stalled to take what is due."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self.close(code, reason)
        except TimeoutError:
            self.transport.abort()
        except asyncio.CancelledError:
            self.transport.abort()
            raise

    async def _talk(self, session: Session) -> None:
        hello_by = self.loop.time() + HELLO_TIMEOUT_S
        while not session.greeted:
            try:
                async with asyncio.timeout_at(hello_by):
                    data = await self.next_message()
            except TimeoutError:
                await self.end(CLOSE_POLICY, "no hello")
                return
            await self._answer(session, data)
            if await self._shown_out(session):
                return
        while True:
            # Who does not take the answers is not asked for more: what it sends waits with TCP.
            if self.paused:
                with contextlib.suppress(ConnectionError):  # that it is lost says `recv`
                    await self.drain()
            await self._answer(session, await self.next_message())
            if await self._shown_out(session):
                return

    async def _shown_out(self, session: Session) -> bool:
        """Close the connection of one who speaks something else, or floods in spite of warnings (`G5`)."""
        if session.hopeless:
            await self.end(CLOSE_POLICY, "unreadable")
        elif self.viewer.meter.flooding:
            await self._end_flood()
        else:
            return False
        return True

    def look_for_flood(self) -> None:
        if self.viewer.meter.flooding:
            self.in_background(self._end_flood())

    async def _end_flood(self) -> None:
        FLOODERS.inc()
        await self.end(CLOSE_POLICY, "too fast")

    async def _answer(self, session: Session, data: bytes | str | Command) -> None:
        """Carry out one message. Whatever goes wrong is told to this connection and harms no other."""
        started = time.perf_counter()
        kind, outcome, ref, match = "unreadable", "refused", "", ""
        try:
            command = session.receive(data)
            kind, ref, match = type(command).__name__, command.ref, getattr(command, "match", "")
            if isinstance(command, Hello):
                self.viewer.form = form_for(session.codec, command.language)
            await self.hub.service.perform(self.viewer, command)
            session.greeted = True
            outcome = "done"
        except ConnectionClosed:
            raise
        except Exception as error:
            self.refuse(error, kind, ref, match)
        self.note(kind, outcome, started)

    def refuse(self, error: BaseException, kind: str, ref: str, match: str) -> None:
        if isinstance(error, StoreUnavailable):
            log.warning("store unavailable", command=kind, reason=error.reason)
            self.viewer.refuse(ref, error, match)
        elif isinstance(error, ParlourError):
            self.viewer.refuse(ref, error, match, int(error.data.get("version", 0)))
        else:
            # The one place where an unforeseen fault of a handler ends: logged whole, told without its text.
            log.error("a command failed", command=kind, exc_info=error)
            self.viewer.refuse(ref, ParlourError(Code.INTERNAL), match)

    def note(self, kind: str, outcome: str, started: float) -> None:
        COMMANDS.inc(kind, outcome)
        if self.hub.talkative:
            log.debug("command", command=kind, outcome=outcome, player=self.viewer.player)
        COMMAND_SECONDS.observe(time.perf_counter() - started)

    def _may_connect(self, connection: ServerConnection, request: Request) -> Response | None:
        try:
            self.address = welcome(request.path, request.headers.get_all, self._peer, self.hub)
        except NotWelcome as refusal:
            return self.respond(refusal.status, refusal.text)
        return None

    # Whether it is there ----------------------------------------------------------------------------------------------

    def probe(self) -> None:
        """Ping it. That is not sent while much waits to be written: that notices by itself (`relieve`)."""
        self._pinged = self._full_since is None
        if self._pinged and self.protocol.state is State.OPEN:
            self.transport.write(PING)

    @property
    def is_silent(self) -> bool:
        """Whether the last ping was not answered. What is not read now may be the answer."""
        return self._pinged and not self.recv_messages.paused

    def acknowledge_pings(self, data: bytes) -> None:
        self._pinged = False
        super().acknowledge_pings(data)

    def answer_ping(self, pong: bytes) -> None:
        self.write_frame(pong, OUTBOX_CUT)

    def lost(self) -> None:
        """Nothing comes any more: nobody would hear a farewell."""
        self.transport.abort()

    # The outbox -------------------------------------------------------------------------------------------------------

    def write_frame(self, frame: bytes, bound: int) -> bool:
        """Hand a ready frame to the transport. False when `bound` bytes are waiting already; beyond OUTBOX_CUT, cut."""
        if self._held is not None:
            self._held.append(frame)
            return True
        if self.protocol.state is not State.OPEN:
            return True
        waiting = self.transport.get_write_buffer_size()
        if waiting > bound:
            if waiting > OUTBOX_CUT:
                self.cut()
            return False
        self.transport.write(frame)
        left = self.transport.get_write_buffer_size()
        if left > waiting:
            self.hub.outboxes.grew(self, left - waiting)
        return True

    def hold(self) -> None:
        if not self.transport.get_write_buffer_size():
            self._held = []

    def release(self) -> None:
        held, self._held = self._held, None
        if held:
            self.write_frame(b"".join(held), OUTBOX_CUT)

    @property
    def lags_behind(self) -> bool:
        return self._full_since is not None

    def lags(self) -> None:
        """Look after it until it has caught up or is cut."""
        self.hub.lagging.add(self)

    def pause_writing(self) -> None:
        """The outbox is full. While it is, the library's own pings wait with everything else and notice nothing."""
        super().pause_writing()
        self._full_since = time.monotonic()
        self.hub.lagging.add(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full_since = None

    def relieve(self, now: float) -> None:
        """See whether a lagging connection has caught up, or must be cut."""
        starts = [start for start in (self.viewer.lagging_since, self._full_since) if start is not None]
        if not starts:
            self.hub.lagging.discard(self)
        elif self.protocol.state is State.OPEN and self.transport.get_write_buffer_size() <= OUTBOX_LOW:
            self.hub.lagging.discard(self)
            for source in sorted(self.viewer.take_missed()):
                self.hub.service.show_again(self.viewer, source)
        elif now - min(starts) > LAG_LIMIT_S:
            self.cut()

    @property
    def due_bytes(self) -> int:
        """What waits to be written."""
        return self.transport.get_write_buffer_size()

    def cut(self) -> None:
        """End a connection that does not take what is due to it, at once."""
        LAGGING.labels("cut").inc()
        self.hub.lagging.discard(self)
        self.transport.abort()


class _Served:
    """What the connections of a hub ask of their server: a handler for each, and whether to take new ones."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.handler_tasks: set[asyncio.Task[None]] = set()

    async def handler(self, connection: HubConnection) -> None:
        try:
            await connection.converse()
        finally:
            task = asyncio.current_task()
            assert task is not None
            self.handler_tasks.discard(task)
            connection.talked()

    def is_serving(self) -> bool:
        return not self._hub.stopping


def _select_subprotocol(protocol: ServerProtocol, offered: Any) -> Any:
    """The first of ours that the client offers; MessagePack for one that offers none."""
    return next((name for name in offered if name in CODECS), None)


def connection_class(hub: Hub) -> type[HubConnection]:
    """The class to give to uvicorn as `ws=`."""
    return type("HubConnection", (HubConnection,), {"__slots__": (), "hub": hub, "served": _Served(hub)})
