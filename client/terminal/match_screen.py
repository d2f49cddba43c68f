"""A match on screen: board, players, whose turn it is, what happened, the connection."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from client import picking
from client.controls import Place
from client.lobby import options_text, title_of
from client.model import Model
from client.position import seat_name
from client.terminal import theme
from client.terminal.base import ParlourScreen, bindings_for
from client.terminal.board import BoardView, needs
from client.terminal.dialogs import GiveUpDialog
from client.terminal.plain import content
from client.terminal.seats import SeatCard, banner
from client.terminal.widgets import HelpPanel, KeyBar, TwoEnds, link_line, shortened
from protocol.messages import Snapshot

SIDE = 26
"""Columns of the panel beside the board; where the board leaves less, the players go above it."""


class MatchScreen(ParlourScreen):
    """Shows `model.match` to its players and to spectators (`DB 7.1.1.2`, `CK 5.4.5`)."""

    PLACE = Place.MATCH
    FIRST = "#board"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.MATCH, leave_out=frozenset({"move_cursor", "touch"}))

    def __init__(self) -> None:
        super().__init__()
        self._words: tuple[str, ...] = ()

    def parts(self) -> ComposeResult:
        """Head, board with the panel beside it, what can be done besides moving, whose turn, what happened, keys."""
        yield TwoEnds("head")
        with Horizontal(id="body"):
            yield BoardView()
            with Vertical(id="side"):
                yield SeatCard(0)
                yield SeatCard(1)
                yield Static(id="log", markup=False)
            yield HelpPanel(Place.MATCH)
        yield Horizontal(id="words")
        with Horizontal(id="ending"):
            yield Button("Back to the lobby (l)", id="to-lobby", variant="primary", compact=True)
            yield Button("Play again (n)", id="again", compact=True)
        yield TwoEnds("banner")
        yield TwoEnds("notice")
        yield KeyBar(Place.MATCH)

    @on(events.Mount)
    def begin(self) -> None:
        """The board has the keys."""
        self.query_one(BoardView).focus()

    def show(self, model: Model, now: float) -> None:
        """Show the model's match; nothing when it is just being left."""
        match = model.match
        if match is None:
            return
        game = model.games.get(match.game)
        self._place_side(match)
        self._show_head(model, match, now)
        self.query_one(BoardView).show(model)
        for card in self.query(SeatCard):
            card.show(model)
        self._show_log(model, match)
        self._show_words(model, match)
        over = match.status == "ended"
        self.query_one("#ending").display = over
        self.query_one("#again").display = over and model.plays
        self._show_banner(model, match)
        self.show_notice(model)
        self.query_one(KeyBar).show(model)
        help_text = game.help.split("\n\n") if game is not None else []
        self.query_one(HelpPanel).show(title_of(model.games, match.game), help_text)

    def _place_side(self, match: Snapshot) -> None:
        """The panel beside the board, or above a board that needs the width."""
        self.set_class(self.size.width < needs(match.board)[0] + SIDE, "-stacked")

    @on(events.Resize)
    def place_side(self) -> None:
        """Arrange anew."""
        if self.parlour.model.match is not None:
            self._place_side(self.parlour.model.match)

    def _show_head(self, model: Model, match: Snapshot, now: float) -> None:
        options = options_text(model.games.get(match.game), match.options)
        head = [(title_of(model.games, match.game), f"bold {theme.CHALK}")]
        if options:
            head.append((f"  {options}", theme.DUST))
        if match.spectators:
            head.append((f"  {match.spectators} watching", theme.DUST))
        if not model.plays:
            head.append(("  you are watching", theme.BRASS))
        self.query_one("#head", TwoEnds).show(Content.assemble(*head), link_line(model, now))

    def _show_log(self, model: Model, match: Snapshot) -> None:
        log = self.query_one("#log", Static)
        room = max(log.content_size.height, 1)
        width = max(log.content_size.width, 10)
        lines: list[Content | tuple[str, str]] = []
        if match.key is not None:
            lines += [("Private. The key is\n", theme.DUST), (f"{match.key}\n\n", f"bold {theme.BRASS}")]
            room -= 3
        for happening in model.happenings[-max(room, 1) :]:
            symbol = match.seats[happening.seat].style.symbol[:1] if happening.seat is not None else " "
            lines += [(f"{symbol} ", theme.CHALK), (f"{shortened(happening.text, width - 2)}\n", theme.DUST)]
        log.update(Content.assemble(*lines))

    def _show_words(self, model: Model, match: Snapshot) -> None:
        """Legal moves that touch nothing on the board, as buttons (`RU-HX5`)."""
        words = picking.words(match) if model.is_my_turn else ()
        box = self.query_one("#words")
        box.display = bool(words)
        if words != self._words:
            self._words = words
            box.remove_children()
            box.mount_all(Button(content(word), name=word, classes="word", compact=True) for word in words)

    def _show_banner(self, model: Model, match: Snapshot) -> None:
        line, kind = banner(model)
        widget = self.query_one("#banner", TwoEnds)
        widget.set_classes(kind)
        # The end says it already, and a key must be seen whole.
        alone = match.status == "ended" or (match.status == "waiting" and match.key is not None)
        widget.show(line, content("" if alone else match.text, "not bold"))

    def show_notice(self, model: Model) -> None:
        """A refusal, or else what happened last; at the other end what the cursor is on (`DB 7.3.2.1`)."""
        board, match = self.query_one(BoardView), model.match
        right = ""
        if match is None:
            return
        if board.picked:
            right = " → ".join(_shown(match, element) for element in board.picked) + " → …"
        elif board.cursor is not None:
            right = _shown(match, board.cursor)
        notice = model.notice
        if notice.text:
            bad = bool(notice.code)
            left = content(("✗ " if bad else "") + notice.text, f"bold {theme.BRICK}" if bad else theme.DUST)
        elif model.happenings and match.status != "ended":
            left = content(model.happenings[-1].text, theme.CHALK)
        else:
            left = content("")
        self.query_one("#notice", TwoEnds).show(left, content(right, theme.DUST))

    # What the user does -----------------------------------------------------------------------------------------------

    def on_board_view_played(self, event: BoardView.Played) -> None:
        """A move from the board (`UD RF4`)."""
        self.parlour.play(event.move)

    def on_board_view_looked(self, event: BoardView.Looked) -> None:
        """The cursor moved."""
        self.show_notice(self.parlour.model)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A word that is a move, or one of the ways on after the end."""
        if event.button.id == "to-lobby":
            self.parlour.leave_match()
        elif event.button.id == "again":
            self.action_again()
        elif event.button.name is not None:
            self.parlour.play(event.button.name)
            self.query_one(BoardView).focus()

    def action_cancel(self) -> None:
        """Take the match back."""
        self.parlour.cancel_match()

    def action_give_up(self) -> None:
        """Ask first (`CK R4.3`)."""
        match, seat = self.parlour.model.match, self.parlour.model.viewer_seat
        if match is not None and seat is not None:
            self.app.push_screen(GiveUpDialog(seat_name(match, 1 - seat)))

    def action_again(self) -> None:
        """The same game once more (`UD RF3`)."""
        self.parlour.play_again()

    def action_lobby(self) -> None:
        """Let go of what is picked; else back to the lobby."""
        if not self.query_one(BoardView).let_go():
            self.parlour.leave_match()


def _shown(match: Snapshot, element: str) -> str:
    """What an element is called in front of people: its label, or its id unless that is only for machines."""
    label = next((cell.label for cell in match.board.cells if cell.id == element), "")
    return label or (element if element[:1].isalnum() else "")
