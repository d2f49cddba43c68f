"""Matches between programs that behave as the DOG library does: nothing of them knows that this is another server."""

from __future__ import annotations

import pytest

from tests.driver import HubProcess, wait_for
from tests.server.http.dog.conftest import Sit
from tests.server.http.dog.library import Library, Status

NEXT = {"match_status": "next"}


def begin(*players: Library) -> list[Status]:
    """The first asks, the others are told; returns what each of them knows."""
    answers: list[Status] = []

    def has_begun() -> bool:
        # A program can be paired once its polling has begun.
        answers.append(players[0].start_match(len(players)))
        return answers[-1].code == "2"

    wait_for(has_begun)
    started = answers[-1]
    for other in players[1:]:
        wait_for(lambda other=other: bool(other.starts))  # type: ignore[misc]
    return [started, *(other.starts[-1] for other in players[1:])]


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_everybody_gets_the_same_match_and_every_move_once(sit: Sit, number: int) -> None:
    """UD RF5, RF6: the requester moves first, each sees itself first, and moves come in one order."""
    players = [sit(f"Player {place}") for place in range(number)]
    known = begin(*players)
    # Behind the requester they sit as their questions came, which on a busy machine is any order.
    by_order = sorted(zip(players, known, strict=True), key=lambda one: one[1].players[0][2])
    assert by_order[0][0] is players[0]
    players, known = [player for player, _ in by_order], [status for _, status in by_order]
    for player, status in by_order:
        assert status.message == "Partida iniciada"
        assert status.players[0][:2] == [player.name, player.id]
        assert all(isinstance(value, str) for row in status.players for value in row)
    orders = {tuple(sorted((row[2], row[0]) for row in status.players)) for status in known}
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
        ids = {row[2]: row[1] for row in known[place].players}
        assert player.rows("player") == [ids[str(turn % number + 1)] for turn in others]
        assert not {other.id for other in players if other is not player} & set(ids.values())


def test_too_few_players_is_said_at_once_and_nobody_waits(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    assert ana.start_match(3) == Status("1", "Jogadores insuficientes")
    wait_for(lambda: bea.start_match(2).code == "2")


def test_games_are_told_apart_by_their_file(sit: Sit) -> None:
    ana = sit("Ana", game_id="one game")
    sit("Bea", game_id="another game")
    assert ana.start_match(2).code == "1"


def test_json_types_are_kept_and_the_servers_values_win(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    said = {"whole": 3, "half": 0.5, "yes": True, "none": None, "list": [[1, "a"], {}], "ção": "'\"\\\n", **NEXT}
    ana.send_move({**said, "player": bea.id, "order": 99})
    assert bea.await_moves(1) == [{**said, "player": bea.starts[0].players[1][1], "order": 1}]
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
    assert ana.start_match(2).code == "1"
    # Its library has not ended the match by that, and must be told.
    wait_for(lambda: ana.withdrawals == bea.withdrawals == 1)
    wait_for(lambda: ana.start_match(2).code == "2")
    wait_for(lambda: len(bea.starts) == 2)
    assert (ana.withdrawals, bea.withdrawals) == (1, 1)


def test_start_pressed_again_before_anybody_has_moved_is_the_same_match(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    began = begin(ana, bea)
    assert [ana.start_match(2), bea.start_match(2)] == began
    ana.send_move({"n": 1, **NEXT})
    assert bea.await_moves(1)[0]["order"] == 1
    assert (len(ana.starts), len(bea.starts), ana.withdrawals, bea.withdrawals) == (0, 1, 0, 0)


def test_other_words_are_passed_on_and_the_match_goes_on(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    words = ["withdrawal", "progress", "", "FINISHED", "sair"]
    for word in words:
        ana.send_move({"match_status": word})
    bea.await_moves(len(words))
    assert bea.rows("match_status") == words
    bea.send_move({"n": 1, **NEXT})
    assert ana.await_moves(1)[0]["order"] == len(words) + 1


def test_t1_a_sent_interruption_reaches_everybody_once(sit: Sit) -> None:
    """T1: its author's library would go on asking for moves, and could not be paired; so it is told as well."""
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    ana.send_move({"n": 1, "match_status": "interrupted"})
    wait_for(lambda: ana.withdrawals == bea.withdrawals == 1)
    wait_for(lambda: bea.start_match(2).code == "2")
    wait_for(lambda: len(ana.starts) == 1)
    assert (ana.withdrawals, bea.withdrawals) == (1, 1)


@pytest.mark.parametrize("word", ["end", "finalize"])
def test_t6_other_words_for_the_end_end_the_match(sit: Sit, word: str) -> None:
    """T6: nothing covers what the games show, until somebody looks for a partner."""
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    ana.send_move({"winner": "Ana", "match_status": word})
    assert bea.await_moves(1)[0]["match_status"] == word
    assert ana.post("move/", move='{"match_status": "next"}')[0] == 409
    assert (ana.withdrawals, bea.withdrawals) == (0, 0)
    assert ana.start_match(2).code == "1"
    wait_for(lambda: ana.withdrawals == bea.withdrawals == 1)
    wait_for(lambda: bea.start_match(2).code == "2")
    wait_for(lambda: len(ana.starts) == 1)
    assert (ana.withdrawals, bea.withdrawals) == (1, 1)


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


def test_t6_a_path_is_a_table(hub: HubProcess, sit: Sit) -> None:
    """T6: neighbours meet each other, whoever else of the class waits at another table, or at none."""
    base = f"http://127.0.0.1:{hub.port}/dog"
    ana, bea = sit("Ana", url=f"{base}/mesa-3/"), sit("Bea", url=f"{base}/mesa-4/")
    cau, duda = sit("Cau", url=f"{base}/"), sit("Duda", url=f"{base}/mesa-3/")
    elsa = sit("Elsa", url=f"{base}/hex/mesa-3/")
    known = begin(ana, duda)
    assert [row[0] for row in known[0].players] == ["Ana", "Duda"]
    assert [player.start_match(2).code for player in (bea, cau, elsa)] == ["1", "1", "1"]
    assert ana.post("x" * 50 + "/start/", number_of_players=2)[0] == 400


def test_t6_t7_the_page_says_the_line_to_copy_and_who_waits_for_whom(hub: HubProcess, sit: Sit) -> None:
    base = f"http://127.0.0.1:{hub.port}/dog"
    ana, bea = sit("Ana <b>", url=f"{base}/mesa-7/"), sit("Bea", url=f"{base}/mesa-7/")
    begin(ana, bea)
    sit("Cau", url=f"{base}/mesa-8/")
    wait_for(lambda: "<td>Cau</tr>" in hub.get("/dog/")[1])
    status, page = hub.get("/dog/")
    assert status == 200
    assert f"self.url = &quot;{base}/&quot;" in page
    assert ">mesa-7</a><td>Ana &lt;b&gt; : Bea<td></tr>" in page
    assert "O seu programa chega a este servidor" in page
    one = hub.get("/dog/mesa-7/")[1]
    assert f"self.url = &quot;{base}/mesa-7/&quot;" in one
    assert "mesa-8" not in one
    assert hub.get(f"/dog/{'x' * 50}/")[0] == 404
