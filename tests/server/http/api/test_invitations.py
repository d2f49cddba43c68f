"""To what a key invites, asked by HTTP before a seat is taken (`CK R1.3`, `R1.6`, `I4`)."""

from __future__ import annotations

import httpx

from tests.server.http.api.player import HttpPlayer


async def test_the_key_tells_all_and_takes_no_seat(link: httpx.AsyncClient) -> None:
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    wish = {"game": "checkers", "options": {"captures": "forced"}, "private": True, "clock": {"total_ms": 180_000}}
    hosted = await ana.post("/matches", {"ref": ana.ref(), "seat": 1, **wish}, 201)
    for _ in range(2):
        told = await bob.post("/invitations", {"key": hosted["key"]}, 200)
        summary = told["summary"]
        assert (summary["match"], summary["names"], told["seat"]) == (hosted["match"], [None, "Ana"], 0)
        assert (summary["game"], summary["options"]["captures"]) == ("checkers", "forced")
        assert summary["clock_rule"]["total_ms"] == 180_000
    assert (await ana.post("/invitations", {"key": hosted["key"]}, 200))["seat"] == 1, "one's own"
    assert (await bob.post("/players", {"key": hosted["key"]}, 201))["state"]["you"] == [0]


async def test_closed_doors_look_alike(link: httpx.AsyncClient) -> None:
    """A wrong key and that of a match which is over by now; a private match tells nothing by its id."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.post("/matches", {"ref": ana.ref(), "game": "square", "private": True}, 201)
    told = await bob.post("/invitations", {"match": hosted["match"]}, 403)
    assert told["code"] == "private"
    await ana.post(f"/matches/{hosted['match']}/updates", {"type": "cancel", "ref": ana.ref()}, 200)
    answers = [await bob.post("/invitations", {"key": key}, 404) for key in (hosted["key"], "0000-0000-0000")]
    assert {answer["code"] for answer in answers} == {"wrong_key"}
