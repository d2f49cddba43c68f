"""Somebody wants to be taken for a player who is here, at another hub."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.messages import Hello, Refused, Welcome
from tests.faults.trial.stage import Stage, Trial, rounds, staged
from tests.server.match.test_names import ALIKE, DIFFERENT

pytestmark = pytest.mark.faults


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs of its own: at shared ones somebody of another trial may be called like those of this one."""
    with staged(tmp_path) as stage:
        yield stage


async def test_q16_nobody_is_taken_for_somebody_else(trial: Trial) -> None:
    """Q16: every name that looks like that of a player who is here is refused, at any hub; honest ones are not."""
    row = trial.fault("Q16 a name that looks like another's")
    honest = 0
    for number, (one, other) in enumerate([*sorted(ALIKE), *sorted(DIFFERENT)] * rounds(5, 1)):
        alike = (one, other) in ALIKE
        owner, newcomer = await trial.connect(one, number), await trial.connect(other, number + 1)
        await owner.ask(Hello(ref=owner.ref(), name=one), Welcome)
        hello = Hello(ref=newcomer.ref(), name=other)
        await newcomer.send(hello)
        answer = await newcomer.answer(hello.ref)
        if alike:
            row.times += 1
            assert isinstance(answer, Refused), (one, other)
            assert answer.code == "name_in_use", (one, other)
        else:
            honest += 1
            assert isinstance(answer, Welcome), (one, other, answer)
        for client in (owner, newcomer):
            await client.close()
            trial.clients.remove(client)
    trial.provoked("honest names beside others", honest, honest + row.times)
    await trial.check()
