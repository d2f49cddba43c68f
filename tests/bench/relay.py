"""The yardstick: a bare `websockets` relay that checks nothing and stores nothing. Run as a process of its own.

Connections are paired in the order in which they come. A message is forwarded to the partner and acknowledged with
12 bytes, which is as much sending as a move through the hub needs at the least. Who connects to WATCH is sent what the
pair says that came last.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.typing import Data

ACK = b"acknowledged"
WATCH = "/watch"


class Pair:
    """Two connections, and those who watch them."""

    def __init__(self, first: ServerConnection) -> None:
        self.first = first
        self.second: ServerConnection | None = None
        self.watchers: set[ServerConnection] = set()


class Relay:
    """Pairs connections and passes their messages on."""

    def __init__(self) -> None:
        self._newest: Pair | None = None

    async def handle(self, connection: ServerConnection) -> None:
        """One connection from its opening to its end."""
        pair = self._newest
        if connection.request is not None and connection.request.path == WATCH:
            assert pair is not None, "there is nobody to watch"
            pair.watchers.add(connection)
        elif pair is None or pair.second is not None:
            pair = self._newest = Pair(connection)
        else:
            pair.second = connection
        async for message in connection:
            await self._pass_on(pair, connection, message)
        pair.watchers.discard(connection)

    async def _pass_on(self, pair: Pair, connection: ServerConnection, message: Data) -> None:
        partner = pair.second if connection is pair.first else pair.first
        if partner is not None:
            await partner.send(message)
        if pair.watchers:
            broadcast(pair.watchers, message)
        await connection.send(ACK)


async def main(port_file: Path) -> None:
    """Serve on a free port until killed; the port is written to `port_file`."""
    async with serve(Relay().handle, "127.0.0.1", 0, compression=None) as server:
        partial = port_file.with_suffix(".partial")
        partial.write_text(str(next(iter(server.sockets)).getsockname()[1]))
        partial.replace(port_file)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    uvloop.run(main(Path(sys.argv[1])))
