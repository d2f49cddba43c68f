"""The rules and the keys beside the board (`DB 7.3.1.5` to `7.3.1.7`). Pure."""

from __future__ import annotations

from client.shown.actions.controls import Place
from client.shown.model import Model
from client.shown.words.lobby import title_of
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.theme import Ink
from client.window.parts import words
from client.window.parts.sheet import Sheet

DRAWN = "  "
"""How the lines of a small drawing begin."""


def draw_help(sheet: Sheet, area: Rect, model: Model, first: int) -> None:
    """Between the players, so that clocks and offers stay in sight: play goes on. `first` is the line to begin with."""
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
        told = " ".join(paragraph.split("\n"))
        drawn = tuple(paragraph.split("\n")) if paragraph.startswith(DRAWN) else None
        pieces = drawn or lettering.wrapped(told, inner.width, sheet.size("small"))
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
        if text.startswith(DRAWN):
            _drawn(sheet, Rect(left, y, body.right - left, step), text)
        else:
            sheet.text(Rect(left, y, body.right - left, step), text, "small", ink)
        y += step
    if room < len(lines):
        bar = Rect(area.right - gap * 0.75, body.y, max(gap / 2, 3), body.height)
        thumb = Rect(bar.x, bar.y + bar.height * first / len(lines), bar.width, bar.height * room / len(lines))
        sheet.add(Box(bar, Ink.RAISED, None, radius=bar.width / 2), Box(thumb, Ink.QUIET, None, radius=bar.width / 2))


def _drawn(sheet: Sheet, place: Rect, text: str) -> None:
    """A line of a drawing: all characters are as wide as each other."""
    wide = sheet.width("0", "small") * 1.15
    for at, sign in enumerate(text):
        if sign != " ":
            rect = Rect(place.x + at * wide, place.y, wide, place.height)
            sheet.text(rect, sign, "small", Ink.ACCENT, align=Align.CENTRE)
