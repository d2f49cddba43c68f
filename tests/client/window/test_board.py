"""Boards as lists of shapes: all five games, at four sizes, from both sides, and told apart without colour."""

from __future__ import annotations

import math
from random import Random

import pytest
from msgspec import structs

from client.shown.board.cursor import Cursor
from client.shown.board.scene import cell_centre, hit, is_turned
from client.window.drawing import lettering
from client.window.drawing.shapes import Box, Disc, Picture, Polygon, Rect, Shape, Stroke, Text
from client.window.drawing.signs import ball, sign
from client.window.drawing.theme import Ink, writing_on
from client.window.hands.gestures import STONE, Hand
from client.window.parts.board import Look, board_shapes, view_of
from client.window.parts.motion import MOTION_S, Motion, between
from protocol.board import Mark, Piece
from protocol.messages import LastMove, Snapshot
from tests.client.positions import DARK_BLUE, LIGHT_BLUE, dots_board, hex_board, macro_board, snapshot, squares_board
from tests.client.refereed import CATALOGUE, Refereed

GAMES = sorted(CATALOGUE)
AREAS = [Rect(0, 0, 360, 300), Rect(12, 40, 700, 560), Rect(20, 50, 1900, 1280), Rect(8, 30, 660, 420)]
MINE = Look(mine=True)


def played(game: str, moves: int, *, options: dict[str, int] | None = None, viewer: str = "ada") -> Snapshot:
    """The game after so many moves at random, always the same ones."""
    match, rng = Refereed(game, options=options or {}), Random(6)
    for _ in range(moves):
        if match.match.turn is not None:
            match.play(rng.choice(sorted(match.match.legal_set)))
    return match.snapshot(viewer)


def corners(shape: Shape) -> list[tuple[float, float]]:
    """The corners of the box around a shape, without the thickness of strokes."""
    match shape:
        case Box(rect) | Text(rect):
            return [(rect.x, rect.y), (rect.right, rect.bottom)]
        case Stroke(start, end):
            return [start, end]
        case Disc((x, y), radius):
            return [(x - radius, y - radius), (x + radius, y + radius)]
        case Polygon(points):
            return list(points)


@pytest.mark.parametrize("area", AREAS, ids=lambda area: f"{area.width:.0f}x{area.height:.0f}")
@pytest.mark.parametrize("viewer", ["ada", "ben", "watcher"])
@pytest.mark.parametrize("game", GAMES)
def test_all_of_a_board_is_drawn_in_its_area(game: str, viewer: str, area: Rect) -> None:
    """UD RNF1, RNF3, DB 7.1.1.2, SQ1, CK 5.1, HX SR1: nothing sticks out, and every element can be seen and touched."""
    match = played(game, 12, viewer=viewer)
    view = view_of(match, area)
    found = board_shapes(match, view, MINE)
    for x, y in (corner for shape in found for corner in corners(shape)):
        assert area.x - 1 <= x <= area.right + 1
        assert area.y - 1 <= y <= area.bottom + 1
    strokes = {frozenset((shape.start, shape.end)) for shape in found if isinstance(shape, Stroke)}
    assert {
        frozenset((view.place(line.x1, line.y1), view.place(line.x2, line.y2))) for line in match.board.lines
    } <= strokes
    discs = {shape.centre for shape in found if isinstance(shape, Disc)}
    assert {view.place(dot.x, dot.y) for dot in match.board.dots} <= discs
    for element, x, y in (
        [(dot.id, dot.x, dot.y) for dot in match.board.dots]
        if match.board.lines
        else [(cell.id, *cell_centre(cell)) for cell in match.board.cells]
    ):
        assert hit(match.board, view, *view.place(x, y)) == element


@pytest.mark.parametrize("game", GAMES)
def test_players_are_told_apart_without_colour(game: str) -> None:
    """SQ3, HX SR1, CK 5.1, DB 13.1: with all colours of the players made one, whose a mark is can still be seen."""
    match = played(
        game,
        200 if "ultimate" in game else 40,
        options={"width": 4, "height": 4} if game == "dots-and-boxes" else None,
    )
    assert {mark.seat for mark in match.marks.values()} >= {0, 1}
    first, second = (structs.replace(seat, style=structs.replace(seat.style, colour="#808080")) for seat in match.seats)
    grey = structs.replace(match, seats=(first, second))
    swapped = {
        key: structs.replace(mark, seat=None if mark.seat is None else 1 - mark.seat)
        for key, mark in match.marks.items()
    }
    view = view_of(match, AREAS[1])
    # One mark of each kind will do: they are drawn alike.
    for _mark, element in {mark: element for element, mark in match.marks.items() if mark.seat is not None}.items():
        other = structs.replace(grey, marks=match.marks | {element: swapped[element]})
        assert board_shapes(grey, view, Look()) != board_shapes(other, view, Look()), element


def test_the_lines_of_square_turn_black() -> None:
    """SQ1, SQ7: grey as long as they are free; one that is drawn is nobody's, and black."""
    before, after = played("square", 0), played("square", 1)
    view = view_of(before, AREAS[1])
    assert not [s for s in board_shapes(before, view, Look()) if isinstance(s, Stroke) and s.colour is not Ink.FREE]
    assert after.last is not None
    black = [s for s in board_shapes(after, view, Look()) if isinstance(s, Stroke) and s.colour is Ink.DOT]
    line = next(line for line in after.board.lines if line.id == after.last.move)
    assert [{s.start, s.end} for s in black] == [{view.place(line.x1, line.y1), view.place(line.x2, line.y2)}]


def test_lines_and_boxes_are_in_their_owners_colours() -> None:
    """DB 13.1, 7.2.1.1, 7.2.1.2: dark blue for player 1, light blue for player 2, lines and filled boxes alike."""
    marks = {
        "a1-b1": Mark(0, Piece.LINE), "a1-a2": Mark(1, Piece.LINE), "#a1": Mark(0, Piece.BOX), "#b1": Mark(1, Piece.BOX)
    }  # fmt: skip
    found = board_shapes(snapshot(marks=marks), view_of(snapshot(), AREAS[1]), Look())
    assert {"#00008b", "#4aa3df"} <= {s.colour for s in found if isinstance(s, Stroke)}
    assert {"#00008b", "#4aa3df"} <= {s.fill for s in found if isinstance(s, Box)}
    assert_signs(found, {"●": 1, "◇": 1})


def assert_signs(found: list[Shape], wanted: dict[str, int]) -> None:
    """That these symbols are drawn on pieces, boxes and regions, and how often."""
    inks = {writing_on(DARK_BLUE.colour), writing_on(LIGHT_BLUE.colour)}
    discs = sum(isinstance(s, Disc) and s.fill in inks for s in found)
    diamonds = sum(isinstance(s, Stroke) and s.colour in inks for s in found) // 4
    assert {"●": discs, "◇": diamonds} == {"●": 0, "◇": 0} | wanted


def at(match: Snapshot, element: str, area: Rect) -> tuple[float, float]:
    """Where the middle of a cell is."""
    cell = next(cell for cell in match.board.cells if cell.id == element)
    return view_of(match, area).place(*cell_centre(cell))


def strokes_in(found: list[Shape], ink: Ink) -> int:
    """How many strokes of a colour there are."""
    return sum(isinstance(shape, Stroke) and shape.colour is ink for shape in found)


@pytest.mark.parametrize("area", AREAS[:3], ids=lambda area: f"{area.width:.0f}x{area.height:.0f}")
def test_a_tick_where_a_stone_may_go_and_a_cross_where_not(area: Rect) -> None:
    """HX SR4.E1, SR4.E2: under the mouse, also while a stone is dragged; none when it is not one's turn."""
    match = snapshot(hex_board(4), legal=("a1", "a2"))
    view = view_of(match, area)

    def under(cell: str, hand: Hand, *, mine: bool = True) -> tuple[int, int]:
        x, y = at(match, cell, area)
        found = board_shapes(match, view, Look(Hand(hovered=cell, held=hand.held, x=x, y=y), mine=mine))
        return strokes_in(found, Ink.TICK), strokes_in(found, Ink.CROSS)

    for hand in (Hand(), Hand(held=STONE)):
        assert under("a1", hand) == (2, 0)
        assert under("c3", hand) == (0, 2)
    assert under("a1", Hand(), mine=False) == (0, 0)
    # Also on a red stone the red cross can be made out.
    stone = structs.replace(match, marks={"c3": Mark(0, Piece.STONE)})
    x, y = at(match, "c3", area)
    *_, ground, first, second = board_shapes(stone, view, Look(Hand(hovered="c3", x=x, y=y), mine=True))
    assert isinstance(ground, Disc)
    assert ground.centre == pytest.approx((x, y))
    assert ground.fill is Ink.BOARD
    assert {first.colour, second.colour} == {Ink.CROSS}  # type: ignore[union-attr]


def test_targets_of_a_picked_piece_and_the_last_move_are_marked() -> None:
    """CK 5.4, RU-CK3: where the piece can go; both squares of the move before, and no mark for who only watches."""
    marks = {"9": Mark(0, Piece.MAN), "23": Mark(1, Piece.MAN)}
    match = snapshot(squares_board(), marks=marks, legal=("9-13", "9-14"), last=LastMove(1, "27-23"))
    view = view_of(match, AREAS[1])
    found = board_shapes(match, view, Look(Hand(picked=("9",)), mine=True))
    targets = [s.centre for s in found if isinstance(s, Disc) and s.fill is Ink.TICK]
    assert sorted(targets) == [pytest.approx(place) for place in sorted(at(match, to, AREAS[1]) for to in ("13", "14"))]
    assert sum(isinstance(s, Box) and s.fill is Ink.GLOW for s in found) == 3
    watched = board_shapes(match, view, Look())
    assert not [s for s in watched if Ink.TICK in (getattr(s, "fill", None), getattr(s, "border", None))]


def test_what_can_be_moved_is_marked_before_anything_is_picked() -> None:
    """CK 5.4, C3: the pieces that have a move; a new player sees where to begin."""
    match = snapshot(squares_board(), marks={"9": Mark(0, Piece.MAN)}, legal=("9-13",))
    found = board_shapes(match, view_of(match, AREAS[1]), MINE)
    assert [s.rect.centre for s in found if isinstance(s, Box) and s.border is Ink.TICK] == [
        pytest.approx(at(match, "9", AREAS[1]))
    ]


@pytest.mark.parametrize("area", AREAS[:3], ids=lambda area: f"{area.width:.0f}x{area.height:.0f}")
def test_no_mark_of_what_can_be_played_lies_on_a_piece(area: Rect) -> None:
    """Issue 14, 12: all that a piece is drawn of is the same, and nothing that comes with the mark lies over it."""
    match = played("checkers", 0)
    view = view_of(match, area)
    plain, marked = board_shapes(match, view, Look()), board_shapes(match, view, MINE)
    more = [shape for shape in marked if shape not in plain]
    assert more, "marked"
    assert [shape for shape in marked if shape not in more] == plain, "nothing else has changed"
    pieces = [shape for shape in plain if isinstance(shape, Disc)]
    assert pieces
    for mark in more:
        assert isinstance(mark, Box)
        assert mark.fill is None, "a frame"
        inside = [one for one in pieces if mark.rect.holds(*one.centre)]
        assert inside
        assert all(one.radius < mark.rect.width / 2 for one in inside)


def test_each_sees_the_own_side_at_the_bottom() -> None:
    """CK 5.1: black's men are below for black, above for white and for whoever watches."""
    below = {}
    for viewer in ("ada", "ben", "watcher"):
        match = played("checkers", 0, viewer=viewer)
        _, y = at(match, "1", AREAS[1])
        below[viewer] = y > AREAS[1].centre[1]
        assert is_turned(match) is below[viewer]
    assert below == {"ada": True, "ben": False, "watcher": False}


def test_a_king_has_a_crown_and_still_its_owners_symbol() -> None:
    """CK R2.7: told from a man at a glance, and whose it is without colour."""
    match = snapshot(
        squares_board(), marks={"1": Mark(0, Piece.KING), "2": Mark(0, Piece.MAN), "3": Mark(1, Piece.MAN)}
    )
    found = board_shapes(match, view_of(match, AREAS[1]), Look())
    assert [s.text for s in found if isinstance(s, Text)].count("♛") == 1
    assert_signs(found, {"●": 2, "◇": 1})


def test_only_the_micro_game_in_play_is_not_veiled() -> None:
    """UD RF4, UD rules: the right micro game is framed, the others lie under a veil; a won one shows who won."""
    marks = {"1": Mark(1, Piece.WON)}
    match = snapshot(macro_board(), focus=("5",), marks=marks)
    found = board_shapes(match, view_of(match, AREAS[1]), MINE)
    veiled = [s for s in found if isinstance(s, Box) and s.fill is Ink.VEIL]
    framed = [s for s in found if isinstance(s, Box) and s.border is Ink.ACCENT]
    assert (len(veiled), len(framed)) == (8, 1)
    middle = next(r for r in match.board.regions if r.id == "5")
    x, y = view_of(match, AREAS[1]).place(middle.x + middle.width / 2, middle.y + middle.height / 2)
    assert framed[0].rect.holds(x, y)
    assert_signs(found, {"◇": 1})
    free = board_shapes(structs.replace(match, focus=()), view_of(match, AREAS[1]), MINE)
    assert not [s for s in free if isinstance(s, Box) and s.fill is Ink.VEIL]


def test_the_line_under_the_mouse_and_the_cursor_can_be_seen() -> None:
    """UD RF4, DB 8.1: a preview in the mover's colour, in that of errors where it may not be, a frame for keys."""
    match = snapshot(legal=("a1-b1",))
    view = view_of(match, AREAS[1])

    def previews(line: str) -> set[object]:
        found = board_shapes(match, view, Look(Hand(hovered=line), mine=True))
        return {s.colour for s in found if isinstance(s, Stroke) and s.alpha < 1}

    assert previews("a1-b1") == {"#00008b"}
    assert previews("b1-c1") == {Ink.CROSS}
    keys = board_shapes(match, view, Look(Hand(cursor=Cursor("a1-b1", 0.5), shows_cursor=True), mine=True))
    assert sum(isinstance(s, Box) and s.border is Ink.FOCUS for s in keys) == 1


def test_a_move_that_is_not_confirmed_looks_like_one() -> None:
    """Promise 1 of the design: paler than what is stored."""
    match = snapshot()
    found = board_shapes(match, view_of(match, AREAS[1]), Look(pending=("a1-b1",)))
    assert [s.alpha for s in found if isinstance(s, Stroke) and s.colour == "#00008b"] == [0.5]


@pytest.mark.parametrize("game", GAMES)
def test_animations_end_where_the_position_is(game: str) -> None:
    """DB C2, HX SR3, CK R2.5: something moves after a move, and MOTION_S later nothing differs from the still board."""
    match, rng = Refereed(game, options={}), Random(2)
    moved = 0
    for _ in range(60):
        if match.match.turn is None:
            break
        before = match.snapshot()
        match.play(rng.choice(sorted(match.match.legal_set)))
        after = match.snapshot()
        motion = between(before, after, 5.0)
        view = view_of(after, AREAS[1])
        still = board_shapes(after, view, Look())
        assert board_shapes(after, view, Look(motion=motion, now=5.0 + MOTION_S)) == still
        moved += board_shapes(after, view, Look(motion=motion, now=5.0 + MOTION_S / 2)) != still
    assert moved > 5


def test_a_piece_moves_along_its_hops_and_what_was_taken_fades() -> None:
    """CK R2.5, R2.6: half way it is at the square between, and the taken pieces are smaller and paler."""
    before = snapshot(
        squares_board(), marks={"22": Mark(0, Piece.MAN), "18": Mark(1, Piece.MAN), "11": Mark(1, Piece.MAN)}
    )
    after = structs.replace(before, version=3, plies=1, marks={"8": Mark(0, Piece.MAN)}, last=LastMove(0, "22x15x8"))
    motion = between(before, after, 0.0)
    assert motion.path == ("22", "15", "8")
    assert set(motion.went or {}) == {"18", "11"}
    found = board_shapes(after, view_of(after, AREAS[1]), Look(motion=motion, now=MOTION_S * 0.9))
    fading = [s for s in found if isinstance(s, Disc) and s.fill == "#4aa3df"]
    assert len(fading) == 2
    assert all(s.alpha < 0.2 for s in fading)
    assert between(before, structs.replace(after, match="another"), 0.0) == Motion()


def test_the_largest_board_is_few_enough_shapes() -> None:
    """DB 7.3.3.3: 15 x 15 dots with all lines drawn are at most three thousand shapes."""
    board = dots_board(15, 15)
    marks = {line.id: Mark(index % 2, Piece.LINE) for index, line in enumerate(board.lines)}
    marks |= {cell.id: Mark(index % 2, Piece.BOX) for index, cell in enumerate(board.cells)}
    match = snapshot(board, marks=marks, legal=())
    picture = Picture(tuple(board_shapes(match, view_of(match, AREAS[2]), Look())))
    assert 1000 < len(picture.shapes) < 3000


@pytest.mark.parametrize("symbol", ["●", "○", "◆", "◇", "X"])
def test_every_symbol_is_in_the_middle_of_its_place(symbol: str) -> None:
    """HX SR1, SR2.2: the ball in a player's colour that shows whose turn it is, with the symbol on it."""
    shapes = sign(symbol, (100, 60), 24, Ink.TEXT)
    points = [corner for shape in shapes for corner in corners(shape)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    assert ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2) == pytest.approx((100, 60))
    first = ball(symbol, (100, 60), 20, "#d62828")[0]
    assert isinstance(first, Disc)
    assert (first.centre, first.fill) == ((100, 60), "#d62828")


def test_symbols_differ_from_each_other() -> None:
    """SQ3: no two are drawn alike."""
    drawn = [tuple(sign(symbol, (100, 60), 24, Ink.TEXT)) for symbol in "●○◆◇XO"]
    assert len(set(drawn)) == len(drawn)


def test_groups_have_their_size_and_what_would_be_taken_a_cross() -> None:
    """HX SR4: and what a refusal is about has a ring, each at its stone."""
    marks = {cell: Mark(0, Piece.STONE) for cell in ("c1", "c2")} | {
        cell: Mark(1, Piece.STONE) for cell in ("c4", "e1")
    }
    board = structs.replace(hex_board(3), groups=True)
    match = snapshot(board, legal=("c3",), marks=marks)
    view = view_of(match, AREAS[1])
    at = {cell.id: view.place(cell.x, cell.y) for cell in match.board.cells}

    def drawn(look: Look) -> set[Shape]:
        return set(board_shapes(match, view, look)) - set(board_shapes(match, view, MINE))

    numbers = [shape for shape in board_shapes(match, view, MINE) if isinstance(shape, Text) and shape.text == "2"]
    assert [shape.rect.centre[0] for shape in numbers] == [pytest.approx(at["c1"][0])]
    hovered = drawn(Look(Hand(hovered="c3"), mine=True))
    crosses = {shape.centre for shape in hovered if isinstance(shape, Disc) and shape.border is Ink.CROSS}
    assert crosses == {at["c4"]}
    refused = drawn(Look(mine=True, about=("c1", "c2")))
    assert {shape.centre for shape in refused if isinstance(shape, Disc)} == {at["c1"], at["c2"]}


@pytest.mark.parametrize("area", AREAS, ids=lambda area: f"{area.width:.0f}x{area.height:.0f}")
@pytest.mark.parametrize("viewer", ["ada", "ben"])
@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("dots-and-boxes", [*"abc", *"123"]),
        ("square", [*"abc", *"123"]),
        ("hexoust", [*"abcdefghijklm", *map(str, [7, 8, 9, 10, 11, 12, 13, 12, 11, 10, 9, 8, 7])]),
        ("checkers", list(map(str, range(1, 33)))),
        ("ultimate-dots-and-boxes", [*"abcd" * 3, *"1234" * 3, *"123456789"]),
    ],
)
def test_every_board_says_how_its_places_are_called(game: str, wanted: list[str], viewer: str, area: Rect) -> None:
    """UD RNF3: columns and rows at the edge, or a number in each square; seen from either side, whole, and inside."""
    match = Refereed(game).snapshot(viewer)
    shapes = board_shapes(match, view_of(match, area), MINE)
    told = [shape for shape in shapes if isinstance(shape, Text)]
    assert sorted(shape.text for shape in told) == sorted(wanted)
    for shape in told:
        assert area.x - 1 <= shape.rect.x
        assert shape.rect.right <= area.right + 1
        assert lettering.width(shape.text, shape.size, shape.face) <= shape.rect.width + 1


@pytest.mark.parametrize("area", AREAS[1:], ids=lambda area: f"{area.width:.0f}x{area.height:.0f}")
def test_no_piece_covers_the_number_of_its_square(area: Rect) -> None:
    """CK 5.1: at the start, where most have a piece beside them, in windows of 640 x 480 and larger."""
    match = played("checkers", 0)
    view = view_of(match, area)
    shapes = board_shapes(match, view, MINE)
    pieces = [shape for shape in shapes if isinstance(shape, Disc) and shape.radius > 0.3 * view.scale_x]
    labels = [shape for shape in shapes if isinstance(shape, Text) and shape.text.isdigit()]
    assert (len(pieces), len(labels)) == (24, 32)
    for label in labels:
        right = label.rect.x + lettering.width(label.text, label.size)
        low = label.rect.y + label.rect.height / 2 + label.size * 0.37
        for piece in pieces:
            assert math.dist((right, low), piece.centre) > piece.radius + piece.thickness / 2, label.text
