"""What all screens of the window do alike: hover, press, focus from the keyboard, typing, scrolling. Pure.

A screen is a class with `picture` and `take`. What a click means is in the picture's targets; `act` of the screen says
what follows from it, and the same for keys, whose actions are those of `client.shown.actions.controls`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from client.kept.saves import Listed
from client.shown.actions.controls import Place
from client.shown.model import Model
from client.window.drawing.shapes import Picture, Target
from client.window.hands.field import Field
from client.window.hands.inputs import Input, Key, Left, Moved, Pressed, Released, Wheeled
from client.window.intents import Act, Intent, Quit, ShowSettings, ToggleFull, ToggleMotion, ToggleSound, ToggleTheme
from client.window.parts import words
from client.window.parts.challenge_bar import with_challenge
from client.window.parts.sheet import Pointer, Sheet

FIELD = "field"
"""The action of a place where text is typed; its value is the field's name."""
EVERYWHERE: dict[str, Intent] = {
    "quit": Quit(),
    "theme": ToggleTheme(),
    "sound": ToggleSound(),
    "motion": ToggleMotion(),
    "full": ToggleFull(),
    "settings": ShowSettings(),
    "accept_challenge": Act("accept_challenge"),
    "decline_challenge": Act("decline_challenge"),
    "withdraw_challenge": Act("withdraw_challenge"),
    "mute_challenges": Act("mute_challenges"),
}
"""Actions that mean the same on every screen."""


class Screen:
    """See the module's docstring. `fields` holds what is being typed, by name."""

    PLACE: ClassVar[Place]
    UNFOCUSED: ClassVar[frozenset[str]] = frozenset()
    """Actions of targets that the Tab key passes over, for other keys reach them."""

    def __init__(self) -> None:
        self.pointer = Pointer()
        self.fields: dict[str, Field] = {}
        self.link = ""
        """The link to the match on screen that can be given to others; "" where there is none."""
        self.moves = True
        """Whether there are animations."""
        self.shows_chat = False
        """Whether what was said in a match is in sight, in the place of its moves."""
        self._down: tuple[str, str] | None = None

    def picture(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """What is seen: `size` in pixels, `now` in seconds of the session's clock."""
        raise NotImplementedError

    def shown(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """The same with what lies over every screen."""
        return with_challenge(self.picture(model, size, now), model, size, self.pointer, now)

    def act(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """What follows when a target is clicked, or a key of the table of controls pressed."""
        raise NotImplementedError

    def take(self, given: Input, model: Model, size: tuple[float, float], now: float) -> list[Intent]:
        """What follows from what the user does."""
        picture = self.shown(model, size, now)
        match given:
            case Moved(x, y):
                self.pointer = replace(self.pointer, x=x, y=y)
            case Left():
                self.pointer = replace(self.pointer, x=-1.0, y=-1.0)
            case Pressed(x, y):
                return self._pressed(picture, x, y)
            case Released(x, y):
                return self._released(picture, x, y, model, now)
            case Wheeled(x, y, steps):
                self.scroll(picture, x, y, steps)
            case Key():
                return self._key(given, picture, model, now)
        return []

    def is_deaf(self, now: float) -> bool:
        """Whether clicks beside the board are not taken for a moment, for they were meant for what was there before."""
        return False

    def scroll(self, picture: Picture, x: float, y: float, steps: float) -> None:
        """The wheel was turned at a place; most screens have nothing to scroll."""

    def show_saved(self, saved: tuple[Listed, ...]) -> None:
        """Show the saved games to choose from, where that is of use."""

    def typed(self, name: str, model: Model, now: float) -> list[Intent]:
        """Enter in a field; by itself it is a press of nothing."""
        return []

    def begin(self, name: str, text: str = "", *, most: int = 200) -> None:
        """A field with a text in it, and what is typed goes there."""
        self.fields[name] = Field.holding(text, most)
        self.focus((FIELD, name))

    def focus(self, target: tuple[str, str] | None) -> None:
        """Give the keys to this target, or to none."""
        self.pointer = replace(self.pointer, focus=target)

    def sheet(self, size: tuple[float, float]) -> Sheet:
        """An empty picture of this screen."""
        return Sheet(size[0], size[1], self.pointer)

    @property
    def field_in_use(self) -> str | None:
        """The name of the field that is being typed in."""
        focus = self.pointer.focus
        return focus[1] if focus is not None and focus[0] == FIELD and focus[1] in self.fields else None

    # Hands ------------------------------------------------------------------------------------------------------------

    def _pressed(self, picture: Picture, x: float, y: float) -> list[Intent]:
        self.pointer = replace(self.pointer, x=x, y=y)
        target = picture.target_at(x, y)
        self._down = (target.action, target.value) if target is not None else None
        if target is not None and target.action == FIELD:
            self.focus((FIELD, target.value))
            self._down = None
        else:
            self.focus(None)
        return []

    def _released(self, picture: Picture, x: float, y: float, model: Model, now: float) -> list[Intent]:
        self.pointer = replace(self.pointer, x=x, y=y)
        down, self._down = self._down, None
        target = picture.target_at(x, y)
        if target is None or not target.enabled or down != (target.action, target.value):
            return []
        return self._done(target.action, target.value, model, now)

    def _done(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        return [EVERYWHERE[action]] if action in EVERYWHERE else self.act(action, value, model, now)

    # Keys -------------------------------------------------------------------------------------------------------------

    def _key(self, key: Key, picture: Picture, model: Model, now: float) -> list[Intent]:
        name = self.field_in_use
        if name is not None and not any((target.action, target.value) == (FIELD, name) for target in picture.targets):
            # The question that had the field was answered: what is typed now is no longer its answer.
            self.focus(name := None)
        if name is not None:
            changed = self.fields[name].pressed(key.name)
            if changed is None and key.text:
                changed = self.fields[name].typed(key.text)
            if changed is not None:
                self.fields[name] = changed
                return []
            if key.name == "enter":
                return self.typed(name, model, now)
            if len(key.name) == 1:
                # The place of a letter in another alphabet, which comes as text of its own.
                return []
        if key.name in ("tab", "shift+tab"):
            self._move_focus(picture, -1 if key.name == "shift+tab" else 1)
            return []
        focus = self.pointer.focus
        if key.name in ("enter", "space") and focus is not None and focus[0] != FIELD:
            if any((target.action, target.value) == focus and target.enabled for target in picture.targets):
                return self._done(*focus, model, now)
            return []
        return self.key(key, model, now)

    def key(self, key: Key, model: Model, now: float) -> list[Intent]:
        """A key that neither types nor moves the focus: what the table of controls says."""
        for control in words.all_controls(self.PLACE):
            if key.name in control.keys and control.enabled(model):
                return self._done(control.action, "", model, now)
        return []

    def _move_focus(self, picture: Picture, step: int) -> None:
        """To the next target in the order of the picture, and around."""
        reached = (target for target in picture.targets if target.enabled and target.action not in self.UNFOCUSED)
        order = list(dict.fromkeys(_name(target) for target in reached))
        if not order:
            return
        focus = self.pointer.focus
        if focus in order:
            self.focus(order[(order.index(focus) + step) % len(order)])
        else:
            self.focus(order[0 if step > 0 else -1])


def _name(target: Target) -> tuple[str, str]:
    return target.action, target.value
