"""One guest cannot slow a hub (Q12): what it gets for its trouble is counted, and what others notice of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any, NamedTuple

import pytest
from msgspec import structs

from protocol.errors import Code
from protocol.messages import Accepted, Command, Create, GetRecord, Look, Offer, Watch
from server.games import load_catalogue
from tests.driver import ROOT, Client, HubProcess
from tests.faults.trial import evidence
from tests.faults.trial.greedy import Greedy
from tests.faults.trial.play import play
from tests.faults.trial.stage import FULL, Stage, Trial, staged
from tests.faults.trial.table import percentile

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]

CONNECTIONS = 20
OTHERS, PACE_MS = 20, 500
FOR_S = 20.0 if FULL else 2.0
PLIES = 2_000
LOOKS_A_S, BURST_S = 30, 5
"""What docs/hosting.md grants a player."""
SLICE_S = 0.016
"""CPU time of a slice at most: 2 ms, and the step it is in then; the rest is what else runs in the thread."""


class Figures(NamedTuple):
    """What a hub says of itself, and its process."""

    cpu_s: float
    late: dict[float, float]
    slices: dict[float, float]

    @classmethod
    def of(cls, hub: HubProcess) -> Figures:
        page = hub.get("/metrics")[1]
        fields = Path(f"/proc/{hub.pid}/stat").read_text().rpartition(")")[2].split()
        cpu_s = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return cls(cpu_s, _buckets(page, "parlour_loop_late_seconds"), _buckets(page, "parlour_slice_seconds"))


def _buckets(page: str, name: str) -> dict[float, float]:
    found = re.findall(rf'^{name}_bucket{{le="([^"]+)"}} (\S+)$', page, re.MULTILINE)
    return {float(bound): float(count) for bound, count in found}


def above(after: dict[float, float], before: dict[float, float], bound: float) -> int:
    """How many came between two looks that took longer than `bound`, one of the buckets' bounds."""
    return round(sum(sign * (each[float("inf")] - each[bound]) for sign, each in ((1, after), (-1, before))))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs with the limits that everybody has."""
    with staged(tmp_path, arguments=("--limit", "pace=1")) as stage:
        yield stage


@cache
def long_game() -> tuple[str, ...]:
    """A game of Checkers without end: legal moves, captures avoided (of most seeds it ends early)."""
    game = load_catalogue()["checkers"]
    moves: list[str] = []
    rng, state = Random(3), game.new(game.parse_options({"draw_after": 0}))
    while len(moves) < PLIES:
        legal = list(game.legal_moves(state))
        rng.shuffle(legal)
        lasting = [move for move in legal if game.legal_moves(game.play(state, move))]
        moves.append(next((move for move in lasting if "x" not in move), lasting[0]))
        state = game.play(state, moves[-1])
    return tuple(moves)


async def played(url: str, seconds: float, count: int = OTHERS) -> dict[str, list[Any]]:
    """Others play, in a process of their own."""
    others = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.faults.trial.bystander", url, str(seconds), str(count), str(PACE_MS),
        cwd=ROOT, stdout=PIPE,
    )  # fmt: skip
    printed, _ = await others.communicate()
    assert others.returncode == 0
    told: dict[str, list[Any]] = json.loads(printed)
    return told


@pytest.mark.timed
@pytest.mark.parametrize("attack", ["looks", "records", "watches", "matches", "reverts"] if FULL else ["reverts"])
async def test_q12_one_guest_over_twenty_connections(trial: Trial, attack: str) -> None:
    """Q12: looks at ply 2,000, records and snapshots of it, new matches of 2,000 moves, and in a match of its
    own going back to 2,000 moves the last of which is wrong, as fast as they are granted, over 20 connections of one
    guest, while 20 others play: it is granted what one connection would be, and the hub's own work for it is
    bounded."""
    hub = trial.stage.hubs[0]
    host = await Client.open(hub.url, "Long")
    moves = long_game()
    create = Create(ref="c", game="checkers", options={"draw_after": 0}, moves=moves, both_seats=True)
    match = (await host.ask(create, Accepted)).match

    commands: dict[str, Command] = {
        "looks": Look(ref="", match=match, ply=PLIES),
        "records": GetRecord(ref="", match=match),
        "watches": Watch(ref="", match=match),
        "matches": Create(ref="", game="checkers", options={"draw_after": 0}, moves=moves),
        "reverts": Offer(ref="", match="", kind="revert", moves=(*moves[:-1], "wrong")),
    }

    judged, *pair = await trial.pair()
    before = Figures.of(hub)
    calm = await played(trial.url(), FOR_S)
    between = Figures.of(hub)
    own = structs.replace(create, moves=()) if attack == "reverts" else None
    began, greedy = time.monotonic(), await Greedy(trial.url(), commands[attack], host=own).begin(CONNECTIONS)
    loaded, _ = await asyncio.gather(played(trial.url(), FOR_S), play(pair, judged, Random(1)))
    took_s = time.monotonic() - began
    await greedy.end()
    host.cut()
    after = Figures.of(hub)
    trial.disregard(evidence.match_ids(trial.store) - {judged})
    calm_s, loaded_s = ([wait / 1000 for wait in told["waits_ms"]] for told in (calm, loaded))
    trial.fault(f"Q12 nobody asks for {attack}", times=len(calm_s), resumed_s=calm_s)
    trial.fault(f"Q12 {attack} over 20 connections", times=greedy.sent, resumed_s=loaded_s)
    granted = greedy.told[""]
    cpu = [(b.cpu_s - a.cpu_s) / FOR_S for a, b in ((before, between), (between, after))]
    trial.provoked(f"{attack} sent", greedy.sent, greedy.sent, least=100)
    print(
        f"{attack}: {dict(greedy.told)} in {took_s:.1f} s; p95 of others' moves {percentile(calm_s, 95) * 1000:.0f} ms "
        f"calm, {percentile(loaded_s, 95) * 1000:.0f} ms then; hub's CPU {cpu[0]:.2f} calm, {cpu[1]:.2f} then; loop "
        f"later than 50 ms {above(between.late, before.late, 0.05)} times calm, "
        f"{above(after.late, between.late, 0.05)} then; slices {above(after.slices, before.slices, 0.0005)}, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    assert granted <= LOOKS_A_S * (took_s + BURST_S + 1)
    assert above(after.slices, before.slices, SLICE_S) <= 0.02 * max(50, above(after.slices, before.slices, 0.0005))
    assert above(after.slices, before.slices, 0.0005) >= greedy.told[Code.DOES_NOT_REPLAY], "each was judged in slices"
    assert len(loaded_s) > len(calm_s) / 2
    await trial.check()
