"""What one guest makes a hub keep in memory (Q13, Q14): measured in its process, before, at most, and afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from protocol.messages import Accepted, Create, Watch
from tests.driver import WAIT_S, Client, HubProcess
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, staged

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]

MIB = 1024 * 1024
DEAF = 60 if FULL else 12
OUTBOX = MIB // 4
"""What may wait for each of them, and an answer more."""
ANSWERS = 6 * MIB
"""What each asks for; the kernel takes some 4 MiB of it off the hub's hands."""
FRAGMENTED = 10 if FULL else 4
FRAGMENTS = 16_001


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A hub that lets a client ask as fast as it can: speed is another trial's matter."""
    with staged(tmp_path, 1, arguments=("--limit", "pace=100000")) as stage:
        yield stage


@pytest.fixture
def hubs() -> int:
    return 1


def memory(hub: HubProcess, what: str = "VmRSS") -> int:
    """VmRSS or VmHWM of a hub, in bytes."""
    found = re.search(rf"^{what}:\s+(\d+) kB", Path(f"/proc/{hub.pid}/status").read_text(), re.MULTILINE)
    assert found, what
    return int(found[1]) * 1024


def forget_peak(hub: HubProcess) -> None:
    """Let VmHWM start from what the hub holds now."""
    Path(f"/proc/{hub.pid}/clear_refs").write_text("5")


@asynccontextmanager
async def deaf(hub: HubProcess, count: int) -> AsyncIterator[list[Client]]:
    """Clients that read nothing after their hello, not even into their kernel."""
    clients = []
    for number in range(count):
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.setblocking(False)
        await asyncio.get_running_loop().sock_connect(link, ("127.0.0.1", hub.port))
        client = await Client.open(hub.url, f"Deaf {number}", sock=link, ping_interval=None)
        frames = client.socket.recv_messages
        frames.pause = frames.resume = lambda: None
        client.socket.transport.pause_reading()
        clients.append(client)
    try:
        yield clients
    finally:
        for client in clients:
            client.cut()
        await asyncio.gather(*(client.socket.wait_closed() for client in clients))


async def test_q13_sockets_that_ask_and_do_not_read(trial: Trial) -> None:
    """Q13: each may have its outbox full, then nothing more is read from it; when it is gone, so is the memory."""
    hub = trial.stage.hubs[0]
    judged, *pair = await trial.pair()
    host = await Client.open(hub.url, "Ana")
    large = Create(ref="c", game="dots-and-boxes", options={"width": 15, "height": 15}, both_seats=True)
    match = (await host.ask(large, Accepted)).match
    trial.disregard([match])
    row = trial.fault("Q13 sockets that ask and do not read")
    async with deaf(hub, DEAF) as clients:
        before = memory(hub)
        forget_peak(hub)

        async def ask(client: Client) -> None:
            with contextlib.suppress(ConnectionClosed, TimeoutError):
                for _ in range(ANSWERS // 20_000):
                    async with asyncio.timeout(5):
                        await client.send(Watch(ref=client.ref(), match=match))
                    row.times += 1
                    await asyncio.sleep(0)

        asking = asyncio.gather(*(ask(client) for client in clients))
        # Each has its outbox full, or all that was asked for is answered.
        done, quiet = -1.0, 0
        while quiet < 6:
            await asyncio.sleep(0.5)
            now = trial.stage.counter(r'parlour_commands_total{outcome="done",type="Watch"}')
            quiet, done = (quiet + 1 if now == done else 0), now
        peak = memory(hub, "VmHWM")
        full = trial.stage.counter("parlour_connections")
    await asking
    with contextlib.suppress(AssertionError):
        await eventually(lambda: memory(hub) - before < DEAF * OUTBOX // 2, 0.2, 10)
    after = memory(hub)
    print(
        f"{DEAF} deaf: {row.times} asked, {done:.0f} answered; {before / MIB:.0f} MiB before, "
        f"{peak / MIB:.0f} at most, {after / MIB:.0f} when they had gone; {full:.0f} connections, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    trial.provoked("asked and not read", row.times, row.times, least=DEAF * 100)
    assert peak - before < DEAF * (OUTBOX + 200 * 1024) + 8 * MIB
    assert after - before < DEAF * OUTBOX // 2 + 8 * MIB
    host.cut()
    assert await pair[0].reach(judged, 2)
    await trial.check()


def fragmented() -> bytes:
    """One message in frames of a byte each, which is never finished."""
    head, mask = 0x80, bytes(4)
    first = bytes([0x02, head | 1]) + mask + b"\x81"
    return first + (bytes([0x00, head | 1]) + mask + b"x") * (FRAGMENTS - 1)


async def test_q14_fragments_and_half_messages(trial: Trial) -> None:
    """Q14: 16,001 frames of a byte each, and messages that are begun and not ended: closed, or kept as they came."""
    hub = trial.stage.hubs[0]
    judged, *pair = await trial.pair()
    before = memory(hub)
    forget_peak(hub)
    row, data = trial.fault("Q14 fragments of a byte"), fragmented()
    clients = [await Client.open(hub.url, f"Bits {number}") for number in range(FRAGMENTED)]
    for client in clients:
        client.socket.transport.write(data)
        row.times += FRAGMENTS
    codes = []
    for client in clients:
        async with asyncio.timeout(WAIT_S):
            await client.socket.wait_closed()
        codes.append(client.socket.close_code)
    halves = [await Client.open(hub.url, f"Half {number}") for number in range(DEAF)]
    for client in halves:
        # The head of a frame of 16 KiB, and all of it but the last byte.
        client.socket.transport.write(bytes([0x82, 0xFE, 0x40, 0x00]) + bytes(4) + bytes(16 * 1024 - 1))
    trial.fault("Q14 half messages", times=len(halves))
    await asyncio.sleep(1)
    peak = memory(hub, "VmHWM")
    for client in halves:
        client.cut()
    await asyncio.gather(*(client.socket.wait_closed() for client in halves))
    print(
        f"{FRAGMENTED} x {FRAGMENTS} fragments, {len(halves)} half messages: {before / MIB:.0f} MiB before, "
        f"{peak / MIB:.0f} at most; close codes {set(codes)}"
    )
    assert set(codes) <= {1009, 1006}
    assert peak - before < 8 * MIB + DEAF * 64 * 1024
    assert await pair[0].reach(judged, 2)
    await trial.check()
