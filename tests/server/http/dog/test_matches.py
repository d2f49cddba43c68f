"""Matches between programs that behave as the DOG library does: nothing of them knows that this is another server."""

from __future__ import annotations

import json

import pytest

from tests.driver import HubProcess, wait_for
from tests.server.http.dog.conftest import Sit
from tests.server.http.dog.library import Library, Status

NEXT = {"match_status": "next"}


def begin(*players: Library) -> list[Status]:
    """The first asks, the others are told; returns what each of them knows."""
    started = players[0].start_match(len(players))
    assert started.code == "2", started
    for other in players[1:]:
        wait_for(lambda other=other: bool(other.starts))  # type: ignore[misc]
    return [started, *(other.starts[-1] for other in players[1:])]


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_everybody_gets_the_same_match_and_every_move_once(sit: Sit, number: int) -> None:
    """UD RF5, RF6: the requester moves first, each sees itself first, and moves come in one order."""
    players = [sit(f"Player {place}") for place in range(number)]
    known = begin(*players)
    for player, status in zip(players, known, strict=True):
        assert status.message == "Partida iniciada"
        assert status.players[0][:2] == [player.name, player.id]
        assert all(isinstance(value, str) for row in status.players for value in row)
    orders = {tuple(sorted((row[2], row[1]) for row in status.players)) for status in known}
    assert len(orders) == 1
    assert [order for order, _ in orders.pop()] == [str(place + 1) for place in range(number)]
    assert known[0].players[0][2] == "1"
    for turn in range(2 * number):
        players[turn % number].send_move({"n": turn, **NEXT})
    for place, player in enumerate(players):
        others = [turn for turn in range(2 * number) if turn % number != place]
        player.await_moves(len(others))
        assert player.rows() == others
        assert player.rows("order") == [turn + 1 for turn in others]
        assert player.rows("player") == [players[turn % number].id for turn in others]


def test_too_few_players_is_said_at_once_and_nobody_waits(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    assert ana.start_match(3) == Status("1", "Jogadores insuficientes")
    assert bea.start_match(2).code == "2"


def test_games_are_told_apart_by_their_file(sit: Sit) -> None:
    ana = sit("Ana", game_id="one game")
    sit("Bea", game_id="another game")
    assert ana.start_match(2).code == "1"


def test_json_types_are_kept_and_the_servers_values_win(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    said = {"whole": 3, "half": 0.5, "yes": True, "none": None, "list": [[1, "a"], {}], "ção": "'\"\\\n", **NEXT}
    ana.send_move({**said, "player": bea.id, "order": 99})
    assert bea.await_moves(1) == [{**said, "player": ana.id, "order": 1}]
    assert [type(value) for value in bea.moves[0].values()] == [type(v) for v in bea.moves[0].values()]
    ana.send_move({"n": 2, "match_status": ""})
    assert bea.await_moves(2)[1]["match_status"] == ""


def test_a_burst_in_one_poll_gap_arrives_in_order_and_whole(sit: Sit) -> None:
    """N6: 20 moves while the peer does not poll."""
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    ana.send_move({"n": 0, "match_status": "progress"})
    bea.await_moves(1)
    bea.hold.set()
    for number in range(1, 21):
        ana.send_move({"n": number, "match_status": "progress" if number < 20 else "next"})
    bea.hold.clear()
    bea.await_moves(21)
    assert bea.rows() == list(range(21))
    assert bea.rows("order") == list(range(1, 22))


def test_moves_are_kept_for_a_peer_that_has_not_heard_of_the_match(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    bea.hold.set()
    wait_for(lambda: ana.start_match(2).code == "2")
    for number in range(5):
        ana.send_move({"n": number, "match_status": "progress"})
    bea.hold.clear()
    bea.await_moves(5)
    assert len(bea.starts) == 1
    assert bea.rows() == list(range(5))


def test_start_pressed_by_both_leads_to_one_match(sit: Sit) -> None:
    """Who presses start having been paired without knowing it gets that match."""
    ana, bea = sit("Ana"), sit("Bea", register=False)
    assert bea.post("player/", player_name="Bea")[0] == 200
    first = ana.start_match(2)
    second = bea.start_match(2)
    assert (first.code, second.code) == ("2", "2")
    assert {row[1]: row[2] for row in first.players} == {row[1]: row[2] for row in second.players}
    assert second.players[0] == ["Bea", bea.id, "2"]
    assert json.loads(bea.post("started/")[1])["code"] == "1"
    assert ana.start_match(2).players == first.players


def test_after_the_end_both_are_free_for_another_match(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    for round_ in range(3):
        ana.send_move({"n": round_, "match_status": "next"})
        bea.await_moves(2 * round_ + 1)
        ana.send_move({"n": round_, "match_status": "finished"})
        bea.await_moves(2 * round_ + 2)
        assert bea.rows("order")[-2:] == [1, 2]
        wait_for(lambda: not bea.in_match)
        wait_for(lambda: ana.start_match(2).code == "2")
        wait_for(lambda count=round_: len(bea.starts) == count + 2)  # type: ignore[misc]
    assert (ana.withdrawals, bea.withdrawals) == (0, 0)


def test_who_wants_another_match_in_the_middle_leaves_and_the_others_are_told(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    ana.send_move({"n": 1, **NEXT})
    bea.await_moves(1)
    bea.send_move({"n": 2, **NEXT})
    ana.await_moves(1)
    wait_for(lambda: ana.start_match(2).code == "2")
    wait_for(lambda: len(bea.starts) == 2)
    assert (ana.withdrawals, bea.withdrawals) == (0, 1)


def test_a_sent_interruption_reaches_the_others_and_never_its_author(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    ana.send_move({"n": 1, "match_status": "interrupted"})
    wait_for(lambda: bea.withdrawals == 1)
    assert json.loads(ana.post("match/")[1]) == {}
    assert ana.withdrawals == 0


def test_the_same_name_twice_differs_but_everybody_keeps_the_own(sit: Sit) -> None:
    ana, other = sit("Ana"), sit("Ana")
    first, second = begin(ana, other)
    assert [row[0] for row in first.players] == ["Ana", "Ana 2"]
    assert [row[0] for row in second.players] == ["Ana", "Ana 2"]
    assert first.players[0][1] == ana.id
    assert second.players[0][1] == other.id


def test_a_second_live_registration_of_an_id_is_refused(sit: Sit) -> None:
    ana = sit("Ana")
    assert sit("Bea", player_id=ana.id, register=False).initialize() != "Conectado a Dog Server"


def test_the_base_address_can_be_any(hub: HubProcess, sit: Sit) -> None:
    base = f"http://127.0.0.1:{hub.port}"
    ana = sit("Ana", url=f"{base}/dog/some/where/")
    bea = sit("Bea", url=f"{base}/dog/")
    begin(ana, bea)
