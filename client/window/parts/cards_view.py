"""The games as cards, drawn: a small board that lives, and the ways to a board at once. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from client.playing.new_match import LABELS, Against, ways
from client.shown.board.examples import EVERY_S, Example, step_of
from client.shown.words.lessons import progress_text
from client.window.drawing import lettering
from client.window.drawing.shapes import Rect
from client.window.drawing.theme import Face, Ink
from client.window.parts.board import LastBoard, Look, view_of
from client.window.parts.sheet import Sheet
from protocol.messages import GameInfo

BEGIN = "begin"
"""The action of a way's target; its value is `named`."""
UPRIGHT = 1.15
"""Width over height from which on the cards stand beside each other; else they lie below each other."""
WAYS, ACROSS = len(Against), 3
"""How many ways a card has at most, and how many of them lie beside each other on one that lies."""
SUMMARY_LINES = 5
"""Lines that the longest sentence about a game takes on the narrowest card."""


@dataclass
class Cards:
    """What is kept from one picture to the next."""

    upright: bool = True
    boards: dict[str, LastBoard] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """What is on the cards: the games, what was told of them, and which of their tasks were done."""

    games: tuple[GameInfo, ...]
    examples: Mapping[str, Example]
    learned: Mapping[str, Collection[int]]


def named(game: str, against: Against) -> str:
    """The value of a way's target."""
    return f"{game} {against.value}"


def draw_cards(
    sheet: Sheet, area: Rect, cards: Cards, shown: Shown, chosen: int, now: float | None
) -> None:  # fmt: skip
    """All of them; `chosen` is the one that letters mean (-1: none can be played yet), and at `now` None they rest."""
    games, gap, count = shown.games, sheet.gap, len(shown.games)
    cards.upright = area.width >= area.height * UPRIGHT
    titles = [f"{at + 1}  {game.title}" for at, game in enumerate(games)]
    lines = _title_lines(sheet, titles, (area.width - gap * (count - 1)) / max(count, 1) - 2 * gap)
    for at, game in enumerate(games):
        if cards.upright:
            wide = (area.width - gap * (count - 1)) / count
            high = min(area.height, _most_high(sheet, wide, lines))
            rect = Rect(area.x + at * (wide + gap), area.y + (area.height - high) / 2, wide, high)
        else:
            high = (area.height - gap * (count - 1)) / count
            rect = Rect(area.x, area.y + at * (high + gap), area.width, high)
        sheet.panel(rect, border=Ink.ACCENT if at == chosen else Ink.EDGE)
        place = (
            _upright(sheet, rect.inset(gap), titles[at], game, lines)
            if cards.upright
            else _lying(sheet, rect.inset(gap), titles[at], game)
        )
        learned = progress_text(game, shown.learned.get(game.name, ()))
        _ways(sheet, place.ways, game, learned, across=1 if cards.upright else ACROSS, enabled=chosen >= 0)
        example = shown.examples.get(game.name)
        if example is not None:
            position = example.at(0 if now is None else step_of(at, count, now))
            board = cards.boards.setdefault(game.name, LastBoard())
            sheet.add(*board.shapes(position, view_of(position, place.picture), Look()))
    if now is not None:
        sheet.until((int(now / EVERY_S) + 1) * EVERY_S)


@dataclass(frozen=True)
class _Place:
    """Where a card has its picture and its ways."""

    picture: Rect
    ways: Rect


def _upright(sheet: Sheet, inner: Rect, title: str, game: GameInfo, lines: int) -> _Place:
    """Picture, title, what it is about where there is room, ways, from top to bottom."""
    gap = sheet.gap
    ways = Rect(inner.x, inner.bottom - _ways_high(sheet, WAYS), inner.width, _ways_high(sheet, WAYS))
    words = lines * sheet.line()
    side = min(inner.width, ways.y - inner.y - words - 1.5 * gap)
    picture = Rect(inner.x + (inner.width - side) / 2, inner.y, side, side)
    y = picture.bottom + gap / 2
    y += sheet.paragraph(Rect(inner.x, y, inner.width, words + 1), title, bold=True)
    rest = Rect(inner.x, y + gap / 2, inner.width, ways.y - gap - y)
    if rest.height >= SUMMARY_LINES * sheet.line("small"):
        sheet.paragraph(rest, game.summary, "small", Ink.QUIET)
    return _Place(picture, ways)


def _lying(sheet: Sheet, inner: Rect, title: str, game: GameInfo) -> _Place:
    """The picture at the left; title and ways beside it."""
    gap = sheet.gap
    side = min(inner.height, inner.width * 0.36)
    picture = Rect(inner.x, inner.y + (inner.height - side) / 2, side, side)
    x = picture.right + gap
    wide, high = inner.right - x, _ways_high(sheet, -(-WAYS // ACROSS))
    sheet.text(Rect(x, inner.y, wide, sheet.line()), title, bold=True)
    rest = Rect(x, inner.y + sheet.line(), wide, inner.height - sheet.line() - high - gap / 2)
    if rest.height >= 2 * sheet.line("small"):
        sheet.paragraph(rest, game.summary, "small", Ink.QUIET)
    return _Place(picture, Rect(x, inner.bottom - high, wide, high))


def _title_lines(sheet: Sheet, titles: list[str], wide: float) -> int:
    """Lines that the longest title takes: all cards leave room for as many, so that what is below stands in a row."""
    wrapped = (lettering.wrapped(title, wide, sheet.size("body"), Face.BOLD) for title in titles)
    return max((len(lines) for lines in wrapped), default=1)


def _most_high(sheet: Sheet, wide: float, lines: int) -> float:
    """What an upright card of this width has use for."""
    words = lines * sheet.line() + SUMMARY_LINES * sheet.line("small")
    return wide + words + _ways_high(sheet, WAYS) + 3 * sheet.gap


def _ways_high(sheet: Sheet, rows: int) -> float:
    return rows * (sheet.row * 0.85) + (rows - 1) * sheet.gap / 2


def _ways(sheet: Sheet, area: Rect, game: GameInfo, learned: str, *, across: int, enabled: bool) -> None:
    gap = sheet.gap / 2
    offered = ways(game)
    wide, high = (area.width - gap * (across - 1)) / across, sheet.row * 0.85
    for index, against in enumerate(offered):
        rect = Rect(area.x + (index % across) * (wide + gap), area.y + (index // across) * (high + gap), wide, high)
        label = f"{LABELS[against]} {learned}".rstrip() if against is Against.LEARN else LABELS[against]
        size = "body" if sheet.width(label) + gap <= wide else "small"
        sheet.button(rect, label, BEGIN, named(game.name, against), enabled=enabled, size=size)
