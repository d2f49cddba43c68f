"""Connections that carry out a move where its frame is read, while their handler waits for the next message.

All other commands that come whole are read there, too, and handed to the handler. One command at a time: what comes
before the last one is answered waits in the library's queue, and so does the handler.
"""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import Coroutine
from typing import Any

from websockets.protocol import Event

from protocol.messages import Command, Move
from server.hub.connections.flow_control import GentleConnection
from server.hub.connections.hub import Hub
from server.hub.connections.outboxes import Outbox
from server.hub.connections.session import Session
from server.hub.moves import Outcome


class Mover(GentleConnection):
    """Between reading and the conversation: `take_at_once` begins a move, `_moved` is called when it is done."""

    __slots__ = ("_answered", "_awaited", "_moving", "session", "viewer")
    hub: Hub
    viewer: Outbox
    session: Session

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self._awaited: asyncio.Future[Command | None] | None = None
        """For the handler, when all that came is answered and it waits for more: the next command, or None when there
        is something in the library's queue, or nothing will come any more."""
        self._moving = False
        """Whether a move is being carried out without the handler."""
        self._answered: asyncio.Event | None = None
        """For the handler, when it waits for that."""

    async def next_message(self) -> bytes | str | Command:
        """The next message, once all that came before it is answered; as a command, where it is read already."""
        if not self.recv_messages.frames.queue and not self.recv_messages.closed:
            self._awaited = self.loop.create_future()
            try:
                command = await self._awaited
            finally:
                self._awaited = None
            if command is not None:
                return command
        data = await self.recv()
        await self.all_answered()
        return data

    @property
    def _listens(self) -> bool:
        """Whether all that came is answered, and the handler waits for the next message."""
        return self._awaited is not None and not self._awaited.done()

    def _wake(self) -> None:
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(None)

    def process_event(self, event: Event) -> None:
        super().process_event(event)
        if self.recv_messages.frames.queue:
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wake()

    async def all_answered(self) -> None:
        """Wait for a move that is being carried out."""
        if self._moving:
            self._answered = asyncio.Event()
            await self._answered.wait()

    @property
    @abstractmethod
    def lags_behind(self) -> bool:
        """Whether it does not take what is written to it."""

    @abstractmethod
    def refuse(self, error: BaseException, kind: str, ref: str, match: str) -> None:
        """Tell that a command failed."""

    @abstractmethod
    def note(self, kind: str, outcome: str, started: float) -> None:
        """Count a command that was done or refused."""

    @abstractmethod
    def look_for_flood(self) -> None:
        """End the connection of one who floods."""

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """A task for `work`, which the server knows of as it does of handlers."""
        task = self.loop.create_task(work)
        self.server.handler_tasks.add(task)
        task.add_done_callback(self.server.handler_tasks.discard)

    def take_at_once(self, data: bytes, *, text: bool) -> bool:
        """Carry out a move that can be done now, or hand over another command. All else is left; nothing is done."""
        awaited = self._awaited
        if awaited is None or awaited.done() or self._moving or self.lags_behind or text is not self.session.codec.text:
            return False
        command = self.session.codec.command_in(data)
        if command is None:
            return False
        if type(command) is not Move or not self.session.greeted or not self._play(command):
            awaited.set_result(command)
        return True

    def _play(self, move: Move) -> bool:
        started = time.perf_counter()
        self._moving = True
        if self.hub.service.moves.play(self.viewer, move, lambda outcome: self._moved(move, outcome, started)):
            self.session.read_one()
            return True
        self._moving = False
        return False

    def _moved(self, move: Move, outcome: Outcome, started: float) -> None:
        if outcome is None:
            self.note("Move", "done", started)
        elif isinstance(outcome, BaseException):
            self.refuse(outcome, "Move", move.ref, move.match)
            self.look_for_flood()
            self.note("Move", "refused", started)
        else:
            self.in_background(self._move_on(move, outcome, started))
            return
        self._listen_again()

    async def _move_on(self, move: Move, work: Coroutine[Any, Any, None], started: float) -> None:
        try:
            await work
        except Exception as error:
            self._moved(move, error, started)
        except asyncio.CancelledError:
            self._listen_again()
            raise
        else:
            self._moved(move, None, started)

    def _listen_again(self) -> None:
        self._moving = False
        if self._answered is not None:
            self._answered.set()
            self._answered = None
