"""A board as text: a drawing whose columns are aligned, and lists that make sense when read aloud. Pure, ASCII.

Like every front end it knows the board language and no game. The first seat is X and the second O, whatever symbols
other front ends have for them: letters are what screen readers say and dumb terminals have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from client.conversation.position import seat_name
from client.shown.board.groups import groups
from client.shown.board.scene import is_turned
from protocol.board import Board, Mark, Piece, Tone
from protocol.messages import Snapshot

SIGNS = ("X", "O")
ACROSS = ("---", "===")
DOWN = ("|", ":")
KING = "K"
COLUMNS, ROWS = 4, 2
"""Characters for a lattice unit of boards with dots: room for a line between two dots, and a box inside four."""
MANY_FREE = 60
"""Free elements are named up to this number, and counted beyond it: nobody listens to more."""

_PLACE = re.compile(r"([a-z]+)(\d+)")
_NOUNS = {Piece.LINE: "lines", Piece.BOX: "boxes", Piece.MAN: "men", Piece.KING: "kings", Piece.STONE: "stones",
          Piece.WON: "won"}  # fmt: skip


def drawing(match: Snapshot) -> list[str]:
    """The board with its columns aligned; from the other side for who sees it so (`CK 5.1`)."""
    if match.pause is not None:
        return ["The board is hidden during the pause."]
    return _grid(match) if match.board.dots else _cells(match)


def listing(match: Snapshot) -> list[str]:
    """The same in words: what lies where, what is free, where one must play, the scores."""
    if match.pause is not None:
        return ["The board is hidden during the pause."]
    found = [line for seat in (0, 1, None) for line in _of_seat(match, seat)]
    found += [line for seat in (0, 1) for line in _groups(match, seat)]
    found += _free(match)
    if match.focus:
        labels = {region.id: region.label or region.id for region in match.board.regions}
        found.append(f"To play in: {', '.join(labels.get(id_, id_) for id_ in match.focus)}.")
    return found


def sign(seat: int | None) -> str:
    """The letter of a seat; for what nobody owns a star."""
    return SIGNS[seat] if seat in (0, 1) else "*"


# Drawings -------------------------------------------------------------------------------------------------------------


class _Canvas:
    def __init__(self) -> None:
        self._rows: dict[int, dict[int, str]] = {}

    def write(self, column: int, row: int, text: str) -> None:
        for offset, character in enumerate(text):
            self._rows.setdefault(row, {})[column + offset] = character

    def lines(self) -> list[str]:
        rows = range(min(self._rows, default=0), max(self._rows, default=-1) + 1)
        return ["".join(self._row(row)).rstrip() for row in rows]

    def _row(self, row: int) -> Iterable[str]:
        cells = self._rows.get(row, {})
        return (cells.get(column, " ") for column in range(max(cells, default=-1) + 1))


def _grid(match: Snapshot) -> list[str]:
    board, canvas = match.board, _Canvas()
    left = 5
    turned = is_turned(match)

    def at(x: float, y: float) -> tuple[int, int]:
        x, y = (board.width - x, board.height - y) if turned else (x, y)
        return left + round(x * COLUMNS), round(y * ROWS)

    for dot in board.dots:
        column, row = at(dot.x, dot.y)
        canvas.write(column, row, "+")
        place = _PLACE.fullmatch(dot.id.rpartition(":")[2])
        if place is not None:
            canvas.write(column, -2, place[1])
            canvas.write(0, row, place[2])
    for line in board.lines:
        mark = match.marks.get(line.id)
        if mark is None:
            continue
        column, row = at((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2)
        owner = mark.seat if mark.seat in (0, 1) else 0
        if abs(line.x1 - line.x2) > abs(line.y1 - line.y2):
            canvas.write(column - 1, row, ACROSS[owner])
        else:
            canvas.write(column, row, DOWN[owner])
    for cell in board.cells:
        if cell.id in match.marks:
            canvas.write(*at(cell.x + 0.5, cell.y + 0.5), sign(match.marks[cell.id].seat))
    for region in board.regions:
        column, row = at(region.x, region.y)
        canvas.write(column, row - 1, _region_label(match, region.id, region.label))
    return canvas.lines()


def _region_label(match: Snapshot, id_: str, label: str) -> str:
    mark = match.marks.get(id_)
    if mark is not None:
        return f"[{label or id_} won {sign(mark.seat)}]"
    return f"[{label or id_} play]" if id_ in match.focus else f"[{label or id_}]"


def _cells(match: Snapshot) -> list[str]:
    """Every cell that can be played on by its name, and what lies on it behind that."""
    board, canvas = match.board, _Canvas()
    texts = {cell.id: _cell_text(cell.id, cell.tone, board, match.marks.get(cell.id)) for cell in board.cells}
    width = max((len(text) for text in texts.values()), default=1) + 2
    turned = is_turned(match)
    # Rows lie closer than columns on boards of hexagons: what counts is which row it is.
    heights = sorted({cell.y for cell in board.cells}, reverse=turned)
    for cell in board.cells:
        x = board.width - cell.x - 1 if turned else cell.x
        # Halves go one way, so that cells keep their distance.
        canvas.write(math.floor(x * width + 0.5), heights.index(cell.y), texts[cell.id])
    return canvas.lines()


def _cell_text(id_: str, tone: Tone, board: Board, mark: Mark | None) -> str:
    if mark is not None:
        return f"{id_}{sign(mark.seat)}{KING if mark.piece is Piece.KING else ''}"
    # On a board of two tones the light squares are only there to be seen.
    return "" if tone is Tone.LIGHT or not id_[0].isalnum() else id_


# Lists ----------------------------------------------------------------------------------------------------------------


def _of_seat(match: Snapshot, seat: int | None) -> list[str]:
    """One sentence for each kind of piece of a seat, or of those that are nobody's."""
    who = "Nobody's" if seat is None else f"{seat_name(match, seat)} ({SIGNS[seat]})"
    kinds: dict[Piece, list[str]] = {}
    for element in _in_order(match.board):
        mark = match.marks.get(element)
        if mark is not None and mark.seat == seat:
            kinds.setdefault(mark.piece, []).append(element.replace("#", ""))
    if not kinds:
        return [] if seat is None else [f"{who}: nothing on the board."]
    return [f"{who}, {_NOUNS.get(kind, kind)}, {len(names)}: {', '.join(names)}." for kind, names in kinds.items()]


def _groups(match: Snapshot, seat: int) -> list[str]:
    """Which of a seat's stones belong together, where that counts; the largest group first."""
    order = {element: place for place, element in enumerate(_in_order(match.board))}
    found = [sorted(group.cells, key=order.__getitem__) for group in groups(match) if group.seat == seat]
    if not found:
        return []
    found.sort(key=lambda cells: (-len(cells), order[cells[0]]))
    told = "; ".join(f"{len(cells)}: {' '.join(cells)}" for cells in found)
    return [f"{seat_name(match, seat)}, groups, {len(found)}: {told}."]


def _free(match: Snapshot) -> list[str]:
    board = match.board
    if board.lines:
        names, noun = [line.id for line in board.lines if line.id not in match.marks], "Lines free"
    else:
        cells = [cell.id for cell in board.cells if cell.tone is not Tone.LIGHT and cell.id not in match.marks]
        names, noun = cells, "Cells free"
    if len(names) > MANY_FREE:
        return [f"{noun}: {len(names)}. Type moves for those that may be played."]
    return [f"{noun}, {len(names)}: {', '.join(names)}."] if names else [f"{noun}: none."]


def _in_order(board: Board) -> list[str]:
    parts = (board.regions, board.cells, board.lines, board.dots)
    return [element.id for part in parts for element in part]
