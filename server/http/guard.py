"""HTTP requests with a deadline and bounded headers, which uvicorn by itself has not (`G9`, `H18`)."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_TIMEOUT_S = 5.0
"""From the first byte of a request (or the opening of the connection) to its last."""
MAX_HEAD_BYTES = 16 * 1024

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


class GuardedHttp(HttpToolsProtocol):
    """uvicorn's HTTP protocol that closes what is silent, half sent, or all header."""

    most = 10_000
    """Connections of the server, WebSockets included, beyond which new ones are turned away (`G8`)."""
    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            # At once, while there are descriptors left: the hub's own links to its store need some.
            transport.write(_FULL)
            transport.close()
            return
        self._arm()

    def data_received(self, data: bytes) -> None:
        if self._timer is None:
            self._arm()
        while data and self.transport.get_protocol() is self and not self.transport.is_closing():
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

    def handle_websocket_upgrade(self) -> None:
        self._disarm()
        super().handle_websocket_upgrade()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._disarm()
        self._in_head, self._head_bytes = True, 0
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        self._timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._too_late)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        self._timer = None
        self.transport.close()


def guarded_http(most: int) -> type[GuardedHttp]:
    """The class to give to uvicorn as `http=`, with room for so many connections."""
    return type("GuardedHttp", (GuardedHttp,), {"most": most})
