"""A student's game: its log where other games have a board, newest below, with a field to search in it."""

from __future__ import annotations

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, RichLog

from client.shown import match_log
from client.shown.match_log import Entry
from client.shown.model import Model
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import Line, TwoEnds

MOST_SOUGHT = 80
INDENT = "   "


class LogView(Vertical):
    """Shows `model.log`. It stays at the newest move unless one has scrolled up."""

    def __init__(self) -> None:
        super().__init__(id="match-log")
        self._log: tuple[str, ...] = ()
        self._page = ""
        self._shown: list[Entry] = []

    def compose(self) -> ComposeResult:
        """How many moves, and where more is to be read; the moves; the field, while something is sought."""
        yield TwoEnds("log-head")
        yield RichLog(id="entries", wrap=True, markup=False, highlight=False, auto_scroll=False, min_width=1)
        yield Line(placeholder="Find a move: a name, a field or a value", max_length=MOST_SOUGHT, id="find")

    def show(self, model: Model, page: str) -> None:
        """Show the log of this model's match; `page` is where its two sides are side by side."""
        self.display = model.is_log
        if model.is_log and (model.log is not self._log or page != self._page):
            self._log, self._page = model.log, page
            self._refresh()

    def focus_first(self) -> None:
        """The keys scroll."""
        self.query_one(RichLog).focus()

    def find(self) -> None:
        """Type what is sought."""
        self.query_one("#find").display = True
        self.query_one(Input).focus()

    def let_go(self) -> bool:
        """Show all moves again; False when all are shown."""
        field = self.query_one(Input)
        was, field.value, field.display = field.display, "", False
        if was:
            self.focus_first()
        return bool(was)

    @on(events.Mount)
    def begin(self) -> None:
        """The field comes when it is asked for."""
        self.query_one(Input).display = False

    @on(Input.Changed)
    def sought(self) -> None:
        """Show what is found as it is typed."""
        self._refresh()

    @on(Input.Submitted)
    def found(self) -> None:
        """The keys scroll in what was found."""
        self.focus_first()

    @on(events.Resize)
    def wrap(self) -> None:
        """Lines are as long as there is room, once the parts have their new sizes."""
        self.call_after_refresh(self.anew)

    def anew(self) -> None:
        """Write all of it once more."""
        self.query_one(RichLog).clear()
        self._shown = []
        self._refresh()

    def _refresh(self) -> None:
        everything = match_log.read(self._log)
        words = self.query_one(Input).value
        shown = match_log.found(everything, words)
        counted = content(match_log.counted(shown, everything, words), theme.BRASS)
        self.query_one("#log-head", TwoEnds).show(counted, content(self._page, theme.DUST))
        entries = self.query_one(RichLog)
        # By where it scrolls to: who has just pressed End is there, though it still moves.
        at_the_end = entries.scroll_target_y >= entries.max_scroll_y or not self._shown
        known = len(self._shown)
        if shown[:known] != self._shown:
            entries.clear()
            known = 0
        for entry in shown[known:]:
            entries.write(_drawn(entry), scroll_end=False)
        self._shown = shown
        if at_the_end:
            entries.scroll_end(animate=False)


def _drawn(entry: Entry) -> Text:
    drawn = Text(entry.head, style=f"bold {theme.CHALK}")
    for key, value in entry.fields:
        drawn.append(f"\n{INDENT}{key}: " if key else f"\n{INDENT}", style=theme.DUST)
        drawn.append(value, style=theme.BRASS if key == match_log.STATUS else theme.CHALK)
    return drawn
