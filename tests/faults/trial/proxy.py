"""A TCP proxy that does to connections what networks do: delays, swallows, holds back, cuts."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import stalls

UP = "up"
"""From whoever connected to us, to the server behind."""
DOWN = "down"
TASK = "proxy"
"""The name of its tasks."""
RST = struct.pack("ii", 1, 0)
"""SO_LINGER on, zero seconds: closing sends a reset."""

LET_IN_TURNS = 100
"""Of the loop: so long those are waited for whom asyncio is just letting in."""


def is_letting_in(task: asyncio.Task[Any]) -> bool:
    """Whether it is asyncio's own that makes a transport of a connection."""
    return getattr(task.get_coro(), "__name__", "") == "_accept_connection2"


def is_at_work(task: asyncio.Task[Any]) -> bool:
    """Whether it is one of a proxy's: also one that is just letting a connection in, and has no name yet."""
    return task.get_name() == TASK or is_letting_in(task)


async def shut(server: asyncio.Server) -> None:
    """Listen no longer. A server that is closed while it lets somebody in leaves that connection open."""
    for _ in range(LET_IN_TURNS):
        if not any(map(is_letting_in, asyncio.all_tasks())):
            break
        await asyncio.sleep(0)
    server.close()


class Proxy:
    """Listens on a port of its own and carries every connection to `upstream`: (host, port), or a Unix socket.

    The faults are set for all its links, present and future. Use as `async with Proxy(...) as proxy`.
    """

    def __init__(self, upstream: tuple[str, int] | Path) -> None:
        self._upstream = upstream
        self.port = 0
        self.delay_s: Callable[[], float] | None = None
        """Asked for each piece of data, both ways; the order is kept."""
        self.alter: Callable[[str, bytes], bytes | None] | None = None
        """Shown each piece of data with its way; what it returns goes on in its place, and None cuts all links."""
        self.swallowed = bytearray()
        """What was thrown away."""
        self.accepted = 0
        """Connections that were ever made to us."""
        self._swallow: set[str] = set()
        self._through = {UP: asyncio.Event(), DOWN: asyncio.Event()}
        self.heal()
        self._changed = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._admit, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        await shut(self._server)
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    # Faults -----------------------------------------------------------------------------------------------------------

    def blackhole(self, *ways: str) -> None:
        """Let nothing through any more, not even the end of a connection, until `heal` (both ways if none is named)."""
        self._harm()
        for way in ways or (UP, DOWN):
            self._through[way].clear()

    def swallow(self, *ways: str) -> None:
        """Throw away what comes, until `heal`; the links are good for nothing but to be cut then."""
        self._harm()
        self._swallow = set(ways)

    def heal(self) -> None:
        """Let everything through again, what was held back first."""
        self._swallow = set()
        for gate in self._through.values():
            gate.set()

    def cut(self) -> None:
        """Reset all links, on both sides."""
        self._harm()
        for writer in list(self._writers):
            link = writer.get_extra_info("socket")
            if link.family != socket.AF_UNIX:
                with contextlib.suppress(OSError):
                    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RST)
            writer.transport.abort()
        self._writers.clear()

    async def until_swallowed(self, data: bytes) -> None:
        """Wait until `data` was among what was thrown away."""
        while data not in self.swallowed:
            changed = self._changed
            await changed.wait()

    def _harm(self) -> None:
        if isinstance(self._upstream, Path):
            stalls.harm_to_a_store()

    # Carrying ---------------------------------------------------------------------------------------------------------

    def _admit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """No coroutine: asyncio closes no connection whose task was ended before it began."""
        self.accepted += 1
        self._writers.add(writer)
        task = asyncio.create_task(self._serve(reader, writer), name=TASK)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if isinstance(self._upstream, Path):
                behind, to_behind = await asyncio.open_unix_connection(str(self._upstream))
            else:
                behind, to_behind = await asyncio.open_connection(*self._upstream)
            self._writers.add(to_behind)
            if await self._carry_both(reader, writer, behind, to_behind):
                return
            to_behind.transport.abort()
            self._writers.discard(to_behind)
        except (OSError, asyncio.CancelledError):
            pass  # Nothing is there, which our closing tells; or we stop (asyncio trips over a cancelled server task).
        writer.transport.abort()
        self._writers.discard(writer)

    async def _carry_both(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        behind: asyncio.StreamReader,
        to_behind: asyncio.StreamWriter,
    ) -> bool:
        """Carry until both sides have ended, or one broke. Whether all went well and both are closed now."""
        ways = [
            asyncio.create_task(self._carry(UP, reader, to_behind), name=TASK),
            asyncio.create_task(self._carry(DOWN, behind, writer), name=TASK),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_EXCEPTION)
            if not all(way.done() and way.exception() is None for way in ways):
                return False
            for side in (writer, to_behind):
                self._writers.discard(side)
                side.close()
            return True
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _carry(self, way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(64 * 1024):
            if self.delay_s is not None:
                await asyncio.sleep(self.delay_s())
            await self._through[way].wait()
            if way in self._swallow:
                self.swallowed += data
                self._changed.set()
                self._changed = asyncio.Event()
                continue
            if self.alter is not None:
                altered = self.alter(way, data)
                if altered is None:
                    self.cut()
                    return
                data = altered
            writer.write(data)
            await writer.drain()
        await self._through[way].wait()
        if writer.can_write_eof():
            writer.write_eof()
