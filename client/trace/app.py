"""The conversation with a hub as it is: a line a frame, both ways, with secrets masked; typed commands are sent.

It speaks `parlour.v1.json` and understands nothing of what it carries but `ref`, `type` and whatever is secret.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Any, TextIO

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from client.conversation.address import Address
from client.start.console import LineReader, Speaker
from protocol import limits

SECRETS = frozenset({"token", "key"})
MASK = "***"
OPEN_S = 5.0
ANSWERS_S = 10.0
"""How long answers that are due may take once the input has ended."""

Clock = Callable[[], datetime]


def masked(value: Any) -> Any:
    """`value` (plain JSON) with everything secret in it made unreadable, however deep."""
    if isinstance(value, dict):
        return {name: MASK if name in SECRETS and inner else masked(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [masked(inner) for inner in value]
    return value


class Trace:
    """One connection. `follow`: stay when the input has ended, for what comes; else leave once all is answered."""

    def __init__(self, out: Callable[[str], None], *, follow: bool, clock: Clock = datetime.now) -> None:
        self._out = out
        self._follow = follow
        self._clock = clock
        self._refs = (f"t{number}" for number in itertools.count(1))
        self._due: dict[str, None] = {}
        """Refs that wait for an answer, in the order of sending."""
        self._settled = asyncio.Event()

    async def run(self, socket: ClientConnection, typed: AsyncIterator[str], first: Sequence[dict[str, Any]]) -> None:
        """Send `first` and then what is typed; show all that is sent and comes, until either side has enough."""
        reading = asyncio.create_task(self._read(socket))
        writing = asyncio.create_task(self._write(socket, typed, first))
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                await asyncio.wait({reading}, timeout=None if self._follow else await self._until_answered())
        finally:
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def _until_answered(self) -> float:
        try:
            async with asyncio.timeout(ANSWERS_S):
                while self._due:
                    self._settled.clear()
                    await self._settled.wait()
        except TimeoutError:
            self._say("-", f"no answer to {', '.join(self._due)} within {ANSWERS_S:.0f} s")
        return 0

    async def _write(
        self, socket: ClientConnection, typed: AsyncIterator[str], first: Sequence[dict[str, Any]]
    ) -> None:
        for command in first:
            await self._send(socket, json.dumps(command))
        async for line in typed:
            await self._send(socket, line)

    async def _send(self, socket: ClientConnection, line: str) -> None:
        """A typed command; what is no JSON object goes out as it stands, for that is what one may want to try."""
        try:
            command = json.loads(line)
        except ValueError:
            command = None
        if isinstance(command, dict):
            self._due[str(command.setdefault("ref", next(self._refs)))] = None
            self._show(">", command)
            line = json.dumps(command, ensure_ascii=False)
        else:
            self._due[next(self._refs)] = None
            self._say(">", line)
        await socket.send(line)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                try:
                    message = json.loads(frame)
                except ValueError:
                    self._say("<", repr(frame))
                    continue
                self._show("<", message)
                if isinstance(message, dict):
                    self._settle(message)
        except ConnectionClosed:
            pass
        self._say("-", f"closed: {socket.close_code} {socket.close_reason or ''}".rstrip())

    def _settle(self, message: dict[str, Any]) -> None:
        """An answer came. What could not be read is refused without a ref, in its turn."""
        ref = message.get("ref")
        if message.get("type") == "refused" and not ref and self._due:
            ref = next(iter(self._due))
        if ref in self._due:
            del self._due[ref]
            self._settled.set()

    def _show(self, way: str, message: Any) -> None:
        self._say(way, json.dumps(masked(message), ensure_ascii=False))

    def _say(self, way: str, text: str) -> None:
        self._out(f"{self._clock():%H:%M:%S.%f}"[:-3] + f" {way} {text}")


async def trace(
    address: Address,
    first: Sequence[dict[str, Any]],
    typed: AsyncIterator[str],
    out: Callable[[str], None],
    *,
    follow: bool,
) -> int:
    """Connect to the hub at `address` and trace until the end; returns the exit status, 1 when there was no hub."""
    try:
        async with connect(
            address.url, subprotocols=[Subprotocol(limits.SUBPROTOCOL_JSON)], compression=None, open_timeout=OPEN_S,
            max_size=limits.MAX_NOTIFICATION_BYTES, proxy=None if address.is_loopback else True,
        ) as socket:  # fmt: skip
            await Trace(out, follow=follow).run(socket, typed, first)
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
        out(f"{address.label} cannot be reached: {error or type(error).__name__}")
        return 1
    return 0


def run_trace(
    address: Address, first: Sequence[dict[str, Any]], source: TextIO, output: TextIO, *, follow: bool
) -> int:
    """The same over two streams: a line typed is a command, a line printed is a frame."""
    speaker = Speaker(output)

    async def run() -> int:
        lines: asyncio.Queue[str | None] = asyncio.Queue()  # bounded by the reader
        reader = LineReader(source, lines.put_nowait)
        reader.start()

        async def typed() -> AsyncIterator[str]:
            while (line := await lines.get()) is not None:
                reader.taken()
                if line.strip():
                    yield line.strip()

        return await trace(address, first, typed(), lambda line: speaker.say([line]), follow=follow)

    try:
        return asyncio.run(run())
    except KeyboardInterrupt:
        return 0
