"""A scene as characters: pure, so that tests compare lines of text.

Colour is never alone: the two seats' lines differ in their strokes, boxes and pieces in their symbols, the cursor is
reversed, a pending move is dashed, and so is a hint; cells of one stand between » and «.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from client.shown.board.coordinates import Coordinate
from client.shown.board.scene import Drawn, Kind, View
from client.terminal.drawing import theme
from client.terminal.drawing.layout import TALL_HEX, Layout
from client.terminal.drawing.pieces import FULL, LOWER, UPPER, disc
from protocol.board import Piece, Shape, Tone

DOT = "•"
PICKED_DOT = "◉"
ACROSS = ("━", "═")
DOWN = ("┃", "║")
PENDING_ACROSS = "┅"
PENDING_DOWN = "┇"
ADVISED_ACROSS = "╍"
ADVISED_DOWN = "╏"
FREE_ACROSS = "┈"
FREE_DOWN = "┊"
CROWN = "♔"
TICK, CROSS = "✓", "✗"
PLANNED = "→"
"""Where a move ends that is planned for the next turn."""
ABOUT = "!"
"""At what a refusal is about."""


@dataclass(frozen=True)
class Ink:
    """How a character is printed."""

    colour: str = theme.INK
    ground: str = theme.PAPER
    bold: bool = False
    reverse: bool = False


@dataclass(frozen=True)
class Glyph:
    """One character cell; its text is one column wide."""

    text: str = " "
    ink: Ink = Ink()


Canvas = list[list[Glyph]]


def raster(shapes: Sequence[Drawn], layout: Layout, at_edge: Sequence[Coordinate] = ()) -> Canvas:
    """The characters of a scene, row by row, with coordinates outside."""
    drawing = _Drawing(layout.columns, layout.rows)
    for shape in shapes:
        drawing.draw(shape)
    clear = 1 if any(shape.kind is Kind.LINE for shape in shapes) else 0
    for one in at_edge:
        drawing.write_beside(one, layout.view, clear)
    for shape in shapes:
        if shape.kind is Kind.REGION:
            drawing.label_outside(shape)
    return drawing.canvas


def text_of(canvas: Canvas) -> list[str]:
    """The bare text, as without colours."""
    return ["".join(glyph.text for glyph in row).rstrip() for row in canvas]


class _Drawing:
    def __init__(self, columns: int, rows: int) -> None:
        self.canvas: Canvas = [[Glyph()] * columns for _ in range(rows)]

    def draw(self, shape: Drawn) -> None:
        match shape.kind:
            case Kind.REGION:
                self._region(shape)
            case Kind.CELL if shape.form is Shape.HEX:
                self._hexagon(shape)
            case Kind.CELL:
                self._square(shape)
            case Kind.LINE:
                self._line(shape)
            case Kind.DOT:
                self._dot(shape)

    def write_beside(self, one: Coordinate, view: View, clear: int) -> None:
        """A coordinate, with `clear` empty columns between it and the board."""
        x, y = (_whole(value) for value in view.place(one.x, one.y))
        across, down = (-one.dx, -one.dy) if view.turned else (one.dx, one.dy)
        # A dot takes one column. Beside a hexagon its own outermost column is free, but for the size of its group.
        if across < 0:
            x -= len(one.text) - 1 + 2 * clear
        elif across > 0:
            x += 2 * clear or 1
        self._write(x, y + down, one.text, Ink(theme.PENCIL))

    def _put(self, x: int, y: int, text: str, ink: Ink) -> None:
        if self._inside(x, y):
            self.canvas[y][x] = Glyph(text, ink)

    def _write(self, x: int, y: int, text: str, ink: Ink) -> None:
        for offset, character in enumerate(text):
            self._put(x + offset, y, character, ink)

    def _fill(self, shape: Drawn, ground: str) -> None:
        for y in range(_whole(shape.y1), _whole(shape.y2)):
            for x in range(_whole(shape.x1), _whole(shape.x2)):
                self._put(x, y, " ", Ink(ground=ground))

    def _inside(self, x: int, y: int) -> bool:
        return 0 <= y < len(self.canvas) and 0 <= x < len(self.canvas[0])

    def _ground(self, x: int, y: int) -> str:
        return self.canvas[y][x].ink.ground if self._inside(x, y) else theme.PAPER

    # Kinds of shapes --------------------------------------------------------------------------------------------------

    def _region(self, shape: Drawn) -> None:
        """A region out of focus is shaded; its number, or its winner's symbol, stands in its corner."""
        ground = _paper(shape)
        self._fill(shape, ground)
        x, y = _whole(shape.x1), _whole(shape.y1)
        if shape.piece is Piece.WON and shape.owner is not None:
            self._write(x, y, _symbol(shape) * 2, Ink(theme.readable(shape.colour, ground), ground, bold=True))
        elif shape.label:
            bold = shape.in_focus
            self._write(x, y, shape.label[:3], Ink(theme.INK if bold else theme.PENCIL, ground, bold=bold))

    def label_outside(self, shape: Drawn) -> None:
        """What says which region this is, or who has won it, where a dot lies in its corner: before its first line."""
        x, y = _whole(shape.x1), _whole(shape.y1)
        if not self._inside(x, y) or self.canvas[y][x].text not in (DOT, PICKED_DOT):
            return
        is_won = shape.piece is Piece.WON and shape.owner is not None
        ink = Ink(theme.readable(shape.colour, theme.PAPER), bold=True) if is_won else Ink(bold=shape.in_focus)
        self._write(x - 2, y - 1, _symbol(shape) if is_won else shape.label[:2], ink)

    def _square(self, shape: Drawn) -> None:
        if (
            shape.tone is Tone.PLAIN
            and shape.piece is None
            and not (shape.cursor or shape.picked or shape.last or shape.advised)
        ):
            return
        left, right = _whole(shape.x1), _whole(shape.x2) - 1
        top, bottom = _whole(shape.y1), _whole(shape.y2) - 1
        if shape.piece is Piece.BOX or (shape.tone is Tone.PLAIN and shape.piece is not None):
            self._box(shape)
            return
        ground = _tile(shape)
        self._fill(shape, ground)
        # A square of two rows has its label in the lower one, a higher one in the uppermost.
        chip_top = top + 1 if bottom - top > 1 else top
        chip_bottom = max(bottom - 1, chip_top)
        middle_y = (chip_top + chip_bottom) // 2
        if shape.piece is not None:
            self._piece(shape, left, right, top, bottom, ground)
        if shape.label and bottom > top:
            label_y = bottom if chip_top == top else top
            self._write(left, label_y, shape.label[:3], Ink(_mild(ground), ground))
        self._hint(shape, left, right, middle_y, ground)

    def _piece(self, shape: Drawn, left: int, right: int, top: int, bottom: int, ground: str) -> None:
        """A piece in its owner's colour, with the symbol on it: seen on a tile of nearly the same colour, too. Round
        where its square has more than the two rows that it shares with its label."""
        chip = theme.readable(shape.colour, ground, 1.3)
        ink = Ink(theme.readable(theme.writing_on(chip), chip, theme.TEXT), chip, bold=True)
        if bottom - top > 1:
            for column, row, covered in disc(right - left + 1, bottom - top + 1):
                full = covered == FULL
                self._put(left + column, top + row, " " if full else covered, ink if full else Ink(chip, ground))
        else:
            for x in range(left + 1, right):
                self._put(x, top, " ", ink)
            bottom = top
        text = _symbol(shape) + (CROWN if shape.piece is Piece.KING else "")
        self._write((left + right + 1 - len(text)) // 2, (top + bottom) // 2, text, ink)

    def _box(self, shape: Drawn) -> None:
        """A closed box: filled in its owner's colour, the symbol in its middle (`DB 7.2.1.2`, `13.1`)."""
        left, right, top, bottom = _whole(shape.x1) + 1, _whole(shape.x2), _whole(shape.y1) + 1, _whole(shape.y2)
        ground = theme.readable(shape.colour, theme.PAPER)
        ink = Ink(theme.writing_on(ground), ground, bold=True)
        for y in range(top, bottom):
            for x in range(left, right):
                self._put(x, y, " ", ink)
        self._put((left + right - 1) // 2, (top + bottom - 1) // 2, _symbol(shape), ink)

    def _hexagon(self, shape: Drawn) -> None:
        """One hexagon: a stone, a mark for where one may place, or a small dot."""
        x, y = _whole((shape.x1 + shape.x2) / 2), _whole((shape.y1 + shape.y2) / 2)
        left, right = _whole(shape.x1) + 1, _whole(shape.x2) - 1
        ground = theme.BLUSH if shape.about else theme.GLOW if shape.last else theme.LIGHT_TILE
        for column in range(left, right + 1):
            self._put(column, y, " ", Ink(ground=ground))
        tall = shape.y2 - shape.y1 > TALL_HEX
        if tall:
            # Half a row more above and below, not so wide, in the gaps between those of the rows beside it.
            for column in range(left + 1, right):
                self._put(column, y - 1, LOWER, Ink(ground, theme.PAPER))
                self._put(column, y + 1, UPPER, Ink(ground, theme.PAPER))
        if shape.piece is not None:
            self._stone(shape, x, left, y, ground, tall=tall)
        elif shape.pending:
            self._put(x, y, _symbol(shape), Ink(theme.readable(theme.PENCIL, ground), ground))
        else:
            colour = theme.PENCIL if shape.legal else theme.readable(theme.FAINT, ground)
            self._put(x, y, "∘" if shape.legal else "·", Ink(colour, ground))
        self._hint(shape, left, right, y, ground)

    def _stone(self, shape: Drawn, x: int, left: int, y: int, ground: str, *, tall: bool) -> None:
        """The owner's symbol, round about it the stone where there is room, and behind it the size of its group on one
        of its stones; before it a sign if the move under the hand would take it, or a refusal is about it."""
        ink = Ink(theme.readable(shape.colour, ground, theme.TEXT), ground, bold=True)
        if tall:
            chip = theme.readable(shape.colour, ground)
            ink = Ink(theme.readable(theme.writing_on(chip), chip, theme.TEXT), chip, bold=True)
            # What is at its sides, a glow or a sign, is seen instead of them.
            aside = shape.last or shape.taken or shape.about
            for column in range(x - 1, x + 2) if aside else range(x - 2, x + 3):
                self._put(column, y, " ", ink)
            for column in range(x - 1, x + 2):
                self._put(column, y - 1, LOWER, Ink(chip, theme.PAPER))
                self._put(column, y + 1, UPPER, Ink(chip, theme.PAPER))
        text = _symbol(shape) + (str(shape.size) if shape.size else "")
        self._write((x - 1 if tall else left) if len(text) > 2 else x, y, text, ink)
        if shape.taken or shape.about:
            colour = theme.readable(theme.BRICK_ON_PAPER, ground, theme.TEXT)
            self._put(left, y, CROSS if shape.taken else ABOUT, Ink(colour, ground, bold=True))

    def _hint(self, shape: Drawn, left: int, right: int, y: int, ground: str) -> None:
        """Cursor, pick, target and hover, on top of what lies in the cell."""
        middle = (left + right) // 2
        if shape.pending and shape.piece is None:
            self._put(middle, y, _symbol(shape) or "?", Ink(theme.readable(theme.PENCIL, ground), ground))
        if shape.legal and shape.piece is None and shape.form is Shape.SQUARE and not shape.pending:
            self._put(middle, y, "∘", Ink(theme.writing_on(ground), ground, bold=True))
        if shape.hovered and shape.piece is None:
            # HX SR4.E1, SR4.E2: a tick on a valid cell, a cross on an invalid one.
            text, colour = (TICK, theme.MOSS_ON_PAPER) if shape.legal else (CROSS, theme.BRICK_ON_PAPER)
            self._put(middle, y, text, Ink(theme.readable(colour, ground), ground, bold=True))
        if shape.size and shape.piece is None:
            # What the stone under the hand would make.
            self._write(middle + 1, y, str(shape.size), Ink(theme.writing_on(ground), ground, bold=True))
        if shape.advised:
            self._brackets(left, right, y, "»", "«", ground)
        if shape.planned:
            self._put(left, y, PLANNED, Ink(theme.writing_on(ground), ground, bold=True))
        if shape.picked:
            self._brackets(left, right, y, "[", "]", ground)
        if shape.cursor:
            for x in range(left, right + 1):
                self._reverse(x, y)

    def _brackets(self, left: int, right: int, y: int, opening: str, closing: str, ground: str) -> None:
        ink = Ink(theme.writing_on(ground), ground, bold=True)
        self._put(left, y, opening, ink)
        self._put(right, y, closing, ink)

    def _line(self, shape: Drawn) -> None:
        x1, y1, x2, y2 = _whole(shape.x1), _whole(shape.y1), _whole(shape.x2), _whole(shape.y2)
        across = abs(x2 - x1) >= abs(y2 - y1)
        length = max(abs(x2 - x1), abs(y2 - y1))
        text, colour, bold = _stroke(shape, across)
        for part in range(1, length):
            x, y = x1 + (x2 - x1) * part // length, y1 + (y2 - y1) * part // length
            ground = theme.GLOW if shape.last else _paper(shape)
            self._put(x, y, text, Ink(theme.readable(colour, ground), ground, bold=bold))
            if shape.planned and part == (length + 1) // 2:
                self._put(x, y, PLANNED, Ink(theme.writing_on(ground), ground, bold=True))
            if shape.cursor:
                self._reverse(x, y)

    def _dot(self, shape: Drawn) -> None:
        x, y = _whole(shape.x1), _whole(shape.y1)
        ground = _paper(shape)
        ink = Ink(theme.INK if shape.in_focus else theme.PENCIL, ground)
        if shape.picked or shape.hovered:
            self._put(x, y, PICKED_DOT, replace(ink, bold=True))
        else:
            self._put(x, y, DOT, ink)

    def _reverse(self, x: int, y: int) -> None:
        """The cursor. Reversed as an attribute too, so that it is seen on a terminal without colours."""
        if self._inside(x, y):
            text = self.canvas[y][x].text
            self._put(x, y, text, Ink(theme.INK, theme.GOLD, bold=True, reverse=True))


def _whole(value: float) -> int:
    return math.floor(value + 0.5 + 1e-9)


def _paper(shape: Drawn) -> str:
    """The ground of what is not in play now is shaded (`UD RF4`)."""
    return theme.PAPER if shape.in_focus else theme.PAPER_SHADE


def _symbol(shape: Drawn) -> str:
    """The owner's symbol if it is one column wide, else the number of the seat."""
    if len(shape.symbol) == 1 and cell_len(shape.symbol) == 1:
        return shape.symbol
    return str(shape.owner + 1) if shape.owner is not None else "?"


def _stroke(shape: Drawn, across: bool) -> tuple[str, str, bool]:
    """Character, colour and weight of a line."""
    if shape.pending and shape.piece is None:
        return (PENDING_ACROSS if across else PENDING_DOWN), shape.colour or theme.PENCIL, True
    if shape.advised and shape.piece is None:
        return (ADVISED_ACROSS if across else ADVISED_DOWN), theme.MOSS_ON_PAPER, True
    if shape.piece is None:
        return (FREE_ACROSS if across else FREE_DOWN), theme.FAINT, False
    strokes = ACROSS if across else DOWN
    return strokes[(shape.owner or 0) % 2], shape.colour or theme.INK, True


def _tile(shape: Drawn) -> str:
    if shape.last:
        return theme.GLOW
    if shape.tone_colour is not None:
        return theme.valid(shape.tone_colour, theme.LIGHT_TILE)
    return {Tone.LIGHT: theme.LIGHT_TILE, Tone.DARK: theme.DARK_TILE}.get(shape.tone, theme.PAPER)


def _mild(ground: str) -> str:
    """A colour for labels: read, but not before the pieces."""
    return theme.readable(ground, ground, theme.TEXT)
