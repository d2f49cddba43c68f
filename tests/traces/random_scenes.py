"""Traces in which anything happens in any order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from protocol.errors import Refusal
from server.match import commands as c
from tests.client.refereed import TOTAL
from tests.traces.scene import Scene, suppressed

DO: tuple[Callable[[Random], c.MatchCommand], ...] = (
    lambda rng: c.Offer(rng.choice(("draw", "takeback", "restart", "rematch")), next_match="m2"),
    lambda rng: c.Answer(rng.random() < 0.4, "m2"),
    lambda rng: c.Withdraw(),
    lambda rng: c.Pause(),
    lambda rng: c.Continue(),
    lambda rng: c.Notice((rng.random() < 0.7, rng.random() < 0.7)),
    lambda rng: c.WaitLonger(),
)


def at_random(game: str, viewer: str, seed: int) -> Scene:
    """Whatever happens, in any order, told by a hub that loses, doubles and swaps frames."""
    rng = Random(f"{game} {viewer} {seed}")
    made = Scene(f"At random: {game}, {viewer}", game, viewer=viewer, clock=TOTAL)
    made.enter()
    for _ in range(60):
        match = made.hall.match
        told: list[Any] = []
        if match.ending is None and match.pause is None and rng.random() < 0.7 and match.turn is not None:
            # In a long one somebody's time runs out, and the move comes too late.
            with suppress(Refusal):
                told = list(made.plays(rng.choice(sorted(match.legal_set))))
        else:
            told = list(suppressed(made, rng.choice(("ada", "ben")), rng.choice(DO)(rng)))
        if rng.random() < 0.12 and told:
            told.pop(rng.randrange(len(told)))
        if rng.random() < 0.1 and told:
            told.append(rng.choice(told))
        if rng.random() < 0.1:
            rng.shuffle(told)
        made.tell(*told)
        if rng.random() < 0.04:
            made.lose()
            made.after(2 * rng.randrange(150, 1_500))
            made.connect(matches=("m1",))
        if rng.random() < 0.5:
            made.after(2 * rng.randrange(150, 1_500))
        if rng.random() < 0.6:
            made.serve()
    made.serve()
    made.after(2_500)
    made.serve()
    return made
