"""However a hub's link to Redis ends under its commands, they are answered and play goes on (`Q11`)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.faults.trial.proxy import DOWN, UP, Proxy
from tests.faults.trial.stage import Stage, Trial, eventually, rounds, staged_behind
from tests.faults.trial.under_fire import Fire
from tests.pace import within

pytestmark = pytest.mark.faults

ANSWERED_WITHIN_S = 5.0
ENDS = ("before", "after", "half", "nonsense")
HALF_S = 0.05
"""How long after half an answer the link ends."""


@pytest.fixture
async def stage(tmp_path: Path, ways: list[Proxy]) -> AsyncIterator[Stage]:
    """Hubs of this trial alone, behind proxies."""
    async with staged_behind(tmp_path, [way.port for way in ways]) as stage:
        yield stage


class End:
    """Ends the links of a proxy once: before a script arrives, before its answer, within it, or by nonsense."""

    def __init__(self, proxy: Proxy, how: str) -> None:
        self._proxy = proxy
        self._how = how
        self.sprung = False

    def __call__(self, way: str, data: bytes) -> bytes | None:
        hit = way == DOWN and data.startswith(b":1\r\n")
        if self._how == "before":
            hit = way == UP and b"EVALSHA" in data
        if self.sprung or not hit:
            return data
        self.sprung = True
        if self._how == "half":
            asyncio.get_running_loop().call_later(HALF_S, self._proxy.cut)
            return data[:2]
        return b"?what\r\n" if self._how == "nonsense" else None


async def test_q11_play_goes_on_however_a_link_ends(trial: Trial, ways: list[Proxy]) -> None:
    """Q11: cut in four ways under play, at either hub: each command is answered, and nobody is left waiting."""
    rng, done = Random(11), Counter[str]()
    tries = rounds(40, 1)
    async with Fire(trial, 8, think_s=0.02) as fire:
        for _ in range(tries):
            for how in rng.sample(ENDS, len(ENDS)):
                way = rng.choice(ways)
                end = End(way, how)

                async def strike(way: Proxy = way, end: End = end) -> None:
                    way.alter = end
                    await eventually(lambda: end.sprung, pause_s=0.001)

                await fire.strike(trial.fault(f"Q11 a link to Redis ends: {how}"), strike, stops_all=False)
                way.alter = None
                done[how] += end.sprung
        refused = sum(player.refusals for player in fire.players)
        slowest_s = max(player.slowest_s for player in fire.players)
    for how in ENDS:
        trial.provoked(f"links that ended: {how}", done[how], tries, least=tries)
    trial.provoked("commands refused or in doubt by that", refused, sum(done.values()), least=tries)
    print(f"{fire.moves} moves, the slowest answer after {slowest_s:.2f} s")
    assert not any(player.returns for player in fire.players)
    within(slowest_s, ANSWERED_WITHIN_S)
    await trial.check()
