"""The cursor where pieces go from cell to cell: it jumps among what can be done. Every other board is in test_scene."""

from __future__ import annotations

import pytest

from client.shown.board.cursor import Cursor, choices, jump, places, start
from client.shown.board.picking import touch, typed
from protocol.board import Mark, Piece
from tests.client.positions import dots_board, hex_board, snapshot, squares_board
from tests.client.refereed import Refereed

MEN = {name: Mark(0, Piece.MAN) for name in ("9", "11", "12", "1")}
DRAUGHTS = snapshot(squares_board(), legal=("9-13", "9-14", "11x18", "11x18x25", "12-16"), marks=MEN)
ARROWS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def reached(picked: tuple[str, ...] = (), *, start_at: str) -> set[str]:
    """All that the arrows lead to."""
    todo, seen = [Cursor(start_at, places(DRAUGHTS.board)[start_at][0])], {start_at}
    while todo:
        cursor = todo.pop()
        for arrow in ARROWS:
            other = jump(DRAUGHTS, cursor, *arrow, picked)
            if other.id not in seen:
                seen.add(other.id)
                todo.append(other)
    return seen


def test_the_cursor_starts_on_a_piece_that_can_move_and_stays_where_it_may() -> None:
    first = start(DRAUGHTS, None)
    assert first is not None
    assert first.id in choices(DRAUGHTS, ())
    here = Cursor("12", places(DRAUGHTS.board)["12"][0])
    assert start(DRAUGHTS, here) == here
    beside = start(DRAUGHTS, Cursor("1", places(DRAUGHTS.board)["1"][0]))
    assert beside is not None
    assert beside.id in {"9", "11", "12"}


def test_it_jumps_among_pieces_and_then_among_targets() -> None:
    """CK 5.4: the piece that is picked stays in reach, to let it go or to end a chain there."""
    assert reached(start_at="9") == {"9", "11", "12"}
    assert reached(("9",), start_at="9") == {"9", "13", "14"}
    assert reached(("11", "18"), start_at="18") == {"18", "25"}


def test_from_anywhere_it_comes_back_to_what_can_be_done() -> None:
    assert reached(start_at="32") >= {"9", "11", "12"}


def test_right_is_right_on_a_turned_board_too() -> None:
    """CK 5.1: Black sees the board turned."""
    match = Refereed("checkers").snapshot()
    first = start(match, None)
    assert first is not None
    other = jump(match, first, 1, 0)
    assert (
        places(match.board)[other.id][0] < first.column
        or places(match.board)[other.id][1] < places(match.board)[first.id][1]
    )


@pytest.mark.parametrize("match", [snapshot(), snapshot(hex_board(3), legal=("a1", "c3"))])
def test_where_one_element_is_a_move_it_goes_step_by_step(match: object) -> None:
    """What cannot be played is reached too: the server says why it is refused."""
    assert choices(match, ()) == frozenset()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "move"),
    [("9-13", "9-13"), ("11-18", "11x18"), (" 11X18x25 ", "11x18x25"), ("9-32", "9-32"), ("Nonsense", "nonsense")],
)
def test_a_typed_move_of_pieces(text: str, move: str) -> None:
    assert typed(DRAUGHTS, text) == move


@pytest.mark.parametrize("text", ["a1-b1", "B1-A1", " a1 - b1"])
def test_a_typed_line_from_either_end(text: str) -> None:
    match = snapshot(dots_board(3, 3))
    assert typed(match, text) == "a1-b1"
    assert touch(match, ("b1",), "a1").move == "a1-b1"
