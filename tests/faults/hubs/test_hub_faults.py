"""Hubs that stop politely or not, under load: clients are told, come back by themselves, and nothing is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from client.conversation.address import Address
from client.conversation.session import Session
from client.conversation.transport import Transport
from protocol.messages import Abandon, Accepted, Answer, Command, Continue, Offer, Pause, Refused, Watch, Withdraw
from tests.driver import HubProcess
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged
from tests.faults.trial.stubborn import Duel
from tests.faults.trial.table import percentile
from tests.faults.trial.under_fire import Fire, hit_in_commit
from tests.pace import WAIT_S, within

pytestmark = pytest.mark.faults

BACK_WITHIN_S = 3.0
GOING_AWAY = 1012
CLIENTS = 1_000 if FULL else 100
LONG_AWAY = [pytest.param(300.0, marks=pytest.mark.minutes(6))] if FULL else []
ALL_BACK_WITHIN_S = 15.0
SPREAD_S = 2.0


@pytest.fixture
def stage(tmp_path: Path, hubs: int) -> Iterator[Stage]:
    """Hubs of this trial alone."""
    with staged(tmp_path, hubs) as stage:
        yield stage


@pytest.mark.timed
async def test_k2_both_hubs_restarted_in_turn(trial: Trial) -> None:
    """K2: SIGTERM to each hub in turn, 20 times under load: clients are told, and go on within moments."""
    row = trial.fault("K2 hub asked to stop")

    async def stop(hub: HubProcess) -> None:
        hub.terminate()

    async def start_again(hub: HubProcess) -> None:
        assert await asyncio.to_thread(hub.stop) == 0
        await asyncio.to_thread(hub.start)

    async with Fire(trial, rounds(100, 10), think_s=0.03) as fire:
        for number in range(rounds(20, 2)):
            hub = trial.stage.hubs[number % 2]
            await fire.strike(row, partial(stop, hub), partial(start_again, hub), stops_all=False)
    fire.count_hits(row, await trial.check())
    codes = [code for player in fire.players for code in player.closed]
    trial.provoked("connections closed by a hub that stopped", len(codes), len(codes), least=row.times * 5)
    assert set(codes) == {GOING_AWAY}, {code: codes.count(code) for code in set(codes)}
    within(percentile(row.resumed_s, 100), BACK_WITHIN_S)


# What is not a move ---------------------------------------------------------------------------------------------------


class Wish(NamedTuple):
    """What the first player asks for in the outage, and what was asked before by which seat.

    Each is made from a ref, the match, and the version of the offer that is open.
    """

    command: Callable[[str, str, int], Command]
    before: tuple[int, Callable[[str, str, int], Command]] | None = None


def draw(ref: str, match: str, offered: int) -> Command:
    return Offer(ref=ref, match=match, kind="draw")


WISHES = [
    Wish(lambda ref, match, offered: Abandon(ref=ref, match=match)),
    Wish(draw),
    Wish(lambda ref, match, offered: Answer(ref=ref, match=match, accept=True, offer=offered), (1, draw)),
    Wish(lambda ref, match, offered: Answer(ref=ref, match=match, accept=False, offer=offered), (1, draw)),
    Wish(lambda ref, match, offered: Withdraw(ref=ref, match=match, offer=offered), (0, draw)),
    Wish(lambda ref, match, offered: Pause(ref=ref, match=match)),
    Wish(
        lambda ref, match, offered: Continue(ref=ref, match=match),
        (0, lambda ref, match, offered: Pause(ref=ref, match=match)),
    ),
]


async def prepared(duel: Duel, wish: Wish) -> Command:
    """A new match in which the wish makes sense; returns the command to send."""
    await duel.begin()
    for _ in range(2):
        await duel.move()
    if wish.before is not None:
        seat, command = wish.before
        asker = duel.players[seat]
        done = await asker.do(command(asker.link.ref(), duel.match, 0))
        assert isinstance(done, Accepted), done
        await duel.players[0].reach(duel.match, done.version)
    return wish.command(duel.players[0].link.ref(), duel.match, duel.players[0].link.offered(duel.match))


@pytest.mark.parametrize("broken", ["hub", "redis"])
@pytest.mark.parametrize("hubs", [1])
async def test_k3_what_is_not_a_move(trial: Trial, broken: str) -> None:
    """K3: resign, offer, accept, reject, withdraw, pause, continue sent in an outage: done once or refused in words."""
    rng, up = Random(3), asyncio.Event()
    up.set()
    hub, redis = trial.stage.hubs[0], trial.stage.redis
    row = trial.fault(f"K3 {broken} killed when no move is sent")
    duels = [Duel(trial, up, (0, 0), seed) for seed in range(len(WISHES))]
    for duel in duels:
        await duel.come()
    struck_ms: list[float] = []
    done = 0
    for number in range(rounds(30, 2)):
        commands = [await prepared(duel, wish) for duel, wish in zip(duels, WISHES, strict=True)]
        sent = [asyncio.create_task(duel.players[0].do(command)) for duel, command in zip(duels, commands, strict=True)]
        # Before, in, or after the commits, of which a fast machine has done all in 2 ms: every other time at once.
        await asyncio.sleep(rng.uniform(0, 0.01) if number % 2 else 0)
        if broken == "hub":
            up.clear()
            hub.kill()
        else:
            redis.kill()
        struck_ms.append(time.time() * 1000)
        row.times += 1
        await asyncio.sleep(rng.uniform(0, 0.3))
        await asyncio.to_thread(hub.start if broken == "hub" else redis.start)
        back = time.monotonic()
        up.set()
        answers = await asyncio.gather(*sent)
        row.resumed_s.append(time.monotonic() - back)
        assert all(isinstance(answer, Accepted) or (isinstance(answer, Refused) and answer.text) for answer in answers)
        done += sum(isinstance(answer, Accepted) for answer in answers)
        for duel, answer in zip(duels, answers, strict=True):
            duel.version = answer.version if isinstance(answer, Accepted) else duel.version
    logs = await trial.check()
    doubts = [doubt for duel in duels for player in duel.players for doubt in player.doubts]
    row.hits = len(hit_in_commit(logs, struck_ms, doubts))
    trial.provoked("commands whose answer was lost or put off", len(doubts), row.times * len(WISHES), least=row.times)
    trial.provoked("commands done in the end", done, row.times * len(WISHES), least=row.times * len(WISHES))


# Many clients ---------------------------------------------------------------------------------------------------------


class Crowd:
    """Many of our own clients that watch one match, each with its own patience."""

    def __init__(self, url: str, many: int) -> None:
        host, port = url.removeprefix("ws://").removesuffix("/ws").split(":")
        self._address = Address(url, f"{host}:{port}", host, int(port), "ws")
        self.tries: list[list[float]] = [[] for _ in range(many)]
        self.sessions = [Session(f"P{number}") for number in range(many)]
        self.transports = [
            Transport(partial(self._find, number), session, partial(self._drain, session), rng=Random(number))
            for number, session in enumerate(self.sessions)
        ]
        self.runs: list[asyncio.Task[None]] = []

    async def _find(self, number: int) -> Address:
        self.tries[number].append(time.monotonic())
        return self._address

    @staticmethod
    def _drain(session: Session) -> None:
        session.events()

    async def come(self, match: str, at_once: int = 50) -> None:
        """Connect, some at a time, and watch."""
        for first in range(0, len(self.transports), at_once):
            these = range(first, min(first + at_once, len(self.transports)))
            for number in these:
                self.runs.append(asyncio.create_task(self.transports[number].run()))
            await eventually(partial(self._are_online, these))
        for session, transport in zip(self.sessions, self.transports, strict=True):
            session.send(Watch(ref=session.ref(), match=match))
            transport.flush()
        await eventually(self.idle)

    def _are_online(self, numbers: range) -> bool:
        return all(self.sessions[number].is_online for number in numbers)

    def idle(self) -> bool:
        """Whether everybody is there and has been answered."""
        return all(session.is_online and not session.pending for session in self.sessions)

    async def go(self) -> None:
        for transport in self.transports:
            transport.stop()
        await asyncio.gather(*self.runs)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("down_s", [pytest.param(3.0, marks=pytest.mark.timed), *LONG_AWAY])
@pytest.mark.parametrize("hubs", [1])
async def test_c12_coming_back_in_step(trial: Trial, down_s: float) -> None:
    """C12: 1,000 clients of a hub that is killed: first tries spread over 2 s, nobody gives up, all back in 15 s."""
    hub, up = trial.stage.hubs[0], asyncio.Event()
    up.set()
    row = trial.fault("C12 hub with 1,000 clients killed" if FULL else "C12 hub with 100 clients killed")
    duel = Duel(trial, up, (0, 0))
    await duel.come()
    await duel.begin(grace_s=300)
    await duel.move()
    crowd = Crowd(hub.url, CLIENTS)
    try:
        await crowd.come(duel.match)
        before = [len(tries) for tries in crowd.tries]
        up.clear()
        hub.kill()
        row.times += 1
        killed = time.monotonic()
        await asyncio.sleep(down_s)
        await asyncio.to_thread(hub.start)
        back = time.monotonic()
        up.set()
        took_s = await eventually(crowd.idle, limit_s=ALL_BACK_WITHIN_S + WAIT_S)
        row.resumed_s.append(time.monotonic() - back)
        firsts = sorted(tries[number] - killed for tries, number in zip(crowd.tries, before, strict=True))
        print(f"first tries from {firsts[0]:.2f} to {firsts[-1]:.2f} s; all back after {took_s:.2f} s")
        assert not any(run.done() for run in crowd.runs), "somebody gave up"
        assert firsts[-1] - firsts[0] >= SPREAD_S * 0.9
        busiest = max(sum(1 for other in firsts if first <= other < first + 0.5) for first in firsts)
        assert busiest < CLIENTS * 0.4, f"{busiest} came within half a second"
        within(took_s, ALL_BACK_WITHIN_S)
        await duel.move()
    finally:
        await crowd.go()
    await trial.check()
    trial.provoked("clients that lost their hub", len(firsts), CLIENTS, least=CLIENTS)
