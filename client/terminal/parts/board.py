"""The board on screen: prints a scene, keeps the cursor visible, and turns keys and the mouse into moves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from client.kept.settings import BoardColours, Settings
from client.shown.actions.controls import BY_ACTION, is_enabled
from client.shown.actions.plans import touchable
from client.shown.board import picking
from client.shown.board.coordinates import coordinates
from client.shown.board.cursor import Cursor, jump, places, start
from client.shown.board.scene import Hints, is_turned, scene
from client.shown.model import Model
from client.terminal.drawing.board_inks import ground_of, inked
from client.terminal.drawing.dressing import worn
from client.terminal.drawing.layout import Layout, choose_layout
from client.terminal.drawing.raster import Canvas, Glyph, Ink, raster
from protocol.board import Board
from protocol.messages import Snapshot

_ARROWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class BoardView(ScrollView, can_focus=True):
    """Shows `model.match`; a board larger than the screen scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"move_cursor({right}, {down})", "", show=False) for key, (right, down) in _ARROWS.items()),
        Binding(",".join(BY_ACTION["touch"].keys), "touch", "", show=False),
    ]

    class Played(Message):
        """The user completed a move, legal or not."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class TouchedInVain(Message):
        """The user touched what no move begins with; `why` is a sentence."""

        def __init__(self, why: str) -> None:
            super().__init__()
            self.why = why

    class Looked(Message):
        """The cursor or what is picked has changed."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.picked: picking.Path = ()
        self._model = Model()
        self._match: Snapshot | None = None
        self._cursor: Cursor | None = None
        self._hovered: str | None = None
        self._pressed: str | None = None
        self._layout = Layout.empty()
        self._canvas: Canvas = []
        self._lines: list[Strip] = []

    @property
    def cursor(self) -> str | None:
        """The element under the cursor, for whoever may move one."""
        return self._cursor.id if self._cursor is not None and self._may_touch() else None

    @property
    def at_hand(self) -> str | None:
        """The element under the mouse, or else under the cursor."""
        return self._hovered or self.cursor

    def show(self, model: Model) -> None:
        """Draw this model's match."""
        if model is self._model:
            return
        before, self._model = self._match, model
        self._match = match = model.shown
        if match is None:
            return
        if before is None or before.match != match.match or self._cursor is None:
            self._cursor, self.picked = None, ()
        elif before.version != match.version and not self._goes_on(match):
            self.picked = ()
        if self._cursor is None or (before is not None and before.version != match.version and model.is_my_turn):
            self._cursor = start(match, self._cursor, self.picked)
        self._draw()

    def let_go(self) -> bool:
        """Drop what is picked; False when nothing was."""
        had, self.picked = bool(self.picked), ()
        self._draw()
        return had

    # Drawing ----------------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        match = self._match
        if match is None or not self.size.width:
            return
        self._layout = choose_layout(match.board, self.size.width, self.size.height, turned=is_turned(match))
        hints = Hints(
            cursor=self.cursor if self.has_focus else None,
            hovered=self._hovered,
            picked=self.picked,
            pending=self._pending(),
            planned=self._model.plan.path,
            advised=self._model.hinted,
            shows_legal=self._model.is_to_move,
            about=self._model.notice.at,
        )
        self._canvas = raster(scene(match, self._layout.view, hints), self._layout, coordinates(match.board))
        self._lines = [_strip(row, self._board_colours()) for row in self._canvas]
        self.virtual_size = Size(self._layout.columns, self._layout.rows)
        self.refresh()
        self.post_message(self.Looked())

    def _board_colours(self) -> BoardColours:
        settings = getattr(self.app, "settings", None)
        return settings.board if isinstance(settings, Settings) else BoardColours.PAPER

    def recolour(self) -> None:
        """Draw anew in the colours that were chosen."""
        self._draw()

    def _pending(self) -> tuple[str, ...]:
        return (*self._model.pending_moves, *filter(None, [self._model.plan.unsent]))

    def _offset(self) -> tuple[int, int]:
        """Where the board begins in the widget: in the middle when there is room, else where it is scrolled to."""
        spare_x, spare_y = self.size.width - self._layout.columns, self.size.height - self._layout.rows
        return (
            spare_x // 2 if spare_x > 0 else -self.scroll_offset.x,
            spare_y // 2 if spare_y > 0 else -self.scroll_offset.y,
        )

    def render_line(self, y: int) -> Strip:
        """One row of the widget."""
        left, top = self._offset()
        row = y - top
        width = self.size.width
        ground = Style(bgcolor=worn(self.app).table)
        if -1 <= row <= len(self._lines) and self._lines:
            edge = Strip.blank(self._layout.columns, Style(bgcolor=ground_of(self._board_colours())))
            line = self._lines[row] if 0 <= row < len(self._lines) else edge
        else:
            return Strip.blank(width, ground)
        if left < 0:
            return line.crop(-left, -left + width)
        return Strip([Segment(" " * left, ground), *line]).extend_cell_length(width, ground)

    def _keep_visible(self) -> None:
        """Scroll so that the cursor, and a little around it, is on screen."""
        match, cursor = self._match, self._cursor
        if match is None or cursor is None or cursor.id not in (where := places(match.board)):
            return
        x, y = self._layout.view.place(*where[cursor.id])
        around = Region(round(x) - 4, round(y) - 2, 9, 5).intersection(Region(0, 0, *self.virtual_size))
        self.scroll_to_region(around, animate=False, force=True)

    def on_resize(self, event: events.Resize) -> None:
        """Choose the scale anew."""
        self._draw()
        self.call_after_refresh(self._keep_visible)

    def on_focus(self) -> None:
        """Show the cursor."""
        self._draw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._draw()

    # Keys -------------------------------------------------------------------------------------------------------------

    def _may_touch(self) -> bool:
        return is_enabled("touch", self._model)

    async def action_move_cursor(self, right: int, down: int) -> None:
        """An arrow key; without a seat the arrows scroll, or step through the moves where nothing is to be scrolled."""
        match = self._match
        if match is None:
            return
        if right and not self._model.plays and not self.max_scroll_x:
            await self.run_action("screen.back" if right < 0 else "screen.forward")
            return
        if self._cursor is None or not self._may_touch():
            self.scroll_relative(x=4 * right, y=2 * down, animate=False)
            return
        self._cursor = jump(match, self._cursor, right, down, self.picked)
        self._draw()
        self._keep_visible()

    async def action_touch(self) -> None:
        """Enter or Space."""
        if self._model.plan.unsent:
            await self.run_action("screen.confirm")
        elif self._cursor is not None:
            self._touch(self._cursor.id)

    def _touch(self, element: str) -> None:
        match = touchable(self._model)
        if match is None or not self._may_touch():
            return
        result = picking.touch(match, self.picked, element)
        self.picked = result.picked
        self._draw()
        if result.move is not None:
            self.post_message(self.Played(result.move))
        elif result.why:
            self.post_message(self.TouchedInVain(result.why))

    def _goes_on(self, match: Snapshot) -> bool:
        """Whether what is picked can still lead to a move."""
        return bool(self.picked) and bool(
            picking.targets(match, self.picked) or picking.complete(match.legal, self.picked)
        )

    # The mouse --------------------------------------------------------------------------------------------------------

    def _element_at(self, event: events.MouseEvent) -> str | None:
        if self._match is None:
            return None
        left, top = self._offset()
        return self._layout.element_at(self._match.board, event.x - left, event.y - top)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin a click or a drag (`UD RF4`: hold the button on one dot and drag to the other)."""
        self._pressed = self._element_at(event)
        if self._pressed is not None:
            self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End it: on the same element it was a click, on another one both were touched."""
        self.release_mouse()
        pressed, self._pressed = self._pressed, None
        released = self._element_at(event)
        if pressed is None or released is None:
            return
        self._move_cursor_to(released)
        if pressed != released and self._is_draggable(pressed):
            self._drag(pressed, released)
        elif pressed == released:
            self._touch(released)

    def _is_draggable(self, element: str) -> bool:
        """Dots and cells are dragged from; lines are not."""
        return self._match is not None and all(line.id != element for line in self._match.board.lines)

    def _drag(self, start: str, end: str) -> None:
        if self.picked[-1:] != (start,):
            self._touch(start)
        if self.picked[-1:] == (start,) and not self._is_line(end):
            self._touch(end)

    def _is_line(self, element: str) -> bool:
        return not self._is_draggable(element)

    def _move_cursor_to(self, element: str) -> None:
        if self._match is not None and element in (where := places(self._match.board)):
            self._cursor = Cursor(element, where[element][0])

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Show what a click would mean."""
        hovered = self._element_at(event) if self._may_touch() else None
        if hovered != self._hovered:
            self._hovered = hovered
            self._draw()

    def on_leave(self, event: events.Leave) -> None:
        """The mouse is elsewhere."""
        if self._hovered is not None:
            self._hovered = None
            self._draw()


def needs(board: Board) -> tuple[int, int]:
    """The columns and rows that the board takes at its smallest."""
    layout = choose_layout(board, 0, 0)
    return layout.columns, layout.rows


def same_within(board: Board, width: int, other: int, height: int) -> bool:
    """Whether the board is drawn as large in either width."""
    first, second = (choose_layout(board, columns, height) for columns in (width, other))
    return first == second and first.columns <= min(width, other)


def _strip(row: Iterable[Glyph], board: BoardColours) -> Strip:
    segments = [
        Segment("".join(glyph.text for glyph in run), _style(ink))
        for ink, run in groupby(row, key=lambda glyph: inked(glyph.ink, glyph.text, board))
    ]
    return Strip(segments)


@lru_cache(maxsize=1024)
def _style(ink: Ink) -> Style:
    # Reversed twice: the terminal swaps the colours back, and one that has no colours still shows the reversal.
    colour, ground = (ink.ground, ink.colour) if ink.reverse else (ink.colour, ink.ground)
    return Style(color=colour, bgcolor=ground, bold=ink.bold, reverse=ink.reverse)
