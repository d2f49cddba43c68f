"""Redis that stalls or cannot be reached: players are told, nothing is swallowed, and nobody pays for it."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from protocol.messages import Abandon, Accepted, ClockRule, Command, Offer, Outage, Pause, Refused
from server.hub.background.outages import WITH_OTHERS
from tests.faults.trial.clock_rule import RETURN_MS, Window, in_play_at, shown_wrongly, windows
from tests.faults.trial.evidence import Log
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import PASSING
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds
from tests.faults.trial.table import percentile
from tests.faults.trial.under_fire import Fire
from tests.pace import ROOM, within

pytestmark = pytest.mark.faults

TOLD_WITHIN_S = 5.0
ON_WITHIN_S = 5.0
STALL_S = 5.0 if FULL else 3.0
SILENCE_S = 30.0 if FULL else 7.0
CUT_S = 60.0 if FULL else 8.0
MOVE_MS = 3_000
"""Time for a move of the match that is played on at the other hub (`K5`)."""
TOTAL_MS = 600_000
CLOCK = ClockRule(total_ms=TOTAL_MS)
KNOWN_WITHIN_MS = min(1_000 * ROOM, 3_000)
"""How exactly an outage is known (`D5`)."""


@pytest.fixture
async def ways(tmp_path: Path, through: int) -> AsyncIterator[list[Proxy]]:
    """The ways from `through` of the hubs to Redis."""
    proxies = [Proxy(tmp_path / "redis.sock") for _ in range(through)]
    for proxy in proxies:
        await proxy.__aenter__()
    yield proxies
    for proxy in proxies:
        await proxy.__aexit__()


@pytest.fixture
def through() -> int:
    """How many of the hubs reach Redis through a proxy; the others do so themselves."""
    return 2


@pytest.fixture
async def stage(tmp_path: Path, ways: list[Proxy]) -> AsyncIterator[Stage]:
    """Two hubs and a Redis of this trial alone."""
    addresses = [f"redis://127.0.0.1:{proxy.port}" for proxy in ways]
    stage = Stage(tmp_path, ways=[*addresses, *[f"unix://{tmp_path / 'redis.sock'}"] * (2 - len(ways))])
    try:
        # In a thread of its own, for the proxies are served by this one.
        await asyncio.to_thread(stage.start)
        yield stage
    finally:
        await asyncio.to_thread(stage.stop)


def check_clocks(trial: Trial, logs: dict[str, Log], outages: list[Window]) -> None:
    """All clocks were shown as the rule says, and every outage was given back, as exactly as it can be known."""
    readers = [client.record() for client in trial.clients]
    wrong = [one for reader in readers for one in shown_wrongly(reader, logs, TOTAL_MS, outages)]
    assert wrong, "no clock was shown"
    # Until it has beaten again a hub knows by its own last beat alone since when; what is excused goes by any hub's.
    away = [
        one for one in wrong if any(from_ms <= one.at_ms <= until_ms + KNOWN_WITHIN_MS for from_ms, until_ms in outages)
    ]
    far = [one for one in away if abs(one.off_ms) >= KNOWN_WITHIN_MS]
    far += [one for one in wrong if one not in away and abs(one.off_ms) >= 50 * ROOM]
    assert not far, (far, outages)
    charged = 0
    for outage in outages:
        for match, log in logs.items():
            if not in_play_at(log, outage.from_ms) or not in_play_at(log, outage.until_ms):
                continue
            if log[-1][1]["at_ms"] < outage.until_ms:
                continue  # a move from before it was the trial's last: nobody has looked at the match since
            charged += 1
            given = windows(log)
            known = next((window for window in given if window.from_ms < outage.until_ms < window.until_ms), None)
            assert known is not None, ("an outage that nobody gave back", match, outage, given)
            # What was given already for coming back after the outage before is not given twice.
            from_ms = max([outage.from_ms, *(window.until_ms for window in given[: given.index(known)])])
            assert abs(known.from_ms - from_ms) < KNOWN_WITHIN_MS, (match, outage, given)
            assert abs(known.until_ms - RETURN_MS - outage.until_ms) < KNOWN_WITHIN_MS, (match, outage, given)
    trial.provoked("outages that fell in somebody's turn", charged, len(outages) * len(logs), least=len(outages))


@pytest.mark.minutes(2.5)
@pytest.mark.parametrize("through", [0])
async def test_j16_redis_stalls(trial: Trial) -> None:
    """J16: Redis stopped for 5 s, 20 times: moves are late, not lost; the clocks follow the outage rule."""
    redis = trial.stage.redis
    row = trial.fault("J16 Redis stalls")
    outages: list[Window] = []

    async def stop() -> None:
        redis.signal(signal.SIGSTOP)
        outages.append(Window(time.time() * 1000, 0))

    async def go_on() -> None:
        await asyncio.sleep(STALL_S)
        redis.signal(signal.SIGCONT)
        outages[-1] = Window(outages[-1].from_ms, time.time() * 1000)

    async with Fire(trial, 8, think_s=0.03, clock=CLOCK, options={"width": 9, "height": 9}) as fire:
        for _ in range(rounds(20)):
            await asyncio.sleep(0.7)  # so that both hubs have beaten since the last stall
            await fire.strike(row, stop, go_on, stops_all=True)
    logs = await trial.check()
    fire.count_hits(row, logs)
    check_clocks(trial, logs, outages)
    trial.provoked("moves that had to be sent again", sum(player.refusals for player in fire.players), row.times)
    within(max(row.resumed_s), ON_WITHIN_S)


@pytest.mark.minutes(6)
async def test_j5_redis_falls_silent(trial: Trial, ways: list[Proxy]) -> None:
    """J5: no packet between hubs and Redis for 30 s, 10 times: players are told within 5 s, and all goes on."""
    row = trial.fault("J5 no packet to or from Redis")
    outages: list[Window] = []
    asked = 0

    async def fall_silent() -> None:
        for way in ways:
            way.blackhole()
        outages.append(Window(time.time() * 1000, 0))

    async def heal() -> None:
        nonlocal asked
        await asyncio.sleep(SILENCE_S)
        # A table at which a stored move is on its way to the other hub asks for nothing.
        asking = [table.players for table in fire.tables if any(player.pending for player in table.players)]
        asked += bool(asking)
        assert all(any(player.refusals for player in players) for players in asking), "somebody was not told"
        for way in ways:
            way.heal()
        outages[-1] = Window(outages[-1].from_ms, time.time() * 1000)

    told = 0
    async with Fire(trial, 8, think_s=0.03, clock=CLOCK, options={"width": 9, "height": 9}) as fire:
        for _ in range(rounds(10)):
            await asyncio.sleep(0.7)
            for player in fire.players:
                told, player.refusals = told + player.refusals, 0
            await fire.strike(row, fall_silent, heal, stops_all=True)
    logs = await trial.check()
    fire.count_hits(row, logs)
    check_clocks(trial, logs, outages)
    slowest_s = max(player.slowest_s for player in fire.players)
    print(f"told after {slowest_s:.2f} s at most")
    trial.provoked("silences in which somebody asked", asked, row.times, least=rounds(10, 2) // 2)
    trial.provoked("moves refused", told + sum(player.refusals for player in fire.players), row.times)
    within(slowest_s, TOLD_WITHIN_S)
    within(percentile(row.resumed_s, 100), ON_WITHIN_S)


@pytest.mark.minutes(1)
@pytest.mark.parametrize("through", [1])
async def test_k5_a_hub_without_redis_keeps_its_hands_still(trial: Trial, ways: list[Proxy]) -> None:
    """K5: one hub is cut off from Redis for 60 s while the opponent plays through the other: it does nothing at all."""
    cut, other = 0, 1
    row = trial.fault("K5 one hub cut off from Redis")
    await asyncio.sleep(0.7)  # so that the hub has beaten since the other one came
    # They play on at the other hub, at a clock that runs out many times over at the cut one.
    host, guest = await trial.open("Ana", other), await trial.open("Bo", other)
    match = await trial.meet(host, guest, clock=ClockRule(per_move_ms=MOVE_MS), options={"width": 9, "height": 9})
    tab = await trial.open("Ana", cut, token=host.token)
    watcher = await trial.open("Eve", cut)
    for behind in (tab, watcher):
        await behind.watch(match)
    # Her opponent is at the other hub, and it is her turn.
    stuck, opponent = await trial.open("Cid", cut), await trial.open("Dan", other)
    waiting = await trial.meet(stuck, opponent, grace_s=300, clock=CLOCK)
    move = stuck.a_move(waiting, min(stuck.views[waiting].legal))

    def asked() -> list[Command]:
        return [
            move,
            Offer(ref=stuck.ref(), match=waiting, kind="draw"),
            Pause(ref=stuck.ref(), match=waiting),
            Abandon(ref=stuck.ref(), match=waiting),
            tab.a_move(match, min(tab.views[match].legal)),
        ]

    async def refused(command: Command) -> None:
        sender = tab if getattr(command, "match", "") == match else stuck
        began = time.monotonic()
        answer = await sender.once_more(command)
        assert isinstance(answer, Refused), answer
        assert answer.code in PASSING, answer
        within(time.monotonic() - began, TOLD_WITHIN_S)

    ways[0].blackhole()
    row.times += 1
    until, seen, tries, played = time.monotonic() + CUT_S, tab.views[match].version, 0, 0
    players = (host, guest)
    version = seen
    while time.monotonic() < until:
        await asyncio.sleep(0.05)
        for command in asked():
            await refused(command)
            tries += 1
            view = await players[0].reach(match, version)
            if view.to_move is not None:
                mover = players[view.to_move]
                version = (await mover.move(match, version, min(view.legal))).version
                played += 1
        assert tab.views[match].version == watcher.views[match].version == seen
    # Its clients are told so, and no more than it can know: at the other hub clocks go on.
    outages = [[message for message in one.record().traffic if isinstance(message, Outage)] for one in (tab, watcher)]
    assert [[outage.text for outage in told] for told in outages] == [[WITH_OTHERS], [WITH_OTHERS]]
    assert not [message for message in guest.record().traffic if isinstance(message, Outage)]
    assert trial.stage.hubs[cut].get("/ready")[0] == 503
    ways[0].heal()
    healed = time.monotonic()
    while not isinstance(answer := await stuck.once_more(move), Accepted):
        assert isinstance(answer, Refused)
        assert answer.code in PASSING, answer
        within(time.monotonic() - healed, ON_WITHIN_S)
        await asyncio.sleep(0.05)
    row.resumed_s.append(time.monotonic() - healed)
    for behind in (tab, watcher):
        await behind.reach(match, version)
    await eventually(partial(_is_ready, trial.stage, cut))
    within(time.monotonic() - healed, ON_WITHIN_S)
    logs = await trial.check()
    trial.provoked("commands to the hub that was cut off", tries, tries)
    trial.provoked("moves at the other hub meanwhile", played, played, least=int(CUT_S) // 3)
    # Nobody plays on once it is mended, so the time of the last turn may run out; not a moment before that. A turn in
    # which boxes were closed began when the other one had moved.
    moves = [event for _, event in logs[match] if event["event"] == "moved"]
    for _, end in logs[match]:
        if end["event"] == "ended" and end["reason"] == "time":
            turn_ms = max(move["at_ms"] for move in moves if move["seat"] != end["by"])
            assert end["at_ms"] >= turn_ms + MOVE_MS, (turn_ms, end)
    assert [event["event"] for _, event in logs[waiting] if event.get("player") == stuck.player] == ["created", "moved"]


def _is_ready(stage: Stage, hub: int) -> bool:
    return stage.hubs[hub].get("/ready")[0] == 200
