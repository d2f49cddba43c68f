"""Beside the board: the moves in two numbered columns, or what happened and was said. Pure."""

from __future__ import annotations

from client.shown.model import Model
from client.shown.words.move_list import Cell, row_of, rows
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.theme import Ink
from client.window.parts.sheet import Sheet
from protocol.messages import Snapshot

TAB = "tab"
"""The action of a head; its value is what it is of."""
MOVES, CHAT = "moves", "chat"
LOOK = "to_ply"
"""The action of a move: to see the position after as many moves as its value says."""


def draw_moves(sheet: Sheet, area: Rect, model: Model, match: Snapshot, *, chat: bool, up: int) -> None:
    """In a panel, as far as there is room; `up` rows below those that are seen are left out."""
    gap, step = sheet.gap, sheet.line("small")
    if area.height < 2 * step + gap:
        return
    sheet.panel(area)
    inner = area.inset(gap, gap / 2)
    _heads(sheet, inner.top_slice(step), model, chat=chat)
    body = inner.below(step + gap / 4)
    if chat:
        _chat(sheet, body, model, match)
    else:
        _moves(sheet, body, model, up)


def _heads(sheet: Sheet, rect: Rect, model: Model, *, chat: bool) -> None:
    x = rect.x
    for name, label, chosen in ((MOVES, "Moves", not chat), (CHAT, "Chat", chat)):
        mark = f" ●{model.unread}" if name == CHAT and model.unread and not chosen else ""
        wide = sheet.width(label, "small", bold=True)
        place = Rect(x, rect.y, wide + sheet.width(mark, "small", bold=True), rect.height)
        over = sheet.is_over(place)
        ink = Ink.TEXT if chosen or over else Ink.QUIET
        sheet.text(place, label, "small", ink, bold=chosen)
        if mark:
            at = Rect(x + wide, rect.y, place.width - wide + sheet.gap, rect.height)
            sheet.text(at, mark, "small", Ink.ACCENT, bold=True)
        if chosen:
            line = max(2 * sheet.scale, 1)
            sheet.add(Box(Rect(x, rect.bottom - line, wide, line), Ink.ACCENT))
        if sheet.pointer.focus == (TAB, name):
            sheet.focus_ring(place)
        sheet.target(place, TAB, name)
        x = place.right + 2 * sheet.gap


def _moves(sheet: Sheet, body: Rect, model: Model, up: int) -> None:
    step = sheet.line("small")
    listed, room, shown = rows(model.moves), max(int(body.height // step), 1), model.shown_ply
    if not listed:
        sheet.text(body.top_slice(step), "No move yet.", "small", Ink.QUIET)
        return
    last = len(listed) - min(up, max(len(listed) - room, 0))
    if model.step is not None and not last - room <= row_of(listed, shown) < last:
        # What is looked at is in sight.
        last = min(row_of(listed, shown) + room // 2 + 1, len(listed))
    first = max(last - room, 0)
    half = body.width / 2
    for at, row in enumerate(listed[first : first + room]):
        for side, cell in enumerate(row):
            if cell is not None:
                _cell(sheet, Rect(body.x + side * half, body.y + at * step, half, step), cell, chosen=cell.ply == shown)


def _cell(sheet: Sheet, rect: Rect, cell: Cell, *, chosen: bool) -> None:
    number = sheet.width("000", "small") + sheet.gap / 2
    if chosen:
        sheet.add(Box(rect, Ink.ACCENT, None, radius=sheet.gap / 2))
    elif sheet.is_over(rect):
        sheet.add(Box(rect, Ink.RAISED, None, radius=sheet.gap / 2))
    ink = Ink.ON_ACCENT if chosen else Ink.TEXT
    low = Ink.ON_ACCENT if chosen else Ink.QUIET
    sheet.text(
        Rect(rect.x, rect.y, number - sheet.gap / 2, rect.height), str(cell.ply), "small", low, align=Align.RIGHT
    )
    place = Rect(rect.x + number, rect.y, rect.width - number, rect.height)
    fitting = (text for text in cell.texts if sheet.width(text, "small") <= place.width)
    sheet.text(place, next(fitting, cell.move), "small", ink, bold=chosen)
    sheet.target(rect, LOOK, str(cell.ply))


def _chat(sheet: Sheet, body: Rect, model: Model, match: Snapshot) -> None:
    """What happened and was said, the newest at the bottom."""
    step = sheet.line("small")
    room = max(int(body.height // step), 1)
    lines: list[tuple[str, Ink]] = []
    for one in model.chat[-room:]:
        mark = f"{match.seats[one.seat].style.symbol[:1]} " if one.seat is not None else ""
        pieces = lettering.wrapped(f"{mark}{one.text}", body.width, sheet.size("small"))
        lines += [(piece, Ink.TEXT if one.is_said else Ink.QUIET) for piece in pieces]
    if not lines:
        lines = [("Nothing was said yet.", Ink.QUIET)]
    for at, (text, ink) in enumerate(lines[-room:]):
        sheet.text(Rect(body.x, body.y + at * step, body.width, step), text, "small", ink)
