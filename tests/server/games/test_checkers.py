"""Checkers by its document and the decisions `RU-CK1` to `RU-CK9`; what holds for every game is in `test_contract.py`.

Positions are written as PDN's FEN: the side to move, White's and Black's squares, K before a king.
"""

from __future__ import annotations

import os
from random import Random
from typing import Literal

import pytest

from protocol.board import Mark, Piece, Tone
from protocol.errors import BadOption, Code, IllegalMove, MalformedMove, Refusal
from server.games.checkers import GAME, Params, State
from tests.server.games.oracles.checkers import Checkers

Captures = Literal["free", "forced"]
both_ways = pytest.mark.parametrize("captures", ["free", "forced"])

GAMES = 10_000 if os.environ.get("PARLOUR_FAULTS") == "full" else 1_000
MAN = {seat: Mark(seat, Piece.MAN) for seat in (0, 1)}
KING = {seat: Mark(seat, Piece.KING) for seat in (0, 1)}


def position(fen: str, captures: Captures = "free", draw_after: int = 80) -> State:
    side, white, black = fen.split(":")
    boards = {"W": 0, "B": 0}
    kings = 0
    for pieces in (white, black):
        for piece in filter(None, pieces[1:].split(",")):
            number = int(piece.removeprefix("K")) - 1
            bit = 1 << number + number // 8
            boards[pieces[0]] |= bit
            kings |= bit if piece.startswith("K") else 0
    return State(Params(captures, draw_after), boards["B"], boards["W"], kings, "BW".index(side))


def played(state: State, moves: str) -> State:
    for move in moves.split():
        state = GAME.play(state, move)
    return state


def refusal(state: State, move: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.play(state, move)
    return caught.value


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


# --- the end ---

BLOCKED: list[tuple[str, str, Captures]] = [
    ("B:W29:B2,17,25,26", "17-22", "free"),
    ("B:W29:BK8,K10,K11,19,23,25,K26,28", "26-22", "free"),
    ("B:W5,16:BK1,K3,11,14,K22", "11x20", "free"),
    ("B:W5,21:B1,K2,K3,K10,K17,18,K19,K28", "10-14", "free"),
    ("B:W5,6:BK10,K15", "10x1", "free"),
    ("B:WK4:B7,K8,20,21,K23", "7-11", "forced"),
    ("B:WK18,K29:BK1,5,6,15,K25", "15x22", "forced"),
    ("B:WK21,K30:B6,K11,14,K17,K18,25,K26", "18-23", "forced"),
    ("B:WK9,K21:BK3,K5,K7,K17,K25,27,K30,K31", "5x14", "forced"),
    ("B:WK1,5:BK2,10,18,K19,K22,23,24", "2-6", "forced"),
    ("B:W15,K16,25:B5,12,K13,K20,21,22,27", "20x11x18", "free"),
    ("B:W5,9,K17:BK1,2,K22,K25,K30,K31", "22x13x6", "free"),
    ("W:WK4,7,14,17,K27:B28", "27-32", "forced"),
    ("W:WK8,K12,14,16,24,25,32:B20", "32-27", "forced"),
    ("W:W12,15,16,K23,24,K25,30,32:B19,28", "30-26", "forced"),
    ("W:W10,K12,21,K22,24,K27,K32:B17,28", "21x14", "free"),
    ("W:WK1,6,K11,17,18,19,K21,K31:B13,26", "31x22", "free"),
    ("W:WK5,K18,20,27,28:BK32", "18-23", "free"),
    ("W:WK19,K22,K24,K26,32:BK25,K28", "22x29", "forced"),
    ("W:WK1,K8,9,10,K14,K18:BK5,K11", "8x15", "forced"),
    ("W:W6,8,K9,10,11,12,18:B2,K4", "10-7", "forced"),
    ("W:WK1,8,K9,K14,K15,K27:B4,K5", "15-11", "forced"),
    ("W:WK9,19,21,K24,28,31,32:BK15,27", "19x10", "free"),
    ("W:WK22,K30,K31:BK25,26", "22x29", "free"),
]
"""Found by search among random positions: men, kings and both, one to three of them, shut in by a step or a jump."""


@pytest.mark.parametrize(("fen", "move", "captures"), BLOCKED)
def test_l4_blocked_is_lost(fen: str, move: str, captures: Captures) -> None:
    """`CK R4.2`: the player to move has pieces and no move."""
    before = position(fen, captures)
    after = played(before, move)
    mover = "BW".index(fen[0])
    assert GAME.scores(after)[1 - mover][0] > 0
    over = GAME.outcome(after)
    assert over is not None
    assert (over.winner, over.reason) == (mover, "blocked")
    winner, loser = ("Black", "White") if mover == 0 else ("White", "Black")
    assert str(over.text) == str(GAME.status(after)) == f"{winner} wins: {loser} cannot move"
    assert GAME.to_move(after) is None
    assert GAME.legal_moves(after) == ()
    assert refusal(after, "1-5").code == Code.FINISHED


def test_r4_1_a_player_without_pieces_loses() -> None:
    over = GAME.outcome(played(position("W:W22:B18"), "22x15"))
    assert over is not None
    assert (over.winner, over.reason) == (1, "captured")
    assert str(over.text) == "White wins: Black has no piece left"


def test_ru_ck6_plies_without_progress_are_a_draw() -> None:
    start = position("B:WK32,21:BK1,9", draw_after=4)
    assert GAME.outcome(played(start, "1-5 32-28 5-1")) is None
    after = played(start, "1-5 32-28 5-1 28-32")
    over = GAME.outcome(after)
    assert over is not None
    assert (over.winner, over.reason) == (None, "no_progress")
    assert str(over.text) == "Draw: 4 moves in a row without a capture or a man's move"
    assert GAME.legal_moves(after) == ()


def test_ru_ck6_a_mans_move_and_a_capture_begin_the_count_anew() -> None:
    start = position("B:WK32,21:BK1,9", draw_after=4)
    assert played(start, "1-5 32-28 9-13").quiet == 0
    assert GAME.outcome(played(start, "1-5 32-28 9-13 28-32 5-1 32-28")) is None
    assert played(position("B:WK6,21:BK1"), "1x10").quiet == 0


def test_ru_ck6_can_be_turned_off() -> None:
    state = position("B:WK32:BK1", draw_after=0)
    assert GAME.outcome(played(state, "1-5 32-28 5-1 28-32 " * 60)) is None


def test_ru_ck6_a_loss_comes_before_a_draw() -> None:
    over = GAME.outcome(played(position("W:WK5,K18,20,27,28:BK32", draw_after=1), "18-23"))
    assert over is not None
    assert over.reason == "blocked"


# --- the computer ---


def test_the_computer_wins_at_once() -> None:
    assert GAME.choose is not None
    assert GAME.choose(position("W:W22,23,32:B18"), Random(1)) in ("22x15", "23x14")
    assert GAME.choose(position("B:W29:B2,17,25,26"), Random(1)) == "17-22"


def test_the_computer_takes_the_most_and_gives_nothing_away() -> None:
    assert GAME.choose is not None
    assert GAME.choose(position("W:W22,32:B18,10,1,4,3"), Random(1)) == "22x15x6"
    for seed in range(20):
        # On 14 the man would be taken by 18, and nobody could take back.
        assert GAME.choose(position("B:W18,22,31:B1,9,4"), Random(seed)) != "9-14"


@both_ways
def test_the_computer_beats_random_play(captures: Captures) -> None:
    assert GAME.choose is not None
    rng = Random(4)
    won = 0
    for game in range(6):
        state = GAME.new(Params(captures))
        while (seat := GAME.to_move(state)) is not None:
            own = seat == game % 2
            state = GAME.play(state, GAME.choose(state, rng) if own else rng.choice(list(GAME.legal_moves(state))))
        over = GAME.outcome(state)
        won += over is not None and over.winner == game % 2
    assert won == 6


# --- agreement ---


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(10))
def test_l18_agrees_with_an_independent_oracle_at_every_ply(part: int) -> None:
    """10,000 random games in full, a tenth of them otherwise; half of them with forced captures."""
    for number in range(part, GAMES, 10):
        rng = Random(number)
        captures: Captures = "forced" if number // 10 % 2 else "free"
        state = GAME.new(Params(captures))
        oracle = Checkers(captures == "forced", Params().draw_after)
        while (result := oracle.result()) is None:
            legal = GAME.legal_moves(state)
            assert len(legal) == len(oracle.moves)
            assert set(legal) == oracle.moves.keys()
            move = rng.choice(legal)
            state = GAME.play(state, move)
            oracle.play(move)
            assert {id_: (mark.seat, mark.piece) for id_, mark in GAME.marks(state).items()} == oracle.shown()
            assert GAME.to_move(state) in (oracle.turn, None)
        over = GAME.outcome(state)
        assert over is not None
        assert (over.winner, over.reason) == result
