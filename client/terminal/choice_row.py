"""One row of a form: a label and its values, all in sight where there is room (`DB 8.1`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from client.terminal import theme
from client.terminal.plain import content
from client.terminal.widgets import shortened
from protocol.messages import OptionValue

LABEL = 18
"""Columns for the labels of rows."""
Value = OptionValue
_CHOSEN = f"bold $table on {theme.BRASS}"


class ChoiceRow(Widget, can_focus=True):
    """One row: a label and its values, of which one is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "change(-1)", "", show=False),
        Binding("right", "change(1)", "", show=False),
        Binding("pageup", "change(10)", "", show=False),
        Binding("pagedown", "change(-10)", "", show=False),
        Binding("up", "app.focus_previous", "", show=False),
        Binding("down", "app.focus_next", "", show=False),
        Binding("enter", "screen.submit", "", show=False),
    ]

    class Changed(Message):
        """Another value was chosen."""

        def __init__(self, row: ChoiceRow) -> None:
            super().__init__()
            self.row = row

    def __init__(self, name: str, label: str, values: Sequence[tuple[Value, str]], chosen: Value) -> None:
        super().__init__(name=name, classes="choice")
        self._label = label
        self._values = tuple(values)
        self._index = next((i for i, (value, _) in enumerate(self._values) if value == chosen), 0)

    @property
    def value(self) -> Value:
        """The chosen value."""
        return self._values[self._index][0]

    @property
    def explanation(self) -> str:
        """The whole label, where the row has no room for it, and the range of a number."""
        label = self._label if len(self._label) > LABEL - 3 else ""
        if self._spans() or not isinstance(self._values[0][0], int):
            return label
        values = f"from {self._values[0][1]} to {self._values[-1][1]}"
        return f"{label}, {values}" if label else values

    def choose(self, value: Value) -> None:
        """Choose without telling anybody."""
        self._index = next((i for i, (one, _) in enumerate(self._values) if one == value), self._index)
        self.refresh()

    def _spans(self) -> list[tuple[int, int, int]]:
        """For each value in sight its index, first and last column; with many values only arrows around the chosen."""
        spans, column = [], LABEL
        for index, (_, text) in enumerate(self._values):
            width = content(text).cell_length + 2
            spans.append((index, column, column + width))
            column += width + 1
        return spans if column - 1 <= self.content_size.width else []

    def render(self) -> Content:
        """The row."""
        label_style = f"bold {theme.BRASS}" if self.has_focus else theme.DUST
        marker = "▸ " if self.has_focus else "  "
        label = shortened(self._label, LABEL - 3)
        parts: list[Content | tuple[str, str]] = [
            (marker, label_style),
            (label.ljust(LABEL - 2), label_style),
        ]
        spans = self._spans()
        if not spans:
            text = shortened(self._values[self._index][1], max(self.content_size.width - LABEL - 6, 4))
            parts += [("◂ ", theme.BRASS), (f" {text} ", _CHOSEN), (" ▸", theme.BRASS)]
            return Content.assemble(*parts)
        for index, _, _ in spans:
            text = self._values[index][1]
            chosen = index == self._index
            # Brackets too: the choice must be seen without colour.
            parts.append((f"[{text}]" if chosen else f" {text} ", _CHOSEN if chosen else theme.CHALK))
            parts.append((" ", ""))
        return Content.assemble(*parts)

    def action_change(self, by: int) -> None:
        """Left or right."""
        self._set(min(max(self._index + by, 0), len(self._values) - 1))

    def on_click(self, event: events.Click) -> None:
        """Choose what is under the mouse; in a row with arrows, the left half goes back and the right half on."""
        self.focus()
        spans = self._spans()
        x = event.x
        if spans:
            self._set(next((index for index, first, last in spans if first <= x < last), self._index))
        elif x >= LABEL:
            text = self._values[self._index][1]
            self.action_change(-1 if x < LABEL + 3 + len(text) // 2 else 1)

    def _set(self, index: int) -> None:
        if index != self._index:
            self._index = index
            self.refresh()
            self.post_message(self.Changed(self))
