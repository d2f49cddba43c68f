"""The first screen: name and server, the connection, and how that went (`UD RF1`). Pure."""

from __future__ import annotations

from typing import ClassVar

from client.shown.actions.controls import Place
from client.shown.model import Model
from client.window.drawing.shapes import Align, Picture, Rect
from client.window.drawing.theme import Ink
from client.window.intents import Connect, Intent
from client.window.progress import Progress
from client.window.screens.screen import FIELD, Screen

MAX_NAME = 20
"""RU-M9: a name has at most 20 characters."""
MAX_SERVER = 200
NAME, SERVER = "name", "server"


class NameScreen(Screen):
    """Without a good connection the only ways on are to try again and to quit."""

    PLACE: ClassVar[Place] = Place.NAME

    def __init__(self, name: str, *, server: str = "") -> None:
        super().__init__()
        self.progress = Progress("")
        self.begin(SERVER, server, most=MAX_SERVER)
        self.begin(NAME, name, most=MAX_NAME)
        self._suggested = False

    def report(self, progress: Progress) -> None:
        """How connecting goes, or went."""
        self.progress = progress
        self._suggested = False

    def suggest(self, name: str) -> None:
        """Another name, which the server's refusal has just said to be free; the button takes it."""
        self.begin(NAME, name, most=MAX_NAME)
        self._suggested = True

    def picture(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """A panel in the middle."""
        sheet = self.sheet(size)
        gap, row = sheet.gap, sheet.row
        wide = min(sheet.inner.width, 46 * gap)
        inner_wide = wide - 6 * gap
        high = 6 * gap + sheet.line("title") + sheet.line() + 2 * (sheet.line("small") + row + 2 * gap) + 3 * gap
        high += 3 * sheet.line() + row
        panel = Rect((sheet.rect.width - wide) / 2, max((sheet.rect.height - high) / 2, sheet.margin), wide, high)
        sheet.panel(panel)
        x, y = panel.x + 3 * gap, panel.y + 3 * gap
        sheet.text(Rect(x, y, inner_wide, sheet.line("title")), "Parlour", "title", Ink.ACCENT, bold=True)
        y += sheet.line("title")
        sheet.text(Rect(x, y, inner_wide, sheet.line()), "Board games for two, in real time", colour=Ink.QUIET)
        y += sheet.line() + 2 * gap
        for name, title, hint in (
            (NAME, "Your name", "1 to 20 letters"),
            (SERVER, "Server", "this computer"),
        ):
            sheet.text(Rect(x, y, inner_wide, sheet.line("small")), title, "small", Ink.QUIET)
            y += sheet.line("small") + gap / 2
            sheet.field(Rect(x, y, inner_wide, row), name, self.fields[name], hint=hint)
            y += row + 1.5 * gap
        half = (inner_wide - gap) / 2
        label = "Take it" if self._suggested else "Try again" if self.progress.bad else "Connect"
        busy = self.progress.busy
        sheet.button(Rect(x, y, half, row), label, "retry", key="Enter", enabled=not busy, primary=not busy)
        sheet.button(Rect(x + half + gap, y, half, row), "Quit", "quit", key="Ctrl+Q")
        y += row + gap
        ink = Ink.BAD if self.progress.bad else Ink.QUIET
        sheet.paragraph(Rect(x, y, inner_wide, panel.bottom - gap - y), self.progress.text, colour=ink)
        corner = Rect(sheet.inner.x, sheet.inner.bottom - row, sheet.inner.width, row)
        themed = sheet.width("Light or dark") + sheet.width("F2", "small") + 4 * gap
        if panel.bottom < corner.y:
            sheet.button(Rect(corner.right - themed, corner.y, themed, row), "Light or dark", "theme", key="F2")
            if busy:
                sheet.text(corner, "Quitting works at any time.", "small", Ink.QUIET, align=Align.CENTRE)
        return sheet.picture()

    def typed(self, name: str, model: Model, now: float) -> list[Intent]:
        """Enter in a field connects."""
        return self.act("retry", "", model, now)

    def act(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """Connect, and a missing name is asked for."""
        if action != "retry" or self.progress.busy:
            return []
        name = self._named()
        return [Connect(name, self.fields[SERVER].text.strip())] if name else []

    def _named(self) -> str:
        """The name; "" while there is none, which is told."""
        name = self.fields[NAME].text.strip()
        if not name:
            self.report(Progress("Please type a name first.", bad=True))
            self.focus((FIELD, NAME))
        return name
