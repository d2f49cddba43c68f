"""What waits for an answer beside the board, what can be done to the match, and the cover of a pause.

Every button is a control of the table, with its key on it: it can be used exactly when the table says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import accumulate

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.events import Click
from textual.widget import Widget
from textual.widgets import Static

from client.shown.actions.controls import BY_ACTION, MOST_IN_ROW, Control, Place, Shelf, on_shelf, row_and_menu
from client.shown.actions.icons import ICONS
from client.shown.actions.plans import plan_line
from client.shown.model import Model
from client.shown.words.status import away_line, offer_line, pause_lines
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import KeyHint, shortened

MENU = "-menu"
"""The class of a screen whose menu is open."""
_LOBBY, _MORE = "lobby", "more"


class ActionButton(KeyHint):
    """A control as a button; one that cannot be used now is pale, and does nothing."""

    @property
    def takes_clicks(self) -> bool:
        """Not while what was clicked may have stood elsewhere a moment ago."""
        return super().takes_clicks and not (isinstance(self.parent, Actions) and self.parent.is_deaf)

    @on(Click)
    def close_menu(self) -> None:
        """What was chosen is done by what this is, a hint; the menu that it was in has served."""
        if self.action != _MORE:
            self.screen.remove_class(MENU)

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


def _with_sign(control: Control) -> ActionButton:
    return ActionButton(control.first_key, control.label, control.action, ICONS[control.action].sign)


class Actions(Container):
    """What can be done in the match and to it besides moving (`SQ2`, `CK 5.4`); after the end, the ways on (`CK 5.5`).

    A row of what is needed often, each with its sign, its key and its word, and a menu that opens the rest below it.
    """

    is_deaf = False
    """Whether clicks are not taken, for what was clicked stood elsewhere a moment ago."""

    def __init__(self) -> None:
        super().__init__()
        self._order: list[str] = []

    @cached_property
    def _by_action(self) -> dict[str, ActionButton]:
        """By action. All are made at once, and stay."""
        return {button.action: button for button in self.query(ActionButton)}

    def compose(self) -> ComposeResult:
        """All of them; the way back to the lobby is in the bar of keys, and here once the match is over."""
        for control in on_shelf(Place.MATCH, Shelf.ACTIONS, Shelf.MENU):
            yield _with_sign(control)
        yield ActionButton("l", "Main Menu", _LOBBY, ICONS[_LOBBY].sign)

    def show(self, model: Model, *, is_deaf: bool, is_open: bool) -> None:
        """Leave out what this kind of match, or of moment, does not have."""
        self.is_deaf = is_deaf
        over = model.match is not None and model.match.status == "ended"
        buttons = self._by_action
        buttons[_MORE].call("Close" if is_open else BY_ACTION[_MORE].label)
        row, menu = row_and_menu(model, self._room(model, buttons, over=over))
        shown = {control.action: control for control in (*row, *(menu if is_open else ()))}
        # Each is told once, for one that went and came again would have the whole screen arranged anew.
        always = {_LOBBY: over, _MORE: bool(menu)}
        for action, button in buttons.items():
            if action in shown and action not in always:
                button.show(shown[action], model)
            else:
                button.display = always.get(action, False)
        self._arrange([*(one.action for one in row), *([_LOBBY] if over else ())], [one.action for one in menu])
        self.set_class(bool(row or menu), "-open")

    def _room(self, model: Model, buttons: Mapping[str, ActionButton], *, over: bool) -> int:
        """How many have room beside those that are always there: in one line below a board, else in three."""
        if not isinstance(self.parent, Widget) or self.parent.id != "below":
            return MOST_IN_ROW
        gap = 1 if self.screen.has_class("-narrow") else 2
        left = self.screen.size.width - 2 - buttons[_MORE].cells - over * (buttons[_LOBBY].cells + gap)
        row, _ = row_and_menu(model)
        needed = accumulate(buttons[control.action].cells + gap for control in row)
        return sum(one <= left for one in needed)

    def _arrange(self, row: list[str], menu: list[str]) -> None:
        """Put them in their order: two beside each other have room where the longer word is at the left."""
        order = _paired([*row, _MORE, *menu], self._by_action.values())
        if order != self._order:
            self._order = order
            places = {action: at for at, action in enumerate(order)}
            self.sort_children(
                key=lambda one: places.get(one.action, len(order)) if isinstance(one, ActionButton) else 0
            )


def _paired(actions: list[str], buttons: Iterable[ActionButton]) -> list[str]:
    """The same, of each two the one with the longer word first."""
    cells = {button.action: button.cells for button in buttons}
    pairs = (actions[at : at + 2] for at in range(0, len(actions), 2))
    return [action for pair in pairs for action in sorted(pair, key=lambda one: -cells[one])]


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
        if self._shelf is Shelf.AWAY and isinstance(self.parent, Widget) and self.parent.id == "below":
            answers = sum(one.cells + 2 for one in self.query(ActionButton))
            room = self.screen.size.width - 4 - answers
            text = text if cell_len(text) <= room else shortened(away_line(model, now, short=True), room)
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
