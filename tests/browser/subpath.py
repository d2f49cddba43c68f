"""A proxy as an operator sets one up: TLS ends there, and the hub is served below a path and nothing else is."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import subprocess
from pathlib import Path

from tests.faults.trial.proxy import shut

PATH = "/parlour/"


def certificate(folder: Path) -> ssl.SSLContext:
    """A self-signed one for 127.0.0.1, made for this run."""
    key, signed = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(signed)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(signed, key)
    return context


class SubpathProxy:
    """Serves the hub at `https://127.0.0.1:PORT/parlour/`. `astray` are requests for anything else."""

    def __init__(self, hub_port: int, context: ssl.SSLContext) -> None:
        self._hub_port = hub_port
        self._context = context
        self._tasks: set[asyncio.Task[None]] = set()
        self.astray: list[str] = []
        self.upgrades = 0
        self.port = 0

    @property
    def address(self) -> str:
        """Of the page."""
        return f"https://127.0.0.1:{self.port}{PATH}"

    async def __aenter__(self) -> SubpathProxy:
        self._server = await asyncio.start_server(self._admit, "127.0.0.1", 0, ssl=self._context)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await shut(self._server)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _admit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """No coroutine: asyncio closes no connection whose task was ended before it began."""
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._answer(reader, writer)
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, path, rest = head.split(b" ", 2)
        if path.startswith(PATH.encode()):
            await self._pass_on(method, path.removeprefix(PATH.encode()[:-1]), rest, reader, writer)
        else:
            self.astray.append(path.decode())
            writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            await writer.drain()

    async def _pass_on(
        self, method: bytes, path: bytes, rest: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        upgrade = b"upgrade: websocket" in rest.lower()
        self.upgrades += upgrade
        if not upgrade:
            # One request a connection, so that each is looked at.
            lines = [line for line in rest.split(b"\r\n") if not line.lower().startswith(b"connection:")]
            rest = b"\r\n".join([lines[0], b"Connection: close", *lines[1:]])
        version, _, headers = rest.partition(b"\r\n")
        behind, to_behind = await asyncio.open_connection("127.0.0.1", self._hub_port)
        to_behind.write(b" ".join([method, path, version]) + b"\r\nX-Forwarded-For: 192.0.2.7\r\n" + headers)
        ways = [asyncio.create_task(_carry(reader, to_behind)), asyncio.create_task(_carry(behind, writer))]
        try:
            await asyncio.wait(
                ways, return_when=asyncio.FIRST_COMPLETED if upgrade else asyncio.ALL_COMPLETED, timeout=120
            )
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            to_behind.transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
