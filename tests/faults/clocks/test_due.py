"""What time brings, at real hubs: two things due in one look, and a first move that is put off by nothing."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Any

import pytest

from protocol.messages import Abandon, Accepted, Join, Leave, Pause
from protocol.messages import Continue as GoOn
from protocol.values import ClockRule
from tests.faults.trial.play import on_one_hub_and_two, play, until_settled
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Trial, rounds, together
from tests.pace import WAIT_S, within

pytestmark = pytest.mark.faults

BOARD = {"width": 4, "height": 4}
GRACE_S = 2
LIMIT_MS = 6_000
ENDED_WITHIN_S = 5.0
"""Of the end of a first move's time."""
ONE_LOOK_MS = 150
"""Both ends are found in one look when they are so close to each other."""


def event(log: list[tuple[int, dict[str, Any]]], name: str) -> dict[str, Any]:
    """The newest event of that name."""
    return next(found for _, found in reversed(log) if found["event"] == name)


@on_one_hub_and_two
async def test_q6_what_was_due_first_happens_first(trial: Trial, hubs: int) -> None:
    """Q6: one's flag falls some ms before or after the wait for the other is over: the earlier of the two counts."""
    tries, at_once = rounds(120, 12), 6
    close = {"time": 0, "abandoned": 0}
    ended = excused = 0
    await until_settled(trial.stage)

    async def table(number: int) -> None:
        nonlocal ended, excused
        rng = Random(number)
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=BOARD, clock=ClockRule(per_move_ms=LIMIT_MS), grace_s=GRACE_S)
        await play(seats, match, rng, 2)
        mover, other = seats
        flag_ms = trial.log(match)[-1][1]["at_ms"] + LIMIT_MS
        gone_ms = flag_ms - GRACE_S * 1000 + rng.uniform(-220, 100)
        await asyncio.sleep(max(0.0, gone_ms / 1000 - time.time()))
        await other.vanish()
        await mover.until(lambda: mover.views[match].status == "ended")
        log = trial.log(match)
        if any(found["event"] == "excused" for _, found in log):
            # The machine was behind, and the match given the time: both are due later, and not by as much.
            excused += 1
            return
        until_ms = event(log, "away").get("until_ms")
        assert until_ms is not None
        right = "time" if flag_ms <= until_ms else "abandoned"
        assert event(log, "ended")["reason"] == right, (flag_ms, until_ms, log)
        ended += 1
        if abs(flag_ms - until_ms) <= ONE_LOOK_MS:
            close[right] += 1

    row = trial.fault("Q6 a flag and the end of a wait in one look")
    for start in range(0, tries, at_once):
        await together(*(table(number) for number in range(start, min(start + at_once, tries))))
    row.times += sum(close.values())
    for first, times in close.items():
        trial.provoked(f"both within one look, “{first}” first", times, tries, least=1 if FULL else 0)
    trial.provoked("ended by what was due first", ended, tries, least=tries - min(excused, tries // 4))
    await trial.check()


@on_one_hub_and_two
async def test_q7_who_flaps_before_the_first_move_loses_in_time(trial: Trial, hubs: int) -> None:
    """Q7: away for 1.6 s, here for 0.5 s, again and again: the first move's time goes on all the same."""
    tries, flaps = rounds(40, 4), 0
    await until_settled(trial.stage)

    async def table(number: int) -> None:
        nonlocal flaps
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=BOARD, clock=ClockRule(per_move_ms=LIMIT_MS), grace_s=30)
        began_ms = event(trial.log(match), "joined")["at_ms"]
        mover, other = seats
        while other.views[match].status != "ended":
            assert time.time() < began_ms / 1000 + WAIT_S, trial.log(match)
            await mover.vanish()
            await asyncio.sleep(1.6)
            mover = await trial.open("", number, token=mover.token)
            await mover.watch(match)
            await asyncio.sleep(0.5)
        log = trial.log(match)
        flaps += sum(found["event"] == "away" for _, found in log)
        end = event(log, "ended")
        assert (end["reason"], end["winner"]) == ("time", 1)
        given_ms = sum(found["until_ms"] - found["from_ms"] for _, found in log if found["event"] == "excused")
        assert end["at_ms"] >= began_ms + LIMIT_MS
        within((end["at_ms"] - began_ms - LIMIT_MS - given_ms) / 1000, ENDED_WITHIN_S)

    row = trial.fault("Q7 a mover who flaps before the first move")
    await together(*(table(number) for number in range(tries)))
    row.times += flaps
    trial.provoked("goings and comings before the first move", flaps, tries, least=2 * tries)
    await trial.check()


@on_one_hub_and_two
async def test_q7_a_pause_in_the_first_move_gives_nothing_back(trial: Trial, hubs: int) -> None:
    """Q7: paused and continued in either seat's first move, by either: what was used of its time stays used."""
    tries, done = rounds(34, 12), 0

    async def table(number: int) -> None:
        nonlocal done
        rng = Random(number)
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=BOARD, clock=ClockRule(per_move_ms=LIMIT_MS))
        second = number % 2
        await play(seats, match, rng, second)
        # Two hubs' ideas of the shared time differ a little, so the last event need not bear the latest time.
        began_ms = max(happened["at_ms"] for _, happened in trial.log(match))
        pauser = rng.choice(seats)
        used_ms = rng.uniform(500, 2_000)
        await asyncio.sleep(used_ms / 1000)
        await pauser.ask(Pause(ref=pauser.ref(), match=match), Accepted)
        await asyncio.sleep(rng.uniform(0.2, 1.0))
        await pauser.ask(GoOn(ref=pauser.ref(), match=match), Accepted)
        log = trial.log(match)
        gone_ms = event(log, "paused")["at_ms"] - began_ms
        shown = await seats[0].shown(match)
        assert shown.clock is not None
        left_ms = shown.clock[second] + shown.now_ms - event(log, "continued")["at_ms"]
        assert abs(left_ms - (LIMIT_MS - gone_ms)) <= 2, (left_ms, gone_ms)
        done += 1
        await pauser.ask(Abandon(ref=pauser.ref(), match=match), Accepted)

    row = trial.fault("Q7 a pause in a seat's first move")
    await together(*(table(number) for number in range(tries)))
    row.times += done
    trial.provoked("pauses in a first move", done, tries, least=tries)
    await trial.check()


@on_one_hub_and_two
async def test_q7_the_next_guest_inherits_nothing(trial: Trial, hubs: int) -> None:
    """Q7: a guest uses all pauses and leaves before the first move: the next one has them all, and all the time."""
    tries, done = rounds(40, 10), 0

    async def table(number: int) -> None:
        nonlocal done
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        match = await trial.meet(host, guest, options=BOARD, clock=ClockRule(per_move_ms=60_000))
        for _ in range(3):
            await guest.ask(Pause(ref=guest.ref(), match=match), Accepted)
            await guest.ask(GoOn(ref=guest.ref(), match=match), Accepted)
        assert await guest.refusal(Pause(ref=guest.ref(), match=match)) == "no_more_pauses"
        await guest.ask(Leave(ref=guest.ref(), match=match), Accepted)
        following = await trial.open("Cy", number)
        await following.ask(Join(ref=following.ref(), match=match), Accepted)
        view = await following.watch(match)
        assert "pause" in view.can[1]
        shown = await following.shown(match)
        assert shown.clock is not None
        began_ms = event(trial.log(match), "joined")["at_ms"]
        assert abs(shown.clock[0] + shown.now_ms - began_ms - 60_000) <= 2
        await paused(following, match)
        done += 1

    row = trial.fault("Q7 a guest who leaves after three pauses")
    await together(*(table(number) for number in range(tries)))
    row.times += done
    trial.provoked("guests after guests", done, tries, least=tries)
    await trial.check()


async def paused(one: Recorder, match: str) -> None:
    """Use a pause."""
    await one.ask(Pause(ref=one.ref(), match=match), Accepted)
    await one.ask(GoOn(ref=one.ref(), match=match), Accepted)
