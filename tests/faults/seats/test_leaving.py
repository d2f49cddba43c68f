"""Leaving: a blip is none, whoever stays is told at once and once, and who never came keeps nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest

from protocol.messages import Abandon, Accepted, Away, Ended, Offer, Pause
from tests.faults.trial.play import on_one_hub_and_two, play, until_settled
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, together
from tests.pace import NotProvoked, within

pytestmark = pytest.mark.faults

SMALL = {"width": 4, "height": 4}
TOLD_WITHIN_S = 1.0
GRACE_S = 30 if FULL else 3
CUTS_S = (1.0, 10.0, GRACE_S - 1.0, GRACE_S + 1.0) if FULL else (1.0, GRACE_S - 1.0, GRACE_S + 1.0)


@pytest.fixture(autouse=True)
async def settled(stage: Stage) -> None:
    """Hubs that have only just started call nobody away."""
    await until_settled(stage)


def end_of(one: Recorder, match: str) -> list[Ended]:
    """The ends that a client was told of a match."""
    return [event for event in one.traffic if isinstance(event, Ended) and event.match == match]


def heard_at(one: Recorder, match: str) -> float:
    """When a client first knew the newest version of a match (s since 1970)."""
    return one.heard_ms[match][one.views[match].version] / 1000


class Blip(NamedTuple):
    """A way to lose the connection, and for how long."""

    how: str
    for_s: float


BLIPS = [Blip("refresh", 0.0), *(Blip(how, for_s) for for_s in CUTS_S for how in ("reset", "kill", "close"))]


@on_one_hub_and_two
async def test_e7_a_blip_is_not_leaving(trial: Trial) -> None:
    """E7, RU-M5: after cuts of up to the grace time minus 1 s play goes on; at plus 1 s the one who stayed has won."""
    rows = {False: trial.fault("E7 cut for less than the grace time"), True: trial.fault("E7 cut for longer than it")}

    async def table(number: int, blip: Blip) -> None:
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=SMALL, grace_s=GRACE_S)
        await play(seats, match, Random(number), 3)
        gone, stays = number % 2, 1 - number % 2
        for one in seats:
            await one.sees(match, (True, True))
        await {"reset": seats[gone].reset, "kill": seats[gone].vanish}.get(blip.how, seats[gone].close)()
        lost_at = time.time()
        rows[blip.for_s > GRACE_S].times += blip.how != "refresh"
        await asyncio.sleep(max(0.0, lost_at + blip.for_s - time.time()))
        back = await trial.open("", number + 1, token=seats[gone].token)
        view = await back.watch(match)
        if blip.for_s > GRACE_S:
            assert (view.status, view.result and view.result.winner) == ("ended", stays)
            assert [end.result.reason for end in end_of(seats[stays], match)] == ["abandoned"]
            within(heard_at(seats[stays], match) - lost_at - GRACE_S, TOLD_WITHIN_S)
            return
        if view.status == "ended" and trial.log(match)[-1][1]["at_ms"] >= (lost_at + GRACE_S) * 1000:
            raise NotProvoked("the machine was behind: who was to be back in time was not")
        assert view.status == "playing"
        told = [event for event in seats[stays].traffic if isinstance(event, Away) and event.match == match]
        if blip.how == "refresh":
            assert not told
        seats[gone] = back
        await eventually(lambda: not trial_away(trial, match))
        for one in seats:
            await one.reach(match, trial.stored(match))
        await play(seats, match, Random(number), 2)

    cells = [blip for blip in BLIPS for _ in range(rounds(4, 1))]
    await together(*(table(number, blip) for number, blip in enumerate(cells * 2)))
    trial.provoked("connections lost", 2 * len(cells), 2 * len(cells), least=2 * len(cells))
    await trial.check()


def trial_away(trial: Trial, match: str) -> bool:
    """Whether the log says that somebody is away."""
    away = [event["away"] for _, event in trial.log(match) if event["event"] == "away"]
    return bool(away) and any(away[-1])


SITUATIONS = ("in turn", "out of turn", "own pause", "other's pause", "own offer", "other's offer", "other away")


@pytest.mark.timed
@on_one_hub_and_two
async def test_e5_resigning_at_any_time(trial: Trial) -> None:
    """E5, E9, CK R4.3: in either turn, in a pause, with an offer open, alone: both are told once, within 1 s."""
    slowest, done = 0.0, 0

    async def table(number: int) -> None:
        nonlocal slowest, done
        for time_, situation in enumerate(SITUATIONS):
            seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
            match = await trial.meet(*seats, options=SMALL)
            by = (number + time_) % 2
            await bring_about(trial, match, seats, situation, by)
            asked_at = time.time()
            await seats[by].ask(Abandon(ref=seats[by].ref(), match=match), Accepted)
            there = [seat for seat in seats if not seat.gone]
            for seat in there:
                await seat.reach(match, trial.stored(match))
                ends = end_of(seat, match)
                assert [(end.result.reason, end.result.winner) for end in ends] == [("forfeit", 1 - by)]
                slowest = max(slowest, heard_at(seat, match) - asked_at)
            done += 1

    tables = rounds(100, 2)
    for start in range(0, tables, 10):
        await together(*(table(number) for number in range(start, min(start + 10, tables))))
    print(f"told after {slowest * 1000:.0f} ms at most")
    within(slowest, TOLD_WITHIN_S)
    trial.provoked("resignations", done, tables * len(SITUATIONS), least=tables * len(SITUATIONS))
    await trial.check()


async def bring_about(trial: Trial, match: str, seats: Sequence[Recorder], situation: str, by: int) -> None:
    """Let a match in which both have moved come to where `by` will resign."""
    own, other = seats[by], seats[1 - by]
    in_turn = situation == "in turn"
    await play(seats, match, Random(by), 2 + (by if in_turn else 1 - by))
    turn = seats[0].views[match].to_move
    assert (turn == by) == in_turn or situation not in ("in turn", "out of turn")
    if situation == "other away":
        await other.vanish()
        await own.sees(match, (by == 0, by == 1))
    elif situation.endswith("pause"):
        who = own if situation.startswith("own") else other
        await who.ask(Pause(ref=who.ref(), match=match), Accepted)
    elif situation.endswith("offer"):
        who = own if situation.startswith("own") else other
        await who.ask(Offer(ref=who.ref(), match=match, kind="draw"), Accepted)
    if not other.gone:
        for seat in seats:
            await seat.reach(match, trial.stored(match))


@pytest.mark.timed
@on_one_hub_and_two
async def test_e9_the_one_who_stays_is_told(trial: Trial) -> None:
    """E9: an abandonment reaches the opponent within 1 s of the end of the grace time, once; so does the countdown."""
    row, slowest, grace_s = trial.fault("E9 cut for good"), 0.0, 2

    async def table(number: int) -> None:
        nonlocal slowest
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=SMALL, grace_s=grace_s)
        moves = number % 3  # before the first move nobody wins
        await play(seats, match, Random(number), moves)
        gone, stays = seats[number % 2], seats[1 - number % 2]
        await gone.watch(match)  # who goes without a word behind the join was never here (B2)
        await (gone.reset, gone.vanish, gone.close)[number // 2 % 3]()
        lost_at = time.time()
        row.times += 1
        await eventually(lambda: stays.views[match].status == "ended")
        told = [event for event in stays.traffic if isinstance(event, Away) and event.match == match]
        assert [[info.seat for info in event.away] for event in told] == [[number % 2]]
        until_ms = told[0].away[0].until_ms
        assert until_ms is not None
        within(abs(until_ms / 1000 - lost_at - grace_s), 2 * TOLD_WITHIN_S)
        ends = end_of(stays, match)
        wanted = ("abandoned", 1 - number % 2) if moves else ("aborted", None)
        assert [(end.result.reason, end.result.winner) for end in ends] == [wanted]
        late_s = heard_at(stays, match) - until_ms / 1000
        assert late_s >= 0
        slowest = max(slowest, late_s)

    tables = rounds(100, 12)
    await together(*(table(number) for number in range(tables)))
    print(f"told {slowest * 1000:.0f} ms after the grace time at most")
    within(slowest, TOLD_WITHIN_S)
    trial.provoked("abandonments", tables, tables, least=tables)
    await trial.check()
