"""A challenge in the window: the line that lies over every screen, and the list of whom to challenge. Pure."""

from __future__ import annotations

from client.shown.actions.controls import Place, Shelf, on_shelf
from client.shown.model import Model
from client.shown.words.challenges import incoming, others, outgoing, sentence
from client.window.drawing import lettering
from client.window.drawing.shapes import Box, Picture, Rect
from client.window.drawing.theme import Face, Ink
from client.window.parts import words
from client.window.parts.sheet import Pointer, Sheet

WHOM = "whom"
"""The action of a name in the list; its value is the name."""


BESIDE_CLOCKS = 0.66
"""Which part of a match's screen is left of the players."""


def with_challenge(picture: Picture, model: Model, size: tuple[float, float], pointer: Pointer, now: float) -> Picture:
    """The picture, and over its head who challenges whom for what; as it was while no challenge stands."""
    told = incoming(model) or outgoing(model)
    if told is None:
        return picture
    sheet = Sheet(size[0], size[1], pointer)
    gap, high = sheet.gap, sheet.row
    # Beside a board that is wider than high stand the players with their clocks: these are not covered.
    part = BESIDE_CLOCKS if model.match is not None and size[0] >= size[1] else 1.0
    answers = [one for one in on_shelf(Place.MATCH, Shelf.CHALLENGE) if one.enabled(model)]
    widths = [
        sheet.width(words.label(one), bold=True) + sheet.width(one.first_key, "small") + 3.5 * gap for one in answers
    ]
    right, text = sheet.rect.width * part, sentence(model, told, now)
    room = right - 2 * sheet.margin - sum(widths) - gap * len(widths)
    # With a long name the side that one would have, and how long it stands, have lines of their own.
    lines = lettering.wrapped(text, room, sheet.size("body"), Face.BOLD)
    step = sheet.line()
    # A line is higher than its letters, which keep off the edge.
    around = sheet.margin - (step - 0.8 * sheet.size("body")) / 2
    bar = Rect(0, 0, right, max(len(lines) * step + 2 * around, high + gap))
    sheet.add(Box(bar, Ink.RAISED, Ink.ACCENT, max(2 * sheet.scale, 2)))
    x = right - sheet.margin
    for control, wide in reversed(list(zip(answers, widths, strict=True))):
        x -= wide
        place = Rect(x, (bar.height - high) / 2, wide, high)
        primary = control.action == "accept_challenge"
        sheet.button(place, words.label(control), control.action, key=control.first_key, primary=primary)
        x -= gap
    y = (bar.height - len(lines) * step) / 2
    for at, line in enumerate(lines):
        sheet.text(Rect(sheet.margin, y + at * step, room, step), line, bold=True)
    own = sheet.picture()
    due = now + 1.0 if picture.due is None else min(picture.due, now + 1.0)
    return Picture((*picture.shapes, *own.shapes[1:]), (*picture.targets, *own.targets), due)


def draw_people(sheet: Sheet, area: Rect, model: Model, first: int) -> int:
    """Who can be challenged, from name `first` on; how many there was room for."""
    gap, high = sheet.gap, sheet.row
    inner = area.inset(1.5 * gap)
    sheet.text(inner.top_slice(high), "Challenge whom?", "large", Ink.ACCENT, bold=True)
    wide = min((inner.width - gap) / 2, 26 * gap)
    foot = Rect(inner.x, inner.bottom - high, wide, high)
    sheet.button(foot, "Be challenged" if model.unchallenged else "Mute challenges", "mute_challenges")
    sheet.button(Rect(foot.right + gap, foot.y, wide, high), "Back", "close", key="Esc")
    names = others(model)
    rows = Rect(inner.x, inner.y + high + gap, inner.width, inner.height - 2 * high - 2 * gap)
    asked = "Whoever you choose has a minute to accept or decline." if names else "Nobody else is here just now."
    line = "You are challenged by nobody." if model.unchallenged else asked
    sheet.text(rows.top_slice(sheet.line()), line, "small", Ink.QUIET)
    y, step = rows.y + sheet.line() + gap / 2, high + gap / 2
    room = max(int((rows.bottom - y + gap / 2) // step), 1)
    first = min(first, max(len(names) - room, 0))
    for name in names[first : first + room]:
        sheet.button(Rect(rows.x, y, min(rows.width, 40 * gap), high), name, WHOM, name)
        y += step
    return room
