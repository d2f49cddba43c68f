"""What a control is: something that a user can do on a screen, with its keys, its button, its help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from client.shown.model import Link, Model


class Place(Enum):
    """The screens of a client."""

    NAME = "name"
    LOBBY = "lobby"
    MATCH = "match"
    SETTINGS = "settings"


class Shelf(Enum):
    """Where a control has its button: nowhere, in the bar of KEYS, above the LIST of the lobby, beside PEOPLE in it,
    among the ACTIONS of a match (in their row or in the menu behind it), always in the MENU, or beside what it answers:
    an OFFER, somebody AWAY, a PAUSE, a PLAN, a CHALLENGE."""

    NONE = "none"
    KEYS = "keys"
    LIST = "list"
    PEOPLE = "people"
    ACTIONS = "actions"
    MENU = "menu"
    OFFER = "offer"
    AWAY = "away"
    PAUSE = "pause"
    PLAN = "plan"
    CHALLENGE = "challenge"


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
    shelf: Shelf = Shelf.KEYS
    seen: Callable[[Model], bool] | None = None
    """When its button is seen although it cannot be used now; None: never."""
    counts: Callable[[Model], int] | None = None
    """How many of its keys mean anything, where they are numbers; None: all."""

    @property
    def button(self) -> bool:
        """Whether it is offered as a button or in the bar of keys, for the mouse alone must do (`DB 8.1`)."""
        return self.shelf is not Shelf.NONE

    @property
    def first_key(self) -> str:
        """The first of its keys as it is shown, for where there is room for one."""
        return self.shown.split(", ")[0]

    def key_shown(self, model: Model) -> str:
        """The same, of numbers as many as there are."""
        most = self.counts(model) if self.counts is not None else 0
        return self.first_key if not most else "1" if most == 1 else f"1-{min(most, len(self.keys))}"

    def called(self, model: Model) -> str:
        """What its button says: in a task for who learns the game a few are called otherwise, and so is one without a
        connection, and one where nobody else plays."""
        if model.link is not Link.UP and self.action in OFFLINE:
            return OFFLINE[self.action]
        match = model.match
        if match is None:
            return self.label
        otherwise = IN_A_TASK if match.lesson else ALONE if model.holds_both or match.level else {}
        return otherwise.get(self.action, self.label)

    def is_seen(self, model: Model) -> bool:
        """Whether its button is there, usable or not."""
        return self.enabled(model) or (self.seen is not None and self.seen(model))


OFFLINE = {"retry": "Try again"}
"""What controls are called while there is no connection."""
IN_A_TASK = {"rematch": "Try again", "again": "Next task"}
"""What controls are called in a task."""
ALONE = {"again": "Again"}
"""What controls are called where nobody else plays: against the computer, and for two at one screen."""
