"""One row of a form: a label, its values, all in sight where there is room (`DB 8.1`), and a sentence.

Nothing is cut: what is too long goes on in the next line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from client.shown.words.graphemes import clusters
from client.terminal.drawing import theme
from client.terminal.drawing.plain import plain
from protocol.messages import OptionValue

LABEL = 19
"""Columns for the labels of rows, with the mark before them and the space behind them."""
MARK = "▸ "
"""Before the label of the row that has the keys; before its values where it has no label."""
LINES = 3
"""Values that need more lines than this are walked with arrows."""
Value = OptionValue
_CHOSEN = f"bold $table on {theme.BRASS}"


@dataclass(frozen=True)
class Laid:
    """Where a row's values are: index, first and last column and line of each; `arrows` around the only one."""

    places: tuple[tuple[int, int, int, int], ...]
    lines: int
    arrows: bool = False


class ChoiceRow(Widget, can_focus=True):
    """One row: a label and its values, of which one is chosen; below it its sentence, where that is `told`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "change(-1)", "", show=False),
        Binding("right", "change(1)", "", show=False),
        Binding("pageup", "change(10)", "", show=False),
        Binding("pagedown", "change(-10)", "", show=False),
        Binding("up", "app.focus_previous", "", show=False),
        Binding("down", "app.focus_next", "", show=False),
        Binding("enter", "screen.submit", "", show=False),
        Binding("space", "screen.show_rest", "", show=False),
    ]

    class Changed(Message):
        """Another value was chosen."""

        def __init__(self, row: ChoiceRow) -> None:
            super().__init__()
            self.row = row

    def __init__(
        self, name: str, label: str, values: Sequence[tuple[Value, str]], chosen: Value, sentence: str = ""
    ) -> None:
        super().__init__(name=name, classes="choice")
        self.told = False
        self.set(label, values, chosen, sentence)

    def on_resize(self) -> None:
        """Its sentence came or went: whoever is at it sees all of it."""
        if self.has_focus:
            self.call_after_refresh(self.scroll_visible, animate=False)

    def set(self, label: str, values: Sequence[tuple[Value, str]], chosen: Value, sentence: str = "") -> None:
        """Be this row from now on, without telling anybody."""
        self._label = plain(label)
        self._indent = LABEL if label else len(MARK)
        self._values = tuple((value, plain(text)) for value, text in values)
        self._index = next((i for i, (value, _) in enumerate(self._values) if value == chosen), 0)
        self.sentence = plain(sentence)
        self.refresh(layout=True)

    def tell(self, told: bool) -> None:
        """Have the sentence below, or not."""
        if told != self.told:
            self.told = told
            self.refresh(layout=True)

    @property
    def value(self) -> Value:
        """The chosen value."""
        return self._values[self._index][0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as it takes."""
        return len(self.drawn(width))

    def _laid(self, width: int) -> Laid:
        """The values one beside the other, in as many lines as it takes, but for many: then the chosen one alone."""
        places, column, line = [], self._indent, 0
        for index, (_, text) in enumerate(self._values):
            wide = cell_len(text) + 2
            if column > self._indent and column + wide > width:
                column, line = self._indent, line + 1
            if line >= LINES or self._indent + wide > width:
                return Laid((), 0, arrows=True)
            places.append((index, column, column + wide, line))
            column += wide + 1
        return Laid(tuple(places), line + 1)

    def render(self) -> Content:
        """The row."""
        return Content("\n").join(self.drawn(self.content_size.width))

    def drawn(self, width: int) -> list[Content]:
        """The row in lines of at most `width` columns."""
        label_style = f"bold {theme.BRASS}" if self.has_focus else theme.DUST
        laid, labels = self._laid(width), wrapped(self._label, LABEL - 3)
        values = self._walked(width) if laid.arrows else self._beside(laid)
        lines = []
        for at in range(max(len(labels), len(values))):
            mark = MARK if self.has_focus and at == 0 else "  "
            label = labels[at] if at < len(labels) else ""
            space = " " * (self._indent - len(MARK) - cell_len(label))
            here = values[at] if at < len(values) else []
            lines.append(Content.assemble((mark + label + space, label_style), *here))
        if self.sentence and self.told:
            said = wrapped(self.sentence, max(width - self._indent, 1))
            lines += [Content.assemble((" " * self._indent + line, theme.DUST)) for line in said]
        return lines

    def _beside(self, laid: Laid) -> list[list[tuple[str, str]]]:
        lines: list[list[tuple[str, str]]] = [[] for _ in range(laid.lines)]
        for index, _, _, line in laid.places:
            text = self._values[index][1]
            chosen = index == self._index
            # Brackets too: the choice must be seen without colour.
            space = [(" ", "")] if lines[line] else []
            lines[line] += [*space, (f"[{text}]" if chosen else f" {text} ", _CHOSEN if chosen else theme.CHALK)]
        return lines

    def _walked(self, width: int) -> list[list[tuple[str, str]]]:
        """The chosen value between arrows, in as many lines as the longest one needs: nothing moves as one walks."""
        room = max(width - self._indent - 6, 4)
        texts = [wrapped(text, room) for _, text in self._values]
        written = texts[self._index]
        lines = [[("◂ " if at == 0 else "  ", theme.BRASS), (f" {line} ", _CHOSEN)] for at, line in enumerate(written)]
        lines[-1].append((" ▸", theme.BRASS))
        return lines + [[] for _ in range(max(map(len, texts)) - len(written))]

    def action_change(self, by: int) -> None:
        """Left or right."""
        self._choose(min(max(self._index + by, 0), len(self._values) - 1))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Choose what is under the mouse; in a row with arrows, the left half goes back and the right half on.

        When the button is released the row may be elsewhere: the one that had the keys has become smaller.
        """
        self.focus()
        laid = self._laid(self.content_size.width)
        x, y = event.x, event.y
        if not laid.arrows:
            under = (index for index, first, last, line in laid.places if first <= x < last and line == y)
            self._choose(next(under, self._index))
        elif x >= self._indent:
            text = self._values[self._index][1]
            self.action_change(-1 if x < self._indent + 3 + cell_len(text) // 2 else 1)

    def _choose(self, index: int) -> None:
        if index != self._index:
            self._index = index
            self.refresh()
            self.post_message(self.Changed(self))


def wrapped(text: str, width: int) -> list[str]:
    """The text as lines of at most `width` columns, broken between words where that is possible."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        tried = f"{line} {word}" if line else word
        if cell_len(tried) <= width:
            line = tried
            continue
        if line:
            lines.append(line)
        *whole, line = _broken(word, width)
        lines += whole
    return [*lines, line]


def _broken(word: str, width: int) -> list[str]:
    """A word in pieces that fit."""
    pieces, piece = [], ""
    for letter in clusters(word):
        if piece and cell_len(piece + letter) > width:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]
