"""Short questions over a screen: the key of a private match, and whether one means it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Static

from client.kept.links import key_in, whole_key
from client.shown.board import picking
from client.shown.model import Model, Notice
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import Line
from client.terminal.screens.base import Dialog, either_case
from protocol import limits

MAX_TYPED = 300
"""Room for a whole link."""


class KeyDialog(Dialog):
    """Asks for the key of a private match; a wrong one is said to be wrong and can be tried again (`CK 6.1`)."""

    def __init__(self) -> None:
        super().__init__()
        self._before: Notice | None = None
        self._missing = False
        self._asked = ""

    def compose(self) -> ComposeResult:
        """A field and two buttons."""
        with Vertical(id="dialog"):
            yield Static(content("Join a private match", f"bold {theme.BRASS}"))
            yield Static(content("The key, or the link, that its host gave you:", theme.DUST))
            yield Line(placeholder="key", max_length=MAX_TYPED, id="key")
            yield Static(id="dialog-notice", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Join", id="join", variant="primary", compact=True)
                yield Button("Back", id="back", compact=True)

    def show(self, model: Model, now: float) -> None:
        """A missing key is asked for until one is sent; then a refusal that came since the dialog opened."""
        if self._before is None:
            self._before = model.notice
        news = model.notice if model.notice != self._before else Notice()
        text, wrong = ("Please type the key.", True) if self._missing else (news.text, bool(news.code))
        self.query_one("#dialog-notice", Static).update(content(text, theme.BRICK if wrong else theme.DUST))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Once a whole key is there it is told to what it invites."""
        key = whole_key(event.value)
        if key and key != self._asked:
            self.parlour.ask_about_key(key)
        self._asked = key

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self._join()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "join":
            self._join()
        else:
            self.action_close()

    def _join(self) -> None:
        key = key_in(self.query_one(Input).value)
        self._missing = not key
        if key:
            self.parlour.join_by_key(key)
        self.parlour.refresh_screen(self)


class SayDialog(Dialog):
    """One line to the opponent, or to the others who watch."""

    def __init__(self, *, plays: bool) -> None:
        super().__init__()
        self._to = "to your opponent" if plays else "to the others who watch"

    def compose(self) -> ComposeResult:
        """A field and two buttons."""
        with Vertical(id="dialog"):
            yield Static(content(f"Say {self._to}", f"bold {theme.BRASS}"))
            yield Line(max_length=limits.MAX_CHAT, id="line")
            with Horizontal(classes="buttons"):
                yield Button("Say (Enter)", id="say", variant="primary", compact=True)
                yield Button("Back (Esc)", id="back", compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self._say()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "say":
            self._say()
        else:
            self.action_close()

    def _say(self) -> None:
        text = self.query_one(Input).value
        if self.close_once():
            self.parlour.say(text)


class TypeDialog(Dialog):
    """A move, typed as it is written; what it means and whether it is legal is for others to say."""

    def compose(self) -> ComposeResult:
        """A field and two buttons."""
        with Vertical(id="dialog"):
            yield Static(content("Type a move", f"bold {theme.BRASS}"))
            yield Line(max_length=limits.MAX_MOVE, id="line")
            with Horizontal(classes="buttons"):
                yield Button("Play (Enter)", id="play", variant="primary", compact=True)
                yield Button("Back (Esc)", id="back", compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        self._play()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "play":
            self._play()
        else:
            self.action_close()

    def _play(self) -> None:
        text, match = self.query_one(Input).value.strip(), self.parlour.model.match
        if self.close_once() and text and match is not None:
            self.parlour.play(picking.typed(match, text))


class AskDialog(Dialog):
    """Asks once before something that cannot be taken back (`CK 5.4.1`)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(either_case("y"), "yes", "Yes", show=False),
        Binding(either_case("n"), "close", "No", show=False),
        Binding("left,right,up,down", "app.focus_next", "", show=False),
    ]

    def __init__(self, question: str, consequence: str, yes: str, no: str, do: Callable[[], None]) -> None:
        super().__init__()
        self._words = (question, consequence, yes, no)
        self._do = do

    def compose(self) -> ComposeResult:
        """The question and two buttons; the harmless one has the focus."""
        question, consequence, yes, no = self._words
        with Vertical(id="dialog"):
            yield Static(content(question, f"bold {theme.BRASS}"))
            yield Static(content(consequence))
            with Horizontal(classes="buttons"):
                yield Button(f"{no} (n)", id="back", variant="primary", compact=True)
                yield Button(f"{yes} (y)", id="yes", variant="error", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Enter or the mouse."""
        if event.button.id == "yes":
            self.action_yes()
        else:
            self.action_close()

    def action_yes(self) -> None:
        """Yes."""
        if self.close_once():
            self._do()
