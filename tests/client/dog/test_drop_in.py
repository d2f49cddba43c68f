"""What games expect of DOG's classes beside the methods: attributes, files, refusals where they are due."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from client.dog import DogActor, DogPlayerInterface, MoveRefused, StartStatus
from client.dog.interface import NO_GATEWAY_TEXT, ONLY_TWO_TEXT
from tests.client.dog.conftest import Game, MakeGame
from tests.client.dog.test_actor import CONNECTED, NEXT, ULTIMATE, paired
from tests.driver import ROOT, HubProcess, wait_for

SAYS_WHAT_IT_FOUND = """
from client.dog import DogActor
actor = DogActor()
print(repr(actor._read_game_id()))
"""


# T8: a drop-in is a drop-in -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["program/config", "cwd/config", "cwd", "program"], "program/config"),
        (["cwd/config", "cwd", "program"], "cwd/config"),
        (["cwd", "program"], "cwd"),
        (["program"], "program"),
        ([], None),
    ],
)
def test_t8_game_id_is_where_the_library_has_it(tmp_path: Path, files: list[str], found: str | None) -> None:
    """T8: `config/game.id` beside the program, then where it runs; and for who has no such folder, in these two."""
    for folder in ("program", "cwd", *files):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    for folder in files:
        (tmp_path / folder / "game.id").write_text(folder)
    program = tmp_path / "program" / "main.py"
    program.write_text(SAYS_WHAT_IT_FOUND)
    ran = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path / "cwd", capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.stdout.strip() == repr(found)


def test_t8_start_status_has_attributes_beside_its_getters() -> None:
    rows = [["Ana", "1", "1"], ["Bea", "2", "2"]]
    status = StartStatus("2", "Partida iniciada", rows, "1")
    assert (status.code, status.message, status.players, status.local_id) == ("2", "Partida iniciada", rows, "1")
    assert status.get_players() == rows
    assert (status.legal, status.focus, status.text) == ([], [], "")


def test_t8_the_base_class_can_be_instantiated() -> None:
    """T8: games call `super().__init__()`, and some make the interface themselves until they have one of their own."""
    interface = DogPlayerInterface()
    interface.receive_start(StartStatus("2", "", [], ""))
    interface.receive_move({})
    interface.receive_withdrawal_notification()


def test_t8_the_proxy_has_what_games_read(make: MakeGame, hub: HubProcess) -> None:
    """T8: seen in the wild: the status, one's own id, moves sent through it, news asked for, and the address set."""
    ana, bea = make("Ana"), make("Bea", server="nowhere.invalid")
    assert ana.actor.proxy.get_status() == 0
    bea.actor.proxy.url = f"http://127.0.0.1:{hub.port}/dog/"
    assert bea.actor.proxy.url == f"http://127.0.0.1:{hub.port}/dog/"
    paired(ana, bea)
    first, second = (ana, bea) if bea.starts else (bea, ana)
    status = second.starts[0]
    assert second.actor.proxy.player_id == status.local_id == status.players[0][1]
    assert (first.actor.proxy.player_name, first.actor.proxy.status, second.actor.proxy.status) == (first.name, 3, 3)
    assert first.actor.proxy.game_id.startswith("a game of")
    first.actor.proxy.match_status()
    first.actor.proxy.send_move({"n": 1, **NEXT})
    second.await_moves(1)
    second.actor.proxy.send_move({"match_status": "finished"})
    first.await_moves(1)
    wait_for(lambda: first.actor.proxy.status == second.actor.proxy.get_status() == 2)


@pytest.mark.parametrize(
    "move",
    [
        {"n": 1},
        {"match_status": None},
        {"n": float("nan"), **NEXT},
        {"n": float("inf"), **NEXT},
        {"n": {1, 2}, **NEXT},
        {"n": "x" * 40_000, **NEXT},
        {"n": 2**70, **NEXT},
        "next",
    ],
    ids=range(8),
)
def test_t8_a_bad_move_is_refused_where_it_is_sent(make: MakeGame, move: Any) -> None:
    ana, bea = make("Ana"), make("Bea")
    paired(ana, bea)
    with pytest.raises(MoveRefused) as refused:
        ana.actor.send_move(move)
    assert refused.value.code == "bad_move"
    assert str(refused.value)
    ana.actor.send_move({"n": "good", **NEXT})
    assert bea.await_moves(1)[0]["n"] == "good"


def test_t8_a_move_that_cannot_be_sent_does_not_vanish(
    make: MakeGame, redis: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.dog.told.SEND_S", 1.0)
    (tmp_path / "own").mkdir()
    hub = HubProcess(tmp_path / "own", "--redis", redis.url, "--dog", "--no-dog-front")
    hub.start()
    try:
        ana, bea = (make(name, server=f"127.0.0.1:{hub.port}") for name in ("Ana", "Bea"))
        paired(ana, bea)
    finally:
        hub.kill()
    with pytest.raises(MoveRefused) as refused:
        ana.actor.send_move({"n": 1, **NEXT})
    assert refused.value.code == "not_sent"


# T9: the mover is told what its move did ------------------------------------------------------------------------------


def play(games: list[Game], legal: list[str]) -> list[dict[str, Any]]:
    """A match by programs that know no rule: each plays the first move that it was told; all that came back."""
    turn = 0
    did: list[dict[str, Any]] = []
    while legal:
        games[turn].await_moves(sum(move["player"] != games[turn].actor.local_id for move in did))
        move = games[turn].actor.send_move({"move": legal[0], **NEXT})
        assert move is not None
        did.append(move)
        legal = move["legal"]
        turn = turn if move["match_status"] == "progress" else 1 - turn
    return did


def test_t9_a_program_without_rules_plays_to_the_end(make: MakeGame) -> None:
    """T9: box, extra line, score, legal moves and end, told to the author as to the other, from the first move on."""
    waits, asks = make("Ana", ULTIMATE), make("Bea", ULTIMATE)
    assert (waits.initialize(), asks.initialize()) == (CONNECTED, CONNECTED)
    assert waits.actor.start_match(2).get_code() == "1"
    begun = asks.actor.start_match(2)
    wait_for(lambda: bool(waits.starts))
    starts = {game: status for game, status in ((waits, waits.starts[0]), (asks, begun))}
    for status in starts.values():
        assert len(status.legal) > 0
        assert status.focus == ["5"]
        assert "micro game 5" in status.text
        assert status.position["turn"] == next(row[1] for row in status.players if row[2] == "1")
    games = sorted(starts, key=lambda game: starts[game].players[0][2])
    did = play(games, list(begun.legal))
    assert {move["match_status"] for move in did} == {"next", "progress", "finished"}
    assert [move["order"] for move in did] == list(range(1, len(did) + 1))
    ids = [game.actor.local_id for game in games]
    for own, other in ((0, 1), (1, 0)):
        theirs = [move for move in did if move["player"] == ids[other]]
        assert games[own].await_moves(len(theirs)) == theirs
    end = did[-1]
    assert end["winner"] in (None, *ids)
    assert end["reason"] in {"score", "line"}
    assert end["text"].startswith(("Ninguém venceu", "Ana venceu", "Bea venceu"))
    assert end["turn"] is None
    assert sum(end["scores"][0]) + sum(end["scores"][1]) > 0
    assert [game.withdrawals for game in games] == [0, 0]
    assert [game.actor.status for game in games] == [2, 2]


def test_t9_no_match_no_move(make: MakeGame) -> None:
    ana = make("Ana", ULTIMATE)
    assert ana.initialize() == CONNECTED
    with pytest.raises(MoveRefused) as refused:
        ana.actor.send_move({"move": "5:a1-b1", **NEXT})
    assert refused.value.code == "no_match"


# T10: whoever asks first, and whoever crashed -------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["", ULTIMATE])
def test_t10_who_asks_first_can_wait_for_the_second(make: MakeGame, game_id: str) -> None:
    """T10: a program that closes on "1" gets "2", some time later, and no `receive_start` besides."""
    kind = (game_id,) if game_id else ()
    ana, bea = make("Ana", *kind, wait_s=30.0), make("Bea", *kind)
    assert (ana.initialize(), bea.initialize()) == (CONNECTED, CONNECTED)
    answers: list[StartStatus] = []
    asking = threading.Thread(target=lambda: answers.append(ana.actor.start_match(2)))
    asking.start()
    wait_for(lambda: bea.actor.start_match(2).get_code() == "2" or bool(bea.starts))
    asking.join()
    assert [status.code for status in answers] == ["2"]
    assert ana.starts == []


def test_t10_who_waits_in_vain_is_told_so(make: MakeGame) -> None:
    for kind in ((), (ULTIMATE,)):
        ana = make("Ana", *kind, wait_s=0.2)
        assert ana.initialize() == CONNECTED
        assert ana.actor.start_match(2).code == "1"
        ana.actor.close()


def test_t10_a_program_that_crashed_comes_back_to_its_own_game(make: MakeGame, tmp_path: Path, state: Path) -> None:
    """T10: with all moves so far, its own as well; what comes afterwards comes once."""
    ana, bea = make("Ana", come_back=True), make("Bea")
    paired(ana, bea)
    ana.actor.send_move({"n": 1, **NEXT})
    bea.await_moves(1)
    bea.actor.send_move({"n": 2, **NEXT})
    ana.await_moves(1)
    ana.actor.close()
    bea.actor.send_move({"n": 3, **NEXT})
    again = make("Ana", come_back=True)
    assert again.initialize() == CONNECTED
    wait_for(lambda: bool(again.starts))
    assert [move["n"] for move in again.await_moves(3)] == [1, 2, 3]
    assert [move["player"] == again.actor.local_id for move in again.moves] == [True, False, False]
    bea.actor.send_move({"n": 4, **NEXT})
    again.actor.send_move({"n": 5, **NEXT})
    assert again.await_moves(4)[3]["n"] == 4
    assert bea.await_moves(2)[1]["n"] == 5
    stranger = make("Ana")
    assert stranger.initialize() == CONNECTED
    assert stranger.actor.start_match(2).code == "1"


def test_t10_a_program_that_crashed_comes_back_to_a_ruled_match(make: MakeGame, state: Path) -> None:
    ana, bea = make("Ana", ULTIMATE, come_back=True), make("Bea", ULTIMATE)
    paired(ana, bea)
    first = ana if ana.actor.start_match(2).players[0][2] == "1" else bea
    did = first.actor.send_move({"move": "5:a1-b1", **NEXT})
    ana.actor.close()
    again = make("Ana", ULTIMATE, come_back=True)
    assert again.initialize() == CONNECTED
    wait_for(lambda: bool(again.starts))
    assert again.starts[0].position["changes"] == {"5:a1-b1": {"seat": 0, "piece": "line"}}
    assert did is not None
    assert sorted(again.starts[0].legal) == sorted(did["legal"])


# T11: the right reason ------------------------------------------------------------------------------------------------


def test_t11_a_ruled_game_is_for_two(make: MakeGame) -> None:
    ana = make("Ana", ULTIMATE)
    assert ana.initialize() == CONNECTED
    status = ana.actor.start_match(3)
    assert (status.code, status.message) == ("1", ONLY_TWO_TEXT)


def test_t11_a_hub_without_the_gateway_says_so(make: MakeGame, tmp_path: Path, redis: Any) -> None:
    (tmp_path / "plain").mkdir()
    hub = HubProcess(tmp_path / "plain", "--redis", redis.url)
    hub.start()
    try:
        assert make("Ana", server=f"127.0.0.1:{hub.port}").initialize() == NO_GATEWAY_TEXT
        assert make("Ana", ULTIMATE, server=f"127.0.0.1:{hub.port}").initialize() == CONNECTED
    finally:
        hub.stop()


def test_an_address_is_a_hubs_or_the_librarys() -> None:
    for typed, told in (
        ("192.168.0.10", "http://192.168.0.10:7878/dog/"),
        ("http://192.168.0.10:8000/", "http://192.168.0.10:8000/dog/"),
        ("http://192.168.0.10:8000/dog/", "http://192.168.0.10:8000/dog/"),
        ("http://192.168.0.10:8000/dog/mesa-3/", "http://192.168.0.10:8000/dog/mesa-3/"),
        ("https://example.org/parlour/dog/x", "https://example.org:443/parlour/dog/x/"),
    ):
        assert DogActor(typed).told_url == told
