"""Who joined and never came, by HTTP or behind a dumb connection, keeps the opponent for a written time only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.messages import Accepted, Away, Ended, Join
from tests.faults.trial.evidence import Reader
from tests.faults.trial.play import on_one_hub_and_two, until_settled
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged, together
from tests.pace import WAIT_S, within
from tests.server.http.api.player import HttpPlayer, web

pytestmark = pytest.mark.faults

SMALL = {"width": 4, "height": 4}
HERE_S = 15.0 if FULL else 1.0
"""How long a player by HTTP counts as here after the last request: docs/http-api.md; a setting in the short form."""
GRACE_S = 30 if FULL else 2
NOTICED_S = 2.0
"""From a loss until the match knows: a second in which it may be a blip, and the regular looks."""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs that wait for players by HTTP as long as this trial can."""
    with staged(tmp_path, arguments=("--limit", f"http_here_s={HERE_S:g}")) as stage:
        yield stage


@on_one_hub_and_two
async def test_e12_joined_but_never_came(trial: Trial, hubs: int) -> None:
    """E12: joined by HTTP and never seen again, with no socket, a silent one, or one that hangs behind the hello."""
    freed = 0
    took: list[float] = []
    await until_settled(trial.stage)

    async def table(number: int) -> None:
        nonlocal freed
        host = await trial.open("Ana", number)
        match = (await host.create(options=SMALL, grace_s=GRACE_S, seat=number % 2)).match
        hub = trial.stage.hubs[(number + 1) % hubs]
        async with web(hub) as link:
            guest = await HttpPlayer.come(link, f"Bo {number}")
            join = Join(ref=guest.ref(), match=match)
            joined = await guest.post(f"/matches/{match}/players", {"ref": join.ref}, 201)
        answer = Accepted(ref=join.ref, match=match, version=joined["version"])
        trial.heard(Reader("Bo", guest.player, [join, answer], open=False))
        joined_at = time.time()
        if number % 3:
            dumb = await trial.connect("Bo", number + 1)  # open, and never says who it is
            if number % 3 == 2:
                await dumb.hello(guest.guest["token"])  # says who it is, and nothing of the match
        await eventually(lambda: host.views[match].status == "ended", limit_s=HERE_S + GRACE_S + WAIT_S)
        took.append(time.time() - joined_at)
        told = [event for event in host.traffic if isinstance(event, Away) and event.match == match]
        assert [[info.seat for info in event.away] for event in told] == [[1 - number % 2]]
        ends = [event for event in host.traffic if isinstance(event, Ended) and event.match == match]
        assert [(end.result.reason, end.result.winner) for end in ends] == [("aborted", None)]
        assert (await host.create(options=SMALL)).status == "waiting"
        freed += 1

    tables = rounds(60, 6)
    await together(*(table(number) for number in range(tables)))
    print(f"free after {max(took):.1f} s at most; written: {HERE_S + GRACE_S:g} s and up to {NOTICED_S:g} to notice")
    within(max(took), HERE_S + GRACE_S + NOTICED_S)
    trial.provoked("hosts who were freed", freed, tables, least=tables)
    await trial.check()
