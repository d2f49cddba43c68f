"""What is seen of the hand over a board: what it holds, the line it draws, and whether it may let go there. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from client.shown.board.scene import Drawn, Kind
from client.window.drawing.shapes import Colour, Disc, Point, Stroke
from client.window.drawing.shapes import Shape as Figure
from client.window.drawing.theme import Ink
from client.window.hands.gestures import STONE, Hand
from protocol.board import Piece, Shape

PIECES = frozenset({Piece.MAN, Piece.KING, Piece.STONE})
"""What is picked up and put down."""


class UnderHand:
    """The hand of somebody who is to move, in that seat's `colour`; `next_` is where what it picked may go."""

    def __init__(
        self,
        hand: Hand,
        drawn: Sequence[Drawn],
        next_: AbstractSet[str],
        unit: float,
        stroke: float,
        colour: Colour,
        *,
        has_lines: bool,
    ) -> None:
        self.hand = hand
        self.drawn = drawn
        self.next = next_
        self.unit = unit
        self.stroke = stroke
        self.colour = colour
        self.has_lines = has_lines

    def shapes(self) -> list[Figure]:
        """What lies under the hand, in front of everything."""
        hand = self.hand
        by_id = {one.id: one for one in self.drawn}
        found: list[Figure] = []
        hovered = by_id.get(hand.hovered or "")
        if hovered is not None and hovered.kind is Kind.CELL and not self.has_lines and hand.drags is False:
            found += self._sign(hovered)
        held = by_id.get(hand.held or "")
        mouse = (hand.x, hand.y)
        if held is not None and held.kind is Kind.DOT and math.dist(mouse, (held.x1, held.y1)) > 0.1 * self.unit:
            found.append(Stroke((held.x1, held.y1), mouse, self.colour, max(0.12 * self.stroke, 3), 0.55))
        elif not hand.drags:
            return found
        elif hand.held == STONE or (held is not None and held.piece in PIECES):
            found.append(Disc(mouse, 0.39 * self.unit, self.colour, Ink.DOT, 1.5, 0.75))
            if hovered is not None and hovered.kind is Kind.CELL:
                found += self._sign(hovered)
        return found

    def _sign(self, one: Drawn) -> list[Figure]:
        """A green tick where a move is possible, a red cross where none is (`HX SR4.E1`, `SR4.E2`)."""
        is_stone_game = one.form is Shape.HEX
        if not one.legal and one.id not in self.next and not (is_stone_game or self.hand.picked):
            return []
        if one.id in self.hand.picked:
            return []
        good = one.legal or one.id in self.next
        x, y = centre_of(one)
        reach = 0.2 * self.unit
        thick = max(0.08 * self.unit, 2.5)
        # On a ground of its own, for a red cross must be seen on a red stone, too.
        ground = Disc((x, y), 1.7 * reach, Ink.BOARD, Ink.TICK if good else Ink.CROSS, max(0.03 * self.unit, 1.0))
        if good:
            points = ((x - reach, y), (x - reach * 0.25, y + reach * 0.75), (x + reach, y - reach * 0.8))
            return [ground, *(Stroke(*ends, Ink.TICK, thick) for ends in pairwise(points))]
        reach *= 0.8
        return [
            ground,
            Stroke((x - reach, y - reach), (x + reach, y + reach), Ink.CROSS, thick),
            Stroke((x - reach, y + reach), (x + reach, y - reach), Ink.CROSS, thick),
        ]


def centre_of(one: Drawn) -> Point:
    """The middle of an element."""
    return (one.x1 + one.x2) / 2, (one.y1 + one.y2) / 2
