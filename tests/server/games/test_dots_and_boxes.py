"""Dots and Boxes by its document; what holds for every game is in `test_contract.py`."""

from __future__ import annotations

import time
from random import Random

import pytest

from protocol.board import Mark, Piece
from protocol.errors import BadOption, Code, IllegalMove, MalformedMove, Refusal
from server.games.dots_and_boxes import GAME, Params, State


def after(moves: str, width: int = 3, height: int = 3) -> State:
    state = GAME.new(Params(width, height))
    for move in moves.split():
        state = GAME.play(state, move)
    return state


def refusal(state: State, move: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        GAME.play(state, move)
    return caught.value


ONE_BOX = "a1-b1 a1-a2 b1-b2 a2-b2"
TWO_BOXES_BUT_THE_MIDDLE = "a1-b1 b1-c1 a1-a2 c1-c2 a2-b2 b2-c2"


def test_c1_the_standard_board_has_8_by_8_dots_and_49_boxes() -> None:
    board = GAME.board(GAME.parse_options({}))
    assert (len(board.dots), len(board.lines), len(board.cells)) == (64, 112, 49)
    assert (board.dots[0].id, board.dots[-1].id) == ("a1", "h8")


@pytest.mark.parametrize("width", [2, 3, 8, 15])
@pytest.mark.parametrize("height", [2, 5, 15])
def test_ru_db1_a_board_of_w_by_h_dots_has_all_its_lines(width: int, height: int) -> None:
    board = GAME.board(Params(width, height))
    assert len(board.lines) == width * (height - 1) + height * (width - 1)
    assert len(board.cells) == (width - 1) * (height - 1)
    assert {(line.a, line.b) for line in board.lines} == {tuple(line.id.split("-")) for line in board.lines}
    assert GAME.legal_moves(GAME.new(Params(width, height))) == tuple(line.id for line in board.lines)


def test_ru_db1_the_menu_offers_six_sizes() -> None:
    sizes = [(preset.options["width"], preset.options["height"]) for preset in GAME.presets]
    assert sizes == [(3, 3), (4, 4), (5, 5), (6, 6), (8, 8), (10, 10)]


@pytest.mark.parametrize("given", [{"width": 1}, {"height": 16}, {"width": True}, {"width": "8"}, {"depth": 3}])
def test_ru_db1_other_sizes_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        GAME.parse_options(given)


def test_7_1_1_3_at_the_start_nothing_is_drawn_and_the_scores_are_zero() -> None:
    state = after("")
    assert not GAME.marks(state)
    assert GAME.scores(state) == ((0,), (0,))
    assert str(GAME.prompt) == "Ready to start: Player 1 draws the first line."


def test_7_2_1_1_a_line_is_drawn_in_the_players_colour() -> None:
    assert GAME.marks(after("a1-b1 c2-c3")) == {"a1-b1": Mark(0, Piece.LINE), "c2-c3": Mark(1, Piece.LINE)}


def test_ru_db2_the_other_spelling_is_the_same_line() -> None:
    assert after("b1-a1 a2-a1") == after("a1-b1 a1-a2")
    assert GAME.canonical(after(""), "b1-a1") == "a1-b1"
    assert GAME.canonical(after(""), "a2-a1") == "a1-a2"


def test_7_2_1_2_the_fourth_side_takes_the_box_and_keeps_the_turn() -> None:
    before, state = after(ONE_BOX[: -len(" a2-b2")]), after(ONE_BOX)
    assert GAME.to_move(before) == GAME.to_move(state) == 1
    assert GAME.changes(before, state) == {"a2-b2": Mark(1, Piece.LINE), "#a1": Mark(1, Piece.BOX)}
    assert GAME.scores(state) == ((0,), (1,))  # 7.3.1.4
    assert GAME.to_move(GAME.play(state, "c1-c2")) == 0


def test_7_3_3_2_going_back_to_an_earlier_state_takes_marks_away() -> None:
    assert GAME.changes(after(ONE_BOX), after("a1-b1 a1-a2 b1-b2")) == {"a2-b2": None, "#a1": None}


def test_7_3_1_2_the_status_says_whose_turn_it_is() -> None:
    assert str(GAME.status(after(""))) == "Player 1's turn"
    assert str(GAME.status(after("a1-b1"))) == "Player 2's turn"


@pytest.mark.parametrize("middle", ["b1-b2", "b2-b1"])
def test_l8_ru_db3_one_line_closes_two_boxes_for_two_points_and_one_further_move(middle: str) -> None:
    """DB 7.3.1.4."""
    before = after(TWO_BOXES_BUT_THE_MIDDLE, width=3, height=3)
    assert GAME.to_move(before) == 0
    state = GAME.play(before, middle)
    assert GAME.scores(state) == ((2,), (0,))
    assert GAME.to_move(state) == 0
    assert GAME.to_move(GAME.play(state, "a2-a3")) == 1


def test_l8_ru_db3_sides_drawn_by_either_player_count() -> None:
    drawn_by = {mark.seat for mark in GAME.marks(after(TWO_BOXES_BUT_THE_MIDDLE)).values()}
    assert drawn_by == {0, 1}


@pytest.mark.parametrize(
    ("move", "code", "sentence"),
    [
        ("a1-b2", "diagonal", "Dots are joined across or down, never diagonally."),
        ("b1-a3", "diagonal", "Dots are joined across or down, never diagonally."),
        ("a1-b1", "already_joined", "These two dots are joined already."),
        ("b1-a1", "already_joined", "These two dots are joined already."),
        ("a1-c1", "not_adjacent", "Only two dots next to each other can be joined."),
        ("a3-a1", "not_adjacent", "Only two dots next to each other can be joined."),
        ("b2-b2", "not_adjacent", "Only two dots next to each other can be joined."),
        ("a1-d1", "no_such_dot", "There is no dot “d1” on this board."),
        ("a0-a1", "no_such_dot", "There is no dot “a0” on this board."),
        ("z99-a4", "no_such_dot", "There is no dot “z99” on this board."),
    ],
)
def test_7_3_2_the_refusals_are_told_apart_and_the_turn_stays(move: str, code: str, sentence: str) -> None:
    """`DB 7.3.2.1` to `7.3.2.3`, `RU-DB5`."""
    state = after("a1-b1")
    refused = refusal(state, move)
    assert isinstance(refused, IllegalMove)
    assert (refused.code, str(refused.text)) == (code, sentence)
    assert state == after("a1-b1")
    assert GAME.to_move(state) == 1


@pytest.mark.parametrize(
    "move",
    ["", "a1", "a1-", "-b1", "a1-b1-c1", "a1 b1", "a1xb1", "A1-B1", "a1-b1\n", "5:a1-b1", "a1-b1000", "a-b", "#a1"],
)
def test_what_is_no_pair_of_dots_is_malformed(move: str) -> None:
    assert isinstance(refusal(after("a1-b1"), move), MalformedMove)


@pytest.mark.parametrize(
    ("move", "code"),
    [("a1-d2", "no_such_dot"), ("a1-c3", "diagonal"), ("a1-b2", "diagonal"), ("a1-a3", "not_adjacent")],
)
def test_ru_db5_the_first_of_several_faults_is_named(move: str, code: str) -> None:
    assert refusal(after("a1-b1 a1-a2"), move).code == code


@pytest.mark.parametrize("move", ["a1-b1", "a1-b2", "a1-z9", "nonsense"])
def test_ru_db5_over_comes_before_all_other_faults(move: str) -> None:
    assert refusal(after(ONE_BOX, 2, 2), move).code == Code.FINISHED


def test_7_3_1_3_the_line_that_fills_the_last_box_shows_the_winner() -> None:
    state = after(ONE_BOX, 2, 2)
    assert GAME.to_move(state) is None
    assert str(GAME.status(state)) == "Player 2 wins, 1 - 0"
    over = GAME.outcome(state)
    assert over is not None
    assert (over.winner, over.reason) == (1, "score")


def test_7_2_1_3_on_the_standard_board_the_scores_total_49_and_somebody_wins() -> None:
    rng, state = Random(7), GAME.new(Params())
    while GAME.to_move(state) is not None:
        state = GAME.play(state, rng.choice(GAME.legal_moves(state)))
    (first,), (second,) = GAME.scores(state)
    over = GAME.outcome(state)
    assert over is not None
    assert first + second == 49
    assert over.winner == (0 if first > second else 1)
    assert str(over.text) == f"Player {over.winner + 1} wins, {max(first, second)} - {min(first, second)}"


def test_ru_db4_an_even_number_of_boxes_can_be_a_draw() -> None:
    state = after(ONE_BOX + " b1-c1 c1-c2 b2-c2", 3, 2)
    assert str(GAME.status(state)) == "Player 2 wins, 2 - 0"
    state = after("b1-c1 a1-b1 a1-a2 b1-b2 a2-b2 c1-c2 b2-c2", 3, 2)
    assert GAME.scores(state) == ((1,), (1,))
    assert str(GAME.status(state)) == "Draw, 1 - 1"
    over = GAME.outcome(state)
    assert over is not None
    assert over.winner is None


def test_ru_db4_play_goes_on_when_the_winner_is_settled() -> None:
    state = State(3, 3, lines="00000000.00.", boxes="000.", turn=0)
    assert GAME.outcome(state) is None
    assert GAME.to_move(state) == 0


def test_13_1_player_1_is_dark_blue_and_player_2_light_blue_and_symbols_differ() -> None:
    first, second = GAME.seats(Params())
    assert (first.name, second.name) == ("Player 1", "Player 2")
    assert first.colour == "#00008b"
    assert second.colour == "#4aa3df"
    assert first.symbol != second.symbol


@pytest.mark.parametrize(
    "words", ["fourth side", "click", "arrow keys", "Enter", "?", "A gives the game up", "q quits"]
)
def test_7_3_1_5_the_help_has_the_rules_and_the_controls(words: str) -> None:
    assert words in GAME.help


def choice(state: State, seed: int = 0) -> str:
    assert GAME.choose is not None
    return GAME.choose(state, Random(seed))


def test_8_3_the_computer_closes_a_box_and_two_before_one() -> None:
    state = after("a1-b1 a1-a2 a2-b2 c1-c2 c1-d1 c2-d2 b1-c1 b2-c2 d2-d3 c3-d3 c2-c3", 4, 3)
    assert {move for move in GAME.legal_moves(state) if GAME.scores(GAME.play(state, move)) != GAME.scores(state)} == {
        "b1-b2",
        "d1-d2",
    }
    assert {choice(GAME.play(state, "d1-d2"), seed) for seed in range(20)} == {"b1-b2"}
    one_or_two = after(TWO_BOXES_BUT_THE_MIDDLE + " a3-b3 a2-a3")
    assert GAME.play(one_or_two, "b2-b3").boxes.count("0") == 1
    assert {choice(one_or_two, seed) for seed in range(20)} == {"b1-b2"}


def safe_lines(state: State) -> list[str]:
    """The lines after which no box has three sides, counted by trying what the opponent could close."""
    return [line for line in GAME.legal_moves(state) if not closable(GAME.play(state, line))]


def closable(state: State) -> list[str]:
    return [line for line in GAME.legal_moves(state) if GAME.scores(GAME.play(state, line)) != GAME.scores(state)]


@pytest.mark.parametrize("seed", range(5))
def test_8_3_the_computer_gives_no_box_away_while_it_can_help_it(seed: int) -> None:
    state = GAME.new(Params(5, 5))
    drawn = 0
    while safe_lines(state):
        state = GAME.play(state, choice(state, seed))
        drawn += 1
        assert not closable(state)
    assert drawn >= 10


def test_8_3_the_computer_gives_the_smallest_chain() -> None:
    """A corridor of three boxes above; below it a corner of one, and a pair: the corner is given."""
    state = after("a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2 b2-b3 c3-d3", 4, 3)
    assert not closable(state)
    assert not safe_lines(state)
    assert {choice(state, seed) for seed in range(30)} == {"a2-a3", "a3-b3"}


def test_8_3_the_computer_needs_under_100_ms_on_the_largest_board() -> None:
    rng, state, slowest = Random(1), GAME.new(Params(15, 15)), 0.0
    assert GAME.choose is not None
    while GAME.to_move(state) is not None:
        start = time.thread_time()
        line = GAME.choose(state, rng)
        slowest = max(slowest, time.thread_time() - start)
        state = GAME.play(state, line)
    assert slowest < 0.1
