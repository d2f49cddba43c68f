"""I8: what a client sends is data. It reaches others as data, or not at all, and no path ever answers ill-formed."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote_plus

import pytest

from tests.driver import HubProcess
from tests.server.http.dog.conftest import Sit
from tests.server.http.dog.library import Library, post
from tests.server.http.dog.test_matches import begin

CODE = "__import__('os').system('touch was-here')"
OVER = {"0": "0", "1": "{'match_status': 'interrupted'}"}
PATHS = ("player/", "start/", "started/", "move/", "match/")


def last_of(reader: Library, sender: Library) -> list[dict[str, Any]]:
    """All that the reader got, once a last harmless move has come."""
    sender.send_move({"n": "last", "match_status": "next"})
    while not reader.moves or reader.moves[-1].get("n") != "last":
        reader.await_moves(len(reader.moves) + 1)
    return reader.moves


def test_code_arrives_as_the_text_that_it_is(sit: Sit) -> None:
    ana, bea = sit(CODE), sit("Bea")
    started = begin(ana, bea)
    assert started[1].players[1][0] == CODE
    said = {CODE: CODE, "}": "', **globals(), '", "\\": "\\'\"\n\r\0\u2028\u202e", "match_status": CODE}
    ana.send_move(said)
    assert bea.await_moves(1) == [{**said, "player": started[1].players[1][1], "order": 1}]


def test_a_lone_surrogate_and_an_emoji_do_no_harm(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    ana.post("move/", move='{"a": "\\ud800", "b": "\U0001f600", "match_status": "next"}')
    assert bea.await_moves(1)[0]["a"] == "\ud800"
    assert bea.moves[0]["b"] == "\U0001f600"


@pytest.mark.parametrize(
    "move",
    [
        '{"a": NaN, "match_status": "next"}',
        '{"a": -Infinity, "match_status": "next"}',
        '{"a": 1e999, "match_status": "next"}',
        '{"match_status": "next", "a": ' + "9" * 5_000 + "}",
        '{"match_status": "next", "a": ' + "[" * 20 + "]" * 20 + "}",
        "[" * 30_000,
        "{" * 30_000,
        '{"a": 1}',
        '{"match_status": null}',
        '{"match_status": 1}',
        "[]",
        "null",
        '"__import__"',
        "{'match_status': 'next'}",
        CODE,
        "",
        '{"match_status": "next", "a": "%s"}' % ("x" * 40_000),
    ],
    ids=range(17),
)
def test_what_is_no_plain_dict_with_a_status_reaches_nobody(sit: Sit, move: str) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    status, _ = ana.post("move/", move=move)
    assert status == 400
    assert len(last_of(bea, ana)) == 1
    assert bea.silenced is None


def test_a_megabyte_is_refused(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    status, _ = ana.post("move/", move=json.dumps({"a": "x" * 1_000_000, "match_status": "next"}))
    assert status == 413
    assert len(last_of(bea, ana)) == 1


def test_other_peoples_ids_in_a_move_count_for_nothing(sit: Sit) -> None:
    ana, bea, cau = sit("Ana"), sit("Bea"), sit("Cau")
    known = begin(ana, bea, cau)
    ana.send_move({"player": bea.id, "order": 10**6, "match_status": "next"})
    for reader, status in ((bea, known[1]), (cau, known[2])):
        first = next(row[1] for row in status.players if row[2] == "1")
        assert reader.await_moves(1) == [{"player": first, "order": 1, "match_status": "next"}]


def test_t1_what_a_player_is_told_is_no_credential(sit: Sit) -> None:
    """T1: with the ids that stand in `players` and in moves one can neither move nor resign for somebody else."""
    ana, bea = sit("Ana"), sit("Bea")
    known = begin(ana, bea)
    bea.send_move({"n": 1, "match_status": "next"})
    told = {row[1] for row in known[0].players[1:]} | {move["player"] for move in ana.await_moves(1)}
    for other in told:
        thief = sit("Eve", player_id=other, register=False)
        for status in ("next", "interrupted"):
            assert thief.post("move/", move=f'{{"match_status": "{status}"}}')[0] == 409
    assert len(last_of(bea, ana)) == 1
    assert (ana.withdrawals, bea.withdrawals) == (0, 0)


def test_a_stranger_cannot_move_and_learns_nothing(sit: Sit) -> None:
    ana, bea = sit("Ana"), sit("Bea")
    begin(ana, bea)
    stranger = sit("Eve")
    assert stranger.post("move/", move='{"match_status": "finished"}')[0] == 409
    assert json.loads(stranger.post("match/")[1]) == OVER
    assert len(last_of(bea, ana)) == 1


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "body",
    [b"", b"\xff\xfe", b"player_id=1", b"player_id=&game_id=", b"a=1&" * 50, b"player_id=%00&game_id=x", b"=" * 999],
    ids=range(7),
)
def test_every_path_answers_a_broken_form_well(hub: HubProcess, path: str, body: bytes) -> None:
    """A `started/` of 200 without its keys, or a `match/` that is no JSON, would silence a client for good."""
    status, answer = post(f"127.0.0.1:{hub.port}", f"/dog/{path}", body)
    told = json.loads(answer)
    if path == "match/":
        assert (status, told) == (200, {})
    else:
        assert status == 400
        assert {"message", "code", "players"} <= told.keys()


@pytest.mark.parametrize("path", ["start/", "started/", "move/", "match/"])
def test_every_path_answers_one_who_is_not_registered(hub: HubProcess, path: str) -> None:
    move = quote_plus('{"match_status": "next"}')
    body = f"player_id=1&game_id=none&number_of_players=2&move={move}".encode()
    status, answer = post(f"127.0.0.1:{hub.port}", f"/dog/{path}", body)
    assert status == {"start/": 404, "started/": 404, "move/": 409, "match/": 200}[path]
    assert json.loads(answer) == OVER or path != "match/"


@pytest.mark.parametrize("number", ["1", "6", "", "x", "-2", "2.0", "٢"])
def test_a_match_has_two_to_five_players(sit: Sit, number: str) -> None:
    assert sit("Ana").post("start/", number_of_players=number)[0] == 400


def test_other_paths_and_methods_are_refused(hub: HubProcess) -> None:
    assert post(f"127.0.0.1:{hub.port}", "/dog/nothing/", b"")[0] == 404
    assert hub.get("/dog/player/")[0] == 405
