"""Saved games in the terminal: under which name to save, and which one to go back to or to begin from."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, OptionList, Static

from client.kept.saves import MAX_NAME, Listed, SaveError, checked_name, saved
from client.shown.model import Model, Notice
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content, plain
from client.terminal.parts.widgets import Line, shortened
from client.terminal.screens.base import Dialog

CHOOSE = {"choose": "Choose (Enter)"}
"""The one button of a list in which there is nothing else to say."""
NAME_WIDTH = 34
ABREAST = 3
"""Buttons for which there is room in one line of the dialog."""


class SaveDialog(Dialog):
    """Asks for the name of the file (`DB 7.3.3.1`). Another game under that name is replaced only when asked twice."""

    def __init__(self, suggestion: str) -> None:
        super().__init__()
        self._suggestion = suggestion
        self._before: Notice | None = None
        self._asked = self._refused = ""
        """The name that was tried last, and the one that was refused: only then is asking again a wish to replace."""

    def compose(self) -> ComposeResult:
        """A field and two buttons."""
        with Vertical(id="dialog"):
            yield Static(content("Save this match", f"bold {theme.BRASS}"))
            yield Static(content("Its name:", theme.DUST))
            yield Line(self._suggestion, max_length=MAX_NAME, id="name")
            yield Static(id="dialog-notice", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Save (Enter)", id="save", variant="primary", compact=True)
                yield Button("Back (Esc)", id="back", compact=True)

    def show(self, model: Model, now: float) -> None:
        """Close once it is saved; else say why it is not."""
        if self._before is None:
            self._before = model.notice
        if model.notice == self._before:
            return
        self._before = model.notice
        if not model.notice.code and model.notice.text:
            self.close_once()
            return
        there = any(row.name == self._asked for row in saved())
        self._refused = self._asked if model.notice.code == "save" and there else ""
        self._say(f"{model.notice.text} Save again to replace it." if self._refused else model.notice.text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self._save()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another name is another file."""
        self._refused = ""

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "save":
            self._save()
        else:
            self.action_close()

    def _save(self) -> None:
        try:
            name = checked_name(self.query_one(Input).value)
        except SaveError as error:
            self._say(str(error))
            return
        self._asked = name
        self.parlour.save(name, replace=name == self._refused)

    def _say(self, text: str) -> None:
        self.query_one("#dialog-notice", Static).update(content(plain(text), theme.BRICK))


class SavedDialog(Dialog):
    """The list of saved games; `choose` is given the name of the chosen one, and raises SaveError if it is no use.

    It is given the id of the button besides; the first of `buttons` is what Enter does.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Back", show=False)]

    def __init__(
        self, title: str, choose: Callable[[str, str], None], buttons: Mapping[str, str] = MappingProxyType(CHOOSE)
    ) -> None:
        super().__init__()
        self._title = title
        self._choose = choose
        self._buttons = buttons
        self._rows = saved()

    def compose(self) -> ComposeResult:
        """The list, newest first."""
        with Vertical(id="dialog"):
            yield Static(content(self._title, f"bold {theme.BRASS}"))
            if self._rows:
                yield OptionList(*(_row(row) for row in self._rows), id="saved")
            else:
                yield Static(content("Nothing is saved yet: s saves a match.", theme.DUST))
            yield Static(id="dialog-notice", markup=False)
            ways = [*(self._buttons.items() if self._rows else ()), ("back", "Back (Esc)")]
            for start in range(0, len(ways), ABREAST):
                with Horizontal(classes="buttons"):
                    for id_, label in ways[start : start + ABREAST]:
                        first = id_ == next(iter(self._buttons))
                        yield Button(label, id=id_, variant="primary" if first else "default", compact=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click."""
        self._chosen(event.option_index, next(iter(self._buttons)))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id is not None and event.button.id in self._buttons:
            highlighted = self.query_one(OptionList).highlighted
            if highlighted is not None:
                self._chosen(highlighted, event.button.id)
        else:
            self.action_close()

    def _chosen(self, index: int, button: str) -> None:
        if not self.is_current:
            return
        try:
            self._choose(self._rows[index].name, button)
        except SaveError as error:
            self.query_one("#dialog-notice", Static).update(content(plain(str(error)), theme.BRICK))
        else:
            self.close_once()


def _row(row: Listed) -> Content:
    """Its name, and when it was saved."""
    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.saved_at))
    name = shortened(plain(row.name), NAME_WIDTH)
    return Content.assemble((f"{name:{NAME_WIDTH}}  ", theme.CHALK), (at, theme.DUST))
