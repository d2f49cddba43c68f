"""Players by HTTP and by WebSocket at one board: the same match, the same order, the same refusals."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
import pytest

from client.bot import play
from client.conversation.address import parse_address
from protocol.codec import JSON, MSGPACK, Codec
from protocol.messages import Ended, GetRecord, Move, Moved, Record, Refused, Snapshot, Watch
from tests.at_random import AtRandom
from tests.driver import Client, HubProcess
from tests.hostile.tools import times
from tests.server.http.api.player import HttpPlayer, Plain

FEW_PLIES = 30
"""Plies without a capture or a man's move that end these games, so that two who play at random come to an end."""


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """Programs play faster than people."""
    return ["--limit", "pace=1000"]


async def play_by_http(player: HttpPlayer, entered: Plain, choose: Callable[[list[str]], str]) -> list[Plain]:
    """Play until the end with nothing but R7 and R8; returns all updates that the other player caused, in order."""
    match, version = entered["match"], entered["version"]
    seen: list[Plain] = []
    told = await player.updates(match, version)
    while told["status"] != "ended":
        if told["status"] == "playing" and told["to_move"] in told["you"]:
            await player.move(match, told["version"], choose(told["legal"]))
        told = await player.updates(match, told["version"], wait=20)
        assert told["snapshot"] is None
        seen += told["updates"]
    return seen


@pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=["msgpack", "json"])
async def test_a_game_of_checkers_to_its_end_with_a_spectator(
    hub: HubProcess, link: httpx.AsyncClient, codec: Codec
) -> None:
    """Issue 5, CK R5 to R8, R10.1: an HTTP client against the session that our clients have; a third one watches."""
    options = {"draw_after": FEW_PLIES}
    ana = await HttpPlayer.come(link, "Ana")
    entered = await ana.post("/quick-matches", {"game": "checkers", "options": options}, 201)
    match = entered["match"]
    spectator = await Client.open(hub.url, "Eva", codec=codec)
    await spectator.send(Watch(ref="w", match=match))
    await spectator.expect(Snapshot)
    address = parse_address(f"127.0.0.1:{hub.port}")
    carrier, seen = await asyncio.gather(
        play(address, "Bob", AtRandom, game="checkers", options=dict(options)),
        play_by_http(ana, entered, Random(2).choice),
    )
    ended = await spectator.expect(Ended)
    record = await ana.get(f"/matches/{match}/record")
    watched = [event for event in spectator.events(match) if isinstance(event, Moved)]
    assert [event.move for event in watched] == record["moves"]
    assert [event.version for event in spectator.events(match)] == list(range(2, ended.version + 1))
    assert [event["move"] for event in seen if event["type"] == "moved"] == record["moves"][1::2]
    assert seen[-1]["type"] == "ended"
    assert isinstance(carrier.player, AtRandom)
    reasons = {ended.result.reason, seen[-1]["result"]["reason"], carrier.player.result, record["result"]["reason"]}
    assert len(reasons) == 1
    assert reasons <= {"captured", "blocked", "no_progress"}
    await spectator.close()


async def test_ten_moves_between_two_looks(link: httpx.AsyncClient) -> None:
    """N6: ten closing lines 20 ms apart all arrive, in order, whether one polls meanwhile or looks afterwards."""
    columns = "abcdefghijkl"
    across = [f"{a}{row}-{b}{row}" for row in (1, 2) for a, b in itertools.pairwise(columns)]
    lines = [f"{column}1-{column}2" for column in columns]
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create(
        "dots-and-boxes", options={"width": len(columns), "height": 2}, moves=[*across, lines[0]]
    )  # fmt: skip
    joined = await bob.join(hosted["match"])
    match, start = joined["match"], joined["version"]

    async def close_boxes() -> None:
        version = start
        for line in lines[1:11]:
            version = (await bob.move(match, version, line))["version"]
            await asyncio.sleep(0.02)

    closing = asyncio.create_task(close_boxes())
    seen: list[Plain] = []
    version = start
    while len(seen) < 10:
        told = await ana.updates(match, version, wait=20)
        seen += told["updates"]
        version = told["version"]
    await closing
    for events in (seen, (await ana.updates(match, start))["updates"]):
        assert [event["version"] for event in events] == list(range(start + 1, start + 11))
        assert [event["move"] for event in events] == lines[1:11]
        assert [event["scores"][1] for event in events] == [[boxes] for boxes in range(1, 11)]


@pytest.mark.faults
async def test_moves_from_the_past_and_the_future(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """A9: by either way, all are refused, and nothing has changed; the refusal names the current version."""
    ana, eva = await HttpPlayer.come(link, "Ana"), await Client.open(hub.url, "Eva")
    hosted = await ana.create("checkers")
    match = hosted["match"]
    await eva.join(match)
    version = (await ana.move(match, hosted["version"] + 1, "11-15"))["version"]
    before = await ana.get(f"/matches/{match}/record")
    # It is Eva's turn: Ana is the wrong player, whatever she sends; Eva has the turn, and the wrong versions.
    for turn in range(times(10_000, 400)):
        if turn % 100 == 0:
            # A look now and then: who is not seen for long is away, and that is a new version.
            assert (await ana.updates(match, version))["version"] == version
        if turn % 2:
            refused = await ana.move(match, version, "8-11", 409)
            assert (refused["code"], refused["version"]) == ("not_your_turn", version)
            continue
        wrong = (version - 1, version + 1, 0)[turn // 2 % 3]
        answer = await eva.ask(Move(ref=eva.ref(), match=match, version=wrong, move="22-17"), Refused)
        assert (answer.code, answer.version) == ("stale", version)
    assert (await ana.move(match, 2**63, "8-11", 422))["code"] == "bad_field"
    for wrong in (version - 1, version + 1, 0):
        refused = await ana.move(match, wrong, "8-11", 409)
        assert (refused["code"], refused["version"]) == ("stale", version)
    after = await _record(eva, match)
    assert (after.hash, after.moves) == (before["hash"], tuple(before["moves"]))
    state = await ana.state(match)
    assert (state["version"], state["to_move"]) == (version, 1)
    await eva.move(match, version, "22-17")
    await eva.close()


async def test_one_player_by_both_ways(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """Design 6: the same token on a socket and by HTTP; both may act, and closing one is not leaving."""
    ana = await HttpPlayer.come(link, "Ana")
    socket = await Client.open(hub.url, "Ana", token=ana.guest["token"])
    assert socket.player == ana.player
    bob = await HttpPlayer.come(link, "Bob")
    snapshot = await socket.create("checkers")
    joined = await bob.join(snapshot.match)
    done = await ana.move(snapshot.match, joined["version"], "11-15")
    moved = await socket.moved(done["version"])
    assert (moved.seat, moved.move) == (0, "11-15")
    await socket.close()
    state: dict[str, Any] = await ana.state(snapshot.match)
    assert state["you"] == [0]


async def _record(client: Client, match: str) -> Record:
    await client.send(GetRecord(ref=client.ref(), match=match))
    return await client.expect(Record)


async def test_a_name_in_use_is_refused_with_another_one(hub: HubProcess, link: httpx.AsyncClient) -> None:
    """RU-M9: by HTTP, too."""
    socket = await Client.open(hub.url, "Zoe")
    answer = await link.post("/guests", json={"name": "zoe"})
    assert (answer.status_code, answer.json()["code"]) == (409, "name_in_use")
    assert (await link.post("/guests", json={"name": answer.json()["data"]["suggestion"]})).status_code == 201
    assert (await link.post("/guests", json={"name": "Zoe", "rename": True})).json()["name"] != "Zoe"
    await socket.close()
