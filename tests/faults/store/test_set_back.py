"""A store that holds less than it did: its folder restored, its tail lost, everything gone; under hubs that go on.

The checker that judges all other trials would call what the store has lost by itself lost by us. So this one judges by
itself: what is shown is compared with what the store has left, for players, spectators and readers by HTTP, before and
after play has gone on; then everything begins anew, and the checker judges what came after.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from protocol.messages import Accepted, Refused, Said, Say, SetBack, Snapshot
from tests.driver import WAIT_S
from tests.faults.trial.recorder import AGAIN_S, PASSING, Recorder
from tests.faults.trial.stage import Stage, Trial, eventually, rounds, staged
from tests.faults.trial.view import View
from tests.pace import within

pytestmark = pytest.mark.faults

SHOWN_WITHIN_S = 5.0
BACKED_UP, LOST = 8, 10
"""The version of which there is a copy, and how many events come after it that are lost."""
LONG = {"width": 7, "height": 7}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs and a Redis of this trial alone."""
    with staged(tmp_path) as stage:
        yield stage


class Table:
    """A match, its players at the two hubs, a spectator at each, and somebody who reads by HTTP at each."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.match = ""
        self.players: list[Recorder] = []
        self.watchers: list[Recorder] = []

    async def begin(self, **create: Any) -> None:
        """Let everybody come."""
        self.match, *self.players = await self.trial.pair(options=LONG, grace_s=60, **create)
        for hub in range(2):
            self.watchers.append(await self.trial.open("Eve", hub))
            await self.watchers[-1].watch(self.match)

    @property
    def everybody(self) -> list[Recorder]:
        """All who have a connection."""
        return [*self.players, *self.watchers]

    async def play(self, until: int) -> None:
        """Play until the log has that version, and both players know it."""
        while (version := self.trial.stored(self.match)) < until:
            view = await self.players[0].reach(self.match, version)
            assert view.to_move is not None
            mover = self.players[view.to_move]
            view = await mover.reach(self.match, version)
            move = mover.a_move(self.match, sorted(view.legal)[0], version)
            while isinstance(moved := await mover.once_more(move), Refused):
                assert moved.code in PASSING, moved
                await asyncio.sleep(AGAIN_S)
            assert isinstance(moved, Accepted), moved
        for player in self.players:
            await player.reach(self.match, until)

    async def agree(self) -> int:
        """Everybody sees what is in the log, and so does who comes only now, at either hub; how many were compared."""
        version = self.trial.stored(self.match)
        fresh = await afresh(self.trial, self.match)
        assert fresh[0] is not None
        assert fresh[1] is not None
        for player in self.players:
            await player.reach(self.match, version)
        for watcher in self.watchers:
            await watcher.reach(self.match, fresh[0].version)
        views = [player.views[self.match] for player in self.players]
        assert {view.version for view in views} == {version}
        assert not views[0].unlike(views[1])
        public = [View.of(fresh[0]), View.of(fresh[1]), *(watcher.views[self.match] for watcher in self.watchers)]
        for view in public[1:]:
            assert not view.unlike(public[0]), view.unlike(public[0])
        return len(views) + len(public)

    def is_shown_to(self, client: Recorder) -> bool:
        """Whether a client was told of the loss, and shows what is in the log now."""
        told = any(isinstance(word, SetBack) and word.match == self.match for word in client.traffic)
        return told and client.views[self.match].version == self.trial.stored(self.match)

    def read_on(self, hubs: tuple[int, ...] = (0, 1)) -> list[asyncio.Task[dict[str, Any]]]:
        """At each hub somebody reads by HTTP what is new after the version known now, until told of a loss."""
        after = self.trial.stored(self.match)
        return [asyncio.create_task(self._read(hub, self.watchers[hub].token or "", after)) for hub in hubs]

    async def _read(self, hub: int, token: str, after: int) -> dict[str, Any]:
        until, path = time.monotonic() + WAIT_S, f"/api/matches/{self.match}/updates?after={after}&wait=5"
        while True:
            assert time.monotonic() < until, "a reader was never told"
            status, body = await asyncio.to_thread(self.trial.stage.hubs[hub].get, path, token)
            answer: dict[str, Any] = json.loads(body)
            if status == 404 or answer.get("set_back"):
                return {"status": status, **answer}
            assert status in (200, 503, 504), (status, body)
            assert not answer.get("snapshot"), "another version was shown without a word"
            await asyncio.sleep(AGAIN_S)


async def shown(client: Recorder, match: str) -> SetBack:
    """What a client was told of the match that was set back, in words; and then its snapshot, at that version."""

    def told() -> list[int]:
        return [at for at, word in enumerate(client.traffic) if isinstance(word, SetBack) and word.match == match]

    asked = time.monotonic()
    await client.until(told)
    within(time.monotonic() - asked, SHOWN_WITHIN_S)
    at = told()[-1]
    word = client.traffic[at]
    assert isinstance(word, SetBack)
    assert word.text
    if word.version:
        await client.until(lambda: len(client.traffic) > at + 1)
        snapshot = client.traffic[at + 1]
        assert isinstance(snapshot, Snapshot)
        assert (snapshot.match, snapshot.version) == (match, word.version)
    return word


async def afresh(trial: Trial, match: str) -> list[Snapshot | None]:
    """The match as somebody who comes only now sees it, at each hub; None who is told that there is none."""
    snapshots: list[Snapshot | None] = []
    for hub in range(len(trial.stage.hubs)):
        fresh = await trial.open("Fresh", hub)
        try:
            await fresh.watch(match)
        except AssertionError:
            snapshots.append(None)
        else:
            snapshots.append(await fresh.shown(match))
        await trial.retire(fresh)
    return snapshots


def restore(stage: Stage, copy: Path) -> None:
    """Kill Redis and start it on the copy of its folder."""
    stage.redis.kill()
    for name in ("appendonlydir", "dump.rdb"):
        shutil.rmtree(stage.redis.folder / name, ignore_errors=True)
        (stage.redis.folder / name).unlink(missing_ok=True)
        if (copy / name).is_dir():
            shutil.copytree(copy / name, stage.redis.folder / name)
    stage.redis.start()


def back_up(stage: Stage, copy: Path) -> Path:
    """Copy the folder of a Redis that is written to by nobody but the hubs' beats."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(stage.redis.folder / "appendonlydir", copy / "appendonlydir")
    return copy


def cut_tail(stage: Stage, kept: int) -> None:
    """Kill Redis and cut its append-only file off after so many bytes, in the middle of what came next."""
    stage.redis.kill()
    newest = tail(stage)
    with newest.open("r+b") as file:
        file.truncate(kept + 5)
    stage.redis.start()


def tail(stage: Stage) -> Path:
    """The file that Redis appends to."""
    return max((stage.redis.folder / "appendonlydir").glob("*.incr.aof"))


def reports(trial: Trial) -> int:
    """The loud lines in the hubs' logs since the last look, one for each load; nothing else may be wrong."""
    lines = [line for text in trial.stage.trouble() for line in text.splitlines() if "level='error'" in line]
    assert all("THE STORE HAS LOST" in line for line in lines), lines
    return len(lines)


@pytest.mark.parametrize("how", ["restored", "tail_lost"])
async def test_q9_a_store_that_was_set_back(trial: Trial, tmp_path: Path, how: str) -> None:
    """Q9: ten events lost under running hubs: players, spectators and readers see what is left, and one game goes on.

    Two matches at once, one of them with spectators who are three moves behind.
    """
    stage, row = trial.stage, trial.fault(f"Q9 store set back, {how}")
    told = judged = loud = 0
    for _ in range(rounds(10, 1)):
        tables = [Table(trial), Table(trial)]
        await tables[0].begin()
        await tables[1].begin(delay_plies=3)
        for table in tables:
            await table.play(BACKED_UP)
        copy, size = back_up(stage, tmp_path / "copy"), tail(stage).stat().st_size
        for table in tables:
            await table.play(BACKED_UP + LOST)
        readers = tables[0].read_on()
        await asyncio.sleep(0.3)  # they wait for news now
        if how == "restored":
            await asyncio.to_thread(restore, stage, copy)
        else:
            await asyncio.to_thread(cut_tail, stage, size)
        row.times += 1
        since = time.monotonic()
        for table in tables:
            assert trial.stored(table.match) == BACKED_UP
            for client in table.everybody:
                word = await shown(client, table.match)
                assert word.version == (BACKED_UP if client in table.players else client.views[table.match].version)
                told += 1
        row.resumed_s.append(time.monotonic() - since)
        for answer in await asyncio.gather(*readers):
            assert (answer["version"], answer["snapshot"]["version"]) == (BACKED_UP, BACKED_UP)
            told += 1
        for table in tables:
            judged += await table.agree()
            await table.play(BACKED_UP + LOST + 2)
            judged += await table.agree()
        loud += reports(trial)
    trial.forget()
    await trial.check()
    trial.provoked("people who had seen what was lost, and were told", told, told, least=10 * row.times)
    trial.provoked("views that were compared with the log", judged, judged, least=24 * row.times)
    trial.provoked("loud lines in the hubs' logs", loud, 2 * row.times, least=2 * row.times)


async def test_q9_the_other_hub_plays_on_before_this_one_knows(trial: Trial, tmp_path: Path) -> None:
    """Q9: a hub sleeps while the store is set back and the other plays on to the very version that it knows, or beyond.

    Waking up it shows the game that there is, and a move that was made on the other one is not stored.
    """
    stage, row = trial.stage, trial.fault("Q9 store set back, and played on by another hub")
    stale = 0
    for number in range(rounds(10, 3)):
        table = Table(trial)
        await table.begin()
        await table.play(BACKED_UP)
        copy = back_up(stage, tmp_path / "copy")
        await table.play(BACKED_UP + LOST)
        asleep = stage.hubs[0]
        mine = table.players[0]
        old = mine.views[table.match]
        os.kill(asleep.pid, signal.SIGSTOP)
        await asyncio.to_thread(restore, stage, copy)
        row.times += 1
        # The guest is at the other hub, and so is the host now, by a second tab.
        second = await trial.open("Ana", 1, token=mine.token)
        await second.watch(table.match)
        table.players[0] = second
        for client in (*table.players[1:], table.watchers[1]):
            await shown(client, table.match)
        # As many events as the sleeping hub knows, one fewer, or one more: the numbers alone say nothing.
        await play_otherwise(table, BACKED_UP + LOST - 1 + number % 3)
        on = mine.a_move(table.match, sorted(old.legal)[0], old.version) if old.legal else None
        if on is not None:
            await mine.send(on)
        os.kill(asleep.pid, signal.SIGCONT)
        if on is not None:
            answer = await mine.answer(on.ref)
            assert isinstance(answer, Refused), answer
            stale += 1
        for client in (mine, table.watchers[0]):
            await client.until(partial(table.is_shown_to, client))
        await table.agree()
        table.players[0] = mine
        await table.agree()
        reports(trial)
    trial.forget()
    await trial.check()
    trial.provoked("moves made on what was lost, and refused", stale, row.times)


async def play_otherwise(table: Table, until: int) -> None:
    """Play on with other moves than before: the last legal one, not the first."""
    while (version := table.trial.stored(table.match)) < until:
        view = await table.players[0].reach(table.match, version)
        assert view.to_move is not None
        mover = table.players[view.to_move]
        view = await mover.reach(table.match, version)
        move = mover.a_move(table.match, sorted(view.legal)[-1], version)
        while isinstance(answer := await mover.once_more(move), Refused):
            assert answer.code in PASSING, answer
            await asyncio.sleep(AGAIN_S)


@pytest.mark.parametrize("how", ["restored", "emptied"])
async def test_q9_a_match_that_is_lost_as_a_whole(trial: Trial, tmp_path: Path, how: str) -> None:
    """Q9: the store is set back to before the match began, or emptied as it runs: everybody is told that it is gone."""
    stage, row = trial.stage, trial.fault(f"Q9 match lost, {how}")
    for _ in range(rounds(5, 1)):
        copy = back_up(stage, tmp_path / "copy")
        table = Table(trial)
        await table.begin()
        await table.play(BACKED_UP)
        readers = table.read_on()
        await asyncio.sleep(0.3)
        if how == "restored":
            await asyncio.to_thread(restore, stage, copy)
        else:
            trial.store.flushall()
        row.times += 1
        for client in table.everybody:
            word = await shown(client, table.match)
            assert word.version == 0
        for answer in await asyncio.gather(*readers):
            assert answer["status"] == 404
        assert await afresh(trial, table.match) == [None, None]
        assert reports(trial) == len(stage.hubs)
    trial.forget()
    await trial.check()
    trial.provoked("matches that were lost", row.times, row.times)


async def test_q9_a_restart_that_loses_nothing_tells_nobody(trial: Trial) -> None:
    """Q9: Redis killed and started again with all its data: everything is compared, and nobody hears of it."""
    row = trial.fault("Q9 Redis started again, nothing lost")
    table = Table(trial)
    await table.begin()
    for version in range(BACKED_UP, BACKED_UP + rounds(10, 3)):
        await table.play(version)
        trial.stage.redis.kill()
        await asyncio.to_thread(trial.stage.redis.start)
        row.times += 1
    await eventually(lambda: trial.stage.counter("parlour_store_loads_total") >= row.times)
    # That is of all hubs together: one of them may still be without its store, and have nothing to show.
    await eventually(lambda: all(hub.get("/ready")[0] == 200 for hub in trial.stage.hubs))
    await table.agree()
    assert not any(isinstance(word, SetBack) for client in trial.clients for word in client.traffic)
    assert not trial.stage.counter("parlour_matches_set_back_total")
    await trial.check()
    trial.provoked("loads of the store's data that the hubs noticed", row.times, row.times)


async def test_q9_what_was_said_is_told_anew(trial: Trial, tmp_path: Path) -> None:
    """Q9: lines that are lost are unheard, new ones get their numbers, and everybody hears those."""
    stage, row = trial.stage, trial.fault("Q9 chat set back")
    table = Table(trial)
    await table.begin()
    await table.play(BACKED_UP)
    host = table.players[0]

    async def say(text: str) -> None:
        assert isinstance(await host.once_more(Say(ref=host.ref(), match=table.match, text=text)), Accepted)

    await say("kept")
    copy = back_up(stage, tmp_path / "copy")
    for number in range(5):
        await say(f"lost {number}")
    await asyncio.to_thread(restore, stage, copy)
    row.times += 1
    for player in table.players:
        await shown(player, table.match)
    await say("new")
    for player in table.players:
        await player.until(lambda p=player: (2, "new") in heard_since_loss(p, table.match))  # type: ignore[misc]
        assert heard_since_loss(player, table.match) == [(1, "kept"), (2, "new")]
    reports(trial)
    trial.forget()
    await trial.check()
    trial.provoked("lines that were lost", 5, 5)


def heard_since_loss(client: Recorder, match: str) -> list[tuple[int, str]]:
    """Numbers and texts of the lines that came after word of the loss."""
    last = max(at for at, word in enumerate(client.traffic) if isinstance(word, SetBack) and word.match == match)
    return [(word.number, word.text) for word in client.traffic[last:] if isinstance(word, Said)]
