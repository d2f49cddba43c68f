"""What the window adds to the table of controls: the documents' names for buttons, and controls of its own. Pure."""

from __future__ import annotations

from client.shown.actions.controls import Control, Place, Shelf, controls_for
from client.shown.model import Model

_LABELS = {
    "new": "Host Game",
    "open": "Join Game",
    "join_key": "Join by key",
    "quick": "Quick match",
    "retry": "Connect",
}
"""Longer than in the table, in the words of the documents (`CK 5.2`)."""
MAIN_MENU = "Back to Main Menu"
"""What the way to the lobby is called once the match is over (`CK 5.5`)."""
SHORT_MAIN_MENU = "Main Menu"
"""The same where there is little room."""

_EVERYWHERE = (Place.NAME, Place.LOBBY, Place.MATCH, Place.SETTINGS)


def _always(model: Model) -> bool:
    return True


OWN = (
    Control(
        "theme", ("f2",), "F2", "Light or dark", "Change between light and dark.", _EVERYWHERE, _always, Shelf.NONE
    ),
    Control("sound", ("f3",), "F3", "Sound", "Turn all sounds off, or on.", _EVERYWHERE, _always, Shelf.NONE),
    Control("motion", ("f4",), "F4", "Animations", "Turn animations off, or on.", _EVERYWHERE, _always, Shelf.NONE),
    Control("full", ("f11",), "F11", "Full screen", "Fill the screen, or not.", _EVERYWHERE, _always, Shelf.NONE),
)  # fmt: skip
"""Controls that only a window has."""


def label(control: Control, model: Model | None = None) -> str:
    """What its button says, in what is on screen."""
    return _LABELS.get(control.action, control.label if model is None else control.called(model))


def all_controls(place: Place) -> tuple[Control, ...]:
    """The controls of one screen of the window, those of the table first."""
    return (*controls_for(place), *(control for control in OWN if place in control.places))


def control_for(place: Place, action: str) -> Control:
    """The control behind an action on one screen. Raises KeyError."""
    for control in all_controls(place):
        if control.action == action:
            return control
    raise KeyError(action)
