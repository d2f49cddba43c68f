"""The yardstick: a bare `websockets` relay that checks nothing and stores nothing. Run as a process of its own.

Connections are paired in the order in which they come. A message is forwarded to the partner and acknowledged with
12 bytes, which is as much sending as a move through the hub needs at the least.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvloop
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Data

ACK = b"acknowledged"


class Relay:
    """Pairs connections and passes their messages on."""

    def __init__(self) -> None:
        self._partner: dict[ServerConnection, ServerConnection] = {}
        self._alone: ServerConnection | None = None

    async def handle(self, connection: ServerConnection) -> None:
        """One connection from its opening to its end."""
        if self._alone is None:
            self._alone = connection
        else:
            other, self._alone = self._alone, None
            self._partner[connection], self._partner[other] = other, connection
        async for message in connection:
            await self._pass_on(connection, message)

    async def _pass_on(self, connection: ServerConnection, message: Data) -> None:
        partner = self._partner.get(connection)
        if partner is not None:
            await partner.send(message)
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
