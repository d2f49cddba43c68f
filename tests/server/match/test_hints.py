"""Hints in a match against the computer: who may have one, what the log keeps, and what the end tells."""

from __future__ import annotations

import pytest

from protocol.errors import Refusal
from server.match.asked import Asked
from server.match.commands import Abandon, Offer, TakeHint
from server.match.events import HintTaken, decode_event, encode_event
from server.match.machine import decide
from server.match.state import Match
from server.match.telling import notification
from server.match.views import snapshot
from tests.server.match.table import HOST, START_MS, do, new, play, started


def refused(match: Match, player: str = HOST, version: int | None = None) -> str:
    asked = TakeHint(match.version if version is None else version, match.legal[0] if match.legal else "a1-b1")
    with pytest.raises(Refusal) as refusal:
        decide(match, asked, Asked(player, "h", START_MS))
    return refusal.value.code


def take(match: Match, move: str = "a1-b1") -> Match:
    return do(match, TakeHint(match.version, move), HOST)


def test_a_hint_is_an_event_that_leaves_the_position_as_it_is() -> None:
    match = new(computer=True)
    hinted = take(match)
    assert (hinted.hints, hinted.hint, hinted.hinted) == ((1, 0), "a1-b1", match.position)
    assert (hinted.state, hinted.position, hinted.version) == (match.state, match.position, match.version + 1)
    assert play(hinted, move="a1-b1").moves == ("a1-b1",), "a move that names the version before it stands"
    event = HintTaken(at_ms=START_MS, player=HOST, ref="h", seat=0, move="a1-b1")
    assert decode_event(encode_event(event)) == event


def test_asked_for_twice_in_one_position_it_counts_once() -> None:
    match = take(new(computer=True))
    assert take(match, "b1-c1") == match, "and it is the same move"
    again = play(play(match))
    assert take(again, again.legal[0]).hints == (2, 0)


def test_everybody_hears_of_it_and_nobody_of_the_move() -> None:
    match = new(computer=True)
    (step,) = decide(match, TakeHint(match.version, "a1-b1"), Asked(HOST, "h", START_MS))
    told = notification(step, str)
    assert (type(told).__name__, told.version) == ("Hinted", match.version + 1)
    assert "a1-b1" not in [getattr(told, field) for field in told.__struct_fields__]
    assert snapshot(step.after, "somebody", str, START_MS).hints == (1, 0)


def test_the_end_tells_how_many() -> None:
    match = take(play(play(take(new(computer=True)))), "a1-b1")
    ended = do(match, Abandon(match.version), HOST)
    shown = snapshot(ended, HOST, str, START_MS)
    assert shown.result is not None
    assert shown.result.text.endswith("Computer (medium) wins. (Ana took 2 hints.)")
    once = do(play(play(take(new(computer=True)))), Abandon(), HOST)
    assert snapshot(once, HOST, str, START_MS).text.endswith("(Ana took a hint.)")


def test_none_between_people_nor_for_others_nor_out_of_turn() -> None:
    assert refused(started()) == "no_hints"
    assert refused(new(both_seats=True)) == "no_hints"
    match = new(computer=True)
    assert refused(match, "stranger") == "not_seated"
    assert refused(play(match)) == "not_your_turn"
    assert "hint" not in snapshot(play(match), HOST, str, START_MS).can[0]
    assert refused(play(play(match)), version=match.version) == "stale"
    assert refused(do(match, Abandon(), HOST)) == "finished"


def test_a_button_is_there_exactly_against_the_computer() -> None:
    assert "hint" in snapshot(new(computer=True), HOST, str, START_MS).can[0]
    assert "hint" not in snapshot(started(), HOST, str, START_MS).can[0]


def test_after_a_move_is_taken_back_a_hint_counts_anew() -> None:
    match = play(play(take(new(computer=True))))
    back = do(match, Offer("takeback"), HOST)
    assert back.plies == 0
    assert take(back).hints == (2, 0)
