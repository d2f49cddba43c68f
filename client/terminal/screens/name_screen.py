"""Asks the name, connects, and says how that went (`UD RF1`)."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Static

from client.shown.actions.controls import Place
from client.shown.model import Model
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import HelpPanel, KeyBar, Line
from client.terminal.screens.base import ParlourScreen, bindings_for

MAX_TYPED = 20
"""RU-M9: a name has at most 20 characters."""


class NameScreen(ParlourScreen):
    """Without a good connection the only ways on are to try again and to quit."""

    PLACE = Place.NAME
    FIRST = "#name, #connect"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.NAME)

    def __init__(self, name: str, *, asks: bool = True) -> None:
        super().__init__()
        self._name_given = name
        self._asks = asks
        self._lacks_name = False
        """Whether a name was just asked for in vain."""

    def parts(self) -> ComposeResult:
        """A box in the middle."""
        with Horizontal(id="body"):
            with Vertical(id="welcome"), Vertical(id="welcome-box"):
                yield Static(content("P A R L O U R", f"bold {theme.BRASS}"), id="welcome-title")
                yield Static(content("Board games for two, in real time", theme.DUST), id="welcome-subtitle")
                if self._asks:
                    yield Static(content("Your name"), id="name-label")
                    yield Line(self._name_given, placeholder="1 to 20 letters", max_length=MAX_TYPED, id="name")
                yield Static(id="report", markup=False)
                with Horizontal(id="welcome-buttons"):
                    yield Button("Connect", id="connect", variant="primary", compact=True)
                    yield Button("Quit", id="quit", compact=True)
            yield HelpPanel(Place.NAME)
        yield KeyBar(Place.NAME)

    def show(self, model: Model, now: float) -> None:
        """The report is told by `report`; here only the fixed parts."""
        self.query_one(KeyBar).show(model)
        self.query_one(HelpPanel).show(
            "Welcome",
            ("Type the name that others shall see, and press Enter.",
             "Without a connection to a server there is nothing to play: try again, or quit."),
        )  # fmt: skip

    def report(self, text: str, *, busy: bool = False, bad: bool = False) -> None:
        """How connecting goes, or went."""
        self._lacks_name = False
        self.query_one("#report", Static).update(content(text, theme.BRICK if bad else theme.DUST))
        button = self.query_one("#connect", Button)
        button.disabled = busy
        button.label = content("Try again" if bad else "Connect")

    def suggest(self, name: str) -> None:
        """Another name, which the server's refusal has just said to be free; a press of the button takes it."""
        self._name_given = name
        if self._asks:
            self.query_one(Input).value = name
        self.query_one("#connect", Button).label = content("Take it")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the field."""
        self._connect()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "quit":
            self.action_quit()
        else:
            self._connect()

    def action_retry(self) -> None:
        """Try to connect again."""
        self._connect()

    def _connect(self) -> None:
        if name := self._typed():
            self.parlour.connect(name)

    def _typed(self) -> str:
        """The name; "" while there is none, which is told."""
        name = self.query_one(Input).value.strip() if self._asks else self._name_given
        if not name:
            self.report("Please type a name first.", bad=True)
            self._lacks_name = True
        return name
