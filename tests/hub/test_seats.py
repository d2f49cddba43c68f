"""Seats between coming and going, against two real hubs (B2, E12)."""

from __future__ import annotations

import asyncio
import time

import pytest

from protocol.messages import (
    Accepted,
    Away,
    Ended,
    Join,
    Joined,
    Move,
    Refused,
    SeatFreed,
    Watch,
)
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open
from tests.pace import within


@pytest.fixture(scope="module")
def arguments() -> tuple[str, ...]:
    """Trials want more than a human's pace."""
    return ("--limit", "pace=1000")


@pytest.mark.faults
@pytest.mark.parametrize(("way", "free"), [("reset", 1), ("garbage", 0)])
async def test_b2_the_free_seat_that_looks_taken(
    hubs: list[HubProcess], open_client: Open, way: str, free: int
) -> None:
    """A joiner dies right behind the join: within 5 s the seat is free, whichever that is; the next joiner gets it."""
    host = await open_client("Host")
    match = (await host.create("square", seat=1 - free)).match
    ghost = await Client.open(hubs[1].url, "Ghost")
    await ghost.send(Join(ref="j", match=match))
    began = time.monotonic()
    if way == "garbage":
        await host.expect(Joined)
        ghost.socket.transport.write(b"\xff" * 100)
        await ghost.socket.wait_closed()
    else:
        await host.expect(Joined)
        ghost.cut()
    await host.expect(SeatFreed)
    within(time.monotonic() - began, 5.0)
    guest = await open_client("Guest", url=hubs[1].url)
    assert (await guest.join(match)).you == (free,)
    assert (await host.expect(Joined)).name == "Guest"


@pytest.mark.faults
async def test_b2_who_comes_back_in_time_keeps_the_seat(hubs: list[HubProcess], open_client: Open) -> None:
    host = await open_client("Host")
    match = (await host.create("square")).match
    guest = await Client.open(hubs[1].url, "Guest")
    await guest.join(match)
    guest.cut()
    again = await open_client("Guest", token=guest.token)
    await again.ask(Watch(ref="w", match=match), Accepted)
    await asyncio.sleep(4)
    assert not [event for event in host.events(match) if isinstance(event, SeatFreed)]


async def test_h16_refusals_do_not_steer_a_terminal(open_client: Open) -> None:
    """What was sent comes back in a sentence without its control characters."""
    client = await open_client("Ana")
    snapshot = await client.create("square", both_seats=True)
    for move in ("\x1b[2Jx", "a\x07\r\b", "\u202eabc"):
        move_it = Move(ref=client.ref(), match=snapshot.match, version=snapshot.version, move=move)
        refused = await client.ask(move_it, Refused)
        assert refused.text.isprintable()


@pytest.mark.faults
async def test_e12_joined_but_silent(open_client: Open) -> None:
    """Who joins, says a word and vanishes frees the opponent after the grace time that the host chose."""
    host, guest = await open_client("Host"), await open_client("Guest")
    match = (await host.create("square", grace_s=2)).match
    await guest.join(match)
    await guest.ask(Watch(ref="w", match=match), Accepted)
    guest.cut()
    began = time.monotonic()
    away = await host.expect(Away)
    assert away.away[0].seat == 1
    ended = await host.expect(Ended)
    assert ended.result.reason == "aborted"
    within(time.monotonic() - began, 6.0)
