"""A student's game in the window: its log where others have a board, newest below, with a field to search it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from client.shown import match_log
from client.shown.match_log import Entry
from client.shown.model import Model
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.theme import Face, Ink
from client.window.hands.field import Field
from client.window.parts.sheet import Sheet

FIND = "find"
"""The field for what is sought."""
MOST_SOUGHT = 80
PIECE = 400
"""Characters that are broken into lines at a time: the effort grows faster than the text."""


class Line(NamedTuple):
    """A line of a move."""

    text: str
    ink: Ink
    head: bool = False


def draw_log(sheet: Sheet, area: Rect, model: Model, field: Field, up: int, page: str) -> int:
    """The log; `up` lines below what is seen are left out. Returns that number, or what it is at the most.

    `page` is the address under which it stands beside what the others have fetched; "" for none.
    """
    gap = sheet.gap
    sheet.panel(area)
    inner = area.inset(gap * 1.25)
    everything = match_log.read(model.log)
    shown = match_log.found(everything, field.text)
    wide = min(inner.width / 2, 40 * gap)
    top = inner.top_slice(sheet.row)
    counted = match_log.counted(shown, everything, field.text)
    sheet.text(Rect(top.x, top.y, top.width - wide - gap, top.height), counted, colour=Ink.ACCENT, bold=True)
    sheet.field(Rect(top.right - wide, top.y, wide, top.height), FIND, field, hint="Find a move")
    body = inner.below(sheet.row + gap)
    if page:
        _sides(sheet, body.top_slice(sheet.row), page)
        body = body.below(sheet.row + gap)
    step = sheet.line("small")
    room = max(int(body.height // step), 1)
    lines, more = _from_below(shown, body.width - gap, sheet.size("small"), room + up)
    up = up if more else max(min(up, len(lines) - room), 0)
    seen = lines[max(len(lines) - up - room, 0) : len(lines) - up]
    for index, line in enumerate(seen):
        at = Rect(body.x + (0 if line.head else 2 * gap), body.y + index * step, body.width, step)
        sheet.text(at, line.text, "small", line.ink, bold=line.head)
    if up:
        hint = Rect(body.x, body.bottom - step, body.width, step)
        sheet.add(Box(hint, Ink.PANEL))
        sheet.text(hint, "End: the newest move", "small", Ink.QUIET, align=Align.RIGHT)
    return up


def _sides(sheet: Sheet, line: Rect, page: str) -> None:
    """Where both sides stand beside each other, with a button that copies it."""
    label = "Copy the link"
    wide = sheet.width(label) + 2 * sheet.gap
    sheet.button(Rect(line.right - wide, line.y, wide, line.height), label, "copy", page)
    text = Rect(line.x, line.y, line.width - wide - sheet.gap, line.height)
    sheet.text(text, f"{match_log.SIDES}: {page}", colour=Ink.QUIET)


def _from_below(shown: Sequence[Entry], wide: float, size: float, most: int) -> tuple[list[Line], bool]:
    """The last lines, at least `most` if there are so many; and whether there are more above them."""
    found: list[list[Line]] = []
    count = 0
    for number, entry in enumerate(reversed(shown), 1):
        found.append(list(_lines(entry, wide, size)))
        count += len(found[-1])
        if count >= most:
            return [line for lines in reversed(found) for line in lines], count > most or number < len(shown)
    return [line for lines in reversed(found) for line in lines], False


@lru_cache(maxsize=4096)
def _lines(entry: Entry, wide: float, size: float) -> tuple[Line, ...]:
    lines = [Line(entry.head, Ink.TEXT, head=True)]
    for key, value in entry.fields:
        ink = Ink.ACCENT if key == match_log.STATUS else Ink.TEXT
        lines += [Line(piece, ink) for piece in _wrapped(f"{key}: {value}" if key else value, wide, size)]
    return tuple(lines)


def _wrapped(text: str, wide: float, size: float) -> Iterator[str]:
    for start in range(0, max(len(text), 1), PIECE):
        yield from lettering.wrapped(text[start : start + PIECE], wide, size, Face.PLAIN)
