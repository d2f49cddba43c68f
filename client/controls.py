"""One table of everything a user can do: the action, its keys, its button, its help and when it is enabled.

Every front end takes its key bindings, its buttons and the key part of its help panel from here, so that they cannot
disagree (`UD RF1` to `RF4`, `DB 7.1.1.2`, `DB 7.3.1.5`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from client.model import Link, Model


class Place(Enum):
    """The screens of a client."""

    NAME = "name"
    LOBBY = "lobby"
    MATCH = "match"


@dataclass(frozen=True)
class Control:
    """One thing a user can do. `keys` are in the terminal's naming; `shown` is how the help prints them."""

    action: str
    keys: tuple[str, ...]
    shown: str
    label: str
    help: str
    places: tuple[Place, ...]
    enabled: Callable[[Model], bool]
    button: bool = True
    """Whether it is offered as a button or in the bar of keys, for the mouse alone must do (`DB 8.1`)."""


def _always(model: Model) -> bool:
    return True


def _connected(model: Model) -> bool:
    """UD RF1: only a good connection enables anything but trying again and closing."""
    return model.link is Link.UP


def _in_play(model: Model) -> bool:
    return model.match is not None and model.match.status == "playing"


def _can_play(model: Model) -> bool:
    """`UD RF4`, `SQ9`: moves only during a match, and only by who holds a seat. The server judges the turn."""
    return model.plays and _in_play(model)


def _can_give_up(model: Model) -> bool:
    """`CK R4.3`: at any time during the match, in turn or not. Two people at one keyboard just leave."""
    return _can_play(model) and not model.holds_both


def _waits(model: Model) -> bool:
    return model.plays and model.match is not None and model.match.status == "waiting"


def _is_over(model: Model) -> bool:
    """`UD RF3`: a new beginning is enabled only after a finished match."""
    return model.plays and model.match is not None and model.match.status == "ended"


CONTROLS = (
    Control(
        "move_cursor", ("up", "down", "left", "right"), "arrows", "Move", "Move the cursor over the board.",
        (Place.MATCH,), _can_play, button=False,
    ),
    Control(
        "touch", ("enter", "space"), "Enter, Space", "Play",
        "Play what the cursor is on; for a move of several steps, pick each square, and the last one twice to stop.",
        (Place.MATCH,), _can_play, button=False,
    ),
    Control(
        "new", ("n",), "n", "New", "Create a match: choose the game, and whether it is public or private.",
        (Place.LOBBY,), _connected,
    ),
    Control(
        "quick", ("m",), "m", "Quick",
        "Be paired with whoever waits for the same game, or wait for the next one who does.",
        (Place.LOBBY,), _connected,
    ),
    Control(
        "open", ("enter",), "Enter", "Open",
        "Join the chosen match if it waits for an opponent, watch it if it is being played, go on if it is yours.",
        (Place.LOBBY,), _connected,
    ),
    Control(
        "watch", ("w",), "w", "Watch", "Watch the chosen match.",
        (Place.LOBBY,), _connected,
    ),
    Control(
        "join_key", ("k",), "k", "Key", "Join a private match with the key that its host gave you.",
        (Place.LOBBY,), _connected,
    ),
    Control(
        "cancel", ("c",), "c", "Take back", "Take your match back while nobody has joined it.",
        (Place.MATCH,), _waits,
    ),
    Control(
        "give_up", ("a",), "a", "Give up", "Give the match up, in turn or not: your opponent wins.",
        (Place.MATCH,), _can_give_up,
    ),
    Control(
        "again", ("n",), "n", "Play again", "After the end: the same game once more, with whoever is ready for it.",
        (Place.MATCH,), _is_over,
    ),
    Control(
        "lobby", ("escape", "l"), "Esc, l", "Lobby",
        "Let go of what you picked, or go back to the lobby. Once moves were made your seat is kept.",
        (Place.MATCH,), _always,
    ),
    Control(
        "help", ("question_mark", "f1"), "?", "Help", "Show or hide this help; play goes on.",
        (Place.LOBBY, Place.MATCH), _always,
    ),
    Control(
        "quit", ("q", "ctrl+q"), "q", "Quit", "Leave the program at any time.",
        (Place.LOBBY, Place.MATCH), _always,
    ),
    # Where a name is typed, letters and question marks are part of it.
    Control("retry", ("enter",), "Enter", "Connect", "Connect to the server, or try again.", (Place.NAME,), _always),
    Control("help", ("f1",), "F1", "Help", "Show or hide this help.", (Place.NAME,), _always),
    Control("quit", ("ctrl+q",), "Ctrl+Q", "Quit", "Leave the program at any time.", (Place.NAME,), _always),
)  # fmt: skip

BY_ACTION = {control.action: control for control in CONTROLS}


def controls_for(place: Place) -> tuple[Control, ...]:
    """The controls of one screen, in the table's order."""
    return tuple(control for control in CONTROLS if place in control.places)


def is_enabled(action: str, model: Model) -> bool:
    """Whether the control may be used now; what is not in the table may."""
    control = BY_ACTION.get(action)
    return control is None or control.enabled(model)


def key_help(place: Place) -> tuple[tuple[str, str], ...]:
    """Keys and what they do, for the help panel (`DB 7.3.1.5`)."""
    return tuple((control.shown, control.help) for control in controls_for(place))
