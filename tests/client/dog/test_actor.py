"""DOG's interface as a student's game sees it, over both ways to a hub."""

from __future__ import annotations

import queue
import socket
from pathlib import Path
from typing import Any

import pytest

from client.dog import DogActor, MoveRefused
from client.dog.dicts import NOT_BY_RULES
from server.match.events import EndReason
from tests.client.dog.conftest import Game, MakeGame
from tests.driver import HubProcess, RedisProcess, wait_for
from tests.server.http.dog.library import Library

CONNECTED = "Conectado a Dog Server"
OFFLINE = "Você está sem conexão"
ULTIMATE = "ultimate-dots-and-boxes\n"
NEXT = {"match_status": "next"}


def paired(first: Game, second: Game) -> None:
    """Both are in one match, which the second has asked for last."""
    assert (first.initialize(), second.initialize()) == (CONNECTED, CONNECTED)
    if first.actor.start_match(2).get_code() == "2":
        wait_for(lambda: bool(second.starts))
    else:
        wait_for(lambda: second.actor.start_match(2).get_code() == "2")
        wait_for(lambda: bool(first.starts))


def test_strings_and_codes_are_those_of_dog(make: MakeGame, tmp_path: Path) -> None:
    game = make("Ana")
    assert game.actor.start_match(2).get_code() == "0"
    assert game.initialize() == CONNECTED
    status = game.actor.start_match(2)
    assert (status.get_code(), status.get_message()) == ("1", "Jogadores insuficientes")
    assert (status.get_players(), status.get_local_id()) == ([], status.get_local_id())
    missing = DogActor("127.0.0.1", game_file=tmp_path / "no such file")
    assert missing.initialize("Ana", game) == "Arquivo de configuração do jogo não encontrado"


def test_nobody_answers(make: MakeGame) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert make("Ana", server=f"127.0.0.1:{port}").initialize() == OFFLINE


# A student's own game -------------------------------------------------------------------------------------------------


def test_own_games_are_relayed(make: MakeGame) -> None:
    """UD RF1, RF2, RF4 to RF7 without a rule at the server."""
    ana, bea = make("Ana"), make("Bea")
    paired(ana, bea)
    first, second = (ana, bea) if bea.starts else (bea, ana)
    assert [row[0] for row in second.starts[0].get_players()] == [second.name, first.name]
    ana, bea = first, second
    for number in range(20):
        ana.actor.send_move({"n": number, "match_status": "progress"})
    assert [move["n"] for move in bea.await_moves(20)] == list(range(20))
    bea.actor.send_move({"n": None, "match_status": "finished"})
    assert ana.await_moves(1)[0]["order"] == 21
    wait_for(lambda: ana.actor.start_match(2).get_code() == "2")
    wait_for(lambda: len(bea.starts) == 2)
    ana.actor.send_move({"match_status": "interrupted"})
    wait_for(lambda: bea.withdrawals == 1)
    assert ana.withdrawals == 0


def test_an_unmodified_library_is_played_with(make: MakeGame, hub: HubProcess) -> None:
    ana = make("Ana")
    assert ana.initialize() == CONNECTED
    game_id = (Path(str(ana.actor._game_file))).read_text()
    bea = Library(f"http://127.0.0.1:{hub.port}/dog/", "Bea", "155999", game_id=game_id)
    try:
        assert bea.initialize() == CONNECTED
        wait_for(lambda: ana.actor.start_match(2).get_code() == "2")
        ana.actor.send_move({"n": 1, **NEXT})
        bea.await_moves(1)
        bea.send_move({"n": 2, **NEXT})
        assert ana.await_moves(1)[0]["n"] == 2
    finally:
        bea.stop()


def test_callbacks_come_on_the_thread_that_the_game_chooses(make: MakeGame) -> None:
    calls: queue.SimpleQueue[Any] = queue.SimpleQueue()
    ana, bea = make("Ana"), make("Bea", deliver=calls.put)
    paired_before = (ana.initialize(), bea.initialize())
    assert paired_before == (CONNECTED, CONNECTED)
    wait_for(lambda: ana.actor.start_match(2).get_code() == "2")
    ana.actor.send_move({"n": 1, **NEXT})
    for _ in range(2):
        calls.get(timeout=10)()
    assert (len(bea.starts), len(bea.moves)) == (1, 1)
    assert bea.threads == {"MainThread"}


# A game of the catalogue ----------------------------------------------------------------------------------------------


def test_ultimate_dots_and_boxes_has_its_rules_at_the_server(make: MakeGame) -> None:
    """UD RF4: a move is DOG's dict, the server judges it, and tells both what has changed."""
    ana, bea = make("Ana", ULTIMATE), make("Bea", ULTIMATE)
    paired(ana, bea)
    assert ana.starts[0].get_players()[0][::2] == ["Ana", "1"]
    with pytest.raises(MoveRefused) as refused:
        bea.actor.send_move({"move": "5:a1-b1", **NEXT})
    assert refused.value.code == "not_your_turn"
    with pytest.raises(MoveRefused) as refused:
        ana.actor.send_move({"move": "1:a1-b1", **NEXT})
    assert refused.value.code == "wrong_micro_game"
    assert "micro game 5" in str(refused.value)
    with pytest.raises(MoveRefused):
        ana.actor.send_move({"match_status": "next"})
    assert bea.starts == [] or ana.starts == []
    did = ana.actor.send_move({"elements": ["5:a1", "5:b1"], **NEXT})
    bea.await_moves(1)
    move = bea.moves[0]
    assert did == move
    assert (move["move"], move["match_status"], move["order"]) == ("5:a1-b1", "next", 1)
    assert move["changes"] == {"5:a1-b1": {"seat": 0, "piece": "line"}}
    assert move["player"] == ana.starts[0].get_local_id() == the_other_of(bea)
    bea.actor.send_move({"move": move["legal"][0], **NEXT})
    ana.await_moves(1)
    bea.actor.send_move({"match_status": "withdrawal"})
    wait_for(lambda: ana.withdrawals == 1)
    assert bea.withdrawals == 0
    waiting = bea.actor.start_match(2)
    assert waiting.get_code() == "1"
    assert ana.actor.start_match(2).get_code() == "2"
    wait_for(lambda: len(bea.starts) == 1)


def test_every_end_that_no_move_tells_of_is_told() -> None:
    """Q12: an end at the match's bounds and one by the operator, too. A task of who learns ends with a move, and a
    saved game that is only gone over is no match of anybody's program."""
    elsewhere = {EndReason.TASK_DONE, EndReason.TASK_MISSED, EndReason.REVIEWED}
    assert frozenset(EndReason) - elsewhere == NOT_BY_RULES


def test_one_name_twice_is_no_obstacle(make: MakeGame) -> None:
    """Games suggest the same name to everybody, or take what no hub would; each finds itself by what it typed."""
    ana, other = make("Zoe <3", ULTIMATE), make("Zoe <3", ULTIMATE)
    paired(ana, other)
    rows = ana.starts[0].get_players()
    assert (rows[0][0], rows[1][0]) == ("Zoe <3", "Zoe 3 2")


def the_other_of(game: Game) -> str:
    """The id of the other player; asked in the middle of a match, a start answers with that match."""
    return game.actor.start_match(2).get_players()[1][1]


def test_a_whole_match_is_played_to_its_end_over_a_killed_hub(
    make: MakeGame, tmp_path: Path, redis: RedisProcess
) -> None:
    """Reconnects: a hub that is killed and comes back is a pause, and the end is told as finished."""
    (tmp_path / "frail").mkdir()
    hub = HubProcess(tmp_path / "frail", "--redis", redis.url)
    hub.start()
    try:
        server = f"127.0.0.1:{hub.port}"
        games = [make("Ana", ULTIMATE, server=server), make("Bea", ULTIMATE, server=server)]
        paired(*games)
        turn, legal, count = 0, ["5:a1-b1"], [0, 0]
        while legal:
            mover, other = games[turn], games[1 - turn]
            mover.actor.send_move({"move": legal[0], **NEXT})
            count[1 - turn] += 1
            told = other.await_moves(count[1 - turn])[-1]
            legal = told["legal"]
            turn = turn if told["match_status"] == "progress" else 1 - turn
            if told["order"] == 20:
                hub.kill()
                hub.start()
        assert {game.moves[-1]["match_status"] for game in games} >= {"finished"}
        orders = sorted(move["order"] for game in games for move in game.moves)
        assert orders == list(range(1, len(orders) + 1))
        assert [game.withdrawals for game in games] == [0, 0]
    finally:
        for game in games:
            game.actor.close()
        hub.stop()
