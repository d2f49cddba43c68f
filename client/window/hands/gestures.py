"""The hand over the board: clicks, two clicks, drags and keys become touches, and touches moves. Pure, and ruleless.

`client.shown.board.picking` says what touched elements mean. Here is what a mouse does: hold on one dot and drag to
the other (`UD RF4`), click a line (`DB 7.2.1.1`), drag a stone from beside the board or click a cell (`HX SR2`), drag
a piece along its jumps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from client.shown.board import picking
from client.shown.board.cursor import Cursor, jump, places, start
from client.shown.board.scene import View, hit
from protocol.messages import Snapshot

DROP_REACH = 0.45
"""How far from a dot, in lattice units, a drag may end on it: more than a click may miss it by."""
STONE = "stone"
"""What is held when a stone was taken from beside the board."""


@dataclass(frozen=True)
class Hand:
    """What is picked and held. `held` is the element that the button went down on, or STONE."""

    picked: picking.Path = ()
    held: str | None = None
    hovered: str | None = None
    cursor: Cursor | None = None
    shows_cursor: bool = False
    """Whether the keys are used, not the mouse."""
    x: float = 0.0
    y: float = 0.0

    @property
    def drags(self) -> bool:
        """Whether something is dragged, so that a preview belongs under the mouse."""
        return self.held is not None and (self.held == STONE or self.hovered != self.held)


@dataclass(frozen=True)
class Done:
    """The hand afterwards, and the move that is to be sent, if one was completed; or `why` a touch did nothing."""

    hand: Hand
    move: str | None = None
    why: str = ""


def press(hand: Hand, match: Snapshot, view: View, x: float, y: float) -> Done:
    """The button goes down on the board."""
    element = hit(match.board, view, x, y)
    return Done(replace(hand, held=element, hovered=element, shows_cursor=False, x=x, y=y))


def take_stone(hand: Hand, x: float, y: float) -> Hand:
    """The button goes down on the stone beside the board (`HX SR2`)."""
    return replace(hand, held=STONE, picked=(), hovered=None, shows_cursor=False, x=x, y=y)


def move(hand: Hand, match: Snapshot, view: View, x: float, y: float) -> Done:
    """The mouse is somewhere else; a piece that is dragged leaves a path behind where moves have one."""
    reach = DROP_REACH if hand.held is not None and _is_dot(match, hand.held) else 0.25
    element = hit(match.board, view, x, y, dot_reach=reach)
    hand = replace(hand, hovered=element, x=x, y=y, shows_cursor=False)
    if hand.held is None or hand.held == STONE or element is None or element == hand.held or match.board.lines:
        return Done(hand)
    picked = hand.picked if hand.picked[:1] == (hand.held,) else picking.touch(match, (), hand.held).picked
    if picked and element != picked[-1] and element in picking.targets(match, picked):
        longer = picking.touch(match, picked, element)
        if longer.move is None:
            picked = longer.picked
    return Done(replace(hand, picked=picked or hand.picked))


def release(hand: Hand, match: Snapshot, view: View, x: float, y: float) -> Done:
    """The button goes up: on the same element it was a click, on another one both were touched."""
    held = hand.held
    after = move(hand, match, view, x, y).hand if held is not None else hand
    hand = replace(after, held=None)
    element = hand.hovered
    if held is None or element is None:
        return Done(replace(hand, picked=() if held is not None and held != element else hand.picked))
    hand = replace(hand, cursor=_cursor_at(match, element) or hand.cursor)
    if held in (STONE, element):
        return touch(hand, match, element)
    if _is_line(match, held) or _is_line(match, element):
        return Done(replace(hand, picked=()))
    if held not in hand.picked:
        first = touch(replace(hand, picked=()), match, held)
        if first.move is not None or not first.hand.picked:
            # What was dragged cannot be: a free cell, or a stone that stays where it lies.
            return Done(replace(hand, picked=()))
        hand = first.hand
    if hand.picked[-1] == element:
        # Dragged along its jumps and let go on the last one: the end of the move, if it may end here.
        ended = picking.confirm(match, hand.picked)
        return Done(replace(hand, picked=ended.picked), ended.move)
    return touch(hand, match, element)


def touch(hand: Hand, match: Snapshot, element: str) -> Done:
    """An element was touched."""
    result = picking.touch(match, hand.picked, element)
    return Done(replace(hand, picked=result.picked), result.move, result.why)


def touch_at_cursor(hand: Hand, match: Snapshot) -> Done:
    """Enter or Space."""
    cursor = hand.cursor or start(match, None, hand.picked)
    if cursor is None:
        return Done(hand)
    return touch(replace(hand, cursor=cursor, shows_cursor=True), match, cursor.id)


def arrow(hand: Hand, match: Snapshot, right: int, down: int) -> Hand:
    """One arrow key; the first one only shows where the cursor is."""
    if hand.cursor is None or not hand.shows_cursor:
        return replace(hand, cursor=start(match, hand.cursor, hand.picked), shows_cursor=True, hovered=None)
    return replace(hand, cursor=jump(match, hand.cursor, right, down, hand.picked))


def let_go(hand: Hand) -> Hand:
    """Drop what is picked and held."""
    return replace(hand, picked=(), held=None)


def after_change(hand: Hand, before: Snapshot | None, match: Snapshot) -> Hand:
    """The hand over the next position: what is picked stays as long as it can lead to a move."""
    if before is None or before.match != match.match:
        return Hand()
    if before.version == match.version:
        return hand
    goes_on = picking.targets(match, hand.picked) or picking.complete(match.legal, hand.picked)
    hand = hand if goes_on or not hand.picked else replace(hand, picked=())
    if hand.shows_cursor and match.to_move in match.you:
        hand = replace(hand, cursor=start(match, hand.cursor, hand.picked))
    return hand


def _is_line(match: Snapshot, element: str) -> bool:
    return any(line.id == element for line in match.board.lines)


def _is_dot(match: Snapshot, element: str) -> bool:
    return any(dot.id == element for dot in match.board.dots)


def _cursor_at(match: Snapshot, element: str) -> Cursor | None:
    where = places(match.board)
    return Cursor(element, where[element][0]) if element in where else None
