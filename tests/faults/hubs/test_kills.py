"""Hubs killed in the middle of play: what was acknowledged is there, once, and play goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from protocol.messages import Move
from tests.driver import HubProcess
from tests.faults.trial.stage import Stage, Trial, rounds, staged
from tests.faults.trial.table import percentile
from tests.faults.trial.under_fire import Fire
from tests.pace import within

pytestmark = pytest.mark.faults

BACK_WITHIN_S = 3.0


@pytest.fixture
def stage(tmp_path: Path, hubs: int) -> Iterator[Stage]:
    """Hubs of this trial alone."""
    with staged(tmp_path, hubs) as stage:
        yield stage


@pytest.mark.minutes(8)
@pytest.mark.parametrize(
    ("hubs", "tables"), [(1, rounds(10, 4)), (2, rounds(200, 6))], ids=["A3_one_hub", "K1_two_hubs"]
)
async def test_a3_k1_killed_under_play(trial: Trial, hubs: int, tables: int) -> None:
    """A3, K1: after kills at random moments all that was acknowledged is stored once; all games go on within 3 s."""
    rng = Random(3)
    kills = rounds(300, 6)
    row = trial.fault("K1 hub killed in mid-move" if hubs > 1 else "A3 hub killed under play")
    under_way = 0
    # Many tables at a person's pace, some 600 moves a second in all; or few as fast as they can.
    async with Fire(trial, tables, think_s=0.0015 * tables if hubs > 1 else 0) as fire:

        async def kill(hub: HubProcess) -> None:
            nonlocal under_way
            if hubs == 1:
                fire.up.clear()
            hub.kill()
            under_way += any(isinstance(player.pending, Move) for player in fire.players)

        async def start_again(hub: HubProcess) -> None:
            await asyncio.to_thread(hub.start)
            fire.up.set()

        for _ in range(kills):
            await asyncio.sleep(rng.uniform(0, 0.1))  # the random moment
            hub = trial.stage.hubs[rng.randrange(hubs)]
            await fire.strike(row, partial(kill, hub), partial(start_again, hub), stops_all=hubs == 1)
    fire.count_hits(row, await trial.check())
    trial.provoked("kills with moves under way", under_way, kills, least=kills // 5)
    trial.provoked("kills between the storing of a command and its acknowledgement", row.hits or 0, kills)
    trial.provoked("returns of players", sum(player.returns for player in fire.players), kills * tables, least=kills)
    p95 = percentile(row.resumed_s, 95)
    print(f"{fire.moves} moves; p95 until play went on {p95:.2f} s")
    within(p95, BACK_WITHIN_S)
