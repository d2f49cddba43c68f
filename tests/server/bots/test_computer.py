"""The computer's seats when several hubs have a match: one thinks, and another makes up for one that died."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio
import redis as sync_redis
import structlog.testing

from protocol.messages import ClockRule
from server.bots.computer import TRIES, Computer
from server.bots.engine_room import EngineRoom, WorkerLost
from server.bots.worker import Asked as AskedToThink
from server.bots.worker import Found
from server.games import load_catalogue
from server.hub.concurrency.cancelling import end_tasks
from server.hub.presence.identity import new_id
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.match.asked import Asked
from server.match.commands import Abandon, Notice, Offer, Play
from server.match.machine import computer_to_move, create
from server.match.sentences import ending_text
from server.match.state import Status
from server.store.port import EventsNotice
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.faults.trial.stage import eventually
from tests.pace import WAIT_S, NotProvoked
from tests.server.games.test_adding_a_game import example

CATALOGUE = load_catalogue()
HOST = "host"
GAMES = 4


class Counting(EngineRoom):
    """An engine room that counts what it is asked, by position, and is as crowded as it is said to be."""

    def __init__(self, games: Path | None = None) -> None:
        super().__init__(games, workers=1)
        self.asked: list[str] = []
        self.crowded = False
        self.loses_first = False
        """Whether the worker that is asked of a position first is lost."""

    @property
    def is_busy(self) -> bool:
        return self.crowded or super().is_busy

    async def think(self, player: str, asked: AskedToThink) -> Found:
        self.asked.append(asked.state)
        if self.loses_first and self.asked.count(asked.state) == 1:
            raise WorkerLost("it died")
        return await super().think(player, asked)


class Side:
    """One hub that hears of others: its store, its keeper, its computer."""

    def __init__(self, url: str, games: Path | None = None) -> None:
        self.store = RedisStore(url, new_id())
        self.keeper = Keeper(self.store, load_catalogue(games) if games is not None else CATALOGUE)
        self.computer = Computer(self.keeper, self.store, games)
        self.computer.engine_room = self.engine = Counting(games)
        self.considered = 0
        self.keeper.on_change.append(self._count)
        self.hears = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    def _count(self, room: Room) -> None:
        self.considered += computer_to_move(room.match)

    async def _listen(self) -> None:
        async for notice in self.store.notices():
            self.hears.set()
            if isinstance(notice, EventsNotice):
                await self.keeper.take(notice)

    async def begun(self, level: str = "", total_ms: int = 0, game: str = "square", **options: int) -> Room:
        """A match against the computer."""
        match_id = new_id()
        asked = Asked(HOST, "create", self.store.now_ms())
        event = create(
            self.keeper.catalogue[game],
            options,
            "Ana",
            asked,
            computer=True,
            level=level,
            seed=1,
            clock=ClockRule(total_ms=total_ms),
        )
        await self.keeper.open(match_id, [event])
        return await self.keeper.room(match_id)

    async def play(self, room: Room, ref: str, move: str) -> None:
        await self.keeper.commit(room, Play(room.match.version, move), HOST, ref)

    async def close(self) -> None:
        await end_tasks([self._listening])
        await self.computer.close()
        await self.store.close()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    process = RedisProcess(Path(tmp_path_factory.mktemp("redis")))
    process.start()
    yield process
    process.stop()


@pytest_asyncio.fixture
async def sides(redis: RedisProcess) -> AsyncIterator[list[Side]]:
    both = [Side(redis.url), Side(redis.url)]
    for side in both:
        await side.hears.wait()
    yield both
    for side in both:
        await side.close()


def _has_asked(side: Side, times: int) -> bool:
    return len(side.engine.asked) == times


async def settled(one: Room, other: Room) -> None:
    """Both hubs know the same, and it is not the computer's turn."""
    await eventually(lambda: one.match.version == other.match.version and not computer_to_move(one.match))


async def stopped(side: Side, level: str) -> tuple[Room, int]:
    """A match in which the computer has moved once, and the worker that did it (pid), which is stopped."""
    room = await side.begun(level=level)
    await side.play(room, "first", room.match.legal[0])
    await settled(room, room)
    (worker,) = side.engine.pids
    os.kill(worker, signal.SIGSTOP)
    return room, worker


async def test_of_two_hubs_that_have_a_match_one_thinks(sides: list[Side]) -> None:
    """Whole games of Square with the host's moves at either hub: each of the computer's is thought about once."""
    rng = Random(1)
    for number in range(GAMES):
        room = await sides[0].begun()
        rooms = [room, await sides[1].keeper.room(room.match.id)]
        while room.match.status is Status.PLAYING:
            side = rng.randrange(2)
            mine = rooms[side]
            await sides[side].play(mine, f"{number}-{mine.match.version}", rng.choice(mine.match.legal))
            await settled(*rooms)
    thought = [state for side in sides for state in side.engine.asked]
    assert all(side.considered for side in sides), "not provoked"
    assert len(thought) == len(set(thought)) > GAMES


async def test_a_move_that_was_thought_about_for_less_is_told_of(sides: list[Side]) -> None:
    """The master's only: what a beginner plays has no budget. It is in the log, and in the sentence at the end."""
    side = sides[0]
    for level, told in (("master", True), ("beginner", False)):
        side.engine.crowded = True
        room = await side.begun(level=level)
        await side.play(room, level, room.match.legal[0])
        await settled(room, room)
        await side.keeper.commit(room, Abandon(), HOST, f"{level} gives up")
        assert room.match.ending is not None
        sentence = ending_text(room.match, room.match.ending).render(str)
        assert ("The computer had less time than usual for one move." in sentence) is told


async def test_a_hub_that_died_while_it_thought_is_made_up_for(sides: list[Side], redis: RedisProcess) -> None:
    """Its claim runs out, and the first of the others to see that thinks."""
    dead = RedisStore(redis.url, "elsewhere")
    room = await sides[0].begun()
    other = await sides[1].keeper.room(room.match.id)
    assert await dead.claim(room.match.id, room.match.version + 1, 200)
    await sides[0].play(room, "first", room.match.legal[0])
    await settled(room, other)
    assert sum(len(side.engine.asked) for side in sides) == 1
    await dead.close()


async def test_a_thought_is_dropped_when_the_match_changes(sides: list[Side]) -> None:
    """Taken back while it thinks, and given up: of a position that is gone there is no move."""
    side = sides[0]
    room, worker = await stopped(side, "medium")
    try:
        for number, change in enumerate((Offer("takeback"), Abandon()), 2):
            await side.play(room, f"move {number}", room.match.legal[0])
            await eventually(partial(_has_asked, side, number))
            thought = side.computer._thinking[room.match.id].task
            await side.keeper.commit(room, change, HOST, f"change {number}")
            await eventually(thought.done)
            assert thought.cancelled()
            assert not side.computer._thinking
    finally:
        with contextlib.suppress(ProcessLookupError):  # on a slow machine it was taken for hung, and replaced
            os.kill(worker, signal.SIGCONT)
    following = await side.begun(level="medium")
    await side.play(following, "next", following.match.legal[0])
    await settled(following, following)
    assert [len(one.match.moves) for one in (room, following)] == [3, 2], "the first of both, and the host's last"


async def test_what_leaves_the_position_as_it_is_makes_no_new_claim(sides: list[Side], redis: RedisProcess) -> None:
    """Another hub thinks: an outage is excused meanwhile, and for that event nobody here begins to think."""
    await sides[0].keeper.beat()  # The last one may be another trial's: what lies between would be an outage, too.
    room = await sides[0].begun(total_ms=600_000)
    position = room.match.version + 1
    assert await sides[1].store.claim(room.match.id, position, 60_000)
    await sides[0].play(room, "first", room.match.legal[0])
    if room.match.position != position:
        raise NotProvoked("an outage of the machine's own was excused before the move")
    # Until a moment that is certainly after the move; in the store, for a hub that was slow asks it before it judges.
    now_ms = sides[0].store.now_ms()
    outages = sides[0].store.keys.outages
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as store:
        store.rpush(outages, f"{now_ms - 60_000} {now_ms + 1_000}")
        await sides[0].keeper.beat()
        await sides[0].keeper.commit(room, Notice())
        store.delete(outages)
    assert room.match.version > room.match.position == position
    assert not await sides[0].computer._claim(room.match)
    assert not any(side.engine.asked for side in sides)


async def test_one_worker_that_dies_leaves_the_move_to_the_games_own_player(sides: list[Side]) -> None:
    """For want of memory perhaps, and by no fault of the game. A beginner has no budget to go on with less."""
    side = sides[0]
    room, worker = await stopped(side, "beginner")
    asked = len(side.engine.asked)
    with structlog.testing.capture_logs() as logs:
        await side.play(room, "second", room.match.legal[0])
        await eventually(partial(_has_asked, side, asked + 1))
        os.kill(worker, signal.SIGKILL)
        await settled(room, room)
    assert side.engine.asked[asked:] == [side.engine.asked[asked]] * 2
    (lost,) = [one["error"] for one in logs if one["event"] == "the computer could not move"]
    assert lost == "it died"
    assert not [one for one in logs if "general search" in one["event"]]


async def test_what_failed_at_one_move_of_a_turn_is_not_held_against_the_next(sides: list[Side]) -> None:
    """`DB 8.3`: a worker is lost at each move of turns that are longer than the computer has tries for one move."""
    side = sides[0]
    side.engine.loses_first = True
    for number in range(10):
        rng, room = Random(number), await side.begun(level="easy", game="dots-and-boxes", width=5, height=5)
        while room.match.status is Status.PLAYING:
            await side.play(room, f"{number}-{room.match.version}", rng.choice(room.match.legal))
            await settled(room, room)
        if any(len(list(turn)) > TRIES for mover, turn in groupby(room.match.movers) if mover == 1):
            break
    else:
        raise AssertionError("no turn was that long")


BROKEN = {
    "raises": ("    return open_lines(state)[0]\n", "NameError"),
    "moves twice": (
        "    return rng.choice([cell for cell in CELLS if cell not in legal_moves(state)])\n",
        "IllegalMove",
    ),
    "no text": ("    return None\n", "MalformedMove"),
    "hangs": ("    while True:\n        pass\n", "it hung"),
}
"""What an author's `choose` may do, and what is told of it."""


@pytest.mark.parametrize("way", BROKEN)
async def test_a_choose_that_fails_is_made_up_for_and_the_host_is_told(
    redis: RedisProcess, tmp_path: Path, way: str
) -> None:
    """The general search makes the move in its place, for each of its turns; so the match comes to its end."""
    head, choose, tail = re.split(r"(^def choose.*?:\n)", example(), maxsplit=1, flags=re.MULTILINE)
    (tmp_path / "tic_tac_toe.py").write_text(
        head + choose + BROKEN[way][0] + "\n\n" + tail[tail.index("\n\n\n") :], encoding="utf-8"
    )
    side = Side(redis.url, tmp_path)
    side.engine.hung_s = 0.5 if way == "hangs" else WAIT_S
    try:
        room = await side.begun(level="medium", game="tic-tac-toe")
        with structlog.testing.capture_logs() as logs:
            while room.match.status is Status.PLAYING:
                await side.play(room, f"move {room.match.version}", room.match.legal[0])
                await eventually(lambda: not computer_to_move(room.match), limit_s=2 * WAIT_S)
        told = [one for one in logs if "general search" in one["event"]]
        assert told
        assert {(one["log_level"], one["match"], one["level"]) for one in told} == {("error", room.match.id, "medium")}
        assert all(one["error"].startswith(BROKEN[way][1]) for one in told), told[0]
        assert len(told) == room.match.movers.count(1)
    finally:
        await side.close()
