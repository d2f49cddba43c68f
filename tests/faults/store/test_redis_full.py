"""Redis that takes no writes: nothing is acknowledged or shown that is not stored, and all else goes on."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from protocol.messages import Accepted, GetRecord, Look, Ping, Pong, Position, Record, Refused
from tests.faults.trial.recorder import AGAIN_S, Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged
from tests.faults.trial.under_fire import Fire
from tests.pace import within

pytestmark = [pytest.mark.faults, pytest.mark.harms]

ON_WITHIN_S = 5.0
FULL_FOR_S = 4.0 if FULL else 1.0


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs and a Redis of this trial alone."""
    with staged(tmp_path) as stage:
        yield stage


class Trouble(NamedTuple):
    """A way to make Redis refuse writes, and to let it take them again; either waits until it is so."""

    name: str
    begin: Callable[[Trial], None]
    end: Callable[[Trial], None]


def fill_up(trial: Trial) -> None:
    """The memory limit is reached."""
    store: Any = trial.store
    store.config_set("maxmemory", "1")


def make_room(trial: Trial) -> None:
    store: Any = trial.store
    store.config_set("maxmemory", "0")


def save(trial: Trial, goes_well: bool) -> None:
    """Let Redis write its other file, which must go as said."""
    store: Any = trial.store
    store.bgsave()
    deadline = time.monotonic() + 10
    while store.info("persistence")["rdb_bgsave_in_progress"]:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    assert store.info("persistence")["rdb_last_bgsave_status"] == ("ok" if goes_well else "err")


def refuse_the_disk(trial: Trial) -> None:
    """Redis cannot write to its folder: it takes no writes then, and says MISCONF."""
    store: Any = trial.store
    (trial.stage.redis.folder / "dump.rdb").unlink(missing_ok=True)
    (trial.stage.redis.folder / "dump.rdb").mkdir()
    store.config_set("save", "3600 1000000")
    save(trial, goes_well=False)


def give_the_disk_back(trial: Trial) -> None:
    (trial.stage.redis.folder / "dump.rdb").rmdir()
    save(trial, goes_well=True)


def make_a_replica(trial: Trial) -> None:
    """Redis is read-only."""
    store: Any = trial.store
    store.replicaof("127.0.0.1", "1")


def make_the_master(trial: Trial) -> None:
    store: Any = trial.store
    store.replicaof("NO", "ONE")


FULL_MEMORY = Trouble("memory full", fill_up, make_room)
FULL_DISK = Trouble("disk refused", refuse_the_disk, give_the_disk_back)
READ_ONLY = Trouble("read-only", make_a_replica, make_the_master)


async def reads(watcher: Recorder, match: str, hub: Any) -> None:
    """All that asks for no write is answered as ever: by the socket and by HTTP."""
    look = Look(ref=watcher.ref(), match=match, ply=0)
    record = GetRecord(ref=watcher.ref(), match=match)
    for command, kind in ((look, Position), (record, Record), (Ping(ref=watcher.ref()), Pong)):
        await watcher.send(command)
        answer = await watcher.answer(command.ref)
        assert isinstance(answer, kind), answer
    status, body = await asyncio.to_thread(hub.get, f"/api/matches/{match}", watcher.token)
    assert status == 200, body


@pytest.mark.parametrize("trouble", [FULL_MEMORY, FULL_DISK], ids=["memory", "disk"])
async def test_j7_redis_full_or_unable_to_write(trial: Trial, trouble: Trouble) -> None:
    """J7: nothing is acknowledged, reads and spectators go on, and play goes on within 5 s of there being space."""
    row = trial.fault(f"J7 {trouble.name}")
    watchers = [await trial.open("Eve", hub) for hub in (0, 1)]
    refused = 0

    async with Fire(trial, 8, think_s=0.02) as fire:

        async def begin() -> None:
            for table in fire.tables:
                for watcher in watchers:
                    if table.match not in watcher.views:
                        await watcher.watch(table.match)
            await asyncio.to_thread(trouble.begin, trial)

        async def end() -> None:
            nonlocal refused
            before = [sum(player.refusals for player in table.players) for table in fire.tables]
            # An answer may still be under way; from its refusal on no table gets another one.
            await eventually(lambda: all(map(is_refused, fire.tables, before)))
            moves, until = fire.moves, time.monotonic() + FULL_FOR_S
            while time.monotonic() < until:
                for hub, watcher in enumerate(watchers):
                    for match in list(watcher.views):
                        await reads(watcher, match, trial.stage.hubs[hub])
            assert fire.moves == moves, "something was acknowledged"
            refused += sum(player.refusals for player in fire.players) - sum(before)
            await asyncio.to_thread(trouble.end, trial)

        def is_refused(table: Any, before: int) -> bool:
            return sum(player.refusals for player in table.players) > before

        for _ in range(rounds(20, 1)):
            await fire.strike(row, begin, end, stops_all=True)
    fire.count_hits(row, await trial.check())
    trial.provoked("moves refused for want of space", refused, row.times, least=row.times)
    within(max(row.resumed_s), ON_WITHIN_S)


@pytest.mark.parametrize("trouble", [FULL_MEMORY, READ_ONLY], ids=["full", "read_only"])
async def test_a4_nothing_is_shown_that_is_not_stored(trial: Trial, trouble: Trouble) -> None:
    """A4: Redis refuses exactly the move: nobody sees it, the mover is told, and it is accepted once afterwards."""
    row = trial.fault(f"A4 {trouble.name} at move time")
    match, host, guest = await trial.pair(options={"width": 9, "height": 9})
    eve, seats = await trial.open("Eve", 1), (host, guest)
    await eve.watch(match)

    async def seen() -> set[int]:
        """The versions that everybody knows, once all that was sent to them so far has come."""
        for client in (*seats, eve):
            await client.ask(Ping(ref=client.ref()), Pong)
        versions = {client.views[match].version for client in (*seats, eve)}
        for hub in trial.stage.hubs:
            status, page = await asyncio.to_thread(hub.get, f"/api/matches/{match}", eve.token)
            assert status == 200, page
            versions.add(json.loads(page)["version"])
        return versions

    for _ in range(rounds(50)):
        version = trial.stored(match)
        view = await host.reach(match, version)
        assert view.to_move is not None
        mover = seats[view.to_move]
        await mover.reach(match, version)
        move = mover.a_move(match, min(view.legal))
        trouble.begin(trial)
        row.times += 1
        await mover.send(move)
        refused = await mover.answer(move.ref)
        assert isinstance(refused, Refused), refused
        assert refused.code == "unavailable"
        assert trial.stored(match) == version
        assert await seen() == {version}
        trouble.end(trial)
        free = time.monotonic()
        while not isinstance(await mover.once_more(move), Accepted):
            within(time.monotonic() - free, ON_WITHIN_S)
            await asyncio.sleep(AGAIN_S)
        row.resumed_s.append(time.monotonic() - free)
        for client in (*seats, eve):
            await client.reach(match, version + 1)
    logs = await trial.check()
    moved = [event["ref"] for _, event in logs[match] if event["event"] == "moved"]
    assert len(moved) == len(set(moved)) == row.times
    trial.provoked("moves that Redis refused", row.times, row.times)
