"""The board of any game as shapes: what `client.shown.board.scene` says lies where, in the window's looks. Pure.

Players are told apart without colour: their symbols stand in boxes, on pieces and stones, and the second player's
lines have a light core.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from client.shown.board.coordinates import Coordinate, coordinates
from client.shown.board.picking import targets
from client.shown.board.scene import Drawn, Hints, Kind, View, fit, is_turned, scene
from client.window.drawing.shapes import Align, Box, Colour, Disc, Point, Polygon, Rect, Stroke, Text
from client.window.drawing.shapes import Shape as Figure
from client.window.drawing.signs import sign
from client.window.drawing.theme import Face, Ink, mixed, writing_on
from client.window.hands.gestures import Hand
from client.window.hands.under_hand import PIECES, UnderHand, centre_of
from client.window.parts.motion import Motion
from protocol.board import Piece, Shape, Tone
from protocol.messages import Snapshot

MARGIN = 0.55
"""Lattice units around a board, with room for coordinates."""
REGION_PAD = 0.32
"""Lattice units between a region's dots and its edge."""
MARGIN_OF_SQUARES = 0.25
"""The same where the squares bear their own labels."""
FEW = 4
"""Lattice units below which lines and dots stop growing with the board: a board of few boxes is not drawn coarsely."""
_TONES: dict[Tone, Colour] = {Tone.LIGHT: Ink.BOARD_LIGHT, Tone.DARK: Ink.BOARD_DARK}
_EMPTY_HAND, _STILL = Hand(), Motion()


@dataclass(frozen=True)
class Look:
    """What the viewer does at the board; `mine` says whether a move is to be made here, `about` is what was refused,
    and `planned` what is touched for the next turn."""

    hand: Hand = _EMPTY_HAND
    pending: tuple[str, ...] = ()
    advised: str = ""
    """The move of a hint."""
    mine: bool = False
    about: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    motion: Motion = _STILL
    now: float = 0.0


def view_of(match: Snapshot, area: Rect) -> View:
    """Where the board lies in its area."""
    margin = MARGIN if coordinates(match.board) else MARGIN_OF_SQUARES
    view = fit(match.board, area.width, area.height, margin=margin, turned=is_turned(match))
    return replace(view, left=view.left + area.x, top=view.top + area.y)


def board_shapes(match: Snapshot, view: View, look: Look) -> list[Figure]:
    """The whole board, from the ground up."""
    return _Drawing(match, view, look).shapes()


class LastBoard:
    """The board drawn last: given again as it is for as long as nothing about it has changed, as while a clock runs."""

    def __init__(self) -> None:
        self._of: tuple[Snapshot, View, Look] | None = None
        self._shapes: list[Figure] = []

    @property
    def view(self) -> View | None:
        """Where it lies; None while none was drawn."""
        return self._of[1] if self._of is not None else None

    def shapes(self, match: Snapshot, view: View, look: Look) -> list[Figure]:
        """What `board_shapes` says."""
        seen = look if look.motion.is_on(look.now) else replace(look, now=0.0)
        if look.hand.held is None:
            seen = replace(seen, hand=replace(look.hand, x=0.0, y=0.0))
        if self._of is None or self._of[0] is not match or self._of[1:] != (view, seen):
            self._of = (match, view, seen)
            self._shapes = board_shapes(match, view, look)
        return self._shapes


class _Drawing:
    def __init__(self, match: Snapshot, view: View, look: Look) -> None:
        self.match = match
        self.view = view
        self.unit = view.scale_x
        self.stroke = self.unit * min(1.0, max(match.board.width, match.board.height) / FEW)
        self.look = look
        hand = look.hand
        cursor = hand.cursor.id if hand.cursor is not None and hand.shows_cursor else None
        hints = Hints(
            cursor,
            hand.hovered,
            hand.picked,
            look.pending,
            look.advised,
            look.planned,
            shows_legal=look.mine,
            about=look.about,
        )
        self.drawn = scene(match, view, hints)
        self.next = targets(match, hand.picked) if look.mine and hand.picked else frozenset()
        self.part = look.motion.part(look.now)

    def shapes(self) -> list[Figure]:
        board, unit = self.match.board, self.unit
        at_edge = coordinates(board)
        pad = 0.5 * unit if board.lines or at_edge else 0.18 * unit
        ground = Rect(
            self.view.left - pad, self.view.top - pad, board.width * unit + 2 * pad, board.height * unit + 2 * pad
        )
        found: list[Figure] = [Box(ground, Ink.BOARD, Ink.EDGE, 1, min(0.2 * unit, 16))]
        found += [self._coordinate(one) for one in at_edge]
        for one in self.drawn:
            match one.kind:
                case Kind.REGION:
                    found += self._region(one)
                case Kind.CELL:
                    found += self._cell(one)
                case Kind.LINE:
                    found += self._line(one)
                case Kind.DOT:
                    found += self._dot(one)
        # What is above everything: regions that are won, what moves, what is under the hand.
        for one in self.drawn:
            if one.kind is Kind.REGION:
                found += self._won(one)
            elif one.planned:
                found += self._planned(one)
        return [*found, *self._moving(), *self._under_hand()]

    def _coordinate(self, one: Coordinate) -> Figure:
        """Outside, and seen from either side of the board."""
        board = self.match.board
        begins = REGION_PAD if board.regions else 0.1 if board.lines else 0.0
        out, half = (begins + MARGIN) / 2, (MARGIN - begins) / 2 * self.unit
        x, y = self.view.place(one.x + out * one.dx, one.y + out * one.dy)
        rect = Rect(x - half, y - half, 2 * half, 2 * half)
        return Text(rect, one.text, max(0.2 * self.stroke, 8), Ink.DOT, align=Align.CENTRE)

    # Lines, dots, regions ---------------------------------------------------------------------------------------------

    def _line(self, one: Drawn) -> list[Figure]:
        # Whole pixels, so that glow and core lie evenly at both sides.
        thick = max(round(0.12 * self.stroke), 3)
        start, end = (one.x1, one.y1), (one.x2, one.y2)
        # A line that is drawn may be nobody's: those of Square turn black (`SQ1`).
        if one.owner is None and one.piece is None:
            shown = one.in_focus or not self.look.mine
            free: list[Figure] = [Stroke(start, end, Ink.FREE if shown else Ink.VEIL, max(0.045 * self.stroke, 1.0))]
            if one.advised:
                free += [
                    Stroke(start, end, Ink.TICK, thick + 2 * round(0.4 * thick)),
                    Stroke(start, end, Ink.BOARD, thick),
                ]
            if self.look.mine and (one.hovered or one.cursor):
                free.append(self._preview(start, end, thick, legal=one.legal))
            if one.cursor:
                free.append(_ring_around(start, end, thick))
            return free
        colour = one.colour or Ink.DOT
        if one.id in self.look.motion.came and self.part < 1:
            end = (start[0] + (end[0] - start[0]) * self.part, start[1] + (end[1] - start[1]) * self.part)
        found: list[Figure] = []
        if one.last:
            found.append(Stroke(start, end, Ink.GLOW, thick + 2 * round(0.5 * thick)))
        found.append(Stroke(start, end, colour, thick, 0.5 if one.pending else 1.0))
        if one.owner == 1 and not one.pending:
            found.append(Stroke(start, end, Ink.BOARD, thick - 2 * int(0.39 * thick)))
        if one.cursor:
            found.append(_ring_around(start, end, thick))
        return found

    def _preview(self, start: Point, end: Point, thick: float, *, legal: bool) -> Figure:
        """The line as it would be drawn (`UD RF4`)."""
        return Stroke(start, end, self._mover_colour() if legal else Ink.CROSS, thick, 0.55)

    def _dot(self, one: Drawn) -> list[Figure]:
        radius = max(0.1 * self.stroke, 2.5)
        at = (one.x1, one.y1)
        found: list[Figure] = []
        if one.picked or one.id in self.next:
            found.append(Disc(at, radius * 2, Ink.GLOW if one.picked else None, Ink.TICK, max(radius * 0.35, 1.5)))
        elif self.look.mine and one.hovered and one.in_focus:
            found.append(Disc(at, radius * 1.8, Ink.GLOW, alpha=0.6))
        found.append(Disc(at, radius, Ink.DOT, alpha=1.0 if one.in_focus else 0.45))
        if one.cursor:
            found.append(Disc(at, radius * 2.4, None, Ink.FOCUS, max(radius * 0.45, 2.0)))
        return found

    def _region(self, one: Drawn) -> list[Figure]:
        pad = REGION_PAD * self.unit
        rect = Rect(one.x1 - pad, one.y1 - pad, one.x2 - one.x1 + 2 * pad, one.y2 - one.y1 + 2 * pad)
        focused = one.in_focus and bool(self.match.focus) and self.match.status == "playing"
        edge: Colour = Ink.ACCENT if focused else Ink.FREE
        thick = max(0.07 * self.unit, 2) if focused else 1
        size = max(0.2 * self.unit, 8)
        corner = Rect(rect.x + 0.06 * self.unit, rect.y + 0.03 * self.unit, 2 * size, 1.2 * size)
        return [
            Box(rect, None if one.in_focus else Ink.VEIL, edge, thick, pad / 2),
            Text(corner, one.label, size, Ink.DOT, Face.BOLD),
        ]

    def _won(self, one: Drawn) -> list[Figure]:
        """A region that somebody has won lies under a veil in its owner's colour, with the owner's symbol."""
        if one.owner is None:
            return []
        rect = Rect(one.x1, one.y1, one.x2 - one.x1, one.y2 - one.y1)
        size = min(rect.width, rect.height) * 0.5
        edge = max(0.06 * self.unit, 2)
        ink = writing_on(one.colour)
        return [
            Box(rect, one.colour, one.colour, edge, 0.12 * self.unit, 0.82),
            *sign(one.symbol, rect.centre, size, ink),
        ]

    # Cells ------------------------------------------------------------------------------------------------------------

    def _cell(self, one: Drawn) -> list[Figure]:
        found: list[Figure] = []
        if one.form is Shape.HEX:
            found += self._hexagon(one)
        elif one.tone is not Tone.PLAIN:
            found += self._square(one)
        if one.owner is not None and one.piece is not None:
            moves = self.look.motion.is_on(self.look.now) and self.look.motion.path[-1:] == (one.id,)
            if one.piece in PIECES:
                found += [] if moves else self._piece(one, centre_of(one), pending=one.pending)
                found += self._over_stone(one)
            else:
                found += self._box(one)
        elif one.pending and one.owner is not None:
            # A piece that would lie here, told from one that does by its broken edge of two rings.
            edge, thick = mixed(one.colour, writing_on(one.colour), 0.45), max(0.04 * self.unit, 1.5)
            found += [
                Disc(centre_of(one), 0.39 * self.unit, one.colour, edge, thick, 0.45),
                Disc(centre_of(one), 0.46 * self.unit, None, one.colour, thick),
            ]
        if one.id in self.next:
            found.append(Disc(centre_of(one), 0.14 * self.unit, Ink.TICK))
        if one.advised:
            size = 0.3 * self.unit if one.form is Shape.HEX else 0.44 * self.unit
            x, y = centre_of(one)
            rect = Rect(x - size, y - size, 2 * size, 2 * size)
            found.append(Box(rect, None, Ink.TICK, max(0.1 * self.unit, 3), size))
        if one.cursor:
            rect = _rect(one).inset(0.04 * self.unit)
            found.append(Box(rect, None, Ink.FOCUS, max(0.07 * self.unit, 2), 0.1 * self.unit))
        return found

    def _square(self, one: Drawn) -> list[Figure]:
        rect = _rect(one)
        fill = one.tone_colour or _TONES.get(one.tone, Ink.BOARD)
        found: list[Figure] = [Box(rect, fill)]
        if one.last or one.picked:
            found.append(Box(rect, Ink.GLOW, alpha=0.75 if one.picked else 0.5))
        if one.legal and self.look.mine and not self.look.hand.picked:
            found.append(Box(rect.inset(0.03 * self.unit), None, Ink.TICK, max(0.06 * self.unit, 2), 0.08 * self.unit))
        if one.label:
            ink: Colour = writing_on(fill) if isinstance(fill, str) else Ink.DOT
            # In the corner that no piece reaches.
            corner = Rect(rect.x + 0.04 * self.unit, rect.y, rect.width, 0.2 * self.unit)
            found.append(Text(corner, one.label, max(0.16 * self.unit, 8), ink))
        return found

    def _hexagon(self, one: Drawn) -> list[Figure]:
        x, y = centre_of(one)
        radius = (one.y2 - one.y1) / 2
        corners = tuple(
            (x + radius * math.sin(math.radians(60 * k)), y - radius * math.cos(math.radians(60 * k))) for k in range(6)
        )
        fill: Colour = Ink.GLOW if one.last and one.owner is None else Ink.BOARD_LIGHT
        return [Polygon(corners, fill, Ink.FREE, max(0.045 * self.unit, 1.0))]

    def _piece(self, one: Drawn, at: Point, *, pending: bool = False, alpha: float = 1.0) -> list[Figure]:
        radius = 0.39 * self.unit
        if one.id in self.look.motion.came and self.part < 1:
            radius *= 0.4 + 0.6 * self.part
        alpha = 0.55 if pending else alpha
        ink = writing_on(one.colour)
        found: list[Figure] = []
        if one.last and one.form is Shape.HEX:
            found.append(Disc(at, radius * 1.18, Ink.GLOW))
        found.append(Disc(at, radius, one.colour, mixed(one.colour, ink, 0.45), max(0.05 * self.unit, 1.5), alpha))
        if one.piece is Piece.KING:
            found.append(Disc(at, radius * 0.78, None, ink, max(0.04 * self.unit, 1.5)))
        if one.size:
            # How many stones its group has; whose they are is seen without colour below it.
            number = Rect(at[0] - radius, at[1] - radius, 2 * radius, 1.7 * radius)
            found.append(Text(number, str(one.size), radius, ink, Face.BOLD, Align.CENTRE))
            return [*found, *sign(one.symbol, (at[0], at[1] + radius * 0.62), radius * 0.4, ink)]
        if one.piece is not Piece.KING:
            return [*found, *sign(one.symbol, at, radius * 0.85, ink)]
        crown = Rect(at[0] - radius, at[1] - radius * 0.95, 2 * radius, 1.6 * radius)
        found.append(Text(crown, "♛", radius, ink, Face.SYMBOL, Align.CENTRE))
        # Whose king it is must be seen without colour, too.
        found += sign(one.symbol, (at[0], at[1] + radius * 0.48), radius * 0.36, ink)
        return found

    def _planned(self, one: Drawn) -> list[Figure]:
        """Where a move ends that is planned for the next turn: two arrows on a disc."""
        x, y = centre_of(one)
        radius = max(0.17 * self.stroke, 8)
        disc = Disc((x, y), radius, Ink.FOCUS, Ink.BOARD, max(0.03 * self.unit, 1.5))
        arrows = [
            Stroke((x + left * radius, y + side * radius), (x + (left + 0.4) * radius, y), Ink.BOARD, radius / 6 + 1)
            for left in (-0.5, 0.1)
            for side in (-0.45, 0.45)
        ]
        return [disc, *arrows]

    def _over_stone(self, one: Drawn) -> list[Figure]:
        """A cross on what the stone under the hand would take, a ring around what a refusal is about."""
        (x, y), reach, thick = centre_of(one), 0.2 * self.unit, max(0.08 * self.unit, 2.5)
        if one.taken and self.look.mine:
            arms = ((x - reach, y - reach, x + reach, y + reach), (x - reach, y + reach, x + reach, y - reach))
            ground = Disc((x, y), 1.5 * reach, Ink.BOARD, Ink.CROSS, max(0.03 * self.unit, 1.0))
            return [ground, *(Stroke((x1, y1), (x2, y2), Ink.CROSS, thick) for x1, y1, x2, y2 in arms)]
        if one.about:
            edge = Disc((x, y), 0.47 * self.unit, None, Ink.BOARD, 1.8 * thick)
            return [edge, Disc((x, y), 0.46 * self.unit, None, Ink.CROSS, thick)]
        return []

    def _box(self, one: Drawn) -> list[Figure]:
        """A box that was closed: its owner's colour (`DB 13.1`), and the symbol (`SQ3`)."""
        rect = _rect(one).inset(0.11 * self.unit)
        fresh = one.id in self.look.motion.came and self.part < 1
        grown = rect.inset(rect.width * 0.5 * (1 - self.part)) if fresh else rect
        alpha = 0.5 if one.pending else 1.0
        return [
            Box(grown, one.colour, None, radius=0.06 * self.unit, alpha=alpha),
            *sign(one.symbol, rect.centre, 0.42 * self.unit, writing_on(one.colour)),
        ]

    # What moves, and what is under the hand ---------------------------------------------------------------------------

    def _moving(self) -> list[Figure]:
        motion = self.look.motion
        if not motion.is_on(self.look.now):
            return []
        by_id = {one.id: one for one in self.drawn if one.kind is Kind.CELL}
        found: list[Figure] = []
        for id_, mark in (motion.went or {}).items():
            if id_ in by_id and mark.piece in PIECES and mark.seat is not None:
                style = self.match.seats[mark.seat].style
                gone = replace(by_id[id_], owner=mark.seat, piece=mark.piece, colour=style.colour, symbol=style.symbol)
                radius = 0.39 * self.unit * (1 - self.part)
                found.append(Disc(centre_of(gone), radius, style.colour, alpha=1 - self.part))
        if len(motion.path) > 1 and all(id_ in by_id for id_ in motion.path):
            leg, along = motion.along(self.look.now)
            (x1, y1), (x2, y2) = centre_of(by_id[motion.path[leg]]), centre_of(by_id[motion.path[leg + 1]])
            found += self._piece(by_id[motion.path[-1]], (x1 + (x2 - x1) * along, y1 + (y2 - y1) * along))
        return found

    def _under_hand(self) -> list[Figure]:
        if not self.look.mine:
            return []
        has_lines = bool(self.match.board.lines)
        return UnderHand(
            self.look.hand, self.drawn, self.next, self.unit, self.stroke, self._mover_colour(), has_lines=has_lines
        ).shapes()

    def _mover_colour(self) -> Colour:
        seat = self.match.to_move
        return self.match.seats[seat].style.colour if seat is not None else Ink.DOT


def _rect(one: Drawn) -> Rect:
    return Rect(one.x1, one.y1, one.x2 - one.x1, one.y2 - one.y1)


def _ring_around(start: Point, end: Point, thick: float) -> Box:
    left, right = min(start[0], end[0]), max(start[0], end[0])
    top, bottom = min(start[1], end[1]), max(start[1], end[1])
    rect = Rect(left - thick, top - thick, right - left + 2 * thick, bottom - top + 2 * thick)
    return Box(rect, None, Ink.FOCUS, max(thick * 0.4, 2), thick)
