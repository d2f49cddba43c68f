"""What is said of a command is known (`Q5`): done, not done, or not known; and who is refused has changed nothing.

The hubs reach Redis by proxies that end all links at the very moment a command's script is on its way: before it
arrives, or when its answer comes back. The trap knows the script by the command's ref.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from protocol.messages import (
    Abandon,
    Command,
    Create,
    Join,
    Leave,
    Message,
    Offer,
    Pause,
    QuickMatch,
    Refused,
    Say,
)
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import AGAIN_S, PASSING, Recorder
from tests.faults.trial.stage import Stage, Trial, eventually, rounds, staged_behind
from tests.faults.trial.trap import Trap
from tests.pace import WAIT_S, within

pytestmark = pytest.mark.faults

TOLD_WITHIN_S = 5.0
KINDS = ("move", "offer", "say", "pause", "abandon", "leave", "join", "create", "quick_match")


@pytest.fixture
async def stage(tmp_path: Path, ways: list[Proxy]) -> AsyncIterator[Stage]:
    """Hubs of this trial alone, behind proxies."""
    async with staged_behind(tmp_path, [way.port for way in ways]) as stage:
        yield stage


async def wish(trial: Trial, kind: str) -> tuple[Recorder, Command, str]:
    """Somebody at the first hub, what it asks for, and the match that it is about, if there is one yet."""
    match kind:
        case "create" | "quick_match":
            ana = await trial.open("Ana", 0)
            game = "square" if kind == "create" else "checkers"
            made = Create(ref=ana.ref(), game=game, private=True) if kind == "create" else None
            return ana, made or QuickMatch(ref=ana.ref(), game=game), ""
        case "join":
            bo, host = await trial.open("Bo", 0), await trial.open("Ana", 1)
            match = (await host.create()).match
            return bo, Join(ref=bo.ref(), match=match), match
        case "leave":
            eve, host = await trial.open("Eve", 0), await trial.open("Ana", 1)
            match = (await host.create()).match
            await eve.watch(match)
            return eve, Leave(ref=eve.ref(), match=match), match
    match, host, _ = await trial.pair(0, 1)
    within_a_match: dict[str, Callable[[], Command]] = {
        "move": lambda: host.a_move(match, min(host.views[match].legal)),
        "offer": lambda: Offer(ref=host.ref(), match=match, kind="draw"),
        "say": lambda: Say(ref=host.ref(), match=match, text="hello"),
        "pause": lambda: Pause(ref=host.ref(), match=match),
        "abandon": lambda: Abandon(ref=host.ref(), match=match),
    }
    return host, within_a_match[kind](), match


async def sprung_by(trap: Trap, sender: Recorder, command: Command) -> Message:
    """What is said of the command that springs the trap; asked again while the hub finds a link still cut on which it
    only reads, for then nothing was done, as it says."""
    since = time.monotonic()
    while True:
        began = time.monotonic()
        told = await sender.once_more(command)
        within(time.monotonic() - began, TOLD_WITHIN_S)
        if trap.sprung or not (isinstance(told, Refused) and told.code == "unavailable"):
            return told
        assert time.monotonic() - since < WAIT_S, (command, told)
        await asyncio.sleep(AGAIN_S)


@pytest.mark.parametrize("arrives", [False, True], ids=["cut_before", "answer_lost"])
async def test_q5_q11_what_is_said_of_a_command_is_so(trial: Trial, ways: list[Proxy], arrives: bool) -> None:
    """Q5, Q11: nobody is told that nothing was done when it may be stored; the same again is done once."""
    row = trial.fault(f"Q5 Q11 {'answer of' if arrives else 'link to'} Redis cut at a command")
    tries, unknown, stored = rounds(20, 1), 0, 0
    for _ in range(tries):
        for kind in KINDS:
            sender, command, match = await wish(trial, kind)
            before = trial.stored(match) if match else 0
            ways[0].alter = trap = Trap(command.ref, arrives=arrives)
            told = await sprung_by(trap, sender, command)
            ways[0].alter = None
            row.times += trap.sprung
            assert isinstance(told, Refused), (kind, told)
            assert told.code == "unknown_outcome", (kind, told)
            unknown += 1
            stored += bool(match) and trial.stored(match) > before
            answers: list[Message] = []
            struck = time.monotonic()
            while len(answers) < 2:
                answer = await sender.once_more(command)
                if isinstance(answer, Refused):
                    assert answer.code in PASSING, (kind, answer)
                    assert answer.code != "unavailable" or not arrives, "it is in doubt still"
                    within(time.monotonic() - struck, 4 * TOLD_WITHIN_S)
                    await asyncio.sleep(AGAIN_S)
                    continue
                answers.append(answer)
            assert answers[0] == answers[1]
    trial.provoked("commands of which was said that it is not known", unknown, tries * len(KINDS), least=tries)
    trial.provoked("of these found stored", stored, unknown, least=tries if arrives else 0)
    await trial.check()


async def test_q4_a_leave_that_is_refused_leaves_nothing(trial: Trial, ways: list[Proxy]) -> None:
    """Q4: refused while Redis is away, the following goes on, and the guest keeps the seat."""
    row = trial.fault("Q4 a leave while Redis is away")
    tries = rounds(20)
    for _ in range(tries):
        match, host, guest = await trial.pair(1, 0)
        ways[0].blackhole()
        await eventually(lambda: trial.stage.hubs[0].get("/ready")[0] == 503)
        row.times += 1
        told = await guest.once_more(Leave(ref=guest.ref(), match=match))
        assert isinstance(told, Refused), told
        assert told.code == "unavailable"
        ways[0].heal()
        await eventually(lambda: trial.stage.hubs[0].get("/ready")[0] == 200)
        version = trial.stored(match)
        assert "seat_freed" not in [event["event"] for _, event in trial.log(match)]
        await host.reach(match, version)
        moved = await host.move(match, version, min(host.views[match].legal))
        await guest.reach(match, moved.version)
    trial.provoked("leaves that were refused", row.times, tries, least=tries)
    await trial.check()
