"""What lies over the board for a while: pause, questions, saved games. Pure; nothing is modal."""

from __future__ import annotations

import time
from collections.abc import Sequence

from client.kept.saves import Listed
from client.shown.actions.controls import BY_ACTION, Place, Shelf, on_shelf
from client.shown.model import Model
from client.shown.words.status import pause_lines
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.theme import Ink
from client.window.hands.field import Field
from client.window.parts import words
from client.window.parts.sheet import Sheet

SAVE_NAME = "save name"
"""The field for the name of a saved game."""


def draw_pause(sheet: Sheet, area: Rect, model: Model, now: float) -> None:
    """Lies where the board was, for both players and all spectators (`CK 5.4.3`)."""
    lines = pause_lines(model, now)
    buttons = [control for control in on_shelf(Place.MATCH, Shelf.PAUSE) if control.is_seen(model)]
    gap = sheet.gap
    high = len(lines) * (sheet.line() + gap / 2) + 4 * gap + (sheet.row + gap if buttons else 0)
    wide = min(area.width, 56 * gap)
    rect = Rect(area.x + (area.width - wide) / 2, area.y + max((area.height - high) / 2, 0), wide, high)
    sheet.panel(area)
    sheet.add(Box(rect, Ink.RAISED, Ink.ACCENT, max(2 * sheet.scale, 2), gap))
    y = rect.y + 2 * gap
    for index, line in enumerate(lines):
        at = Rect(rect.x + gap, y, rect.width - 2 * gap, sheet.line())
        sheet.text(at, line, "large" if not index else "body", Ink.TEXT if not index else Ink.QUIET, bold=not index,
                   align=Align.CENTRE)  # fmt: skip
        y += sheet.line() + gap / 2
    for control in buttons:
        button = Rect(rect.x + wide / 4, y + gap / 2, wide / 2, sheet.row)
        enabled = control.enabled(model)
        sheet.button(button, words.label(control), control.action, key=control.shown, enabled=enabled, primary=True)
    sheet.until(now + 0.5)


def draw_question(sheet: Sheet, rect: Rect, question: str, consequence: str, yes: str) -> None:
    """A question about something that cannot be undone, and its answers."""
    gap = sheet.gap
    sheet.add(Box(rect, Ink.RAISED, Ink.BAD, max(2 * sheet.scale, 2), gap * 0.75))
    inner = rect.inset(gap)
    sheet.text(inner.top_slice(sheet.line()), question, bold=True)
    below = Rect(inner.x, inner.y + sheet.line(), inner.width, 2 * sheet.line("small"))
    sheet.paragraph(below, consequence, "small", Ink.QUIET)
    _answers(sheet, inner, (("yes", yes, "Enter"), ("no", "Play on", "Esc")))


def draw_save(sheet: Sheet, rect: Rect, field: Field, *, again: bool) -> None:
    """Asks for the name of the file (`DB 7.3.3.1`); `again` when another game of that name would be replaced."""
    gap = sheet.gap
    sheet.add(Box(rect, Ink.RAISED, Ink.ACCENT, max(2 * sheet.scale, 2), gap * 0.75))
    inner = rect.inset(gap)
    label = sheet.width("Save as", bold=True) + gap
    sheet.text(Rect(inner.x, inner.y, label, sheet.row), "Save as", bold=True)
    sheet.field(Rect(inner.x + label, inner.y, inner.width - label, sheet.row), SAVE_NAME, field, hint="a name")
    _answers(sheet, inner, (("yes", "Replace it" if again else "Save", "Enter"), ("no", "Back", "Esc")))


def question_height(sheet: Sheet) -> float:
    """How high a question is."""
    return sheet.line() + 2 * sheet.line("small") + sheet.row + 3.25 * sheet.gap


def _answers(sheet: Sheet, inner: Rect, answers: Sequence[tuple[str, str, str]]) -> None:
    wide = min((inner.width - sheet.gap) / 2, 24 * sheet.gap)
    for index, (action, label, key) in enumerate(answers):
        place = Rect(inner.x + index * (wide + sheet.gap), inner.bottom - sheet.row, wide, sheet.row)
        sheet.button(place, label, action, key=key, primary=not index)


def draw_saved(sheet: Sheet, area: Rect, saved: Sequence[Listed], chosen: str, first: int, title: str, act: str) -> int:
    """Saved games, the newest first, for an action of the table; how many there was room for."""
    gap, high = sheet.gap, sheet.row
    inner = area.inset(1.5 * gap)
    sheet.text(inner.top_slice(high), title, "large", Ink.ACCENT, bold=True)
    label, ready = words.label(BY_ACTION[act]), bool(chosen)
    ways = [(label, "start_saved", "Enter"), ("Back", "close", "Esc")]
    if act == "load":
        ways.insert(1, (words.label(BY_ACTION["review"]), "review_saved", "j"))
    wide = min((inner.width - (len(ways) - 1) * gap) / len(ways), 22 * gap)
    for index, (text, action, key) in enumerate(ways):
        place = Rect(inner.x + index * (wide + gap), inner.bottom - high, wide, high)
        sheet.button(
            place, text, action, key=key, enabled=ready or action == "close", primary=ready and action == "start_saved"
        )
    rows = Rect(inner.x, inner.y + high + gap, inner.width, inner.height - 2 * high - 2 * gap)
    if not saved:
        sheet.text(rows, "No game is saved yet: Save is beside the board.", colour=Ink.QUIET, align=Align.CENTRE)
        return 1
    step = high + gap / 2
    room = max(int((rows.height + gap / 2) // step), 1)
    first = min(first, max(len(saved) - room, 0))
    y = rows.y
    for one in saved[first : first + room]:
        rect = Rect(rows.x, y, rows.width, high)
        if one.name == chosen or sheet.is_over(rect):
            edge = Ink.ACCENT if one.name == chosen else Ink.EDGE
            sheet.add(Box(rect, Ink.RAISED, edge, max(sheet.scale, 1), gap * 0.75))
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.saved_at))
        date = sheet.width(when, "small") + gap
        sheet.text(rect.inset(gap, 0), when, "small", Ink.QUIET, align=Align.RIGHT)
        sheet.text(Rect(rect.x + gap, y, rect.width - date - 2 * gap, high), one.name, bold=True)
        sheet.target(rect, "match", one.name)
        y += step
    return room
