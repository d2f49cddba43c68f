"""A position in letters, from what a client gets too: board, marks and seats. For people who read a diff."""

from __future__ import annotations

from collections.abc import Mapping

from protocol.board import Board, Cell, Line, Mark, Piece, SeatStyle, Shape, Tone

LINES_SCALE, CELLS_SCALE = (4, 2), (2, 1)
"""Letters across and rows down for one unit of a board with dots, and of one without: about square on a screen."""
LEVEL = {0: "===", 1: "---", None: "---"}
UPRIGHT = {0: "‖", 1: "|", None: "|"}

Place = tuple[int, int]
Grid = dict[Place, str]


def draw(board: Board, marks: Mapping[str, Mark], seats: tuple[SeatStyle, SeatStyle]) -> str:
    """Dots are `+`, lines `===` and `‖` for the first seat, `---` and `|` for the second or nobody, pieces symbols."""
    grid: Grid = {}
    across, down = LINES_SCALE if board.dots else CELLS_SCALE
    rows = _rows_of_hexagons(board)
    for cell in board.cells:
        if cell.shape is Shape.HEX:
            at = round(cell.x * across), rows[cell.y]
        else:
            at = round(cell.x * across) + across // 2, round(cell.y * down) + down // 2
        _put_cell(grid, at, cell, marks.get(cell.id), seats, empty=not board.dots)
    for line in board.lines:
        if mark := marks.get(line.id):
            _put_line(grid, (round(line.x1 * across), round(line.y1 * down)), line, mark.seat)
    for dot in board.dots:
        grid[round(dot.x * across), round(dot.y * down)] = "+"
    width = max(x for x, _ in grid) + 1
    height = max(y for _, y in grid) + 1
    lines = ["".join(grid.get((x, y), " ") for x in range(width)).rstrip() for y in range(height)]
    won = [f"{region.id} {symbol(marks[region.id], seats)}" for region in board.regions if region.id in marks]
    return "\n".join(lines + (["won: " + ", ".join(won)] if won else []))


def symbol(mark: Mark, seats: tuple[SeatStyle, SeatStyle]) -> str:
    """The seat's symbol, or `*` for nobody's mark."""
    return "*" if mark.seat is None else seats[mark.seat].symbol


def _rows_of_hexagons(board: Board) -> dict[float, int]:
    """Hexagons lie closer than a unit from row to row; each row gets a row of letters."""
    return {y: row for row, y in enumerate(sorted({cell.y for cell in board.cells if cell.shape is Shape.HEX}))}


def _put_cell(
    grid: Grid, at: Place, cell: Cell, mark: Mark | None, seats: tuple[SeatStyle, SeatStyle], empty: bool
) -> None:
    if mark:
        grid[at] = symbol(mark, seats)
        if mark.piece is Piece.KING:
            grid[at[0] + 1, at[1]] = "K"
    elif empty and cell.tone is not Tone.LIGHT:
        grid[at] = "."


def _put_line(grid: Grid, at: Place, line: Line, seat: int | None) -> None:
    x, y = at
    if line.y1 == line.y2:
        grid.update(((x + 1 + step, y), letter) for step, letter in enumerate(LEVEL[seat]))
    else:
        grid[x, y + 1] = UPRIGHT[seat]
