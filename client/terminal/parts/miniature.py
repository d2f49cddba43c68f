"""Small pictures of positions: living ones on the games' cards, and the board that a form would begin with."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from client.playing.form_words import first_turn_text
from client.terminal.drawing import theme
from client.terminal.drawing.dressing import worn
from client.terminal.drawing.miniature import LEAST_OF_LINES, miniature
from protocol.messages import Snapshot


class Miniature(Widget):
    """A small picture of a position."""

    def __init__(self, least_of_lines: int = LEAST_OF_LINES) -> None:
        super().__init__(classes="miniature")
        self.position: Snapshot | None = None
        """What is seen of it; nothing where there is none."""
        self._least_of_lines = least_of_lines
        self._drawn: tuple[object, ...] | None = None
        self._content = Content("")

    def show(self, position: Snapshot | None) -> None:
        """Draw this one."""
        if position is not self.position:
            self.position = position
            self.refresh()

    def render(self) -> Content:
        """Two points in each character."""
        if self.position is None:
            return Content("")
        wide, high = self.content_size
        table = worn(self.app).table
        key = (self.position, wide, high, table)
        if key != self._drawn:
            # The last half row is free, so that pictures below each other are not one.
            points = [*miniature(self.position, wide, 2 * high - 1, self._least_of_lines), [table] * wide]
            lines = (_line(upper, lower) for upper, lower in zip(points[::2], points[1::2], strict=True))
            self._drawn, self._content = key, Content("\n").join(lines)
        return self._content


def _line(upper: Sequence[str], lower: Sequence[str]) -> Content:
    return Content.assemble(*(("▀", f"{above} on {below}") for above, below in zip(upper, lower, strict=True)))


class Opening(Vertical):
    """The board before the first move, and whose turn that is; deaf to clicks, of which it only tells (`SQ6`)."""

    LEAST_OF_LINES = 2
    """Points of a lattice unit: so the largest of the usual boards is whole in the narrowest picture."""
    LEAST, MOST = 26, 44
    """Columns that it takes; half as many rows."""
    CAPTION = 2
    """Rows below the board."""

    class Touched(Message):
        """It was clicked."""

    def compose(self) -> ComposeResult:
        """Board and sentence."""
        yield Miniature(self.LEAST_OF_LINES)
        yield Static(id="first-turn", markup=False)

    def fit(self, columns: int, rows: int) -> int:
        """Take as much of this room as it needs; how many columns that is, 0 where there is too little."""
        wide = min(columns, 2 * (rows - self.CAPTION), self.MOST) // 2 * 2
        self.display = wide >= self.LEAST
        if not self.display:
            return 0
        self.styles.width = wide
        styles = self.query_one(Miniature).styles
        styles.width, styles.height = wide, wide // 2
        return wide

    def show(self, position: Snapshot | None) -> None:
        """This board; while there is none its place is empty."""
        self.query_one(Miniature).show(position)
        style = position.seats[0].style if position is not None else None
        text = Content("")
        if style is not None:
            colour = theme.readable(style.colour, worn(self.app).felt)
            sign = "" if style.symbol == style.name else f"{style.symbol} "
            text = Content.assemble((sign, f"bold {colour}"), (first_turn_text(style.name), theme.CHALK))
        self.query_one("#first-turn", Static).update(text)

    def on_click(self) -> None:
        """Nothing can be played yet."""
        self.post_message(self.Touched())
