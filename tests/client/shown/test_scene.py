"""Drawing as a list of shapes, and hit testing as its inverse, for every kind of board."""

from __future__ import annotations

import math

import pytest

from client.shown.board.cursor import Cursor, home, places, step
from client.shown.board.scene import Drawn, Hints, Kind, View, cell_centre, fit, hit, is_turned, scene
from protocol.board import Board, Mark, Piece, Shape, Tone
from protocol.messages import LastMove
from tests.client.positions import dots_board, hex_board, macro_board, snapshot, squares_board

BOARDS = {"dots": dots_board(5, 4), "squares": squares_board(), "hexes": hex_board(4), "macro": macro_board()}
SIZES = [(60, 40), (320, 200), (1920, 1080)]


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Board:
    return BOARDS[request.param]


def by_id(shapes: list[Drawn]) -> dict[str, Drawn]:
    return {shape.id: shape for shape in shapes}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("turned", [False, True])
def test_everything_lies_inside_and_in_drawing_order(board: Board, size: tuple[int, int], turned: bool) -> None:
    shapes = scene(snapshot(board), fit(board, *size, turned=turned), Hints())
    assert len(shapes) == sum(map(len, (board.dots, board.lines, board.cells, board.regions)))
    assert [shape.kind.value for shape in shapes] == sorted(shape.kind.value for shape in shapes)
    for shape in shapes:
        assert -SLACK <= min(shape.x1, shape.x2) <= max(shape.x1, shape.x2) <= size[0] + SLACK
        assert -SLACK <= min(shape.y1, shape.y2) <= max(shape.y1, shape.y2) <= size[1] + SLACK
        assert (shape.x1, shape.y1) <= (shape.x2, shape.y2)


SLACK = 1e-6


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("turned", [False, True])
def test_hit_testing_is_the_inverse_of_drawing(board: Board, size: tuple[int, int], turned: bool) -> None:
    view = fit(board, *size, turned=turned)
    for shape in scene(snapshot(board), view, Hints()):
        if shape.kind is Kind.REGION or (shape.kind is Kind.CELL and board.lines):
            continue
        assert hit(board, view, (shape.x1 + shape.x2) / 2, (shape.y1 + shape.y2) / 2) == shape.id


def test_points_that_mean_nothing() -> None:
    dots = dots_board(3, 3)
    view = View(10, 10, 2, 2)
    assert hit(dots, view, 5, 5) is None
    assert hit(dots, view, -9, -9) is None
    assert hit(squares_board(), View(10, 10, 8, 8), 85, 5) is None
    hexes = hex_board(3)
    assert hit(hexes, View(10, 10, hexes.width, hexes.height), 0, 0) is None


def test_a_view_and_its_inverse() -> None:
    for turned in (False, True):
        view = View(4, 2, 7, 5, 3, 1, turned)
        assert view.lattice(*view.place(2.5, 1.25)) == pytest.approx((2.5, 1.25))


def test_the_board_is_turned_for_the_one_who_sits_there() -> None:
    """CK 5.1: each player sees the own side at the bottom; two at one screen, and spectators, see it as printed."""
    board = squares_board()
    assert is_turned(snapshot(board, you=(0,)))
    assert not is_turned(snapshot(board, you=(1,)))
    assert not is_turned(snapshot(board, you=(0, 1)))
    assert not is_turned(snapshot(board, you=()))
    shapes = by_id(scene(snapshot(board), fit(board, 80, 80, margin=0, turned=True), Hints()))
    assert (shapes["1"].x1, shapes["1"].y1) == (60, 70)


def test_shapes_carry_owner_symbol_and_colour() -> None:
    """DB 13.1: lines and boxes alike are in their player's colour; a symbol tells them apart without it."""
    match = snapshot(marks={"a1-b1": Mark(1, Piece.LINE), "#a1": Mark(0, Piece.BOX)})
    shapes = by_id(scene(match, fit(match.board, 40, 40), Hints()))
    assert (shapes["a1-b1"].owner, shapes["a1-b1"].symbol, shapes["a1-b1"].colour) == (1, "◇", "#4aa3df")
    assert (shapes["#a1"].piece, shapes["#a1"].symbol) == (Piece.BOX, "●")
    assert shapes["a1-a2"].owner is None


def test_hints_mark_cursor_pick_hover_targets_last_and_pending() -> None:
    match = snapshot(legal=("a1-a2", "b1-b2"), last=LastMove(1, "a1-b1"), to_move=0)
    hints = Hints(cursor="b1-b2", hovered="c1", picked=("a1",), pending=("b2-c2",))
    shapes = by_id(scene(match, fit(match.board, 40, 40), hints))
    assert shapes["b1-b2"].cursor
    assert shapes["c1"].hovered
    assert shapes["a1"].picked
    assert shapes["a2"].legal
    assert not shapes["b1"].legal
    assert shapes["a1-b1"].last
    assert shapes["b2-c2"].pending
    assert shapes["b2-c2"].owner == 0
    assert not shapes["a1-a2"].pending


def test_targets_are_marked_only_for_who_is_to_move() -> None:
    match = snapshot()
    view = fit(match.board, 40, 40)
    assert by_id(scene(match, view, Hints()))["a1-b1"].legal
    assert not by_id(scene(match, view, Hints(shows_legal=False)))["a1-b1"].legal


def test_a_chain_in_the_making_and_a_last_move_of_cells() -> None:
    match = snapshot(squares_board(), legal=("11x18x25",), last=LastMove(1, "22x15"))
    shapes = by_id(scene(match, fit(match.board, 80, 80), Hints(picked=("11", "18"))))
    assert shapes["25"].legal
    assert shapes["22"].last
    assert shapes["15"].last
    assert shapes["11"].tone is Tone.DARK
    assert shapes["11"].label == "11"


def test_regions_in_focus_and_won() -> None:
    """UD RF4: the micro game to play in stands out, a won one shows its owner."""
    match = snapshot(macro_board(), focus=("5",), marks={"1": Mark(1, Piece.WON)})
    shapes = by_id(scene(match, fit(match.board, 200, 200), Hints()))
    assert shapes["5"].in_focus
    assert not shapes["4"].in_focus
    assert shapes["5:a1-b1"].in_focus
    assert shapes["5:d4"].in_focus
    assert not shapes["6:a1"].in_focus
    assert (shapes["1"].owner, shapes["1"].piece) == (1, Piece.WON)
    everywhere = scene(snapshot(macro_board()), fit(match.board, 200, 200), Hints())
    assert all(shape.in_focus for shape in everywhere)


def test_hexagons_touch_and_do_not_overlap() -> None:
    match = snapshot(hex_board(3))
    shapes = by_id(scene(match, View(10, 10, 5, 5), Hints()))
    assert shapes["a1"].form is Shape.HEX
    assert shapes["a1"].x2 == pytest.approx(shapes["a2"].x1)
    assert shapes["a1"].y2 - shapes["a1"].y1 == pytest.approx(20 / math.sqrt(3))


# The cursor -------------------------------------------------------------------------------------------------------


def test_the_cursor_starts_in_the_middle_and_prefers_what_can_be_played(board: Board) -> None:
    start = home(board)
    assert start is not None
    x, y = places(board)[start.id]
    assert math.dist((x, y), (board.width / 2, board.height / 2)) <= 1.3
    chosen = home(board, (next(iter(places(board))), "no element"))
    assert chosen is not None
    assert chosen.id == next(iter(places(board)))
    assert home(Board(width=1, height=1)) is None


def test_every_element_can_be_reached_with_the_arrows(board: Board) -> None:
    start = home(board)
    assert start is not None
    seen, todo = {start.id}, [start]
    while todo:
        cursor = todo.pop()
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = step(board, cursor, right, down)
            if other.id not in seen:
                seen.add(other.id)
                todo.append(other)
    assert seen == set(places(board))


def test_down_and_up_again_lead_back(board: Board) -> None:
    start = home(board)
    assert start is not None
    assert step(board, step(board, start, 0, 1), 0, -1).id == start.id


def test_down_from_a_line_leads_to_the_line_below() -> None:
    board = dots_board(4, 4)
    path = [Cursor("b1-c1", 1.5)]
    for _ in range(4):
        path.append(step(board, path[-1], 0, 1))
    assert [cursor.id for cursor in path] == ["b1-c1", "b1-b2", "b2-c2", "b2-b3", "b3-c3"]


def test_the_arrows_mean_the_screen_also_on_a_turned_board() -> None:
    board = squares_board()
    right = step(board, Cursor("10", places(board)["10"][0]), 1, 0, turned=True)
    assert places(board)[right.id][0] == places(board)["10"][0] - 1


def test_the_cursor_stops_at_the_edge_and_recovers_from_another_board() -> None:
    board = dots_board(3, 3)
    assert step(board, Cursor("a1-b1", 0.5), -1, 0).id == "a1-b1"
    assert step(board, Cursor("a1-b1", 0.5), 0, -1).id == "a1-b1"
    assert step(board, Cursor("elsewhere", 0), 1, 0) == home(board)


def test_middles_of_cells() -> None:
    assert cell_centre(squares_board().cells[0]) == (0.5, 0.5)
