"""When a terminal client has done what a key or a message made it do, for tests that drive it by Textual's pilot."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import textual.app
import textual.pilot

LOOK_S = 0.002
QUIET = 3
"""So many looks in a row find nothing to run."""


async def settled(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until nothing is left to run; stands in for Textual's `wait_for_idle`, and has its arguments.

    That one waits for 20 ms in which the process uses less than one of CPU, which a client with clocks and a server
    beside it seldom does: two thirds of the time of these tests went by in it.
    """
    loop: Any = asyncio.get_running_loop()
    end, quiet = loop.time() + max_sleep, 0
    while quiet < QUIET and loop.time() < end:
        await asyncio.sleep(LOOK_S)
        quiet = 0 if loop._ready else quiet + 1


@pytest.fixture(autouse=True)
def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot and its keys wait until the client has done what they made it do, and no longer."""
    for module in (textual.app, textual.pilot):
        monkeypatch.setattr(module, "wait_for_idle", settled)
