"""The relay game: entries are taken in as they are, shown as short text, and bounded."""

from __future__ import annotations

import json

import pytest

from protocol.errors import IllegalMove, MalformedMove, Refusal
from protocol.limits import MAX_MOVE
from server.games import load_catalogue, relay
from server.games.relay import GAME, State, left_entry, move_entry, play, seats_entry
from server.match.asked import Asked
from server.match.machine import create

SEATS = seats_entry("hall", [("Ana", "1"), ("Bea", "2"), ("Cau", "3")])


def after(*entries: str) -> State:
    state = State()
    for entry in (SEATS, *entries):
        state = play(state, entry)
    return state


def test_it_is_found_by_its_name_but_is_not_on_offer() -> None:
    catalogue = load_catalogue()
    assert catalogue[relay.NAME] is GAME
    assert relay.NAME not in catalogue
    assert relay.NAME not in set(catalogue)
    with pytest.raises(Refusal) as refused:
        create(GAME, {}, "Ana", Asked("host", "r", 0))
    assert refused.value.code == "unknown_game"


def test_the_status_is_the_last_move_as_a_short_text() -> None:
    state = after(move_entry(1, {"row": 1, "match_status": "next"}))
    assert str(GAME.status(state)) == 'Bea: next {"row": 1}'
    assert str(GAME.status(after())) == "Ana, Bea, Cau sit down."
    long = move_entry(0, {"text": "ç" * 500, "match_status": "next"})
    assert len(GAME.shown(long).encode()) <= relay.SHOWN + relay.LONGEST_STATUS <= MAX_MOVE
    loud = move_entry(0, {"text": "ç" * 500, "match_status": "ç" * 500})
    assert len(GAME.shown(loud).encode()) <= relay.SHOWN + relay.LONGEST_STATUS
    assert GAME.shown(SEATS) == "Ana, Bea, Cau"


def test_t5_the_log_has_all_of_a_move_and_nobodys_id() -> None:
    long = move_entry(1, {"text": "ç" * 500, "match_status": "next"})
    assert GAME.entry(long) == long
    told = GAME.entry(SEATS)
    assert json.loads(told) == ["seats", "", [["Ana", ""], ["Bea", ""], ["Cau", ""]]]
    assert play(State(), told).names == after().names


def test_the_turn_is_what_the_programs_say() -> None:
    assert GAME.to_move(after()) == 0
    assert GAME.to_move(after(move_entry(0, {"match_status": "next"}))) == 1
    assert GAME.to_move(after(move_entry(1, {"match_status": "next"}))) == 1
    assert GAME.to_move(after(move_entry(2, {"match_status": "next"}))) == 0
    assert GAME.to_move(after(move_entry(0, {"match_status": "progress"}))) == 0


@pytest.mark.parametrize(
    "last", [move_entry(0, {"match_status": "finished"}), move_entry(2, {"match_status": "interrupted"}), left_entry(1)]
)
def test_an_end_has_no_winner_and_nothing_follows_it(last: str) -> None:
    state = after(last)
    over = GAME.outcome(state)
    assert over is not None
    assert over.winner is None
    assert str(over.text)
    assert GAME.to_move(state) is None
    with pytest.raises(IllegalMove):
        play(state, move_entry(0, {"match_status": "next"}))


@pytest.mark.parametrize("entry", ["", "[", "{}", "[]", '["move", 0, 1]', '["move", "0", {}]', '["seats", "h", []]'])
def test_what_is_no_entry_is_refused(entry: str) -> None:
    with pytest.raises(MalformedMove):
        play(after(), entry)


def test_the_seats_come_first_and_once() -> None:
    with pytest.raises(IllegalMove):
        play(State(), move_entry(0, {"match_status": "next"}))
    with pytest.raises(IllegalMove):
        play(after(), SEATS)


def test_a_match_has_an_end_and_can_still_be_left() -> None:
    big = move_entry(0, {"text": "x" * 30_000, "match_status": "next"})
    state = after()
    while state.size + len(big) <= relay.MAX_BYTES:
        state = play(state, big)
    with pytest.raises(IllegalMove) as refused:
        play(state, big)
    assert refused.value.code == "too_large"
    assert state.size <= relay.MAX_BYTES
    assert GAME.outcome(play(state, left_entry(-1))) is not None


def test_entries_are_ascii_whatever_was_said() -> None:
    entry = move_entry(0, {"text": "\ud800ção\u202e", "match_status": "next"})
    assert entry.isascii()
    assert json.loads(entry)[2]["text"] == "\ud800ção\u202e"
    assert GAME.shown(entry).encode()
