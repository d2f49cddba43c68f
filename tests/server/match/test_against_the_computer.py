"""A match against the computer: its level and seat, in the log and for everybody who looks."""

from __future__ import annotations

import msgspec
import pytest

from protocol.errors import BadOption
from server.match.commands import Offer
from server.match.events import Created, decode_event, encode_event
from server.match.machine import computer_to_move, follow_up, open_match
from server.match.state import COMPUTER, Match
from server.match.views import snapshot
from tests.server.match.table import CATALOGUE, HOST, START_MS, do, new, play


def names(match: Match) -> list[str]:
    return [seat.name if seat else "" for seat in match.seats]


def test_the_level_is_in_the_log_and_in_the_name_of_the_seat() -> None:
    match = new(computer=True, level="hard")
    assert (match.level, names(match)) == ("hard", ["Ana", "Computer (hard)"])
    shown = snapshot(match, HOST, str, START_MS)
    assert (shown.level, shown.seats[1].name, shown.you) == ("hard", "Computer (hard)", (0,))
    assert [seat.here for seat in shown.seats] == [False, True]


def test_without_a_wish_it_is_the_games_usual_level() -> None:
    """SQ5: Square's is that of its document."""
    assert [new(game, computer=True).level for game in ("checkers", "square")] == ["medium", "document"]
    assert new().level == ""


def test_the_computer_may_begin() -> None:
    match = new(computer=True, seat=1)
    assert (names(match), match.host, match.host_seat, match.seats_of(HOST)) == (
        ["Computer (medium)", "Ana"], HOST, 1, (1,),
    )  # fmt: skip
    assert computer_to_move(match)
    assert not computer_to_move(play(match))
    assert [seat.here for seat in snapshot(match, HOST, str, START_MS).seats] == [True, False]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_rematch_swaps_the_seats_and_keeps_the_level(seat: int) -> None:
    """RU-M7, also against the computer; the log says all that the next match needs."""
    match = new(computer=True, seat=seat, level="easy")
    created, *others = follow_up(match, START_MS)
    assert isinstance(created, Created)
    assert not others
    following = open_match("n", created, CATALOGUE)
    assert (following.host_seat, following.level, following.host) == (1 - seat, "easy", HOST)
    assert names(following) == names(match)[::-1]


def test_what_is_offered_is_done_at_once_wherever_one_sits() -> None:
    """RU-M6."""
    match = play(play(new(computer=True, seat=1)))
    assert do(match, Offer("restart"), HOST).plies == 0


def test_a_level_is_chosen_against_the_computer_only() -> None:
    with pytest.raises(BadOption, match="against the computer"):
        new(level="hard")


def test_a_level_that_the_game_does_not_have_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(BadOption, match="beginner, easy, medium, hard, master"):
        new(computer=True, level="document")


def test_an_old_log_without_level_is_as_it_was() -> None:
    """Its computer has seat 1, is called so, and thinks as it did: by the rules' own `choose`."""
    old: dict[str, object] = {"event": "created", "at_ms": 1, "player": HOST, "game": "square", "options": {}}
    old |= {"name": "Ana", "computer": True}
    event = decode_event(msgspec.msgpack.encode(old))
    assert isinstance(event, Created)
    match = open_match("m", event, CATALOGUE)
    assert (match.level, names(match), match.computers) == ("", ["Ana", "Computer"], (False, True))
    assert match.seats[1] is not None
    assert match.seats[1].player == COMPUTER
    assert decode_event(encode_event(event)) == event
