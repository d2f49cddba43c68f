"""A light load generator: it plays games through a hub, or the same traffic through the relay, and measures."""

from __future__ import annotations

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.limits import SUBPROTOCOL_MSGPACK
from tests.bench.relay import WATCH
from tests.driver import WAIT_S

BOARD = {"width": 8, "height": 8}
MESSAGE = bytes(60)
"""What a move is to the relay."""


@dataclass
class Measured:
    """What came of a run: moves made, seconds of waiting for each to reach the opponent, seconds in all."""

    moves: int = 0
    waits_s: list[float] = field(default_factory=list)
    wall_s: float = 0.0

    def percentile_ms(self, part: float) -> float:
        """The wait that `part` of the moves stayed under, in ms."""
        waits = sorted(self.waits_s)
        return waits[min(len(waits) - 1, int(part * len(waits)))] * 1000 if waits else 0.0


class Link:
    """One connection that speaks plain maps: as little work as possible on this side."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._refs = 0

    @classmethod
    async def connect(cls, url: str) -> Link:
        """Connect."""
        # Without a bound: players who read nothing while hundreds come to watch answer pings all the same.
        subprotocols = [Subprotocol(SUBPROTOCOL_MSGPACK)]
        return cls(await connect(url, subprotocols=subprotocols, compression=None, max_size=None, max_queue=None))

    @classmethod
    async def open(cls, url: str, name: str) -> Link:
        """Connect and say hello."""
        link = await cls.connect(url)
        await link.hello(name)
        return link

    async def hello(self, name: str) -> None:
        """Come in as a new guest."""
        await self.ask("hello", name=name, rename=True)

    async def send(self, kind: str, **fields: Any) -> str:
        """Send a command; returns its ref."""
        self._refs += 1
        await self.socket.send(msgpack.packb({"type": kind, "ref": str(self._refs), **fields}))
        return str(self._refs)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        ref = await self.send(kind, **fields)
        return await self.until("ref", ref)

    async def until(self, key: str, value: Any) -> dict[str, Any]:
        """The next notification in which `key` is `value`."""
        async with asyncio.timeout(WAIT_S):
            while True:
                message: dict[str, Any] = msgpack.unpackb(await self.socket.recv(decode=False))
                assert message["type"] != "refused", message
                if message.get(key) == value:
                    return message


class Contest(ABC):
    """Two connections that move in turn, and whoever watches them."""

    @abstractmethod
    async def move(self, measured: Measured) -> None:
        """One move, from its sending until both have it."""

    @abstractmethod
    async def watch(self) -> None:
        """One more spectator."""

    @abstractmethod
    async def seen(self) -> None:
        """Every spectator has the newest move."""

    @abstractmethod
    async def close(self) -> None:
        """Close every connection."""

    async def play(self, moves: int, measured: Measured, thought_s: Sequence[float] = ()) -> None:
        """Play `moves` moves, each sent when its player has seen the last and thought for so long."""
        for number in range(moves):
            if thought_s:
                await asyncio.sleep(thought_s[number])
            await self.move(measured)
            measured.moves += 1


class Game(Contest):
    """A match at a hub, and the order in which its lines will be drawn."""

    def __init__(self, url: str, players: tuple[Link, Link], match: str, lines: list[str]) -> None:
        self.players = players
        self.match = match
        self.lines = lines
        self.version = 2
        self.to_move = 0
        self._url = url
        self._watchers: list[Link] = []

    async def move(self, measured: Measured) -> None:
        author, other = self.players[self.to_move], self.players[1 - self.to_move]
        started = time.perf_counter()
        ref = await author.send("move", match=self.match, version=self.version, move=self.lines.pop())
        self.version += 1
        moved = await other.until("version", self.version)
        measured.waits_s.append(time.perf_counter() - started)
        await author.until("ref", ref)
        self.to_move = moved["to_move"]

    async def watch(self) -> None:
        self._watchers.append(await Link.open(self._url, f"watcher {len(self._watchers)}"))
        await self._watchers[-1].ask("watch", match=self.match)

    async def seen(self) -> None:
        await asyncio.gather(*(watcher.until("version", self.version) for watcher in self._watchers))

    async def close(self) -> None:
        await asyncio.gather(*(link.socket.close() for link in (*self.players, *self._watchers)))


class Exchange(Contest):
    """The same traffic through the relay: 60 bytes there, forwarded, acknowledged."""

    def __init__(self, url: str, sockets: tuple[ClientConnection, ClientConnection]) -> None:
        self._url = url
        self._sockets = sockets
        self._turn = 0
        self._unseen = 0
        self._watchers: list[ClientConnection] = []

    async def move(self, measured: Measured) -> None:
        author, other = self._sockets[self._turn], self._sockets[1 - self._turn]
        self._turn = 1 - self._turn
        self._unseen += 1
        started = time.perf_counter()
        await author.send(MESSAGE)
        await other.recv()
        measured.waits_s.append(time.perf_counter() - started)
        await author.recv()

    async def watch(self) -> None:
        self._watchers.append(await connect(f"{self._url}{WATCH}", compression=None))

    async def seen(self) -> None:
        async def read(socket: ClientConnection) -> None:
            for _ in range(unseen):
                await socket.recv()

        unseen, self._unseen = self._unseen, 0
        await asyncio.gather(*map(read, self._watchers))

    async def close(self) -> None:
        await asyncio.gather(*(socket.close() for socket in (*self._sockets, *self._watchers)))


async def start_game(url: str, seed: int, guest_url: str = "") -> Game:
    """Two new guests in a new match, all of whose events so far are read; the second one at another hub if need be."""
    host, guest = await Link.open(url, f"host {seed}"), await Link.open(guest_url or url, f"guest {seed}")
    match = (await host.ask("create", game="dots-and-boxes", options=BOARD))["match"]
    await guest.ask("join", match=match)
    await host.until("type", "joined")
    lines = list((await guest.until("type", "snapshot"))["legal"])
    random.Random(seed).shuffle(lines)
    return Game(url, (host, guest), match, lines)


async def start_exchange(url: str) -> Exchange:
    """A pair at the relay."""
    return Exchange(url, (await connect(url, compression=None), await connect(url, compression=None)))


async def play_all(
    contests: Sequence[Contest], moves_each: int, thoughts_s: Sequence[Sequence[float]] = ()
) -> Measured:
    """All at once, one move in flight in each; `thoughts_s` has for each contest how long is thought before each."""
    measured = Measured()
    started = time.perf_counter()
    thoughts = thoughts_s or [()] * len(contests)
    await asyncio.gather(
        *(one.play(moves_each, measured, thought_s) for one, thought_s in zip(contests, thoughts, strict=True))
    )
    await asyncio.gather(*(one.seen() for one in contests))
    measured.wall_s = time.perf_counter() - started
    return measured


async def close_all(contests: Sequence[Contest]) -> None:
    """Close every connection."""
    await asyncio.gather(*(one.close() for one in contests))
