"""The hand over the board: clicks, two clicks, drags and keys, over every kind of board, at any size, either way up."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from msgspec import structs

from client.shown.board.scene import View, cell_centre, fit
from client.window.hands.gestures import (
    STONE,
    Done,
    Hand,
    after_change,
    arrow,
    let_go,
    move,
    press,
    release,
    take_stone,
    touch_at_cursor,
)
from protocol.board import Mark, Piece
from protocol.messages import Snapshot
from tests.client.positions import dots_board, hex_board, macro_board, snapshot, squares_board

SIZES = [(320, 240), (900, 700), (3_800, 2_000)]
DOTS = snapshot(dots_board(4, 4))
MEN = {"9": Mark(0, Piece.MAN), "11": Mark(0, Piece.MAN), "1": Mark(0, Piece.MAN), "22": Mark(1, Piece.MAN)}
DRAUGHTS = snapshot(squares_board(), legal=("9-13", "11x18", "11x18x25", "11-16"), marks=MEN)
HEXES = snapshot(hex_board(4), legal=("a1", "c3"))
MACRO = snapshot(macro_board())

sizes = pytest.mark.parametrize("size", SIZES)
turned = pytest.mark.parametrize("turned", [False, True], ids=["upright", "turned"])


def place(match: Snapshot, view: View, element: str) -> tuple[float, float]:
    """Where the middle of an element is on screen."""
    for dot in match.board.dots:
        if dot.id == element:
            return view.place(dot.x, dot.y)
    for line in match.board.lines:
        if line.id == element:
            return view.place((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2)
    cell = next(cell for cell in match.board.cells if cell.id == element)
    return view.place(*cell_centre(cell))


def click(match: Snapshot, view: View, element: str, hand: Hand | None = None) -> Done:
    """Down and up at one place."""
    at = place(match, view, element)
    return release(press(hand or Hand(), match, view, *at).hand, match, view, *at)


def drag(match: Snapshot, view: View, *elements: str) -> Done:
    """Down on the first, over the others in small steps, up on the last."""
    hand = press(Hand(), match, view, *place(match, view, elements[0])).hand
    for (x1, y1), (x2, y2) in pairwise(place(match, view, element) for element in elements):
        for step in range(1, 21):
            hand = move(hand, match, view, x1 + (x2 - x1) * step / 20, y1 + (y2 - y1) * step / 20).hand
    return release(hand, match, view, *place(match, view, elements[-1]))


@sizes
@turned
def test_from_dot_to_dot(size: tuple[int, int], turned: bool) -> None:
    """UD RF4: hold the button on one dot and drag to the other; in either direction."""
    view = fit(DOTS.board, *size, turned=turned)
    assert drag(DOTS, view, "b2", "b3").move == "b2-b3"
    assert drag(DOTS, view, "c1", "b1").move == "b1-c1"
    inner = fit(MACRO.board, *size, turned=turned)
    assert drag(MACRO, inner, "5:b3", "5:b2").move == "5:b2-b3"


def test_a_drag_shows_its_line_and_can_be_given_up() -> None:
    """UD RF4: let go anywhere else, and nothing was done."""
    view = fit(DOTS.board, 900, 700)
    hand = press(Hand(), DOTS, view, *place(DOTS, view, "b2")).hand
    x, y = place(DOTS, view, "c3")
    dragging = move(hand, DOTS, view, x - 40, y - 40).hand
    assert dragging.drags
    assert (dragging.x, dragging.y) == (x - 40, y - 40)
    assert release(dragging, DOTS, view, -50, -50) == Done(
        replace(dragging, held=None, hovered=None, picked=(), x=-50, y=-50)
    )


@pytest.mark.parametrize("over", ["b3", "d2"])
def test_what_no_line_joins_is_sent_for_the_server_to_refuse(over: str) -> None:
    """DB 7.3.2.1 to 7.3.2.3: the server has the words."""
    view = fit(DOTS.board, 900, 700)
    assert drag(DOTS, view, "a2", over).move == f"a2-{over}"


@sizes
def test_a_line_is_drawn_by_a_click_on_it_or_on_its_dots(size: tuple[int, int]) -> None:
    """DB 7.2.1.1, DB 8.1, SQ7."""
    view = fit(DOTS.board, *size)
    assert click(DOTS, view, "b2-b3").move == "b2-b3"
    first = click(DOTS, view, "b2")
    assert (first.move, first.hand.picked) == (None, ("b2",))
    assert click(DOTS, view, "b3", first.hand).move == "b2-b3"
    assert click(DOTS, view, "b2", first.hand).hand.picked == ()


def test_a_drag_that_ends_on_another_line_is_no_move() -> None:
    view = fit(DOTS.board, 900, 700)
    assert drag(DOTS, view, "a1-b1", "a2-b2").move is None
    assert drag(DOTS, view, "a1", "c2-c3").move is None


@sizes
@turned
def test_a_stone_is_clicked_or_dragged(size: tuple[int, int], turned: bool) -> None:
    """HX SR2: by drag-and-drop from beside the board, or by a click."""
    view = fit(HEXES.board, *size, turned=turned)
    assert click(HEXES, view, "c3").move == "c3"
    held = take_stone(Hand(), 5, 5)
    assert (held.held, held.drags) == (STONE, True)
    over = move(held, HEXES, view, *place(HEXES, view, "c3")).hand
    assert over.hovered == "c3"
    assert release(over, HEXES, view, *place(HEXES, view, "c3")).move == "c3"
    assert release(over, HEXES, view, -90, -90).move is None


def test_an_invalid_cell_is_sent_for_the_server_to_refuse() -> None:
    """HX SR4.1."""
    view = fit(HEXES.board, 900, 700)
    assert click(HEXES, view, "d4").move == "d4"


@sizes
@turned
def test_a_piece_is_dragged_to_where_it_goes(size: tuple[int, int], turned: bool) -> None:
    """CK 5.1: also on the board seen from the other side."""
    view = fit(DRAUGHTS.board, *size, turned=turned)
    assert drag(DRAUGHTS, view, "9", "13").move == "9-13"
    first = click(DRAUGHTS, view, "9")
    assert first.hand.picked == ("9",)
    assert click(DRAUGHTS, view, "13", first.hand).move == "9-13"


def test_a_piece_is_dragged_along_its_hops() -> None:
    """CK R2.6, RU-CK3: let go where the move is to end; a chain may go on by a click."""
    view = fit(DRAUGHTS.board, 900, 700)
    assert drag(DRAUGHTS, view, "11", "18", "25").move == "11x18x25"
    assert drag(DRAUGHTS, view, "11", "18").move == "11x18"


def test_a_piece_that_cannot_go_there_asks_the_server() -> None:
    """CK R7.4, 6.1: an invalid move is cancelled and the player warned."""
    view = fit(DRAUGHTS.board, 900, 700)
    assert drag(DRAUGHTS, view, "9", "20").move == "9-20"
    assert drag(DRAUGHTS, view, "20", "16").move is None, "nothing lies there to be dragged"


def test_the_keyboard_alone_will_do() -> None:
    """Issue 6: everything is reachable with the keyboard alone."""
    shown = arrow(Hand(), HEXES, 1, 0)
    assert shown.shows_cursor
    assert shown.cursor is not None
    assert shown.cursor.id in HEXES.legal
    assert touch_at_cursor(shown, HEXES).move == shown.cursor.id
    right = arrow(shown, HEXES, 1, 0)
    assert right.cursor is not None
    assert right.cursor.id != shown.cursor.id


def test_the_mouse_hides_the_cursor_and_an_arrow_shows_it_where_it_was() -> None:
    view = fit(HEXES.board, 900, 700)
    shown = arrow(Hand(), HEXES, 1, 0)
    moved = move(shown, HEXES, view, *place(HEXES, view, "a1")).hand
    assert not moved.shows_cursor
    assert moved.hovered == "a1"
    again = arrow(moved, HEXES, 1, 0)
    assert (again.shows_cursor, again.cursor) == (True, shown.cursor)


def test_letting_go_drops_what_is_picked() -> None:
    view = fit(DRAUGHTS.board, 900, 700)
    picked = click(DRAUGHTS, view, "9").hand
    assert let_go(picked).picked == ()


def test_what_is_picked_stays_only_as_long_as_it_leads_somewhere() -> None:
    view = fit(DRAUGHTS.board, 900, 700)
    picked = click(DRAUGHTS, view, "9").hand
    later = structs.replace(DRAUGHTS, version=DRAUGHTS.version + 1)
    assert after_change(picked, DRAUGHTS, later).picked == ("9",)
    assert after_change(picked, DRAUGHTS, structs.replace(later, legal=("11-16",))).picked == ()
    assert after_change(picked, DRAUGHTS, structs.replace(later, match="m2")) == Hand()
