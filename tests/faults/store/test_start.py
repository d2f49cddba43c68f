"""The store goes silent while a hub starts: it waits for it, says so, and serves once it answers again."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.driver import HubProcess
from tests.faults.trial.proxy import DOWN, Proxy
from tests.faults.trial.stage import Stage, Trial, eventually, rounds, staged, together

pytestmark = pytest.mark.faults

AT_ONCE = 4
SAID = re.compile("waiting for the store|the store is away")
"""How a hub says so, before and behind the moment in which it would serve."""


class Silence:
    """Lets so many pieces of what Redis answers through, then nothing more until the proxy is healed."""

    def __init__(self, way: Proxy, after: int) -> None:
        self._way = way
        self._after = after
        self.answers = 0
        self.fell = False

    def __call__(self, way: str, data: bytes) -> bytes:
        self.answers += way == DOWN
        if not self.fell and self.answers > self._after:
            self.fell = True
            self._way.blackhole()
        return data


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A hub that is there already, whose players must notice nothing, and the Redis that others start with."""
    with staged(tmp_path, 1) as stage:
        yield stage


@pytest.fixture
def hubs() -> int:
    return 1


async def test_q5_the_store_goes_silent_while_a_hub_starts(trial: Trial, tmp_path: Path) -> None:
    """Q5, J5: behind whichever answer, the hub neither ends nor tells a traceback; it says so, and serves then."""
    row = trial.fault("Q5 store silent while a hub starts")
    match, host, guest = await trial.pair(0, 0)

    async def start(name: str, after: int) -> Silence:
        """Start a hub whose Redis falls silent; returns once it has served and stopped."""
        folder = tmp_path / name
        await asyncio.to_thread(folder.mkdir)
        async with Proxy(tmp_path / "redis.sock") as way:
            way.alter = silence = Silence(way, after)
            hub = HubProcess(folder, "--redis", f"redis://127.0.0.1:{way.port}")
            starting = asyncio.create_task(asyncio.to_thread(hub.start))
            try:
                # A hub that says nothing and does not serve is what the bound of this wait finds.
                await eventually(lambda: starting.done() or (silence.fell and SAID.search(hub.log.read_text())))
                way.heal()
                healed = time.monotonic()
                await starting
                if silence.fell:
                    row.times += 1
                    row.resumed_s.append(time.monotonic() - healed)
                assert hub.get("/health")[0] == 200
                assert await asyncio.to_thread(hub.stop) == 0
            finally:
                way.heal()
                await asyncio.gather(starting, return_exceptions=True)
                hub.kill()
            said = hub.log.read_text()
            assert "Traceback" not in said, said
            waited.append(SAID.search(said) is not None)
            return silence

    waited: list[bool] = []
    tries = rounds(24, 4)
    answers = (await start("measured", 1_000_000)).answers
    waited.clear()
    for first in range(0, tries, AT_ONCE):
        await together(
            *(start(f"late{number}", answers * number // tries) for number in range(first, min(first + AT_ONCE, tries)))
        )
    assert (await host.move(match, host.views[match].version, min(host.views[match].legal))).version
    await guest.reach(match, trial.stored(match))
    trial.provoked("starts whose store fell silent", row.times, tries, least=tries // 2)
    trial.provoked("of these said so", sum(waited), row.times, least=tries // 2)
    await trial.check()
