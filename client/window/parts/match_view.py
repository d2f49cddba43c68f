"""A match, drawn: the board with its lines of text at one side, the panel at the other. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from client.kept.links import leads_here_only
from client.kept.saves import Listed
from client.shown.actions.controls import is_enabled
from client.shown.actions.plans import DROPPED
from client.shown.actions.questions import WHICH_SAVED, question
from client.shown.board import picking
from client.shown.board.cursor import places
from client.shown.board.groups import placement_text
from client.shown.board.scene import View
from client.shown.model import Model
from client.shown.words.challenges import BEFORE_LINK, BEFORE_LOCAL_LINK
from client.shown.words.clocks import rule_text
from client.shown.words.ending import verdict
from client.shown.words.lobby import game_text, options_text
from client.shown.words.status import TURN, headline, quitting_costs, tells_more
from client.window.drawing.shapes import Align, Box, Disc, Rect
from client.window.drawing.signs import ball, sign
from client.window.drawing.theme import Ink, writing_on
from client.window.hands.field import Field
from client.window.hands.gestures import Hand
from client.window.parts import overlays
from client.window.parts.board import LastBoard, Look, view_of
from client.window.parts.lobby_view import connection
from client.window.parts.log_view import FIND, draw_log
from client.window.parts.motion import FRAME_S, Motion
from client.window.parts.sheet import Sheet
from client.window.parts.side import MOVE, SAY, Beside, card_height, draw_side
from protocol.board import Shape
from protocol.messages import Snapshot

_KINDS = {"mine": Ink.ACCENT, "ended": Ink.ACCENT, "back": Ink.BAD}


HINTS = frozenset({"taken", picking.IN_VAIN})
"""Codes of refusals that are ignored tries rather than faults (`SQ7`, `RU-SQ4`): told without a warning."""
Where = tuple[float, float] | str
"""A place in the window in pixels, or an element of the board."""


@dataclass(frozen=True)
class Seen:
    """What the screen itself knows: see `match_screen.MatchScreen`. `told` is what a new refusal is about."""

    hand: Hand
    motion: Motion
    fields: Mapping[str, Field]
    asks: str
    shows_help: bool
    saved: Sequence[Listed] | None
    chosen: str
    first: int
    told: Where | None
    told_until: float
    replaces: bool
    link: str
    board: LastBoard
    up: int = 0
    """By how many lines the log, or the list of moves, is scrolled up."""
    shows_chat: bool = False
    shows_menu: bool = False


@dataclass(frozen=True)
class Layout:
    """Where things are. `covered` while the board cannot be touched: paused, or something lies over it."""

    head: Rect
    opponent: Rect | None
    """Where the opponent's card is, when it is not beside the board."""
    board: Rect
    status: Rect
    side: Rect
    view: View
    stone: Rect | None
    words: Rect | None
    question: Rect | None
    covered: bool


def layout(sheet: Sheet, seen: Seen, model: Model) -> Layout:
    """Where things are in a window of this size: beside each other in a wide one, else below each other."""
    match = model.shown
    assert match is not None
    gap, row = sheet.gap, sheet.row
    outer = sheet.inner
    status_high = sheet.line("large") + sheet.line()
    over_the_board = 0.0
    if sheet.rect.width >= sheet.rect.height:
        wide = min(max(33 * gap, outer.width * 0.27), 46 * gap)
        side = Rect(outer.right - wide, outer.y, wide, outer.height)
        main = Rect(outer.x, outer.y, outer.width - wide - gap, outer.height)
    else:
        over_the_board = card_height(sheet) + gap * 0.75
        high = max(outer.height * 0.44, min(outer.height - outer.width - row - status_high, outer.height * 0.6))
        high -= over_the_board
        side = Rect(outer.x, outer.bottom - high, outer.width, high)
        main = Rect(outer.x, outer.y, outer.width, outer.height - high - gap)
    head = main.top_slice(row * 0.8)
    status = Rect(main.x, main.bottom - status_high, main.width, status_high)
    top = head.bottom + gap / 2
    opponent = Rect(main.x, top, main.width, card_height(sheet)) if over_the_board else None
    top += over_the_board
    board = Rect(main.x, top, main.width, status.y - top - gap / 2)
    found = picking.words(match) if model.is_my_turn else ()
    words = Rect(board.x, board.bottom - row, board.width, row) if found else None
    if words is not None:
        board = Rect(board.x, board.y, board.width, board.height - row - gap / 2)
    question = None
    if seen.asks:
        high = overlays.question_height(sheet)
        question = Rect(board.x, board.bottom - high, board.width, high)
    covered = model.is_covered or model.is_log or seen.saved is not None
    view, stone = view_of(match, board), _stone(match, board, model)
    return Layout(head, opponent, board, status, side, view, stone, words, question, covered)


def _stone(match: Snapshot, board: Rect, model: Model) -> Rect | None:
    """Where a stone can be taken from (`HX SR2`): in a corner that a board of hexagons leaves free."""
    if not any(cell.shape is Shape.HEX for cell in match.board.cells) or not is_enabled("touch", model):
        return None
    side = min(board.width, board.height) * 0.12
    return Rect(board.x + side * 0.2, board.bottom - side * 1.2, side, side)


def draw_match(sheet: Sheet, seen: Seen, model: Model, now: float) -> int:
    """The whole screen. Returns by how many lines the log is scrolled up, which is not beyond its first."""
    match, up = model.shown, 0
    if match is None or model.match is None:
        return up
    where = layout(sheet, seen, model)
    _head(sheet, where.head, model, model.match, now)
    if model.is_covered:
        overlays.draw_pause(sheet, where.board, model, now)
    elif seen.saved is not None:
        sheet.panel(where.board)
        overlays.draw_saved(sheet, where.board, seen.saved, seen.chosen, seen.first, WHICH_SAVED, "revert")
    elif model.is_log:
        up = draw_log(sheet, where.board, model, seen.fields[FIND], seen.up, seen.link)
    else:
        _board(sheet, where, seen, model, match, now)
    _status(sheet, where, seen, model, model.match)
    if where.words is not None:
        _words(sheet, where.words, match)
    if where.question is not None:
        _question(sheet, where.question, seen, model, model.match)
    beside = Beside(
        seen.fields[SAY], seen.fields[MOVE], seen.shows_help, seen.first, seen.shows_chat, seen.up, seen.shows_menu
    )
    draw_side(sheet, where.side, where.opponent, model, beside, now)
    return up


def _board(sheet: Sheet, where: Layout, seen: Seen, model: Model, match: Snapshot, now: float) -> None:
    mine = model.is_to_move and is_enabled("touch", model)
    now_shown = model.step is None
    pending, about = model.pending_moves if now_shown else (), model.notice.at if now_shown else ()
    if model.plan.unsent:
        pending = (*pending, model.plan.unsent)
    look = Look(
        seen.hand, pending, model.hinted, mine, about=about, planned=model.plan.path, motion=seen.motion, now=now
    )
    sheet.add(*seen.board.shapes(match, where.view, look))
    if seen.motion.is_on(now):
        sheet.until(now + FRAME_S)
    if where.stone is not None and match.to_move is not None:
        style = match.seats[match.to_move].style
        radius = where.stone.width / 2
        over = sheet.is_over(where.stone) and mine
        edge = Ink.FOCUS if over else Ink.DOT
        thick, alpha = max(radius * 0.1, 1.5), 1.0 if mine else 0.4
        sheet.add(Disc(where.stone.centre, radius * 0.85, style.colour, edge, thick, alpha))
        sheet.add(*sign(style.symbol, where.stone.centre, radius * 0.8, writing_on(style.colour)))
        sheet.target(where.stone, "stone", enabled=mine)
    if seen.told is not None and model.notice.code:
        at = _at(seen.told, match, where.view)
        _told(sheet, where.board, at, model.notice.text, hint=model.notice.code in HINTS)
        sheet.until(seen.told_until)


def _at(place: Where, match: Snapshot, view: View) -> tuple[float, float]:
    """Where on screen that is."""
    return view.place(*places(match.board)[place]) if isinstance(place, str) else place


def _told(sheet: Sheet, board: Rect, at: tuple[float, float], text: str, *, hint: bool) -> None:
    """A refusal near the place that it is about; a mere hint is no warning (`SQ7`)."""
    gap, ink, edge = sheet.gap, Ink.QUIET if hint else Ink.BAD, Ink.EDGE if hint else Ink.BAD
    text = text if hint else f"✗ {text}"
    wide = min(sheet.width(text, bold=not hint) + 3 * gap, board.width)
    high = sheet.line() + gap
    x = min(max(at[0] - wide / 2, board.x), max(board.right - wide, board.x))
    y = at[1] + 2 * gap if at[1] + 2 * gap + high < board.bottom else at[1] - high - 2 * gap
    rect = Rect(x, max(y, board.y), wide, high)
    sheet.add(Box(rect, Ink.RAISED, edge, max((1 if hint else 2) * sheet.scale, 1), gap / 2))
    sheet.text(rect.inset(gap, 0), text, colour=ink, bold=not hint)


def _head(sheet: Sheet, rect: Rect, model: Model, match: Snapshot, now: float) -> None:
    """The game, how it is played, who watches; the connection at the right."""
    line, ink = connection(model, now)
    if ink is Ink.BAD:
        sheet.until(now + 0.5)
    sheet.text(rect, line, "small", ink, align=Align.RIGHT)
    room = rect.width - sheet.width(line, "small") - sheet.gap
    title = game_text(model.games, match.game, match.options)
    sheet.text(Rect(rect.x, rect.y, room, rect.height), title, "body", Ink.ACCENT, bold=True)
    used = sheet.width(title, bold=True) + sheet.gap
    parts = [options_text(model.games.get(match.game), match.options), rule_text(match.clock_rule)]
    if not model.plays and not model.is_cleared:
        parts.insert(0, "you are watching")
    if match.spectators:
        parts.append(f"{match.spectators} watching")
    text = "  ".join(part for part in parts if part)
    if room - used > 6 * sheet.gap:
        sheet.text(Rect(rect.x + used, rect.y, room - used, rect.height), text, "small", Ink.QUIET)


def _status(sheet: Sheet, where: Layout, seen: Seen, model: Model, match: Snapshot) -> None:
    """Whose turn it is or how it ended, in the documents' words; below it a refusal, or what is picked."""
    text, kind = headline(model)
    if kind == "ended":
        text = verdict(match)[0]
    high, text = sheet.line("large"), text.strip()
    top = Rect(where.status.x, where.status.y, where.status.width, high)
    if kind in ("mine", "theirs") and match.status == "playing" and match.to_move is not None:
        style = match.seats[match.to_move].style
        sheet.add(*ball(style.symbol, (top.x + high / 2, top.y + high / 2), high * 0.45, style.colour))
        text = _without_symbol(text, style.symbol[:1])
        top = Rect(top.x + high + sheet.gap, top.y, top.width - high - sheet.gap, high)
    # A sentence of the server's may be longer than a turn's, and is read to its end.
    size = "large" if sheet.width(text, "large", bold=True) <= top.width else "body"
    sheet.text(top, text, size, _KINDS.get(kind, Ink.TEXT), bold=True)
    used = sheet.width(text, size, bold=True) + 2 * sheet.gap
    keyed = match.status == "waiting" and match.key is not None
    alone = keyed or match.status == "ended" or match.pause is not None or bool(match.lesson)
    room = top.width - used
    fits = next((one for one in ("body", "small") if sheet.width(match.text, one) <= room), None)
    # Whole or not at all: whose turn it is stands beside it, by name.
    if not alone and text != match.text and tells_more(match) and fits is not None:
        sheet.text(Rect(top.x + used, top.y, room, top.height), match.text, fits, Ink.QUIET, align=Align.RIGHT)
    low = Rect(where.status.x, top.bottom, where.status.width, sheet.line())
    notice = model.notice
    if model.plan.dropped and not notice.code:
        sheet.text(low, DROPPED, colour=Ink.TEXT)
    elif notice.text:
        bad = bool(notice.code) and notice.code not in HINTS
        sheet.text(low, ("✗ " if bad else "") + notice.text, colour=Ink.BAD if bad else Ink.QUIET)
    elif match.status == "waiting" and (seen.link or match.key):
        _invitation(sheet, low, seen.link, match.key or "")
    elif seen.hand.picked:
        sheet.text(low, " → ".join(_called(match, part) for part in seen.hand.picked) + " → …", colour=Ink.QUIET)
    elif made := _placement(seen.hand, model, match):
        sheet.text(low, made, colour=Ink.QUIET)
    elif match.result is not None:
        sheet.text(low, match.result.text, colour=Ink.QUIET)
    elif model.happenings:
        sheet.text(low, model.happenings[-1].text, colour=Ink.QUIET)


def _placement(hand: Hand, model: Model, match: Snapshot) -> str:
    """What the stone under the hand would take; "" where that is nothing."""
    at = hand.hovered or (hand.cursor.id if hand.cursor is not None and hand.shows_cursor else None)
    made = placement_text(match, at) if at is not None and model.is_my_turn else ""
    return f"{_called(match, at)}: {made}" if made and at is not None else ""


def _invitation(sheet: Sheet, rect: Rect, link: str, key: str) -> None:
    """What to give to the opponent (`CK R1.5`), with a button that copies it; of a link nothing is missing."""
    befores = (*(BEFORE_LOCAL_LINK if link and leads_here_only(link) else BEFORE_LINK), "")
    texts = [f"{before}{link}" for before in befores] if link else ["It opens this match in anybody's lobby."]
    labels = ("Copy the link" if link else "Copy the key", "Copy")
    ways = [
        (text, size, label, _beside(sheet, rect, label))
        for text in texts for size in ("body", "small") for label in labels
    ]  # fmt: skip
    text, size, label, place = next((way for way in ways if sheet.width(*way[:2]) <= way[3].width), ways[-1])
    left, high = place.right + sheet.gap, rect.height + sheet.gap
    sheet.button(Rect(left, rect.y - sheet.gap / 2, rect.right - left, high), label, "copy", link or key)
    sheet.text(place, text, size, Ink.QUIET)


def _beside(sheet: Sheet, rect: Rect, label: str) -> Rect:
    """The room that a button of this label at the right leaves."""
    return Rect(rect.x, rect.y, rect.width - sheet.width(label) - 3 * sheet.gap, rect.height)


def _without_symbol(text: str, symbol: str) -> str:
    """The headline without what the ball beside it shows already."""
    return text.removeprefix(TURN).strip().removeprefix(f"{symbol} ").removesuffix(f"  {symbol}").strip()


def _words(sheet: Sheet, rect: Rect, match: Snapshot) -> None:
    x = rect.x
    for word in picking.words(match):
        wide = sheet.width(word) + 4 * sheet.gap
        sheet.button(Rect(x, rect.y, wide, rect.height), word, "word", word)
        x += wide + sheet.gap


def _question(sheet: Sheet, rect: Rect, seen: Seen, model: Model, match: Snapshot) -> None:
    if seen.asks == "save":
        overlays.draw_save(sheet, rect, seen.fields[overlays.SAVE_NAME], again=seen.replaces)
    elif seen.asks == "quit":
        overlays.draw_question(sheet, rect, "Quit?", quitting_costs(model), "Quit")
    else:
        overlays.draw_question(sheet, rect, *question(seen.asks, model, match))


def _called(match: Snapshot, element: str) -> str:
    """What an element is called in front of people: its label, or its id unless that is only for machines."""
    label = next((cell.label for cell in match.board.cells if cell.id == element), "")
    return label or (element if element[:1].isalnum() else "?")
