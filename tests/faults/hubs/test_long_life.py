"""Hubs that live long: finished games are let go, forgotten ones leave nothing, and the computer thinks elsewhere."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from protocol.messages import Abandon, Accepted, Create, Hello, Join, Leave, WatchLobby, Welcome
from tests.driver import ROOT
from tests.faults.trial.evidence import Log
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, staged, together
from tests.faults.trial.stubborn import Duel
from tests.faults.trial.table import percentile
from tests.pace import WAIT_S, within

pytestmark = pytest.mark.faults

LIFETIME_S = WAIT_S / 10
"""Three seconds on a quiet machine: no match may be forgotten while its players still leave it."""
GAMES = 20_000 if FULL else 40
BATCH = 500 if FULL else 40
WARM_UP = 4_000 if FULL else 80
"""Games until the hubs' bounded caches are full and the allocator has what it needs: that is the start."""
TABLES = 20 if FULL else 10
SMALLEST = {"width": 2, "height": 2}
LARGEST = {"width": 15, "height": 15}
CUTS_EVERY = 10
WITHIN = 1.1
"""Afterwards at most this many times what there was at the start."""
COMPUTERS = 50
OTHERS_P99_MS = 50.0 if FULL else 250.0
"""What others may wait for an answer; in short form the machine has other tests to run, too."""


@pytest.fixture
def lifetimes() -> str:
    """The lifetimes with which the hubs are started."""
    return f"match={LIFETIME_S},finished={LIFETIME_S}"


@pytest.fixture
def stage(tmp_path: Path, lifetimes: str) -> Iterator[Stage]:
    """Hubs of this trial alone, whose Redis soon forgets."""
    with staged(tmp_path, arguments=["--lifetime", lifetimes]) as stage:
        yield stage


# Games that expire ----------------------------------------------------------------------------------------------------


def keys_of(trial: Trial, match: str) -> list[bytes]:
    """All keys that Redis has of a match."""
    store: Any = trial.store
    return list(store.scan_iter(f"parlour:match:{{{match}}}*"))


async def test_j13_games_that_expire_while_played(trial: Trial) -> None:
    """J13: a slow live game never expires, nor half of one; finished games and those that all have left do."""
    up = asyncio.Event()
    up.set()
    slow, over, left = duels = [Duel(trial, up, seed=seed) for seed in range(3)]
    watcher = await trial.open("Eve")
    await watcher.ask(WatchLobby(ref=watcher.ref()), Accepted)
    for duel in duels:
        await duel.come()
        await duel.begin()
        await duel.move()
    # A host who waits for whoever has the key.
    waiting, guest = await trial.open("Wim"), await trial.open("Gil", 1)
    made = await waiting.ask(Create(ref=waiting.ref(), game="square", private=True), Accepted)
    quitter = over.players[0]
    done = await quitter.do(Abandon(ref=quitter.link.ref(), match=over.match))
    assert isinstance(done, Accepted)
    for player in left.players:
        await player.link.vanish()
    logs: dict[str, Log] = {}

    def forgotten(match: str) -> bool:
        logs[match] = trial.log(match) or logs[match]
        return not keys_of(trial, match)

    assert not forgotten(over.match)
    assert not forgotten(left.match)
    began = time.monotonic()
    for _ in range(2):
        thinking_until = time.monotonic() + LIFETIME_S * 1.5
        while time.monotonic() < thinking_until:
            for match in logs:
                forgotten(match)
            await asyncio.sleep(0.1)
        assert await slow.move()
    await eventually(lambda: all([forgotten(match) for match in logs]))
    await watcher.until(lambda: left.match not in watcher.lobby and slow.match in watcher.lobby)
    joined = await guest.ask(Join(ref=guest.ref(), key=made.key or ""), Accepted)
    assert joined.match == made.match, "half of a game was forgotten"
    assert await unfinished(trial, left.players[0].link) == ()
    assert await unfinished(trial, slow.players[0].link) == (slow.match,)
    lifetimes = int((time.monotonic() - began) / LIFETIME_S)
    trial.provoked("lifetimes that live games have outlived", lifetimes, lifetimes, least=3)
    await trial.check(logs)


async def unfinished(trial: Trial, link: Recorder) -> tuple[str, ...]:
    """The unfinished matches that a player is told of on coming in anew."""
    again = await trial.connect(link.name)
    welcome = await again.ask(Hello(ref=again.ref(), name=link.name, token=link.token), Welcome)
    await trial.retire(again)
    return welcome.matches


# Games that end -------------------------------------------------------------------------------------------------------


class Figures(NamedTuple):
    """What all hubs hold together, memory in bytes, open files and tasks; and how many keys Redis has."""

    memory: float
    files: float
    tasks: float
    keys: int


def figures(trial: Trial) -> Figures:
    """What there is now. Players change hubs when they are cut, so it is the sum that is compared."""
    names = ("process_resident_memory_bytes", "process_open_fds", "parlour_tasks")
    memory, files, tasks = (trial.stage.counter(name) for name in names)
    keys: Any = trial.store.dbsize()
    return Figures(memory, files, tasks, int(keys))


def settled(trial: Trial) -> bool:
    """Whether nothing of any match is left, in hubs and in Redis."""
    store: Any = trial.store
    return not trial.stage.counter("parlour_rooms") and not any(store.scan_iter("parlour:match:*", count=1000))


class Evening(Duel):
    """A duel that plays many short games, each watched by a spectator who comes and goes; some links are cut."""

    def __init__(self, trial: Trial, up: asyncio.Event, number: int) -> None:
        super().__init__(trial, up, (number % 2, (number + 1) % 2), number)
        self.logs: dict[str, Log] = {}
        self.cuts = 0
        self._trial = trial
        self._watcher: Recorder | None = None

    async def come(self) -> None:
        """Let all three connect."""
        await super().come()
        self._watcher = await self._trial.open("Eve", self._rng.randrange(2))

    async def play(self, games: int) -> None:
        """Play so many games; the logs are read when they have ended, for they do not last."""
        for _ in range(games):
            await self.begin(options=SMALLEST)
            assert self._watcher is not None
            await self._watcher.watch(self.match)
            cut = self._rng.randrange(CUTS_EVERY) == 0
            while True:
                going_on = asyncio.create_task(self.move())
                if cut:
                    await self._cut()
                    cut = False
                if not await going_on:
                    break
            for player in self.players:
                await player.reach(self.match, self.version)
                await player.do(Leave(ref=player.link.ref(), match=self.match))
                player.unfollow()
            await self._watcher.reach(self.match, self.version)
            await self._watcher.ask(Leave(ref=self._watcher.ref(), match=self.match), Accepted)
            self.logs[self.match] = self._trial.log(self.match)

    async def _cut(self) -> None:
        await asyncio.sleep(self._rng.uniform(0, 0.003))
        self.cuts += 1
        await self._rng.choice(self.players).link.vanish()


@pytest.mark.minutes(10)
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("lifetimes", [f"finished={LIFETIME_S},ref={LIFETIME_S}"], ids=["of_what_is_over"])
async def test_k7_finished_games_are_let_go(trial: Trial) -> None:
    """K7: 20,000 short games with spectators and cuts: memory, files, tasks and keys return to what they were."""
    row = trial.fault("K7 connection cut in a short game")
    up = asyncio.Event()
    up.set()
    evenings = [Evening(trial, up, number) for number in range(TABLES)]
    await together(*(evening.come() for evening in evenings))

    async def play(games: int) -> None:
        for _ in range(games // BATCH):
            before = row.times
            await together(*(evening.play(BATCH // TABLES) for evening in evenings))
            row.times = before + sum(evening.cuts for evening in evenings)
            await trial.check({match: log for evening in evenings for match, log in evening.logs.items()})
            trial.forget()
            for evening in evenings:
                evening.cuts = 0
                evening.logs.clear()

    await play(WARM_UP)
    await eventually(lambda: settled(trial), pause_s=0.2)
    start = figures(trial)
    await play(GAMES)
    await eventually(lambda: settled(trial), pause_s=0.2)
    end = figures(trial)
    print(f"at the start {start}, after {GAMES} games {end}")
    trial.provoked("connections cut", row.times, GAMES, least=GAMES // CUTS_EVERY // 2)
    assert all(after <= before * WITHIN for before, after in zip(start, end, strict=True)), (start, end)


# The computer ---------------------------------------------------------------------------------------------------------


async def think(client: Recorder, match: str, until: float) -> int:
    """Play against the computer until then; returns how many moves it made."""
    rng, moves = Random(match), 0
    while time.monotonic() < until:
        view = client.views[match]
        if view.status == "ended":
            break
        if view.to_move == 0:
            await client.ask(client.a_move(match, rng.choice(sorted(view.legal))), Accepted)
        else:
            await client.reach(match, view.version + 1)
            moves += 1
    return moves


@pytest.mark.timed
async def test_g12_the_computer_thinks_elsewhere(trial: Trial) -> None:
    """G12: 50 games against the computer on the largest grid: others' p99 stays under 50 ms."""
    clients = [await trial.open("Cy") for _ in range(5)]
    matches = []
    for number in range(COMPUTERS):
        client = clients[number % len(clients)]
        shown = await client.create("dots-and-boxes", options=LARGEST, computer=True)
        matches.append((client, shown.match))
    seconds = 20.0 if FULL else 2.5
    until = time.monotonic() + seconds
    thinking = [asyncio.create_task(think(client, match, until)) for client, match in matches]
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.faults.trial.bystander", trial.url(), str(seconds - 1), cwd=ROOT, stdout=PIPE
    )
    printed, _ = await other.communicate()
    assert other.returncode == 0
    told = json.loads(printed)
    trial.disregard(told["matches"])
    waits_ms: list[float] = told["waits_ms"]
    moves = sum(await asyncio.gather(*thinking))
    await trial.check()
    trial.provoked("moves of the computer meanwhile", moves, moves, least=COMPUTERS)
    p99_ms = percentile(waits_ms, 99)
    print(f"{len(waits_ms)} moves of others, p99 {p99_ms:.1f} ms")
    within(p99_ms / 1000, OTHERS_P99_MS / 1000)
