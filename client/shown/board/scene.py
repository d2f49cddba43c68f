"""What is to be drawn, as a list of shapes; and what lies under a point. Pure, for every kind of board.

A front end chooses a View (how large a lattice unit is, and which way up the board lies) and draws the shapes in the
order given: regions, cells, lines, dots. It needs no other knowledge of a game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from dataclasses import dataclass
from enum import Enum

from client.shown.board.groups import groups, joined
from client.shown.board.picking import Path, marked_by, targets
from protocol.board import Board, Cell, Line, Mark, Piece, Shape, Tone
from protocol.messages import Snapshot

LINE_REACH = 0.35
"""How far from a line, in lattice units, a touch still means it: less than half, so that a box's middle means none."""
DOT_REACH = 0.25
HEX_REACH = 0.6
"""A little more than the distance from a hexagon's centre to its corners."""
SAME = 1e-6


class Kind(Enum):
    """What a shape is, in the order of drawing."""

    REGION = 0
    CELL = 1
    LINE = 2
    DOT = 3


@dataclass(frozen=True)
class View:
    """From lattice units to a front end's own (pixels, characters), and back.

    (`left`, `top`) is where the lattice's origin lies. A `turned` board is seen from the other side (`CK 5.1`).
    """

    scale_x: float
    scale_y: float
    width: float
    height: float
    left: float = 0.0
    top: float = 0.0
    turned: bool = False

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where the lattice point lies on screen."""
        if self.turned:
            x, y = self.width - x, self.height - y
        return self.left + x * self.scale_x, self.top + y * self.scale_y

    def lattice(self, x: float, y: float) -> tuple[float, float]:
        """The lattice point that lies at (x, y) on screen: the inverse of `place`."""
        across, down = (x - self.left) / self.scale_x, (y - self.top) / self.scale_y
        return (self.width - across, self.height - down) if self.turned else (across, down)


@dataclass(frozen=True)
class Hints:
    """What the viewer is about to do: shown on top of the match, never part of it."""

    cursor: str | None = None
    hovered: str | None = None
    picked: Path = ()
    pending: tuple[str, ...] = ()
    advised: str = ""
    """The move of a hint."""
    planned: Path = ()
    """What is touched for the next turn."""
    shows_legal: bool = True
    """Whether legal targets are marked: only for who is to move."""
    about: tuple[str, ...] = ()
    """What a refusal is about."""


@dataclass(frozen=True)
class Drawn:
    """One shape. For a line (x1, y1) and (x2, y2) are its ends, for a dot both are its place, else corners of its box.

    `owner` and `piece` say what lies there, `symbol` and `colour` how its owner is told apart. `pending` is the seat
    whose unconfirmed move it belongs to, and `planned` where one for the next turn ends. `size` is that of a group, on
    one of its stones, or of the one that a stone under the hand would make; `taken` is what that would take, `about`
    what a refusal is about.
    """

    kind: Kind
    id: str
    x1: float
    y1: float
    x2: float
    y2: float
    form: Shape | None = None
    tone: Tone = Tone.PLAIN
    tone_colour: str | None = None
    label: str = ""
    owner: int | None = None
    piece: Piece | None = None
    symbol: str = ""
    colour: str = ""
    legal: bool = False
    picked: bool = False
    cursor: bool = False
    hovered: bool = False
    last: bool = False
    pending: bool = False
    advised: bool = False
    planned: bool = False
    in_focus: bool = True
    size: int = 0
    taken: bool = False
    about: bool = False


def is_turned(match: Snapshot) -> bool:
    """Whether each of the viewer's seats sees the board turned (`CK 5.1`)."""
    return bool(match.you) and all(seat in match.board.turned_for for seat in match.you)


def fit(board: Board, width: float, height: float, *, margin: float = 0.5, turned: bool = False) -> View:
    """The largest view of the whole board, centred, with square units and `margin` lattice units around it."""
    scale = min(width / (board.width + 2 * margin), height / (board.height + 2 * margin))
    left = (width - board.width * scale) / 2
    top = (height - board.height * scale) / 2
    return View(scale, scale, board.width, board.height, left, top, turned)


def scene(match: Snapshot, view: View, hints: Hints) -> list[Drawn]:
    """The shapes of a match in drawing order."""
    return _Scene(match, view, hints).shapes()


class _Scene:
    def __init__(self, match: Snapshot, view: View, hints: Hints) -> None:
        self.match = match
        self.board = match.board
        self.view = view
        self.hints = hints
        self.legal = targets(match, hints.picked) if hints.shows_legal and match.status != "ended" else frozenset()
        self.last = frozenset(marked_by(match.board, match.last.move)) if match.last is not None else frozenset()
        self.pending = frozenset(part for move in hints.pending for part in marked_by(match.board, move))
        self.advised = frozenset(marked_by(match.board, hints.advised)) if hints.advised else frozenset()
        self.planned = frozenset(hints.planned)
        self.focused = [region for region in match.board.regions if region.id in match.focus]
        self.sizes = {group.middle: len(group.cells) for group in groups(match) if len(group.cells) > 1}
        self.taken: Set[str] = frozenset()
        at_hand = hints.hovered or hints.cursor
        made = None
        if at_hand is not None and at_hand in self.legal and match.to_move is not None:
            made = joined(match, at_hand, match.to_move)
        if made is not None and at_hand is not None:
            self.taken = made.taken
            self.sizes[at_hand] = made.size if made.size > 1 else 0

    def shapes(self) -> list[Drawn]:
        board = self.board
        found = [
            self._drawn(Kind.REGION, r.id, (r.x, r.y, r.x + r.width, r.y + r.height), label=r.label)
            for r in board.regions
        ]
        found += [self._cell(cell) for cell in board.cells]
        found += [self._drawn(Kind.LINE, line.id, (line.x1, line.y1, line.x2, line.y2)) for line in board.lines]
        found += [self._drawn(Kind.DOT, dot.id, (dot.x, dot.y, dot.x, dot.y)) for dot in board.dots]
        return found

    def _cell(self, cell: Cell) -> Drawn:
        return self._drawn(
            Kind.CELL,
            cell.id,
            cell_box(cell),
            form=cell.shape,
            tone=cell.tone,
            tone_colour=self.board.tones.get(cell.tone),
            label=cell.label,
        )

    def _drawn(
        self,
        kind: Kind,
        id_: str,
        box: tuple[float, float, float, float],
        *,
        form: Shape | None = None,
        tone: Tone = Tone.PLAIN,
        tone_colour: str | None = None,
        label: str = "",
    ) -> Drawn:
        mark: Mark | None = self.match.marks.get(id_)
        owner = mark.seat if mark is not None else None
        planned = id_ in self.planned
        pending = planned or id_ in self.pending
        if pending and owner is None:
            owner = self.match.you[0] if planned and self.match.you else self.match.to_move
        style = self.match.seats[owner].style if owner in (0, 1) else None
        x1, y1 = self.view.place(box[0], box[1])
        x2, y2 = self.view.place(box[2], box[3])
        # Turned, corners change places; what is drawn first must stay left of and above what is drawn last.
        if kind is not Kind.LINE or (x1, y1) > (x2, y2):
            x1, x2, y1, y2 = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
        return Drawn(
            kind=kind,
            id=id_,
            x1=x1,
            y1=y1,
            x2=x2,
            y2=y2,
            form=form,
            tone=tone,
            tone_colour=tone_colour,
            label=label,
            owner=owner,
            piece=mark.piece if mark is not None else None,
            symbol=style.symbol if style is not None else "",
            colour=style.colour if style is not None else "",
            legal=id_ in self.legal,
            picked=id_ in self.hints.picked,
            cursor=id_ == self.hints.cursor,
            hovered=id_ == self.hints.hovered,
            last=id_ in self.last,
            pending=pending,
            advised=id_ in self.advised,
            planned=planned and id_ == self.hints.planned[-1],
            in_focus=self._in_focus(id_, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2),
            size=self.sizes.get(id_, 0),
            taken=id_ in self.taken,
            about=id_ in self.hints.about,
        )

    def _in_focus(self, id_: str, x: float, y: float) -> bool:
        """Whether the next move may be here: everywhere, unless regions are in focus."""
        return not self.focused or any(
            region.id == id_ or (region.x <= x <= region.x + region.width and region.y <= y <= region.y + region.height)
            for region in self.focused
        )


def cell_box(cell: Cell) -> tuple[float, float, float, float]:
    """The corners of a cell's bounding box; a pointy-topped hexagon of width 1 is 2/sqrt(3) high."""
    if cell.shape is Shape.HEX:
        half = 1 / math.sqrt(3)
        return (cell.x - 0.5, cell.y - half, cell.x + 0.5, cell.y + half)
    return (cell.x, cell.y, cell.x + 1, cell.y + 1)


def cell_centre(cell: Cell) -> tuple[float, float]:
    """The middle of a cell."""
    return (cell.x, cell.y) if cell.shape is Shape.HEX else (cell.x + 0.5, cell.y + 0.5)


def hit(board: Board, view: View, x: float, y: float, *, dot_reach: float = DOT_REACH) -> str | None:
    """The element that a touch at (x, y) on screen means: on boards with lines a dot or a line, else a cell."""
    across, down = view.lattice(x, y)
    if board.lines:
        for dot in board.dots:
            if math.hypot(dot.x - across, dot.y - down) <= dot_reach:
                return dot.id
        return _nearest(((_distance(line, across, down), line.id) for line in board.lines), LINE_REACH)
    for cell in board.cells:
        if cell.shape is Shape.SQUARE and cell.x <= across < cell.x + 1 and cell.y <= down < cell.y + 1:
            return cell.id
    hexes = (cell for cell in board.cells if cell.shape is Shape.HEX)
    return _nearest(((math.hypot(cell.x - across, cell.y - down), cell.id) for cell in hexes), HEX_REACH)


def _nearest(candidates: Iterable[tuple[float, str]], reach: float) -> str | None:
    distance, found = min(candidates, default=(math.inf, ""))
    return found if distance <= reach else None


def _distance(line: Line, x: float, y: float) -> float:
    """From the point to the nearest point of the line."""
    along_x, along_y = line.x2 - line.x1, line.y2 - line.y1
    length = along_x**2 + along_y**2 or 1.0
    part = max(0.0, min(1.0, ((x - line.x1) * along_x + (y - line.y1) * along_y) / length))
    return math.hypot(line.x1 + part * along_x - x, line.y1 + part * along_y - y)
