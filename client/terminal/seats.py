"""The two players: who they are, their scores, whose turn it is, who is connected."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from client.model import Model
from client.position import seat_name
from client.terminal import theme
from client.terminal.plain import content
from client.terminal.widgets import shortened
from protocol.messages import Snapshot

TURN = "▶"


def score_text(model: Model, seat: int) -> str:
    """The seat's scores with what they count: "12 boxes"."""
    match = model.match
    if match is None:
        return ""
    game = model.games.get(match.game)
    names = game.score_names if game is not None else ()
    values = match.scores[seat]
    counts = (f"{value} {names[i] if i < len(names) else ''}".strip() for i, value in enumerate(values))
    return ", ".join(counts)


def presence_text(match: Snapshot, seat: int) -> str:
    """Whether the seat's holder is connected; nothing while the seat is free."""
    info = match.seats[seat]
    if info.name is None:
        return "free seat"
    if seat in match.you:
        return "" if len(match.you) == 2 else "you"
    return "here" if info.here else "away"


class SeatCard(Widget):
    """One seat on paper, in its colour and with its symbol; the one to move has a marked edge (`DB 7.3.1.2`)."""

    def __init__(self, seat: int) -> None:
        super().__init__(id=f"seat-{seat}", classes="seat")
        self._seat = seat
        self._model = Model()

    def show(self, model: Model) -> None:
        """Show this model's seat."""
        self._model = model
        self.set_class(model.match is not None and model.match.to_move == self._seat and is_on(model.match), "-turn")
        self.refresh()

    def render(self) -> Content:
        """Two lines, or one where there is no room for more."""
        model, seat = self._model, self._seat
        match = model.match
        if match is None:
            return Content("")
        width = self.content_size.width
        colour = theme.readable(match.seats[seat].style.colour, theme.PAPER)
        turn = TURN if match.to_move == seat and is_on(match) else " "
        symbol = match.seats[seat].style.symbol[:1] or str(seat + 1)
        name, score, presence = seat_name(match, seat), score_text(model, seat), presence_text(match, seat)
        away = theme.BRICK_ON_PAPER if presence == "away" else theme.PENCIL_DARK
        head = [(f"{turn} ", f"bold {theme.INK}"), (f"{symbol} ", f"bold {colour}")]
        if self.content_size.height < 2:
            number = " ".join(map(str, match.scores[seat]))
            room = width - 6 - len(number) - (5 if presence == "away" else 0)
            tail = [(f" {number}", f"bold {colour}")]
            if presence == "away":
                tail.append((" away", away))
            return Content.assemble(*head, (shortened(name, room), f"bold {theme.INK}"), *tail)
        # The server's sentences call the players by their seats: "Player 1's turn".
        style = match.seats[seat].style.name
        called = f"{style}  " if name != style else ""
        name = shortened(name, width - 5 - len(presence))
        gap = " " * max(width - 4 - content(name).cell_length - len(presence), 1)
        return Content.assemble(
            *head,
            (name, f"bold {theme.INK}"),
            gap,
            (presence, away),
            "\n    ",
            (called, theme.PENCIL_DARK),
            (score, f"bold {colour}"),
        )


def is_on(match: Snapshot) -> bool:
    """Whether somebody is to move."""
    return match.status == "playing"


def banner(model: Model) -> tuple[Content, str]:
    """The one line that says whose turn it is, or how it ended, and the class that colours it."""
    match = model.match
    if match is None:
        return Content(""), ""
    if match.status == "waiting":
        if match.key is not None:
            return content(f"Give your opponent this key:  {match.key}"), "-mine"
        return content("Waiting for an opponent…"), "-waiting"
    if match.status == "ended":
        return content(_ending(match)), "-ended"
    seat = match.to_move
    if seat is None:
        return content(match.text), ""
    symbol = match.seats[seat].style.symbol[:1]
    if model.holds_both:
        return content(f"{TURN} {symbol} {seat_name(match, seat)}, it is your turn"), "-mine"
    if model.is_my_turn:
        return content(f"{TURN} Your turn, {seat_name(match, seat)}  {symbol}"), "-mine"
    return content(f"  {symbol} {seat_name(match, seat)} is to move"), "-theirs"


def _ending(match: Snapshot) -> str:
    """How it ended, first for the one who reads it."""
    result = match.result
    if result is None:
        return match.text
    if result.winner is None:
        return result.text
    if len(match.you) == 1:
        return f"{'You win!' if result.winner in match.you else 'You lose.'}  {result.text}"
    return f"{seat_name(match, result.winner)} wins!  {result.text}"
