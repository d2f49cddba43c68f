"""The end of a match beside the board (`CK 5.5`): the verdict and why, the statistics as bars. Of a task for who learns
the game, what is to be done, and then whether it was."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from client.conversation.position import seat_name
from client.shown.model import Model
from client.shown.review import bars, costly_text, looked_at_first, progress_text
from client.shown.words.ending import Statistic, Verdict, statistics, verdict
from client.shown.words.status import lower_seat
from client.terminal.drawing import theme
from client.terminal.drawing.dressing import worn
from client.terminal.parts.widgets import shortened, wrapped
from protocol.messages import Snapshot

_COLOURS = {
    Verdict.WON: theme.MOSS,
    Verdict.LOST: theme.BRICK,
    Verdict.NOBODY: theme.CHALK,
    Verdict.OVER: theme.BRASS,
}
_NARROW = 3
"""Columns of a bar where the statistics have one line."""
_SHARE = 4
"""The part of one line that a review's curve may have at most; the rest says what cost most."""
_BESIDE = 6
"""Rows of the panel, without the card at its lower edge, that the end leaves to others: a card with its clock, and the
ways on."""


class EndCard(Widget):
    """Lines beside the board, or one below it where the board needs the width; the ways on are the buttons after it."""

    class Looked(Message):
        """The user wants to see the position after `ply` moves."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self) -> None:
        super().__init__(classes="end")
        self._model = Model()
        self._room = _BESIDE
        """Rows that the end may have, as of the last layout."""

    def show(self, model: Model) -> None:
        """Show the end, or nothing before it."""
        match = model.match
        is_over = match is not None and match.result is not None
        is_task = match is not None and bool(match.lesson)
        self.set_class(is_over or is_task, "-open")
        self.set_class(is_task, "-task")
        if model is not self._model and (is_over or is_task):
            self._model = model
            self.refresh(layout=True)

    def render(self) -> Content:
        """The lines."""
        match = self._model.match
        if match is not None and match.lesson:
            return Content("\n").join(_task(self._model, match, self.size.width))
        if match is None or match.result is None:
            return Content("")
        found, width, table = statistics(self._model), self.size.width, worn(self.app).table
        if self.size.height < 2:
            return (
                _review_in_one_line(self._model, width, table)
                if self._model.review is not None
                else _in_one_line(match, found, width, table)
            )
        lines, _ = self._lines(match, width)
        return Content("\n").join(lines)

    def _lines(self, match: Snapshot, width: int) -> tuple[list[Content], int]:
        """All lines, and which of them is the curve of a review.

        Where there are too many rows for the panel the reason gives way, which the banner has too, and then the last of
        the statistics. To a review these give way first, then the reason, and then the moves that cost less.
        """
        assert match.result is not None
        table, (text, kind) = worn(self.app).table, verdict(match)
        head = [Content.assemble((text, f"bold {_COLOURS[kind]}"))]
        reason = [Content.assemble((line, theme.CHALK)) for line in wrapped(match.result.text, width)]
        counted = [_names(match, width), *(_bars(match, one, width, table) for one in statistics(self._model))]
        review, *moves = _review(self._model, width, table)
        if not review and len(head) + len(reason) + len(counted) > self._room:
            reason.clear()
            rows = self._room - len(head)
            del counted[rows if rows > 1 else 0 :]
        for more in (counted, reason):
            if review and len(head) + len(reason) + len(counted) + len(review) + sum(map(len, moves)) > self._room:
                more.clear()
        left = self._room - len(head) - len(reason) - len(counted) - len(review)
        told = list[Content]()
        if sum(map(len, moves)) > left:
            _, *moves = _review(self._model, width, table, by_look=True)
        for one in moves:
            if told and len(told) + len(one) > left:
                break
            told += one
        curve = len(head) + len(reason) + len(counted) + 1
        return [*head, *reason, *counted, *review, *told], curve

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As many lines as it has."""
        match = self._model.match
        if match is not None and match.lesson:
            return len(_task(self._model, match, width))
        if match is None or match.result is None:
            return 0
        if isinstance(container, Size):
            self._room = container.height - _BESIDE
        return len(self._lines(match, width)[0])

    def on_click(self, event: Click) -> None:
        """A place on the curve is a position."""
        review, at = self._model.review, event.get_content_offset(self)
        if review is None or at is None or not review.judged:
            return
        match = self._model.match
        assert match is not None
        assert match.result is not None
        is_one_line = self.size.height < 2
        _, row = self._lines(match, self.size.width)
        wide = min(self.size.width // _SHARE if is_one_line else self.size.width, len(review.judged))
        if at.x < wide and at.y == (0 if is_one_line else row):
            self.post_message(self.Looked(at.x * (len(review.judged) - 1) // max(wide - 1, 1)))


def _task(model: Model, match: Snapshot, width: int) -> list[Content]:
    """The sentence in the server's words, below the verdict once there is one; the banner says which task it is."""
    head: list[Content] = []
    if match.result is not None:
        text, kind = verdict(match)
        head.append(Content.assemble((text, f"bold {_COLOURS[kind]}")))
    told = match.result.text if match.result is not None else match.text
    return [*head, *(Content.assemble((line, theme.CHALK)) for line in wrapped(told, width))]


def _review(model: Model, width: int, table: str, *, by_look: bool = False) -> list[list[Content]]:
    """How far it has come, the curve of who stood better, and why it ended early; then what cost most, move by move:
    the worst first, or (`by_look`) the one that is looked at."""
    review, match = model.review, model.match
    if review is None or match is None:
        return [[]]
    told, haste = progress_text(review), ""
    if cell_len(told) > width:
        told, _, haste = told.removesuffix(" positions").partition(" (")
    lines = [Content.assemble((shortened(told, width), f"bold {theme.BRASS}")), _curve(model, width, table)]
    if haste:
        lines.append(Content.assemble((shortened(haste.removesuffix(")").capitalize(), width), theme.DUST)))
    lines += [Content.assemble((line, theme.DUST)) for line in wrapped(review.why, width) if line]
    worst = looked_at_first(review.costliest, model.shown_ply) if by_look else review.costliest
    costly = [costly_text(one, lambda seat: seat_name(match, seat)) for one in worst]
    return [lines, *([Content.assemble((line, theme.CHALK)) for line in wrapped(text, width)] for text in costly)]


def _review_in_one_line(model: Model, width: int, table: str) -> Content:
    """The curve, and beside it how far it has come; then the move that led to the position that is looked at, if it is
    one of those that cost most, else the worst of them."""
    review, match = model.review, model.match
    if review is None or match is None:
        return Content("")
    curve, text = _curve(model, width // _SHARE, table), progress_text(review)
    if review.is_whole and review.costliest:
        text = costly_text(looked_at_first(review.costliest, model.shown_ply)[0], lambda seat: seat_name(match, seat))
    elif review.why:
        text = f"{text}. {review.why}"
    room = width - cell_len(curve.plain) - 1
    return Content.assemble(curve, " ", (shortened(text, room), theme.CHALK))


def _curve(model: Model, width: int, table: str) -> Content:
    review, match = model.review, model.match
    if review is None or match is None:
        return Content("")
    left = lower_seat(match)
    colour = theme.readable(match.seats[left].style.colour, table)
    return Content.assemble((bars(review.leads, width, left), colour))


def _names(match: Snapshot, width: int) -> Content:
    left = lower_seat(match)
    room = (width - 1) // 2
    first, second = (shortened(seat_name(match, seat), room) for seat in (left, 1 - left))
    gap = " " * max(width - cell_len(first) - cell_len(second), 1)
    return Content.assemble((first, f"bold {theme.CHALK}"), gap, (second, f"bold {theme.CHALK}"))


def _bars(match: Snapshot, one: Statistic, width: int, table: str) -> Content:
    """The figures at the edges, the label in the middle, bars from it outwards: the lower seat's at the left."""
    left = lower_seat(match)
    half, odd = divmod(width - cell_len(one.label) - 2, 2)
    first, second = one.figures[left], one.figures[1 - left]
    room = max(half - max(len(first), len(second)) - 1, 0)
    bars = [_bar(one.lengths[seat], room) for seat in (left, 1 - left)]
    colours = [theme.readable(match.seats[seat].style.colour, table) for seat in (left, 1 - left)]
    start = f"{first} ".rjust(half - len(bars[0]))
    end = f" {second}".ljust(half + odd - len(bars[1]))
    return Content.assemble(
        (start, theme.CHALK), (bars[0], colours[0]), (f" {one.label} ", theme.DUST), (bars[1], colours[1]),
        (end, theme.CHALK),
    )  # fmt: skip


def _bar(length: float, room: int) -> str:
    return "▆" * max(round(length * room), 1 if length and room else 0)


def _in_one_line(match: Snapshot, found: tuple[Statistic, ...], width: int, table: str) -> Content:
    """The same in short: as many of them as there is room for."""
    parts: list[Content] = []
    used = 0
    for one in found:
        label = f" {one.label} "
        cells = 2 * _NARROW + cell_len(label) + sum(len(figure) + 1 for figure in one.figures)
        if used + cells > width:
            break
        parts.append(_bars(match, one, cells, table))
        used += cells + 3
    return Content("   ").join(parts)
