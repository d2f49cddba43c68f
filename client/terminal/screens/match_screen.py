"""A match on screen: board, players and clocks, whose turn it is, what waits for an answer, what happened."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Button

from client.conversation.position import running_seat
from client.kept.settings import BoardColours
from client.shown import match_log
from client.shown.actions.controls import BY_ACTION, Place, Shelf
from client.shown.actions.plans import DROPPED
from client.shown.board import picking
from client.shown.board.groups import placement_text
from client.shown.model import Model
from client.shown.words.challenges import BEFORE_LINK, BEFORE_LOCAL_LINK
from client.shown.words.clocks import rule_text
from client.shown.words.ending import EndSeen
from client.shown.words.lobby import game_text, options_text, title_of
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.board import BoardView, needs, same_within
from client.terminal.parts.end_card import EndCard
from client.terminal.parts.log_view import LogView
from client.terminal.parts.moves_view import MovesView
from client.terminal.parts.prompts import MENU, Actions, Ask, PauseCover
from client.terminal.parts.seats import SeatCard, banner
from client.terminal.parts.widgets import HelpPanel, KeyBar, TwoEnds, fitting, link_line
from client.terminal.screens.base import bindings_for
from client.terminal.screens.match_actions import MatchActions, invitation
from protocol.messages import Snapshot

SIDE = 26
"""Columns of the panel beside the board; where the board leaves less, the players go above it."""
ROOMY_SIDE = 36
"""The same where that costs the board nothing: a name of twenty letters stands whole beside all that is said of it."""
TALL_SIDE = 32
"""Columns beside a board that takes all the height."""
LINES_AROUND = 4
"""Rows above and below the board where it does not."""
TICK_S = 0.1
"""How often countdowns are looked at: below ten seconds they show tenths (`CK R2.3`)."""


COPY = tuple(f"{BY_ACTION['copy'].first_key} {words}" for words in ("copies the link", "copies"))
COPIED = ("copied, if your terminal lets it", "copied")
"""What is said of the link of a match that waits, the longest first."""


class MatchScreen(MatchActions):
    """Shows `model.match` to its players and to spectators (`DB 7.1.1.2`, `CK 5.4.5`)."""

    PLACE = Place.MATCH
    FIRST = "#board"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.MATCH, leave_out=frozenset({"move_cursor", "touch"}))

    def __init__(self) -> None:
        super().__init__()
        self._words: tuple[str, ...] = ()
        self._end = EndSeen()
        self._board_colours = BoardColours.PAPER

    # The parts are made at once, and stay; they would be looked for among a hundred ten times a second.

    @cached_property
    def _timed(self) -> tuple[SeatCard | Ask | PauseCover, ...]:
        return (*self.query(SeatCard), *self.query(Ask), self.query_one(PauseCover))

    @cached_property
    def _actions(self) -> tuple[Actions, ...]:
        return tuple(self.query(Actions))

    @cached_property
    def _ends(self) -> tuple[EndCard, ...]:
        return tuple(self.query(EndCard))

    def parts(self) -> ComposeResult:
        """Head, board with the panel beside it, or what is in the panel below it, whose turn, what happened, keys."""
        yield TwoEnds("head")
        with Horizontal(id="body"):
            yield PauseCover()
            yield BoardView()
            yield LogView()
            with Vertical(id="side"):
                yield SeatCard("above")
                yield Ask(Shelf.PLAN)
                yield Ask(Shelf.OFFER)
                yield Ask(Shelf.AWAY)
                yield EndCard()
                yield Actions()
                yield MovesView()
                yield SeatCard("below")
            yield HelpPanel(Place.MATCH)
        with Vertical(id="below"):
            yield SeatCard("below")
            yield Ask(Shelf.PLAN)
            yield Ask(Shelf.OFFER)
            yield Ask(Shelf.AWAY)
            yield EndCard()
            yield Actions()
        yield Horizontal(id="words")
        yield TwoEnds("banner")
        yield TwoEnds("notice")
        yield KeyBar(Place.MATCH)

    @on(events.Mount)
    def begin(self) -> None:
        """The board has the keys. A log is written anew where colours change, for what is written keeps its own."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.query_one(LogView).anew())
        self.query_one(BoardView).focus()
        self.set_interval(TICK_S, self.tick)

    def tick(self) -> None:
        """What counts down."""
        match = self.parlour.model.match
        if match is not None and self.children and match.status == "ended":
            for actions in self._actions:
                actions.is_deaf = self._end.is_deaf(self.parlour.now)
        if (
            match is not None
            and self.children
            and (running_seat(match) is not None or match.pause is not None or match.away)
        ):
            self._show_times(self.parlour.model, self.parlour.now)

    def _show_times(self, model: Model, now: float) -> None:
        for part in self._timed:
            part.show(model, now)

    def show(self, model: Model, now: float) -> None:
        """Show the model's match; nothing when it is just being left."""
        match = model.match
        if match is None:
            return
        if self.parlour.settings.board is not self._board_colours:
            self._board_colours = self.parlour.settings.board
            self.query_one(BoardView).recolour()
        game = model.games.get(match.game)
        self.place_side()
        self._show_head(model, match, now)
        self._show_board(model)
        self._show_times(model, now)
        self._end = self._end.look(match, now)
        for actions in self._actions:
            actions.show(model, is_deaf=self._end.is_deaf(now), is_open=self.has_class(MENU))
        for end in self._ends:
            end.show(model)
        self._show_log(model, match)
        self._show_words(model, match)
        self._show_banner(model, match)
        self.show_notice(model)
        self.query_one(KeyBar).show(model)
        help_text = game.help.split("\n\n") if game is not None else []
        self.query_one(HelpPanel).show(title_of(model.games, match.game), help_text)

    def _show_board(self, model: Model) -> None:
        """The board, or nothing of it while it is covered (`CK 5.4.3`)."""
        board, log = self.query_one(BoardView), self.query_one(LogView)
        log.show(model, match_log.page(self.parlour.page, model.match.match if model.match is not None else ""))
        if model.is_log:
            board.display = False
            if self.focused in (None, board) and self.app.screen is self:
                log.focus_first()
            return
        board.show(model)
        if board.display == model.is_covered:
            board.display = not model.is_covered
            if board.display:
                board.focus()
        elif self.focused is None and board.display and self.app.screen is self:
            board.focus()

    def shape(self, size: Size) -> dict[str, bool]:
        """The panel beside the board, or above a board that needs the width; a board that needs all the height has it,
        and all other lines are beside it."""
        match = self.parlour.model.match
        if match is None:
            return super().shape(size)
        (width, height), (wide, high) = size, needs(match.board)
        room = height - LINES_AROUND
        tall = room < high <= height and wide + TALL_SIDE <= width and not self.has_class("-help")
        return {
            **super().shape(size),
            "-tall": tall,
            "-roomy": not tall and same_within(match.board, width - SIDE, width - ROOMY_SIDE, room),
            "-stacked": width < wide + SIDE,
        }

    def place_side(self) -> None:
        """Arrange anew."""
        self.update_classes(self.shape(self.size))

    def _show_head(self, model: Model, match: Snapshot, now: float) -> None:
        options = options_text(model.games.get(match.game), match.options)
        head = [(game_text(model.games, match.game, match.options), f"bold {theme.CHALK}")]
        if not model.plays and not model.is_cleared:
            head.append(("  you are watching", theme.BRASS))
        for more in (options, rule_text(match.clock_rule)):
            if more:
                head.append((f"  {more}", theme.DUST))
        if match.spectators:
            head.append((f"  {match.spectators} watching", theme.DUST))
        self.query_one("#head", TwoEnds).show(Content.assemble(*head), link_line(model, now))

    def _show_log(self, model: Model, match: Snapshot) -> None:
        view = self.query_one(MovesView)
        if view.shows_chat and view.is_on_screen:
            self.parlour.read_chat()
        view.show(self.parlour.model, match)

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
        # The end, a pause and the waiting say it already, a key must be seen whole, and so must why nothing goes on.
        told = match.status in ("ended", "waiting") or match.pause is not None
        alone = bool(match.lesson) or told or model.outage is not None
        text = "" if alone else "End: back to now" if model.step is not None else match.text
        link = invitation(self.parlour, match)
        if link:
            text = fitting(COPIED if link == self._copied else COPY, self.size.width - 3 - line.cell_length)
        widget.show(line, content(text, "not bold"))

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
        made = placement_text(match, board.at_hand) if board.at_hand is not None and model.is_my_turn else ""
        if made:
            right = f"{_shown(match, board.at_hand or '')}: {made}"
        notice = model.notice
        if model.plan.dropped and not notice.code:
            left = content(DROPPED, theme.CHALK)
        elif notice.text:
            bad = bool(notice.code)
            left = content(("✗ " if bad else "") + notice.text, f"bold {theme.BRICK}" if bad else theme.DUST)
        elif match.result is not None:
            left = content("")
        elif model.happenings and match.status != "ended":
            left = content(model.happenings[-1].text, theme.CHALK)
        else:
            left = content("")
        link = invitation(self.parlour, match)
        if link and not notice.text:
            before = BEFORE_LINK if self.parlour.link_to(match) else BEFORE_LOCAL_LINK
            said = fitting(before, self.size.width - 2 - len(link))
            left, right = Content.assemble((said, theme.DUST), (link, f"bold {theme.BRASS}")), ""
        self.query_one("#notice", TwoEnds).show(left, content(right, theme.DUST))


def _shown(match: Snapshot, element: str) -> str:
    """What an element is called in front of people: its label, or its id unless that is only for machines."""
    label = next((cell.label for cell in match.board.cells if cell.id == element), "")
    return label or (element if element[:1].isalnum() else "")
