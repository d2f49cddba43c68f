"""F6: who joins in the middle sees the same as everybody, from the first moment on and without a gap."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from protocol.codec import CODECS
from protocol.messages import Accepted, Create, MatchEvent, Moved
from tests.faults.trial.recorder import Recorder
from tests.hostile.tools import House, times

MOVES = 200
LAST = 10


@pytest.mark.faults
@pytest.mark.timeout(300)
async def test_f6_joining_in_the_middle(house: House, record_property: Any) -> None:
    """F6: 200 spectators join at random during 200 moves: each ends with the same hash, and a gapless sequence from its
    snapshot on (a recorder fails at the first event that does not follow on what it knows)."""
    rng = random.Random(6)
    player = await Recorder.open(house.url, "Ana")
    options: dict[str, int | str | bool] = {"width": 15, "height": 15}
    created = Create(ref=player.ref(), game="dots-and-boxes", both_seats=True, options=options)
    match = (await player.ask(created, Accepted)).match
    view = await player.reach(match, 1)

    async def watch() -> Recorder:
        spectator = await Recorder.open(house.url, "Eve", codec=rng.choice(list(CODECS.values())))
        await spectator.watch(match)
        return spectator

    comes_at = sorted(rng.randrange(1, MOVES - LAST) for _ in range(times(200)))
    coming: list[asyncio.Task[Recorder]] = []
    for ply in range(MOVES):
        if ply == MOVES - LAST:
            await asyncio.gather(*coming)  # so that the slowest has seen some moves
        coming += [asyncio.create_task(watch()) for at in comes_at if at == ply]
        accepted = await player.ask(player.a_move(match, rng.choice(sorted(view.legal))), Accepted)
        await player.reach(match, accepted.version)
    spectators = await asyncio.gather(*coming)
    fresh = await watch()
    expected = fresh.views[match].digest()
    assert player.views[match].digest() == expected
    in_the_middle = 0
    for spectator in spectators:
        seen = await spectator.reach(match, view.version)
        assert seen.digest() == expected
        versions = [m.version for m in spectator.traffic if isinstance(m, MatchEvent)]
        assert versions == list(range(view.version - len(versions) + 1, view.version + 1))
        in_the_middle += 0 < sum(isinstance(m, Moved) for m in spectator.traffic) < MOVES
    record_property("provoked", f"came in the middle: {in_the_middle} of {len(spectators)}")
    assert in_the_middle == len(spectators)
    for client in (player, fresh, *spectators):
        await client.vanish()
