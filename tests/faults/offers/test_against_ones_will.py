"""Loading and restarting in a networked match: only as an offer, never unseen, and versions only go up."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from protocol.messages import (
    Accepted,
    ClockRule,
    Continue,
    MatchEvent,
    Offer,
    OfferClosed,
    Offered,
    OfferKind,
    Pause,
    Refused,
    Replaced,
)
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Trial, rounds, together
from tests.pace import NotProvoked

pytestmark = pytest.mark.faults

BOARD = {"width": 4, "height": 4}
SAVED = ("a1-a2", "b1-b2")
LIMIT_MS = 500
NEAR_MS = 50


class Cell(NamedTuple):
    """Who wants to load or restart when, and what the other one answers (None: moves instead)."""

    kind: OfferKind
    when: str
    accept: bool | None


KINDS: tuple[OfferKind, ...] = ("restart", "revert")
CELLS = [
    Cell(kind, when, accept)
    for kind in KINDS
    for when in ("own turn", "other's turn", "own pause", "other's pause")
    for accept in (True, False, None)
]


def wish(one: Recorder, match: str, kind: OfferKind) -> Offer:
    """What a client sends to restart, or to go back to a saved position."""
    moves, version = SAVED if kind == "revert" else (), one.views[match].version
    return Offer(ref=one.ref(), match=match, kind=kind, moves=moves, version=version)


def told(one: Recorder, match: str, kind: type[MatchEvent]) -> list[MatchEvent]:
    """The events of a kind that a client was told."""
    return [event for event in one.traffic if isinstance(event, kind) and event.match == match]


def only_up(one: Recorder, match: str) -> bool:
    """Whether the versions that a client was told of only grew."""
    versions = [event.version for event in told(one, match, MatchEvent)]
    return all(later > earlier for earlier, later in pairwise(versions))


@on_one_hub_and_two
async def test_m6_loading_and_restarting_against_somebodys_will(trial: Trial) -> None:
    """M6, RU-M6: at either's move and in a pause; the other one is asked first, and nothing changes without a yes."""
    done, replaced = 0, 0

    async def table(number: int, cell: Cell) -> None:
        nonlocal done, replaced
        by = number % 2
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        own, other = seats[by], seats[1 - by]
        watcher = await trial.open("Eve", number)
        match = await trial.meet(*seats, options=BOARD)
        await watcher.watch(match)
        # On an even number of moves it is the host's turn.
        await play(seats, match, Random(number), 4 + ((by == 0) == (cell.when == "other's turn")))
        if cell.when.endswith("pause"):
            pauser = own if cell.when.startswith("own") else other
            await pauser.ask(Pause(ref=pauser.ref(), match=match), Accepted)
            assert await own.refusal(wish(own, match, cell.kind)) == "paused"
            await pauser.ask(Continue(ref=pauser.ref(), match=match), Accepted)
            for one in seats:
                await one.reach(match, trial.stored(match))
        version = trial.stored(match)
        marks = set((await own.watch(match)).marks)
        asked = await own.ask(wish(own, match, cell.kind), Accepted)
        for one in (*seats, watcher):
            await one.reach(match, asked.version)
            assert len(told(one, match, Offered)) == 1
        assert asked.version == version + 1
        assert set((await other.watch(match)).marks) == marks
        if cell.accept is None:
            mover = seats[(await own.reach(match, asked.version)).to_move or 0]
            legal = min((await mover.watch(match)).legal)
            await mover.move(match, asked.version, legal)
        else:
            await other.ask(other.reply(match, cell.accept), Accepted)
        for one in (*seats, watcher):
            await one.reach(match, trial.stored(match))
            assert len(told(one, match, Replaced)) == (cell.accept is True)
            assert [event.fate for event in told(one, match, OfferClosed) if isinstance(event, OfferClosed)] == [
                {True: "accepted", False: "declined", None: "moved"}[cell.accept]
            ]
            assert only_up(one, match)
        after = set((await other.watch(match)).marks)
        if cell.accept:
            assert after == (set(SAVED) if cell.kind == "revert" else set())
            replaced += 1
        else:
            assert marks <= after
        done += 1

    cells = CELLS * rounds(10)
    for start in range(0, len(cells), 24):
        await together(*(table(start + at, cell) for at, cell in enumerate(cells[start : start + 24])))
    trial.provoked("loads and restarts", done, len(cells), least=len(cells))
    trial.provoked("that were agreed to", replaced, len(cells), least=len(cells) // 4)
    await trial.check()


@on_one_hub_and_two
async def test_m6_at_the_deadline(trial: Trial) -> None:
    """M6, RU-M2: the one whose time is up cannot get it back by an agreed restart; before that it is a new start."""
    # A machine that is behind gets more time at each attempt, and a wider look at the moment.
    agreed, late, limit_ms, near_ms = 0, 0, LIMIT_MS * 4 ** (trial.attempt - 1), NEAR_MS * 2 ** (trial.attempt - 1)

    async def table(number: int) -> None:
        nonlocal agreed, late
        rng = Random(number)
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=BOARD, clock=ClockRule(per_move_ms=limit_ms))
        own, other = seats[number % 2], seats[1 - number % 2]
        try:
            await play(seats, match, rng, 2)
            deadline_ms = trial.log(match)[-1][1]["at_ms"] + limit_ms
            await own.ask(wish(own, match, KINDS[number // 2 % 2]), Accepted)
        except AssertionError:
            # What comes too late may be refused a moment before the end is stored.
            await own.until(lambda: own.views[match].status == "ended")
            raise NotProvoked("a match was over before anything was wished for") from None
        await other.reach(match, trial.stored(match))
        await asyncio.sleep(max(0.0, (deadline_ms + rng.uniform(-near_ms, near_ms)) / 1000 - time.time()))
        yes = other.reply(match, True)
        await other.send(yes)
        answer = await other.answer(yes.ref)
        if isinstance(answer, Accepted):
            agreed += 1
            happened = [event for _, event in trial.log(match) if event["event"] == "replaced"]
            assert len(happened) == 1
            assert happened[0]["at_ms"] < deadline_ms
        else:
            late += 1
            assert isinstance(answer, Refused)
            assert answer.code in ("too_late", "finished"), answer
            assert "replaced" not in [event["event"] for _, event in trial.log(match)]
        # Left alone, it ends by time, at the old deadline or at the new one.
        for one in seats:
            await one.until(lambda one=one: one.views[match].status == "ended")  # type: ignore[misc]
            assert only_up(one, match)
        end = trial.log(match)[-1][1]
        assert (end["event"], end["reason"]) == ("ended", "time")
        assert end["at_ms"] >= deadline_ms

    tables = rounds(400, 20)
    for start in range(0, tables, 40):
        await together(*(table(start + at) for at in range(min(40, tables - start))))
    trial.provoked("agreed before the deadline", agreed, tables, least=tables // 10)
    trial.provoked("agreed too late", late, tables, least=tables // 10)
    await trial.check()
