"""A saved game that is opened to be gone over: whose it is, how it stands, and which of them would spoil a match."""

from __future__ import annotations

import pytest

from server.match import reviews
from server.match.actions import permissions
from server.match.commands import Abandon
from server.match.events import AnyEvent, Created
from server.match.machine import Asked, create, decide, open_match, over_at_once, replay
from server.match.sentences import status_text
from server.match.state import Match, Status
from tests.server.match.table import CATALOGUE

SQUARE = CATALOGUE["square"]
MOVES = ("a1-a2", "b1-b2", "a1-b1")
BY = Asked("ada", "r", 1_000)


def opened(names: tuple[str, str] = ("Ana", "Ben"), moves: tuple[str, ...] = MOVES, game: str = "square") -> Match:
    event = reviews.begun(CATALOGUE[game], {}, moves, names, BY)
    log: list[AnyEvent] = [event, *over_at_once(open_match("m", event, CATALOGUE))]
    return replay("m", log, CATALOGUE)


def test_it_is_over_from_its_start_and_its_openers_alone() -> None:
    match = opened()
    assert (match.status, match.moves, match.seats_of("ada")) == (Status.ENDED, MOVES, (0, 1))
    assert [seat.name for seat in match.seats if seat] == ["Ana", "Ben"]
    assert status_text(match).render(str) == "This is the game as far as it was saved."
    assert not match.watchable
    assert permissions(match) == ((), ()), "nor is there a rematch"


def test_one_that_was_played_to_its_end_has_that_end() -> None:
    moves: list[str] = []
    state = SQUARE.new(SQUARE.parse_options({}))
    while SQUARE.outcome(state) is None:
        moves.append(min(SQUARE.legal_moves(state)))
        state = SQUARE.play(state, moves[-1])
    match = opened(moves=tuple(moves))
    assert match.ending is not None
    assert match.ending.reason != "reviewed"
    assert permissions(match) == ((), ())


@pytest.mark.parametrize("names", [("Ana", "Ana"), ("\u202eAna", ""), ("<b>", "x" * 40), ("(Ana)", "Ben")])
def test_a_name_that_nobody_could_have_is_the_seats_own(names: tuple[str, str]) -> None:
    first, second = (seat.name if seat else "" for seat in opened(names).seats)
    assert first != second
    if names[0] == "Ana":
        assert (first, second) == ("Ana", "Ana 2")
    else:
        assert first == SQUARE.seats(SQUARE.parse_options({}))[0].name


def test_the_computer_keeps_the_level_behind_its_name() -> None:
    assert [seat.name for seat in opened(("Ana", "Computer (document)")).seats if seat] == [
        "Ana",
        "Computer (document)",
    ]


def started(*, computer: bool = False, both_seats: bool = False, moves: tuple[str, ...] = ()) -> Match:
    event: Created = create(SQUARE, {}, "Ada", BY, computer=computer, both_seats=both_seats, saved=moves)
    return open_match("m", event, CATALOGUE)


def test_ones_own_match_is_not_gone_over_while_it_goes_on() -> None:
    """As far as it has come, and in no earlier state; other games may be, and all of them once it is over."""
    params = SQUARE.parse_options({})
    for match in (started(computer=True, moves=MOVES), started(both_seats=True, moves=MOVES)):
        for moves, refused in (
            (MOVES, True),
            (MOVES[:2], True),
            (("a1-b1",), False),
            ((*MOVES, "a2-b2"), False),
            ((), False),
        ):
            assert reviews.spoils(match, "ada", SQUARE, params, moves) is refused
        assert not reviews.spoils(match, "bob", SQUARE, params, MOVES), "who watches somebody alone"
        over = decide(match, Abandon(), BY)[-1].after
        assert not reviews.spoils(over, "ada", SQUARE, params, MOVES)
    assert not reviews.spoils(started(moves=MOVES), "ada", SQUARE, params, MOVES), "it waits: nobody plays it yet"
