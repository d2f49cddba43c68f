"""Scenes as characters, and clicks on characters as their inverse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from client.shown.board.coordinates import coordinates
from client.shown.board.scene import Drawn, Hints, Kind, scene
from client.terminal.drawing.layout import Layout, choose_layout
from client.terminal.drawing.pieces import FULL, LOWER, UPPER, disc
from client.terminal.drawing.raster import Canvas, raster, text_of
from protocol.board import Board, Mark, Piece, SeatStyle
from protocol.messages import LastMove, SeatInfo, Snapshot
from tests.client.positions import dots_board, hex_board, macro_board, snapshot, squares_board
from tests.client.refereed import Refereed

BOARDS = {"dots": dots_board(5, 4), "squares": squares_board(), "hexes": hex_board(4), "macro": macro_board()}
SIZES = [(0, 0), (40, 18), (58, 26), (200, 80)]


def drawn(match: Snapshot, size: tuple[int, int] = (0, 0), *, turned: bool = False, **hints: object) -> Canvas:
    layout = choose_layout(match.board, *size, turned=turned)
    shapes = scene(match, layout.view, Hints(**hints))  # type: ignore[arg-type]
    return raster(shapes, layout, coordinates(match.board))


def lines(match: Snapshot, size: tuple[int, int] = (0, 0), **hints: object) -> list[str]:
    return text_of(drawn(match, size, **hints))  # type: ignore[arg-type]


def test_dots_and_boxes_without_colour() -> None:
    """The two players' lines differ in their strokes, boxes in their symbols."""
    match = snapshot(
        marks={
            "a1-b1": Mark(0, Piece.LINE), "a1-a2": Mark(1, Piece.LINE), "a2-b2": Mark(1, Piece.LINE),
            "b1-b2": Mark(0, Piece.LINE), "#a1": Mark(1, Piece.BOX),
        }
    )  # fmt: skip
    assert lines(match, shows_legal=False) == [
        "  a   b   c",
        "1 •━━━•┈┈┈•",
        "  ║ ◇ ┃   ┊",
        "2 •═══•┈┈┈•",
        "  ┊   ┊   ┊",
        "3 •┈┈┈•┈┈┈•",
    ]


def test_a_pending_line_is_dashed_and_a_picked_dot_open() -> None:
    assert lines(snapshot(), pending=("a1-b1", "a1-a2"), picked=("b2",))[1:4] == [
        "1 •┅┅┅•┈┈┈•",
        "  ┇   ┊   ┊",
        "2 •┈┈┈◉┈┈┈•",
    ]


def test_the_cursor_is_reversed_and_the_last_move_glows() -> None:
    match = snapshot(marks={"a1-b1": Mark(1, Piece.LINE)}, last=LastMove(1, "a1-b1"))
    canvas = drawn(match, cursor="a2-b2")
    assert [glyph.ink.reverse for glyph in canvas[3]] == [False] * 3 + [True] * 3 + [False] * 6
    assert canvas[1][3].ink.ground != canvas[1][7].ink.ground


def test_squares_pieces_and_targets() -> None:
    marks = {"9": Mark(0, Piece.MAN), "11": Mark(0, Piece.KING), "22": Mark(1, Piece.MAN)}
    match = snapshot(squares_board(), marks=marks, legal=("9-13", "11x18", "11x18x25"))
    found = lines(match, picked=("9",))
    assert found[4] == "     [● ]             ●♔"
    assert found[5] == "     9       10      11      12"
    assert any("∘" in line for line in found)


@pytest.mark.parametrize("size", [(0, 0), (66, 34), (120, 60)])
def test_no_mark_of_what_can_be_played_lies_on_a_piece(size: tuple[int, int]) -> None:
    """Issue 14, 12: with or without a move, and whoever is to move, a piece looks the same."""
    match = Refereed("checkers").snapshot()
    plain, marked = drawn(match, size), drawn(match, size, shows_legal=True)
    layout = choose_layout(match.board, *size)
    on_pieces = [
        (row, column)
        for row in range(layout.rows)
        for column in range(layout.columns)
        if layout.element_at(match.board, column, row) in match.marks
    ]
    assert on_pieces
    assert all(plain[row][column] == marked[row][column] for row, column in on_pieces)


def test_a_turned_board_has_the_own_side_at_the_bottom() -> None:
    """CK 5.1."""
    match = snapshot(squares_board(), marks={"1": Mark(0, Piece.MAN)})
    layout = choose_layout(match.board, 0, 0, turned=True)
    found = text_of(raster(scene(match, layout.view, Hints()), layout))
    assert [index for index, line in enumerate(found) if "●" in line] == [14]
    assert found[1].split() == ["32", "31", "30", "29"]


def test_hexagons_lie_in_shifted_rows() -> None:
    match = snapshot(hex_board(3), legal=("a1",), marks={"c3": Mark(0, Piece.STONE)})
    assert lines(match) == [
        "     a ∘   ·   ·  3",
        "   b ·   ·   ·   ·  4",
        " c ·   ·   ●   ·   ·  5",
        "   d ·   ·   ·   ·  4",
        "     e ·   ·   ·  3",
    ]


def test_a_hovered_cell_has_a_tick_or_a_cross() -> None:
    """HX SR4.E1, SR4.E2."""
    match = snapshot(hex_board(3), legal=("a1",))
    assert "✓" in lines(match, hovered="a1")[0]
    assert "✗" in lines(match, hovered="a2")[0]


def test_groups_have_their_size_and_what_would_be_taken_a_cross() -> None:
    """HX SR4: and what a refusal is about has a sign, each at its stone."""
    marks = {cell: Mark(0, Piece.STONE) for cell in ("c1", "c2")} | {
        cell: Mark(1, Piece.STONE) for cell in ("c4", "e1")
    }
    board = structs.replace(hex_board(3), groups=True)
    match = snapshot(board, legal=("c3",), marks=marks)
    assert lines(match)[2] == " c ●2  ●   ∘   ◇   ·  5"
    assert lines(match, hovered="c3")[2] == " c ●2  ●   ✓3 ✗◇   ·  5"
    assert lines(match, hovered="a1", about=("c1", "c2"))[2] == " c!●2 !●   ∘   ◇   ·  5"
    last = {cell: Mark(0, Piece.STONE) for cell in ("b4", "c5")}
    rows = lines(snapshot(board, marks=last))
    assert [row for row in rows if "●2 " in row], "the size of a group is no part of a number at the edge"


@pytest.mark.parametrize(("columns", "rows"), [(6, 3), (8, 4), (10, 5), (12, 6), (14, 7)])
def test_a_piece_is_round_and_in_the_middle(columns: int, rows: int) -> None:
    """Of half characters, which are squares: the same from all four sides, and nowhere to the corners."""
    covered = {
        (column, 2 * row + half)
        for column, row, text in disc(columns, rows)
        for half in (0, 1)
        if text in (FULL, (UPPER, LOWER)[half])
    }
    assert covered == {(columns - 1 - column, half) for column, half in covered}
    assert covered == {(column, 2 * rows - 1 - half) for column, half in covered}
    assert covered == {(half, column) for column, half in covered}
    assert len(covered) >= 0.5 * columns * 2 * rows
    widths = [sum(half == row for _, half in covered) for row in range(rows)]
    assert widths == sorted(widths)
    assert len(set(widths) - {0}) > 1


def test_pieces_and_hexagons_grow_with_the_window() -> None:
    man = snapshot(squares_board(), marks={"9": Mark(0, Piece.MAN)})
    assert [line.ljust(13)[7:13] for line in lines(man, (60, 26))[6:9]] == ["9▄  ▄ ", "  ●   ", " ▀  ▀ "]
    stone = snapshot(hex_board(3), marks={"c3": Mark(0, Piece.STONE)})
    assert lines(stone, (40, 12))[4:9] == [
        "   ▄▄▄▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀▄▄▄",
        " c  ·     ·     ●     ·     ·   5",
        "   ▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀",
        "    d  ·     ·     ·     ·   4",
        "      ▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀▄▄▄▀▀▀",
    ]
    layouts = [
        choose_layout(squares_board(), width, height).columns for width, height in ((40, 18), (60, 26), (200, 80))
    ]
    assert layouts == sorted(set(layouts))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_lines_are_named_at_the_edge(size: tuple[int, int], turned: bool) -> None:
    """Columns above and rows at the left; seen from the other side below and at the right, the last one first."""
    layout = choose_layout(dots_board(5, 11), *size, turned=turned)
    match = snapshot(dots_board(5, 11))
    found = text_of(raster(scene(match, layout.view, Hints()), layout, coordinates(match.board)))
    letters, rows = (found[-1], found[:-1]) if turned else (found[0], found[1:])
    dots = [x for x, text in enumerate(rows[0]) if text == "•"]
    assert [letters[x] for x in dots] == list("edcba" if turned else "abcde")
    named = [row for row in rows if "•" in row]
    numbers = [(row.rpartition("•")[2] if turned else row.partition("•")[0]).strip() for row in named]
    assert numbers == [str(number) for number in (range(11, 0, -1) if turned else range(1, 12))]


def test_micro_games_are_numbered_and_show_who_won_them() -> None:
    """UD RNF3: also where a region begins with a dot, as in the game itself."""
    match = Refereed("ultimate-dots-and-boxes").snapshot()
    found = lines(structs.replace(match, marks={"2": Mark(1, Piece.WON)}))
    assert found[0].split() == ["1", "a", "b", "c", "d", "◇", "a", "b", "c", "d", "3", "a", "b", "c", "d"]
    assert found[8].split() == ["4", "5", "6"]
    assert found[16].split() == ["7", "8", "9"]


def test_regions_show_their_number_or_their_winner() -> None:
    """UD RF4: the micro game to play in is bright, the others shaded."""
    match = snapshot(macro_board(), focus=("5",), marks={"1": Mark(1, Piece.WON)})
    canvas = drawn(match)
    found = text_of(canvas)
    assert found[1].strip().startswith("◇◇")
    assert {"2", "3"} <= set(found[1].split())
    assert canvas[10][21].ink.ground != canvas[2][5].ink.ground


def test_a_symbol_of_no_or_double_width_becomes_the_seats_number() -> None:
    wide = SeatInfo(style=SeatStyle("Wide", "#00008b", "漢"), name="Ada")
    empty = SeatInfo(style=SeatStyle("None", "#00008b", ""), name="Ben")
    match = snapshot(seats=(wide, empty), marks={"#a1": Mark(0, Piece.BOX), "#b1": Mark(1, Piece.BOX)})
    assert lines(match)[2].split() == ["┊", "1", "┊", "2", "┊"]


def test_an_unknown_tone_or_colour_does_no_harm() -> None:
    board = Board(width=1, height=1, cells=squares_board().cells[:1], tones={"light": "\x1b[31m"})  # type: ignore[dict-item]
    assert drawn(snapshot(board))


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("size", SIZES)
def test_the_largest_layout_that_fits_is_taken(name: str, size: tuple[int, int]) -> None:
    board = BOARDS[name]
    layout, smallest = choose_layout(board, *size), choose_layout(board, 0, 0)
    assert layout == smallest or (layout.columns <= size[0] and layout.rows <= size[1])
    assert smallest.columns <= layout.columns
    assert choose_layout(board, 500, 500).columns >= layout.columns


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("turned", [False, True])
def test_a_click_on_a_drawn_character_means_what_was_drawn(name: str, size: tuple[int, int], turned: bool) -> None:
    """Hit testing is the inverse of drawing, character by character."""
    board = BOARDS[name]
    layout = choose_layout(board, *size, turned=turned)
    for shape in scene(snapshot(board), layout.view, Hints()):
        if shape.kind is Kind.REGION or (shape.kind is Kind.CELL and board.lines):
            continue
        for column, row in characters(shape, layout):
            assert layout.element_at(board, column, row) == shape.id


def characters(shape: Drawn, layout: Layout) -> set[tuple[int, int]]:
    """The characters that change when the cursor is on the shape, or that a dot lies on."""
    if shape.kind is Kind.DOT:
        return {(round(shape.x1), round(shape.y1))}
    with_cursor, without = raster([replace(shape, cursor=True)], layout), raster([shape], layout)
    return {(x, y) for y, row in enumerate(with_cursor) for x, glyph in enumerate(row) if glyph != without[y][x]}


def test_every_shape_is_drawn_somewhere() -> None:
    for board in BOARDS.values():
        layout = choose_layout(board, 0, 0)
        for shape in scene(snapshot(board), layout.view, Hints()):
            if shape.kind is Kind.LINE or (shape.kind is Kind.CELL and not board.lines):
                assert characters(shape, layout)
