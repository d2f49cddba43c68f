"""Somebody who plays while others load the hub, in a process of its own, so that nobody else's work is measured.

python -m tests.faults.bystander URL SECONDS   plays against itself, a move every 30 ms, and prints as JSON how long
                                               the answer to each move took (`waits_ms`), and its `matches`
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


async def play(url: str, seconds: float) -> dict[str, list[Any]]:
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
            await asyncio.sleep(PACE_S)
    await client.close()
    return {"waits_ms": waits, "matches": matches}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(sys.argv[1], float(sys.argv[2])))))
