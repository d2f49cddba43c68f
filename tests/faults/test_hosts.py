"""A host who waits is here, and one who does not is not: no ghost is found, and whoever waits is (`Q4`).

The hubs reach Redis by proxies.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol.messages import Abandon, Accepted, Cancel, QuickMatch
from tests.faults.proxy import Proxy
from tests.faults.stage import Stage, Trial, rounds, staged_behind

pytestmark = pytest.mark.faults

SLOW_S = 0.03
"""What the way of the host's hub to Redis takes, each time and each way."""


@pytest.fixture
async def ways(tmp_path: Path) -> AsyncIterator[list[Proxy]]:
    """The ways of the two hubs to Redis."""
    socket = tmp_path / "redis.sock"
    async with Proxy(socket) as one, Proxy(socket) as two:
        yield [one, two]


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
    tries, paired = rounds(60, 15), 0
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
