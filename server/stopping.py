"""How a hub ends: asked by a signal, with whoever started it, or because nobody is here. Always cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator

import structlog
import uvicorn

from server.config import Config
from server.draining import ASKED_FOR_S, Drain
from server.http.api.handlers import Handlers
from server.http.dog.service import Dog
from server.hub.concurrency.cancelling import end_tasks
from server.hub.connections.hub import Hub

log = structlog.get_logger(__name__)


class Server(uvicorn.Server):
    """uvicorn's server, with an exit status of 0 after a clean stop and with a hub that knows it is stopping."""

    def __init__(
        self,
        config: uvicorn.Config,
        hub: Hub,
        handlers: Handlers,
        others: Callable[[], Awaitable[bool]],
        drain_s: float = 0.0,
    ) -> None:
        self._exit = asyncio.Event()
        super().__init__(config)
        self._hub = hub
        self._handlers = handlers
        self._drain_s = drain_s
        self._drain = Drain(hub, others, self._close_doors)
        self._draining: asyncio.Task[None] | None = None
        self._sockets: list[socket.socket] = []
        self.listening = asyncio.Event()
        self.on_stop: list[Callable[[], None]] = []

    @property
    def should_exit(self) -> bool:
        """Whether it is to end; whoever sets it wakes `main_loop`."""
        return self._exit.is_set()

    @should_exit.setter
    def should_exit(self, asked: bool) -> None:
        if asked:
            self._exit.set()
        else:
            self._exit.clear()

    async def main_loop(self) -> None:
        """Until it is to end. uvicorn's own looks for that ten times a second."""
        await self.renew_date()
        await self._exit.wait()

    async def renew_date(self) -> None:
        """Bring the date in the heads of answers up to date, as uvicorn does in every tenth turn of its own."""
        await self.on_tick(0)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._sockets = sockets or []
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._asked_to_stop)
        loop.add_signal_handler(signal.SIGTERM, self._asked_to_end)
        yield
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)

    def _asked_to_stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    def _asked_to_end(self) -> None:
        """Hand the players over first, if that was asked for; a second time, stop at once."""
        if self._drain_s and self._draining is None and not self.should_exit:
            self.drain()
        else:
            self._asked_to_stop()

    def drain(self) -> None:
        """Hand the players over to other hubs, then stop."""
        if self._draining is None and not self.should_exit:
            self._draining = asyncio.create_task(self._drain_and_stop())

    async def _drain_and_stop(self) -> None:
        try:
            await self._drain.run(self._drain_s or ASKED_FOR_S)
        finally:
            self.should_exit = True

    def _close_doors(self) -> None:
        """Listen no more, and answer those who hold on: their next question is another hub's."""
        for server in self.servers:
            server.close()
        for each in self._sockets:
            each.close()
        self._handlers.stop()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.stopping = True
        if self._draining is not None:
            await end_tasks([self._draining])
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
            await asyncio.wait_for(ended.wait(), timeout=None if config.idle_exit_s is None else 1.0)
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
