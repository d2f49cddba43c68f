"""How a hub ends: asked by a signal, with whoever started it, or because nobody is here. Always cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator

import structlog
import uvicorn

from server.config import Config
from server.http.api.handlers import Handlers
from server.http.dog.service import Dog
from server.hub.connections.hub import Hub

log = structlog.get_logger(__name__)


class Server(uvicorn.Server):
    """uvicorn's server, with an exit status of 0 after a clean stop and with a hub that knows it is stopping."""

    def __init__(self, config: uvicorn.Config, hub: Hub, handlers: Handlers) -> None:
        super().__init__(config)
        self._hub = hub
        self._handlers = handlers
        self.listening = asyncio.Event()
        self.on_stop: list[Callable[[], None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._asked_to_stop)
        yield
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)

    def _asked_to_stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.stopping = True
        self._handlers.stop()
        for call in self.on_stop:
            call()
        await super().shutdown(sockets)


async def stop_when_due(config: Config, server: Server, hub: Hub, dog: Dog | None) -> None:
    """Stop at the end of standard input, or when nobody has been connected for the time that was asked for."""
    ended = asyncio.Event()
    if config.until_eof:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _drain_input, ended)
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), timeout=1.0)
        idle_s = time.monotonic() - max(hub.last_busy, dog.last_busy if dog else hub.last_busy)
        idle = config.idle_exit_s is not None and not hub.connections and idle_s > config.idle_exit_s
        if ended.is_set() or idle:
            log.info("stopping", why="standard input ended" if ended.is_set() else "nobody is here")
            server.should_exit = True
            return


def _drain_input(ended: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        ended.set()
