"""Whom to challenge: who is here, to be chosen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from client.shown.model import Model
from client.shown.words.challenges import others
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content, plain
from client.terminal.screens.base import Dialog, either_case
from client.terminal.screens.form import MatchForm

ASKED = "Whoever you choose has a minute to accept or decline."
MUTED = "You are challenged by nobody (m to change that)."
NOBODY = "Nobody else is here just now."


class ChallengeDialog(Dialog):
    """Chooses whom to challenge; what to play is chosen next."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(either_case("m"), "mute", "", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[str, ...] | None = None

    def on_mount(self) -> None:
        """Show at once who is here."""
        super().on_mount()
        self.parlour.refresh_screen(self)

    def compose(self) -> ComposeResult:
        """Names, and two buttons."""
        with Vertical(id="dialog"):
            yield Static(content("Challenge whom?", f"bold {theme.BRASS}"))
            yield Static(id="challenge-words", markup=False)
            yield OptionList(id="people-list", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Mute (m)", id="mute", compact=True)
                yield Button("Back (Esc)", id="back", compact=True)

    def show(self, model: Model, now: float) -> None:
        """Who is here now; the chosen one stays chosen."""
        names = others(model)
        words = MUTED if model.unchallenged else ASKED if names else NOBODY
        self.query_one("#challenge-words", Static).update(content(words, theme.DUST))
        self.query_one("#mute", Button).label = "Be challenged (m)" if model.unchallenged else "Mute (m)"
        if names == self._shown:
            return
        people = self.query_one(OptionList)
        index, before = people.highlighted, self._shown or ()
        chosen = before[index] if index is not None and index < len(before) else None
        self._shown = names
        people.clear_options()
        people.add_options([Option(Content(plain(name))) for name in names])
        people.highlighted = (names.index(chosen) if chosen in names else 0) if names else None
        people.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click on a name: on to the game."""
        names = self._shown or ()
        if event.option_index < len(names) and self.close_once():
            name = names[event.option_index]
            self.app.push_screen(MatchForm(self.parlour.model, self.parlour.last_choice, challenged=name))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "mute":
            self.action_mute()
        else:
            self.action_close()

    def action_mute(self) -> None:
        """Be challenged by nobody, or by others again."""
        self.parlour.mute_challenges()
