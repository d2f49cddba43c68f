"""Clocks: no refill by coming back or by going on in a turn, no belief in the client's time, the same for watchers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgpack
import pytest

from protocol.codec import JSON, MSGPACK
from protocol.messages import Abandon, Accepted, ClockRule, Continue, Ended, Move, Pause, Refused
from tests.faults.trial.dial import Dial, by_the_rule, moves_told, turns_of
from tests.faults.trial.evidence import Log
from tests.faults.trial.play import build_ladder, on_one_hub_and_two, play, rungs
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Trial, rounds, together
from tests.pace import ROOM, NotProvoked, within

pytestmark = [pytest.mark.faults, pytest.mark.timed]

SMALL = {"width": 3, "height": 3}
TURN_MS = 8_000 if FULL else 60_000
"""Time for the turn with thirty reconnects (`D6`)."""
REAL_TIME_MS = 100 * ROOM
"""How far a clock may be from real time (`D6`); hubs learn the time by round trips, long on a busy machine."""
HUBS_APART_MS = 50 * ROOM
"""How far two hubs' clocks may be from each other; whatever is wrongly given back would be much more."""
ALIKE_MS = 250 * ROOM
"""How far watchers' clocks may be from the players' (`D15`)."""


def now_ms() -> float:
    """The wall clock, which is the hubs' clock, too: all are on one machine."""
    return time.time() * 1000


@on_one_hub_and_two
@pytest.mark.parametrize("rule", [ClockRule(per_move_ms=TURN_MS), ClockRule(total_ms=TURN_MS, increment_ms=1_000)])
async def test_d6_a_reconnect_is_no_refill(trial: Trial, rule: ClockRule) -> None:
    """D6: over thirty reconnects in one turn the remaining time falls with real time, and is charged in the end."""
    back = 0

    async def table(number: int) -> None:
        nonlocal back
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        match = await trial.meet(host, guest, options=SMALL, clock=rule)
        await play([host, guest], match, Random(number), 2)
        log = trial.log(match)
        turn_ms = log[-1][1]["at_ms"]
        left_ms = list(by_the_rule(log, turns_of(host, match), rule))[-1].left_ms[0]
        for time_ in range(30):
            await (host.reset, host.vanish, host.close)[time_ % 3]()
            again = await trial.open("", number + time_, token=host.token)
            asked_ms = now_ms()
            await again.watch(match)
            shown = await again.shown(match)
            assert asked_ms - REAL_TIME_MS <= shown.now_ms <= now_ms() + REAL_TIME_MS
            assert shown.clock is not None
            assert abs(shown.clock[0] - (left_ms - (shown.now_ms - turn_ms))) <= REAL_TIME_MS
            assert shown.clock[1] == Dial.of(guest, match).left_ms[1]
            back += shown.status == "playing"
            await trial.retire(host)
            host = again
            await asyncio.sleep(Random(time_).uniform(0, 0.08))  # so that the turn lasts a while
        log = trial.log(match)
        assert "ended" not in [event["event"] for _, event in log]
        moved = await host.move(match, host.views[match].version, min(host.views[match].legal))
        await guest.reach(match, moved.version)
        ruled = list(by_the_rule(trial.log(match), turns_of(guest, match), rule))[moved.version - 1]
        assert abs(Dial.of(guest, match).left_ms[0] - ruled.left_ms[0]) <= HUBS_APART_MS
        await host.ask(Abandon(ref=host.ref(), match=match), Accepted)

    tables = rounds(40, 2)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("reconnects in one turn", back, 30 * tables, least=30 * tables)
    await trial.check()


def told_wrongly(reader: Recorder, match: str, log: Log, rule: ClockRule) -> Iterator[str]:
    """What the reader was told of clocks with a move and is not what the rule says, as sentences."""
    ruled = {each.version: each for each in by_the_rule(log, turns_of(reader, match), rule)}
    for event in moves_told(reader, match):
        if event.clock is None:
            yield f"{event.version} was told without clocks"
        elif any(abs(event.clock[seat] - ruled[event.version].left_ms[seat]) > HUBS_APART_MS for seat in (0, 1)):
            yield f"{event.version} was told as {event.clock}, and is {ruled[event.version].left_ms}"


RULES = [ClockRule(per_move_ms=20_000), ClockRule(total_ms=20_000, increment_ms=500)]
GAMES: list[tuple[str, dict[str, int | str | bool]]] = [
    ("dots-and-boxes", {"width": 5, "height": 5}), ("hexoust", {"side": 4}), ("ultimate-dots-and-boxes", {}),
]  # fmt: skip


@on_one_hub_and_two
@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
async def test_d7_turns_of_several_placements(trial: Trial, game: str, options: dict[str, int | str | bool]) -> None:
    """D7, RU-M1: within a turn of several placements no time is given back; an increment comes once, when it passes."""
    went_on = 0

    async def table(number: int) -> None:
        nonlocal went_on
        rule = RULES[number % 2]
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        match = await trial.meet(host, guest, game=game, options=options, clock=rule)
        await play([host, guest], match, Random(number))
        log = trial.log(match)
        for reader in (host, guest):
            await reader.reach(match, len(log))
            assert not list(told_wrongly(reader, match, log, rule))
        went_on += sum(event.to_move == event.seat for event in moves_told(host, match))

    tables = rounds(100, 2)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("placements after which the same player went on", went_on, went_on, least=2 * tables)
    await trial.check()


@on_one_hub_and_two
async def test_d7_the_flag_falls_in_the_middle_of_a_chain(trial: Trial) -> None:
    """D7: a chain has the time of one move in all: the flag falls when that is over, not later for each box."""
    limit_ms, in_chain = 1_500 * 2 ** (trial.attempt - 1), 0

    async def table(number: int) -> None:
        nonlocal in_chain
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        rule = ClockRule(per_move_ms=limit_ms)
        match = await trial.meet(host, guest, options={"width": 6, "height": 2}, clock=rule)
        await build_ladder([host, guest], match, 5)
        log = trial.log(match)
        turn_ms, version = log[-1][1]["at_ms"], log[-1][0]
        for part, rung in enumerate(rungs(5)[1:4], 1):
            await asyncio.sleep(max(0.0, (turn_ms + part * limit_ms / 5 - now_ms()) / 1000))
            move = guest.a_move(match, rung, version)
            await guest.send(move)
            answer = await guest.answer(move.ref)
            if not isinstance(answer, Accepted):
                raise NotProvoked("the chain was too late for its turn")
            version = answer.version
        assert (await guest.reach(match, version + 1)).status == "ended"
        event = trial.log(match)[-1][1]
        assert (event["event"], event["reason"], event["winner"]) == ("ended", "time", 0)
        assert turn_ms + limit_ms <= event["at_ms"]
        within((event["at_ms"] - turn_ms - limit_ms) / 1000, 1.0)
        in_chain += 1

    tables = rounds(100, 8)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("flags that fell in the middle of a chain", in_chain, tables, least=tables)
    await trial.check()


HOUR_MS = 3_600_000
TIMES = (-HOUR_MS, HOUR_MS, -1, 0, 2**63, -(2**63), float("nan"), float("inf"), "now", None, [1], {"ms": 1})
FIELDS = (
    "at_ms",
    "now_ms",
    "time",
    "received_ms",
    "since_ms",
    "elapsed_ms",
    "spent_ms",
    "left_ms",
    "clock",
    "until_ms",
)


@on_one_hub_and_two
async def test_d8_the_clients_clock_is_hearsay(trial: Trial) -> None:
    """D8: moves that bring times of their own, hours off, negative, NaN, 2^63: clocks and averages are the server's."""
    forged, refused = 0, 0

    async def table(number: int) -> None:
        nonlocal forged, refused
        rng, rule = Random(number), RULES[number % 2]
        codec = (MSGPACK, JSON)[number // 2 % 2]
        host, guest = await trial.open("Ana", number, codec=codec), await trial.open("Bo", number + 1, codec=codec)
        match = await trial.meet(host, guest, options={"width": 4, "height": 4}, clock=rule)
        seats = (host, guest)
        while (view := host.views[match]).status == "playing":
            assert view.to_move is not None
            mover = seats[view.to_move]
            await mover.reach(match, view.version)
            move = mover.a_move(match, rng.choice(sorted(view.legal)))
            lies = {field: rng.choice(TIMES) for field in rng.sample(FIELDS, 4)}
            if rng.random() < 0.5:
                lies = {field: now_ms() + rng.choice([-HOUR_MS, HOUR_MS]) for field in FIELDS}
            answer = await send_forged(mover, move, lies)
            forged += 1
            if isinstance(answer, Refused):  # it cannot even be read
                assert answer.code in ("malformed", "bad_field"), answer
                refused += 1
                answer = await mover.ask(mover.a_move(match, move.move, move.version), Accepted)
            assert isinstance(answer, Accepted)
            for one in seats:
                await one.reach(match, answer.version)
        log = trial.log(match)
        assert not list(told_wrongly(host, match, log, rule))
        ruled = list(by_the_rule(log, turns_of(host, match), rule))[-1]
        result = next(event for event in host.traffic if isinstance(event, Ended) and event.match == match).result
        spent = [(moves, ms // moves) for moves, ms in zip(ruled.moves, ruled.spent_ms, strict=True)]
        assert [(stats.moves, stats.average_ms) for stats in result.stats] == spent

    tables = rounds(100, 8)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("moves with forged times", forged, forged, least=20 * tables)
    print(f"{refused} of them could not be read")
    await trial.check()


async def send_forged(mover: Recorder, move: Move, lies: dict[str, Any]) -> object:
    """Send a move with further fields, as no client of ours would; returns the answer."""
    said = {"type": "move", "ref": move.ref, "match": move.match, "version": move.version, "move": move.move, **lies}
    mover.traffic.append(move)
    refusals = sum(isinstance(message, Refused) for message in mover.traffic)
    await mover.socket.send(json.dumps(said) if mover.codec.text else packed(said))

    def refused() -> bool:
        return sum(isinstance(message, Refused) for message in mover.traffic) > refusals

    # What cannot be read is refused without its ref.
    await mover.until(lambda: mover.answers[move.ref] or refused())
    return (mover.answers[move.ref] or [message for message in mover.traffic if isinstance(message, Refused)])[-1]


def packed(said: dict[str, Any]) -> bytes:
    """The message in msgpack."""
    data: bytes = msgpack.packb(said)
    return data


@on_one_hub_and_two
async def test_d15_the_same_clock_for_watchers(trial: Trial) -> None:
    """D15: after pause, continue, a reconnect and late joining a spectator's clocks are the players', within 250 ms."""
    compared, apart = 0, 0.0
    resumed: dict[Recorder, Dial] = {}

    async def agree(readers: Sequence[Recorder], match: str) -> None:
        nonlocal compared, apart
        version = trial.stored(match)
        for reader in readers:
            await reader.reach(match, version)
        at_ms = now_ms()
        shown = [Dial.of(reader, match, resumed.get(reader)).shows(at_ms) for reader in readers]
        for seat in (0, 1):
            values = [pair[seat] for pair in shown]
            apart = max(apart, max(values) - min(values))
            assert max(values) - min(values) <= ALIKE_MS, shown
        compared += 1

    async def table(number: int) -> None:
        rng, rule = Random(number), RULES[number % 2]
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        watchers = [await trial.open("Eve", hub) for hub in (0, 1)]
        match = await trial.meet(host, guest, options={"width": 5, "height": 5}, clock=rule)
        for watcher in watchers:
            await watcher.watch(match)
        for part in range(6):
            seats = [host, guest]
            await play(seats, match, rng, rng.randint(1, 4))
            await agree([host, guest, *watchers], match)
            pauser = seats[part % 2]
            await pauser.ask(Pause(ref=pauser.ref(), match=match), Accepted)
            await agree([host, guest, *watchers], match)
            await asyncio.sleep(rng.uniform(0.05, 0.15))  # clocks that went in a pause would be seen to
            late = await trial.open("Eve", part)
            await late.watch(match)
            await agree([host, guest, *watchers, late], match)
            await pauser.ask(Continue(ref=pauser.ref(), match=match), Accepted)
            watchers.append(late)
            await agree([host, guest, *watchers], match)
            gone = watchers.pop(0)
            await gone.vanish()
            back = await trial.open("", part, token=gone.token)
            if part % 2:
                resumed[back] = Dial.of(gone, match, resumed.get(gone))
                await back.resume(gone, match)
            else:
                await back.watch(match)
            watchers.append(back)
            await back.reach(match, trial.stored(match))
            if part % 2 == 0:
                await agree([host, guest, *watchers], match)
            await host.vanish()
            again = await trial.open("", part, token=host.token)
            await again.watch(match)
            await trial.retire(host)
            host = again
            await agree([host, guest, *watchers[:-1]], match)

    await together(*(table(number) for number in range(rounds(40, 2))))
    print(f"clocks were at most {apart:.0f} ms apart")
    trial.provoked("comparisons", compared, compared, least=20)
    await trial.check()
