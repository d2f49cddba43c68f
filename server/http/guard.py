"""HTTP requests with a deadline and bounded headers, which uvicorn by itself has not (`G9`, `H18`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container
from functools import partial

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.http import proxy_protocol
from server.hub.limits.admission import Crowd, home, is_own

REQUEST_TIMEOUT_S = 5.0
"""From the first byte of a request (or the opening of the connection) to its last."""
MAX_HEAD_BYTES = 16 * 1024
PIPELINED = 1
"""Requests of one connection that may wait until the one before them is answered. Browsers and proxies send none."""

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 24\r\nconnection: close\r\n\r\n"
    b"The headers are too big\n"
)

_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 19\r\nretry-after: 5\r\nconnection: close\r\n\r\n"
    b"The server is full\n"
)


_CROWDED = (
    b"HTTP/1.1 429 Too Many Requests\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 50\r\nretry-after: 5\r\nconnection: close\r\n\r\n"
    b"There are too many connections from your address.\n"
)


class Callers:
    """The connections of one server, whoever has them.

    `most` is how many there may be, WebSockets included (`G8`). `addresses` counts those of each address; `uncounted`
    are addresses that stand for many: trusted proxies. Connections from those in `announcing` begin with the PROXY
    protocol.
    """

    def __init__(
        self,
        most: int = 10_000,
        addresses: Crowd | None = None,
        uncounted: Container[str] = (),
        announcing: Container[str] = (),
    ) -> None:
        self.most = most
        self.addresses = addresses or Crowd(most)
        self._uncounted = uncounted
        self.announcing = announcing
        self.idle: dict[GuardedHttp, None] = {}
        """Those from which no whole request has come that is still to be answered, the longest first."""

    def counts(self, peer: str) -> bool:
        """Whether connections from there are counted."""
        return not is_own(home(peer)) and peer not in self._uncounted

    def make_room(self, newest: GuardedHttp) -> bool:
        """Close the connection that has been idle for longest; False when only `newest` is.

        Whoever means to ask something does so at once, so it is one that was left open, or was never meant to be used.
        """
        longest = next(iter(self.idle), newest)
        if longest is newest:
            return False
        self.idle.pop(longest)
        longest.transport.abort()
        return True


TakeOver = Callable[[HttpToolsProtocol, str, bytes], bool]
"""Asked with what comes first on a connection from that address, whether it is no HTTP any more."""


class GuardedHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol that closes what is silent, half sent, or all header.

    One request of a connection is answered at a time, and PIPELINED more may wait; who sends even more gets these
    answers, and then the connection is closed, as HTTP allows at any time: nobody can queue up before all others.
    """

    callers = Callers()
    take_over: TakeOver = staticmethod(lambda http, peer, data: False)
    _timer: asyncio.TimerHandle | None = None
    _untouched = True
    """Whether nothing of HTTP has come yet."""
    _begun = False
    """Whether a request has begun to come, and not ended."""
    _in_head = True
    _head_bytes = 0
    _counted = ""
    _deaf = False
    """Whether what comes is not read any more."""
    _preface: bytes | None = None
    """What has come of the PROXY protocol's header, until all of it is there."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.peer in self.callers.announcing:
            self._preface = b""
        elif not self._count():
            return
        if len(self.connections) > self.callers.most and not self.callers.make_room(self):
            # At once, while there are descriptors left: the hub's own links to its store need some.
            self._turn_away(_FULL)
            return
        self.callers.idle[self] = None
        self._arm()

    @property
    def peer(self) -> str:
        """The address that the connection comes from, or the one that a proxy has announced; "" for a Unix socket."""
        return self.client[0] if self.client else ""

    def _count(self) -> bool:
        """Count the connection for its address; False when that has too many, and this one is turned away."""
        if self.callers.counts(self.peer):
            address = home(self.peer)
            if self.callers.addresses.full(address):
                self._turn_away(_CROWDED)
                return False
            self.callers.addresses.add(address)
            self._counted = address
        return True

    def _announced(self, data: bytes) -> bytes:
        """Read the PROXY protocol's header; returns what follows, once it is whole."""
        assert self._preface is not None
        try:
            found = proxy_protocol.read(self._preface + data)
        except ValueError:
            self._deaf = True
            self.transport.close()
            return b""
        if found is None:
            self._preface += data
            return b""
        self._preface = None
        if found.address is not None:
            self.client = (found.address, 0)
            self._count()
        return found.rest

    def _turn_away(self, answer: bytes) -> None:
        self._deaf = True
        self.transport.write(answer)
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            return
        if self._timer is None:
            self._arm()
        if self._preface is not None:
            data = self._announced(data)
        if self._untouched and data and not self._deaf:
            self._untouched = False
            if self._is_taken_over(data):
                return
        while data and not self._deaf and self.transport.get_protocol() is self and not self.transport.is_closing():
            piece = data
            if self._in_head:
                # The head may end anywhere in `data`, with a long body after it, which does not count.
                piece = data[: MAX_HEAD_BYTES - self._head_bytes]
                if not piece:
                    self.transport.write(_TOO_LARGE)
                    self.transport.close()
                    return
                self._head_bytes += len(piece)
            data = data[len(piece) :]
            super().data_received(piece)
        if self._begun and self._timer is None and self.transport.get_protocol() is self:
            self._arm()  # the next request began behind a whole one

    def _is_taken_over(self, data: bytes) -> bool:
        if not self.take_over(self, self.peer, data):
            return False
        self.connections.discard(self)
        self._let_go()
        return True

    def _let_go(self) -> None:
        """It is a WebSocket now."""
        self._disarm()
        self._forget()
        # The parser and this one know each other; nobody else does any more.
        self.parser = None  # type: ignore[assignment]

    def handle_websocket_upgrade(self) -> None:
        assert self.ws_protocol_class is not None
        self.ws_protocol_class = partial(self.ws_protocol_class, peer=self.peer)  # type: ignore[assignment, call-arg]
        super().handle_websocket_upgrade()
        self._let_go()

    # What the parser finds --------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._begun = True
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and len(self.pipeline) >= PIPELINED:
            self._deaf = True
            self.cycle.keep_alive = False
        if not self._deaf:
            super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self._deaf:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._deaf:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self._deaf:
            self._in_head = False
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._deaf:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if not self._deaf:
            self._disarm()
            self._begun, self._in_head, self._head_bytes = False, True, 0
            super().on_message_complete()
            if self.cycle is not None and not self.cycle.response_complete:
                self.callers.idle.pop(self, None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
            self.callers.idle[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        self.callers.idle.pop(self, None)
        if self._counted:
            self.callers.addresses.remove(self._counted)
            self._counted = ""

    def _arm(self) -> None:
        self._timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._too_late)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        self._timer = None
        self.transport.close()


def guarded_http(callers: Callers, take_over: TakeOver) -> type[GuardedHttp]:
    """The class to give to uvicorn as `http=`, whose connections are among `callers`."""
    return type("GuardedHttp", (GuardedHttp,), {"callers": callers, "take_over": staticmethod(take_over)})
