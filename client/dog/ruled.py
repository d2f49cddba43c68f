"""A game of the server's catalogue over the WebSocket session: the server knows the rules.

The session lives on a thread of its own with an event loop. It comes back after every loss, sends again what got no
answer, and tells events in order and once; here they become DOG's calls.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from client.conversation.address import Address
from client.conversation.events import Answer, Event, Settled
from client.conversation.pending import Backlog
from client.conversation.position import advance
from client.conversation.session import Session
from client.conversation.transport import Transport
from client.dog import dicts
from client.dog.interface import DogPlayerInterface, StartStatus
from client.dog.line import Courier, Line, MoveRefused
from protocol.errors import Code
from protocol.messages import (
    Abandon,
    Command,
    Ended,
    MatchEvent,
    Move,
    Moved,
    Presence,
    QuickMatch,
    Refused,
    Snapshot,
    Welcome,
)

CONNECT_S = 6.0
ANSWER_S = 6.0
"""How long a call waits for its answer. What was sent is not lost then: the session goes on with it."""
CLOSE_S = 2.0
PLAYERS = 2

T = TypeVar("T")
NOT_BY_RULES = frozenset(
    {"forfeit", "abandoned", "aborted", "cancelled", "expired", "time", "agreed", "too_long", "stopped"}
)
"""Reasons of an end of which no last move tells."""


class RuledLine(Line):
    """One player at one game that the server offers."""

    def __init__(self, address: Address, name: str, game: str, interface: DogPlayerInterface, courier: Courier) -> None:
        self._game = game
        self._interface = interface
        self._courier = courier
        self._name = name
        self._names = dicts.names_for(name)
        self._session = Session(next(self._names), client="dog")
        self._transport = Transport(address, self._session, self._notify)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="dog session", daemon=True)
        self._greeted: concurrent.futures.Future[bool] = concurrent.futures.Future()
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._position: Snapshot | None = None
        self._shown_one = asyncio.Event()
        self._asking = False
        self._gave_up = False

    def connect(self) -> bool:
        self._thread.start()
        try:
            return self._greeted.result(CONNECT_S)
        except TimeoutError:
            return False

    def start(self, number_of_players: int) -> StartStatus:
        """Who asks first waits from then on, and is called when another one has asked."""
        if number_of_players != PLAYERS:
            return self.too_few()
        return self._do(self._start, self.offline)

    def send(self, move: dict[str, Any]) -> None:
        refused = self._do(lambda: self._send(move), lambda: None)
        if refused is not None:
            raise MoveRefused(refused.code, refused.text)

    def close(self) -> None:
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._transport.stop)
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    # On the session's own thread --------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            # A runner also ends what is still being asked when the session is over.
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._transport.run())
        finally:
            if not self._greeted.done():
                self._greeted.set_result(False)

    def _do(self, work: Callable[[], Coroutine[Any, Any, T]], otherwise: Callable[[], T]) -> T:
        """The result of `work` on the session's thread; `otherwise` when it does not come in time."""
        if not self._thread.is_alive():
            return otherwise()
        asked = work()
        try:
            future = asyncio.run_coroutine_threadsafe(asked, self._loop)
        except RuntimeError:  # the loop has ended just now
            asked.close()
            return otherwise()
        try:
            result: T = future.result(ANSWER_S)
        except (TimeoutError, concurrent.futures.CancelledError, Backlog):
            future.cancel()
            return otherwise()
        return result

    async def _ask(self, command: Command) -> Answer:
        answer: asyncio.Future[Answer] = self._loop.create_future()
        self._answers[command.ref] = answer
        try:
            self._session.send(command)
            self._transport.flush()
            return await answer
        finally:
            self._answers.pop(command.ref, None)

    async def _start(self) -> StartStatus:
        self._asking, self._gave_up = True, False
        try:
            if self._position is None or self._position.status == "ended":
                answer = await self._ask(QuickMatch(ref=self._session.ref(), game=self._game))
                if isinstance(answer, Refused):
                    return self.too_few()
            while (position := self._position) is None or position.status == "ended":
                self._shown_one.clear()
                await self._shown_one.wait()
            return self._told(position) if position.status == "playing" else self.too_few()
        finally:
            self._asking = False

    async def _send(self, move: dict[str, Any]) -> Refused | None:
        match, version = self._session.match, self._session.version
        if match is None or version is None:
            return None
        written = dicts.move_in(move)
        if dicts.gives_up(move):
            self._gave_up = True
            answer = await self._ask(Abandon(ref=self._session.ref(), match=match))
        else:
            command = Move(ref=self._session.ref(), match=match, version=version, move=written or "?")
            answer = await self._ask(command)
        return answer if isinstance(answer, Refused) else None

    def _told(self, position: Snapshot) -> StartStatus:
        players = dicts.players_of(position, self._name)
        self.local_id = players[0][1]
        return self.started(players)

    # What the session tells -------------------------------------------------------------------------------------------

    def _notify(self) -> None:
        for event in self._session.events():
            self._take(event)
        self._transport.flush()

    def _take(self, event: Event) -> None:
        match event:
            case Welcome():
                self._welcome(event)
            case Settled(command=command, answer=answer):
                waiting = self._answers.get(command.ref)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
            case Refused(code=Code.NAME_IN_USE | Code.BAD_NAME) if not self._greeted.done():
                if (name := next(self._names, None)) is not None:
                    self._session.introduce(name)
            case Snapshot():
                before, self._position = self._position, event
                self._shown_one.set()
                self._shown(before, event)
            case MatchEvent() | Presence() if self._position is not None:
                before, self._position = self._position, advance(self._position, event)
                self._happened(before, event, self._position)
            case _:
                pass

    def _welcome(self, welcome: Welcome) -> None:
        offered = any(game.name == self._game for game in welcome.games)
        if not self._greeted.done():
            self.local_id = welcome.player
            self._greeted.set_result(offered)
        if not offered:
            self._transport.stop()

    def _shown(self, before: Snapshot | None, now: Snapshot) -> None:
        """A whole position: the match is entered, or more was missed than is told move by move."""
        if before is None or before.match != now.match:
            return
        if before.status == "waiting" and now.status == "playing":
            self._begun(now)
        elif now.last is not None and now.plies > before.plies and now.last.seat not in now.you:
            move = dicts.missed_out(now, dicts.player_id(now.match, now.last.seat))
            self._courier.call(self._interface.receive_move, move)
        if before.status == "playing" and now.result is not None and now.result.reason in NOT_BY_RULES:
            self._withdrawn()

    def _happened(self, before: Snapshot, event: MatchEvent | Presence, now: Snapshot) -> None:
        match event:
            case Moved(seat=seat) if seat not in now.you:
                move = dicts.move_out(event, now, dicts.player_id(now.match, seat))
                self._courier.call(self._interface.receive_move, move)
            case Ended(result=result) if result.reason in NOT_BY_RULES:
                self._withdrawn()
            case _:
                if before.status == "waiting" and now.status == "playing":
                    self._begun(now)

    def _withdrawn(self) -> None:
        # Who gave up knows it.
        if not self._gave_up:
            self._courier.call(self._interface.receive_withdrawal_notification)

    def _begun(self, position: Snapshot) -> None:
        if not self._asking:
            self._courier.call(self._interface.receive_start, self._told(position))
