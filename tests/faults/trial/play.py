"""Ways to play: random games, and positions in which one player draws many lines in a row."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from protocol.messages import Abandon, CallDraw, Command, Continue, Offer, Pause, WaitLonger
from tests.faults.trial.evidence import Log
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage
from tests.pace import NotProvoked

QUIET_S = 5.5
on_one_hub_and_two = pytest.mark.parametrize(
    "hubs", [*([pytest.param(1, id="one_hub")] if FULL else []), pytest.param(2, id="K4_two_hubs")]
)
"""K4: every race is run with the players on one hub, and on two hubs over one Redis, which is the harder case and the
only one in the short form."""


async def play(seats: Sequence[Recorder], match: str, rng: Random, moves: int | None = None) -> None:
    """Play random legal moves until the match is over, or `moves` of them. `seats[n]` moves for seat n."""
    version = max(seat.views[match].version for seat in seats)
    while moves is None or moves > 0:
        view = await seats[0].reach(match, version)
        if view.status == "ended":
            return
        assert view.to_move is not None
        mover = seats[view.to_move]
        await mover.reach(match, version)
        version = (await mover.move(match, version, rng.choice(sorted(view.legal)))).version
        moves = None if moves is None else moves - 1
    for seat in seats:
        await seat.reach(match, version)


def undisturbed(log: Log) -> None:
    """Raise NotProvoked when a match has what only a machine adds that is behind: an absence, or an outage.

    Word of a player who is at another hub may take more than a second then; who is missed may be waited for, and the
    match has another version.
    """
    disturbances = [event["event"] for _, event in log if event["event"] in ("away", "excused")]
    if disturbances:
        raise NotProvoked(f"the machine was behind: {', '.join(disturbances)}")


def rungs(boxes: int) -> list[str]:
    """The upright lines of a ladder one box high, from left to right: `a1-a2`, `b1-b2` ..."""
    return [f"{column}1-{column}2" for column in "abcdefghijklmno"[: boxes + 1]]


def in_match_commands(one: Recorder, match: str) -> list[Command]:
    """Everything that a seat's holder can ask of a match in play, but a move."""
    return [
        Abandon(ref=one.ref(), match=match),
        *(Offer(ref=one.ref(), match=match, kind=kind) for kind in ("draw", "takeback", "restart", "revert")),
        one.reply(match, True),
        one.reply(match, False),
        one.withdrawal(match),
        Pause(ref=one.ref(), match=match),
        Continue(ref=one.ref(), match=match),
        WaitLonger(ref=one.ref(), match=match),
        CallDraw(ref=one.ref(), match=match),
    ]


async def build_ladder(seats: Sequence[Recorder], match: str, boxes: int) -> None:
    """On a board 2 dots high: draw all rails and the first rung, so that every further rung, in order, closes a box.

    The rails are an even number of lines, so that it is the second player who may climb then.
    """
    columns = "abcdefghijklmno"[: boxes + 1]
    rails = [f"{left}{row}-{right}{row}" for row in (1, 2) for left, right in pairwise(columns)]
    version = seats[0].views[match].version
    for number, line in enumerate([*rails, rungs(boxes)[0]]):
        mover = seats[number % 2]
        await mover.reach(match, version)
        version = (await mover.move(match, version, line)).version
    for seat in seats:
        await seat.reach(match, version)


async def until_settled(stage: Stage) -> None:
    """Wait until the hubs call away whom they miss: for some seconds after a start they do not (`E8`)."""
    ready_at = max((hub.folder / "port").stat().st_mtime for hub in stage.hubs)
    await asyncio.sleep(max(0.0, ready_at + QUIET_S - time.time()))
