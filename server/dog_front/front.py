"""The front's connections: one call each, handed on to the hub until it is answered or its caller has gone."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from contextlib import suppress
from secrets import token_hex

from server.dog_front import calls
from server.dog_front.calls import BadCall, Call

HEAD_S = 10.0
"""From the opening of a connection to the end of its request."""
RETRY_S = 0.2
CONNECT_S = 3.0
MAX_CONNECTIONS = 2_000
MAX_OF_ONE = 500
"""Of one address: a class behind one router has some 100."""
ALONE_S = 900.0
"""Without a hub for so long the front ends: a restart takes less, and a class is over."""
LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
VERSION = 1


class Front:
    """Hands calls on to the hub at `hub` (`host:port`). `ended` is set when it is of no more use."""

    def __init__(self, hub: str, *, alone_s: float = ALONE_S) -> None:
        self.hub = hub
        self.ended = asyncio.Event()
        self._alone_s = alone_s
        self._heard = time.monotonic()
        self._open: Counter[str] = Counter()

    async def watch(self) -> None:
        """End when there was no hub for long."""
        while time.monotonic() - self._heard < self._alone_s:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(CONNECT_S):
                    _, writer = await self._connect()
                    self._heard = time.monotonic()
                    writer.close()
            await asyncio.sleep(min(5.0, self._alone_s / 10))
        self.ended.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a program, and its one call."""
        address = str((writer.get_extra_info("peername") or ("",))[0])
        if self._open.total() >= MAX_CONNECTIONS or self._open[address] >= MAX_OF_ONE:
            writer.close()
            return
        self._open[address] += 1
        try:
            await self._serve(reader, writer, address)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the caller has gone, or never said what it wants
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str) -> None:
        async with asyncio.timeout(HEAD_S):
            try:
                call = calls.read_head(await reader.readuntil(b"\r\n\r\n"))
                if call.length > calls.MAX_BODY:
                    raise BadCall(f"a form has at most {calls.MAX_BODY} bytes")
            except BadCall as problem:
                writer.write(calls.answer(400, {"message": str(problem), "code": "0", "players": []}))
                await writer.drain()
                return
            body = await reader.readexactly(call.length)
        if call.path.startswith(f"{calls.OWN}/"):
            told = self._spoken_to(call, body) if address in LOOPBACK else calls.answer(404, {})
        else:
            answering = asyncio.create_task(self._answered(call, calls.with_ref(call, body, token_hex(8))))
            leaving = asyncio.create_task(reader.read(1))
            try:
                await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
                if not answering.done():
                    return  # the caller has gone; the hub notices it by the connection that closes with this task
                told = answering.result()
            finally:
                for task in (answering, leaving):
                    task.cancel()
                await asyncio.gather(answering, leaving, return_exceptions=True)
        writer.write(told)
        await writer.drain()

    async def _answered(self, call: Call, body: bytes) -> bytes:
        """The hub's answer, asked again as long as it is away and the call is patient."""
        request, until = calls.handed_on(call, body), time.monotonic() + call.patience_s
        while True:
            told = await self._ask(request)
            patient = time.monotonic() < until
            if told is not None and not (patient and calls.is_away(told)):
                return told
            if not patient:
                return calls.nothing_yet(call)
            await asyncio.sleep(RETRY_S)

    async def _ask(self, request: bytes) -> bytes | None:
        """One try; None when the hub is not there, or breaks off in the middle of its answer."""
        writer = None
        try:
            async with asyncio.timeout(CONNECT_S):
                reader, writer = await self._connect()
            writer.write(request)
            told = await reader.read(-1)
        except (OSError, TimeoutError):
            return None
        finally:
            if writer is not None:
                writer.close()
        if not calls.is_whole(told):
            return None
        self._heard = time.monotonic()
        return told

    def _spoken_to(self, call: Call, body: bytes) -> bytes:
        """By a hub of this machine: where it is, or that the front is to end."""
        if call.method == "POST" and call.name == "stop":
            self.ended.set()
        elif call.method == "POST" and call.name == "hub":
            hub = calls.field(body, "hub")
            if not hub.rpartition(":")[2].isdigit():
                return calls.answer(400, {})
            self.hub, self._heard = hub, time.monotonic()
        return calls.answer(200, {"front": VERSION, "hub": self.hub, "pid": os.getpid()})

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, _, port = self.hub.rpartition(":")
        return await asyncio.open_connection(host.strip("[]"), int(port))
