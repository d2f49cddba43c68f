"""Checkers by its document and the decisions `RU-CK1` to `RU-CK9`: the board, moves, and the words of a refusal.

How it ends is in `test_checkers_ends.py`; what holds for every game is in `test_contract.py`.
"""

from __future__ import annotations

import pytest

from protocol.board import Mark, Piece, Tone
from protocol.errors import BadOption, IllegalMove, MalformedMove, Refusal
from server.games.checkers import GAME, Params, State
from tests.server.games.checkers_positions import Captures, both_ways, played, position, refusal

MAN = {seat: Mark(seat, Piece.MAN) for seat in (0, 1)}
KING = {seat: Mark(seat, Piece.KING) for seat in (0, 1)}


def jumps(state: State) -> set[str]:
    return {move for move in GAME.legal_moves(state) if "x" in move}


# --- start, turns, board ---


def test_r2_1_black_moves_first_from_squares_1_to_12() -> None:
    state = GAME.new(Params())
    assert GAME.to_move(state) == 0
    assert GAME.marks(state) == {str(n): MAN[0] for n in range(1, 13)} | {str(n): MAN[1] for n in range(21, 33)}
    assert set(GAME.legal_moves(state)) == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}
    assert str(GAME.status(state)) == "Black to move"
    assert GAME.scores(state) == ((12,), (12,))


def test_r2_2_r2_4_a_step_ends_the_turn() -> None:
    """CK R2.4."""
    state = played(GAME.new(Params()), "11-15")
    assert GAME.to_move(state) == 1
    assert str(GAME.status(state)) == "White to move"
    assert GAME.changes(GAME.new(Params()), state) == {"11": None, "15": MAN[0]}


def test_ru_ck1_squares_are_numbered_as_in_draughts_books() -> None:
    board = GAME.board(Params())
    places = {cell.id: (cell.x, cell.y) for cell in board.cells}
    assert len(places) == 64
    assert [places[square] for square in ("1", "4", "5", "8", "29", "32")] == [
        (1, 0), (7, 0), (0, 1), (6, 1), (0, 7), (6, 7),
    ]  # fmt: skip
    dark = {cell.id: cell.label for cell in board.cells if cell.tone is Tone.DARK}
    assert dark == {str(n): str(n) for n in range(1, 33)}
    light = {cell.id: cell.label for cell in board.cells if cell.tone is Tone.LIGHT}
    assert len(light) == 32
    assert light["~a8"] == ""
    assert places["~a8"] == (0, 0)


def test_5_1_each_player_sees_the_own_side_at_the_bottom() -> None:
    assert GAME.board(Params()).turned_for == (0,)


def test_r1_3_the_host_chooses_the_colours_of_tiles_and_pieces() -> None:
    assert [style.name for style in GAME.seats(Params())] == ["Black", "White"]
    red = Params(tiles="black-red", pieces="black-red")
    assert [style.name for style in GAME.seats(red)] == ["Black", "Red"]
    assert str(GAME.status(played(GAME.new(red), "11-15"))) == "Red to move"
    assert GAME.board(red).tones != GAME.board(Params()).tones


@pytest.mark.parametrize(
    "given", [{"captures": "some"}, {"draw_after": 201}, {"draw_after": -1}, {"tiles": "red"}, {"pieces": 1}]
)
def test_other_options_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        GAME.parse_options(given)


# --- steps, jumps, crowns ---


def test_r3_1_a_man_steps_and_jumps_forward_only() -> None:
    state = position("B:W10,11,18,19:B15")
    assert set(GAME.legal_moves(state)) == {"15x22", "15x24"}
    assert refusal(state, "15x6").code == "backward"
    state = position("W:W18:B32")
    assert set(GAME.legal_moves(state)) == {"18-14", "18-15"}


def test_r3_2_a_king_goes_both_ways() -> None:
    assert set(GAME.legal_moves(position("B:W32:BK18"))) == {"18-14", "18-15", "18-22", "18-23"}
    state = position("W:WK15:B10,11,18,19")
    assert jumps(state) == {"15x6", "15x8", "15x22", "15x24"}


@both_ways
def test_r2_5_a_piece_jumped_over_leaves_the_board(captures: Captures) -> None:
    before = position("W:W22,K5:B18,1", captures)
    after = played(before, "22x15")
    assert GAME.changes(before, after) == {"22": None, "18": None, "15": MAN[1]}
    assert GAME.scores(after) == ((1,), (2,))


@both_ways
def test_l1_crowned_and_the_turn_is_over(captures: Captures) -> None:
    """A man jumps into the last row with a further jump open: crowned, and the turn passes (`CK R2.7`, `RU-CK4`)."""
    before = position("B:W26,27:B22", captures)
    assert jumps(before) == {"22x31"}
    assert refusal(before, "22x31x24").code == "crowned"
    after = played(before, "22x31")
    assert GAME.marks(after) == {"31": KING[0], "27": MAN[1]}
    assert GAME.to_move(after) == 1


def test_r2_7_a_step_crowns_too_and_the_crown_stays() -> None:
    state = played(position("W:W6:BK32"), "6-1 32-27 1-5")
    assert GAME.marks(state) == {"5": KING[1], "27": KING[0]}


@both_ways
def test_ru_ck9_a_king_on_a_far_row_goes_on_jumping(captures: Captures) -> None:
    before = position("B:W26,27:BK22", captures)
    assert "22x31x24" in jumps(before)
    assert GAME.scores(played(before, "22x31x24")) == ((1,), (0,))


@both_ways
def test_l2_only_the_jumping_piece_goes_on(captures: Captures) -> None:
    before = position("B:W6,8,32:B2,4", captures)
    assert jumps(before) == {"2x9", "4x11"}
    assert refusal(before, "2x9-4x11").code == "own_piece"
    assert refusal(before, "2x9x11").code == "not_diagonal"
    after = played(before, "2x9")
    assert GAME.to_move(after) == 1
    assert refusal(after, "4x11").code == "not_your_piece"


def test_l7_a_chain_may_stop_after_any_hop_when_captures_are_free() -> None:
    """CK R2.6, RU-CK3."""
    before = position("W:W22,32:B18,10,1")
    assert jumps(before) == {"22x15", "22x15x6"}
    for move, left in (("22x15", 2), ("22x15x6", 1)):
        after = played(before, move)
        assert GAME.to_move(after) == 0
        assert GAME.scores(after) == ((left,), (2,))
    assert "32-28" in GAME.legal_moves(before)


def test_l7_a_chain_must_go_on_when_captures_are_forced() -> None:
    before = position("W:W22,32:B18,10,1", "forced")
    assert GAME.legal_moves(before) == ("22x15x6",)
    assert refusal(before, "22x15").code == "must_go_on"
    assert refusal(before, "32-28").code == "must_jump"
    assert GAME.to_move(played(before, "22x15x6")) == 0


def test_ru_ck3_any_of_several_jumps_may_be_chosen() -> None:
    """The shorter chain is as good as the longer one."""
    state = position("W:W22,23:B18,10,19,32", "forced")
    assert set(GAME.legal_moves(state)) == {"22x15x6", "23x14x7", "23x16"}


def test_ru_ck8_a_king_jumps_in_a_circle_either_way_round() -> None:
    fen = "B:W6,7,14,15,32:BK2"
    assert set(GAME.legal_moves(position(fen, "forced"))) == {"2x9x18x11x2", "2x11x18x9x2"}
    assert len(jumps(position(fen))) == 8
    for way in ("2x9x18x11x2", "2x11x18x9x2"):
        after = played(position(fen), way)
        assert GAME.marks(after) == {"2": KING[0], "32": MAN[1]}
        assert GAME.changes(position(fen), after) == {"6": None, "7": None, "14": None, "15": None}
    assert refusal(position(fen), "2x9x2").code == "jumped_already"


def test_l5_captures_and_crowns_are_worked_out_from_the_move_alone() -> None:
    """The notation names landing squares only; there is no way to claim another capture or crown."""
    before = position("W:W13,K30:B9,2,K32")
    after = played(before, "13x6")
    assert GAME.marks(after) == {"6": MAN[1], "30": KING[1], "2": MAN[0], "32": KING[0]}
    for claim in ("13x6x", "13x6(9)", "13x6K", "13x9x6", "K13x6", "13x6x1"):
        with pytest.raises(Refusal):
            GAME.play(before, claim)


# --- the words of a refusal ---


START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


@pytest.mark.parametrize(
    ("fen", "move", "code", "words"),
    [
        (START, "1-5", "own_piece", "Your own piece is on square 5."),
        (START, "22-18", "not_your_piece", "The piece on square 22 is not yours."),
        (START, "15-18", "no_piece", "There is no piece on square 15."),
        (START, "11-33", "no_such_square", "There is no square 33; they are numbered 1 to 32."),
        (START, "0-4", "no_such_square", "There is no square 0; they are numbered 1 to 32."),
        (START, "11-~d4", "light_square", "Pieces stay on the dark squares."),
        (START, "11-14", "not_diagonal", "Pieces move diagonally."),
        (START, "11-19", "not_diagonal", "Pieces move diagonally."),
        (START, "11-11", "not_diagonal", "Pieces move diagonally."),
        (START, "11-20", "nothing_to_jump", "There is no piece of your opponent to jump over."),
        (START, "7x14", "own_jumped", "You cannot jump over your own piece."),
        (START, "12-26", "occupied", "Your opponent's piece is on square 26."),
        (START, "9-18-27", "nothing_to_jump", "There is no piece of your opponent to jump over."),
        (START, "11-15-18", "one_step", "A step is a turn of its own; only jumps go on."),
        ("B:W32:B11", "11-7", "backward", "A man moves forward only; a king goes both ways."),
        ("B:W32:B11", "11-25", "too_far", "That is too far."),
        ("B:W15:B11,K2", "11x18x22", "one_step", "A step is a turn of its own; only jumps go on."),
    ],
)
def test_each_refusal_says_what_is_wrong(fen: str, move: str, code: str, words: str) -> None:
    refused = refusal(position(fen), move)
    assert isinstance(refused, IllegalMove)
    assert (refused.code, str(refused.text)) == (code, words)


@pytest.mark.parametrize(
    "move", ["", "11", "11-", "11--15", "-11", "a1-b2", "11 15", "11-15\n", "1" * 100, "\u0661\u0661-15"]
)
def test_what_is_no_move_cannot_be_read(move: str) -> None:
    with pytest.raises(MalformedMove):
        GAME.play(GAME.new(Params()), move)


def test_steps_and_jumps_are_known_by_their_squares_however_joined() -> None:
    """A client that touches square after square need not know which it is (`RU-CK2`)."""
    state = position("W:W22,32:B18,10,1")
    for written, move in (("22-15", "22x15"), ("22-15x6", "22x15x6"), ("32x28", "32-28")):
        assert GAME.play(state, written) == GAME.play(state, move)
        assert GAME.canonical(state, written) == move


def test_l6_kings_do_not_fly() -> None:
    """Steps and jumps of three squares and more (`CK R3.2`)."""
    for move in ("15-5", "15-4", "15-29", "15-25", "15-8", "15-28"):
        with pytest.raises(IllegalMove):
            GAME.play(position("W:WK15:B1"), move)
    for square in ("22", "25", "29"):
        far = position(f"W:WK1:B{square}")
        for move in ("1-10", "1-15", "1-19", "1-24", "1-28"):
            with pytest.raises(IllegalMove):
                GAME.play(far, move)
    refused = refusal(position("W:WK1:B15"), "1x19")
    assert (refused.code, str(refused.text)) == ("too_far", "Kings do not fly: one square a step, two a jump.")
