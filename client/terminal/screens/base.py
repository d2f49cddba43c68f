"""What all screens share: they show a model, take their keys from the table of controls, and need some room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from client.kept.settings import Settings
from client.playing.actions import Doing
from client.playing.new_match import AtOnce
from client.shown.actions.controls import Place, controls_for, is_enabled
from client.shown.board.examples import Example
from client.shown.model import Model
from client.start.launch import Launch
from client.terminal.drawing.dressing import Dressed
from client.terminal.drawing.plain import content
from client.terminal.parts.challenge_bar import ChallengeBar
from client.terminal.parts.widgets import HelpPanel, KeyHint, called
from protocol.messages import OptionValue, Snapshot

LEAST_COLUMNS, LEAST_ROWS = 60, 20
LOW_ROWS = 24
"""With fewer rows than these, empty lines go first."""


def either_case(keys: Iterable[str]) -> str:
    """Keys for a binding, letters in lower and upper case."""
    return ",".join(dict.fromkeys(form for key in keys for form in ((key, key.upper()) if len(key) == 1 else (key,))))


def bindings_for(place: Place, *, leave_out: frozenset[str] = frozenset()) -> list[BindingType]:
    """The keys of one screen, from the table; `leave_out` names actions whose keys a widget handles itself.

    A letter is the same key with Shift or Caps Lock.
    """
    return [
        Binding(either_case(control.keys), called(control.action), control.label, show=False)
        for control in controls_for(place)
        if control.action not in leave_out
    ]


OPENING = {
    Place.MATCH: ("type", "say", "save", "revert", "give_up", "restart"),
    Place.LOBBY: ("new", "quick", "here", "challenge", "load", "join_key"),
    Place.NAME: (),
}
"""The actions that open a dialog in which one types on, or answers."""


def opens_nothing(place: Place, key: str, model: Model) -> bool:
    """Whether `key` would open a dialog, but not now, and does nothing else either."""
    meant = [control for control in controls_for(place) if key.lower() in control.keys]
    return any(control.action in OPENING.get(place, ()) for control in meant) and not any(
        control.enabled(model) for control in meant
    )


class Application(Doing, Dressed[None]):
    """The application, as far as its screens know it."""

    launch: Launch
    settings: Settings

    def change_settings(self, **changes: object) -> None:
        """Choose anew; it holds at once, and is kept from run to run."""
        raise NotImplementedError

    examples: Mapping[str, Example]
    """What the server showed of its games, by name."""

    async def opening(self, game: str, options: Iterable[tuple[str, OptionValue]]) -> Snapshot | None:
        """The board before the first move with these options; None where the server tells of none."""
        raise NotImplementedError

    def connect(self, name: str, *, goes_on: bool = True) -> None:
        """Be connected under this name, and go on from the first screen."""
        raise NotImplementedError

    def begin(self, asked: AtOnce, name: str) -> None:
        """Begin a match at once, under this name."""
        raise NotImplementedError

    def link_to(self, match: Snapshot) -> str:
        """The link to give away for a match that waits; "" when there is none."""
        raise NotImplementedError

    def link_here(self, match: Snapshot) -> str:
        """The same for this computer alone, where nobody else reaches the server."""
        raise NotImplementedError

    @property
    def page(self) -> str:
        """The address under which others can do the same in a browser; "" when there is none."""
        raise NotImplementedError

    def start_from(self, name: str, opponent: str) -> None:
        """Go on from the saved game of this name."""
        raise NotImplementedError

    def show_games(self) -> None:
        """Back to the cards of the games."""
        raise NotImplementedError

    def refresh_screen(self, screen: object) -> None:
        """Show the model on one screen."""
        raise NotImplementedError

    def turn_deaf(self) -> None:
        """Drop what is typed on for something that is not there."""
        raise NotImplementedError

    def leave_program(self) -> None:
        """End everything."""
        raise NotImplementedError


class ParlourScreen(Screen[None]):
    """Base of the screens. Subclasses compose their parts with the help panel in them and implement `show`."""

    ALLOW_SELECT = False
    PLACE: ClassVar[Place]
    FIRST: ClassVar[str]
    """What has the keys when nothing else has."""

    is_ready = False
    """Whether its parts are there: events may come while they are being made."""

    @property
    def takes_keys(self) -> bool:
        """Whether it is there for who types."""
        return self.is_ready

    @property
    def parlour(self) -> Application:
        """The application, as what it is."""
        return cast("Application", self.app)

    def compose(self) -> ComposeResult:
        """The parts, and what covers them when there is no room for them."""
        # Before there is anything whose styles would be looked up anew.
        self.update_classes(self.shape(self.app.size))
        yield ChallengeBar()
        yield from self.parts()
        yield Static(id="too-small", markup=False)

    def parts(self) -> ComposeResult:
        """The widgets of this screen."""
        raise NotImplementedError

    def show(self, model: Model, now: float) -> None:
        """Show the model; called after every change, and twice a second."""
        raise NotImplementedError

    def shape(self, size: Size) -> dict[str, bool]:
        """The classes that a window of a size gives this screen, or takes from it: changed together, for each change
        has the styles of everything on it looked up anew."""
        return {
            "-small": size.width < LEAST_COLUMNS or size.height < LEAST_ROWS,
            "-narrow": size.width < 76,
            "-low": size.height < LOW_ROWS,
        }

    def on_mount(self) -> None:
        """Show at once what is known."""
        self.is_ready = True
        self.parlour.refresh_screen(self)

    def on_screen_suspend(self) -> None:
        """What lies over it has the keys: none is told here that does nothing now."""
        # Each by itself: a class of the screen would have the styles of everything on it looked up anew.
        self.query(KeyHint).add_class("-covered")

    def on_screen_resume(self) -> None:
        """The keys are its own again."""
        self.query(KeyHint).remove_class("-covered")

    def on_resize(self, event: events.Resize) -> None:
        """Say so when there is too little room; afterwards the keys go where they went."""
        self.update_classes(self.shape(event.size))
        if self.has_class("-small"):
            width, height = event.size
            need = f"Parlour needs a window of {LEAST_COLUMNS} x {LEAST_ROWS} characters."
            self.query_one("#too-small", Static).update(content(f"{need}\nThis one has {width} x {height}."))
        else:
            self.call_after_refresh(self.focus_first)

    def focus_first(self) -> None:
        """Give the keys to what needs them, if nothing has them."""
        if self.focused is None:
            self.query(self.FIRST).first().focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does anything now."""
        name = str(parameters[0]) if action == "act" and parameters else action
        return is_enabled(name, self.parlour.model)

    def action_help(self) -> None:
        """Show or hide the help; play goes on (`DB 7.3.1.6`, `7.3.1.7`)."""
        self.toggle_class("-help")

    def action_quit(self) -> None:
        """Leave the program (`DB 7.1.2.1`)."""
        self.parlour.leave_program()

    def on_key(self, event: events.Key) -> None:
        """The keys that move the help."""
        if self.has_class("-help") and event.key in ("pageup", "pagedown"):
            self.query_one(HelpPanel).turn(1 if event.key == "pagedown" else -1)
            event.stop()
        elif opens_nothing(self.PLACE, event.key, self.parlour.model):
            # What follows was meant for the dialog.
            self.parlour.turn_deaf()


class Dialog(ModalScreen[None]):
    """Base of what lies over a screen for a moment; the match goes on underneath."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Back", show=False)]
    is_ready = False

    @property
    def takes_keys(self) -> bool:
        """Whether it is there for who types: what has the keys in it is settled."""
        return self.is_ready and (self.focused is not None or not self.focus_chain)

    def on_mount(self) -> None:
        """Its parts are there."""
        self.is_ready = True
        if self.is_attached:
            self.mount(ChallengeBar())

    @property
    def parlour(self) -> Application:
        """The application, as what it is."""
        return cast("Application", self.app)

    def show(self, model: Model, now: float) -> None:
        """Show what matters of the model; most dialogs have nothing to show."""

    def close_once(self) -> bool:
        """Back to the screen underneath; whether that was done now.

        What is pressed or clicked twice counts once: the second time it would be the screen underneath that goes.
        """
        if not self.is_current:
            return False
        self.dismiss(None)
        return True

    def action_close(self) -> None:
        """Back, without having done anything."""
        self.close_once()
