"""The lobby: who waits, what is played, and the ways into a match (`CK 5.2`, `5.3`). Pure."""

from __future__ import annotations

from typing import ClassVar

from client.kept.links import whole_key
from client.kept.saves import Listed
from client.playing.form import GAME, MORE, OPPONENT, Form, Purpose
from client.playing.form_rows import FormRow
from client.playing.new_match import Choice
from client.shown.actions.controls import Place
from client.shown.actions.questions import dropping
from client.shown.model import Model
from client.shown.words.lobby import Row, Way, rows
from client.window.drawing.shapes import Picture
from client.window.hands.inputs import Input, Key
from client.window.intents import Act, Ask, AskAboutKey, Drop, Host, Intent, JoinKey, OpenMatch, Quick, StartSaved
from client.window.parts import form_view
from client.window.parts.board import LastBoard
from client.window.parts.lobby_view import KEY, draw_lobby
from client.window.screens.screen import FIELD, Screen
from protocol.messages import Snapshot

MAX_KEY = 300
"""Room for a whole link."""
PURPOSES = {"new": Purpose.HOST, "quick": Purpose.QUICK, "here": Purpose.HERE}


class LobbyScreen(Screen):
    """The list at the left, or a form, saved games or the help in its place; buttons beside or below it."""

    PLACE: ClassVar[Place] = Place.LOBBY
    UNFOCUSED: ClassVar[frozenset[str]] = frozenset({form_view.CHOOSE, form_view.STEP, "match"})

    def __init__(self, last: Choice) -> None:
        super().__init__()
        self.told = ""
        """The row of the form that was chosen last; it keeps its sentence while a button is pressed, or that would
        move away from under the mouse."""
        self.follows = True
        """Whether it is brought into sight; the wheel leaves it."""
        self.begin(KEY, most=MAX_KEY)
        self.focus(None)
        self.form: Form | None = None
        self.opening: Snapshot | None = None
        """The board that what is chosen in the form begins with."""
        self.opening_board = LastBoard()
        self.shows_help = self.asks_whom = False
        self.saved: tuple[Listed, ...] | None = None
        """The saved games to choose from, while they are shown."""
        self.chosen = ""
        """The match, or the saved game, that is chosen."""
        self.first = 0
        """The first row of the list that is seen."""
        self.room = 1
        """How many rows there was room for."""
        self._last = last
        self.asks_for_key = self.asks_whom = False
        self.asks_about = ""
        """The match of which it was asked whether it is to be surrendered."""

    # What is seen -----------------------------------------------------------------------------------------------------

    def picture(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """The whole screen."""
        sheet = self.sheet(size)
        self.room = draw_lobby(sheet, self, model, now)
        return sheet.picture()

    def listed(self, model: Model, now: float) -> tuple[Row, ...]:
        """The rows of the list."""
        return rows(model, model.server_now_ms(now))

    def chosen_row(self, model: Model, now: float) -> Row | None:
        """The match that is chosen: the first one until another is."""
        found = self.listed(model, now)
        return next((row for row in found if row.match == self.chosen), found[0] if found else None)

    def scroll(self, picture: Picture, x: float, y: float, steps: float) -> None:
        """The wheel moves the list."""
        self.follows = False
        self.first = max(self.first - round(steps) if abs(steps) >= 1 else self.first - (1 if steps > 0 else -1), 0)

    # What is done -----------------------------------------------------------------------------------------------------

    def take(self, given: Input, model: Model, size: tuple[float, float], now: float) -> list[Intent]:
        """As everywhere; and once a whole key is typed it is told to what it invites."""
        before = whole_key(self.fields[KEY].text)
        found = super().take(given, model, size, now)
        key = whole_key(self.fields[KEY].text)
        if not key or key == before:
            return found
        self.asks_for_key = False
        return [*found, AskAboutKey(key)]

    def act(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """A click on a target, or a key."""
        if action in PURPOSES:
            self._open(Form.opened(PURPOSES[action], model.games, self._last))
            return []
        match action:
            case "help":
                shown = not self.shows_help
                self._open(None)
                self.shows_help = shown
            case "challenge":
                self._open(None)
                self.asks_whom = True
            case "whom":
                self._open(Form.opened(Purpose.CHALLENGE, model.games, self._last, value))
            case "load":
                return [Act("list_saved")]
            case "filter" | "games":
                return [Act(action)]
            case "close":
                self._open(None)
            case "match":
                return self._clicked(value, model, now)
            case "drop":
                return self._drop(model, now)
            case "open" | "watch":
                return self._open_row(action, model, now)
            case "join_key":
                return self._join()
            case "submit":
                return self._submit()
            case "start_saved":
                return [StartSaved(self.chosen)] if self.chosen else []
            case "review_saved":
                return [StartSaved(self.chosen, review=True)] if self.chosen else []
            case _:
                self._change(action, value, model)
        return []

    def focus(self, target: tuple[str, str] | None) -> None:
        """A row that gets the keys says what it is for."""
        super().focus(target)
        if target is not None and target[0] == form_view.ROW:
            self.told, self.follows = target[1], True

    def show_saved(self, saved: tuple[Listed, ...]) -> None:
        """Show the saved games to choose from."""
        self._open(None)
        self.saved = saved
        self.chosen = saved[0].name if saved else ""

    def typed(self, name: str, model: Model, now: float) -> list[Intent]:
        """Enter in the key's field."""
        return self._join()

    def key(self, key: Key, model: Model, now: float) -> list[Intent]:
        """Arrows choose a row; Escape closes what is open, or stops typing."""
        match key.name:
            case "escape":
                self._open(None)
                self.focus(None)
                return []
            case "ctrl+s" if self.form is not None:
                return self._submit()
            case "up" | "down" | "pageup" | "pagedown":
                self._walk({"up": -1, "down": 1, "pageup": -5, "pagedown": 5}[key.name], model, now)
                return []
            case "left" | "right" if self.form is not None and self.pointer.focus is not None:
                self._change(form_view.STEP, f"{self.pointer.focus[1]}={-1 if key.name == 'left' else 1}", model)
                return []
            case "enter" | "space" if self.form is not None and self.pointer.focus == (form_view.ROW, MORE):
                self.form = self.form.chosen(MORE, not self.form.more, model.games)
                return []
            case "enter" if self.form is not None:
                return self._submit()
            case "enter" if self.saved is not None:
                return self.act("start_saved", "", model, now)
            case "j" if self.saved is not None:
                return self.act("review_saved", "", model, now)
        return super().key(key, model, now)

    def _open(self, form: Form | None) -> None:
        """Show this form, or the list."""
        self.form, self.saved, self.shows_help, self.first, self.chosen = form, None, False, 0, ""
        self.asks_for_key, self.asks_about, self.asks_whom = False, "", False
        self.focus(None if form is None else (form_view.ROW, GAME))

    def _clicked(self, value: str, model: Model, now: float) -> list[Intent]:
        """A click chooses a row, and another one opens it."""
        if self.chosen == value:
            return [StartSaved(value)] if self.saved is not None else self._open_row("open", model, now)
        self.chosen, self.asks_about = value, ""
        return []

    def _open_row(self, action: str, model: Model, now: float) -> list[Intent]:
        row = self.chosen_row(model, now)
        if row is None:
            return []
        return [OpenMatch(row.match, Way.WATCH if action == "watch" else row.way)]

    def _drop(self, model: Model, now: float) -> list[Intent]:
        """One's own match is surrendered at the second time, when that was asked; everything else at once."""
        row = self.chosen_row(model, now)
        if row is None or not row.act:
            return []
        if dropping(row) is not None and self.asks_about != row.match:
            self.asks_about = row.match
            return []
        self.asks_about = ""
        return [Drop(row.match, row.act)]

    def _join(self) -> list[Intent]:
        key = self.fields[KEY].text.strip()
        if not key:
            # A missing field is asked for (`CK 5.3`).
            self.focus((FIELD, KEY))
            self.asks_for_key = True
            return []
        self.asks_for_key = False
        return [JoinKey(key)]

    def _submit(self) -> list[Intent]:
        if self.form is None:
            return []
        choice = self.form.choice()
        quick, challenged = self.form.purpose is Purpose.QUICK, self.form.challenged
        self._last = choice
        self._open(None)
        if challenged:
            return [Ask(challenged, choice)]
        return [Quick(choice) if quick else Host(choice)]

    def _walk(self, step: int, model: Model, now: float) -> None:
        """To another row: of the form, the saved games, or the list."""
        if self.form is not None:
            names = [row.name for row in self._rows(model)]
            at = names.index(self.pointer.focus[1]) if self.pointer.focus and self.pointer.focus[1] in names else -step
            at = min(max(at + step, 0), len(names) - 1)
            self.focus((form_view.ROW, names[at]))
            return
        found = self.listed(model, now)
        names = [row.match for row in found] if self.saved is None else [one.name for one in self.saved]
        if not names:
            return
        at = names.index(self.chosen) if self.chosen in names else 0
        at = min(max(at + step, 0), len(names) - 1)
        self.chosen, self.asks_about = names[at], ""
        self.first = min(max(self.first, at - self.room + 1), at)

    def _rows(self, model: Model) -> list[FormRow]:
        return form_view.form_rows(self.form, dict(model.games)) if self.form is not None else []

    def _change(self, action: str, value: str, model: Model) -> None:
        """Something in the form was clicked."""
        if self.form is None:
            return
        if action == "against":
            self.form = self.form.chosen(OPPONENT, value, model.games)
            return
        name, _, index = value.partition("=")
        row = next((row for row in self._rows(model) if row.name == name), None)
        if row is None:
            return
        self.focus((form_view.ROW, name))
        if action == form_view.CHOOSE:
            self.form = self.form.chosen(name, row.values[int(index)][0], model.games)
        elif action == form_view.STEP:
            self.form = self.form.chosen(name, row.beside(int(index)), model.games)
