"""A saved game that is opened to be gone over: whose it is, how it stands, and which of them would spoil a match."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.match import reviews
from server.match.actions import permissions
from server.match.commands import Abandon
from server.match.events import AnyEvent, Created
from server.match.fold import finished, replay_moves
from server.match.machine import Asked, create, decide, open_match, over_at_once, replay
from server.match.sentences import status_text
from server.match.state import Match, Status
from server.match.views import snapshot
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


@pytest.mark.parametrize(("names", "level"), [
    (("Ana", "Computer (hard)"), "hard"), (("Computer (beginner)", "Ana"), "beginner"), (("Ana", "Computer"), ""),
    (("Ana", "Computer (godlike)"), ""), (("hard", "Ben"), ""),
])  # fmt: skip
def test_its_level_is_that_of_the_computer_in_it(names: tuple[str, str], level: str) -> None:
    """So who practises from it plays against the same: clients take the match's level."""
    match = opened(names)
    assert match.level == level
    assert snapshot(match, "ada", str, 2_000, here=(True, True)).level == level
    assert [seat.player for seat in match.seats if seat] == ["ada", "ada"], "nobody thinks in it"


def started(*, computer: bool = False, both_seats: bool = False, moves: tuple[str, ...] = ()) -> Match:
    event: Created = create(SQUARE, {}, "Ada", BY, computer=computer, both_seats=both_seats, saved=moves)
    return open_match("m", event, CATALOGUE)


def test_ones_own_match_is_not_gone_over_while_it_goes_on() -> None:
    """As far as it has come, and in no earlier state; other games may be, and all of them once it is over."""
    params = SQUARE.parse_options({})
    for match in (started(computer=True, moves=MOVES), started(both_seats=True, moves=MOVES)):
        for moves, refused in ((MOVES, True), (MOVES[:2], True), (("a1-b1",), False), ((), False)):
            assert reviews.spoils(match, "ada", SQUARE, params, moves) is refused
        assert reviews.guards(match, "ada", SQUARE, params)
        assert not reviews.spoils(match, "bob", SQUARE, params, MOVES), "who watches somebody alone"
        assert not reviews.guards(match, "bob", SQUARE, params)
        over = decide(match, Abandon(), BY)[-1].after
        assert not reviews.spoils(over, "ada", SQUARE, params, MOVES)
        assert not reviews.guards(over, "ada", SQUARE, params)
    assert not reviews.spoils(started(moves=MOVES), "ada", SQUARE, params, MOVES), "it waits: nobody plays it yet"
    for match in (started(computer=True), started(both_seats=True)):
        assert not reviews.guards(match, "ada", SQUARE, params), "the start is everybody's"


@pytest.mark.parametrize(("game", "own", "moves", "met"), [
    ("square", MOVES, (*MOVES, "a2-b2"), True), ("square", MOVES, MOVES[::-1], True),
    ("square", MOVES, (MOVES[0], MOVES[1], "a2-b2"), False), ("square", MOVES, MOVES[:2], False),
    ("square", MOVES, (MOVES[0], "a1-c3", *MOVES), False), ("square", (), (), False),
    ("square", (), MOVES, False),
    ("dots-and-boxes", ("a1-b1", "a1-a2", "e1-f1"), ("e1-f1", "a1-b1", "a1-a2"), True),
    ("checkers", (), ("11-15", "22-18"), False),
    ("checkers", ("11-15", "22-18", "12-16", "24-20"), ("12-16", "24-20", "11-15", "22-18"), True),
    ("checkers", ("10-15", "22-18", "15x22", "25x18"), ("10-15", "22-18", "15x22", "25x18", "12-16"), True),
    ("hexoust", ("a1", "e5"), ("a1", "e5", "b1"), True),
])  # fmt: skip
def test_a_position_is_the_same_by_whatever_moves_it_came_to_be(
    game: str, own: tuple[str, ...], moves: tuple[str, ...], met: bool
) -> None:
    """One move more than the own match has, or its moves in another order, do not open it."""
    rules = CATALOGUE[game]
    params = rules.parse_options({})
    state = replay_moves(rules, params, own).state
    assert finished(reviews.passing(rules, params, moves, [state])) is met


def test_what_only_counts_or_tells_who_drew_a_line_makes_no_other_position() -> None:
    checkers, dots = CATALOGUE["checkers"], CATALOGUE["dots-and-boxes"]
    start = checkers.new(checkers.parse_options({}))
    assert reviews.position(checkers, start) == reviews.position(checkers, replace(start, quiet=7))
    assert reviews.position(checkers, start) != reviews.position(checkers, replace(start, turn=1))
    params = dots.parse_options({})
    one, other = (replay_moves(dots, params, moves).state for moves in (("a1-b1", "a1-a2"), ("a1-a2", "a1-b1")))
    assert one != other
    assert reviews.position(dots, one) == reviews.position(dots, other)
    assert finished(reviews.among(dots, one, [dots.new(params), other]))
    assert not finished(reviews.among(dots, one, [dots.new(params)]))


def test_own_matches_are_compared_in_a_step_each() -> None:
    """One may have many, on large boards: the loop is free between them."""
    params = SQUARE.parse_options({})
    start = SQUARE.new(params)
    assert len(list(reviews.passing(SQUARE, params, (), [start] * 50))) == 50
    other = SQUARE.play(start, MOVES[0])
    assert len(list(reviews.among(SQUARE, start, [other] * 50))) == 50
