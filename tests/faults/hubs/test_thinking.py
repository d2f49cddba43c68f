"""Hubs killed while their computer thinks: the thought ends with its hub, and another hub thinks in its place."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Stage, Trial, eventually, lives, staged

pytestmark = pytest.mark.faults

HELD = """\
import os
from dataclasses import replace
from pathlib import Path
from server.games import square

HERE = Path(__file__).parent

def choose(state, rng):
    if not (HERE / "free").exists():
        (HERE / f"{os.getpid()}.thinks").touch()
        sum(range(10**15))
    return square.choose(state, rng)

GAME = replace(square.GAME, name="held", choose=choose)
"""
"""Square, whose computer thinks for days until it is set free, and so that nothing else in its process gets a turn."""


class Thinkers:
    """The workers that think about this game, which lies in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "held.py").write_text(HELD)
        self._free = folder / "free"

    def set_free(self) -> None:
        """Who begins to think now moves."""
        self._free.touch()

    def hold(self) -> None:
        """Who begins to think now does not end."""
        self._free.unlink()

    def living(self) -> list[int]:
        """The process ids of those that are held."""
        return [pid for path in self.folder.glob("*.thinks") if lives(pid := int(path.stem))]


@pytest.fixture
def thinkers(tmp_path: Path) -> Thinkers:
    """Of this trial's hubs."""
    return Thinkers(tmp_path / "games")


@pytest.fixture
def stage(tmp_path: Path, thinkers: Thinkers) -> Iterator[Stage]:
    """Hubs of this trial alone, with that game."""
    with staged(tmp_path, arguments=("--games", str(thinkers.folder))) as stage:
        yield stage


async def test_killed_while_its_computer_thinks(trial: Trial, thinkers: Thinkers) -> None:
    """No worker outlives its hub, and the match goes on: the other hub thinks in its place, or one started anew."""
    row = trial.fault("hub killed while its computer thinks")
    ana, bob = await trial.open("Ana", 0), await trial.open("Bob", 1)
    match = (await ana.create("held", computer=True)).match

    async def killed_in_thought(hub: int, player: Recorder) -> int:
        """The version of the move to which the computer's answer was thought about."""
        view = player.views[match]
        version = (await player.move(match, view.version, min(view.legal))).version
        await eventually(thinkers.living)
        if match not in bob.views:
            await bob.watch(match)  # not before: his hub might have been the one to think
        row.times += 1
        trial.stage.hubs[hub].kill()
        await eventually(lambda: not thinkers.living())
        thinkers.set_free()
        return version

    async def returned(before: Recorder) -> Recorder:
        client = await trial.open("Ana", 1, token=before.token)
        await client.resume(before, match)
        return client

    version = await killed_in_thought(0, ana)
    await bob.reach(match, version + 1)

    back = await returned(ana)
    await back.reach(match, version + 1)
    thinkers.hold()
    version = await killed_in_thought(1, back)
    for hub in trial.stage.hubs:
        await asyncio.to_thread(hub.start)
    again = await returned(back)
    await again.reach(match, version + 1)
    logs = await trial.check()
    assert [event["seat"] for _, event in logs[match] if event["event"] == "moved"] == [0, 1, 0, 1]
