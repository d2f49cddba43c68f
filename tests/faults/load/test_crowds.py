"""Many connections and many guests of one address (Q14): others come in, are served, and their right keys work."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from protocol.messages import Accepted, Create, Join, Refused
from tests.driver import Client, HubProcess
from tests.faults.trial.stage import FULL, Stage, Trial, staged

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]

MOST = 400 if FULL else 100
"""Connections that the hub takes."""
FROM_ADDRESS = MOST // 2
PIPELINING, REQUESTS = (390, 30) if FULL else (90, 30)
GUESSERS = 200 if FULL else 40
IN_ALL = 30
OTHERS = 10
ELSEWHERE = "127.0.0.2"
"""An address of this machine that is not its own name for itself, so that it counts like any other."""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    limits = f"pace=1,connections={MOST},connections_from_address={FROM_ADDRESS},wrong_keys_in_all={IN_ALL}"
    with staged(tmp_path, 1, arguments=("--limit", limits, "--proxy", "127.0.0.1")) as stage:
        yield stage


@pytest.fixture
def hubs() -> int:
    return 1


Link = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def linked(hub: HubProcess, address: str = "") -> Link:
    return await asyncio.open_connection("127.0.0.1", hub.port, local_addr=(address, 0) if address else None)


async def served(hub: HubProcess, times: int = OTHERS) -> tuple[list[int], list[float]]:
    """The statuses (0: none) and times (s) of requests of somebody else, each over a connection of its own."""
    statuses, took_s = [], []
    for _ in range(times):
        began, answer = time.monotonic(), b""
        with contextlib.suppress(OSError):
            reader, writer = await linked(hub)
            writer.write(b"GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            answer = await reader.read()
            writer.close()
        statuses.append(int(answer[9:12] or 0))
        took_s.append(time.monotonic() - began)
        await asyncio.sleep(0.02)
    return statuses, took_s


def let_go(links: Sequence[Link]) -> None:
    for _, writer in links:
        writer.transport.abort()


async def test_q14_half_open_heads(trial: Trial) -> None:
    """Q14: as many half heads as the hub takes connections, and more: others come in, for the longest idle give way; of
    an address that is counted there are only so many."""
    hub = trial.stage.hubs[0]
    judged, *pair = await trial.pair()
    row = trial.fault("Q14 half-open heads")
    links = []
    for _ in range(MOST + 50):
        link = await linked(hub)
        link[1].write(b"GET /health HTTP/1.1\r\nHost: h\r\nX-Half: ")
        links.append(link)
        row.times += 1
    statuses, took_s = await served(hub)
    row.resumed_s += took_s
    late = await trial.open("Late")
    assert statuses == [200] * OTHERS
    let_go(links)
    counted = trial.fault("Q14 connections of one address")
    turned_away, links = 0, []
    for _ in range(FROM_ADDRESS + 20):
        link = await linked(hub, ELSEWHERE)
        links.append(link)
        counted.times += 1
    for reader, _ in links[FROM_ADDRESS:]:
        turned_away += (await reader.read())[9:12] == b"429"
    let_go(links)
    print(f"{row.times} half heads: others {statuses}; {turned_away} of {counted.times} of one address turned away")
    trial.provoked("turned away", turned_away, 20, least=20)
    assert await pair[0].reach(judged, 2)
    assert late.welcome is not None
    await trial.check()


async def test_q14_pipelined_requests(trial: Trial) -> None:
    """Q14: hundreds of sockets with thirty requests each at once: two of each are answered, others wait for those."""
    hub = trial.stage.hubs[0]
    judged, *pair = await trial.pair()
    row = trial.fault("Q14 pipelined requests")
    links = [await linked(hub) for _ in range(PIPELINING)]
    for _, writer in links:
        writer.write(b"GET /api/games HTTP/1.1\r\nHost: h\r\n\r\n" * REQUESTS)
        row.times += REQUESTS
    statuses, took_s = await served(hub)
    row.resumed_s += took_s
    answers = 0
    for reader, _ in links:
        with contextlib.suppress(ConnectionError):
            answers += (await reader.read()).count(b"HTTP/1.1 200")
    let_go(links)
    print(f"{row.times} requests on {PIPELINING} sockets: {answers} answered; others {statuses} in {max(took_s):.2f} s")
    trial.provoked("pipelined and not answered", row.times - answers, row.times, least=PIPELINING * (REQUESTS - 2))
    assert answers <= 2 * PIPELINING
    assert statuses == [200] * OTHERS
    assert await pair[0].reach(judged, 2)
    await trial.check()


async def test_q14_wrong_keys_of_fresh_guests(trial: Trial) -> None:
    """Q14: new guests who guess once each have filled the hub's bucket; a right key works, and guessing is slow."""
    hub = trial.stage.hubs[0]
    host = await trial.open("Host")
    key = (await host.ask(Create(ref=host.ref(), game="square", private=True), Accepted)).key or ""
    row = trial.fault("Q14 wrong keys of fresh guests")
    codes: list[str] = []
    for number in range(GUESSERS):
        address = {"X-Forwarded-For": f"192.0.2.{number % 250}"}
        client = await Client.open(hub.url, f"Eve {number}", additional_headers=address)
        for guess in range(5 if number < 10 else 1):
            join = Join(ref=client.ref(), key=f"AAAA-{number:04}-{guess:04}")
            await client.send(join)
            answer = await client.answer(join.ref)
            assert isinstance(answer, Refused)
            codes.append(answer.code)
            row.times += 1
        client.cut()
        await client.socket.wait_closed()
    friend = await trial.open("Friend")
    accepted = await friend.ask(Join(ref=friend.ref(), key=key), Accepted)
    assert accepted.match
    print(f"{row.times} wrong keys: {codes.count('wrong_key')} looked up; load {os.getloadavg()[0]:.1f}")
    trial.provoked("keys looked up beyond the hub's bucket", codes.count("wrong_key") - IN_ALL, row.times)
    assert codes.count("too_fast") >= 5, "who goes on is slowed down"
    await trial.check()
