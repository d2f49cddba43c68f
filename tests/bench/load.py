"""A light load generator: it plays games through a hub, or the same traffic through the relay, and measures."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.limits import SUBPROTOCOL_MSGPACK
from tests.driver import WAIT_S

BOARD = {"width": 8, "height": 8}


@dataclass
class Measured:
    """What came of a run: moves made, seconds of waiting for each to reach the opponent, seconds in all."""

    moves: int = 0
    waits_s: list[float] = field(default_factory=list)
    wall_s: float = 0.0

    def percentile_ms(self, part: float) -> float:
        """The wait that `part` of the moves stayed under, in ms."""
        waits = sorted(self.waits_s)
        return waits[min(len(waits) - 1, int(part * len(waits)))] * 1000


class Link:
    """One connection that speaks plain maps: as little work as possible on this side."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._refs = 0

    @classmethod
    async def open(cls, url: str, name: str) -> Link:
        """Connect and say hello."""
        link = cls(await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)], compression=None, max_size=None))
        await link.ask("hello", name=name, rename=True)
        return link

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


class Game:
    """Two connections in one match, and the order in which its lines will be drawn."""

    def __init__(self, players: tuple[Link, Link], match: str, lines: list[str]) -> None:
        self.players = players
        self.match = match
        self.lines = lines
        self.version = 2
        self.to_move = 0

    async def play(self, moves: int, measured: Measured) -> None:
        """Play `moves` moves, each sent when the one before has reached both."""
        for line in self.lines[:moves]:
            author, other = self.players[self.to_move], self.players[1 - self.to_move]
            started = time.perf_counter()
            ref = await author.send("move", match=self.match, version=self.version, move=line)
            self.version += 1
            moved = await other.until("version", self.version)
            measured.waits_s.append(time.perf_counter() - started)
            await author.until("ref", ref)
            measured.moves += 1
            self.to_move = moved["to_move"]


async def start_game(url: str, seed: int) -> Game:
    """Two new guests in a new match, all of whose events so far are read."""
    host, guest = await Link.open(url, f"host {seed}"), await Link.open(url, f"guest {seed}")
    match = (await host.ask("create", game="dots-and-boxes", options=BOARD))["match"]
    await guest.ask("join", match=match)
    await host.until("type", "joined")
    lines = list((await guest.until("type", "snapshot"))["legal"])
    random.Random(seed).shuffle(lines)
    return Game((host, guest), match, lines)


async def play_all(games: list[Game], moves_each: int) -> Measured:
    """All games at once, one move in flight in each."""
    measured = Measured()
    started = time.perf_counter()
    await asyncio.gather(*(game.play(moves_each, measured) for game in games))
    measured.wall_s = time.perf_counter() - started
    return measured


async def close_all(games: list[Game]) -> None:
    """Close every connection."""
    await asyncio.gather(*(player.socket.close() for game in games for player in game.players))


async def relay_all(url: str, pairs: int, moves_each: int) -> Measured:
    """The traffic of as many games through the relay: 60 bytes there, forwarded, acknowledged."""
    sockets = [await connect(url, compression=None) for _ in range(2 * pairs)]
    measured = Measured()
    message = bytes(60)

    async def play(pair: int) -> None:
        for turn in range(moves_each):
            author, other = sockets[2 * pair + turn % 2], sockets[2 * pair + 1 - turn % 2]
            started = time.perf_counter()
            await author.send(message)
            await other.recv()
            measured.waits_s.append(time.perf_counter() - started)
            await author.recv()
            measured.moves += 1

    started = time.perf_counter()
    await asyncio.gather(*(play(pair) for pair in range(pairs)))
    measured.wall_s = time.perf_counter() - started
    await asyncio.gather(*(socket.close() for socket in sockets))
    return measured
