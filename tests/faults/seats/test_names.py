"""Somebody wants to be taken for a player who is here, at another hub."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.messages import Hello, Message, Refused, Welcome
from tests.driver import WAIT_S
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Stage, Trial, rounds, staged
from tests.server.match.test_names import ALIKE, DIFFERENT

pytestmark = pytest.mark.faults


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs of its own: at shared ones somebody of another trial may be called like those of this one."""
    with staged(tmp_path) as stage:
        yield stage


async def says_hello(client: Recorder, name: str) -> Message:
    """What a hub answers to who wants to be called that."""
    hello = Hello(ref=client.ref(), name=name)
    await client.send(hello)
    return await client.answer(hello.ref)


async def comes(client: Recorder, name: str) -> None:
    """Be called that: who had the name in the round before is gone a moment later than their socket."""
    until = time.monotonic() + WAIT_S
    while not isinstance(answer := await says_hello(client, name), Welcome):
        assert time.monotonic() < until, answer
        await asyncio.sleep(0.05)


async def test_q16_nobody_is_taken_for_somebody_else(trial: Trial) -> None:
    """Q16: every name that looks like that of a player who is here is refused, at any hub; honest ones are not."""
    row = trial.fault("Q16 a name that looks like another's")
    honest = 0
    for number, (one, other) in enumerate([*sorted(ALIKE), *sorted(DIFFERENT)] * rounds(5, 1)):
        alike = (one, other) in ALIKE
        owner, newcomer = await trial.connect(one, number), await trial.connect(other, number + 1)
        await comes(owner, one)
        if alike:
            answer = await says_hello(newcomer, other)
            row.times += 1
            assert isinstance(answer, Refused), (one, other)
            assert answer.code == "name_in_use", (one, other)
        else:
            honest += 1
            await comes(newcomer, other)
        for client in (owner, newcomer):
            await client.close()
            trial.clients.remove(client)
    trial.provoked("honest names beside others", honest, honest + row.times)
    await trial.check()
