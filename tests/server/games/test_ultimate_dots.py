"""Ultimate Dots and Boxes by its document; what holds for every game is in `test_contract.py`."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.board import Mark, Piece
from protocol.errors import Code, Refusal
from server.games.game import Reason
from server.games.ultimate_dots import BOARD, GAME, Params, State, winner

START = GAME.new(Params())

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
"""Places of three micro games in a row, counted from 0: across, down, diagonally."""


def after(moves: str, state: State = START) -> State:
    for move in moves.split():
        state = GAME.play(state, move)
    return state


def within(micro: int, moves: str) -> str:
    return " ".join(f"{micro}:{move}" for move in moves.split())


def refusal(state: State, move: str) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        GAME.play(state, move)
    return caught.value.code, str(caught.value.text)


def position(lines: str = "", boxes: str = "", won: str = ".........", **fields: Any) -> State:
    """A state set up by hand: `lines` drawn by anybody, `boxes` as `5:#a1=0`, `won` as it is kept."""
    drawn, owned = list(START.lines), list(START.boxes)
    for line in lines.split():
        drawn[BOARD.numbers[line]] = "1"
    for box in boxes.split():
        id_, _, owner = box.partition("=")
        owned[BOARD.box_ids.index(id_)] = owner
    return msgspec.structs.replace(START, lines="".join(drawn), boxes="".join(owned), won=won, **fields)


BOX_NAMES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")


def sides(box: str) -> list[str]:
    column, row = box[0], int(box[1])
    right = chr(ord(column) + 1)
    return [
        f"{column}{row}-{right}{row}",
        f"{column}{row}-{column}{row + 1}",
        f"{right}{row}-{right}{row + 1}",
        f"{column}{row + 1}-{right}{row + 1}",
    ]


def almost_won(micro: int, box: str, by: int, **fields: Any) -> State:
    """Seat `by` is to move, owns four boxes of `micro`, and closes `box` with its fourth side."""
    *three, _ = sides(box)
    others = [name for name in BOX_NAMES if name != box][:4]
    return position(
        within(micro, " ".join(three)),
        " ".join(f"{micro}:#{name}={by}" for name in others),
        focus=micro - 1,
        turn=by,
        **fields,
    )


def last_side(micro: int, box: str) -> str:
    return f"{micro}:{sides(box)[3]}"


def test_rnf3_the_board_has_nine_micro_games_of_4_by_4_dots() -> None:
    board = GAME.board(Params())
    assert (len(board.dots), len(board.lines), len(board.cells)) == (9 * 16, 9 * 24, 9 * 9)
    assert [region.id for region in board.regions] == list("123456789")
    assert [(region.x, region.y) for region in board.regions] == list(
        (x, y) for y, x in itertools.product((0, 4, 8), repeat=2)
    )
    assert board.regions[4].cells == tuple(f"5:#{name}" for name in BOX_NAMES)
    assert "5:b2" in [dot.id for dot in board.dots]
    assert "5:b2-b3" in [line.id for line in board.lines]
    assert "5:#b2" in [cell.id for cell in board.cells]


def test_rules_play_begins_in_the_centre() -> None:
    assert GAME.focus(START) == ("5",)
    assert len(GAME.legal_moves(START)) == 24
    assert all(move.startswith("5:") for move in GAME.legal_moves(START))
    assert str(GAME.status(START)) == "Player 1's turn, in micro game 5"


def test_ru_ud2_a_turn_without_a_box_leaves_the_opponent_in_the_same_micro_game() -> None:
    state = after("5:a1-b1")
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("5",))


def test_rules_a_completed_box_gives_another_move_in_the_same_micro_game() -> None:
    state = after(within(5, "a1-b1 a1-a2 b1-b2 a2-b2"))
    assert GAME.scores(state) == ((0, 0), (0, 1))
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("5",))


@pytest.mark.parametrize(("box", "sent_to"), list(zip(BOX_NAMES, "123456789", strict=True)))
def test_ru_ud3_the_place_of_the_box_is_the_micro_game_to_play_in(box: str, sent_to: str) -> None:
    state = after(within(5, " ".join(sides(box))))
    quiet = next(move for move in GAME.legal_moves(state) if GAME.to_move(GAME.play(state, move)) == 0)
    assert GAME.focus(GAME.play(state, quiet)) == (sent_to,)


def test_ru_ud3_the_box_completed_last_in_the_turn_counts() -> None:
    state = after(within(5, "a1-b1 a1-a2 b1-b2 a2-b2"))
    state = after(within(5, "c3-d3"), state)
    assert GAME.focus(state) == ("1",)
    two = position(within(5, "a1-b1 a1-a2 b1-b2 c3-d3 c3-c4 d3-d4"), focus=4)
    state = after(within(5, "a2-b2 c4-d4 b4-c4"), two)
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("9",))
    state = after(within(5, "c4-d4 a2-b2 b4-c4"), two)
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("1",))


@pytest.mark.parametrize(
    ("walls", "middle", "boxes", "sent_to"),
    [
        ("a1-b1 b1-c1 a1-a2 c1-c2 a2-b2 b2-c2", "b1-b2", ("5:#a1", "5:#b1"), "2"),
        ("b2-c2 b2-b3 c2-c3 b3-b4 c3-c4 b4-c4", "b3-c3", ("5:#b2", "5:#b3"), "8"),
    ],
)
def test_l8_ru_ud3_of_two_boxes_at_once_the_later_in_reading_order_sends(
    walls: str, middle: str, boxes: tuple[str, str], sent_to: str
) -> None:
    before = position(within(5, walls), focus=4)
    state = after(within(5, middle), before)
    assert GAME.changes(before, state) == {
        f"5:{middle}": Mark(0, Piece.LINE),
        boxes[0]: Mark(0, Piece.BOX),
        boxes[1]: Mark(0, Piece.BOX),
    }
    assert GAME.scores(state) == ((0, 2), (0, 0))
    assert (GAME.to_move(state), GAME.focus(state)) == (0, ("5",))
    state = after(within(5, "d3-d4"), state)
    assert (GAME.to_move(state), GAME.focus(state)) == (1, (sent_to,))


def test_ru_ud3_what_was_completed_in_an_earlier_turn_does_not_send() -> None:
    state = after(within(5, "a1-b1 a1-a2 b1-b2 a2-b2 c3-d3") + " 1:a1-b1")
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("1",))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("box", BOX_NAMES)
def test_ru_ud5_five_boxes_finish_a_micro_game_at_once_and_the_turn_passes(box: str, seat: int) -> None:
    before = almost_won(7, box, seat)
    move = last_side(7, box)
    state = GAME.play(before, move)
    assert GAME.changes(before, state) == {
        move: Mark(seat, Piece.LINE),
        f"7:#{box}": Mark(seat, Piece.BOX),
        "7": Mark(seat, Piece.WON),
    }
    assert GAME.scores(state)[seat] == (1, 5)
    assert GAME.to_move(state) == 1 - seat
    sent_to = str(BOX_NAMES.index(box) + 1)
    assert GAME.focus(state) == (tuple("12345689") if sent_to == "7" else (sent_to,))
    assert not [move for move in GAME.legal_moves(state) if move.startswith("7:")]


def test_ru_ud5_four_and_a_line_for_two_boxes_finish_it_with_six() -> None:
    walls = within(5, "a1-b1 b1-c1 a1-a2 c1-c2 a2-b2 b2-c2")
    before = position(walls, "5:#c1=0 5:#c2=0 5:#c3=0 5:#b3=0", focus=4)
    state = after("5:b1-b2", before)
    assert GAME.scores(state) == ((1, 6), (0, 0))
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("2",))


def test_ru_ud5_the_opponents_boxes_do_not_count() -> None:
    boxes = "5:#b1=1 5:#c1=1 5:#a2=1 5:#b2=1"
    state = after("5:a2-b2", position(within(5, "a1-b1 a1-a2 b1-b2"), boxes, focus=4))
    assert GAME.scores(state) == ((0, 1), (0, 4))
    assert (GAME.to_move(state), state.won) == (0, ".........")


def test_l11_ru_ud4_sent_to_a_finished_micro_game_one_may_choose_any_unfinished() -> None:
    state = position(within(5, "a1-b1 a1-a2 b1-b2"), won="0.1......", focus=4)
    state = after("5:a2-b2 5:c3-d3", state)
    assert GAME.focus(state) == tuple("2456789")
    assert {move[0] for move in GAME.legal_moves(state)} == set("2456789")
    assert str(GAME.status(state)) == "Player 2's turn, in any open micro game"
    assert refusal(state, "1:a1-b1") == ("micro_game_finished", "Micro game 1 is finished.")


def test_l11_ru_ud4_sent_to_the_one_just_finished_one_may_choose() -> None:
    state = GAME.play(almost_won(5, "b2", 0), last_side(5, "b2"))
    assert (GAME.to_move(state), GAME.focus(state)) == (1, tuple("12346789"))


def test_ru_ud4_free_choice_then_bound_for_the_rest_of_the_turn() -> None:
    free = position(within(3, "a1-b1 a1-a2 b1-b2"), won="0........", focus=-1)
    state = after("3:a2-b2", free)
    assert (GAME.to_move(state), GAME.focus(state)) == (0, ("3",))
    assert refusal(state, "4:a1-b1") == ("wrong_micro_game", "This line must be drawn in micro game 3.")
    state = after("3:c4-d4", state)
    assert (GAME.to_move(state), GAME.focus(state)) == (1, tuple("23456789"))


def test_ru_ud4_a_free_choice_without_a_box_leaves_the_opponent_there() -> None:
    state = after("8:a1-b1", position(won="0........", focus=-1))
    assert (GAME.to_move(state), GAME.focus(state)) == (1, ("8",))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("row", ROWS)
def test_ru_ud6_three_micro_games_in_a_row_win_at_once(row: tuple[int, int, int], seat: int) -> None:
    last = row[2]
    won = "".join(str(seat) if micro in row and micro != last else "." for micro in range(9))
    state = GAME.play(almost_won(last + 1, "a1", seat, won=won), last_side(last + 1, "a1"))
    over = GAME.outcome(state)
    assert over is not None
    assert (over.winner, over.reason) == (seat, Reason.LINE)
    assert str(over.text) == str(GAME.status(state)) == f"Player {seat + 1} wins, with three micro games in a row"
    assert GAME.to_move(state) is None
    assert (GAME.legal_moves(state), GAME.focus(state)) == ((), ())
    assert refusal(state, "9:a1-b1")[0] == Code.FINISHED


def without_a_row() -> list[tuple[int, ...]]:
    fives = itertools.combinations(range(9), 5)
    return [five for five in fives if not any(set(row) <= set(five) for row in ROWS)]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("five", without_a_row())
def test_ru_ud6_any_five_micro_games_win_without_a_row(five: tuple[int, ...], seat: int) -> None:
    *four, last = five
    won = "".join(str(seat) if micro in four else "." for micro in range(9))
    before = almost_won(last + 1, "a1", seat, won=won)
    assert GAME.outcome(before) is None
    over = GAME.outcome(GAME.play(before, last_side(last + 1, "a1")))
    assert over is not None
    assert (over.winner, over.reason) == (seat, Reason.SCORE)
    assert str(over.text) == f"Player {seat + 1} wins, with five micro games"


def test_ru_ud6_no_draw_is_possible() -> None:
    assert all(winner("".join(won)) for won in itertools.product("01", repeat=9))


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("5:a1-b2", "diagonal"),
        ("5:a1-c1", "not_adjacent"),
        ("5:a1-a1", "not_adjacent"),
        ("5:d1-e1", "no_such_dot"),
        ("0:a1-b1", "no_such_dot"),
        ("5:b2-b3", "already_joined"),
        ("5:b3-b2", "already_joined"),
        ("6:a1-b1", "wrong_micro_game"),
        ("6:a1-b2", "wrong_micro_game"),
        ("6:a1-e1", "no_such_dot"),
        ("5:d1-6:a1", "two_micro_games"),
        ("5:d1-6:e1", "no_such_dot"),
        ("5:a1-5:b1", "malformed_move"),
        ("a1-b1", "malformed_move"),
        ("10:a1-b1", "malformed_move"),
        ("5:#a1", "malformed_move"),
        ("5", "malformed_move"),
    ],
)
def test_rf4_what_is_not_a_free_line_in_the_right_micro_game_is_refused(move: str, code: str) -> None:
    state = after("5:b2-b3")
    assert refusal(state, move)[0] == code
    assert state == after("5:b2-b3")


def test_rf4_the_other_spelling_is_the_same_line() -> None:
    assert after("5:b3-b2") == after("5:b2-b3")
    assert GAME.canonical(START, "5:b3-b2") == "5:b2-b3"


def choices(state: State) -> set[str]:
    assert GAME.choose is not None
    return {GAME.choose(state, Random(seed)) for seed in range(40)}


def test_the_computer_wins_the_match_at_once() -> None:
    state = almost_won(9, "a1", 0, won="0...0....")
    assert choices(state) == {last_side(9, "a1")}


def test_the_computer_takes_a_box_and_gives_none_away() -> None:
    assert choices(after(within(5, "a1-b1 a1-a2 b1-b2"))) == {"5:a2-b2"}
    two_sides = after(within(5, "a1-b1 a1-a2"))
    assert not choices(two_sides) & {"5:b1-b2", "5:a2-b2"}


def test_the_computer_does_not_give_the_match_away() -> None:
    """Whoever draws the third side of box c3 gives player 2 the fifth box, and the row with it."""
    boxes = "9:#a1=1 9:#b1=1 9:#c1=1 9:#a2=1"
    state = position(within(9, "c3-d3 c3-c4"), boxes, won="1...1....", focus=8)
    assert not choices(state) & {"9:d3-d4", "9:c4-d4"}
