"""What lies over or beside the board for a while: pause, end, help, questions, saved games. Pure; nothing is modal."""

from __future__ import annotations

import time
from collections.abc import Sequence

from client.conversation.position import seat_name
from client.kept.saves import Listed
from client.shown.clocks import stats_text
from client.shown.controls import Place, Shelf, on_shelf
from client.shown.lobby import title_of
from client.shown.model import Model
from client.shown.status import ending, pause_lines, score_text
from client.window import lettering, words
from client.window.field import Field
from client.window.shapes import Align, Box, Rect
from client.window.sheet import Sheet
from client.window.signs import sign
from client.window.theme import Face, Ink, writing_on

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


def draw_end(sheet: Sheet, area: Rect, model: Model) -> None:
    """Winner, reason, each player's moves, average time and score, and the ways on (`CK 5.5`)."""
    match = model.match
    if match is None or match.result is None:
        return
    gap = sheet.gap
    wide = min(area.width - 2 * gap, 58 * gap)
    inner_wide = wide - 4 * gap
    head = ending(match)
    lines = lettering.wrapped(head, inner_wide, sheet.size("large"), Face.BOLD)
    row = sheet.line() + sheet.line("small") + gap
    step = sheet.line("large") * 1.05
    high = 4 * gap + len(lines) * step + 2 * row + 2 * sheet.row + 2.5 * gap
    rect = Rect(area.x + (area.width - wide) / 2, area.y + max((area.height - high) / 2, 0), wide, high)
    sheet.add(Box(rect, Ink.PANEL, Ink.ACCENT, max(2 * sheet.scale, 2), gap))
    x, y = rect.x + 2 * gap, rect.y + 2 * gap
    for line in lines:
        sheet.text(Rect(x, y, inner_wide, step), line, "large", Ink.ACCENT, bold=True, align=Align.CENTRE)
        y += step
    y += gap / 2
    for seat in (0, 1):
        style = match.seats[seat].style
        mark = Rect(x, y + gap / 4, row - gap, row - gap)
        sheet.add(Box(mark, style.colour, Ink.EDGE, 1, gap / 2))
        sheet.add(*sign(style.symbol, mark.centre, min(mark.width, mark.height) * 0.5, writing_on(style.colour)))
        left = mark.right + gap
        top = Rect(left, y, rect.right - 2 * gap - left, sheet.line())
        winner = "  winner" if match.result.winner == seat else ""
        sheet.text(top, f"{seat_name(match, seat)}{winner}", bold=True)
        sheet.text(top, score_text(model, seat), bold=True, align=Align.RIGHT)
        sheet.text(
            Rect(left, top.bottom, top.width, sheet.line("small")), stats_text(match.result, seat), "small", Ink.QUIET
        )
        y += row
    half = (inner_wide - gap) / 2
    y += gap / 2
    for index, action in enumerate(("rematch", "save", "look", "lobby")):
        place = Rect(x + (half + gap) * (index % 2), y, half, sheet.row)
        y += (sheet.row + gap) * (index % 2)
        if action == "look":
            sheet.button(place, "Look at the board", "look")
            continue
        control = words.control_for(Place.MATCH, action)
        label = words.MAIN_MENU if action == "lobby" else words.label(control)
        key = "Esc" if action == "lobby" else control.shown.split(",")[0]
        sheet.button(place, label, action, key=key, enabled=control.enabled(model), primary=action == "lobby")


def draw_help(sheet: Sheet, area: Rect, model: Model, first: int) -> None:
    """The rules and the keys, beside the board: play goes on (`DB 7.3.1.5` to `7.3.1.7`)."""
    match = model.match
    if match is None:
        return
    gap = sheet.gap
    sheet.panel(area)
    inner = area.inset(gap * 1.25)
    close = sheet.width("Close") + 3 * gap
    top = inner.top_slice(sheet.row)
    title = Rect(top.x, top.y, top.width - close - gap, top.height)
    sheet.text(title, title_of(model.games, match.game), "large", Ink.ACCENT, bold=True)
    sheet.button(Rect(top.right - close, top.y, close, sheet.row), "Close", "help")
    game = model.games.get(match.game)
    lines: list[tuple[str, str, Ink]] = []
    for paragraph in game.help.split("\n\n") if game is not None else ():
        pieces = lettering.wrapped(" ".join(paragraph.split("\n")), inner.width, sheet.size("small"))
        lines += [("", piece, Ink.TEXT) for piece in pieces]
        lines.append(("", "", Ink.TEXT))
    keys_wide = 9 * gap
    for control in words.all_controls(Place.MATCH):
        pieces = lettering.wrapped(control.help, inner.width - keys_wide, sheet.size("small"))
        lines += [(control.shown if not i else "", piece, Ink.QUIET) for i, piece in enumerate(pieces)]
    step = sheet.line("small")
    body = inner.below(sheet.row + gap)
    room = max(int(body.height // step), 1)
    first = min(first, max(len(lines) - room, 0))
    y = body.y
    for shown, text, ink in lines[first : first + room]:
        left = body.x + (keys_wide if ink is Ink.QUIET else 0)
        if shown:
            sheet.text(Rect(body.x, y, keys_wide - gap / 2, step), shown, "small", bold=True)
        sheet.text(Rect(left, y, body.right - left, step), text, "small", ink)
        y += step
    if room < len(lines):
        bar = Rect(area.right - gap * 0.75, body.y, max(gap / 2, 3), body.height)
        thumb = Rect(bar.x, bar.y + bar.height * first / len(lines), bar.width, bar.height * room / len(lines))
        sheet.add(Box(bar, Ink.RAISED, None, radius=bar.width / 2), Box(thumb, Ink.QUIET, None, radius=bar.width / 2))


def draw_question(sheet: Sheet, rect: Rect, question: str, consequence: str, yes: str) -> None:
    """A question about something that cannot be undone, and its answers."""
    gap = sheet.gap
    sheet.add(Box(rect, Ink.RAISED, Ink.BAD, max(2 * sheet.scale, 2), gap * 0.75))
    inner = rect.inset(gap)
    sheet.text(inner.top_slice(sheet.line()), question, bold=True)
    sheet.text(Rect(inner.x, inner.y + sheet.line(), inner.width, sheet.line("small")), consequence, "small", Ink.QUIET)
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
    return 2 * sheet.row + 3.25 * sheet.gap


def _answers(sheet: Sheet, inner: Rect, answers: Sequence[tuple[str, str, str]]) -> None:
    wide = min((inner.width - sheet.gap) / 2, 24 * sheet.gap)
    for index, (action, label, key) in enumerate(answers):
        place = Rect(inner.x + index * (wide + sheet.gap), inner.bottom - sheet.row, wide, sheet.row)
        sheet.button(place, label, action, key=key, primary=not index)


def draw_saved(sheet: Sheet, area: Rect, saved: Sequence[Listed], chosen: str, first: int, title: str) -> int:
    """Saved games, the newest first; how many there was room for."""
    gap, high = sheet.gap, sheet.row
    inner = area.inset(1.5 * gap)
    sheet.text(inner.top_slice(high), title, "large", Ink.ACCENT, bold=True)
    wide = min((inner.width - gap) / 2, 22 * gap)
    start = Rect(inner.x, inner.bottom - high, wide, high)
    sheet.button(start, "Load", "start_saved", key="Enter", enabled=bool(chosen), primary=bool(chosen))
    sheet.button(Rect(start.right + gap, start.y, wide, high), "Back", "close", key="Esc")
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
