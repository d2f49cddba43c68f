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
from client.dog.dicts import NOT_BY_RULES
from client.dog.interface import NO_MATCH, NO_MATCH_TEXT, ONLY_TWO_TEXT, DogPlayerInterface, StartStatus
from client.dog.line import Courier, Line, MoveRefused
from client.dog.remembered import Remembered
from protocol.errors import Code
from protocol.messages import (
    Abandon,
    Accepted,
    Command,
    Ended,
    MatchEvent,
    Move,
    Moved,
    Presence,
    QuickMatch,
    Refused,
    Snapshot,
    Watch,
    Welcome,
)

CONNECT_S = 6.0
ANSWER_S = 6.0
"""How long a call waits for its answer. What was sent is not lost then: the session goes on with it."""
CLOSE_S = 2.0
PLAYERS = 2
TOKEN = "token"

T = TypeVar("T")


class RuledLine(Line):
    """One player at one game that the server offers."""

    def __init__(
        self,
        address: Address,
        name: str,
        game: str,
        interface: DogPlayerInterface,
        courier: Courier,
        remembered: Remembered | None = None,
        language: str = "pt",
    ) -> None:
        self._game = game
        self._remembered = remembered
        self._language = language
        self._interface = interface
        self._courier = courier
        self._name = name
        self._names = dicts.names_for(name)
        token = remembered[TOKEN] if remembered is not None else None
        self._session = Session(next(self._names), token, language=language, client="dog")
        self._transport = Transport(address, self._session, self._notify)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._work, name="dog session", daemon=True)
        self._greeted: concurrent.futures.Future[bool] = concurrent.futures.Future()
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._position: Snapshot | None = None
        self._news = asyncio.Event()
        self._sending = 0
        self._made: dict[str, Any] | None = None
        """What the own move did, once it was told."""
        self._last: dict[str, Any] | None = None
        """The other's last move of the match, which is told with the end that it led to."""
        self._asking = False
        self._gave_up = False

    def connect(self) -> bool:
        self._thread.start()
        try:
            return self._greeted.result(CONNECT_S)
        except TimeoutError:
            return False

    def start(self, number_of_players: int, wait_s: float) -> StartStatus:
        """Who asks first waits from then on, and is called when another one has asked, or answered within `wait_s`."""
        if number_of_players != PLAYERS:
            return self.too_few(ONLY_TWO_TEXT)
        return self._do(lambda: self._start(wait_s), self.offline, ANSWER_S + wait_s)

    def send(self, move: dict[str, Any]) -> dict[str, Any] | None:
        """What the move did; None when no answer comes in time: `receive_move` brings it then, once it is known."""
        told = self._do(lambda: self._send(move), lambda: None)
        if isinstance(told, Refused):
            raise MoveRefused(told.code, told.text)
        return told

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

    def _do(
        self, work: Callable[[], Coroutine[Any, Any, T]], otherwise: Callable[[], T], limit_s: float = ANSWER_S
    ) -> T:
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
            result: T = future.result(limit_s)
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

    async def _start(self, wait_s: float) -> StartStatus:
        self._asking, self._gave_up = True, False
        try:
            if self._position is None or self._position.status == "ended":
                answer = await self._ask(QuickMatch(ref=self._session.ref(), game=self._game))
                if isinstance(answer, Refused):
                    return self.too_few()
            await self._until(lambda now: now.status != "ended")
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._until(lambda now: now.status == "playing")
            position = self._position
            assert position is not None
            return self._told(position) if position.status == "playing" else self.too_few()
        finally:
            self._asking = False

    async def _until(self, holds: Callable[[Snapshot], bool]) -> None:
        while self._position is None or not holds(self._position):
            self._news.clear()
            await self._news.wait()

    async def _send(self, move: dict[str, Any]) -> Refused | dict[str, Any] | None:
        match, version = self._session.match, self._session.version
        if match is None or version is None:
            return Refused(ref="", code=NO_MATCH, text=NO_MATCH_TEXT)
        if dicts.gives_up(move):
            self._gave_up = True
            answer = await self._ask(Abandon(ref=self._session.ref(), match=match))
            return answer if isinstance(answer, Refused) else None
        written = dicts.move_in(move) or "?"
        self._sending += 1
        try:
            self._made = None
            answer = await self._ask(Move(ref=self._session.ref(), match=match, version=version, move=written))
            if not isinstance(answer, Accepted):
                return answer if isinstance(answer, Refused) else None
            await self._until(lambda now: now.match != match or now.version >= answer.version)
            if self._made is None and self._position is not None:
                self._made = dicts.missed_out(self._position)
            return self._made
        finally:
            self._sending, self._made = self._sending - 1, None

    def _told(self, position: Snapshot) -> StartStatus:
        players = dicts.players_of(position, self._name)
        self.local_id = players[0][1]
        return self.started(players, dicts.position_out(position))

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
                self._shown(before, event)
                self._noted()
            case MatchEvent() | Presence() if self._position is not None:
                before, self._position = self._position, advance(self._position, event)
                self._happened(before, event, self._position)
                self._noted()
            case _:
                pass

    def _noted(self) -> None:
        assert self._position is not None
        self.in_match = self._position.status == "playing"
        self._news.set()

    def _welcome(self, welcome: Welcome) -> None:
        offered = any(game.name == self._game for game in welcome.games)
        if not self._greeted.done():
            self.local_id = welcome.player
            if offered and self._remembered is not None:
                self._come_back(self._remembered, welcome)
            self._greeted.set_result(offered)
        if not offered:
            self._transport.stop()

    def _come_back(self, remembered: Remembered, welcome: Welcome) -> None:
        """Go on with the match that an earlier run of this program has left, if it goes on."""
        if self._session.token is not None:
            remembered[TOKEN] = self._session.token
        if welcome.matches:
            self._session.send(Watch(ref=self._session.ref(), match=welcome.matches[0]))

    def _shown(self, before: Snapshot | None, now: Snapshot) -> None:
        """A whole position: the match is entered, or more was missed than is told move by move."""
        if before is None or before.match != now.match:
            if now.status == "playing" and now.you and not self._asking:
                self._begun(now)
            return
        if before.status == "waiting" and now.status == "playing":
            self._begun(now)
        elif now.last is not None and now.plies > before.plies and now.last.seat not in now.you:
            self._tell(dicts.missed_out(now), now)
        if before.status == "playing" and now.result is not None:
            self._ended(now)

    def _happened(self, before: Snapshot, event: MatchEvent | Presence, now: Snapshot) -> None:
        match event:
            case Moved(seat=seat):
                move = dicts.move_out(event, now)
                if seat not in now.you:
                    self._tell(move, now)
                elif self._sending:
                    self._made = move
                else:
                    # Its sender waits for it no more, since the answer came so late.
                    self._tell(move, now)
            case Ended():
                self._ended(now)
            case _:
                if before.status == "waiting" and now.status == "playing":
                    self._begun(now)

    def _tell(self, move: dict[str, Any], now: Snapshot) -> None:
        """A move, at once; the last one with its end, which follows it."""
        if now.to_move is None and now.result is None:
            self._last = move
        else:
            self._courier.call(self._interface.receive_move, move)

    def _ended(self, now: Snapshot) -> None:
        assert now.result is not None
        end = dicts.end_out(now, self._language)
        if self._made is not None and now.result.reason not in NOT_BY_RULES:
            self._made.update(end)
        last, self._last = self._last, None
        if last is not None:
            self._courier.call(self._interface.receive_move, last | end)
        if now.result.reason in NOT_BY_RULES and not self._gave_up:
            # Who gave up knows it.
            self._courier.call(self._interface.receive_withdrawal_notification)

    def _begun(self, position: Snapshot) -> None:
        if not self._asking:
            self._courier.call(self._interface.receive_start, self._told(position))
