"""Challenges by HTTP, among those who have nothing else and with those who have a socket."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from protocol.messages import (
    Accepted,
    AnswerChallenge,
    Challenge,
    Challenged,
    ChallengeOver,
    LobbyChange,
    LobbyState,
    Snapshot,
    WatchLobby,
)
from tests.driver import WAIT_S, Client, HubProcess
from tests.server.http.api.player import HttpPlayer, Plain

HERE_S = 2


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """Trials ask faster than people do, and look how somebody goes who asks no more."""
    return ["--limit", f"challenges=100,http_here_s={HERE_S}"]


async def challenge(by: HttpPlayer, name: str, expect: int = 201, **more: Any) -> Plain:
    """Ask somebody for a match."""
    return await by.post("/challenges", {"ref": by.ref(), "name": name, "game": "square", **more}, expect)


async def answer(who: HttpPlayer, asked: Plain, expect: int = 200, *, accept: bool) -> Plain:
    """Answer a challenge."""
    path = f"/challenges/{asked['challenge']}/answers"
    return await who.post(path, {"ref": who.ref(), "accept": accept}, expect)


async def test_one_is_challenged_and_accepts(link: httpx.AsyncClient) -> None:
    """Who asks for challenges is here by name, hears of one while asking, and finds the match under its id."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    assert (await challenge(ana, "Bob", 404))["code"] == "not_here", "who was never asked for is not here"
    none = await bob.get("/challenges")
    assert (none["name"], none["challenges"], none["over"], none["muted"]) == ("Bob", [], [], False)
    waits = asyncio.create_task(bob.get("/challenges", known=none["tag"], wait=25))
    own = await challenge(ana, "Bob", clock={"total_ms": 60_000}, seat=1)
    (mine,) = own["challenges"]
    assert (mine["mine"], mine["by"], mine["to"], mine["clock"]["total_ms"]) == (True, "Ana", "Bob", 60_000)
    told = await asyncio.wait_for(waits, WAIT_S)
    (heard,) = told["challenges"]
    assert (heard["challenge"], heard["mine"], heard["title"]) == (mine["challenge"], False, "Square")
    assert (heard["seat"], mine["seat"]) == (1, 1)
    assert told["now_ms"] < heard["until_ms"]
    known = await ana.get("/challenges", known=own["tag"])
    waits = asyncio.create_task(ana.get("/challenges", known=known["tag"], wait=25))
    entered = await answer(bob, heard, accept=True)
    assert (entered["match"], entered["state"]["you"], entered["state"]["status"]) == (
        mine["challenge"],
        [0],
        "playing",
    )
    told = await asyncio.wait_for(waits, WAIT_S)
    assert [(one["fate"], one["text"]) for one in told["over"]] == [("accepted", "Bob has accepted.")]
    assert (await ana.state(mine["challenge"]))["you"] == [1]


async def test_it_is_declined_taken_back_and_not_wanted(link: httpx.AsyncClient) -> None:
    """Each refusal by its status and code; and the same ref counts once."""
    cyd, dora = await HttpPlayer.come(link, "Cyd"), await HttpPlayer.come(link, "Dora")
    await dora.get("/challenges")
    body = {"ref": "once", "name": "Dora", "game": "square"}
    first, again = [await cyd.post("/challenges", body, 201) for _ in range(2)]
    (asked,) = first["challenges"]
    assert again["challenges"] == [asked | {"now_ms": again["challenges"][0]["now_ms"]}]
    assert (await answer(cyd, asked, 404, accept=True))["code"] == "no_challenge", "it is not for who asks"
    declined = await answer(dora, asked, accept=False)
    assert (declined["match"], declined["state"]) == ("", None)
    assert (await answer(dora, asked, 404, accept=True))["code"] == "no_challenge"
    assert [one["fate"] for one in (await cyd.get("/challenges"))["over"]] == ["declined"]
    assert (await challenge(cyd, "Dora", 409))["code"] == "challenged_lately"
    assert (await challenge(cyd, "Cyd", 409))["code"] == "not_yourself"
    await cyd.get("/challenges")
    (other,) = (await challenge(dora, "Cyd"))["challenges"]
    path = f"/challenges/{other['challenge']}/withdrawals"
    assert (await cyd.post(path, {}, 404))["code"] == "no_challenge", "it is another one's"
    assert (await dora.post(path, {"ref": "back"}, 200))["challenges"] == []
    assert (await dora.post(path, {"ref": "back"}, 200))["challenges"] == []
    assert (await cyd.post("/challenges/mute", {"on": True}, 200))["muted"] is True
    assert (await challenge(dora, "Cyd", 403, game="hexoust"))["code"] == "muted"
    assert (await cyd.post("/challenges/mute", {"on": False}, 200))["muted"] is False
    for wrong in ("nothing", "with blank "):
        assert (await dora.post(f"/challenges/{wrong}/withdrawals", {}, 404))["code"] == "no_challenge"


async def test_it_is_the_same_as_by_socket(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """One at a socket challenges one by HTTP, who is in the lobby's list as long as there are requests; and back."""
    eve, fay = await HttpPlayer.come(link, "Eve"), await Client.open(hub.url, "Fay")
    await eve.get("/challenges")
    await fay.send(WatchLobby(ref=fay.ref()))
    await fay.expect(LobbyState | LobbyChange, lambda told: "Eve" in (told.people or ()))  # type: ignore[arg-type]
    await fay.ask(Challenge(ref=fay.ref(), name="Eve", game="square"), Accepted)
    (asked,) = (await eve.get("/challenges"))["challenges"]
    await answer(eve, asked, accept=False)
    assert (await fay.expect(ChallengeOver)).fate == "declined"
    await challenge(eve, "Fay")
    heard = await fay.expect(Challenged, lambda told: not told.mine)
    await fay.send(AnswerChallenge(ref=fay.ref(), challenge=heard.challenge, accept=True))
    assert (await fay.expect(Snapshot)).you == (1,)
    assert (await eve.get("/challenges"))["over"][-1]["fate"] == "accepted"
    await fay.expect(LobbyChange, lambda told: told.people is not None and "Eve" not in told.people)
    await fay.close()


async def test_a_name_that_another_one_bears_is_not_taken(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """Who came by HTTP holds no name while nothing is asked: another one may be here under it."""
    gil = await HttpPlayer.come(link, "Gil")
    other = await Client.open(hub.url, "Gil")
    told = await gil.get("/challenges", wait=0.1)
    assert told["name"] == ""
    hal = await HttpPlayer.come(link, "Hal")
    await challenge(hal, "Gil")
    assert not (await other.expect(Challenged)).mine
    assert (await gil.get("/challenges", known=told["tag"], wait=0.1))["challenges"] == []
    await other.close()
