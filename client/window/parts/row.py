"""What can be done in a match: a row of icons with words, and the menu that opens the rest above it. Pure."""

from __future__ import annotations

from client.shown.actions.controls import MOST_IN_ROW, Control, Place, row_and_menu
from client.shown.model import Model
from client.window.drawing.icons import icon
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.theme import Ink
from client.window.parts import words
from client.window.parts.sheet import Sheet

MORE = "more"
"""The action that opens the menu, and closes it."""
WAYS_OUT = ("help", "lobby", "quit")
"""In sight wherever there is room (`DB 7.1.1.2`), else in the menu."""
_AFTER_THE_END = ("save",)
"""In the row once the ways on are on the card of the end."""
_ICON = 21.0
"""Pixels of an icon at a scale of 1."""
_IN_MENU = 0.9
"""How much of that it has in the menu."""
_LEAST = 40.0
"""Pixels that whoever points needs, across and down."""
_HIGH = 80
"""Height of a window, in its gaps, from which there is room for a second row."""

Cells = tuple[Control, ...]
_LAST: Cells = (words.control_for(Place.MATCH, MORE),)


def draw_row(sheet: Sheet, area: Rect, model: Model, *, is_open: bool) -> float:
    """At the bottom of `area`, the ways out below the rest where one row has no room for both; where it begins."""
    rows, _ = _parts(sheet, area.width, model)
    step, gap = _height(sheet) + sheet.gap / 2, sheet.gap / 2
    top = area.bottom + gap - len(rows) * step
    placed = [
        one
        for down, cells in enumerate(rows)
        for one in _placed(sheet, Rect(area.x, top + down * step, area.width, _height(sheet)), cells, model)
    ]
    # All tell their keys, or none does: one without would look like one that has none.
    shows_keys = all(_has_room_for_key(sheet, control, cell.width) for control, cell in placed)
    for control, cell in placed:
        ink = _cell(sheet, cell, control, model, chosen=control.action == MORE and is_open)
        if shows_keys:
            corner = Rect(cell.x, cell.y, cell.width - gap, sheet.line("small"))
            quiet = ink if ink is Ink.ON_ACCENT else Ink.QUIET
            sheet.text(corner, control.first_key, "small", quiet, align=Align.RIGHT)
    return top


def _placed(sheet: Sheet, area: Rect, cells: Cells, model: Model) -> list[tuple[Control, Rect]]:
    """Where each cell of a row is, which they fill."""
    gap = sheet.gap / 2
    wide = [_least_width(sheet, control, model) for control in cells]
    spare = max(area.width - sum(wide) - gap * (len(cells) - 1), 0.0) / len(cells)
    placed, x = list[tuple[Control, Rect]](), area.x
    for control, least in zip(cells, wide, strict=True):
        placed.append((control, Rect(x, area.y, least + spare, area.height)))
        x += least + spare + gap
    return placed


def draw_menu(sheet: Sheet, area: Rect, wide: float, model: Model) -> float:
    """What a row of this width has no room for, at the bottom of `area`, in two columns; where it begins."""
    _, menu = _parts(sheet, wide, model)
    gap = sheet.gap * 0.75
    inner = area.inset(gap, 0)
    step, rows = sheet.row + gap, -(-len(menu) // 2)
    panel = Rect(area.x, area.bottom - rows * step - gap, area.width, rows * step + gap)
    sheet.panel(panel, border=Ink.ACCENT)
    half = (inner.width - gap) / 2
    places = [
        Rect(inner.x + index % 2 * (half + gap), panel.y + gap + index // 2 * step, half, sheet.row)
        for index in range(len(menu))
    ]
    shows_keys = all(
        sheet.width(_called(control, model)) + sheet.width(control.first_key, "small") + 2 * sheet.gap
        <= _word(sheet, place).width
        for control, place in zip(menu, places, strict=True)
    )
    for control, place in zip(menu, places, strict=True):
        _entry(sheet, place, control, model, shows_key=shows_keys)
    return panel.y


def _parts(sheet: Sheet, wide: float, model: Model) -> tuple[tuple[Cells, ...], Cells]:
    """The rows, and the menu, which has what they have no room for."""
    is_over = model.match is not None and model.match.result is not None
    in_card = {"lobby", *(one.action for one in row_and_menu(model)[0])} if is_over else set()
    ways_out = tuple(words.control_for(Place.MATCH, action) for action in WAYS_OUT if action not in in_card)
    rows, menu = _chosen(sheet, wide, model, ways_out, is_over=is_over)
    shown = [one for row in rows for one in row]
    rest = (one for one in (*menu, *ways_out) if one not in shown and one.action not in in_card)
    in_menu = tuple(one for one in rest if one.action != "mute" or not model.holds_both)
    return (*rows[:-1], (*rows[-1], *_LAST)), in_menu


def _chosen(
    sheet: Sheet, wide: float, model: Model, ways_out: Cells, *, is_over: bool
) -> tuple[tuple[Cells, ...], Cells]:
    """As many actions as there is room for beside help and quit, in one row or in two; else as many as there is room
    for at all. "More" has room in the last row, and is not in it yet."""
    shorter = tuple(control for control in ways_out if control.action != "lobby")
    for most in range(MOST_IN_ROW, -1, -1):
        row, menu = row_and_menu(model, most)
        if is_over:
            row, menu = tuple(one for one in menu if one.action in _AFTER_THE_END), menu
        for ways in (ways_out, shorter):
            if _fits(sheet, (*row, *ways), wide, model):
                return ((*row, *ways),), menu
        if _is_high(sheet):
            for at in range(len(row), 0, -1):
                if _fits(sheet, row[:at], wide, model, last=()) and _fits(sheet, (*row[at:], *ways_out), wide, model):
                    return (row[:at], (*row[at:], *ways_out)), menu
        for ways in (ways_out[:1], ()):
            if _fits(sheet, (*row, *ways), wide, model):
                return ((*row, *ways),), menu
    return ((),), row_and_menu(model, 0)[1]


def _is_high(sheet: Sheet) -> bool:
    """Whether a second row leaves room enough for the moves above it."""
    return sheet.rect.width >= sheet.rect.height >= _HIGH * sheet.gap


def _fits(sheet: Sheet, row: Cells, wide: float, model: Model, last: Cells = _LAST) -> bool:
    """Whether there is room for these and for `last`."""
    cells = (*row, *last)
    needed = sum(_least_width(sheet, control, model) for control in cells)
    return needed + sheet.gap / 2 * (len(cells) - 1) <= wide


def _height(sheet: Sheet) -> float:
    return max(round(_ICON * sheet.scale + sheet.line("small") + sheet.gap * 0.6), _LEAST)


def _least_width(sheet: Sheet, control: Control, model: Model) -> float:
    return max(sheet.width(_called(control, model), "small") + sheet.gap * 0.75, _LEAST)


def _called(control: Control, model: Model) -> str:
    return "Unmute" if control.action == "mute" and model.muted else words.label(control, model)


def _cell(sheet: Sheet, rect: Rect, control: Control, model: Model, *, chosen: bool) -> Ink:
    """An icon with its word below it; the ink of both."""
    enabled, size = control.enabled(model), _ICON * sheet.scale
    ink = _ground(sheet, rect, control.action, enabled=enabled, chosen=chosen)
    sheet.add(*icon(control.action, (rect.centre[0], rect.y + sheet.gap * 0.4 + size / 2), size, ink))
    low = Rect(rect.x, rect.bottom - sheet.line("small") - sheet.gap * 0.2, rect.width, sheet.line("small"))
    sheet.text(low, _called(control, model), "small", ink, align=Align.CENTRE)
    return ink


def _has_room_for_key(sheet: Sheet, control: Control, wide: float) -> bool:
    return _ICON * sheet.scale + 2 * (sheet.width(control.first_key, "small") + sheet.gap * 0.75) <= wide


def _entry(sheet: Sheet, rect: Rect, control: Control, model: Model, *, shows_key: bool) -> None:
    """An icon, its word beside it, its key at the right."""
    size = _ICON * sheet.scale * _IN_MENU
    ink = _ground(sheet, rect, control.action, enabled=control.enabled(model), chosen=False)
    sheet.add(*icon(control.action, (rect.x + sheet.gap * 0.75 + size / 2, rect.centre[1]), size, ink))
    sheet.text(_word(sheet, rect), _called(control, model), "body", ink)
    if shows_key:
        sheet.text(rect.inset(sheet.gap * 0.75, 0), control.first_key, "small", Ink.QUIET, align=Align.RIGHT)


def _word(sheet: Sheet, rect: Rect) -> Rect:
    """Where the word of the menu's entry is, and its key."""
    before = _ICON * sheet.scale * _IN_MENU + sheet.gap * 1.5
    return Rect(rect.x + before, rect.y, rect.width - before - sheet.gap * 0.25, rect.height)


def _ground(sheet: Sheet, rect: Rect, action: str, *, enabled: bool, chosen: bool) -> Ink:
    """What it stands on, as that of a button, and its target; the ink for what stands on it."""
    focused, over = sheet.pointer.focus == (action, ""), enabled and sheet.is_over(rect)
    fill = Ink.ACCENT if chosen else Ink.RAISED if enabled else None
    edge = Ink.FOCUS if over or focused else Ink.EDGE
    sheet.add(Box(rect, fill, edge, max(sheet.scale, 1) * (2 if over else 1), sheet.gap * 0.75))
    if focused:
        sheet.focus_ring(rect)
    sheet.target(rect, action, enabled=enabled)
    return Ink.ON_ACCENT if chosen else Ink.TEXT if enabled else Ink.QUIET
