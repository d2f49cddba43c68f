"""Redis killed, its subscribers cut off, and Redis that still loads: nothing is lost, and play goes on by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis.exceptions

from tests.driver import HubProcess
from tests.faults.trial.evidence import Log
from tests.faults.trial.play import play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged
from tests.faults.trial.under_fire import Fire
from tests.pace import within

pytestmark = pytest.mark.faults

ON_WITHIN_S = 5.0
HEARD_WITHIN_S = 2.0
DOWN_S = 10.0 if FULL else 1.0
"""The longest that a killed Redis stays away."""
LOADED_MB = 300 if FULL else 30


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs and a Redis of this trial alone."""
    with staged(tmp_path) as stage:
        yield stage


@pytest.mark.minutes(11)
async def test_j1_redis_killed_and_started_again(trial: Trial) -> None:
    """J1: kills with a restart after 0-10 s under 200 moves/s on two hubs: nothing is lost, and play goes on."""
    rng, server = Random(1), trial.stage.redis
    row = trial.fault("J1 Redis killed and started again")

    async def kill() -> None:
        server.kill()

    async def start_again() -> None:
        await asyncio.sleep(rng.uniform(0, DOWN_S))
        await asyncio.to_thread(server.start)

    played_s = 0.0
    async with Fire(trial, 24 if FULL else 16, think_s=0.1) as fire:

        def moved_on(moves: int) -> bool:
            return fire.moves >= moves

        for _ in range(rounds(100, 5)):
            started = time.monotonic()
            await eventually(partial(moved_on, fire.moves + 100))
            await asyncio.sleep(rng.uniform(0, 0.1))  # the random moment
            played_s += time.monotonic() - started
            await fire.strike(row, kill, start_again, stops_all=True)
    fire.count_hits(row, await trial.check())
    trial.provoked("kills between the storing of a move and its acknowledgement", row.hits or 0, row.times)
    trial.provoked("moves refused while Redis was away", sum(player.refusals for player in fire.players), row.times)
    print(f"{fire.moves} moves; at least {100 * row.times / played_s:.0f} a second")
    within(max(row.resumed_s), ON_WITHIN_S)


async def test_j16_who_asks_whether_a_hub_is_ready_is_told_how_it_is_now(trial: Trial) -> None:
    """J16: not ready from the moment at which its store has gone, whenever it beat last; what is ready takes moves."""
    server, hubs = trial.stage.redis, trial.stage.hubs
    row = trial.fault("J16 Redis gone, and the hubs asked at once")
    match, host, guest = await trial.pair(options={"width": 8, "height": 8})
    rng, said = Random(16), 0
    for _ in range(rounds(50, 5)):
        await play([host, guest], match, rng, moves=2)
        await asyncio.sleep(rng.uniform(0, 0.75))  # somewhere between two beats
        server.kill()
        row.times += 1
        for hub in hubs:
            hub.get("/health")  # By its answer the hub has seen what was to be seen before.
            status, reason = hub.get("/ready")
            assert status == 503
            said += "not subscribed to the other hubs" in reason
        started = time.monotonic()
        await asyncio.to_thread(server.start)
        for hub in hubs:
            await eventually(partial(is_ready, hub))
        row.resumed_s.append(time.monotonic() - started)
    await play([host, guest], match, rng, moves=2)
    await trial.check()
    trial.provoked("hubs that were asked before they had beaten in vain", said, row.times * len(hubs))


def is_ready(hub: HubProcess) -> bool:
    """Whether a hub says so."""
    return hub.get("/ready")[0] == 200


def lateness_ms(client: Recorder, logs: Mapping[str, Log]) -> Iterator[tuple[int, float]]:
    """When each event was received that this client could hear of, and how much later the client knew of it (ms)."""
    for match, heard in client.heard_ms.items():
        known_ms = float("inf")
        for version, event in reversed(logs[match][min(heard) :]):
            known_ms = min(known_ms, heard.get(version, float("inf")))
            yield event["at_ms"], known_ms - event["at_ms"]


async def test_j4_only_the_subscribers_are_cut(trial: Trial) -> None:
    """J4: the subscribers' connections cut 200 times in play: every client has every event within 2 s."""
    rng, hubs = Random(4), len(trial.stage.hubs)
    row = trial.fault("J4 subscribers cut off")
    watchers = [await trial.open("Eve", hub) for hub in range(hubs)]
    store: Any = trial.store
    gaps_ms: list[tuple[float, float]] = []

    def subscribed() -> bool:
        return bool(store.pubsub_numsub("parlour:lobby:changes")[0][1] == hubs)

    async with Fire(trial, 8, think_s=0.02) as fire:
        for _ in range(rounds(200, 10)):
            for table in fire.tables:
                for watcher in watchers:
                    if table.match not in watcher.views:
                        await watcher.watch(table.match)
            await asyncio.sleep(rng.uniform(0, 0.05))  # the random moment
            from_ms = time.time() * 1000
            assert store.client_kill_filter(_type="pubsub") == hubs
            row.times += 1
            await eventually(subscribed)
            gaps_ms.append((from_ms, time.time() * 1000))
    logs = await trial.check()
    late = [pair for client in trial.clients for pair in lateness_ms(client, logs)]
    unheard = [[late_ms for at_ms, late_ms in late if begin <= at_ms <= end] for begin, end in gaps_ms]
    trial.provoked("cuts during which something was stored", sum(map(bool, unheard)), row.times, least=row.times // 2)
    row.resumed_s += [max(gap) / 1000 for gap in unheard if gap]
    within(max(late_ms for _, late_ms in late) / 1000, HEARD_WITHIN_S)
    assert not any(player.refusals or player.returns for player in fire.players)


async def test_j10_redis_still_loading(trial: Trial) -> None:
    """J10: Redis comes back with an append file of 300 MB: hubs wait, say that they are not ready, and take up all."""
    server, (running, starting) = trial.stage.redis, trial.stage.hubs
    row = trial.fault("J10 Redis still loads its append file")
    store: Any = trial.store
    waited = 0
    hub: asyncio.Task[None] | None = None
    ballast = sorted((server.folder / "appendonlydir").glob("*.incr.aof"))[-1]

    def fill() -> None:
        """Many small commands that leave few keys: what takes long to load and no memory."""
        value = b"x" * 100
        commands = b"".join(
            b"*3\r\n$3\r\nSET\r\n$12\r\nballast:%04d\r\n$100\r\n%s\r\n" % (number, value) for number in range(1000)
        )
        with ballast.open("ab") as file:
            for _ in range(LOADED_MB * 1_000_000 // len(commands)):
                file.write(commands)

    def loading() -> bool:
        try:
            return bool(store.info("persistence")["loading"])
        except redis.exceptions.ConnectionError:
            return False

    async def kill() -> None:
        server.kill()
        starting.kill()
        await asyncio.to_thread(fill)

    async def come_back() -> None:
        nonlocal waited, hub
        hub = asyncio.create_task(asyncio.to_thread(starting.start))
        await eventually(lambda: "waiting for the store" in starting.log.read_text())
        await eventually(lambda: running.get("/ready")[0] == 503)
        server.launch()
        await eventually(loading, pause_s=0.001)
        while await asyncio.to_thread(loading):
            status, _ = await asyncio.to_thread(running.get, "/ready")
            if await asyncio.to_thread(loading):
                assert status == 503, status
                assert not hub.done()
                waited += 1

    async with Fire(trial, 8, think_s=0.02) as fire:
        await fire.strike(row, kill, come_back, stops_all=True)
        assert hub is not None
        await hub
        await eventually(lambda: running.get("/ready")[0] == 200)
    fire.count_hits(row, await trial.check())
    trial.provoked("looks at a hub that was not ready while Redis loaded", waited, waited)
    within(max(row.resumed_s), ON_WITHIN_S)
