"""Hand-made boards of every kind and snapshots on them, for tests that know no game."""

from __future__ import annotations

import math
from typing import Any

from msgspec import structs

from protocol.board import Board, Cell, Dot, Line, Mark, Piece, Region, SeatStyle, Shape, Tone
from protocol.messages import GameInfo, LastMove, LegalChange, Moved, Option, OwnMatch, Preset, SeatInfo, Snapshot

DARK_BLUE = SeatStyle("Player 1", "#00008b", "●")
LIGHT_BLUE = SeatStyle("Player 2", "#4aa3df", "◇")

DOTS_INFO = GameInfo(
    name="dots-and-boxes",
    title="Dots and Boxes",
    summary="Join dots, close boxes.",
    help="Two players draw lines.\n\nWhoever closes a box draws again.",
    score_names=("boxes",),
    score_names_one=("box",),
    options=(
        Option(name="width", label="Dots across", default=8, low=2, high=15),
        Option(name="height", label="Dots down", default=8, low=2, high=15),
    ),
    presets=(Preset("3 x 3", {"width": 3, "height": 3}), Preset("8 x 8", {"width": 8, "height": 8})),
)


def dots_board(width: int, height: int, prefix: str = "", x0: float = 0, y0: float = 0) -> Board:
    """A grid of dots, its lines and boxes."""
    names = [[f"{chr(97 + x)}{y + 1}" for x in range(width)] for y in range(height)]
    lines = []
    for y in range(height):
        for x in range(width):
            for dx, dy in ((1, 0), (0, 1)):
                if x + dx < width and y + dy < height:
                    a, b = names[y][x], names[y + dy][x + dx]
                    lines.append(
                        Line(
                            f"{prefix}{a}-{b}",
                            x0 + x,
                            y0 + y,
                            x0 + x + dx,
                            y0 + y + dy,
                            prefix + a,
                            prefix + b,
                        )
                    )
    return Board(
        width=width - 1,
        height=height - 1,
        dots=tuple(Dot(prefix + names[y][x], x0 + x, y0 + y) for y in range(height) for x in range(width)),
        lines=tuple(lines),
        cells=tuple(
            Cell(f"{prefix}#{names[y][x]}", x0 + x, y0 + y) for y in range(height - 1) for x in range(width - 1)
        ),
    )


def squares_board() -> Board:
    """Eight by eight squares; the dark ones are numbered 1 to 32 as in draughts. Seat 0 sees it turned."""
    cells = []
    number = 0
    for y in range(8):
        for x in range(8):
            dark = (x + y) % 2 == 1
            number += dark
            name = str(number) if dark else f"light{x}{y}"
            cells.append(Cell(name, x, y, Shape.SQUARE, Tone.DARK if dark else Tone.LIGHT, name if dark else ""))
    return Board(width=8, height=8, cells=tuple(cells), turned_for=(0,))


def hex_board(side: int) -> Board:
    """A hexagon of hexagons, rows named from the top, cells numbered from the left."""
    rows = 2 * side - 1
    high = math.sqrt(3) / 2
    cells = []
    for row in range(rows):
        count = rows - abs(side - 1 - row)
        left = (rows - count) / 2 + 0.5
        for column in range(count):
            cells.append(Cell(f"{chr(97 + row)}{column + 1}", left + column, row * high + 1 / math.sqrt(3), Shape.HEX))
    return Board(width=rows, height=(rows - 1) * high + 2 / math.sqrt(3), cells=tuple(cells))


def macro_board() -> Board:
    """Nine small boards of 4 x 4 dots in regions 1 to 9."""
    parts = [
        (number + 1, dots_board(4, 4, f"{number + 1}:", 4 * (number % 3) + 0.5, 4 * (number // 3) + 0.5))
        for number in range(9)
    ]
    return Board(
        width=12,
        height=12,
        dots=tuple(dot for _, part in parts for dot in part.dots),
        lines=tuple(line for _, part in parts for line in part.lines),
        cells=tuple(cell for _, part in parts for cell in part.cells),
        regions=tuple(
            Region(str(n), 4 * ((n - 1) % 3), 4 * ((n - 1) // 3), 4, 4, tuple(c.id for c in part.cells), str(n))
            for n, part in parts
        ),
    )


def snapshot(board: Board | None = None, **changes: Any) -> Snapshot:
    """A match being played on `board` (3 x 3 dots unless given) by Ada, who is asking, and Ben."""
    board = board if board is not None else dots_board(3, 3)
    plain = Snapshot(
        match="m1",
        version=2,
        game="dots-and-boxes",
        options={},
        status="playing",
        private=False,
        created_ms=1_000,
        seats=(SeatInfo(style=DARK_BLUE, name="Ada", here=True), SeatInfo(style=LIGHT_BLUE, name="Ben", here=True)),
        you=(0,),
        board=board,
        marks={},
        focus=(),
        scores=((0,), (0,)),
        to_move=0,
        legal=tuple(line.id for line in board.lines),
        text="Player 1's turn",
    )
    made = structs.replace(plain, **changes)
    return made if "can" in changes else structs.replace(made, can=can(made))


def own(match: str, **changes: Any) -> OwnMatch:
    """Ada's match against Ben, whose move it is not."""
    seats = (SeatInfo(style=DARK_BLUE, name="Ada", here=True), SeatInfo(style=LIGHT_BLUE, name="Ben", here=True))
    values: dict[str, Any] = {
        "game": "dots-and-boxes", "options": {}, "status": "playing", "private": False, "created_ms": 0,
        "seats": seats, "you": (0,), "scores": ((3,), (2,)), "to_move": 0, "plies": 9,
    }  # fmt: skip
    return OwnMatch(match=match, **(values | changes))


def can(match: Snapshot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the server would grant each seat of such a match, as long as nothing special happened in it."""
    both = {
        "waiting": (),
        "playing": ("abandon", "pause", "offer_draw", "offer_restart", "offer_revert")
        + (("offer_takeback",) if match.plies else ()),
        "ended": ("offer_rematch",),
    }[match.status]
    return (("cancel",) if match.status == "waiting" else both), both


def moved(version: int, seat: int, move: str, **changes: Any) -> Moved:
    """A line drawn by `seat` that passes the turn."""
    plain = Moved(
        match="m1",
        version=version,
        at_ms=0,
        seat=seat,
        move=move,
        marks={move: Mark(seat, Piece.LINE)},
        to_move=1 - seat,
        legal=LegalChange(drop=(move,)),
        text=f"Player {2 - seat}'s turn",
    )
    return structs.replace(plain, **changes)


LAST = LastMove(1, "a1-b1")
