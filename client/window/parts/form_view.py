"""The form for a match, drawn: rows with their values in sight where there is room, never a menu (`DB 8.1`). Pure.

Nothing is cut: a label, a value or a sentence that is too long goes on in the next line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.playing.form import MORE, OPPONENT, Form, Purpose
from client.playing.form_rows import FormRow, rows
from client.playing.form_words import AGAINST, START_PROMPT, first_turn_text
from client.shown.words.sides import sides
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.signs import ball
from client.window.drawing.theme import Face, Ink
from client.window.parts.board import LastBoard, Look, view_of
from client.window.parts.sheet import Sheet
from protocol.messages import GameInfo, Snapshot

ROW, CHOOSE, STEP = "row", "choose", "step"
"""Actions of targets: a row, one of its values ("name=3"), the value before or after ("name=-1")."""
SUBMIT = {Purpose.QUICK: "Find one", Purpose.CHALLENGE: "Challenge"}
BESIDE, ABOVE = (0.32, 0.26, 0.2), 0.36
"""Parts of a form's width, or height, that the board takes before the first move: the first for which there is room."""
LINES = 3
"""Values that need more lines than this are walked with buttons."""


@dataclass(frozen=True)
class Laid:
    """A row, and how it is broken into lines: of the label, the values (each with its index), and the sentence."""

    row: FormRow
    label: tuple[str, ...]
    values: tuple[tuple[tuple[int, float], ...], ...]
    """For each line the indices of its values and how wide each is; () where they are walked."""
    written: tuple[str, ...]
    """The chosen value in lines, where they are walked."""
    middle: float
    """How wide it is then."""
    sentence: tuple[str, ...]
    high: float


def form_rows(form: Form, games: dict[str, GameInfo]) -> list[FormRow]:
    """Those that are drawn as rows: at this computer the opponents are buttons on top."""
    return [row for row in rows(form, games) if form.purpose is not Purpose.HERE or row.name != OPPONENT]


def draw_form(
    sheet: Sheet,
    area: Rect,
    form: Form,
    games: dict[str, GameInfo],
    first: int,
    name: str,
    told: str,
    follows: bool,
    begins: tuple[Snapshot | None, LastBoard],
) -> tuple[int, int]:
    """Draw it in `area`, from row `first` on, or where it `follows` from where the row `told` is seen; the first row
    that was drawn, and how many there was room for. `name` is the user's, `begins` the board before the first move."""
    gap, row_high = sheet.gap, sheet.row
    inner = area.inset(2 * gap)
    y = inner.y
    if form.purpose is Purpose.HERE:
        y = _top_row(sheet, inner, form, games)
    else:
        sheet.text(Rect(inner.x, y, inner.width, row_high), _title(form), "large", Ink.ACCENT, bold=True)
        sheet.text(Rect(inner.x, y, inner.width, row_high), f"as {name}", "body", Ink.QUIET, align=Align.RIGHT)
        y += row_high + gap / 2
    bottom = _foot(sheet, inner, form, games) if form.purpose is not Purpose.HERE else inner.bottom
    width = inner.width - gap
    # Its place is there before the board is: no row moves away from under the mouse.
    if inner.width >= inner.height:
        side = _side(sheet, inner, bottom - y, form_rows(form, games))
        place = Rect(inner.right - side, y, side, side)
        width -= side + 1.5 * gap if side else 0
    else:
        side = min(inner.width * 0.6, (bottom - y) * ABOVE)
        place = Rect(inner.x + (inner.width - side) / 2, y, side, side)
        y += side + 2 * sheet.line()
    if begins[0] is not None and place.width:
        _opening(sheet, place, begins[0], begins[1])
    between = gap * 0.75
    found = [_laid(sheet, row, width, told=True) for row in form_rows(form, games)]
    if _room(found, 0, bottom - y, between) < len(found):
        # Where not all have room, only the row that was chosen last says what it is for.
        found = [_laid(sheet, one.row, width, told=one.row.name == told) for one in found]
    first = min(first, _last_first(found, bottom - y, between))
    if follows:
        at = next((at for at, one in enumerate(found) if one.row.name == told), first)
        first = min(first, at)
        while first < at and first + _room(found, first, bottom - y, between) <= at:
            first += 1
    room = _room(found, first, bottom - y, between)
    top = y
    for laid in found[first : first + room]:
        _row(sheet, Rect(inner.x, y, width, laid.high), laid)
        y += laid.high + between
    if room < len(found):
        _scroll_mark(
            sheet, Rect(inner.x + width + gap, top, gap / 2, max(bottom - top - between, 1)), first, room, len(found)
        )
    return first, room


def _side(sheet: Sheet, inner: Rect, high: float, shown: Sequence[FormRow]) -> float:
    """How wide the board beside the rows is: as far as they are all in sight for it, where they can be."""
    gap, between = sheet.gap, sheet.gap * 0.75
    for part in (*BESIDE, 0.0):
        side = min(inner.width * part, high - 1.5 * sheet.line())
        width = inner.width - gap - (side + 1.5 * gap if side else 0)
        if _room([_laid(sheet, row, width, told=at == 0) for at, row in enumerate(shown)], 0, high, between) == len(
            shown
        ):
            return side
    return inner.width * BESIDE[-1]


def _opening(sheet: Sheet, area: Rect, match: Snapshot, board: LastBoard) -> None:
    """The board before the first move, and whose turn that is. Nothing of it can be clicked (`SQ6`)."""
    sheet.add(*board.shapes(match, view_of(match, area), Look()))
    style, line = match.seats[0].style, sheet.line()
    text = first_turn_text(style.name)
    room = area.width - 1.5 * line
    size = "body" if sheet.width(text) <= room else "small"
    lines = lettering.wrapped(text, room, sheet.size(size))
    x = area.x + (room - max(sheet.width(one, size) for one in lines)) / 2
    y = area.bottom + line / 4
    sheet.add(*ball(style.symbol, (x + line / 2, y + line / 2), line / 2, style.colour))
    for one in lines:
        sheet.text(Rect(x + 1.4 * line, y, area.right - x - 1.4 * line, line), one, size)
        y += sheet.line(size)


def _room(found: Sequence[Laid], first: int, high: float, between: float) -> int:
    """How many rows from `first` on have room; at least one."""
    used, count = 0.0, 0
    for laid in found[first:]:
        used += laid.high
        if count and used > high:
            break
        used += between
        count += 1
    return count


def _last_first(found: Sequence[Laid], high: float, between: float) -> int:
    """The row from which on all that follow have room."""
    first = len(found) - 1
    while first > 0 and first - 1 + _room(found, first - 1, high, between) >= len(found):
        first -= 1
    return max(first, 0)


def _title(form: Form) -> str:
    return f"Challenge {form.challenged}" if form.purpose is Purpose.CHALLENGE else form.purpose.value


def _foot(sheet: Sheet, inner: Rect, form: Form, games: dict[str, GameInfo]) -> float:
    """What is about to begin, and the buttons; where it begins."""
    gap, high, step = sheet.gap, sheet.row, sheet.line("small")
    top = inner.bottom - high
    lines = lettering.wrapped(form.summary(games), inner.width - 5 * gap, sheet.size("small"))
    y = top - gap / 2 - len(lines) * step
    begin = y - gap / 2
    left = inner.x + _sides(sheet, Rect(inner.x, y, 4 * gap, step), form, games)
    for line in lines:
        sheet.text(Rect(left, y, inner.right - left, step), line, "small", Ink.QUIET)
        y += step
    wide = min((inner.width - gap) / 2, 22 * gap)
    label = SUBMIT.get(form.purpose, "Host")
    sheet.button(Rect(inner.x, top, wide, high), label, "submit", key="Ctrl+S", primary=True)
    sheet.button(Rect(inner.x + wide + gap, top, wide, high), "Back", "close", key="Esc")
    return begin


def _sides(sheet: Sheet, rect: Rect, form: Form, games: dict[str, GameInfo]) -> float:
    """One's own side's colour and symbol, where one has one side; how wide that is."""
    styles = sides(games[form.game], dict(form.options))
    if styles is None or form.opponent == "both" or form.purpose is Purpose.QUICK:
        return 0.0
    style = styles[form.seat]
    radius = rect.height / 2
    sheet.add(*ball(style.symbol, (rect.x + radius, rect.y + radius), radius, style.colour))
    return rect.height + sheet.gap


def _top_row(sheet: Sheet, inner: Rect, form: Form, games: dict[str, GameInfo]) -> float:
    """Option buttons, Start, and a status label, on top (`SQ2`, `SQ6`); where the rest begins."""
    gap, high = sheet.gap, sheet.row
    x, y = inner.x, inner.y
    start = sheet.width("Start", bold=True) + 4 * gap
    back = sheet.width("Back") + 3 * gap
    room = inner.width - start - back - 3 * gap
    widths = [sheet.width(label) + 3 * gap for label in AGAINST.values()]
    if sum(widths) > room:
        widths = [sheet.width(label) + gap for label in AGAINST.values()]
    for (opponent, label), wide in zip(AGAINST.items(), widths, strict=True):
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
        y += sheet.paragraph(Rect(inner.x, y, inner.width, 3 * sheet.line()), text, bold=True)
    return y + gap / 2


def _label_wide(sheet: Sheet, width: float) -> float:
    return min(width * 0.3, 20 * sheet.gap)


def _laid(sheet: Sheet, row: FormRow, width: float, *, told: bool) -> Laid:
    """The row in `width`, broken where it has to be; `told`: with its sentence."""
    gap, side = sheet.gap, sheet.row
    label_wide = _label_wide(sheet, width)
    room = width - label_wide
    label = lettering.wrapped(row.label, label_wide - gap, sheet.size("body"))
    sentence = lettering.wrapped(row.help, room, sheet.size("small")) if told and row.help else ()
    lines: list[list[tuple[int, float]]] = [[]]
    used, widest = 0.0, 0.0
    for index, (_, text) in enumerate(row.values):
        wide = sheet.width(text) + 2 * gap
        widest = max(widest, sheet.width(text, bold=True) + gap)
        if lines[-1] and used + wide > room:
            lines.append([])
            used = 0.0
        lines[-1].append((index, wide))
        used += wide + gap / 2
    walked = len(lines) > LINES or widest + gap > room
    middle = min(room - 2 * side - gap, widest)
    written = lettering.wrapped(row.written, middle, sheet.size("body"), Face.BOLD) if walked else ()
    values = side * len(lines) + gap / 2 * (len(lines) - 1)
    if walked:
        most = max(len(lettering.wrapped(text, middle, sheet.size("body"), Face.BOLD)) for _, text in row.values)
        values = max(side, most * sheet.line())
    high = max(values, side, len(label) * sheet.line())
    high += len(sentence) * sheet.line("small") + (gap / 4 if sentence else 0)
    return Laid(row, label, () if walked else tuple(map(tuple, lines)), written, middle, sentence, high)


def _row(sheet: Sheet, rect: Rect, laid: Laid) -> None:
    gap, side, row = sheet.gap, sheet.row, laid.row
    if sheet.pointer.focus == (ROW, row.name):
        sheet.add(Box(rect.inset(-gap / 2, -gap / 4), Ink.RAISED, Ink.FOCUS, max(2 * sheet.scale, 2), gap * 0.75))
    sheet.target(rect, ROW, row.name)
    label_wide = _label_wide(sheet, rect.width)
    colour = Ink.ACCENT if row.name == MORE else Ink.QUIET
    y = rect.y if len(laid.label) > 1 else rect.y + (side - sheet.line()) / 2
    for line in laid.label:
        sheet.text(Rect(rect.x, y, label_wide - gap, sheet.line()), line, colour=colour, bold=row.name == MORE)
        y += sheet.line()
    area = Rect(rect.x + label_wide, rect.y, rect.width - label_wide, rect.height)
    y = area.y
    for beside in laid.values:
        x = area.x
        for index, wide in beside:
            text, chosen = row.values[index][1], index == row.at
            sheet.button(Rect(x, y, wide, side), text, CHOOSE, f"{row.name}={index}", chosen=chosen)
            x += wide + gap / 2
        y += side + gap / 2
    if not laid.values:
        _walked(sheet, area, laid)
    y = rect.bottom - len(laid.sentence) * sheet.line("small")
    for line in laid.sentence:
        sheet.text(Rect(area.x, y, area.width, sheet.line("small")), line, "small", Ink.QUIET)
        y += sheet.line("small")


def _walked(sheet: Sheet, area: Rect, laid: Laid) -> None:
    """The chosen value between the ways to the one before and the one after."""
    gap, side, row = sheet.gap, sheet.row, laid.row
    last = len(row.values) - 1
    sheet.button(Rect(area.x, area.y, side, side), "\u2212", STEP, f"{row.name}=-1", enabled=row.at > 0)
    written = Rect(area.x + side + gap / 2, area.y, laid.middle, side)
    y = written.y + max((side - len(laid.written) * sheet.line()) / 2, 0)
    for line in laid.written:
        sheet.text(Rect(written.x, y, written.width, sheet.line()), line, bold=True, align=Align.CENTRE)
        y += sheet.line()
    plus = Rect(written.right + gap / 2, area.y, side, side)
    sheet.button(plus, "+", STEP, f"{row.name}=1", enabled=row.at < last)
    more = Rect(plus.right + gap, area.y, area.right - plus.right - gap, side)
    ends = f"{row.values[0][1]} to {row.values[last][1]}"
    if sheet.width(ends, "small") <= more.width:
        sheet.text(more, ends, "small", Ink.QUIET)


def _scroll_mark(sheet: Sheet, rect: Rect, first: int, room: int, count: int) -> None:
    """Says that there are more rows, and in which direction."""
    bar = Rect(rect.x, rect.y, max(rect.width, 3), rect.height)
    sheet.add(Box(bar, Ink.RAISED, None, radius=bar.width / 2))
    thumb = Rect(bar.x, bar.y + bar.height * first / count, bar.width, bar.height * room / count)
    sheet.add(Box(thumb, Ink.QUIET, None, radius=bar.width / 2))
