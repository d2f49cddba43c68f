"""HexOust by its document and the decisions `RU-HX1` to `RU-HX5`; what holds for all is in `test_contract.py`."""

from __future__ import annotations

from itertools import pairwise

import pytest

from protocol.board import Mark, Piece, Shape
from protocol.errors import BadOption, Code, IllegalMove, MalformedMove
from server.games.hexoust import GAME, Params
from tests.server.games.hexoust_positions import played, position, refusal, stones

RED, BLUE = Mark(0, Piece.STONE), Mark(1, Piece.STONE)


# --- board and start ---


def test_ru_hx1_the_board_has_127_cells_in_rows_a_to_m() -> None:
    """HX board."""
    board = GAME.board(Params())
    rows: dict[str, list[str]] = {}
    for cell in board.cells:
        assert cell.shape is Shape.HEX
        rows.setdefault(cell.id[0], []).append(cell.id[1:])
    assert len(board.cells) == 127
    assert "".join(rows) == "abcdefghijklm"
    assert [len(row) for row in rows.values()] == [7, 8, 9, 10, 11, 12, 13, 12, 11, 10, 9, 8, 7]
    assert all(row == [str(n) for n in range(1, len(row) + 1)] for row in rows.values())


@pytest.mark.parametrize("side", range(3, 10))
def test_ru_hx1_sides_from_3_to_9(side: int) -> None:
    board = GAME.board(GAME.parse_options({"side": side}))
    assert len(board.cells) == 3 * side * (side - 1) + 1
    assert GAME.legal_moves(GAME.new(Params(side))) == tuple(cell.id for cell in board.cells)
    assert all(a.x + 1 == b.x for a, b in pairwise(board.cells) if a.y == b.y)


@pytest.mark.parametrize("given", [{"side": 2}, {"side": 10}, {"side": True}, {"pie": 1}, {"pie": "yes"}])
def test_other_options_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        GAME.parse_options(given)


def test_red_moves_first_on_an_empty_board() -> None:
    """HX board, SR1."""
    state = GAME.new(Params())
    assert GAME.marks(state) == {}
    assert GAME.to_move(state) == 0
    assert str(GAME.status(state)) == "RED's turn"
    assert len(GAME.legal_moves(state)) == 127
    assert [style.name for style in GAME.seats(Params())] == ["RED", "BLUE"]


# --- placements ---


def test_sr2_a_non_capturing_placement_ends_the_turn() -> None:
    state = played(GAME.new(Params()), "g7")
    assert GAME.marks(state) == {"g7": RED}
    assert str(GAME.status(state)) == "BLUE's turn"
    assert GAME.scores(state) == ((1,), (0,))


def test_ncp_may_touch_enemy_stones_but_no_own() -> None:
    state = played(GAME.new(Params()), "g7 g8 a1")
    assert GAME.to_move(state) == 1
    free = played(GAME.new(Params()), "g7 m7")
    assert set(GAME.legal_moves(GAME.new(Params()))) - set(GAME.legal_moves(free)) == {
        "g7", "m7", "f6", "f7", "g6", "g8", "h6", "h7",
    }  # fmt: skip


def test_sr3_a_capture_removes_the_group_and_the_turn_stays() -> None:
    before = position("d4", "d6 a1")
    after = played(before, "d5")
    assert GAME.changes(before, after) == {"d5": RED, "d6": None}
    assert str(GAME.status(after)) == "RED's turn"
    assert GAME.to_move(after) == 0
    assert GAME.to_move(played(after, "m7")) == 1


GROUP_A = ("c3", "b2", "a1", "a2")
GROUP_B = ("e7", "f8", "g9", "h9")


@pytest.mark.parametrize(
    ("size_a", "size_b", "allowed"),
    [
        (0, 0, False),
        (1, 0, True),
        (0, 1, True),
        (1, 1, True),
        (2, 1, True),
        (2, 2, True),
        (3, 0, False),
        (0, 3, False),
        (3, 1, False),
        (1, 3, False),
        (3, 3, False),
        (2, 3, False),
        (4, 2, False),
        (2, 4, False),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_l14_strictly_larger_than_each_touched_group(size_a: int, size_b: int, allowed: bool, seat: int) -> None:
    """d4 and d5 with d6 make three. A touches the old part of the new group alone (`RU-HX2`), B the new stone."""
    enemy = " ".join((*GROUP_A[:size_a], *GROUP_B[:size_b], "m1"))
    before = position("d4 d5", enemy) if seat == 0 else position(enemy, "d4 d5", turn=1)
    assert ("d6" in GAME.legal_moves(before)) is allowed
    if not allowed:
        refused = refusal(before, "d6")
        assert isinstance(refused, IllegalMove)
        assert refused.code == "invalid_cell"
        assert str(refused.text).startswith("Invalid Cell Placement: your group of 3 ")
        return
    after = played(before, "d6")
    assert stones(after, seat) == {"d4", "d5", "d6"}
    assert stones(after, 1 - seat) == {"m1"}
    assert GAME.to_move(after) == seat


def test_cp_joins_several_own_groups() -> None:
    """Two single stones and the one between them are three, larger than a group of two."""
    before = position("g6 g8", "h7 i6 m1")
    assert "g7" in GAME.legal_moves(before)
    assert GAME.marks(played(before, "g7")) == {"g6": RED, "g7": RED, "g8": RED, "m1": BLUE}


def test_sr4_an_invalid_cell_is_refused_word_for_word() -> None:
    state = played(GAME.new(Params()), "g7 m7")
    for cell in ("g7", "m7", "g8", "f6"):
        refused = refusal(state, cell)
        assert refused.code == "invalid_cell"
        assert str(refused.text).startswith("Invalid Cell Placement: ")
    assert str(refusal(state, "a8").text) == "Invalid Cell Placement"


@pytest.mark.parametrize(
    ("cell", "reason", "at"),
    [
        ("m1", "there is a stone already.", {"m1"}),
        ("d3", "your group of 3 touches no stone of BLUE's.", {"d4", "d5"}),
        ("d6", "your group of 3 is not larger than BLUE's of 4.", {"e7", "f7", "g7", "h6"}),
    ],
)
def test_sr4_a_refusal_says_which_of_the_three_reasons_it_was_and_where(cell: str, reason: str, at: set[str]) -> None:
    """HX SR4.1, after the document's words."""
    refused = refusal(position("d4 d5", "e7 f7 g7 h6 c6 m1"), cell)
    assert str(refused.text) == f"Invalid Cell Placement: {reason}"
    assert (refused.data["move"], set(refused.data["at"].split())) == (cell, at)


@pytest.mark.parametrize("move", ["", "g", "7", "g7-g8", "G7", "g 7", "g7\n", "g777", "passed"])
def test_what_is_no_cell_cannot_be_read(move: str) -> None:
    with pytest.raises(MalformedMove):
        GAME.play(GAME.new(Params()), move)


# --- the end ---


def test_sr5_capturing_the_last_enemy_stone_wins() -> None:
    """HX win."""
    for seat, words in ((0, "RED wins"), (1, "BLUE wins")):
        before = position("d4", "d6") if seat == 0 else position("d6", "d4", turn=1)
        after = played(before, "d5")
        over = GAME.outcome(after)
        assert over is not None
        assert (over.winner, over.reason) == (seat, "captured")
        assert str(over.text) == str(GAME.status(after)) == words
        assert GAME.to_move(after) is None
        assert GAME.legal_moves(after) == ()
        assert GAME.automatic(after) is None
        for move in ("a1", "pass"):
            assert refusal(after, move).code == Code.FINISHED


def test_ru_hx4_the_first_stone_does_not_win() -> None:
    assert GAME.outcome(played(GAME.new(Params()), "g7")) is None


# --- passing ---

PASS_MID_TURN = (
    "g4 b4 d7 c1 d3 d2 f1 a4 g2 c5 e3 f3 d6 a1 f5 b5 c2 f2 d5 c6 e4 f3 b3 e2 d1 e5 b2",
    4,
)
PASS_MID_TURN_ON_THE_FULL_BOARD = (
    "j8 j2 k1 m6 k6 g2 e9 f3 c9 f8 a2 g6 h4 j9 g12 k5 f1 i2 g10 e5 j4 b7 c1 d1 c5 b5 l6 h1 g11 k9 c7 b8 l3 b2 b1 e4 i1 "
    "d5 g1 f10 m1 g12 a6 c3 d2 k3 h11 d4 h5 b3 e11 e1 i7 i1 h3 d7 i8 f1 j6 m4 h9 g13 j10 j8 f9 a4 h10 g12 c8 l2 k2",
    7,
)


@pytest.mark.parametrize(("moves", "side"), [PASS_MID_TURN, PASS_MID_TURN_ON_THE_FULL_BOARD])
def test_ru_hx3_a_pass_in_the_middle_of_a_turn(moves: str, side: int) -> None:
    """Found by search among random games: the last move captures, and leaves its player no placement."""
    *earlier, last = moves.split()
    before = played(GAME.new(Params(side)), " ".join(earlier))
    mover = GAME.to_move(before)
    assert mover is not None
    after = GAME.play(before, last)
    assert stones(after, 1 - mover) < stones(before, 1 - mover)
    assert GAME.to_move(after) == mover
    assert GAME.legal_moves(after) == ("pass",)
    assert GAME.automatic(after) == "pass"
    passed = GAME.play(after, "pass")
    assert GAME.to_move(passed) == 1 - mover
    assert GAME.automatic(passed) is None
    assert GAME.changes(after, passed) == {}
    assert refusal(after, "a1").code == "invalid_cell"


def test_ru_hx3_a_pass_at_the_start_of_a_turn() -> None:
    """BLUE holds the middle of 19 cells and RED the rim: every free cell touches BLUE's stone and a larger group."""
    rim = "a1 a2 a3 b1 b4 c1 c5 d1 d4 e1 e2 e3"
    state = position(rim, "c3", turn=1, side=3)
    assert GAME.automatic(state) == "pass"
    assert GAME.legal_moves(state) == ("pass",)
    assert str(GAME.status(played(state, "pass c2"))) == "RED wins"


def test_who_has_a_placement_must_make_it() -> None:
    """HX must move."""
    refused = refusal(GAME.new(Params()), "pass")
    assert (refused.code, str(refused.text)) == ("no_pass", "You can place a stone, so you must.")


# --- the pie rule ---


def test_ru_hx5_blue_may_swap_instead_of_the_first_placement() -> None:
    state = played(GAME.new(Params(pie=True)), "g7")
    assert GAME.legal_moves(state)[-1] == "swap"
    after = played(state, "swap")
    assert GAME.changes(state, after) == {"g7": BLUE}
    assert str(GAME.status(after)) == "RED's turn"
    later = played(after, "a1")
    assert "swap" not in GAME.legal_moves(later)
    assert refusal(later, "swap").code == "no_swap"


@pytest.mark.parametrize(("pie", "moves"), [(False, "g7"), (True, ""), (True, "g7 a1"), (True, "g7 a1 m7")])
def test_ru_hx5_nobody_swaps_otherwise(pie: bool, moves: str) -> None:
    state = played(GAME.new(Params(pie=pie)), moves)
    assert "swap" not in GAME.legal_moves(state)
    assert refusal(state, "swap").code == "no_swap"
