"""G1: who stops reading harms nobody, gets what it missed when it reads again, and is cut when it does not."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import msgpack
import pytest

from protocol.codec import MSGPACK
from protocol.messages import Accepted, Create, Move, Sync
from tests.driver import WAIT_S, Client
from tests.faults.recorder import Recorder
from tests.hostile.tools import (
    FULL,
    MIB,
    UNMETERED,
    Company,
    House,
    housed,
    new_ref,
    percentile,
    process_memory,
    times,
)

DUE = 5 * MIB
"""What must be due to each in full. Less may prove nothing: the kernel takes up to 4 MiB off the hub's hands."""
CUT_S = 40.0
MOVES_A_MATCH = 400
"""Of the 420 lines of the largest board: the matches go on."""
SNAPSHOT_BYTES = 20_000
"""The least that a snapshot of the largest board takes."""
STOP_S = 8.0
WINDOW = 4096
"""A receive buffer so small that at least our own kernel takes nothing more."""


@dataclass
class Traffic:
    """One player who holds both seats of many matches, and moves in all of them as fast as the hub takes it."""

    client: Client
    lines: dict[str, list[str]] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    told_bytes: int = 0
    """Bytes of all moves as they were told: what every follower of all matches is due."""

    @classmethod
    async def open(cls, url: str, matches: int) -> Self:
        traffic = cls(await Client.open(url, "Solo"))
        for _ in range(matches):
            await traffic.new_match()
        return traffic

    async def new_match(self) -> None:
        options: dict[str, int | str | bool] = {"width": 15, "height": 15}
        shown = await self.client.create(both_seats=True, options=options)
        self.lines[shown.match] = sorted(shown.legal)[:MOVES_A_MATCH]
        self.versions[shown.match] = shown.version
        self.client.received.clear()

    @property
    def going(self) -> bool:
        return any(self.lines.values())

    async def round(self) -> None:
        """One move in each match, all at once."""
        moving = [match for match, lines in self.lines.items() if lines]
        for match in moving:
            move = Move(ref=new_ref(), match=match, version=self.versions[match], move=self.lines[match].pop())
            await self.client.socket.send(MSGPACK.encode(move))
        accepted = told = 0
        async with asyncio.timeout(WAIT_S):
            while accepted < len(moving) or told < len(moving):
                data = await self.client.socket.recv(decode=False)
                message = msgpack.unpackb(data)
                if message["type"] == "accepted":
                    self.versions[message["match"]] = message["version"]
                    accepted += 1
                elif message["type"] == "moved":
                    self.told_bytes += len(data)
                    told += 1
                else:
                    assert message["type"] in ("presence", "ended"), message


async def watcher(url: str, traffic: Traffic, token: str | None = None) -> Recorder:
    """A spectator of all the matches, who knows them as they are now."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
    link.setblocking(False)
    host, port = url.removeprefix("ws://").removesuffix("/ws").split(":")
    await asyncio.get_running_loop().sock_connect(link, (host, int(port)))
    client = await Recorder.open(url, "Stalled", sock=link, token=token)
    for match in traffic.lines:
        await client.watch(match)
    return client


def stall(client: Recorder) -> None:
    """Read nothing more, not even when what was read before is used up: the library would read on by itself then."""
    transport, frames = client.socket.transport, client.socket.recv_messages
    frames.pause = frames.resume = lambda: None
    transport.pause_reading()


def read_on(client: Recorder) -> None:
    transport, frames = client.socket.transport, client.socket.recv_messages
    frames.pause, frames.resume = transport.pause_reading, transport.resume_reading
    transport.resume_reading()


async def measured(house: House, traffic: Traffic, rounds: int) -> list[float]:
    """How long the moves of two honest players take during so much traffic."""
    async with Company(house.url, least=1) as company:
        for _ in range(rounds):
            await traffic.round()
        return list(company.taken_s)


@asynccontextmanager
async def everything(house: House, matches: int) -> AsyncIterator[Traffic]:
    traffic = await Traffic.open(house.url, matches)
    try:
        yield traffic
    finally:
        traffic.client.cut()


@pytest.mark.faults
@pytest.mark.timeout(900)
async def test_g1_a_slow_reader_harms_nobody(tmp_path: Path, record_property: Any) -> None:
    """G1: 50 spectators stop reading while 5 MB is due to each: memory grows by at most 64 MiB, the players' moves take
    what they took, the stalled are cut within 40 s and can come back.

    In short 5 fill the kernel's buffers by asking for much, until all lag; then they read on and are shown what they
    missed. One never does. The hub stops in time.
    """
    count, matches = times(50, 5), 160 if FULL else 6
    with housed(tmp_path, *UNMETERED) as house:
        async with everything(house, matches) as traffic:
            calm = await measured(house, traffic, 20)
            stalled = [await watcher(house.url, traffic) for _ in range(count)]
            before, due = house.memory(), traffic.told_bytes
            house.forget_peak()
            for client in stalled:
                stall(client)
            began, lagged, asked = time.monotonic(), 0.0, 0
            loaded: list[float] = []
            while traffic.going and (lagged < count or (FULL and traffic.told_bytes - due < DUE)):
                if not FULL:
                    asked += await ask_for_much(stalled, traffic)
                loaded += await measured(house, traffic, 20 if FULL else 4)
                lagged = house.figure('parlour_lagging_total{fate="resynchronised"}')
            due = traffic.told_bytes - due + asked
            grown = house.peak() - before
            slow = percentile(loaded, 0.99) / percentile(calm, 0.99)
            record_property(
                "provoked",
                f"stalled: {count}, lagging: {lagged:.0f}, due to each: {due / MIB:.1f} MiB, hub grew by "
                f"{grown / MIB:.1f} MiB, p99 of moves {percentile(calm, 0.99) * 1000:.0f} ms calm and "
                f"{percentile(loaded, 0.99) * 1000:.0f} ms with the stalled",
            )
            assert lagged >= count, "they never came to lag"
            assert due >= (DUE if FULL else MIB)
            assert grown < 64 * MIB
            assert slow < 10 or percentile(loaded, 0.99) < 0.25
            if FULL:
                await cut_and_back(house, traffic, stalled, began)
            else:
                await shown_again(house, traffic, stalled[1:])
            await stopped_in_time(house)
        for client in stalled:
            await client.vanish()


async def ask_for_much(stalled: list[Recorder], traffic: Traffic) -> int:
    """Let each of the stalled ask for three whole boards; returns about how many bytes that is for each."""
    match, *_ = traffic.lines
    for client in stalled:
        for _ in range(3):
            await client.send(Sync(ref=new_ref(), match=match, after=1_000_000))
    return 3 * SNAPSHOT_BYTES


async def shown_again(house: House, traffic: Traffic, stalled: list[Recorder]) -> None:
    """Who reads on has everything soon."""
    for client in stalled:
        read_on(client)
    fresh = await watcher(house.url, traffic)
    for match, version in traffic.versions.items():
        expected = fresh.views[match].digest()
        for client in stalled:
            assert (await client.reach(match, version)).digest() == expected
    await fresh.vanish()


async def cut_and_back(house: House, traffic: Traffic, stalled: list[Recorder], began: float) -> None:
    """Who does not read is cut, and may come back as the same guest."""
    while house.figure('parlour_lagging_total{fate="cut"}') < len(stalled):
        assert time.monotonic() - began < CUT_S + 10, "they are not cut"
        await asyncio.sleep(0.2)
    for client in stalled[:5]:
        back = await watcher(house.url, traffic, client.token)
        assert back.player == client.player
        for match, version in traffic.versions.items():
            await back.reach(match, version)
        await back.vanish()


async def stopped_in_time(house: House) -> None:
    """K2: a stalled reader with a full outbox does not hold up a graceful stop."""
    started = time.monotonic()
    assert await asyncio.to_thread(house.hub.stop) == 0
    assert time.monotonic() - started < STOP_S


async def test_g1_who_asks_and_never_reads(house: House) -> None:
    """G1: answers are bounded like events: who asks for more and more and reads nothing is cut at the bound."""
    player = await Client.open(house.url, "Ana")
    options: dict[str, int | str | bool] = {"width": 15, "height": 15}
    created = Create(ref=player.ref(), game="dots-and-boxes", both_seats=True, options=options)
    match = (await player.ask(created, Accepted)).match
    greedy = await Recorder.open(house.url, "Greedy")
    cuts = house.figure('parlour_lagging_total{fate="cut"}')
    before = house.memory()
    house.forget_peak()
    async with Company(house.url, least=10):
        stall(greedy)
        asked = 0
        while house.figure('parlour_lagging_total{fate="cut"}') == cuts:
            assert asked < 10_000, "nobody stops it"
            for _ in range(50):
                await greedy.send(Sync(ref=new_ref(), match=match, after=1_000_000))
            asked += 50
    assert house.peak() - before < 16 * MIB
    assert process_memory(house.hub.pid, "VmRSS")
    player.cut()
    await greedy.vanish()
