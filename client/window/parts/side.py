"""What stands beside the board: the information box, what waits for an answer, what happened, chat. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from client.conversation.position import running_seat, seat_name
from client.shown.actions.controls import Place, Shelf, on_shelf
from client.shown.actions.plans import plan_line
from client.shown.model import Model
from client.shown.words.clocks import clock_text, is_low
from client.shown.words.status import (
    away_line,
    first_move_text,
    is_missed,
    is_on,
    lower_seat,
    offer_line,
    presence_text,
    score_text,
)
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.signs import sign
from client.window.drawing.theme import Face, Ink, writing_on
from client.window.hands.field import Field
from client.window.parts import words
from client.window.parts.end_card import draw_end
from client.window.parts.help_panel import draw_help
from client.window.parts.moves_view import draw_moves
from client.window.parts.row import draw_menu, draw_row
from client.window.parts.sheet import Sheet
from protocol.messages import Snapshot


@dataclass(frozen=True)
class Beside:
    """What the screen knows of the panel: the line and the move being typed, the help from line `first` on, whether
    what was said is shown in the place of the moves, and by how many rows those are scrolled up."""

    said: Field
    move: Field
    shows_help: bool
    first: int
    shows_chat: bool = False
    up: int = 0
    shows_menu: bool = False


MOVE = "move"
"""The field for a move that is typed, in the place of the other while it is in use."""
SAY = "say"
"""The field for a line to the others."""
TENTHS_MS, SECOND_MS = 100, 1000


def draw_side(sheet: Sheet, area: Rect, opponent: Rect | None, model: Model, seen: Beside, now: float) -> None:
    """All of it: the opponent's card above and one's own below, each at the board's edge; between them what waits for
    an answer, then the help, or the end; at the bottom what can be done, and in what is left what happened, or the
    menu. Where all of that lies below the board the opponent's card has a place above it, and one's own comes first."""
    match = model.match
    if match is None:
        return
    gap, lower = sheet.gap, lower_seat(match)
    low = area if opponent is not None else Rect(area.x, area.bottom - card_height(sheet), area.width, 0)
    y = _card(sheet, opponent or area, model, match, 1 - lower, now) + gap * 0.75
    own = _card(sheet, low, model, match, lower, now) + gap * 0.75
    area = area.below(own - area.y) if opponent is not None else Rect(area.x, y, area.width, low.y - gap * 0.75 - y)
    y = area.y
    y = _asks(sheet, area, model, now)
    if seen.shows_help:
        draw_help(sheet, area.below(y - area.y), model, seen.first)
        return
    bottom = draw_row(sheet, area, model, is_open=seen.shows_menu)
    if seen.shows_menu:
        bottom = draw_menu(sheet, Rect(area.x, y, area.width, bottom - gap * 0.75 - y), area.width, model)
        rest = Rect(area.x, y, area.width, bottom - gap * 0.75 - y)
        draw_moves(sheet, rest, model, match, chat=seen.shows_chat, up=seen.up)
        return
    if match.status == "ended" and match.result is not None:
        y = draw_end(sheet, area.below(y - area.y), model) + gap * 0.75
    bottom = _steps(sheet, Rect(area.x, bottom - sheet.row - gap * 0.75, area.width, sheet.row), model)
    said = Rect(area.x, bottom - sheet.row - gap * 0.75, area.width, sheet.row)
    if sheet.pointer.focus == ("field", MOVE):
        sheet.field(said, MOVE, seen.move, hint="Type a move, such as a1-b1")
        bottom = said.y
    elif said.y > y:
        bottom = _say(sheet, said, model, seen.said)
    rest = Rect(area.x, y, area.width, bottom - y - gap * 0.75)
    draw_moves(sheet, rest, model, match, chat=seen.shows_chat, up=seen.up)


# The information box (`CK 5.4.5`) -------------------------------------------------------------------------------------


def card_height(sheet: Sheet) -> float:
    """How high the card of a player is."""
    return sheet.line() + sheet.line("small") + sheet.gap


def _card(sheet: Sheet, at: Rect, model: Model, match: Snapshot, seat: int, now: float) -> float:
    """One player: symbol, name, presence, score in the player's colour, countdown; where it ends."""
    gap, high = sheet.gap, card_height(sheet)
    rect = Rect(at.x, at.y, at.width, high)
    to_move = match.to_move == seat and is_on(match) and not model.is_covered
    style = match.seats[seat].style
    edge = Ink.ACCENT if to_move else Ink.EDGE
    sheet.add(Box(rect, Ink.PANEL, edge, max(sheet.scale * (2.5 if to_move else 1), 1), gap * 0.75))
    square = Rect(rect.x + gap * 0.6, rect.y + gap * 0.6, high - gap * 1.2, high - gap * 1.2)
    sheet.add(Box(square, style.colour, Ink.EDGE, 1, gap / 2))
    # The score stands in its player's colour (`DB 7.3.1.3`); the symbol tells the same without it.
    scores = [str(value) for value in match.scores[seat]]
    ink = writing_on(style.colour)
    score_size = "large" if len(" ".join(scores)) < 3 else "body"
    half = square.height * 0.42
    symbol = Rect(square.x, square.y + half * 0.08, square.width, half)
    sheet.add(*sign(style.symbol, symbol.centre, sheet.size("small") * 0.92, ink))
    sheet.text(
        Rect(square.x, square.y + half * 0.8, square.width, square.height - half * 0.8), " ".join(scores), score_size,
        ink, bold=True, align=Align.CENTRE,
    )  # fmt: skip
    x = square.right + gap
    wide = _clock(sheet, rect, model, match, seat, now)
    room = rect.right - (wide + gap / 2 if wide else gap) - x
    top = Rect(x, rect.y + gap / 2, room, sheet.line())
    name = seat_name(match, seat)
    signed = f"{'▶ ' if to_move else ''}{name}"
    # Smaller, without its sign (the frame is thicker, too) and thinner before it is cut: at its end is the computer's
    # level.
    ways = ((signed, "body", True), (signed, "small", True), (name, "small", True), (name, "small", False))
    text, large, bold = next((way for way in ways if sheet.width(way[0], way[1], bold=way[2]) <= room), ways[-1])
    sheet.text(top, text, large, bold=bold)
    low = Rect(x, top.bottom, room, sheet.line("small"))
    presence = presence_text(model, seat, now)
    bad = is_missed(model, seat)
    sheet.until(now + 0.5 if bad else None)
    first_move = first_move_text(model, seat, now)
    sheet.until(now + 0.5 if first_move else None)
    if first_move and not bad:
        # What it says last must be in sight.
        parts = [first_move if sheet.width(first_move, "small") <= room else first_move.replace("within ", "")]
    else:
        # The bare figures stand in the square at the left.
        score = score_text(model, seat)
        parts = next(
            (found for found in ([presence, score], [score]) if sheet.width("  ".join(found), "small") <= room),
            [presence],
        )
        parts = [part for part in ([presence, *parts] if bad and presence not in parts else parts) if part]
    colour = Ink.BAD if bad else Ink.QUIET
    sheet.text(low, "  ".join(parts), "small", colour)
    return rect.bottom


def _clock(sheet: Sheet, rect: Rect, model: Model, match: Snapshot, seat: int, now: float) -> float:
    """The countdown at the right (`CK R2.3`): exact to 0.1 s below 10 s, warning below 20 s; its width."""
    left = model.countdowns(now)
    if left is None:
        return 0.0
    text = f"{'~' if model.is_unsure else ''}{clock_text(left[seat])}"
    runs = running_seat(match) == seat
    low = is_low(left[seat]) and match.status == "playing"
    gap = sheet.gap
    wide = max(sheet.width("00:00", "large", bold=True), sheet.width(text, "large", bold=True)) + 2 * gap
    place = Rect(rect.right - wide - gap / 2, rect.y + gap / 2, wide, rect.height - gap)
    if runs:
        sheet.add(Box(place, Ink.BAD if low else Ink.ACCENT, None, radius=gap / 2))
        step = TENTHS_MS if left[seat] < 10_000 else SECOND_MS
        sheet.until(now + (left[seat] % step + 1) / 1000)
    ink = Ink.PANEL if runs and low else Ink.ON_ACCENT if runs else Ink.BAD if low else Ink.QUIET
    sheet.text(place, f"{text}{'!' if low and runs else ''}", "large", ink, bold=True, align=Align.CENTRE)
    return wide + gap


# What waits for an answer, and what happened --------------------------------------------------------------------------


def _asks(sheet: Sheet, area: Rect, model: Model, now: float) -> float:
    """An open offer (`CK R4.5`) or an opponent who is away (`RU-M5`), with the answers; where that ends."""
    y, gap = area.y, sheet.gap
    for text, shelf in (
        (_task_line(model), None),
        (plan_line(model), Shelf.PLAN),
        (offer_line(model), Shelf.OFFER),
        (away_line(model, now), Shelf.AWAY),
    ):
        if not text:
            continue
        lines = lettering.wrapped(text, area.width - 2 * gap, sheet.size("body"), Face.BOLD)
        found = [control for control in on_shelf(Place.MATCH, shelf) if control.is_seen(model)] if shelf else []
        high = len(lines) * sheet.line() + (sheet.row if shelf else 0) + 2 * gap
        rect = Rect(area.x, y, area.width, high)
        sheet.add(Box(rect, Ink.RAISED, Ink.ACCENT, max(2 * sheet.scale, 2), gap * 0.75))
        inner = rect.inset(gap, gap * 0.6)
        top = sheet.paragraph(inner, text, bold=True)
        if found:
            wide = (inner.width - gap * (len(found) - 1)) / len(found)
            for index, control in enumerate(found):
                button = Rect(inner.x + index * (wide + gap), inner.y + top + gap / 2, wide, sheet.row)
                key = control.first_key
                sheet.button(
                    button, words.label(control, model), control.action, key=key, enabled=control.enabled(model),
                    primary=control.action in ("accept", "confirm"),
                )  # fmt: skip
        if shelf is Shelf.AWAY:
            sheet.until(now + 0.5)
        y += high + gap * 0.75
    return y


def _task_line(model: Model) -> str:
    """What is to be done in a task for who learns the game; "" once it is over."""
    match = model.match
    return match.text if match is not None and match.lesson and match.result is None else ""


def _steps(sheet: Sheet, rect: Rect, model: Model) -> float:
    """Stepping through the moves; where it begins."""
    match = model.match
    gap = sheet.gap
    control = words.control_for(Place.MATCH, "back")
    if match is None or not control.enabled(model):
        return rect.y + rect.height + gap * 0.75
    at, count, left, gap = model.shown_ply, match.plies, rect.x, gap / 2
    for action, enabled in (
        ("start", at > 0),
        ("back", at > 0),
        ("forward", at < count),
        ("live", model.step is not None),
    ):
        if action == "live" and not enabled:
            continue
        label = words.label(words.control_for(Place.MATCH, action))
        wide = sheet.width(label, "small") + 2.5 * gap
        sheet.button(
            Rect(left, rect.y, wide, rect.height),
            label,
            action,
            enabled=enabled,
            primary=action == "live",
            size="small",
        )
        left += wide + gap
    text = f"{at} / {count}" if model.step is not None else f"{count} move{'' if count == 1 else 's'}"
    rest = Rect(left + gap, rect.y, rect.right - left - gap, rect.height)
    if sheet.width(text, "small") <= rest.width:
        sheet.text(rest, text, "small", Ink.TEXT if model.step is not None else Ink.QUIET)
    return rect.y


def _say(sheet: Sheet, rect: Rect, model: Model, said: Field) -> float:
    """The field for a line to the others; where it begins."""
    control = words.control_for(Place.MATCH, "say")
    match = model.match
    alone = match is not None and (model.holds_both or match.status == "waiting")
    if not control.enabled(model) or alone:
        return rect.bottom + sheet.gap * 0.75
    whom = "your opponent" if model.plays else "who else watches"
    sheet.field(rect, SAY, said, hint=f"Say to {whom}  ( / )")
    return rect.y
