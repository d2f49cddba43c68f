"""What waits for an answer beside the board, what can be done to the match, and the cover of a pause.

Every button is a control of the table, with its key on it: it can be used exactly when the table says so.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from client.shown.controls import BY_ACTION, Control, Place, Shelf, on_shelf
from client.shown.model import Model
from client.shown.plans import plan_line
from client.shown.status import away_line, offer_line, pause_lines
from client.terminal import theme
from client.terminal.plain import content
from client.terminal.widgets import KeyHint

_LOBBY = "lobby"


class ActionButton(KeyHint):
    """A control as a button; one that cannot be used now is pale, and does nothing."""

    @property
    def takes_clicks(self) -> bool:
        """Not while what was clicked may have stood elsewhere a moment ago."""
        return super().takes_clicks and not (isinstance(self.parent, Actions) and self.parent.is_deaf)

    def show(self, control: Control, model: Model) -> None:
        """Whether it is there, and whether it can be used."""
        self.display = control.is_seen(model)
        self.call(control.called(model))
        usable = control.enabled(model)
        if self.disabled == usable:
            self.disabled = not usable


def _buttons(*shelves: Shelf) -> list[ActionButton]:
    return [
        ActionButton(control.first_key, control.label, control.action) for control in on_shelf(Place.MATCH, *shelves)
    ]


class Actions(Container):
    """What can be done to the match besides moving (`SQ2`, `CK 5.4`); after the end, the ways on (`CK 5.5`)."""

    is_deaf = False
    """Whether clicks are not taken, for what was clicked stood elsewhere a moment ago."""

    def compose(self) -> ComposeResult:
        """All of them; the way back to the lobby is in the bar of keys, and here once the match is over."""
        yield from _buttons(Shelf.ACTIONS)
        yield ActionButton("l", "Main Menu", _LOBBY)

    def show(self, model: Model, *, is_deaf: bool) -> None:
        """Leave out what this kind of match, or of moment, does not have."""
        self.is_deaf = is_deaf
        over = model.match is not None and model.match.status == "ended"
        for button in self.query(ActionButton):
            if button.action == _LOBBY:
                button.display = over
            else:
                button.show(BY_ACTION[button.action], model)
        self.set_class(any(button.display for button in self.query(ActionButton)), "-open")


class Ask(Container):
    """A sentence and the answers to it: an open offer (`CK R4.5`), or an opponent who is away (`RU-M5`)."""

    def __init__(self, shelf: Shelf) -> None:
        super().__init__(classes=f"ask -{shelf.value}")
        self._shelf = shelf
        self._text = ""

    def compose(self) -> ComposeResult:
        """The sentence first."""
        yield Static(classes="ask-text", markup=False)
        yield from _buttons(self._shelf)

    def show(self, model: Model, now: float) -> None:
        """Show what is open, or nothing."""
        text = _asked(self._shelf, model, now)
        self.set_class(bool(text), "-open")
        if not text:
            return
        if text != self._text:
            self._text = text
            self.query_one(Static).update(content(text))
        for button in self.query(ActionButton):
            button.show(BY_ACTION[button.action], model)


def _asked(shelf: Shelf, model: Model, now: float) -> str:
    match shelf:
        case Shelf.PLAN:
            return plan_line(model)
        case Shelf.OFFER:
            return offer_line(model)
        case _:
            return away_line(model, now)


class PauseCover(Container):
    """Lies where the board was, for both players and all spectators (`CK 5.4.3`)."""

    def __init__(self) -> None:
        super().__init__(id="cover")
        self._text: Content | None = None

    def compose(self) -> ComposeResult:
        """The window."""
        with Vertical(id="cover-box"):
            yield Static(id="cover-text", markup=False)
            yield from _buttons(Shelf.PAUSE)

    def show(self, model: Model, now: float) -> None:
        """Who paused, for how long at most, and who may go on."""
        match = model.match
        self.display = model.is_covered
        if match is None or not model.is_covered:
            return
        text = _cover_text(model, now)
        if self._text is None or text != self._text:
            self._text = text
            self.query_one("#cover-text", Static).update(text)
        for button in self.query(ActionButton):
            button.show(BY_ACTION[button.action], model)


def _cover_text(model: Model, now: float) -> Content:
    first, *others = pause_lines(model, now)
    parts: list[Content | tuple[str, str]] = [(f"{first}\n", f"bold {theme.BRASS}" if others else theme.DUST)]
    parts += [(f"\n{line}", theme.CHALK) for line in others]
    return Content.assemble(*parts)
