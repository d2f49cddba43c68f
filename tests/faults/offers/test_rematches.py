"""A rematch that was agreed in one log exists in another, whichever hub, or Redis, is killed in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from protocol.messages import Abandon, Accepted, Offer, Rematched, Watch
from tests.driver import WAIT_S
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged, together
from tests.faults.trial.stepping import go_on, step
from tests.faults.trial.stubborn import Duel
from tests.pace import within

pytestmark = pytest.mark.faults

TABLES = 40 if FULL else 16
OPENED_WITHIN_S = 5.0
SLICE_S = 0.0003
"""How long a hub goes on between two looks."""
BOARD = {"width": 2, "height": 2}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs and a Redis of this trial alone."""
    with staged(tmp_path) as stage:
        yield stage


class Agreed(NamedTuple):
    """Two players, their match, and the rematch that its log says they agreed on."""

    duel: Duel
    following: str
    at_ms: int


async def come_together(trial: Trial, up: asyncio.Event) -> list[Duel]:
    """Players at the first hub whose matches are over, and in each of which one has offered a rematch."""
    duels = [Duel(trial, up, (0, 0), seed) for seed in range(TABLES)]

    async def over(duel: Duel) -> None:
        await duel.come()
        await duel.begin(options=BOARD, grace_s=60)
        host, guest = duel.players
        assert isinstance(await guest.do(Abandon(ref=guest.link.ref(), match=duel.match)), Accepted)
        offered = await host.do(Offer(ref=host.link.ref(), match=duel.match, kind="rematch"))
        assert isinstance(offered, Accepted), offered
        duel.version = offered.version
        await guest.reach(duel.match, offered.version)

    await together(*(over(duel) for duel in duels))
    return duels


def agreed(trial: Trial, duels: list[Duel]) -> list[Agreed]:
    """The agreements that are stored."""
    last = [(duel, trial.log(duel.match)[-1][1]) for duel in duels]
    return [Agreed(duel, event["next"], event["at_ms"]) for duel, event in last if event["event"] == "rematched"]


def agree(trial: Trial, duels: list[Duel]) -> tuple[int, int]:
    """All others agree in one moment; returns in one in which an agreement is stored and its match is not yet, with the
    numbers of such and of all agreements.

    It takes their hub a millisecond to go on from there, and may take us a hundred to be told: it is let go on a little
    at a time, and looked at while it stands.
    """
    hub = trial.stage.hubs[0]
    for duel in duels:
        guest = duel.players[1].link
        guest.send_at_once([Offer(ref=guest.ref(), match=duel.match, kind="rematch")])
    until = time.monotonic() + WAIT_S
    found: list[Agreed] = []
    unopened = 0
    while len(found) < len(duels) and not unopened:
        if time.monotonic() > until:
            go_on(hub)
            raise AssertionError("nothing was agreed")
        step(hub, SLICE_S)
        found = agreed(trial, duels)
        unopened = sum(not trial.stored(each.following) for each in found)
    return unopened, len(found)


async def find(each: Agreed) -> None:
    """Each of the two finds the rematch among its matches, and in it at the seat that was the other's."""
    for seat, player in enumerate(reversed(each.duel.players)):
        player.unfollow()
        await player.come()
        assert player.link.welcome is not None
        assert player.link.welcome.matches == (each.following,)
        view = await player.link.watch(each.following)
        assert (view.you, view.status) == ((seat,), "playing")


async def told_and_there(link: Recorder, each: Agreed) -> None:
    """The player is told of the rematch, and it can be watched in that moment."""
    old = each.duel.match
    await link.until(lambda: any(isinstance(word, Rematched) and word.match == old for word in link.traffic))
    answer = await link.once_more(Watch(ref=link.ref(), match=each.following))
    assert isinstance(answer, Accepted), answer


@pytest.mark.parametrize("killed", ["one_hub", "all_hubs", "redis"])
async def test_q2_a_rematch_that_was_agreed_exists(trial: Trial, killed: str) -> None:
    """Q2: a hub, all hubs or Redis killed while 40 rematches are agreed: each is there within 5 s, in both lists."""
    stage, up = trial.stage, asyncio.Event()
    up.set()
    row = trial.fault(f"Q2 {killed} killed while rematches are agreed")
    unopened = told = every = 0
    for _ in range(rounds(10, 1)):
        duels = await come_together(trial, up)
        provoked = agree(trial, duels)
        unopened, every = unopened + provoked[0], every + provoked[1]
        if killed == "redis":
            stage.redis.kill()
            go_on(stage.hubs[0])
            stage.redis.start()
        else:
            up.clear()
            for hub in stage.hubs[: 1 if killed == "one_hub" else None]:
                hub.kill()
        row.times += 1
        struck = time.monotonic()
        found = agreed(trial, duels)
        if killed == "all_hubs":
            await together(*(asyncio.to_thread(hub.start) for hub in stage.hubs))
            assert all(trial.stored(each.following) for each in found), "a hub is ready that has not opened a rematch"
        # Whoever is told of a rematch can watch it at once.
        for each in agreed(trial, duels) if killed == "redis" else ():
            for player in each.duel.players:
                await told_and_there(player.link, each)
                told += 1
        found = agreed(trial, duels)
        opened_s = await eventually(lambda: all(trial.stored(each.following) for each in found))  # noqa: B023
        row.resumed_s.append(time.monotonic() - struck)
        within(opened_s, OPENED_WITHIN_S)
        for each in found:
            log = trial.log(each.following)
            assert [event["event"] for _, event in log][:2] == ["created", "joined"]
            assert all(event["at_ms"] >= each.at_ms for _, event in log)
        up.set()
        await together(*(find(each) for each in found))
        if killed == "one_hub":
            await asyncio.to_thread(stage.hubs[0].start)
        for duel in duels:
            for player in duel.players:
                await trial.retire(player.link)
    await trial.check()
    trial.provoked("agreed and not opened when it was killed", unopened, every, least=rounds(10, 1))
    if killed == "redis":
        trial.provoked("players who were told of a rematch and watched it", told, told, least=rounds(10, 1))
