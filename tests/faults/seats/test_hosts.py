"""A host who waits is here, and one who does not is not: no ghost is found, and whoever waits is (`Q4`).

The hubs reach Redis by proxies.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol.messages import Abandon, Accepted, Cancel, Create, QuickMatch, Refused
from tests.faults.seats.test_lobby import is_seen_to_be_away
from tests.faults.trial import evidence
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Stage, Trial, eventually, rounds, staged_behind
from tests.faults.trial.trap import Trap
from tests.pace import within

pytestmark = pytest.mark.faults

SLOW_S = 0.03
"""What the way of the host's hub to Redis takes, each time and each way."""

GONE_WITHIN_S = 8.0
"""Until a word that a hub has left behind is no longer believed: the hub's own life in the store, and a look."""


@pytest.fixture
async def stage(tmp_path: Path, ways: list[Proxy]) -> AsyncIterator[Stage]:
    """Hubs of this trial alone, behind proxies."""
    async with staged_behind(tmp_path, [way.port for way in ways]) as stage:
        yield stage


async def test_q4_a_host_who_has_just_come_is_found(trial: Trial, ways: list[Proxy]) -> None:
    """Q4, Q3: between the opening of a match and its host's following it nobody takes the host for absent."""
    row = trial.fault("Q4 quick match pressed just after a host's at a slow hub")
    ana, bo = await trial.open("Ana", 0), await trial.open("Bo", 1)
    ways[0].delay_s = lambda: SLOW_S
    tries, paired = rounds(60), 0
    for _ in range(tries):
        waits = await ana.ask(QuickMatch(ref=ana.ref(), game="square"), Accepted)
        found = await bo.ask(QuickMatch(ref=bo.ref(), game="square"), Accepted)
        row.times += 1
        paired += found.match == waits.match
        for one, match in ((ana, waits.match), (bo, found.match)):
            end = Abandon if trial.stored(match) > 1 else Cancel
            await one.once_more(end(ref=one.ref(), match=match))
    assert paired == tries, f"{paired} of {tries}"
    trial.provoked("players who pressed just after a host", paired, tries, least=tries)
    await trial.check()


async def left_behind(trial: Trial, ways: list[Proxy], host: Recorder, *, kill: bool) -> str:
    """A match that is stored with the word that its host is here, and the host does not know of it; returns its id."""
    before = evidence.match_ids(trial.store)
    create = Create(ref=host.ref(), game="square")
    ways[0].alter = trap = Trap(create.ref, arrives=True)
    if kill:
        await host.send(create)
        await eventually(lambda: trap.sprung, pause_s=0)
        trial.stage.hubs[0].kill()
    else:
        told = await host.once_more(create)
        assert isinstance(told, Refused)
        assert told.code == "unknown_outcome"
    ways[0].alter = None
    await eventually(lambda: evidence.match_ids(trial.store) - before)
    (match,) = evidence.match_ids(trial.store) - before
    return match


@pytest.mark.parametrize("kill", [False, True], ids=["answer_lost", "hub_killed"])
async def test_q4_nobody_is_paired_with_a_ghost(trial: Trial, ways: list[Proxy], kill: bool) -> None:
    """Q4: a create that failed, or whose hub was killed, leaves a match with a host who is soon seen not to be here."""
    row = trial.fault(f"Q4 a create is stored and {'its hub killed' if kill else 'its answer lost'}")
    tries = rounds(10, 1) if kill else rounds(30)
    eve, bo = await trial.open("Eve", 1), await trial.open("Bo", 1)
    for _ in range(tries):
        ana = await trial.open("Ana", 0)
        # From now on Redis knows the script, and each hub the other one.
        known = await ana.create()
        await eve.watch(known.match)
        await eve.sees(known.match, (True, False))
        await ana.ask(Cancel(ref=ana.ref(), match=known.match), Accepted)
        ghost = await left_behind(trial, ways, ana, kill=kill)
        row.times += 1
        since = time.monotonic()
        await eve.watch(ghost)
        if eve.here[ghost][-1] != (False, False):
            await is_seen_to_be_away(eve, ghost)
        row.resumed_s += [time.monotonic() - since]
        within(row.resumed_s[-1], GONE_WITHIN_S)
        found = await bo.ask(QuickMatch(ref=bo.ref(), game="square"), Accepted)
        assert found.match != ghost
        assert trial.stored(ghost) == 1
        await bo.ask(Cancel(ref=bo.ref(), match=found.match), Accepted)
        await trial.retire(ana)
        if kill:
            await asyncio.to_thread(trial.stage.hubs[0].start)
        await eventually(lambda: trial.stage.hubs[0].get("/ready")[0] == 200)
    trial.provoked("matches left behind by a create that nobody knows of", row.times, tries, least=tries)
    await trial.check()
