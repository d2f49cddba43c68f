"""The checkers document's requests R5 and R6, row by row, over plain HTTP against a real hub."""

from __future__ import annotations

import time

import httpx

from tests.server.http.api.player import HttpPlayer, Plain, two

FIRST, SECOND = "11-15", "22-17"


# R5: a new game -------------------------------------------------------------------------------------------------------


async def test_r5_1_a_new_game_is_asked_for_with_a_username_and_public_or_private(link: httpx.AsyncClient) -> None:
    """CK R5.1, R1.1, R1.3, R1.4: the name is the guest's, and the host is on the seat that was asked for."""
    ana = await HttpPlayer.come(link, "Ana")
    for private in (False, True):
        hosted = await ana.create(private=private, seat=int(private))
        assert hosted["state"]["private"] is private
        assert [seat["name"] for seat in hosted["state"]["seats"]] == ([None, "Ana"] if private else ["Ana", None])
        assert hosted["state"]["you"] == [int(private)]
        assert ("key" in hosted) is private


async def test_r5_2_and_r5_3_game_and_player_have_ids_of_their_own(link: httpx.AsyncClient) -> None:
    """CK R5.2, R5.3."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    games = [await player.create() for player in (ana, ana, bob)]
    assert len({game["match"] for game in games}) == 3
    assert [game["player"] for game in games] == [ana.player, ana.player, bob.player]
    assert ana.player != bob.player


async def test_r5_4_the_game_is_stored(link: httpx.AsyncClient) -> None:
    """CK R5.4: whoever asks next is told of it."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    match = (await ana.create("hexoust"))["match"]
    assert (await bob.state(match))["status"] == "waiting"


async def test_r5_5_and_r5_6_player_id_and_initial_state_are_returned(link: httpx.AsyncClient) -> None:
    """CK R5.5, R5.6."""
    ana = await HttpPlayer.come(link, "Ana")
    hosted = await ana.create()
    state = hosted["state"]
    assert (hosted["player"], hosted["version"], state["version"], state["you"]) == (ana.player, 1, 1, [0])
    assert len(state["marks"]) == 24
    assert state["scores"] == [[12], [12]]
    assert FIRST in state["legal"]


async def test_a_new_game_sent_again_is_the_same_one(link: httpx.AsyncClient) -> None:
    """Promise 2: by the ref in the body, or by the Idempotency-Key header."""
    ana = await HttpPlayer.come(link, "Ana")
    body = {"ref": ana.ref(), "game": "square", "private": True}
    first, again = await ana.post("/matches", body, 201), await ana.post("/matches", body, 201)
    assert (first["match"], first["key"]) == (again["match"], again["key"])
    headers = {"Idempotency-Key": ana.ref()}
    games = [await ana.post("/matches", {"game": "square"}, 201, **headers) for _ in range(2)]
    assert games[0]["match"] == games[1]["match"] != first["match"]


async def test_options_clock_and_grace_are_the_hosts(link: httpx.AsyncClient) -> None:
    """CK R1.3, R2.3."""
    ana = await HttpPlayer.come(link, "Ana")
    wishes: Plain = {
        "options": {"pieces": "black-red"},
        "clock": {"total_ms": 60_000, "increment_ms": 1_000},
        "grace_s": 60,
    }
    state = (await ana.create(**wishes))["state"]
    assert state["options"]["pieces"] == "black-red"
    assert (state["clock_rule"]["total_ms"], state["grace_s"]) == (60_000, 60)
    refused = await ana.create(options={"pieces": "green"}, expect=422)
    assert (refused["code"], refused["data"]["option"]) == ("bad_option", "pieces")
    assert (await ana.create("chess", expect=422))["code"] == "unknown_game"


async def test_the_computer_takes_the_other_seat(link: httpx.AsyncClient) -> None:
    """DB 8.3, SQ5: and its move is an update like any other."""
    ana = await HttpPlayer.come(link, "Ana")
    hosted = await ana.create("square", computer=True)
    done = await ana.move(hosted["match"], hosted["version"], "a1-b1")
    told = await ana.updates(hosted["match"], done["version"], wait=20)
    assert [(event["type"], event["seat"]) for event in told["updates"]] == [("moved", 1)]
    assert told["to_move"] == 0


async def test_the_computer_plays_at_a_level_and_begins_if_asked_to(link: httpx.AsyncClient) -> None:
    """The level is in the answer and in the seat's name; a rematch has the other side begin."""
    ana = await HttpPlayer.come(link, "Ana")
    hosted = await ana.create("square", computer=True, level="easy", seat=1)
    state = hosted["state"]
    assert [state["level"], state["you"], [seat["name"] for seat in state["seats"]]] == [
        "easy", [1], ["Computer (easy)", "Ana"]
    ]  # fmt: skip
    told = await ana.updates(hosted["match"], hosted["version"], wait=20)
    assert [(event["type"], event["seat"]) for event in told["updates"]] == [("moved", 0)]
    for wrong in ({"level": "godlike", "computer": True}, {"level": "easy"}, {"seat": 1, "both_seats": True}):
        refused = await ana.create("square", **wrong, expect=422)
        assert refused["data"]["option"] in wrong


# R6: joining ----------------------------------------------------------------------------------------------------------


async def test_r6_1_a_game_is_joined_with_username_and_game_id(link: httpx.AsyncClient) -> None:
    """CK R6.1, R6.2, R6.6, R1.5: player id and state are returned."""
    _, bob, joined = await two(link)
    assert joined["player"] == bob.player
    assert joined["state"]["you"] == [1]
    assert joined["state"]["status"] == "playing"
    assert [seat["name"] for seat in joined["state"]["seats"]] == ["Ana", "Bob"]


async def test_r6_3_only_a_game_that_waits_can_be_joined(link: httpx.AsyncClient) -> None:
    """CK R6.3: a third player is refused, and nothing changes."""
    ana, _, joined = await two(link)
    carl = await HttpPlayer.come(link, "Carl")
    refused = await carl.join(joined["match"], expect=409)
    assert (refused["code"], refused["version"]) == ("full", joined["version"])
    assert (await carl.join("nothing", expect=404))["code"] == "unknown_match"
    assert (await ana.state(joined["match"]))["version"] == joined["version"]


async def test_r6_4_and_r6_5_the_joining_player_is_stored_once(link: httpx.AsyncClient) -> None:
    """CK R6.4, R6.5: joining again is no error, and no second event."""
    ana, bob, joined = await two(link)
    again = await bob.join(joined["match"])
    assert again["version"] == joined["version"]
    told = await ana.updates(joined["match"], 1)
    assert [(event["type"], event["name"]) for event in told["updates"]] == [("joined", "Bob")]


async def test_r1_6_a_private_game_is_joined_by_its_key(link: httpx.AsyncClient) -> None:
    """CK R1.6, 6.1: a wrong key is said to be wrong, and can be tried again; F5: nobody else looks in."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create(private=True)
    match, key = hosted["match"], hosted["key"]
    assert (await bob.post("/players", {"key": "0000-0000-0000"}, 404))["code"] == "wrong_key"
    assert (await bob.join(match, expect=403))["code"] == "private"
    for path in ("", "/updates", "/record", "/positions/0"):
        assert (await bob.get(f"/matches/{match}{path}", 403))["code"] == "private"
    joined = await bob.post("/players", {"key": key.lower().replace("-", " ")}, 201)
    assert (joined["match"], joined["state"]["you"]) == (match, [1])
    assert "key" not in joined
    assert joined["state"]["key"] is None


async def test_5_3_the_public_list_shows_who_waits(link: httpx.AsyncClient) -> None:
    """CK 5.3: the host's name and the colours; one game alone if wished."""
    ana = await HttpPlayer.come(link, "Ana")
    public, private = await ana.create(), await ana.create(private=True)
    deadline = time.monotonic() + 10
    rows: dict[str, Plain] = {}
    while public["match"] not in rows and time.monotonic() < deadline:
        rows = {
            row["match"]: row for row in (await link.get("/matches", params={"game": "checkers"})).json()["matches"]
        }
    row = rows[public["match"]]
    assert (row["names"], row["status"], row["options"]["pieces"]) == (["Ana", None], "waiting", "black-white")
    assert private["match"] not in rows
    other = (await link.get("/matches", params={"game": "hexoust"})).json()
    assert all(row["game"] == "hexoust" for row in other["matches"])


async def test_quick_match_pairs_with_whoever_waits(link: httpx.AsyncClient) -> None:
    """UD RF2, RF5."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    wish = {"game": "dots-and-boxes", "options": {"width": 3, "height": 7}}
    first = await ana.post("/quick-matches", wish, 201)
    second = await bob.post("/quick-matches", wish, 201)
    assert first["match"] == second["match"]
    assert second["state"]["status"] == "playing"


async def test_quick_match_for_no_game_is_refused_though_its_ref_is_known(link: httpx.AsyncClient) -> None:
    """A bad input is refused also where the same ref once led to a match."""
    ana = await HttpPlayer.come(link, "Ana")
    wish = {"game": "square", "ref": "once"}
    first = await ana.post("/quick-matches", wish, 201)
    assert (await ana.post("/quick-matches", wish, 201))["match"] == first["match"]
    refused = await ana.post("/quick-matches", {**wish, "game": "chess"}, 422)
    assert refused["code"] == "unknown_game"
