"""Who plays by HTTP is here while asking, and away soon after (RU-M5, E12)."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from protocol.messages import Away, Ended
from tests.driver import Client, HubProcess
from tests.pace import within
from tests.server.http.api.player import HttpPlayer

HERE_S = 1.0


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """A short time, so that the tests need not wait for long."""
    return ["--limit", f"http_here_s={HERE_S:g}"]


async def test_joined_by_http_and_never_came(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """E12: the opponent is told, and freed when the grace time is over; nobody has moved, so nobody has won."""
    ana = await Client.open(hub.url, "Ana")
    snapshot = await ana.create("checkers", grace_s=1)
    bob = await HttpPlayer.come(link, "Bob")
    await bob.join(snapshot.match)
    joined_at = time.monotonic()
    away = await ana.expect(Away)
    assert [info.seat for info in away.away] == [1]
    ended = await ana.expect(Ended)
    assert (ended.result.winner, ended.result.reason) == (None, "aborted")
    within(time.monotonic() - joined_at, HERE_S + 1 + 10)
    await ana.close()


async def test_who_polls_is_here_and_who_stops_has_left(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """RU-M5: a poll that is open counts as being here; afterwards the one who stayed wins."""
    ana = await Client.open(hub.url, "Ana")
    snapshot = await ana.create("checkers", grace_s=1)
    bob = await HttpPlayer.come(link, "Bob")
    joined = await bob.join(snapshot.match)
    version, until = joined["version"], time.monotonic() + 3 * HERE_S
    while time.monotonic() < until:
        version = (await bob.updates(snapshot.match, version, wait=HERE_S))["version"]
    assert version == joined["version"]
    await ana.move(snapshot.match, version, "11-15")
    ended = await ana.expect(Ended)
    assert (ended.result.winner, ended.result.reason) == (0, "abandoned")
    await ana.close()


async def test_who_comes_back_in_time_plays_on(hub: HubProcess, link: httpx.AsyncClient) -> None:
    ana = await Client.open(hub.url, "Ana")
    snapshot = await ana.create("checkers", grace_s=60)
    bob = await HttpPlayer.come(link, "Bob")
    joined = await bob.join(snapshot.match)
    await ana.expect(Away)
    await bob.updates(snapshot.match, joined["version"])
    back = await ana.expect(Away)
    assert back.away == ()
    await ana.close()


async def test_a_waiting_host_stays_listed_while_polling(link: httpx.AsyncClient) -> None:
    """B3: and can be joined."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create()
    poll = asyncio.create_task(ana.updates(hosted["match"], hosted["version"], wait=20))
    await asyncio.sleep(2 * HERE_S)
    await bob.join(hosted["match"])
    assert [event["type"] for event in (await poll)["updates"]] == ["joined"]


async def test_a_host_who_is_away_is_joined_and_waited_for(link: httpx.AsyncClient) -> None:
    """C6, B3: and the match goes on when the host is back."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create()
    await asyncio.sleep(HERE_S + 1)
    joined = await bob.join(hosted["match"])
    assert [away["seat"] for away in joined["state"]["away"]] == [0]
    await ana.updates(hosted["match"], hosted["version"])
    back = await bob.updates(hosted["match"], joined["version"], wait=20)
    assert [(event["type"], event["away"]) for event in back["updates"]] == [("away", [])]


async def test_looking_is_not_being_here(link: httpx.AsyncClient) -> None:
    """What changes nothing and waits for nothing says nothing about who plays."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create()
    carl = await HttpPlayer.come(link, "Carl")
    await carl.state(hosted["match"])
    assert (await bob.state(hosted["match"]))["spectators"] == 0
    await carl.updates(hosted["match"], 0)
    assert (await bob.state(hosted["match"]))["spectators"] == 1


async def test_who_leaves_is_gone_at_once(link: httpx.AsyncClient) -> None:
    """B10: a guest's seat is free again before the first move."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    joined = await bob.join((await ana.create())["match"])
    await bob.update(joined["match"], "leave")
    state = await ana.state(joined["match"])
    assert (state["status"], state["seats"][1]["name"], state["spectators"]) == ("waiting", None, 0)


async def test_a_poll_that_is_broken_off_is_forgotten(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """Promise 8: four polls are allowed; those whose client is gone do not count."""
    ana = await HttpPlayer.come(link, "Ana")
    match = (await ana.create())["match"]
    for _ in range(8):
        with pytest.raises(httpx.ReadTimeout):
            await link.get(
                f"/matches/{match}/updates",
                params={"after": 1, "wait": 20},
                headers={"authorization": f"Bearer {ana.guest['token']}"},
                timeout=0.2,
            )
    assert (await ana.updates(match, 1))["updates"] == []
