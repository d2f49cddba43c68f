"""WebSockets that are read a little at a time, so that small frames cannot become much memory.

A frame of one byte is seven on the wire and hundreds as an object, and a transport hands over a quarter of a megabyte
at once: the library's own bound on waiting frames is looked at only when all of it has been taken apart.

What comes as one whole frame while nothing else is under way goes past the library's parser: the answer to a ping, of
which a hub gets one from each connection in 15 s, a ping, which many clients send as often, and a message. What
`take_at_once` takes of these goes past its queue, too.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod

from websockets.asyncio import messages
from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from protocol.limits import MAX_COMMAND_BYTES
from server.hub.viewers.frames import is_pong, pong_for, unmasked

MAX_FRAGMENTS = 64
"""Frames of one message; a client that has 16 KiB to say needs one."""
READ_AT_ONCE = 2 * 1024
"""Bytes that are taken apart before it is looked whether enough frames wait."""

# The library's own bound is 4,096, and its only setting an environment variable.
messages.MAX_FRAGMENTS = MAX_FRAGMENTS


class GentleConnection(ServerConnection):
    """Takes apart what came piece by piece; what comes while enough waits is kept as it is.

    It has slots, as those built on it have: with more than the library's own fields its dictionary would be three times
    as large.
    """

    __slots__ = ("_taken_out", "_unread")
    _unread: bytearray
    _taken_out: bool
    """Whether nothing is in the library since it was last seen that nothing was."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._unread = bytearray()
        self._taken_out = False
        super().connection_made(transport)
        self.recv_messages.resume = self._read_on

    def connection_lost(self, exc: Exception | None) -> None:
        self._unread.clear()
        super().connection_lost(exc)

    def take_at_once(self, data: bytes, *, text: bool) -> bool:
        """Whether the message is dealt with; if not, it goes through the queue as all do."""
        return False

    @abstractmethod
    def answer_ping(self, pong: bytes) -> None:
        """Send the frame that answers a ping."""

    def data_received(self, data: bytes) -> None:
        if self._nothing_under_way:
            if is_pong(data):
                self.acknowledge_pings(b"")
                return
            if (pong := pong_for(data)) is not None:
                self.answer_ping(pong)
                return
            if (whole := unmasked(data)) is not None:
                if self.take_at_once(whole.data, text=whole.text):
                    return
                if len(whole.data) <= MAX_COMMAND_BYTES:
                    self._taken_out = False
                    self.process_event(Frame(Opcode.TEXT if whole.text else Opcode.BINARY, whole.data))
                    return
        self._taken_out = False
        if not self._unread and len(data) <= READ_AT_ONCE and not self.recv_messages.paused:
            super().data_received(data)
        else:
            self._unread += data
            self._take_apart()

    @property
    def _nothing_under_way(self) -> bool:
        """Whether all that came before was taken out of the library, and it waits for a new message."""
        protocol = self.protocol
        if protocol.state is not State.OPEN:
            return False
        if not self._taken_out:
            self._taken_out = (
                not self.recv_messages.frames.queue
                and protocol.current_size is None
                and not protocol.reader.buffer
                and not self._unread
            )
        return self._taken_out

    def eof_received(self) -> None:
        while self._unread:
            self._take_a_piece()
        super().eof_received()

    def _take_apart(self) -> None:
        while self._unread and not self.recv_messages.paused:
            self._take_a_piece()

    def _take_a_piece(self) -> None:
        piece = bytes(self._unread[:READ_AT_ONCE])
        del self._unread[:READ_AT_ONCE]
        super().data_received(piece)

    def _read_on(self) -> None:
        """Few frames wait: first what came already, then what the transport has."""
        self.loop.call_soon(self._read_more)

    def _read_more(self) -> None:
        self._take_apart()
        if not self.recv_messages.paused and not self.transport.is_closing():
            self.transport.resume_reading()
