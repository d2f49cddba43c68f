"""Square by its document; what holds for every game is in `test_contract.py`."""

from __future__ import annotations

from random import Random

import pytest

from protocol.board import Mark, Piece
from protocol.errors import Code, Refusal
from server.games.square import GAME, Params, State


def after(moves: str) -> State:
    state = GAME.new(Params())
    for move in moves.split():
        state = GAME.play(state, move)
    return state


def refusal(state: State, move: str) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        GAME.play(state, move)
    return caught.value.code, str(caught.value.text)


def choices(state: State) -> set[str]:
    assert GAME.choose is not None
    return {GAME.choose(state, Random(seed)) for seed in range(200)}


TWO_BOXES_BUT_THE_MIDDLE = "a1-b1 b1-c1 a1-a2 c1-c2 a2-b2 b2-c2"
TWO_TO_X = TWO_BOXES_BUT_THE_MIDDLE + " b1-b2"
LOWER_HALF_FOR_O = " a2-a3 a3-b3 b3-c3 c2-c3 b2-b3"


def test_sq1_nine_dots_twelve_grey_lines_and_a_drawn_line_is_black() -> None:
    board = GAME.board(Params())
    assert (len(board.dots), len(board.lines), len(board.cells)) == (9, 12, 4)
    assert GAME.marks(after("a1-b1 b2-c2")) == {"a1-b1": Mark(None, Piece.LINE), "b2-c2": Mark(None, Piece.LINE)}


def test_sq3_a_completed_box_has_its_owners_symbol() -> None:
    assert [style.symbol for style in GAME.seats(Params())] == ["X", "O"]
    before, state = after("a1-b1 a1-a2 a2-b2"), after("a1-b1 a1-a2 a2-b2 b1-b2")
    assert GAME.changes(before, state) == {"b1-b2": Mark(None, Piece.LINE), "#a1": Mark(1, Piece.BOX)}


def test_who_waits_for_the_other_player_is_sent_to_no_button() -> None:
    """A match waits where no Start is; the document's sentence is beside Start."""
    assert GAME.prompt == "Waiting for the other player."


def test_sq7_x_moves_first_and_the_status_is_the_documents() -> None:
    assert str(GAME.status(after(""))) == "Current Turn: X"
    assert str(GAME.status(after("a1-b1"))) == "Current Turn: O"


@pytest.mark.parametrize("move", ["a1-b1", "b1-a1"])
def test_sq7_ru_sq4_a_taken_line_is_refused_with_its_own_code_and_the_turn_stays(move: str) -> None:
    state = after("a1-b1")
    assert refusal(state, move) == ("taken", "This line is drawn already.")
    assert state == after("a1-b1")
    assert str(GAME.status(state)) == "Current Turn: O"


@pytest.mark.parametrize(
    ("move", "code"),
    [("a1-b2", "diagonal"), ("a1-c1", "not_adjacent"), ("a1-d1", "no_such_dot"), ("a1", "malformed_move")],
)
def test_other_faults_have_the_codes_of_all_dots_games(move: str, code: str) -> None:
    assert refusal(after(""), move)[0] == code


def test_l10_sq4_completing_a_box_passes_the_turn() -> None:
    state = after("a1-b1 a1-a2 a2-b2 b1-b2")
    assert GAME.scores(state) == ((0,), (1,))
    assert GAME.to_move(state) == 0


def test_l10_ru_sq1_completing_two_boxes_passes_the_turn_and_both_are_claimed() -> None:
    before, state = after(TWO_BOXES_BUT_THE_MIDDLE), after(TWO_TO_X)
    assert GAME.to_move(before) == 0
    assert GAME.changes(before, state) == {
        "b1-b2": Mark(None, Piece.LINE),
        "#a1": Mark(0, Piece.BOX),
        "#b1": Mark(0, Piece.BOX),
    }
    assert GAME.scores(state) == ((2,), (0,))
    assert GAME.to_move(state) == 1


def test_ru_sq2_two_each_is_a_draw() -> None:
    state = after(TWO_TO_X + LOWER_HALF_FOR_O)
    over = GAME.outcome(state)
    assert over is not None
    assert over.winner is None
    assert str(over.text) == str(GAME.status(state)) == "It is a draw: 2 - 2"


def test_sq8_the_letter_with_more_boxes_wins() -> None:
    seen = set()
    for seed in range(200):
        rng, state = Random(seed), after("")
        while GAME.to_move(state) is not None:
            state = GAME.play(state, rng.choice(GAME.legal_moves(state)))
        (x,), (o,) = GAME.scores(state)
        assert x + o == 4
        over = GAME.outcome(state)
        assert over is not None
        assert str(over.text) == ("Winner is: X" if x > o else "Winner is: O" if o > x else "It is a draw: 2 - 2")
        seen.add(str(over.text))
    assert len(seen) == 3


@pytest.mark.parametrize("move", ["a1-b1", "a1-b2", "?"])
def test_sq9_after_the_end_every_line_is_refused(move: str) -> None:
    assert refusal(after(TWO_TO_X + LOWER_HALF_FOR_O), move)[0] == Code.FINISHED


def test_sq5_first_the_computer_completes_a_box() -> None:
    assert choices(after("a1-b1 a1-a2 a2-b2")) == {"b1-b2"}


def test_ru_sq3_two_boxes_before_one() -> None:
    state = after(TWO_BOXES_BUT_THE_MIDDLE + " a3-b3 a2-a3")
    assert GAME.scores(GAME.play(state, "b2-b3")) != GAME.scores(state)
    assert choices(state) == {"b1-b2"}


def test_sq5_else_a_line_that_is_the_first_of_each_box_it_touches() -> None:
    """With a1-b1 drawn, box #a1 has a side; what touches it would be its second."""
    assert choices(after("")) == set(GAME.legal_moves(after("")))
    assert choices(after("a1-b1")) == set(GAME.legal_moves(after(""))) - {"a1-b1", "a1-a2", "b1-b2", "a2-b2"}


def test_sq5_else_a_second_line() -> None:
    """Every box has one side, the left one two: what touches that one would be its third."""
    state = after("a1-b1 b1-c1 a3-b3 b3-c3 a1-a2")
    assert choices(state) == {"c1-c2", "b2-c2", "a2-a3", "b2-b3", "c2-c3"}


def test_sq5_else_a_third_line() -> None:
    state = after("a1-b1 b1-c1 a3-b3 b3-c3 a1-a2 c1-c2 a2-a3 c2-c3")
    assert choices(state) == set(GAME.legal_moves(state)) == {"a2-b2", "b2-c2", "b1-b2", "b2-b3"}
