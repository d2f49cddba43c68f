"""What the user chooses about the client itself: each choice holds at once, and is kept."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from client.kept.settings import BoardColours, Ground
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.choice_row import ChoiceRow
from client.terminal.screens.base import Dialog

_GROUNDS = {Ground.OWN: "the terminal's", Ground.DARK: "dark", Ground.LIGHT: "light"}
_KINDS: dict[str, type[Ground] | type[BoardColours]] = {"ground": Ground, "board": BoardColours}
_YES = ((True, "yes"), (False, "no"))
ROWS = (
    ("confirm", "Confirm moves", _YES),
    ("premove", "Plan moves", _YES),
    ("sound", "Ring the bell", _YES),
    ("motion", "Animations", _YES),
    ("board", "Boards", tuple((one.value, one.value) for one in BoardColours)),
    ("ground", "Ground", tuple((one.value, _GROUNDS[one]) for one in Ground)),
)
"""The field of the settings, the label and the values of each row."""


class SettingsDialog(Dialog):
    """See the module's docstring."""

    def compose(self) -> ComposeResult:
        """A row for each, and the way back."""
        with Vertical(id="dialog"):
            yield Static(content("Settings", f"bold {theme.BRASS}"))
            yield Static()
            for name, label, values in ROWS:
                yield ChoiceRow(name, label, values, _value(getattr(self.parlour.settings, name)))
            yield Static()
            yield Static(content("Confirm: Enter plays a move, and once more sends it.", theme.DUST))
            yield Static(content("Plan moves: a move made on the other's turn is played on yours.", theme.DUST))
            with Horizontal(classes="buttons"):
                yield Button("Done (Esc)", id="back", variant="primary", compact=True)

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """It holds at once."""
        name, value = str(event.row.name), event.row.value
        self.parlour.change_settings(**{name: _KINDS[name](value) if name in _KINDS else value})

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Back."""
        self.action_close()

    def action_submit(self) -> None:
        """Enter."""
        self.action_close()


def _value(chosen: bool | Ground | BoardColours) -> bool | str:
    """What a row of the form knows it by."""
    return chosen.value if isinstance(chosen, Ground | BoardColours) else chosen
