"""The engine room: what is thought about in which order, and what becomes of workers that hang, die or are orphaned."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import msgspec
import pytest

from server.bots.advisor import Advisor
from server.bots.engine_room import (
    BUSY,
    HUNG_S,
    LESS,
    MODULE,
    TURN,
    EngineRoom,
    WorkerLost,
    computed_s,
    hangs,
    would_run,
)
from server.bots.worker import NICENESS, READY, Asked, answer
from server.games import load_catalogue
from tests.driver import wait_for
from tests.faults.trial.stage import eventually, lives
from tests.pace import WAIT_S

SQUARE = load_catalogue()["square"]
CHECKERS = load_catalogue()["checkers"]
CHECKERS_STATE = msgspec.json.encode(CHECKERS.new(CHECKERS.parse_options({}))).decode()
STATE = msgspec.json.encode(SQUARE.new(SQUARE.parse_options({}))).decode()
ASKED = Asked("square", STATE, "medium", 1)

TELLING = """\
import sys, json
sys.stdout.write("ready\\n"); sys.stdout.flush()
for line in sys.stdin:
    asked = json.loads(line)
    if asked["level"] == "hang":
        continue
    while asked["level"] == "spin":
        pass
    if asked["level"] == "die" or (asked["judge"] and asked["share"] == 1):
        sys.exit()
    if asked["level"] == "babble":
        print("what a game's library prints", flush=True)
        continue
    sys.stdout.write(json.dumps({"move": f"{asked['level']} {asked.get('share', 1.0)}"}) + "\\n"); sys.stdout.flush()
"""
"""A worker that says what it was asked, and hangs or dies if told to; or if it is to judge with all of a budget."""


def room(**settings: object) -> EngineRoom:
    return EngineRoom(None, command=(sys.executable, "-S", "-c", TELLING), workers=1, **settings)  # type: ignore[arg-type]


def about(name: str) -> Asked:
    return Asked("square", "", name, 1)


def test_a_worker_answers_a_line_by_a_line_and_survives_what_a_game_raises() -> None:
    catalogue = load_catalogue()
    found = msgspec.json.decode(answer(catalogue, msgspec.json.encode(ASKED)))
    assert found["move"] in SQUARE.legal_moves(SQUARE.new(SQUARE.parse_options({})))
    for wrong in (b"{", msgspec.json.encode(Asked("chess", "{}", "", 1)), msgspec.json.encode(about("godlike"))):
        assert msgspec.json.decode(answer(catalogue, wrong))["error"]


async def test_players_take_turns() -> None:
    """Who asks for much waits behind who asks for little; beyond a bound each is thought about for less."""
    thinks, order = room(), []

    async def ask(player: str, name: str) -> None:
        order.append((await thinks.think(player, about(name))).move)

    asked = [("ana", "a1"), ("ana", "a2"), ("ana", "a3"), ("bob", "b1"), ("cem", "c1"), ("cem", "c2")]
    try:
        await asyncio.gather(*(ask(player, name) for player, name in asked))
    finally:
        await thinks.close()
    assert [one.split()[0] for one in order] == ["a1", "b1", "c1", "a2", "c2", "a3"]
    assert [one.split()[1] for one in order if one.split()[0] in ("a1", "c2")] == ["1.0", str(LESS)]
    assert len(asked) > BUSY
    assert not thinks.pids


async def test_what_nobody_wants_any_more_is_not_thought_about_and_makes_nobody_wait() -> None:
    thinks = room()
    try:
        first = asyncio.create_task(thinks.think("ana", about("first")))
        dropped = [asyncio.create_task(thinks.think("bob", about("hang"))) for _ in range(BUSY + 1)]
        await asyncio.sleep(0)
        assert thinks.is_busy
        for task in dropped:
            task.cancel()
        await asyncio.gather(*dropped, return_exceptions=True)
        assert not thinks.is_busy
        assert (await thinks.think("cem", about("next"))).move == "next 1.0", "with all of its budget"
        assert (await first).move == "first 1.0"
    finally:
        await thinks.close()


async def test_who_hangs_or_dies_is_killed_and_replaced() -> None:
    assert room().hung_s == 10.0
    thinks = room(hung_s=0.2)
    try:
        asked = asyncio.create_task(thinks.think("ana", about("hang")))
        await eventually(lambda: thinks.pids)
        (hung,) = thinks.pids
        with pytest.raises(WorkerLost, match="it hung"):
            await asked
        assert not lives(hung)
        with pytest.raises(WorkerLost, match="it hung"):
            await thinks.think("ana", about("spin"))
        thinks.hung_s = WAIT_S
        for name, how in (("die", "it died"), ("babble", "no answer")):
            with pytest.raises(WorkerLost, match=how):
                await thinks.think("ana", about(name))
        assert (await thinks.think("ana", about("well"))).move.startswith("well")
        assert len(thinks.pids) == 1
    finally:
        await thinks.close()


async def test_a_worker_is_seen_to_its_end_however_often_its_end_is_asked_for() -> None:
    """Whoever ends tasks asks again after a moment, which a busy machine may take to end a process."""
    thinks = EngineRoom(None, workers=1)
    assert (await thinks.think("ana", ASKED)).move
    assert thinks.pids
    (serving,) = thinks._tasks
    while not serving.done():
        serving.cancel()
        await asyncio.sleep(0)
    await thinks.close()
    assert not thinks.pids


async def test_a_worker_leaves_the_cores_to_whoever_else_wants_them() -> None:
    """`G12`: niceness counts within a session alone where Linux shares cores out by sessions, so it has its own."""
    thinks = EngineRoom(None, workers=1)
    try:
        assert (await thinks.think("ana", ASKED)).move
        (pid,) = thinks.pids
        assert os.getsid(pid) == pid
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(os.getpriority(os.PRIO_PROCESS, 0) + NICENESS, 19)
        assert niceness_of_session(pid) in (None, NICENESS)
    finally:
        await thinks.close()


def niceness_of_session(pid: int) -> int | None:
    """None where a system does not share cores out by sessions."""
    try:
        return int(Path(f"/proc/{pid}/autogroup").read_text(encoding="ascii").split()[-1])
    except OSError:
        return None


def test_who_waits_for_a_core_does_not_hang() -> None:
    """A busy machine gives a worker, which is nicer than all else, a hundredth of a core: that one is waited for."""
    assert not hangs(0.0, 0.0, False, 10.0)
    assert not hangs(9.9, 9.9, True, 10.0)
    assert not hangs(10.0, 0.1, True, 10.0)
    assert not hangs(59.0, 2.4, True, 10.0)
    assert hangs(10.0, 9.8, True, 10.0), "it computed all the time"
    assert hangs(12.0, 2.5, True, 10.0), "it has had its turn"
    assert hangs(10.0, 0.1, False, 10.0), "it sleeps, or was stopped"
    assert hangs(60.0, 1.0, True, 10.0), "the wait is bounded"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
@pytest.mark.parametrize(("hung_s", "stopped"), [(HUNG_S, True), (1.0, False)])
async def test_who_hangs_in_a_thought_is_replaced_when_the_time_is_over(hung_s: float, *, stopped: bool) -> None:
    """It is stopped in the middle of what would take it hours, or computes on; who waits behind it waits no longer."""
    waited: list[float] = []

    async def in_no_time(of_s: float) -> None:
        (pid,) = thinks.pids
        began_s = computed_s(pid)
        waited.append(of_s)
        await eventually(lambda: computed_s(pid) - began_s >= (0.05 if stopped else TURN * hung_s))
        if stopped:
            os.kill(pid, signal.SIGSTOP)
            await eventually(lambda: not would_run(pid))

    thinks = EngineRoom(None, workers=1, hung_s=hung_s, sleep=in_no_time)
    try:
        asked = asyncio.create_task(thinks.think("ana", Asked("checkers", CHECKERS_STATE, "master", 1, share=1e6)))
        other = asyncio.create_task(thinks.think("bob", Asked("square", STATE, "beginner", 1)))
        await eventually(lambda: thinks.pids)
        (hung,) = thinks.pids
        with pytest.raises(WorkerLost, match="it hung"):
            await asked
        assert waited == [hung_s]
        assert not lives(hung)
        assert (await other).move
    finally:
        await thinks.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_what_another_process_computed_is_known() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) as spinning:
        wait_for(lambda: computed_s(spinning.pid) > 0.2)
        assert would_run(spinning.pid)
        spinning.send_signal(signal.SIGSTOP)
        wait_for(lambda: not would_run(spinning.pid))
        spinning.kill()
    assert computed_s(spinning.pid) == 0.0
    assert not would_run(spinning.pid)


async def test_an_opinion_over_which_a_worker_dies_is_formed_for_less() -> None:
    thinks = room()
    try:
        state = SQUARE.new(SQUARE.parse_options({}))
        opinion = await Advisor(thinks).judge("ana", SQUARE, state, played="", share=None)
    finally:
        await thinks.close()
    assert (opinion.move, opinion.less) == (f"master {LESS}", True)


async def test_a_worker_ends_with_its_input_also_in_the_middle_of_a_thought() -> None:
    """What it thinks about would take it hours. Its parent lives on: it tells by its own end of the pipe."""
    command = (sys.executable, "-m", MODULE)
    worker = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert await worker.stdout.readline() == READY
    asked = Asked("checkers", CHECKERS_STATE, "master", 1, share=1e6)
    worker.stdin.write(msgspec.json.encode(asked) + b"\n")
    before = _ticks(worker.pid)
    await eventually(lambda: _ticks(worker.pid) > before + 10)
    worker.stdin.close()
    assert await worker.wait() == 0


def _ticks(pid: int) -> int:
    """What it has worked so far, in ticks of the kernel."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
