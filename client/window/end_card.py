"""The end of a match as a card beside the board, which stays in sight and can be stepped through (`CK 5.5`). Pure."""

from __future__ import annotations

from client.conversation.position import seat_name
from client.shown.controls import Control, Place, Shelf, on_shelf
from client.shown.ending import Statistic, Verdict, statistics, verdict
from client.shown.model import Model
from client.shown.status import lower_seat
from client.window import lettering, words
from client.window.shapes import Align, Box, Rect
from client.window.sheet import Sheet
from client.window.theme import Ink
from protocol.messages import Snapshot

_COLOURS = {Verdict.WON: Ink.GOOD, Verdict.LOST: Ink.BAD, Verdict.NOBODY: Ink.TEXT, Verdict.OVER: Ink.ACCENT}


def draw_end(sheet: Sheet, area: Rect, model: Model) -> float:
    """The verdict and why, the statistics as bars, and the ways on, at the top of `area`; where it ends."""
    match = model.match
    if match is None or match.result is None:
        return area.y
    gap = sheet.gap
    text, kind = verdict(match)
    inner = area.inset(gap)
    reason = lettering.wrapped(match.result.text, inner.width, sheet.size("small"))
    found, controls = statistics(model), _ways_on(model)
    row = sheet.line("small") * 1.1
    columns = 2 if inner.width < 44 * gap else 4
    rows = -(-len(controls) // columns)
    high = sheet.line("large") + len(reason) * sheet.line("small") + (1 + len(found)) * row + gap
    high += rows * (sheet.row + gap * 0.75) + 1.5 * gap
    sheet.add(Box(Rect(area.x, area.y, area.width, high), Ink.PANEL, _COLOURS[kind], max(2 * sheet.scale, 2), gap))
    y = inner.y
    sheet.text(Rect(inner.x, y, inner.width, sheet.line("large")), text, "large", _COLOURS[kind], bold=True)
    y += sheet.line("large")
    for line in reason:
        sheet.text(Rect(inner.x, y, inner.width, sheet.line("small")), line, "small")
        y += sheet.line("small")
    y = _bars(sheet, Rect(inner.x, y + gap / 2, inner.width, row), match, found) + gap / 2
    wide = (inner.width - gap * 0.75 * (columns - 1)) / columns
    for index, control in enumerate(controls):
        down, across = divmod(index, columns)
        place = Rect(inner.x + across * (wide + gap * 0.75), y + down * (sheet.row + gap * 0.75), wide, sheet.row)
        label, key = words.label(control), control.shown.split(",")[0]
        if control.action == "lobby":
            label = words.MAIN_MENU if sheet.width(words.MAIN_MENU) < wide - gap else words.SHORT_MAIN_MENU
        usable = control.enabled(model)
        sheet.button(place, label, control.action, key=key, enabled=usable, primary=control.action == "rematch")
    return area.y + high


def _ways_on(model: Model) -> list[Control]:
    """A rematch first, where one may be had; the way back to the lobby last."""
    found = [control for control in on_shelf(Place.MATCH, Shelf.ACTIONS) if control.is_seen(model)]
    return [*found, words.control_for(Place.MATCH, "lobby")]


def _bars(sheet: Sheet, at: Rect, match: Snapshot, found: tuple[Statistic, ...]) -> float:
    """Both players' figures from the middle outwards, the one who sits below at the left; where they end."""
    gap, left = sheet.gap, lower_seat(match)
    middle = max((sheet.width(one.label, "small") for one in found), default=0) + 2 * gap
    half = (at.width - middle) / 2
    y = at.y
    for seat in (left, 1 - left):
        rect = Rect(at.x if seat == left else at.right - half, y, half, at.height)
        align = Align.LEFT if seat == left else Align.RIGHT
        sheet.text(rect, seat_name(match, seat), "small", bold=True, align=align)
    y += at.height
    for one in found:
        sheet.text(Rect(at.x + half, y, middle, at.height), one.label, "small", Ink.QUIET, align=Align.CENTRE)
        room = max(half - max(sheet.width(text, "small", bold=True) for text in one.figures) - gap, 0)
        for seat in (left, 1 - left):
            wide, high = max(room * one.lengths[seat], 2), at.height * 0.5
            top = y + (at.height - high) / 2
            colour = match.seats[seat].style.colour
            if seat == left:
                bar = Rect(at.x + half - wide, top, wide, high)
                figure, align = Rect(at.x, y, bar.x - at.x - gap / 2, at.height), Align.RIGHT
            else:
                bar = Rect(at.right - half, top, wide, high)
                figure, align = Rect(bar.right + gap / 2, y, at.right - bar.right, at.height), Align.LEFT
            sheet.add(Box(bar, colour, Ink.QUIET, 1, min(high / 4, wide / 2)))
            sheet.text(figure, one.figures[seat], "small", bold=True, align=align)
        y += at.height
    return y
