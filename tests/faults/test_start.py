"""The store goes silent while a hub starts: it waits for it, says so, and serves once it answers again."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from server.store.pipe import ANSWER_TIMEOUT_S
from tests.driver import HubProcess
from tests.faults.stage import rounds, staged
from tests.pace import NotProvoked

pytestmark = pytest.mark.faults

STEPS = 12
"""Moments of a start at which the store goes silent: spread over its second half, in which it is asked."""
SILENT_S = ANSWER_TIMEOUT_S + 1.0


async def test_q5_the_store_goes_silent_while_a_hub_starts(tmp_path: Path) -> None:
    """Q5, J5: at whichever moment of the start, the hub neither ends nor tells a traceback."""
    waited, tries = 0, rounds(2 * STEPS, 4)
    with staged(tmp_path, 1) as stage:
        started_s = await took_to_start(tmp_path / "measured", stage.url)
        for number in range(tries):
            folder = tmp_path / f"late{number}"
            folder.mkdir()
            hub = HubProcess(folder, "--redis", stage.url)
            starting = asyncio.create_task(asyncio.to_thread(hub.start))
            try:
                await asyncio.sleep(started_s * (1 - number / tries / 2))
                stage.redis.signal(signal.SIGSTOP)
                await asyncio.sleep(SILENT_S)
            finally:
                stage.redis.signal(signal.SIGCONT)
            await starting
            said = hub.log.read_text()
            waited += "waiting for the store" in said
            assert "Traceback" not in said, said
            assert hub.stop() == 0
    print(f"{waited} of {tries} starts waited for the store")
    if not waited:
        raise NotProvoked("no start met a silent store")


async def took_to_start(folder: Path, url: str) -> float:
    """Seconds that a hub takes to start here and now."""
    await asyncio.to_thread(folder.mkdir)
    hub = HubProcess(folder, "--redis", url)
    began = asyncio.get_running_loop().time()
    await asyncio.to_thread(hub.start)
    took = asyncio.get_running_loop().time() - began
    assert await asyncio.to_thread(hub.stop) == 0
    return took
