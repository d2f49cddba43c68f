"""The front's process, which `parlour-server --dog` starts: it holds students' programs while the hub is away."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from server.dog_front import calls, launch
from server.dog_front.front import ALONE_S, Front
from server.listening import StartError, listen


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until there was no hub for long, or until stopped; returns the exit status."""
    parser = argparse.ArgumentParser(prog="parlour-server dog-front", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    parser.add_argument("--port", type=int, default=launch.DEFAULT_PORT, help="port to listen on (default %(default)s)")
    parser.add_argument("--hub", default="127.0.0.1:7878", help="where the hub is (default %(default)s)")
    parser.add_argument(
        "--alone", type=float, default=ALONE_S, metavar="SECONDS", help="end when there was no hub for so long"
    )
    parser.add_argument("--stop", action="store_true", help="end the front that listens on that port")
    given = parser.parse_args(arguments)
    if given.stop:
        return 0 if launch.ask(given.port, "stop") is not None else 1
    try:
        asyncio.run(_run(given.host, given.port, given.hub, given.alone))
    except StartError as error:
        print(error, flush=True)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


async def _run(host: str, port: int, hub: str, alone_s: float) -> None:
    with listen(host, port) as listening:
        front = Front(hub, alone_s=alone_s)
        servers = [
            await asyncio.start_server(front.serve, sock=taken, limit=calls.MAX_HEAD) for taken in listening.sockets
        ]
        if sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, front.ended.set)
        print(listening.port, flush=True)
        watching = asyncio.create_task(front.watch())
        await front.ended.wait()
        watching.cancel()
        for server in servers:
            server.close()
        with suppress(asyncio.CancelledError):
            await watching


if __name__ == "__main__":
    sys.exit(main())
