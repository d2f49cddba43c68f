"""Somebody who plays while others load the hub, in a process of its own, so that nobody else's work is measured.

python -m tests.faults.trial.bystander URL SECONDS [COUNT [PACE_MS]]

COUNT of them (1) play for SECONDS, each against itself, a move every PACE_MS (30). As JSON it prints how long the
answer to each move took (`waits_ms`), and the `matches`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from protocol.messages import Moved
from tests.driver import Client

PACE_S = 0.03


async def play_together(url: str, seconds: float, count: int, pace_s: float) -> dict[str, list[Any]]:
    """So many play at the same time."""
    played = await asyncio.gather(*(play(url, seconds, pace_s) for _ in range(count)))
    return {name: [each for one in played for each in one[name]] for name in ("waits_ms", "matches")}


async def play(url: str, seconds: float, pace_s: float = PACE_S) -> dict[str, list[Any]]:
    """Play match after match for so long."""
    waits: list[float] = []
    matches: list[str] = []
    client = await Client.open(url, "Bea")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        shown = await client.create("dots-and-boxes", both_seats=True)
        matches.append(shown.match)
        version, legal = shown.version, sorted(shown.legal)
        while legal and time.monotonic() < until:
            began = time.monotonic()
            version = (await client.move(shown.match, version, legal.pop())).version
            waits.append((time.monotonic() - began) * 1000)
            await client.expect(Moved)
            await asyncio.sleep(pace_s)
    await client.close()
    return {"waits_ms": waits, "matches": matches}


if __name__ == "__main__":
    where, how_long, *more = sys.argv[1:]
    how_many, pace_ms = [*map(float, more), *(1.0, PACE_S * 1000)[len(more) :]]
    print(json.dumps(asyncio.run(play_together(where, float(how_long), int(how_many), pace_ms / 1000))))
