"""Beside the board: the moves in two numbered columns, or what happened and was said; one of the two at a time."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from client.shown.model import Model
from client.shown.words.move_list import Cell, Row, row_of, rows
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import shortened
from protocol.messages import Snapshot

NO_MOVES = "No move yet."
NO_CHAT = "Nothing was said yet: / says something."


class Tab(Static):
    """The head of one of the two."""

    class Chosen(Message):
        """It was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def on_click(self, event: events.Click) -> None:
        """Show what is below it."""
        event.stop()
        self.post_message(self.Chosen(str(self.id)))


class Moves(Static):
    """The rows; a click on a move goes to the position after it."""

    class Looked(Message):
        """The user wants to see the position after `ply` moves."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self) -> None:
        super().__init__(id="move-rows", markup=False)
        self.rows: tuple[Row, ...] = ()

    def on_click(self, event: events.Click) -> None:
        """The move under the mouse, if one is there."""
        at = event.get_content_offset(self)
        if at is None or not 0 <= at.y < len(self.rows):
            return
        cell = self.rows[at.y][1 if at.x >= (self.content_size.width + 1) // 2 else 0]
        if cell is not None:
            event.stop()
            self.post_message(self.Looked(cell.ply))


class MovesView(Vertical):
    """Shows `model.moves`, or `model.chat`; an unread mark stands at the head of what is not seen."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.shows_chat = False
        self._drawn: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """The key of a private match, the two heads, and below them what they are of."""
        yield Static(id="match-key", markup=False)
        with Horizontal(id="log-tabs"):
            yield Tab(id="moves-tab", markup=False)
            yield Tab(id="chat-tab", markup=False)
        with VerticalScroll(id="moves", can_focus=False):
            yield Moves()
        yield Static(id="chat", markup=False)

    def turn(self, *, chat: bool) -> None:
        """Show what happened and was said, or the moves."""
        self.shows_chat = chat
        self._drawn = ()

    def show(self, model: Model, match: Snapshot) -> None:
        """Show this model's."""
        width = max(self.content_size.width, 10)
        drawn = (model.moves, model.chat, model.unread, model.step, match.key, width, self.size, self.shows_chat)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        key = self.query_one("#match-key", Static)
        key.display = match.key is not None
        if match.key is not None:
            key.update(Content.assemble(("Private. The key is\n", theme.DUST), (match.key, f"bold {theme.BRASS}")))
        self._show_heads(model)
        self.query_one("#moves").display = not self.shows_chat
        self.query_one("#chat").display = self.shows_chat
        if self.shows_chat:
            self._show_chat(model, match, width)
        else:
            self._show_moves(model, width)

    def _show_heads(self, model: Model) -> None:
        for name, label, chosen in (("moves", "Moves", not self.shows_chat), ("chat", "Chat", self.shows_chat)):
            mark = f" ●{model.unread}" if name == "chat" and model.unread and not chosen else ""
            style = f"bold underline {theme.CHALK}" if chosen else theme.DUST
            self.query_one(f"#{name}-tab", Tab).update(Content.assemble((label, style), (mark, f"bold {theme.BRASS}")))

    def _show_moves(self, model: Model, width: int) -> None:
        moves = self.query_one(Moves)
        moves.rows = listed = rows(model.moves)
        shown = model.shown_ply
        lines = [_line(row, width, shown) for row in listed]
        moves.update(Content("\n").join(lines) if lines else content(NO_MOVES, theme.DUST))
        scroll, at = self.query_one("#moves", VerticalScroll), row_of(listed, shown)
        if model.step is None:
            scroll.call_after_refresh(scroll.scroll_end, animate=False)
        elif not scroll.scroll_offset.y <= at < scroll.scroll_offset.y + scroll.size.height:
            scroll.scroll_to(y=max(at - scroll.size.height // 2, 0), animate=False)

    def _show_chat(self, model: Model, match: Snapshot, width: int) -> None:
        lines: list[Content] = []
        for one in model.chat:
            symbol = match.seats[one.seat].style.symbol[:1] if one.seat is not None else " "
            text = content(one.text, theme.CHALK if one.is_said else theme.DUST)
            wrapped = text.wrap(width - 2)
            lines += [
                Content.assemble((f"{symbol if not at else ' '} ", theme.CHALK), part)
                for at, part in enumerate(wrapped)
            ]
        room = max(self.query_one("#chat").size.height, self.size.height - 1, 1)
        self.query_one("#chat", Static).update(
            Content("\n").join(lines[-room:]) if lines else content(NO_CHAT, theme.DUST)
        )


def _line(row: Row, width: int, shown: int) -> Content:
    """Two cells in as many columns; the move that is looked at is marked."""
    left, right = (width + 1) // 2, width // 2
    return Content.assemble(*_cell(row[0], left, shown, gap=1), *_cell(row[1], right, shown, gap=0))


def _cell(cell: Cell | None, width: int, shown: int, *, gap: int) -> list[tuple[str, str]]:
    if cell is None:
        return [(" " * width, "")]
    number = f"{cell.ply:3} "
    room = width - cell_len(number) - gap
    text = shortened(next((text for text in cell.texts if cell_len(text) <= room), cell.move), room)
    style = f"bold $table on {theme.BRASS}" if cell.ply == shown else theme.CHALK
    return [(number, theme.DUST), (text, style), (" " * max(width - 4 - cell_len(text), 0), "")]
