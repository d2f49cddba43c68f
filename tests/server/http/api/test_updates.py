"""The checkers document's requests R7 and R8, row by row, over plain HTTP against a real hub."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from tests.pace import within
from tests.server.http.api.player import HttpPlayer, Plain, two

FIRST, SECOND = "11-15", "22-17"


# R7: updates ----------------------------------------------------------------------------------------------------------


async def test_r7_1_a_move_names_game_and_version(link: httpx.AsyncClient) -> None:
    """CK R7.1, R7.5, R7.6, R2.1, R2.2: stored under its number, success returned, the other told."""
    ana, bob, joined = await two(link)
    match, version = joined["match"], joined["version"]
    done = await ana.move(match, version, FIRST)
    assert (done["match"], done["version"]) == (match, version + 1)
    told = await bob.updates(match, version)
    (moved,) = told["updates"]
    assert (moved["type"], moved["version"], moved["seat"], moved["move"]) == ("moved", version + 1, 0, FIRST)
    assert moved["marks"] == {"11": None, "15": [0, "man"]}
    assert (told["to_move"], told["you"], SECOND in told["legal"]) == (1, [1], True)


async def test_r7_1_the_lists_of_a_move_may_be_sent(link: httpx.AsyncClient) -> None:
    """CK R7.1, RU-CK7: where they are right."""
    ana, bob, joined = await two(link)
    match = joined["match"]
    done = await ana.move(match, joined["version"], FIRST, moved=["11", "15"], captured=[], crowned=[])
    done = await bob.move(match, done["version"], "22-18")
    done = await ana.move(match, done["version"], "15x22", moved=["15", "22"], captured=["18"], crowned=[])
    assert (await ana.state(match))["scores"] == [[12], [11]]


@pytest.mark.parametrize("lists", [{"moved": ["11", "16"]}, {"captured": ["22"]}, {"crowned": ["15"]}])
async def test_r7_1_lists_that_differ_are_refused_and_nothing_moves(link: httpx.AsyncClient, lists: Plain) -> None:
    """RU-CK7, L5."""
    ana, _, joined = await two(link)
    refused = await ana.move(joined["match"], joined["version"], FIRST, 409, **lists)
    assert (refused["code"], refused["data"]["list"]) == ("claim_differs", next(iter(lists)))
    state = await ana.state(joined["match"])
    assert (state["version"], state["plies"], state["to_move"]) == (joined["version"], 0, 0)
    await ana.move(joined["match"], joined["version"], FIRST)


async def test_r7_2_the_ids_must_belong_to_an_active_game(link: httpx.AsyncClient) -> None:
    """CK R7.2: a stranger, a game that is not there, one that waits, one that is over."""
    ana, bob, joined = await two(link)
    match, version = joined["match"], joined["version"]
    carl = await HttpPlayer.come(link, "Carl")
    assert (await carl.move(match, version, FIRST, 403))["code"] == "not_seated"
    assert (await ana.move("nothing", version, FIRST, 404))["code"] == "unknown_match"
    waits = await ana.create()
    assert (await ana.move(waits["match"], 1, FIRST, 409))["code"] == "waiting"
    await bob.update(match, "abandon")
    assert (await ana.move(match, version, FIRST, 409))["code"] == "finished"


async def test_r7_3_it_must_be_the_players_turn(link: httpx.AsyncClient) -> None:
    """CK R7.3, R2.2."""
    _, bob, joined = await two(link)
    refused = await bob.move(joined["match"], joined["version"], SECOND, 409)
    assert (refused["code"], refused["version"]) == ("not_your_turn", joined["version"])


async def test_r7_4_the_move_must_be_valid(link: httpx.AsyncClient) -> None:
    """CK R7.4, 6.1: the player is warned and the move cancelled; the turn stays."""
    ana, _, joined = await two(link)
    match, version = joined["match"], joined["version"]
    for move in ("11-18", "rubbish", "33-37", "9-13x22"):
        refused = await ana.move(match, version, move, 422)
        assert refused["detail"]
        assert refused["version"] == version
    assert (await ana.state(match))["to_move"] == 0


async def test_r7_1_forfeit(link: httpx.AsyncClient) -> None:
    """CK R7.1, R4.3, R4.4: out of turn, too; the opponent is told, and has won."""
    ana, bob, joined = await two(link)
    done = await ana.move(joined["match"], joined["version"], FIRST)
    await ana.update(joined["match"], "abandon")
    (ended,) = (await bob.updates(joined["match"], done["version"], wait=5))["updates"]
    assert (ended["type"], ended["result"]["winner"], ended["result"]["reason"]) == ("ended", 1, "forfeit")


@pytest.mark.parametrize("accept", [True, False])
async def test_r7_1_a_draw_is_offered_and_answered(link: httpx.AsyncClient, accept: bool) -> None:
    """CK R7.1, R4.5, 5.4.2, 6.1: accepted it is a draw, rejected it is told to the one who made it."""
    ana, bob, joined = await two(link)
    match = joined["match"]
    made = await ana.update(match, "offer", kind="draw")
    (offered,) = (await bob.updates(match, joined["version"]))["updates"]
    assert (offered["type"], offered["seat"], offered["kind"]) == ("offered", 0, "draw")
    assert offered["version"] == made["version"]
    await bob.update(match, "answer", offer=offered["version"], accept=accept)
    told = (await ana.updates(match, made["version"]))["updates"]
    assert told[0]["fate"] == ("accepted" if accept else "declined")
    assert [event["result"]["reason"] for event in told[1:]] == (["agreed"] if accept else [])


async def test_r7_1_an_answer_names_the_offer_that_it_answers(link: httpx.AsyncClient) -> None:
    """Q1: one that names another offer, or none, is refused and decides nothing; so is a withdrawal."""
    ana, bob, joined = await two(link)
    match = joined["match"]
    seen = await ana.update(match, "offer", kind="draw")
    await ana.update(match, "withdraw", offer=seen["version"])
    made = await ana.update(match, "offer", kind="restart")
    for about in ({"offer": seen["version"]}, {}):
        for player, command in ((bob, {"type": "answer", "accept": True}), (ana, {"type": "withdraw"})):
            body = {"ref": player.ref(), **command, **about}
            refused = await player.post(f"/matches/{match}/updates", body, 409)
            assert (refused["code"], refused["version"]) == ("stale_offer", made["version"])
            assert refused["data"] == {"offer": made["version"]}
    await bob.update(match, "answer", offer=made["version"], accept=True)


async def test_pause_hides_the_position_and_the_pauser_continues(link: httpx.AsyncClient) -> None:
    """CK 5.4.3, 5.4.4, F2: by whatever way one asks."""
    ana, bob, joined = await two(link)
    match = joined["match"]
    done = await ana.move(match, joined["version"], FIRST)
    paused = await bob.update(match, "pause")
    told = await ana.updates(match, done["version"])
    assert told["legal"] == []
    assert told["snapshot"]["marks"] == {}
    assert (await ana.state(match))["marks"] == {}
    for path in ("record", "positions/0"):
        assert (await ana.get(f"/matches/{match}/{path}", 409))["code"] == "paused"
    assert (await ana.updates(match, paused["version"], wait=0.2))["snapshot"] is None
    assert (await bob.move(match, done["version"], SECOND, 409))["code"] == "paused"
    assert (await ana.update(match, "continue", 409))["code"] == "not_your_pause"
    await bob.update(match, "continue")
    told = await ana.updates(match, paused["version"])
    assert len(told["snapshot"]["marks"]) == 24


async def test_the_other_commands_of_a_match(link: httpx.AsyncClient) -> None:
    """RU-M5, RU-M6, RU-M7: takeback, withdraw, wait and draw while nobody is away, rematch, cancel, leave."""
    ana, bob, joined = await two(link)
    match = joined["match"]
    done = await ana.move(match, joined["version"], FIRST)
    first = await ana.update(match, "offer", kind="takeback")
    await ana.update(match, "withdraw", offer=first["version"])
    second = await ana.update(match, "offer", kind="takeback")
    await bob.update(match, "answer", offer=second["version"], accept=True)
    assert (await bob.updates(match, done["version"]))["snapshot"]["plies"] == 0
    for kind in ("wait_longer", "call_draw"):
        assert (await ana.update(match, kind, 409))["code"] == "nobody_is_away"
    await bob.update(match, "abandon")
    await ana.update(match, "offer", kind="rematch")
    await bob.update(match, "offer", kind="rematch")
    following = (await ana.state(match))["rematch"]
    assert (await ana.state(following))["you"] == [1]
    waits = (await ana.create())["match"]
    await ana.update(waits, "cancel")
    assert (await ana.state(waits))["result"]["reason"] == "cancelled"
    left = (await ana.create())["match"]
    await ana.update(left, "leave")
    assert (await ana.state(left))["result"]["reason"] == "cancelled"


async def test_a_command_sent_again_counts_once(link: httpx.AsyncClient) -> None:
    """Promise 2: the same answer, and one event."""
    ana, bob, joined = await two(link)
    match = joined["match"]
    move = {"ref": "once", "type": "move", "version": joined["version"], "move": FIRST, "captured": []}
    answers = await asyncio.gather(*(ana.post(f"/matches/{match}/updates", move, 200) for _ in range(8)))
    assert {answer["version"] for answer in answers} == {joined["version"] + 1}
    assert len((await bob.updates(match, joined["version"]))["updates"]) == 1


# R8: what has happened since ------------------------------------------------------------------------------------------


async def test_r8_only_what_the_other_player_did_is_returned(link: httpx.AsyncClient) -> None:
    """CK R8.1 to R8.4; `own=true` tells the rest."""
    ana, bob, joined = await two(link)
    match, start = joined["match"], joined["version"]
    done = await ana.move(match, start, FIRST)
    done = await bob.move(match, done["version"], SECOND)
    for player, seats in ((ana, [1]), (bob, [0])):
        told = await player.updates(match, start)
        assert [event["seat"] for event in told["updates"]] == seats
        assert told["version"] == done["version"]
        everything = await player.updates(match, start, own=True)
        assert [event["version"] for event in everything["updates"]] == [start + 1, start + 2]
    assert (await ana.updates(match, done["version"]))["updates"] == []


async def test_r8_a_version_that_is_too_old_or_never_was_gets_the_whole_state(link: httpx.AsyncClient) -> None:
    """C7: more than twenty events are told by a snapshot."""
    ana, bob, joined = await two(link)
    match, version = joined["match"], joined["version"]
    for _ in range(12):
        made = await ana.update(match, "offer", kind="draw")
        version = (await ana.update(match, "withdraw", offer=made["version"]))["version"]
    for after in (joined["version"], version + 1000):
        told = await bob.updates(match, after, wait=20)
        assert told["updates"] == []
        assert (told["version"], told["snapshot"]["version"]) == (version, version)


async def test_r8_spectators_see_what_they_may(link: httpx.AsyncClient) -> None:
    """Issue 5: two moves behind, if the host wished so, by whatever way they ask; players are not."""
    ana, bob, joined = await two(link, delay_plies=2)
    match, start = joined["match"], joined["version"]
    eva = await HttpPlayer.come(link, "Eva")
    done = await ana.move(match, start, FIRST)
    assert (await bob.updates(match, start))["version"] == done["version"]
    done = await bob.move(match, done["version"], SECOND)
    for told in (await eva.updates(match, start), await eva.updates(match, 0), await eva.state(match)):
        assert told["version"] == start
        assert FIRST in told["legal"]
    poll = asyncio.create_task(eva.updates(match, start, wait=20))
    await asyncio.sleep(0.2)
    await ana.move(match, done["version"], "15-19")
    assert [event["move"] for event in (await poll)["updates"]] == [FIRST]


async def test_r8_4_a_poll_answers_within_the_event(link: httpx.AsyncClient) -> None:
    """CK R9.1, R10.1: long polling wakes at once, and for what the other does only."""
    ana, bob, joined = await two(link)
    match, version = joined["match"], joined["version"]
    poll = asyncio.create_task(bob.updates(match, version, wait=20))
    await asyncio.sleep(0.2)
    made = await bob.update(match, "offer", kind="draw")
    await bob.update(match, "withdraw", offer=made["version"])
    await asyncio.sleep(0.2)
    assert not poll.done()
    await ana.move(match, version, FIRST)
    moved_at = time.monotonic()
    told = await poll
    assert time.monotonic() - moved_at < 10  # not at the end of the 20 s that were asked for
    within(time.monotonic() - moved_at, 1)
    assert [event["type"] for event in told["updates"]] == ["moved"]


async def test_r8_a_poll_without_news_ends_in_time(link: httpx.AsyncClient) -> None:
    ana, _, joined = await two(link)
    started = time.monotonic()
    told = await ana.updates(joined["match"], joined["version"], wait=0.5)
    assert time.monotonic() - started > 0.4
    assert (told["updates"], told["snapshot"], told["version"]) == ([], None, joined["version"])


async def test_r8_polls_have_a_bound(link: httpx.AsyncClient) -> None:
    ana, _, joined = await two(link)
    polls = [asyncio.create_task(ana.updates(joined["match"], joined["version"], wait=1)) for _ in range(4)]
    await asyncio.sleep(0.3)
    refused = await ana.updates(joined["match"], joined["version"], wait=1, expect=503)
    assert refused["code"] == "busy"
    assert [told["updates"] for told in await asyncio.gather(*polls)] == [[]] * 4


async def test_the_record_and_the_positions_can_be_had(link: httpx.AsyncClient) -> None:
    """DB 7.3.3.1, RU-M8: and a match can be opened from it."""
    ana, _, joined = await two(link)
    match = joined["match"]
    await ana.move(match, joined["version"], FIRST)
    record = await ana.get(f"/matches/{match}/record")
    assert (record["moves"], record["names"], record["result"]) == ([FIRST], ["Ana", "Bob"], None)
    assert "15" in (await ana.get(f"/matches/{match}/positions/1"))["marks"]
    assert "15" not in (await ana.get(f"/matches/{match}/positions/0"))["marks"]
    assert (await ana.get(f"/matches/{match}/positions/2", 404))["code"] == "no_such_ply"
    for nonsense in ("2001", "-1", "x"):
        assert (await ana.get(f"/matches/{match}/positions/{nonsense}", 422))["code"] == "bad_field"
    again = await ana.create(record["game"], options=record["options"], moves=record["moves"])
    assert "15" in again["state"]["marks"]
