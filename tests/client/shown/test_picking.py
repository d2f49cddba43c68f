"""From touches to moves, for every way of touching."""

from __future__ import annotations

import pytest

from client.shown.board.picking import (
    NOT_YOURS,
    NOTHING_THERE,
    Touch,
    complete,
    confirm,
    marked_by,
    targets,
    touch,
    words,
)
from protocol.board import Mark, Piece
from tests.client.positions import dots_board, hex_board, macro_board, snapshot, squares_board

DOTS = snapshot()
MEN = {"9": Mark(0, Piece.MAN), "11": Mark(0, Piece.MAN), "1": Mark(0, Piece.MAN), "22": Mark(1, Piece.MAN)}
DRAUGHTS = snapshot(squares_board(), legal=("9-13", "11x18", "11x18x25", "11-16"), marks=MEN)
HEXES = snapshot(hex_board(3), legal=("a1", "c3", "swap"))


def test_a_line_is_a_move() -> None:
    assert touch(DOTS, (), "a1-b1") == Touch(move="a1-b1")


def test_a_line_drawn_already_is_sent_for_the_server_to_refuse() -> None:
    """DB 7.3.2.2."""
    taken = snapshot(legal=("b1-c1",))
    assert touch(taken, ("b1",), "a1-b1") == Touch(move="a1-b1")


@pytest.mark.parametrize(("first", "second"), [("a1", "b1"), ("b1", "a1")])
def test_two_dots_are_a_line_in_either_order(first: str, second: str) -> None:
    """DB 7.2.1.1, RU-DB2."""
    assert touch(DOTS, (), first) == Touch((first,))
    assert touch(DOTS, (first,), second) == Touch(move="a1-b1")


@pytest.mark.parametrize(("first", "second", "move"), [("a1", "b2", "a1-b2"), ("a1", "c1", "a1-c1")])
def test_dots_that_no_line_joins_are_sent_too(first: str, second: str, move: str) -> None:
    """DB 7.3.2.1, DB 7.3.2.3: the server has the words."""
    assert touch(DOTS, (first,), second) == Touch(move=move)


def test_the_same_dot_again_lets_it_go() -> None:
    assert touch(DOTS, ("a1",), "a1") == Touch()


def test_dots_in_regions() -> None:
    macro = snapshot(macro_board())
    assert touch(macro, ("5:b3",), "5:b2") == Touch(move="5:b2-b3")
    assert touch(macro, ("5:d1",), "6:a1") == Touch(move="5:d1-6:a1")


def test_a_cell_is_a_move_where_moves_are_single_cells() -> None:
    assert touch(HEXES, (), "a1") == Touch(move="a1")


def test_an_invalid_cell_is_sent_for_the_server_to_refuse() -> None:
    """HX SR4.1: "Invalid Cell Placement"."""
    assert touch(HEXES, (), "b1") == Touch(move="b1")


def test_a_step_is_two_cells() -> None:
    assert touch(DRAUGHTS, (), "9") == Touch(("9",))
    assert touch(DRAUGHTS, ("9",), "13") == Touch(move="9-13")


def test_jumps_go_hop_by_hop_and_can_stop() -> None:
    """RU-CK2, RU-CK3."""
    assert touch(DRAUGHTS, ("11",), "18") == Touch(("11", "18"))
    assert targets(DRAUGHTS, ("11", "18")) == {"25"}
    assert touch(DRAUGHTS, ("11", "18"), "25") == Touch(move="11x18x25")
    assert touch(DRAUGHTS, ("11", "18"), "18") == Touch(move="11x18")
    assert confirm(DRAUGHTS, ("11", "18")) == Touch(move="11x18")
    assert confirm(DRAUGHTS, ("11",)) == Touch(("11",))
    assert confirm(DRAUGHTS, ()) == Touch()


def test_another_piece_is_picked_instead() -> None:
    assert touch(DRAUGHTS, ("9",), "11") == Touch(("11",))
    assert touch(DRAUGHTS, ("9",), "9") == Touch()


def test_a_wrong_target_is_sent_and_a_piece_that_cannot_move_may_be_picked() -> None:
    """CK 6.1: an invalid move is cancelled and the player warned."""
    assert touch(DRAUGHTS, ("9",), "25") == Touch(move="9-25")
    assert touch(DRAUGHTS, (), "1") == Touch(("1",))
    assert touch(DRAUGHTS, ("9",), "1") == Touch(("1",))


def test_empty_squares_and_other_peoples_pieces_begin_nothing() -> None:
    """And it is said why nothing happens."""
    assert touch(DRAUGHTS, (), "20") == Touch(why=NOTHING_THERE)
    assert touch(DRAUGHTS, (), "22") == Touch(why=NOT_YOURS)


def test_targets() -> None:
    assert {"a1-b1", "a1", "b1"} <= targets(DOTS, ())
    assert targets(snapshot(legal=("a1-b1", "b1-b2")), ("b1",)) == {"a1", "b2"}
    assert targets(DRAUGHTS, ()) == {"9", "11"}
    assert targets(DRAUGHTS, ("9",)) == {"13"}
    assert targets(snapshot(legal=()), ()) == set()


def test_words_are_moves_that_touch_nothing() -> None:
    """RU-HX5."""
    assert words(HEXES) == ("swap",)
    assert words(DOTS) == words(DRAUGHTS) == ()


def test_what_marks_a_move_on_the_board() -> None:
    assert marked_by(dots_board(3, 3), "a1-b1") == ("a1-b1",)
    assert marked_by(squares_board(), "11x18x25") == ("11", "18", "25")
    assert complete(("11x18", "11x18x25"), ("11", "18", "25")) == "11x18x25"
