"""What the hostile tests share: a house (one hub over one Redis), honest company, and ways to look from outside."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgpack
import redis
from msgspec.structs import replace

from protocol.codec import Codec
from protocol.messages import Accepted, Joined, Message, Moved, Pong, Refused, Snapshot, Watch, Welcome
from server.store.keys import Keys
from tests.driver import WAIT_S, Client, HubProcess, RedisProcess

FULL = os.environ.get("PARLOUR_FAULTS") == "full"
TROUBLE = re.compile(
    r"level='(?:error|critical)'|Traceback|was never retrieved|^\w*(?:Error|Exception)\b", re.MULTILINE
)
MIB = 1024 * 1024

_refs = count(1)


def times(full: int, short: int | None = None) -> int:
    """The case's figure when all is tried in full, else a tenth of it, or `short`."""
    if FULL:
        return full
    return short if short is not None else max(1, full // 10)


def new_ref() -> str:
    """A ref that nobody has used."""
    return f"x{next(_refs)}"


UNMETERED = ("--limit", "pace=100000,open_matches=100000,connections_of_player=100000")
"""Arguments for a hub that lets a client be as fast as it can: speed is another test's matter (G5)."""


class House:
    """One hub over one Redis, both real processes."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.redis = RedisProcess(folder)
        self.hub = HubProcess(folder, "--redis", self.redis.url, *arguments)
        self._link: redis.Redis | None = None

    @property
    def url(self) -> str:
        return self.hub.url

    def stored(self, match: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """The match's log as it is in Redis."""
        if self._link is None:
            self._link = redis.Redis(unix_socket_path=str(self.redis.socket))
        return self._link.xrange(Keys().log(match))  # type: ignore[return-value]

    def figure(self, name: str) -> float:
        """One of the hub's figures, summed over what is in braces when none is given: `parlour_lagging_total`."""
        _, page = self.hub.get("/metrics")
        pattern = re.escape(name) + (r" (\S+)$" if "{" in name else r"(?:\{[^}]*\})? (\S+)$")
        return sum(float(value) for value in re.findall(f"^{pattern}", page, re.MULTILINE))

    def assert_no_trouble(self) -> None:
        """The hub runs, and its log holds no error and no exception."""
        assert not self.hub.ended, "the hub has ended"
        log = self.hub.log.read_text()
        assert not TROUBLE.search(log), log[-4000:]

    def memory(self) -> int:
        """Bytes that the hub's process holds now."""
        return process_memory(self.hub.pid, "VmRSS")

    def forget_peak(self) -> None:
        """Let `peak` start from what the hub holds now."""
        Path(f"/proc/{self.hub.pid}/clear_refs").write_text("5")

    def peak(self) -> int:
        """The most that the hub's process held since `forget_peak`."""
        return process_memory(self.hub.pid, "VmHWM")

    def cpu_s(self) -> float:
        """CPU time of the hub so far."""
        fields = Path(f"/proc/{self.hub.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        if self._link is not None:
            self._link.close()


def process_memory(pid: int, what: str) -> int:
    """VmRSS, VmHWM (its peak) or VmPeak (all it asked for, touched or not) of a process (0: this one), in bytes."""
    found = re.search(rf"^{what}:\s+(\d+) kB", Path(f"/proc/{pid or os.getpid()}/status").read_text(), re.MULTILINE)
    assert found, what
    return int(found[1]) * 1024


@contextlib.contextmanager
def housed(folder: Path, *arguments: str) -> Iterator[House]:
    """A house for the time of the block; at its end the hub must be well, if it runs, and stop with status 0."""
    house = House(folder, *arguments)
    try:
        house.redis.start()
        house.hub.start()
        yield house
        if not house.hub.killed:
            house.assert_no_trouble()
            assert house.hub.stop() == 0
        log = house.hub.log.read_text()
        assert not TROUBLE.search(log), log[-4000:]
    finally:
        house.hub.kill()
        house.close()
        house.redis.stop()


# Looking from outside -------------------------------------------------------------------------------------------------


def timeless(snapshot: Snapshot) -> Snapshot:
    """A snapshot without what may differ between two looks at one position: who looks, who is there, the time."""
    one, other = (replace(seat, here=False, where="", since_ms=0) for seat in snapshot.seats)
    return replace(snapshot, you=(), key=None, seats=(one, other), spectators=0, now_ms=0, clock=None, away=())


async def look(client: Client, match: str) -> Snapshot:
    """The match as `client` sees it now, by asking for it."""
    await client.ask(Watch(ref=client.ref(), match=match), Accepted)
    return timeless(await client.expect(Snapshot, lambda s: s.match == match))


def wire(codec: Codec, value: Any) -> bytes | str:
    """Any value as a frame of the codec, whether or not it is a message."""
    return json.dumps(value) if codec.text else msgpack.packb(value)


async def answered(client: Client, data: bytes | str) -> Refused:
    """Send raw bytes (or text) that are to be refused; returns the refusal. A ping after it proves that it is alone."""
    await client.socket.send(data)
    refused = await client.expect(Message, lambda m: isinstance(m, Refused | Accepted | Pong | Welcome))
    assert isinstance(refused, Refused), refused
    return refused


def percentile(values: list[float], part: float) -> float:
    """The value below which `part` of all lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


# Honest company -------------------------------------------------------------------------------------------------------


@dataclass
class Company:
    """Two honest players who play on while something else happens; an async context manager.

    Each move is timed from its sending to its arrival at the opponent. At the end they must have made `least` moves
    since they began, all of them accepted.
    """

    url: str
    least: int = 5
    pause_s: float = 0.0
    taken_s: list[float] = field(default_factory=list)
    _stop: bool = False
    _task: asyncio.Task[None] | None = None
    _players: list[Client] = field(default_factory=list)
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> Self:
        self._players = [await Client.open(self.url, name) for name in ("Honest Ana", "Honest Bea")]
        self._task = asyncio.create_task(self._play())
        await self.made(1)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        try:
            if kind is None:
                await self.made(self.least)
        finally:
            self._stop = True
            await asyncio.wait([self._task])
            for player in self._players:
                player.cut()
        if kind is None:
            self._task.result()

    async def made(self, more: int) -> None:
        """Wait until so many more moves were made."""
        goal = len(self.taken_s) + more
        assert self._task is not None
        while len(self.taken_s) < goal:
            self._moved.clear()
            waiting = asyncio.create_task(self._moved.wait())
            await asyncio.wait([waiting, self._task], timeout=WAIT_S, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if self._task.done():
                self._task.result()
                raise AssertionError("the honest players stopped")
            assert self._moved.is_set(), "the honest players cannot play on"

    async def _play(self) -> None:
        host, guest = self._players
        while not self._stop:
            hosted = await host.create(options={"width": 8, "height": 8})
            await guest.join(hosted.match)
            version = (await host.expect(Joined)).version
            mover: int | None = 0
            for line in hosted.legal:
                if self._stop or mover is None:
                    break
                version, mover = await self._move(hosted.match, version, line, mover)

    async def _move(self, match: str, version: int, line: str, mover: int) -> tuple[int, int | None]:
        player, other = self._players[mover], self._players[1 - mover]
        started = time.perf_counter()
        accepted = await player.move(match, version, line)
        moved = await other.expect(Moved, lambda m: m.match == match and m.version > version)
        self.taken_s.append(time.perf_counter() - started)
        await player.expect(Moved, lambda m: m.match == match and m.version == moved.version)
        for client in (player, other):
            client.received.clear()
        self._moved.set()
        if self.pause_s:
            await asyncio.sleep(self.pause_s)
        return accepted.version, moved.to_move


@contextlib.asynccontextmanager
async def opened(url: str, *names: str, **options: Any) -> AsyncIterator[list[Client]]:
    """Clients that said hello, cut off at the end."""
    clients: list[Client] = []
    try:
        for name in names:
            clients.append(await Client.open(url, name, **options))
        yield clients
    finally:
        for client in clients:
            client.cut()
