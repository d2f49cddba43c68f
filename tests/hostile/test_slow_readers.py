"""G1: who stops reading harms nobody, gets what it missed when it reads again, and is cut when it does not."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgpack
import pytest

from protocol import limits
from protocol.messages import Accepted, Create, Say, Sync
from tests.driver import Client
from tests.faults.trial.recorder import Recorder
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
from tests.pace import WAIT_S, within

DUE = 5 * MIB
"""What is due to each in full. Less may prove nothing: the kernel takes up to 4 MiB off the hub's hands."""
ASKED = 400
"""Snapshots that the stalled ask for in short, before anything is due to them: as much as the kernel may take. What is
told then fills their outboxes at once, long before the hub's keepalive finds them dead, however slow the machine is."""
CUT_S = 40.0
STOP_S = 8.0
WINDOW = 4096
"""A receive buffer so small that at least our own kernel takes nothing more."""
MATCHES = 4
LINES = 25
"""Said at once by each speaker, between two moves."""
LONG_LINE = "\U00020000" * limits.MAX_CHAT
"""As many bytes as a line can have: events that weigh something."""


@dataclass
class Match:
    """One person moves for both seats; a spectator talks and talks, and so counts what every spectator is due."""

    player: Client
    speaker: Client
    match: str
    version: int
    lines: list[str]
    told_bytes: int = 0

    @classmethod
    async def open(cls, url: str) -> Self:
        player, speaker = [await Client.open(url, name, ping_interval=None) for name in ("Solo", "Speaker")]
        options: dict[str, int | str | bool] = {"width": 15, "height": 15}
        shown = await player.create(both_seats=True, options=options)
        await speaker.ask(Sync(ref=new_ref(), match=shown.match, after=1), Accepted)
        return cls(player, speaker, shown.match, shown.version, sorted(shown.legal))

    async def round(self) -> None:
        """A move, and many lines."""
        self.version = (await self.player.move(self.match, self.version, self.lines.pop())).version
        self.player.received.clear()
        for _ in range(LINES):
            await self.speaker.send(Say(ref=new_ref(), match=self.match, text=LONG_LINE))
        accepted = said = 0
        async with asyncio.timeout(WAIT_S):
            while accepted < LINES or said < LINES:
                data = await self.speaker.socket.recv(decode=False)
                kind = msgpack.unpackb(data)["type"]
                assert kind in ("accepted", "said", "moved", "presence"), data
                accepted += kind == "accepted"
                said += kind == "said"
                self.told_bytes += len(data) if kind != "accepted" else 0

    def close(self) -> None:
        self.player.cut()
        self.speaker.cut()


@asynccontextmanager
async def traffic_at(house: House) -> AsyncIterator[list[Match]]:
    """Matches in which a lot happens, as fast as the hub takes it."""
    traffic = [await Match.open(house.url) for _ in range(MATCHES)]
    try:
        yield traffic
    finally:
        for match in traffic:
            match.close()


def due(traffic: list[Match]) -> int:
    """Bytes that were told to everybody who follows all the matches."""
    return sum(match.told_bytes for match in traffic)


async def watcher(url: str, traffic: list[Match], token: str | None = None) -> Recorder:
    """A spectator of all the matches."""
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
    link.setblocking(False)
    host, port = url.removeprefix("ws://").removesuffix("/ws").split(":")
    await asyncio.get_running_loop().sock_connect(link, (host, int(port)))
    client = await Recorder.open(url, "Stalled", sock=link, token=token)
    for match in traffic:
        await client.watch(match.match)
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


async def measured(house: House, traffic: list[Match], rounds: int) -> list[float]:
    """How long the moves of two honest players take during so much traffic."""
    async with Company(house.url, least=1) as company:
        for _ in range(rounds):
            await asyncio.gather(*(match.round() for match in traffic))
        return list(company.taken_s)


@pytest.mark.timed
@pytest.mark.faults
@pytest.mark.timeout(600)
async def test_g1_a_slow_reader_harms_nobody(tmp_path: Path, record_property: Any) -> None:
    """G1: 50 spectators stop reading while 5 MB is due to each: memory grows by at most 64 MiB, the players' moves take
    what they took, the stalled are cut within 40 s and can come back.

    In short there are 5, until all have more than their outboxes hold, to which their own questions help; they read on
    in time and are shown what they missed, but for one. The hub stops in time.
    """
    count = times(50, 5)
    with housed(tmp_path, *UNMETERED) as house:
        async with traffic_at(house) as traffic:
            calm = await measured(house, traffic, 10)
            stalled = [await watcher(house.url, traffic) for _ in range(count)]
            before, told = house.memory(), due(traffic)
            house.forget_peak()
            for client in stalled:
                stall(client)
                for _ in range(0 if FULL else ASKED):
                    await client.send(Sync(ref=new_ref(), match=traffic[0].match, after=1_000_000))
            began = time.monotonic()
            loaded: list[float] = []
            lagging = 0.0
            while due(traffic) - told < DUE and (FULL or lagging < count):
                loaded += await measured(house, traffic, 10 if FULL else 1)
                lagging = house.figure('parlour_lagging_total{fate="resynchronised"}')
            grown = house.peak() - before
            record_property(
                "provoked",
                f"stalled: {count}, lagging: {lagging:.0f}, due to each: {(due(traffic) - told) / MIB:.1f} MiB after "
                f"{time.monotonic() - began:.0f} s, hub grew by {grown / MIB:.1f} MiB, p99 of moves "
                f"{percentile(calm, 0.99) * 1000:.0f} ms calm and {percentile(loaded, 0.99) * 1000:.0f} ms then",
            )
            assert lagging >= count, "they never came to lag"
            assert grown < 64 * MIB
            # The players' loop is ours, too, and other programs run: a tenfold would be the hub's doing.
            assert percentile(loaded, 0.99) < max(10 * percentile(calm, 0.99), 0.25)
            if FULL:
                await cut_and_back(house, traffic, stalled, time.monotonic())
            else:
                await shown_again(house, traffic, stalled[1:])
            await stopped_in_time(house)
        for client in stalled:
            await client.vanish()


async def shown_again(house: House, traffic: list[Match], stalled: list[Recorder]) -> None:
    """Who reads on has everything soon."""
    for client in stalled:
        read_on(client)
    fresh = await watcher(house.url, traffic)
    for match in traffic:
        expected = fresh.views[match.match].digest()
        for client in stalled:
            assert (await client.reach(match.match, match.version)).digest() == expected
    await fresh.vanish()


async def cut_and_back(house: House, traffic: list[Match], stalled: list[Recorder], since: float) -> None:
    """Who does not read is cut, and may come back as the same guest."""
    while house.figure('parlour_lagging_total{fate="cut"}') < len(stalled):
        assert time.monotonic() - since < CUT_S + WAIT_S, "they are not cut"
        await asyncio.sleep(0.2)
    within(time.monotonic() - since, CUT_S)
    for client in stalled:
        back = await watcher(house.url, traffic, client.token)
        assert back.player == client.player
        for match in traffic:
            await back.reach(match.match, match.version)
        await back.vanish()


async def stopped_in_time(house: House) -> None:
    """K2: a stalled reader with a full outbox does not hold up a graceful stop."""
    started = time.monotonic()
    assert await asyncio.to_thread(house.hub.stop) == 0
    within(time.monotonic() - started, STOP_S)


async def test_g1_who_asks_and_never_reads(house: House) -> None:
    """G1, Q13: who asks for more and more and reads nothing is asked for nothing more once its outbox is full, which is
    all that it costs; it is cut when it does not read on in time."""
    player = await Client.open(house.url, "Ana")
    options: dict[str, int | str | bool] = {"width": 15, "height": 15}
    created = Create(ref=player.ref(), game="dots-and-boxes", both_seats=True, options=options)
    match = (await player.ask(created, Accepted)).match
    greedy = await Recorder.open(house.url, "Greedy")
    syncs, cuts = 'parlour_commands_total{outcome="done",type="Sync"}', 'parlour_lagging_total{fate="cut"}'
    before, cut_before = house.memory(), house.figure(cuts)
    house.forget_peak()
    async with Company(house.url, least=10):
        stall(greedy)
        answered, asked = -1.0, 0
        while (now := house.figure(syncs)) > answered or asked < 500:
            answered = now
            assert asked < 10_000, "nobody stops it"
            for _ in range(100):
                await greedy.send(Sync(ref=new_ref(), match=match, after=1_000_000))
            asked += 100
            await asyncio.sleep(0.5)
        assert answered < asked
        assert house.peak() - before < 4 * MIB
        began = time.monotonic()
        while FULL and house.figure(cuts) == cut_before:
            assert time.monotonic() - began < CUT_S + WAIT_S, "it is not cut"
            await asyncio.sleep(0.2)
        within(time.monotonic() - began, CUT_S)
    assert process_memory(house.hub.pid, "VmRSS")
    player.cut()
    await greedy.vanish()
