"""The form for a match: game, options as the server describes them, public or private (`CK 5.2`, `DB 7.3.3.3`).

Rows with all their values in sight instead of pull-down menus (`DB 8.1`): up and down choose the row, left and right
its value, a click does both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from client.lobby import value_text
from client.model import Model
from client.terminal import theme
from client.terminal.base import Dialog
from client.terminal.plain import content
from client.terminal.widgets import shortened
from protocol.messages import GameInfo, Option, OptionValue

LABEL = 18
"""Columns for the labels of rows."""
OWN_CHOICE = "own choice"
GAME, PRESET, PRIVATE = "@game", "@preset", "@private"
"""Rows of the form's own, beside those named after options."""
Value = OptionValue


@dataclass(frozen=True)
class Choice:
    """What was chosen in the form, for this time and as what the next form begins with."""

    game: str = ""
    options: tuple[tuple[str, OptionValue], ...] = ()
    private: bool = False


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


_CHOSEN = f"bold {theme.TABLE} on {theme.BRASS}"


class MatchForm(Dialog):
    """Chooses a match to create, or to be paired for (`quick`)."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "submit", "", show=False)]

    def __init__(self, model: Model, last: Choice, *, quick: bool = False, local: bool = False) -> None:
        super().__init__()
        self._games = tuple(model.games.values())
        self._last = last
        self._quick = quick
        self._local = local

    def compose(self) -> ComposeResult:
        """Rows, buttons."""
        title = "Quick match" if self._quick else "New match"
        with Vertical(id="form"):
            yield Static(content(title, f"bold {theme.BRASS}"))
            games = [(game.name, game.title) for game in self._games]
            yield ChoiceRow(GAME, "Game", games, self._last.game)
            yield Static(id="summary", markup=False)
            yield VerticalScroll(id="options", can_focus=False)
            yield Static(id="explain", markup=False)
            if not self._quick and not self._local:
                who = [(False, "everybody in the lobby"), (True, "only with a key")]
                yield ChoiceRow(PRIVATE, "Who may join", who, self._last.private)
            with Horizontal(classes="buttons"):
                yield Button(
                    "Find one (Enter)" if self._quick else "Create (Enter)",
                    id="create",
                    variant="primary",
                    compact=True,
                )
                yield Button("Back (Esc)", id="back", compact=True)

    @on(events.Mount)
    async def begin(self) -> None:
        """The first game's options."""
        await self._show_options(dict(self._last.options))
        self.query(ChoiceRow).first().focus()

    @property
    def _game(self) -> GameInfo | None:
        row = self.query(ChoiceRow).first()
        return next((game for game in self._games if game.name == row.value), None)

    async def _show_options(self, given: dict[str, OptionValue]) -> None:
        game = self._game
        box = self.query_one("#options", VerticalScroll)
        await box.remove_children()
        if game is None:
            return
        self.query_one("#summary", Static).update(content(game.summary, theme.DUST))
        rows = []
        if game.presets:
            presets: list[tuple[Value, str]] = [(preset.label, preset.label) for preset in game.presets]
            rows.append(ChoiceRow(PRESET, "Size", [*presets, (OWN_CHOICE, OWN_CHOICE)], OWN_CHOICE))
        for option in game.options:
            rows.append(ChoiceRow(option.name, option.label, _values(option), given.get(option.name, option.default)))
        await box.mount_all(rows)
        self._match_preset()

    def _rows(self) -> dict[str, ChoiceRow]:
        return {row.name or "": row for row in self.query_one("#options").query(ChoiceRow)}

    def _chosen(self) -> dict[str, OptionValue]:
        return {name: row.value for name, row in self._rows().items() if name != PRESET}

    def _match_preset(self) -> None:
        """Show which preset the options are, if any."""
        game, rows = self._game, self._rows()
        if game is None or PRESET not in rows:
            return
        chosen = self._chosen()
        fitting = (p.label for p in game.presets if all(chosen.get(k) == v for k, v in p.options.items()))
        rows[PRESET].choose(next(fitting, OWN_CHOICE))

    async def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Another game, a preset, or an option."""
        game, name = self._game, event.row.name
        if name == GAME:
            await self._show_options({})
        elif name == PRESET and game is not None:
            options = next((p.options for p in game.presets if p.label == event.row.value), {})
            for option, value in options.items():
                if option in self._rows():
                    self._rows()[option].choose(value)
        elif name != PRIVATE:
            self._match_preset()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Explain the row that has the focus."""
        row = event.widget
        self.query_one("#explain", Static).update(
            content(row.explanation if isinstance(row, ChoiceRow) and row.name != GAME else "", theme.DUST)
        )

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "create":
            self.action_submit()
        else:
            self.action_close()

    def action_submit(self) -> None:
        """Enter."""
        game = self._game
        if game is None:
            return
        private = any(row.name == PRIVATE and row.value is True for row in self.query(ChoiceRow))
        choice = Choice(game.name, tuple(self._chosen().items()), private)
        self.dismiss(None)
        if self._quick:
            self.parlour.quick_match(choice)
        else:
            self.parlour.create(choice)


def _values(option: Option) -> list[tuple[Value, str]]:
    if isinstance(option.default, bool):
        return [(False, value_text(False)), (True, value_text(True))]
    if option.choices:
        return [(choice, choice) for choice in option.choices]
    return [(number, str(number)) for number in range(option.low, option.high + 1)]
