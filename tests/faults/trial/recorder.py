"""A client that reads all the time, writes down everything, and knows each match as far as it was told."""

from __future__ import annotations

import asyncio
import contextlib
import socket as sockets
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Self

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from protocol.codec import MSGPACK, Codec
from protocol.messages import (
    Accepted,
    Command,
    Leave,
    LobbyChange,
    LobbyState,
    MatchEvent,
    MatchSummary,
    Message,
    Move,
    Pong,
    Position,
    Presence,
    Record,
    Refused,
    Snapshot,
    Sync,
    Watch,
    Welcome,
)
from tests.driver import WAIT_S, Client, M
from tests.faults.trial.evidence import Reader
from tests.faults.trial.proxy import RST
from tests.faults.trial.view import View

PASSING = {"unavailable", "unknown_outcome", "busy"}
"""Refusals that say nothing of the command: it is to be sent again (docs/protocol.md)."""
AGAIN_S = 0.1
"""How long to wait then, and when no hub could be entered."""


class Lost(Exception):
    """The connection ended while something was still expected of it."""


class Recorder(Client):
    """One connection. `views` holds what is known of each match, `answers` every answer to each ref."""

    def __init__(self, socket: ClientConnection, codec: Codec, name: str) -> None:
        super().__init__(socket, codec, name)
        self.welcome: Welcome | None = None
        self.traffic: list[Message] = []
        self.views: dict[str, View] = {}
        self.answers: dict[str, list[Message]] = defaultdict(list)
        self.here: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
        """Who was connected to each match, as often as that changed."""
        self.lobby: dict[str, MatchSummary] = {}
        self.left: set[str] = set()
        self._leaves: dict[str, str] = {}
        self.gone = False
        self.bytes_received = 0
        self.heard_ms: dict[str, dict[int, float]] = defaultdict(dict)
        """When each version of a match was first known here (ms since 1970)."""
        self._notices: list[Message] = []
        self._stirred = asyncio.Event()
        self._fault: Exception | None = None
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def connect(cls, url: str, name: str = "Ana", *, codec: Codec = MSGPACK, **options: Any) -> Self:
        """Connect and say nothing yet; no pings of our own, for they would end what a trial holds back."""
        return await super().connect(url, name, codec=codec, **{"ping_interval": None, **options})

    # Reading ----------------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        try:
            while True:
                data = await self.socket.recv()
                self.bytes_received += len(data)
                self._take(self.codec.decode_notification(data))
                self._stir()
        except ConnectionClosed:
            pass
        except Exception as error:
            self._fault = error
        finally:
            self.gone = True
            self._stir()

    def _take(self, message: Message) -> None:
        if not isinstance(message, Welcome):  # which is long, and says nothing of matches
            self.traffic.append(message)
        match message:
            case Accepted() | Refused() | Welcome() | Pong() | Position() | Record():
                ref = message.ref
                self.answers[ref].append(message)
                if ref in self._leaves and isinstance(message, Accepted):
                    self.left.add(message.match)
            case MatchEvent():
                if message.match in self.views:
                    self.views[message.match].apply(message)
                self.heard_ms[message.match].setdefault(message.version, time.time() * 1000)
            case _:
                self._take_notice(message)
                self._notices.append(message)

    def _take_notice(self, message: Message) -> None:
        match message:
            case Snapshot():
                self.views[message.match] = View.of(message)
                self.heard_ms[message.match].setdefault(message.version, time.time() * 1000)
                self._take_here(message.match, (message.seats[0].here, message.seats[1].here))
                self.left.discard(message.match)
            case Presence():
                self._take_here(message.match, message.here)
            case LobbyState():
                self.lobby = {row.match: row for row in message.matches}
            case LobbyChange():
                self.lobby.update({row.match: row for row in message.put})
                for gone in message.gone:
                    self.lobby.pop(gone, None)

    def _take_here(self, match: str, here: tuple[bool, bool]) -> None:
        if self.here[match][-1:] != [here]:
            self.here[match].append(here)

    def _stir(self) -> None:
        self._stirred.set()
        self._stirred = asyncio.Event()

    async def until(self, condition: Callable[[], object], limit_s: float = WAIT_S) -> None:
        """Wait until `condition` holds, which is looked at whenever a message has come. Raises Lost."""
        async with asyncio.timeout(limit_s):
            while not condition():
                if self._fault is not None:
                    raise self._fault
                if self.gone:
                    raise Lost
                await self._stirred.wait()

    async def answer(self, ref: str, number: int = 0) -> Message:
        """The answer to the command with this ref; with `number` the answer to its repetition."""
        await self.until(lambda: len(self.answers[ref]) > number)
        return self.answers[ref][number]

    async def once_more(self, command: Command) -> Message:
        """Send a command that may have been sent here before; returns the answer to this time. Raises Lost."""
        number = len(self.answers[command.ref])
        await self.send(command)
        return await self.answer(command.ref, number)

    async def reach(self, match: str, version: int) -> View:
        """What is known of the match, once its events up to `version` have come."""
        await self.until(lambda: match in self.views and self.views[match].version >= version)
        return self.views[match]

    async def expect(self, kind: type[M], where: Callable[[M], bool] = lambda _: True, limit_s: float = WAIT_S) -> M:
        """The next snapshot, presence or word of the lobby of a kind; others before it stay unread."""
        found: list[M] = []

        def arrived() -> bool:
            for message in self._notices:
                if isinstance(message, kind) and where(message):
                    found.append(message)
                    self._notices.remove(message)
                    return True
            return False

        await self.until(arrived, limit_s)
        return found[0]

    async def sees(self, match: str, here: tuple[bool, bool]) -> None:
        """Wait until told that these are connected: of each seat, whether its player is."""
        await self.until(lambda: self.here[match][-1:] == [here])

    async def counts(self, match: str, spectators: int) -> None:
        """Wait until told of so many spectators, in words that are not read yet."""
        await self.expect(Presence, lambda word: word.match == match and word.spectators == spectators)

    async def shown(self, match: str) -> Snapshot:
        """The next snapshot of the match that is not read yet."""
        return await self.expect(Snapshot, lambda snapshot: snapshot.match == match)

    def forget(self, kind: type[Message]) -> None:
        """Count what has come of a kind as read."""
        self._notices = [message for message in self._notices if not isinstance(message, kind)]

    def forget_all(self) -> None:
        """Throw away what was written down and is known, but for who this is."""
        for kept in (self.traffic, self.sent, self._notices, self.views, self.answers, self.here, self.heard_ms):
            kept.clear()
        self.left.clear()
        self._leaves.clear()

    async def hello(self, token: str | None = None) -> Welcome:
        """Say hello; the answer stays in `welcome`. `name` is the one that was given: the wish may be taken."""
        self.welcomed(await super().hello(token), token)
        assert self.welcome is not None
        return self.welcome

    def welcomed(self, welcome: Welcome, token: str | None) -> None:
        """The hub let us in as the guest with `token`, or as a new one."""
        self.welcome, self.player, self.token = welcome, welcome.player, welcome.token or token
        self.name = welcome.name

    # Writing ----------------------------------------------------------------------------------------------------------

    async def send(self, command: Command) -> None:
        """Send without waiting for an answer. Raises Lost."""
        self._note(command)
        data = self.codec.encode(command)
        try:
            await self.socket.send(data.decode() if self.codec.text else data)
        except ConnectionClosed:
            raise Lost from None

    def send_at_once(self, commands: Sequence[Command]) -> None:
        """Send several in one write, hence in one TCP segment."""
        protocol = self.socket.protocol
        for command in commands:
            self._note(command)
            data = self.codec.encode(command)
            (protocol.send_text if self.codec.text else protocol.send_binary)(data)
        self.socket.transport.write(b"".join(protocol.data_to_send()))

    def _note(self, command: Command) -> None:
        self.traffic.append(command)
        if isinstance(command, Leave):
            self._leaves[command.ref] = command.match

    def a_move(self, match: str, move: str, version: int | None = None) -> Move:
        """A command to play `move`, in the position that is known here unless a version is given."""
        known = self.views[match].version if version is None else version
        return Move(ref=self.ref(), match=match, version=known, move=move)

    def offered(self, match: str) -> int:
        """The version of the open offer, as far as this client was told; 0 without one."""
        view = self.views.get(match)
        return view.offer.version if view is not None and view.offer is not None else 0

    def seated(self, match: str) -> bool:
        """Whether this player holds a seat, as far as is known here."""
        return match in self.views and bool(self.views[match].you)

    async def watch(self, match: str) -> View:
        """Follow a match from a snapshot on."""
        await self.ask(Watch(ref=self.ref(), match=match), Accepted)
        await self.until(lambda: match in self.views)
        return self.views[match]

    async def resume(self, before: Recorder, match: str) -> None:
        """Follow a match from where an earlier connection's knowledge ends."""
        self.views[match] = before.views[match]
        await self.ask(Sync(ref=self.ref(), match=match, after=self.views[match].version), Accepted)

    # Ending -----------------------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Close the connection properly, or what is left of it."""
        await self.socket.close()
        await self._listener

    async def reset(self) -> None:
        """Break the connection off with a reset."""
        link: sockets.socket = self.socket.transport.get_extra_info("socket")
        link.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, RST)
        await self.vanish()

    async def vanish(self) -> None:
        """End the connection without a word, as the kernel does for a process that was killed."""
        self.socket.transport.abort()
        await self._listener
        with contextlib.suppress(ConnectionClosed):
            await self.socket.wait_closed()

    def record(self) -> Reader:
        """What the checker needs, as it is now."""
        return Reader(self.name, self.player, list(self.traffic), not self.gone, set(self.left))
