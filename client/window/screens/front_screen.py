"""The first screen where nothing else was asked for: the games as cards, and a name that is filled in already. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from client.kept.learned import Learned
from client.playing.new_match import LABELS, Against, AtOnce, ways
from client.shown.actions.controls import BY_ACTION
from client.shown.board.examples import Example
from client.shown.model import Link, Model
from client.shown.words.lobby import waiting_text
from client.window.drawing.shapes import Align, Picture, Rect
from client.window.drawing.theme import Ink
from client.window.hands.inputs import Key
from client.window.intents import Begin, Connect, Intent
from client.window.parts import cards_view
from client.window.parts.cards_view import BEGIN, Cards, Shown, draw_cards, named
from client.window.parts.sheet import Sheet
from client.window.progress import Progress
from client.window.screens.name_screen import NAME, SERVER, NameScreen
from client.window.screens.screen import FIELD
from protocol.messages import GameInfo

_BY_KEY = {"c": Against.COMPUTER, "f": Against.FRIEND, "s": Against.SOMEBODY, "t": Against.HERE, "l": Against.LEARN}
_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class FrontScreen(NameScreen):
    """It connects by itself; two keys or one click lead to a board. Enter goes to the lobby."""

    def __init__(self, name: str, *, server: str = "") -> None:
        super().__init__(name, server=server)
        self.examples: Mapping[str, Example] = {}
        self.learned = Learned()
        self._chosen = 0
        self._told_name = name
        self._reported = self.progress
        self._cards = Cards()
        self.focus(None)

    def report(self, progress: Progress) -> None:
        """How connecting goes, or went: a failure stands until something else is tried."""
        super().report(progress)
        self._reported = progress

    # What is seen -----------------------------------------------------------------------------------------------------

    def picture(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """Name and server on top, the cards below."""
        self._follow(model)
        sheet = self.sheet(size)
        gap = sheet.gap
        outer = sheet.inner
        body = self._top(sheet, outer, model)
        foot = Rect(outer.x, outer.bottom - sheet.row, outer.width, sheet.row)
        self._foot(sheet, foot, model)
        area = Rect(outer.x, body, outer.width, foot.y - gap - body)
        if model.games:
            games = tuple(model.games.values())
            chosen = self._chosen if model.link is Link.UP else -1
            shown = Shown(games, self.examples, {name: self.learned.done(name) for name in model.games})
            draw_cards(sheet, area, self._cards, shown, chosen, now if self.moves else None)
        return sheet.picture()

    def _follow(self, model: Model) -> None:
        """The name under which one is welcome stands in the field, unless another one is being typed there."""
        if model.link is Link.UP and model.name != self._told_name:
            is_being_typed = self.field_in_use == NAME and self.fields[NAME].text != self._told_name
            self._told_name = model.name
            if not is_being_typed:
                focus = self.pointer.focus
                self.begin(NAME, model.name, most=20)
                self.focus(focus)
                self._suggested = False
        if model.link is Link.UP and not (self.progress.bad and self.progress is self._reported):
            bad = bool(model.notice.code)
            self.progress = Progress(model.notice.text if bad else waiting_text(model), bad=bad)

    def _top(self, sheet: Sheet, outer: Rect, model: Model) -> float:
        """Name, server, and what Enter does; where the rest begins."""
        gap, row = sheet.gap, sheet.row
        brand = sheet.width("Parlour", "large", bold=True) + 2 * gap
        sheet.text(outer.top_slice(row), "Parlour", "large", Ink.ACCENT, bold=True)
        label = "Take it" if self._suggested else "Try again" if self.progress.bad else "Lobby"
        button = max(sheet.width("Try again", bold=True), sheet.width("Lobby", bold=True)) + 6 * gap
        you = sheet.width("You are", "small") + gap
        room = outer.width - brand - button - gap
        x = outer.x + brand
        sheet.text(Rect(x, outer.y, you, row), "You are", "small", Ink.QUIET)
        between = sheet.width("at", "small") + 2 * gap
        half = (room - you - between) / 2
        sheet.field(Rect(x + you, outer.y, half + gap, row), NAME, self.fields[NAME], hint="1 to 20 letters")
        rest = Rect(x + you + half + gap + between, outer.y, half - gap, row)
        sheet.text(Rect(rest.x - between, outer.y, between, row), "at", "small", Ink.QUIET, align=Align.CENTRE)
        sheet.field(rest, SERVER, self.fields[SERVER], hint="server: this computer")
        where = Rect(outer.right - button, outer.y, button, row)
        sheet.button(where, label, "retry", key="Enter", primary=True)
        told = Rect(outer.x, outer.y + row + gap / 2, outer.width, sheet.line())
        ink = Ink.BAD if self.progress.bad else Ink.QUIET
        sheet.text(told, ("✗ " if self.progress.bad else "") + self.progress.text, colour=ink)
        return told.bottom + gap / 2

    def _foot(self, sheet: Sheet, rect: Rect, model: Model) -> None:
        gap = sheet.gap
        quit_, themed = (sheet.width(label) + sheet.width("Ctrl+Q", "small") + 4 * gap for label in ("Quit", _THEME))
        sheet.button(Rect(rect.right - quit_, rect.y, quit_, rect.height), "Quit", "quit", key="Ctrl+Q")
        left = rect.right - quit_ - gap - themed
        sheet.button(Rect(left, rect.y, themed, rect.height), _THEME, "theme", key="F2")
        room = Rect(rect.x, rect.y, left - gap - rect.x, rect.height)
        hint = next((hint for hint in _hints(model) if sheet.width(hint, "small") <= room.width), "")
        sheet.text(room, hint, "small", Ink.QUIET, align=Align.LEFT)

    # What is done -----------------------------------------------------------------------------------------------------

    def act(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """A click, or a key."""
        match action:
            case cards_view.BEGIN:
                game, _, against = value.partition(" ")
                return self._begin(AtOnce(game, Against(against)))
            case "rename":
                self.focus((FIELD, NAME))
                return []
            case "retry":
                name = self._named()
                return [Connect(name, self.fields[SERVER].text.strip())] if name else []
            case _:
                return super().act(action, value, model, now)

    def typed(self, name: str, model: Model, now: float) -> list[Intent]:
        """Enter in a field: one is called so, or is at that server, from now on."""
        if not self._named():
            return []
        self.focus(None)
        return [Connect(self._named(), self.fields[SERVER].text.strip(), goes_on=False)]

    def key(self, key: Key, model: Model, now: float) -> list[Intent]:
        """A number chooses a card, a letter the way, and arrows go from one to the other."""
        games = tuple(model.games.values()) if model.link is Link.UP else ()
        if key.name.isdecimal() and 1 <= int(key.name) <= len(games):
            self._chosen = int(key.name) - 1
            self._focus_way(games[self._chosen].name, _first_way(games[self._chosen].computer))
            return []
        if key.name in _BY_KEY and games:
            game = games[min(self._chosen, len(games) - 1)]
            against = _BY_KEY[key.name]
            return self._begin(AtOnce(game.name, against)) if against in ways(game) else []
        if key.name in _STEPS and games:
            self._walk(key.name, games)
            return []
        if key.name == "escape":
            if self.field_in_use == NAME and model.link is Link.UP:
                self.begin(NAME, self._told_name, most=20)
            self.focus(None)
            return []
        return super().key(key, model, now)

    def _walk(self, step: str, games: tuple[GameInfo, ...]) -> None:
        across, down = _STEPS[step]
        focus = self.pointer.focus
        if focus is None or focus[0] != BEGIN:
            self._focus_way(games[self._chosen].name, _first_way(games[self._chosen].computer))
            return
        along, on = (down, across) if self._cards.upright else (across, down)
        self._chosen = (self._chosen + on) % len(games)
        game = games[self._chosen]
        offered = ways(game)
        held = Against(focus[1].partition(" ")[2])
        at = offered.index(held) if held in offered else 0
        self._focus_way(game.name, offered[min(max(at + along, 0), len(offered) - 1)])

    def _focus_way(self, game: str, against: Against) -> None:
        self.focus((BEGIN, named(game, against)))

    def _begin(self, asked: AtOnce) -> list[Intent]:
        name = self._named()
        return [Begin(asked, name, self.fields[SERVER].text.strip())] if name else []


_THEME = "Light or dark"
_WAYS = "   ".join(f"{key} {LABELS[against]}" for key, against in _BY_KEY.items())


def _hints(model: Model) -> tuple[str, ...]:
    """What keys do, the longest first: there may not be room for it."""
    game = f"{BY_ACTION['card'].key_shown(model)} a game   {_WAYS}"
    return f"{game}   n your name", game, _WAYS


def _first_way(computer: bool) -> Against:
    return Against.COMPUTER if computer else Against.FRIEND
