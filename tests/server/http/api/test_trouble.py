"""By HTTP, too, nothing that was acknowledged is lost: two hubs, one that is killed, one that stops, a silent store."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.driver import HubProcess, RedisProcess
from tests.pace import WAIT_S, within
from tests.server.http.api.player import HttpPlayer, Plain, web


@pytest.fixture
def two_hubs(redis: RedisProcess, tmp_path: Path) -> Iterator[tuple[HubProcess, HubProcess]]:
    """Two hubs over one store."""
    hubs = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        hubs.append(HubProcess(tmp_path / name, "--redis", redis.url))
    try:
        for hub in hubs:
            hub.start()
        yield hubs[0], hubs[1]
    finally:
        for hub in hubs:
            hub.kill()


async def test_any_hub_serves_anybody(two_hubs: tuple[HubProcess, HubProcess]) -> None:
    """Promise 7: the players are on different hubs, and a poll at one is woken by a move at the other."""
    async with web(two_hubs[0]) as first, web(two_hubs[1]) as second:
        ana, bob = await HttpPlayer.come(first, "Ana"), await HttpPlayer.come(second, "Bob")
        hosted = await ana.create()
        joined = await bob.join(hosted["match"])
        match = joined["match"]
        poll = asyncio.create_task(bob.updates(match, joined["version"], wait=20))
        await asyncio.sleep(0.3)
        done = await ana.move(match, joined["version"], "11-15")
        asked_at = time.monotonic()
        told = await poll
        assert time.monotonic() - asked_at < 10  # not at the end of the 20 s that were asked for
        within(time.monotonic() - asked_at, 1)
        assert [event["move"] for event in told["updates"]] == ["11-15"]
        await bob.move(match, done["version"], "22-17")
        assert (await ana.updates(match, done["version"], wait=20))["to_move"] == 0


async def test_a_killed_hub_loses_nothing(two_hubs: tuple[HubProcess, HubProcess]) -> None:
    """Promises 1, 2, 7, K1: the same request, sent again to the other hub, is answered as the first time."""
    async with web(two_hubs[0]) as first, web(two_hubs[1]) as second:
        ana, bob = await HttpPlayer.come(first, "Ana"), await HttpPlayer.come(first, "Bob")
        joined = await bob.join((await ana.create())["match"])
        path = f"/matches/{joined['match']}/updates"
        move = {"ref": "mine", "type": "move", "version": joined["version"], "move": "11-15"}
        before = await ana.post(path, move, 200)
        two_hubs[0].kill()
        with pytest.raises(httpx.TransportError):
            await ana.post(path, move, 200)
        ana, bob = HttpPlayer(second, ana.guest), HttpPlayer(second, bob.guest)
        assert await ana.post(path, move, 200) == before
        told = await bob.updates(joined["match"], joined["version"], wait=5)
        assert [event["version"] for event in told["updates"] if event["type"] == "moved"] == [before["version"]]


async def test_a_stop_answers_who_waits(two_hubs: tuple[HubProcess, HubProcess]) -> None:
    """K2: within a second, not after the 20 s that were asked for; and the player goes on elsewhere."""
    async with web(two_hubs[0]) as first, web(two_hubs[1]) as second:
        ana = await HttpPlayer.come(first, "Ana")
        hosted = await ana.create()
        poll = asyncio.create_task(ana.updates(hosted["match"], hosted["version"], wait=20))
        await asyncio.sleep(0.3)
        started = time.monotonic()
        assert await asyncio.to_thread(two_hubs[0].stop) == 0
        within(time.monotonic() - started, 3)
        told = await poll
        assert (told["version"], told["updates"]) == (hosted["version"], [])
        state = await HttpPlayer(second, ana.guest).state(hosted["match"])
        assert state["status"] == "waiting"


async def test_a_silent_store_is_told_and_nothing_is_swallowed(redis: RedisProcess, link: httpx.AsyncClient) -> None:
    """J5, Q5: 504 within 5 s, for it is not known; the same request once it answers again is done once."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    joined = await bob.join((await ana.create())["match"])
    move: Plain = {"ref": "mine", "type": "move", "version": joined["version"], "move": "11-15"}
    path = f"/matches/{joined['match']}/updates"
    poll = asyncio.create_task(bob.updates(joined["match"], joined["version"], wait=25))
    await asyncio.sleep(0.2)
    redis.signal(signal.SIGSTOP)
    try:
        started = time.monotonic()
        answer = await link.post(path, json=move, headers={"authorization": f"Bearer {ana.guest['token']}"})
        within(time.monotonic() - started, 5)
        # Sent before the hub noticed it is not known; when it had noticed, nothing was sent.
        assert (answer.status_code, answer.json()["code"]) in ((504, "unknown_outcome"), (503, "unavailable"))
        assert int(answer.headers["retry-after"]) >= 1
    finally:
        redis.signal(signal.SIGCONT)
    deadline = time.monotonic() + WAIT_S
    while True:
        answer = await link.post(path, json=move, headers={"authorization": f"Bearer {ana.guest['token']}"})
        if answer.status_code == 200:
            break
        assert answer.status_code in (503, 504)
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)
    told = await poll
    moved = [event for event in told["updates"] if event["type"] == "moved"]
    if not moved:
        # The outage itself was news already.
        moved = (await bob.updates(joined["match"], told["version"], wait=10))["updates"]
    assert [event["move"] for event in moved if event["type"] == "moved"] == ["11-15"]
    assert (await bob.state(joined["match"]))["plies"] == 1
