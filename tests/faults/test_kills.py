"""Hubs killed in the middle of play: what was acknowledged is there, once, and play goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from random import Random

import pytest

from protocol.messages import Move
from tests.faults.stage import Stage, Trial, eventually, rounds
from tests.faults.stubborn import Table
from tests.faults.table import percentile
from tests.faults.under_fire import hit_in_commit

pytestmark = pytest.mark.faults

BACK_WITHIN_S = 3.0


@pytest.fixture
def stage(tmp_path_factory: pytest.TempPathFactory, hubs: int) -> Iterator[Stage]:
    """Hubs of this trial alone."""
    stage = Stage(tmp_path_factory.mktemp("kills"), hubs)
    try:
        stage.start()
        yield stage
    finally:
        stage.stop()


@pytest.mark.parametrize(("hubs", "tables"), [(1, 10), (2, rounds(200))], ids=["A3_one_hub", "K1_two_hubs"])
async def test_a3_k1_killed_under_play(trial: Trial, hubs: int, tables: int) -> None:
    """A3, K1: after kills at random moments all that was acknowledged is stored once; all games go on within 3 s."""
    rng = Random(3)
    kills = rounds(300)
    up, stop = asyncio.Event(), asyncio.Event()
    up.set()
    row = trial.fault("K1 hub killed in mid-move" if hubs > 1 else "A3 hub killed under play")
    # Many tables at a person's pace, or few as fast as they can.
    think_s = 0.03 if hubs > 1 else 0
    games = [Table(trial, number, up, (number % hubs, (number + 1) % hubs), think_s) for number in range(tables)]
    playing = [asyncio.create_task(game.play(stop)) for game in games]

    def all_play() -> bool:
        for task in playing:
            if task.done():
                task.result()
        return all(game.resumed_at is not None for game in games)

    under_way = 0
    killed_ms: list[float] = []
    try:
        await eventually(all_play)
        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0, 0.1))  # the random moment
            hub = trial.stage.hubs[rng.randrange(hubs)]
            if hubs == 1:
                up.clear()
            hub.kill()
            row.times += 1
            killed = time.monotonic()
            killed_ms.append(time.time() * 1000)
            for game in games:
                game.resumed_at = None
            under_way += any(isinstance(player.pending, Move) for game in games for player in game.players)
            await asyncio.to_thread(hub.start)
            since = time.monotonic() if hubs == 1 else killed
            up.set()
            await eventually(all_play)
            row.resumed_s += [max(0.0, (game.resumed_at or since) - since) for game in games]
    finally:
        stop.set()
        up.set()
        await asyncio.gather(*playing)
    logs = await trial.check()
    players = [player for game in games for player in game.players]
    doubts = [doubt for player in players for doubt in player.doubts]
    row.hits = len(hit_in_commit(logs, killed_ms, doubts))
    trial.provoked("kills with moves under way", under_way, kills, least=kills // 5)
    trial.provoked("kills between the storing of a command and its acknowledgement", row.hits, kills)
    trial.provoked("returns of players", sum(player.returns for player in players), kills * tables, least=kills)
    p95 = percentile(row.resumed_s, 95)
    print(f"{sum(game.moves for game in games)} moves; p95 until play went on {p95:.2f} s")
    assert p95 < BACK_WITHIN_S
