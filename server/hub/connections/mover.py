"""Connections that carry out a move where its frame is read, while their handler waits for the next message.

One command at a time: what comes before the move is answered waits in the library's queue, and so does the handler.
"""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import Coroutine
from typing import Any

from protocol.messages import Move
from server.hub.connections.flow_control import GentleConnection
from server.hub.connections.hub import Hub
from server.hub.connections.outboxes import Outbox
from server.hub.connections.session import Session
from server.hub.moves import Outcome


class Mover(GentleConnection):
    """Between reading and the conversation: `take_at_once` begins a move, `_moved` is called when it is done."""

    __slots__ = ("_answered", "_listens", "_moving", "session", "viewer")
    hub: Hub
    viewer: Outbox
    session: Session

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self._listens = False
        """Whether all that came is answered, and the handler waits for the next message."""
        self._moving = False
        """Whether a move is being carried out without the handler."""
        self._answered: asyncio.Event | None = None
        """For the handler, when it waits for that."""

    async def next_message(self) -> bytes | str:
        """The next message, once all that came before it is answered."""
        self._listens = True
        try:
            data = await self.recv()
        finally:
            self._listens = False
        await self.all_answered()
        return data

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
        """Carry out what is a move and can be done now. All else is left to the handler, and nothing is done."""
        if not self._listens or self._moving or self.lags_behind:
            return False
        move = self.session.move_in(data) if text is self.session.codec.text else None
        if move is None:
            return False
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
