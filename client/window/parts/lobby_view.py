"""The lobby, drawn. Pure."""

from __future__ import annotations

from typing import Protocol

from client.kept.saves import Listed
from client.playing.form import Form
from client.shown.actions.controls import Place
from client.shown.actions.questions import dropping
from client.shown.model import Link, Model
from client.shown.words.lobby import EMPTY, Row, Way, people_text, title_of
from client.shown.words.own import ACTS
from client.window.drawing.shapes import Align, Box, Rect
from client.window.drawing.signs import ball
from client.window.drawing.theme import Ink
from client.window.hands.field import Field
from client.window.parts import form_view, words
from client.window.parts.board import LastBoard
from client.window.parts.challenge_bar import draw_people
from client.window.parts.overlays import draw_saved
from client.window.parts.sheet import Sheet
from protocol.messages import Snapshot

KEY = "key"
"""The field for the key of a private match."""
NARROW = 128
"""A window less wide than so many gaps shows a form alone: what is beside it is a step back."""
AGES_S, CLOCKS_S = 20.0, 1.0
"""How long ages in the list are good enough, and how long clocks are."""
_EMPTY = (
    EMPTY,
    "Host a game: others see it here at once.",
    "Quick match: be paired with whoever comes next.",
    "Or play at this computer, with somebody or against it.",
)


class Lobby(Protocol):
    """What is drawn of the screen: the list, or a form, saved games or the help in its place."""

    fields: dict[str, Field]
    form: Form | None
    opening: Snapshot | None
    """The board that what is chosen in the form begins with."""
    opening_board: LastBoard
    shows_help: bool
    saved: tuple[Listed, ...] | None
    chosen: str
    first: int
    follows: bool
    """Whether the row of a form that was chosen last is to be seen."""
    told: str
    """That row: it says what it is for."""
    asks_for_key: bool
    asks_whom: bool
    """Whether whom to challenge is being chosen."""
    asks_about: str

    def listed(self, model: Model, now: float) -> tuple[Row, ...]:
        """The rows of the list."""

    def chosen_row(self, model: Model, now: float) -> Row | None:
        """The match that is chosen."""


def draw_lobby(sheet: Sheet, screen: Lobby, model: Model, now: float) -> int:
    """The whole screen; how many rows of its list, form or saved games there was room for."""
    gap, row = sheet.gap, sheet.row
    outer = sheet.inner
    head = outer.top_slice(row)
    _head(sheet, head, model, now)
    body = outer.below(row + gap)
    notice = Rect(body.x, body.bottom - sheet.line(), body.width, sheet.line())
    body = Rect(body.x, body.y, body.width, body.height - sheet.line() - gap / 2)
    _notice(sheet, notice, model, screen, now)
    if screen.form is not None and sheet.rect.width < NARROW * gap:
        main = body
    elif sheet.rect.width >= sheet.rect.height:
        wide = min(max(30 * gap, body.width * 0.25), 36 * gap)
        side = Rect(body.right - wide, body.y, wide, body.height)
        main = Rect(body.x, body.y, body.width - wide - gap, body.height)
        _side(sheet, side, screen, model)
    else:
        high = 6 * (row + gap) + sheet.line("small")
        side = Rect(body.x, body.bottom - high, body.width, high)
        main = Rect(body.x, body.y, body.width, body.height - high - gap)
        _below(sheet, side, screen, model)
    sheet.panel(main)
    if screen.form is not None:
        screen.first, room = form_view.draw_form(
            sheet, main, screen.form, dict(model.games), screen.first, model.name, screen.told, screen.follows,
            (screen.opening, screen.opening_board),
        )  # fmt: skip
        return room
    if screen.shows_help:
        _help(sheet, main)
        return 1
    if screen.asks_whom:
        return draw_people(sheet, main, model, screen.first)
    if screen.saved is not None:
        return draw_saved(sheet, main, screen.saved, screen.chosen, screen.first, "Saved games", "load")
    return _list(sheet, main, screen, model, now)


def _head(sheet: Sheet, rect: Rect, model: Model, now: float) -> None:
    name = "Parlour"
    sheet.text(rect, name, "large", Ink.ACCENT, bold=True)
    wide = sheet.width(name, "large", bold=True) + 2 * sheet.gap
    line, ink = connection(model, now)
    right = sheet.width(line) + 2 * sheet.gap
    sheet.text(rect, line, colour=ink, align=Align.RIGHT)
    sheet.text(Rect(rect.x + wide, rect.y, rect.width - wide - right, rect.height), model.name, bold=True)
    if model.link is Link.DOWN:
        sheet.until(now + 0.5)


def connection(model: Model, now: float) -> tuple[str, Ink]:
    """How the connection is, in a few words, and in which colour."""
    if model.outage is not None:
        return "moves are not stored just now", Ink.BAD
    if model.link is Link.UP:
        return ("connected" if model.latency_ms is None else f"connected, {model.latency_ms:.0f} ms"), Ink.QUIET
    if model.down_since is None:
        return "connecting…", Ink.QUIET
    return f"reconnecting for {max(now - model.down_since, 0):.0f} s", Ink.BAD


def _notice(sheet: Sheet, rect: Rect, model: Model, screen: Lobby, now: float) -> None:
    if screen.asks_for_key:
        sheet.text(rect, "✗ Please type the key, or the link, that the host gave you.", colour=Ink.BAD)
    elif (row := screen.chosen_row(model, now)) is not None and row.match == screen.asks_about:
        asked = dropping(row)
        sheet.text(rect, f"{asked.asked} {asked.consequence}" if asked is not None else "", colour=Ink.BAD)
    elif model.notice.text:
        bad = bool(model.notice.code)
        sheet.text(rect, ("✗ " if bad else "") + model.notice.text, colour=Ink.BAD if bad else Ink.QUIET)
    else:
        control = words.control_for(Place.LOBBY, "challenge")
        label, wide = words.label(control), 0.0
        if control.enabled(model):
            wide = sheet.width(label, "small") + 2 * sheet.gap
            place = Rect(rect.right - wide, rect.y - sheet.gap / 4, wide, rect.height + sheet.gap / 2)
            sheet.button(place, label, "challenge", size="small")
        line = Rect(rect.x, rect.y, rect.width - wide - sheet.gap, rect.height)
        sheet.text(line, people_text(model) if model.lobby is not None else "", colour=Ink.QUIET)


# The list -------------------------------------------------------------------------------------------------------------


def _list(sheet: Sheet, area: Rect, screen: Lobby, model: Model, now: float) -> int:
    gap, high = sheet.gap, sheet.row
    inner = area.inset(1.5 * gap)
    found = screen.listed(model, now)
    title = "Matches" if not model.lobby_game else f"{title_of(model.games, model.lobby_game)} only"
    filtered = sheet.width("Filter") + sheet.width("f", "small") + 4 * gap
    top = inner.top_slice(high)
    sheet.text(Rect(top.x, top.y, top.width - filtered, high), title, "large", bold=True)
    control = words.control_for(Place.LOBBY, "filter")
    if control.enabled(model):
        sheet.button(Rect(top.right - filtered, top.y, filtered, high), "Filter", "filter", key="f")
    foot = Rect(inner.x, inner.bottom - high, inner.width, high)
    rows_area = Rect(inner.x, inner.y + high + gap, inner.width, inner.height - 2 * high - 2 * gap)
    _foot(sheet, foot, screen, model, now)
    if not found:
        _empty(sheet, rows_area, model)
        return 1
    step = high + gap / 2
    room = max(int((rows_area.height + gap / 2) // step), 1)
    first = min(screen.first, max(len(found) - room, 0))
    chosen = screen.chosen_row(model, now)
    y = rows_area.y
    for row in found[first : first + room]:
        _match(
            sheet, Rect(rows_area.x, y, rows_area.width, high), row, chosen is not None and row.match == chosen.match
        )
        y += step
    more = model.lobby_total - len(model.lobby or ()) + len(found) - first - room
    if more > 0:
        sheet.text(foot, f"{more} more below", "small", Ink.QUIET, align=Align.RIGHT)
    sheet.until(now + (CLOCKS_S if any(row.act == "give_up" for row in found) else AGES_S))
    return room


def _match(sheet: Sheet, rect: Rect, row: Row, chosen: bool) -> None:
    gap = sheet.gap
    if chosen or sheet.is_over(rect):
        edge = Ink.ACCENT if chosen else Ink.EDGE
        sheet.add(Box(rect, Ink.RAISED, edge, max(sheet.scale * (2 if chosen else 1), 1), gap * 0.75))
    inner = rect.inset(gap, 0)
    narrow = inner.width < 60 * gap
    parts = (0.40, 0.32, 0.28) if narrow else (0.40, 0.30, 0.20)
    x = inner.x
    game_wide = inner.width * parts[0]
    clock, ball_wide = sheet.width(row.clock, "small"), rect.height * 0.6 if row.host is not None else 0.0
    kept = (clock + gap if clock else 0) + (ball_wide + gap / 2 if ball_wide else 0)
    name = min(sheet.width(row.game, bold=True), game_wide - gap - kept)
    sheet.text(Rect(x, rect.y, name + 1, rect.height), row.game, bold=True)
    # What tells one match from another stays, however long the rest is (`CK 5.3`).
    sheet.text(Rect(x + name + gap, rect.y, clock + 1, rect.height), row.clock, "small", Ink.QUIET)
    if row.host is not None:
        at = (x + name + kept - ball_wide / 2, rect.y + rect.height / 2)
        sheet.add(*ball(row.host.symbol, at, ball_wide / 2, row.host.colour))
    used = name + kept + gap
    if row.options and used < game_wide - 3 * gap:
        sheet.text(Rect(x + used, rect.y, game_wide - used - gap, rect.height), row.options, "small", Ink.QUIET)
    x += game_wide
    quiet = Ink.QUIET if row.is_over else Ink.TEXT
    room, score = inner.width * parts[1] - gap, sheet.width(row.score) + gap if row.score else 0.0
    name = min(sheet.width(row.players), room - score)
    sheet.text(Rect(x, rect.y, name + 1, rect.height), row.players, colour=quiet)
    if row.score:
        sheet.text(Rect(x + name + gap, rect.y, score - gap + 1, rect.height), row.score, colour=quiet)
    x += inner.width * parts[1]
    own = row.way is Way.RESUME and not row.is_over
    ink = Ink.GOOD if row.way is Way.JOIN else Ink.ACCENT if own else Ink.QUIET
    sheet.text(Rect(x, rect.y, inner.width * parts[2] - gap / 2, rect.height), row.status, colour=ink)
    if not narrow:
        sheet.text(rect.inset(gap, 0), row.since, "small", Ink.QUIET, align=Align.RIGHT)
    sheet.target(rect, "match", row.match)


def _foot(sheet: Sheet, rect: Rect, screen: Lobby, model: Model, now: float) -> None:
    row = screen.chosen_row(model, now)
    gap = sheet.gap
    join = words.label(words.control_for(Place.LOBBY, "open"))
    label = join if row is None or row.way is Way.JOIN else row.opening
    enabled = row is not None and model.link is Link.UP
    wide = min(20 * gap, (rect.width - gap) / 2)
    first = Rect(rect.x, rect.y, wide, rect.height)
    sheet.button(first, label, "open", key="Enter", enabled=enabled, primary=enabled)
    if row is not None and row.way is Way.JOIN:
        sheet.button(
            Rect(first.right + gap, rect.y, wide * 0.7, rect.height), "Watch", "watch", key="w", enabled=enabled
        )
    if row is not None and row.act:
        label = "Yes, surrender" if screen.asks_about == row.match else ACTS[row.act]
        sheet.button(Rect(first.right + gap, rect.y, wide, rect.height), label, "drop", key="x", enabled=enabled)


def _empty(sheet: Sheet, area: Rect, model: Model) -> None:
    if model.lobby is None:
        sheet.text(area.top_slice(sheet.line()), "Asking the server…", colour=Ink.QUIET)
        return
    step = sheet.line() + sheet.gap / 2
    y = area.y + max((area.height - step * len(_EMPTY)) / 2, 0)
    for index, line in enumerate(_EMPTY):
        rect = Rect(area.x, y, area.width, step)
        sheet.text(rect, line, colour=Ink.QUIET if index else Ink.TEXT, bold=not index, align=Align.CENTRE)
        y += step


def _help(sheet: Sheet, area: Rect) -> None:
    """Keys and what they do, beside everything else; play goes on (`DB 7.3.1.6`)."""
    gap = sheet.gap
    inner = area.inset(1.5 * gap)
    close = sheet.width("Close") + sheet.width("Esc", "small") + 4 * gap
    top = inner.top_slice(sheet.row)
    sheet.text(top, "The lobby", "large", Ink.ACCENT, bold=True)
    sheet.button(Rect(top.right - close, top.y, close, sheet.row), "Close", "close", key="Esc")
    y = inner.y + sheet.row + gap
    keys = max(sheet.width(control.shown, bold=True) for control in words.all_controls(Place.LOBBY)) + gap
    for control in words.all_controls(Place.LOBBY):
        rect = Rect(inner.x + keys, y, inner.width - keys, inner.bottom - y)
        if rect.height < sheet.line("small"):
            break
        sheet.text(Rect(inner.x, y, keys, sheet.line("small")), control.shown, "small", bold=True)
        y += sheet.paragraph(rect, control.help, "small", Ink.QUIET) + gap / 4


# The ways in ----------------------------------------------------------------------------------------------------------

_WAYS_IN = ("new", "quick", "here", "load")
_OTHERS = ("games", "help", "theme", "sound", "motion", "quit")


def _way_in(sheet: Sheet, rect: Rect, action: str, model: Model) -> None:
    control = words.control_for(Place.LOBBY, action)
    enabled = control.enabled(model)
    sheet.button(
        rect, words.label(control), action, key=control.shown, enabled=enabled, primary=action == "new" and enabled
    )


def _side(sheet: Sheet, area: Rect, screen: Lobby, model: Model) -> None:
    """Beside the list."""
    gap, high = sheet.gap, sheet.row
    y = area.y
    for action in _WAYS_IN:
        _way_in(sheet, Rect(area.x, y, area.width, high), action, model)
        y += high + gap
    y += gap
    y = _key_field(sheet, Rect(area.x, y, area.width, high), screen, model)
    bottom = area.bottom
    half = (area.width - gap) / 2
    for first, second in (("games", "quit"), ("sound", "motion"), ("help", "theme")):
        bottom -= high
        if bottom < y:
            break
        _way_in(sheet, Rect(area.x, bottom, area.width if second is None else half, high), first, model)
        if second is not None:
            _way_in(sheet, Rect(area.x + half + gap, bottom, half, high), second, model)
        bottom -= gap


def _below(sheet: Sheet, area: Rect, screen: Lobby, model: Model) -> None:
    """Under the list, in a window that is higher than wide."""
    gap, high = sheet.gap, sheet.row
    half = (area.width - gap) / 2
    y = area.y
    for index, action in enumerate(_WAYS_IN):
        _way_in(sheet, Rect(area.x + (half + gap) * (index % 2), y, half, high), action, model)
        y += (high + gap) * (index % 2)
    y = _key_field(sheet, Rect(area.x, y, area.width, high), screen, model)
    wide = (area.width - 2 * gap) / 3
    for index, action in enumerate(_OTHERS):
        x, y = area.x + (wide + gap) * (index % 3), area.bottom - high - (high + gap) * (1 - index // 3)
        _way_in(sheet, Rect(x, y, wide, high), action, model)


def _key_field(sheet: Sheet, rect: Rect, screen: Lobby, model: Model) -> float:
    """The field for a key and its button; where it ends."""
    gap = sheet.gap
    title = rect.top_slice(sheet.line("small"))
    sheet.text(title, "Private match: its key or link", "small", Ink.QUIET)
    y = title.bottom + gap / 2
    button = sheet.width("Join") + 2.5 * gap
    sheet.field(Rect(rect.x, y, rect.width - button - gap, rect.height), KEY, screen.fields[KEY], hint="key")
    enabled = words.control_for(Place.LOBBY, "join_key").enabled(model)
    sheet.button(Rect(rect.right - button, y, button, rect.height), "Join", "join_key", enabled=enabled)
    return y + rect.height
