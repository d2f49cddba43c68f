"""The form for a match, drawn: rows with their values in sight where there is room, never a menu (`DB 8.1`). Pure."""

from __future__ import annotations

from client.window.host_form import Form, FormRow, Purpose, rows
from client.window.shapes import Align, Box, Rect
from client.window.sheet import Sheet
from client.window.theme import Ink
from protocol.messages import GameInfo

ROW, CHOOSE, STEP = "row", "choose", "step"
"""Actions of targets: a row, one of its values ("name=3"), the value before or after ("name=-1")."""
AGAINST = (("both", "2 Player"), ("computer", "Play Against the Computer"))
START_PROMPT = "Click Start to begin Game."
"""In the words of `SQ2`."""


def draw_form(sheet: Sheet, area: Rect, form: Form, games: dict[str, GameInfo], first: int, name: str) -> int:
    """Draw it in `area`, from row `first` on; how many rows there was room for. `name` is the user's."""
    gap, row_high = sheet.gap, sheet.row
    inner = area.inset(2 * gap)
    y = inner.y
    if form.purpose is Purpose.HERE:
        y = _top_row(sheet, inner, form, games)
    else:
        sheet.text(Rect(inner.x, y, inner.width, row_high), _title(form), "large", Ink.ACCENT, bold=True)
        sheet.text(Rect(inner.x, y, inner.width, row_high), f"as {name}", "body", Ink.QUIET, align=Align.RIGHT)
        y += row_high + gap / 2
    y += sheet.paragraph(Rect(inner.x, y, inner.width, 2 * sheet.line()), games[form.game].summary, colour=Ink.QUIET)
    y += gap
    foot = row_high + sheet.line() + 1.5 * gap if form.purpose is not Purpose.HERE else 0.0
    step = row_high + gap * 0.75
    found = rows(form, games)
    room = max(int((inner.bottom - foot - y + gap * 0.75) // step), 1)
    first = min(first, max(len(found) - room, 0))
    shown = found[first : first + room]
    for row in shown:
        _row(sheet, Rect(inner.x, y, inner.width, row_high), row)
        y += step
    if room < len(found):
        _scroll_mark(sheet, inner, inner.bottom - foot, first, room, len(found))
    if foot:
        top = inner.bottom - row_high
        line = Rect(inner.x, top - sheet.line() - gap / 2, inner.width, sheet.line())
        sheet.text(line, form.summary(games), "small", Ink.QUIET)
        label = {Purpose.QUICK: "Find one", Purpose.CHALLENGE: "Challenge"}.get(form.purpose, "Host")
        wide = min((inner.width - gap) / 2, 22 * gap)
        sheet.button(Rect(inner.x, top, wide, row_high), label, "submit", key="Ctrl+S", primary=True)
        sheet.button(Rect(inner.x + wide + gap, top, wide, row_high), "Back", "close", key="Esc")
    return room


def _title(form: Form) -> str:
    return f"Challenge {form.challenged}" if form.purpose is Purpose.CHALLENGE else form.purpose.value


def _top_row(sheet: Sheet, inner: Rect, form: Form, games: dict[str, GameInfo]) -> float:
    """Option buttons, Start, and a status label, on top (`SQ2`, `SQ6`); where the rest begins."""
    gap, high = sheet.gap, sheet.row
    x, y = inner.x, inner.y
    start = sheet.width("Start", bold=True) + 4 * gap
    back = sheet.width("Back") + 3 * gap
    room = inner.width - start - back - 3 * gap
    widths = [sheet.width(label) + 3 * gap for _, label in AGAINST]
    if sum(widths) > room:
        widths = [room * width / sum(widths) for width in widths]
    for (opponent, label), wide in zip(AGAINST, widths, strict=True):
        enabled = opponent != "computer" or games[form.game].computer
        chosen = form.opponent == opponent
        sheet.button(Rect(x, y, wide, high), label, "against", opponent, enabled=enabled, chosen=chosen)
        x += wide + gap
    sheet.button(Rect(inner.right - back - gap - start, y, start, high), "Start", "submit", primary=True)
    sheet.button(Rect(inner.right - back, y, back, high), "Back", "close")
    y += high + gap
    summary = form.summary(games)
    together = f"{START_PROMPT} {summary}"
    for text in [together] if sheet.width(together, bold=True) <= inner.width else [START_PROMPT, summary]:
        sheet.text(Rect(inner.x, y, inner.width, sheet.line()), text, bold=True)
        y += sheet.line()
    return y + gap / 2


def _row(sheet: Sheet, rect: Rect, row: FormRow) -> None:
    gap = sheet.gap
    focused = sheet.pointer.focus == (ROW, row.name)
    if focused:
        sheet.add(Box(rect.inset(-gap / 2, -gap / 4), Ink.RAISED, Ink.FOCUS, max(2 * sheet.scale, 2), gap * 0.75))
    sheet.target(rect, ROW, row.name)
    label_wide = min(rect.width * 0.3, 20 * gap)
    sheet.text(Rect(rect.x, rect.y, label_wide - gap, rect.height), row.label.partition(" (")[0], colour=Ink.QUIET)
    area = Rect(rect.x + label_wide, rect.y, rect.width - label_wide, rect.height)
    widths = [sheet.width(text) + 2 * gap for _, text in row.values]
    if sum(widths) + (len(widths) - 1) * gap / 2 <= area.width:
        x = area.x
        for index, ((_, text), wide) in enumerate(zip(row.values, widths, strict=True)):
            sheet.button(
                Rect(x, area.y, wide, area.height), text, CHOOSE, f"{row.name}={index}", chosen=index == row.at
            )
            x += wide + gap / 2
        return
    side = area.height
    middle = min(area.width - 2 * side - gap, max(widths))
    last = len(row.values) - 1
    sheet.button(Rect(area.x, area.y, side, side), "\u2212", STEP, f"{row.name}=-1", enabled=row.at > 0)
    written = Rect(area.x + side + gap / 2, area.y, middle, side)
    sheet.text(written, row.values[row.at][1], bold=True, align=Align.CENTRE)
    plus = Rect(written.right + gap / 2, area.y, side, side)
    sheet.button(plus, "+", STEP, f"{row.name}=1", enabled=row.at < last)
    more = Rect(plus.right + gap, area.y, area.right - plus.right - gap, side)
    ends = f"{row.at + 1} of {last + 1}"
    if sheet.width(ends, "small") <= more.width:
        sheet.text(more, ends, "small", Ink.QUIET)


def _scroll_mark(sheet: Sheet, inner: Rect, bottom: float, first: int, room: int, count: int) -> None:
    """Says that there are more rows, and in which direction."""
    high = max(bottom - inner.y - 4 * sheet.gap, 1)
    top = inner.y + 4 * sheet.gap
    bar = Rect(inner.right + sheet.gap / 2, top, max(sheet.gap / 2, 3), high)
    sheet.add(Box(bar, Ink.RAISED, None, radius=bar.width / 2))
    thumb = Rect(bar.x, top + high * first / count, bar.width, high * room / count)
    sheet.add(Box(thumb, Ink.QUIET, None, radius=bar.width / 2))
