"""The two players: who they are, their scores and clocks, whose turn it is, who is connected."""

from __future__ import annotations

import re
from typing import Literal

from textual.content import Content
from textual.widget import Widget

from client.conversation.position import running_seat, seat_name
from client.shown.model import Model
from client.shown.words.clocks import clock_text, is_low
from client.shown.words.status import (
    HERE,
    TURN,
    first_move_text,
    headline,
    is_gone,
    is_missed,
    is_on,
    lower_seat,
    presence_text,
    score_text,
)
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import shortened
from protocol.messages import Snapshot

Place = Literal["above", "below"]
SHORT = re.compile("has |connection ")
"""What goes from the words of presence where they leave a name no room: "quit 0:24", "lost 0:24"."""


class SeatCard(Widget):
    """One seat on paper, in its colour and with its symbol; the one to move has a marked edge (`DB 7.3.1.2`).

    With a clock its countdown stands below, on brass while it runs, on red when it is low (`CK R2.3`, `5.4.5`). Above
    the board sits the opponent, below it oneself.
    """

    def __init__(self, place: Place) -> None:
        super().__init__(classes=f"seat -{place}")
        self._place = place
        self._seat = 0
        self._model = Model()
        self._clock = ""
        self._low = False
        self._presence = ""
        self._first_move = ""

    def show(self, model: Model, now: float) -> None:
        """Show this model's seat; drawn again only when something in it has changed."""
        match = model.match
        if match is not None:
            lower = lower_seat(match)
            self._seat = lower if self._place == "below" else 1 - lower
        seat = self._seat
        left = model.countdowns(now)
        clock = "" if left is None else f"{'~' if model.is_unsure else ''}{clock_text(left[seat])}"
        presence, first_move = presence_text(model, seat, now), first_move_text(model, seat, now)
        if (model, clock, presence, first_move) == (self._model, self._clock, self._presence, self._first_move):
            return
        self._model, self._clock, self._presence, self._first_move = model, clock, presence, first_move
        self._low = left is not None and is_low(left[seat])
        turn = match is not None and match.to_move == seat and is_on(match)
        self.set_class(turn, "-turn")
        self.set_class(match is not None and match.clock is not None, "-three")
        self.refresh()

    def render(self) -> Content:
        """Two or three lines, or one where there is no room for more."""
        model, seat = self._model, self._seat
        match = model.match
        if match is None:
            return Content("")
        width = self.content_size.width
        # On the shade, which the card of the seat that is not to move has, it is seen less.
        colour = theme.readable(match.seats[seat].style.colour, theme.PAPER_SHADE, theme.TEXT)
        turn = TURN if match.to_move == seat and is_on(match) else " "
        symbol = match.seats[seat].style.symbol[:1] or str(seat + 1)
        name, presence = seat_name(match, seat), self._presence
        if name == symbol:
            # A free seat of Square is called by its sign.
            name = ""
        score = self._first_move or score_text(model, seat)
        gone = is_gone(model, seat)
        away = theme.BRICK_ON_PAPER if is_missed(model, seat) else theme.PENCIL_DARK
        head = [(f"{turn} ", f"bold {theme.INK}"), (f"{symbol} ", f"bold {colour}")]
        if self.content_size.height < 2:
            number = " ".join(map(str, match.scores[seat]))
            tail = [(f" {SHORT.sub('', presence)}", away)] if gone else []
            tail += [(f" {self._first_move}", theme.PENCIL_DARK)] if self._first_move else []
            tail += [(" ", ""), *self._time(match)] if self._clock else []
            room = width - 6 - len(number) - sum(content(text).cell_length for text, _ in tail)
            return Content.assemble(
                *head, (shortened(name, room), f"bold {theme.INK}"), (f" {number}", f"bold {colour}"), *tail
            )
        # The server's sentences call the players by their seats: "Player 1's turn".
        style = match.seats[seat].style.name
        called = f"{style}  " if style not in (name, symbol) else ""
        if content(name).cell_length > width - 5 - len(presence):
            # Who is not here would be told: the level behind the computer's name is not.
            presence = "" if presence == HERE else SHORT.sub("", presence)
        name = shortened(name, width - 4 - (1 + len(presence) if presence else 0))
        gap = " " * max(width - 4 - content(name).cell_length - len(presence), bool(presence))
        if 4 + len(called) + len(score) > width:
            called = ""
        indent = " " * max(min(4, width - len(score)), 0)
        lines: list[tuple[str, str]] = [
            (f"\n{indent}", ""), (called, theme.PENCIL_DARK), (shortened(score, width), f"bold {colour}"),
        ]  # fmt: skip
        if self._clock:
            lines += [("\n   ", ""), *self._time(match)]
        return Content.assemble(*head, (name, f"bold {theme.INK}"), gap, (presence, away), *lines)

    def _time(self, match: Snapshot) -> list[tuple[str, str]]:
        """The countdown. Without colours the running one is told by its arrow, a low one by its exclamation mark."""
        runs = running_seat(match) == self._seat
        low = self._low and match.status == "playing"
        text = f"{'▸' if runs else ' '}{self._clock}{'!' if low else ' '}"
        if runs:
            ground = theme.BRICK_ON_PAPER if low else theme.GOLD
            return [(text, f"bold {theme.PAPER if low else theme.INK} on {ground}")]
        return [(text, theme.BRICK_ON_PAPER if low else theme.PENCIL_DARK)]


def banner(model: Model) -> tuple[Content, str]:
    """The one line that says whose turn it is, or how it ended, and the class that colours it."""
    text, kind = headline(model)
    return content(text), f"-{kind}" if kind else ""
