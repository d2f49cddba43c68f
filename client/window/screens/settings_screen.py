"""What the user chooses about the window itself, as one screen; the match goes on meanwhile. Pure."""

from __future__ import annotations

from typing import ClassVar, Protocol

from client.kept.settings import BoardColours, Settings, Theme
from client.shown.actions.controls import Place
from client.shown.model import Model
from client.window.drawing.shapes import Picture, Rect
from client.window.drawing.theme import Ink
from client.window.hands.inputs import Key
from client.window.intents import Change, HideSettings, Intent
from client.window.parts.sheet import Sheet
from client.window.screens.screen import Screen

VOLUMES = (0.25, 0.5, 0.75, 1.0)
SWITCHES = (
    ("sound", "Sounds"),
    ("motion", "Animations"),
    ("confirm", "Confirm moves before they are sent"),
    ("premove", "Plan moves while the other side is to move"),
)
"""Settings that are on or off: the field, and what its row says."""


class HasSettings(Protocol):
    """Whoever keeps them."""

    settings: Settings


class SettingsScreen(Screen):
    """Each choice is a row of buttons, of which one is chosen; what is chosen holds at once, and is kept."""

    PLACE: ClassVar[Place] = Place.SETTINGS

    def __init__(self, owner: HasSettings) -> None:
        super().__init__()
        self._owner = owner

    def picture(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """A panel in the middle."""
        sheet, settings = self.sheet(size), self._owner.settings
        gap, row = sheet.gap, sheet.row
        rows = 3 + len(SWITCHES)
        wide = min(sheet.inner.width, 78 * gap)
        high = (rows + 2) * (row + gap) + 3 * gap
        panel = Rect((sheet.rect.width - wide) / 2, max((sheet.rect.height - high) / 2, sheet.margin), wide, high)
        sheet.panel(panel)
        inner = panel.inset(2 * gap)
        sheet.text(Rect(inner.x, inner.y, inner.width, row), "Settings", "large", Ink.ACCENT, bold=True)
        y = inner.y + row + gap
        for label, choices in self._rows(settings):
            y = self._row(sheet, Rect(inner.x, y, inner.width, row), label, choices)
        done = sheet.width("Done") + 8 * gap
        sheet.button(Rect(inner.right - done, y, done, row), "Done", "close", key="Esc", primary=True)
        return sheet.picture()

    def _rows(self, settings: Settings) -> list[tuple[str, list[tuple[str, str, bool]]]]:
        """Labels, and for each value what its button says, what it chooses, and whether it is chosen."""
        theme = settings.theme.value
        rows = [("Colours", [(one.value, f"theme {one.value}", one.value == theme) for one in Theme])]
        chosen = settings.board
        rows.append(("Boards", [(one.value, f"board {one.value}", one is chosen) for one in BoardColours]))
        for name, label in SWITCHES:
            on = bool(getattr(settings, name))
            rows.append((label, [("on", f"{name} on", on), ("off", f"{name} off", not on)]))
        loud = [(f"{round(100 * one)} %", f"volume {one}", settings.volume == one) for one in VOLUMES]
        rows.insert(3, ("Volume", loud))
        return rows

    def _row(self, sheet: Sheet, rect: Rect, label: str, choices: list[tuple[str, str, bool]]) -> float:
        """One choice: its label, and at the right a button for each value; where the next one begins."""
        gap = sheet.gap
        wide = max(sheet.width(f"● {text}") for text, _, _ in choices) + 2 * gap
        x = rect.right - len(choices) * (wide + gap) + gap
        sheet.text(Rect(rect.x, rect.y, x - rect.x - gap, rect.height), label)
        for text, value, chosen in choices:
            # What is chosen is seen without colour, too.
            said = f"● {text}" if chosen else text
            sheet.button(Rect(x, rect.y, wide, rect.height), said, "choose", value, chosen=chosen)
            x += wide + gap
        return rect.bottom + gap

    def act(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """A click on one of the values, or on the way back."""
        if action in ("close", "lobby", "settings"):
            return [HideSettings()]
        if action != "choose":
            return []
        name, _, chosen = value.partition(" ")
        if name == "theme":
            return [] if chosen == self._owner.settings.theme.value else self._done("theme", "", model, now)
        if name == "board":
            return [Change(name, BoardColours(chosen))]
        return [Change(name, float(chosen) if name == "volume" else chosen == "on")]

    def key(self, key: Key, model: Model, now: float) -> list[Intent]:
        """Escape leads back; other keys are those of everywhere."""
        return [HideSettings()] if key.name in ("escape", "equals_sign") else super().key(key, model, now)
