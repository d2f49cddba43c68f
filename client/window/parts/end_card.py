"""The end of a match as a card beside the board, which stays in sight and can be stepped through (`CK 5.5`). Pure."""

from __future__ import annotations

from client.conversation.position import seat_name
from client.shown.actions.controls import Control, Place, Shelf, on_shelf
from client.shown.model import Model
from client.shown.review import COSTLIEST, costly_text, looked_at_first, progress_text
from client.shown.words.ending import Statistic, Verdict, statistics, verdict
from client.shown.words.lessons import is_done
from client.shown.words.status import lower_seat
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.theme import Ink
from client.window.parts import words
from client.window.parts.sheet import Sheet
from protocol.limits import MAX_LEAD
from protocol.messages import Snapshot

CURVE = 3
"""Lines of small text that the curve of a review is high."""
BELOW = 3
"""Rows of buttons that stand below the card."""
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
    first = "again" if is_done(match) else "rematch"
    row = sheet.line("small") * 1.1
    columns = 2 if inner.width < 44 * gap else 4
    rows = -(-len(controls) // columns)
    always = sheet.line("large") + rows * (sheet.row + gap * 0.75) + 1.5 * gap
    told = len(reason) * sheet.line("small") + ((1 + len(found)) * row if found else 0) + gap
    costly = _costly(sheet, inner.width, model)
    # What stands below the card has its place: first the statistics give way to a review, then its lines.
    room = area.height - BELOW * (sheet.row + gap * 0.75) - always - _review_height(sheet, model)
    shows_statistics = model.review is None or told + len(costly) * sheet.line("small") <= room
    if not shows_statistics and len(costly) * sheet.line("small") > room:
        costly = _costly(sheet, inner.width, model, by_look=True)
    while costly and not shows_statistics and len(costly) * sheet.line("small") > room:
        costly = [line for line in costly if line[1] != costly[-1][1]]
    high = always + _review_height(sheet, model) + len(costly) * sheet.line("small") + shows_statistics * told
    sheet.add(Box(Rect(area.x, area.y, area.width, high), Ink.PANEL, _COLOURS[kind], max(2 * sheet.scale, 2), gap))
    y = inner.y
    sheet.text(Rect(inner.x, y, inner.width, sheet.line("large")), text, "large", _COLOURS[kind], bold=True)
    y += sheet.line("large")
    if shows_statistics:
        for line in reason:
            sheet.text(Rect(inner.x, y, inner.width, sheet.line("small")), line, "small")
            y += sheet.line("small")
        y = _bars(sheet, Rect(inner.x, y + gap / 2, inner.width, row), match, found) + gap / 2 if found else y + gap
    y = _review(sheet, Rect(inner.x, y, inner.width, row), model, costly)
    wide = (inner.width - gap * 0.75 * (columns - 1)) / columns
    for index, control in enumerate(controls):
        down, across = divmod(index, columns)
        place = Rect(inner.x + across * (wide + gap * 0.75), y + down * (sheet.row + gap * 0.75), wide, sheet.row)
        label, key = words.label(control, model), control.first_key
        if control.action == "lobby":
            label = words.MAIN_MENU if sheet.width(words.MAIN_MENU) < wide - gap else words.SHORT_MAIN_MENU
        usable = control.enabled(model)
        sheet.button(place, label, control.action, key=key, enabled=usable, primary=control.action == first)
    return area.y + high


def _review_height(sheet: Sheet, model: Model) -> float:
    """Without the lines about moves."""
    return 0.0 if model.review is None else sheet.line("small") * (2 + CURVE)


def _costly(sheet: Sheet, wide: float, model: Model, *, by_look: bool = False) -> list[tuple[str, int]]:
    """Why the review ended early, and the costliest moves, as lines, each with the move that it leads to: the worst
    first, or (`by_look`) the one that is looked at."""
    match, review = model.match, model.review
    if match is None or review is None:
        return []
    worst = looked_at_first(review.costliest, model.shown_ply) if by_look else review.costliest
    why = lettering.wrapped(review.why, wide, sheet.size("small")) if review.why else []
    return [(line, len(review.judged) - 1) for line in why] + [
        (line, one.ply - 1)
        for one in worst[:COSTLIEST]
        for line in lettering.wrapped(
            costly_text(one, lambda seat: seat_name(match, seat)), wide, sheet.size("small")
        )
    ]  # fmt: skip


def _review(sheet: Sheet, at: Rect, model: Model, costly: list[tuple[str, int]]) -> float:
    """How far it is; the curve, above the line where who sits below stood better; what cost most. Where it ends."""
    review, match = model.review, model.match
    if review is None or match is None:
        return at.y
    step = sheet.line("small")
    sheet.text(Rect(at.x, at.y, at.width, step), progress_text(review), "small", bold=True)
    curve = Rect(at.x, at.y + step, at.width, CURVE * step)
    sheet.add(Box(curve, Ink.BOARD, Ink.EDGE, max(sheet.scale, 1), sheet.gap / 2))
    middle, half = curve.y + curve.height / 2, curve.height / 2 - 2 * sheet.scale
    left = lower_seat(match)
    wide = curve.width / (review.plies + 1)
    for ply, lead in enumerate(review.leads):
        part = (-lead if left else lead) / MAX_LEAD
        seat = left if part >= 0 else 1 - left
        top = middle - part * half if part >= 0 else middle
        bar = Rect(curve.x + ply * wide, top, max(wide - 1, 1), max(abs(part) * half, 1))
        here = ply == model.shown_ply
        sheet.add(Box(bar, match.seats[seat].style.colour, Ink.FOCUS if here else Ink.QUIET, max(sheet.scale, 1)))
        sheet.target(Rect(bar.x, curve.y, wide, curve.height), "look", str(ply))
    y = curve.bottom + step / 2
    for line, ply in costly:
        place = Rect(at.x, y, at.width, step)
        sheet.text(place, line, "small", Ink.FOCUS if sheet.is_over(place) else Ink.TEXT)
        sheet.target(place, "look", str(ply))
        y += step
    return y + step / 2


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
