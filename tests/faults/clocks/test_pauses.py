"""Pauses: how many and how long, what is refused in them, whose they are, and that nobody sees the position."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random

import pytest

from protocol.messages import (
    Abandon,
    Accepted,
    ClockRule,
    Command,
    Continue,
    Continued,
    Offer,
    Pause,
)
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Trial, eventually, rounds, together
from tests.pace import WAIT_S, NotProvoked, within

pytestmark = pytest.mark.faults

MAX_PAUSE_S = 300
PAUSES = 3
"""So many of each player, and so long (`RU-M4`)."""
GRACE_S = 30 if FULL else 2
SMALL = {"width": 4, "height": 4}


async def told(trial: Trial, match: str, seats: Sequence[Recorder], one: Recorder, command: Command) -> None:
    """Do something that is granted, and wait until both know."""
    await one.ask(command, Accepted)
    for seat in seats:
        await seat.reach(match, trial.stored(match))
        await has_the_board(seat, match)


async def has_the_board(seat: Recorder, match: str) -> None:
    """Wait for the snapshot that follows the end of a pause."""
    await seat.until(lambda: seat.views[match].whole)


@on_one_hub_and_two
async def test_d11_a_pause_has_its_count(trial: Trial) -> None:
    """D11, RU-M4: three pauses of each player; in them moves, offers and answers are refused, and no flag falls."""
    limit_ms, refusals, paused = 700, 0, 0

    async def table(number: int) -> None:
        nonlocal refusals, paused
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=SMALL, clock=ClockRule(total_ms=10_000))
        await play(seats, match, Random(number), 2)
        legal = sorted(seats[0].views[match].legal)[0]
        for _ in range(PAUSES):
            for pauser, other in (seats, seats[::-1]):
                await told(trial, match, seats, pauser, Pause(ref=pauser.ref(), match=match))
                paused += 1
                before = trial.log(match)
                for one in seats:
                    for command in refused_in_pause(one, match, legal):
                        assert await one.refusal(command) == "paused", command
                        refusals += 1
                assert await other.refusal(Continue(ref=other.ref(), match=match)) == "not_your_pause"
                assert trial.log(match) == before
                await told(trial, match, seats, pauser, Continue(ref=pauser.ref(), match=match))
            await play(seats, match, Random(number), 2)
        for one in seats:
            assert await one.refusal(Pause(ref=one.ref(), match=match)) == "no_more_pauses"
        # A clock that would have run out in the pause has what it had before.
        short = await trial.meet(*seats, options=SMALL, clock=ClockRule(per_move_ms=limit_ms))
        await play(seats, short, Random(number), 2)
        await told(trial, short, seats, seats[1], Pause(ref=seats[1].ref(), match=short))
        await asyncio.sleep(2 * limit_ms / 1000)
        assert [event["event"] for _, event in trial.log(short)][-1] == "paused"
        await told(trial, short, seats, seats[1], Continue(ref=seats[1].ref(), match=short))
        legal_now = seats[0].views[short].legal
        if not legal_now:
            # On a busy machine what was left may be over; were it taken by the pause, it would be so at every try.
            raise NotProvoked("the flag fell before a move could be made")
        await seats[0].move(short, trial.stored(short), min(legal_now))
        end = trial.stored(short) + 1
        for one in seats:
            assert (await one.reach(short, end)).status == "ended"
        assert trial.log(short)[-1][1]["reason"] == "time"

    tables = rounds(40, 5)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("pauses", paused, 2 * PAUSES * tables, least=2 * PAUSES * tables)
    trial.provoked("commands refused in them", refusals, refusals)
    await trial.check()


def refused_in_pause(one: Recorder, match: str, move: str) -> list[Command]:
    """Everything that belongs to play."""
    return [
        one.a_move(match, move),
        *(Offer(ref=one.ref(), match=match, kind=kind) for kind in ("draw", "takeback", "restart", "revert")),
        one.reply(match, True),
        one.withdrawal(match),
        Pause(ref=one.ref(), match=match),
    ]


@pytest.mark.minutes(5)
@pytest.mark.skipif(not FULL, reason="takes five minutes: make faults")
async def test_d11_a_pause_ends_by_itself(trial: Trial) -> None:
    """D11, D12, RU-M4: a pause that is left alone ends after five minutes on both sides, and play goes on."""
    tables = []
    for number in range(8):
        match, host, guest = await trial.pair(0, number % 2, clock=ClockRule(total_ms=60_000))
        await play([host, guest], match, Random(number), 2)
        pauser = (host, guest)[number // 2 % 2]
        await told(trial, match, (host, guest), pauser, Pause(ref=pauser.ref(), match=match))
        tables.append((match, host, guest, trial.stored(match) + 1))
    await asyncio.sleep(MAX_PAUSE_S - 15)
    assert all(trial.stored(match) == version - 1 for match, _, _, version in tables)
    for match, host, guest, version in tables:
        for one in (host, guest):
            await one.reach(match, version)
            await has_the_board(one, match)
            continued = [event for event in one.traffic if isinstance(event, Continued) and event.match == match]
            assert [event.seat for event in continued] == [None]
        since, until = (event["at_ms"] for _, event in trial.log(match)[-2:])
        assert until - since >= MAX_PAUSE_S * 1000
        within((until - since) / 1000 - MAX_PAUSE_S, 1.0)
        await play([host, guest], match, Random(1), 2)
    trial.provoked("pauses that ended by themselves", len(tables), len(tables), least=len(tables))
    await trial.check()


async def closes(pauser: Recorder, match: str) -> None:
    await pauser.close()


async def is_cut(pauser: Recorder, match: str) -> None:
    await pauser.reset()


async def is_killed(pauser: Recorder, match: str) -> None:
    await pauser.vanish()


async def forfeits(pauser: Recorder, match: str) -> None:
    await pauser.ask(Abandon(ref=pauser.ref(), match=match), Accepted)


@on_one_hub_and_two
async def test_d12_the_pauser_leaves(trial: Trial) -> None:
    """D12, RU-M4, RU-M5: only the pauser may continue; when that one is gone the other is free after the grace time."""
    row = trial.fault("D12 the pauser is cut off")
    left = 0

    async def table(number: int, leaves: Callable[[Recorder, str], Awaitable[None]]) -> None:
        nonlocal left
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=SMALL, grace_s=GRACE_S)
        await play(seats, match, Random(number), 3)
        pauser, other = seats[number % 2], seats[1 - number % 2]
        await told(trial, match, seats, pauser, Pause(ref=pauser.ref(), match=match))
        await leaves(pauser, match)
        gone_ms = time.time() * 1000
        row.times += leaves is not forfeits
        assert await other.refusal(Continue(ref=other.ref(), match=match)) in ("not_your_pause", "finished")
        limit_ms = 1_000 if leaves is forfeits else (GRACE_S + 1) * 1000
        await eventually(lambda: other.views[match].status == "ended", limit_s=GRACE_S + WAIT_S)
        end = trial.log(match)[-1][1]
        assert (end["reason"], end["winner"]) == (
            "forfeit" if leaves is forfeits else "abandoned",
            other.views[match].you[0],
        )
        within((end["at_ms"] - gone_ms) / 1000, limit_ms / 1000)
        assert (await other.create(options=SMALL)).status == "waiting"
        left += 1

    ways = [closes, is_cut, is_killed, forfeits]
    tables = rounds(40, 8)
    await together(*(table(number, ways[number // 2 % 4]) for number in range(tables)))
    trial.provoked("pausers who left", left, tables, least=tables)
    await trial.check()
