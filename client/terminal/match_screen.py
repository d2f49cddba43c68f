"""A match on screen: board, players and clocks, whose turn it is, what waits for an answer, what happened."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button

from client.conversation.position import running_seat, seat_name
from client.kept.saves import choose
from client.kept.settings import BoardColours
from client.shown import match_log, picking
from client.shown.clocks import rule_text
from client.shown.controls import Place, Shelf
from client.shown.ending import EndSeen
from client.shown.groups import placement_text
from client.shown.lobby import game_text, options_text, title_of
from client.shown.model import Model
from client.shown.plans import DROPPED
from client.shown.questions import WHICH_SAVED, question
from client.shown.status import quitting_costs
from client.terminal import theme
from client.terminal.base import ParlourScreen, bindings_for
from client.terminal.board import BoardView, needs
from client.terminal.dialogs import AskDialog, SayDialog, TypeDialog
from client.terminal.end_card import EndCard
from client.terminal.log_view import LogView
from client.terminal.moves_view import Moves, MovesView, Tab
from client.terminal.plain import content
from client.terminal.prompts import MENU, Actions, Ask, PauseCover
from client.terminal.saved import SavedDialog, SaveDialog
from client.terminal.seats import SeatCard, banner
from client.terminal.settings_dialog import SettingsDialog
from client.terminal.widgets import HelpPanel, KeyBar, TwoEnds, link_line
from protocol.messages import Snapshot

SIDE = 26
"""Columns of the panel beside the board; where the board leaves less, the players go above it."""
TALL_SIDE = 32
"""Columns beside a board that takes all the height."""
LINES_AROUND = 4
"""Rows above and below the board where it does not."""
TICK_S = 0.1
"""How often countdowns are looked at: below ten seconds they show tenths (`CK R2.3`)."""


class MatchScreen(ParlourScreen):
    """Shows `model.match` to its players and to spectators (`DB 7.1.1.2`, `CK 5.4.5`)."""

    PLACE = Place.MATCH
    FIRST = "#board"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.MATCH, leave_out=frozenset({"move_cursor", "touch"}))

    def __init__(self) -> None:
        super().__init__()
        self._words: tuple[str, ...] = ()
        self._end = EndSeen()
        self._board_colours = BoardColours.PAPER

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
            for actions in self.query(Actions):
                actions.is_deaf = self._end.is_deaf(self.parlour.now)
        if (
            match is not None
            and self.children
            and (running_seat(match) is not None or match.pause is not None or match.away)
        ):
            self._show_times(self.parlour.model, self.parlour.now)

    def _show_times(self, model: Model, now: float) -> None:
        for card in self.query(SeatCard):
            card.show(model, now)
        for ask in self.query(Ask):
            ask.show(model, now)
        self.query_one(PauseCover).show(model, now)

    def show(self, model: Model, now: float) -> None:
        """Show the model's match; nothing when it is just being left."""
        match = model.match
        if match is None:
            return
        if self.parlour.settings.board is not self._board_colours:
            self._board_colours = self.parlour.settings.board
            self.query_one(BoardView).recolour()
        game = model.games.get(match.game)
        self._place_side(match)
        self._show_head(model, match, now)
        self._show_board(model)
        self._show_times(model, now)
        self._end = self._end.look(match, now)
        for actions in self.query(Actions):
            actions.show(model, is_deaf=self._end.is_deaf(now), is_open=self.has_class(MENU))
        for end in self.query(EndCard):
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

    def _place_side(self, match: Snapshot) -> None:
        """The panel beside the board, or above a board that needs the width; a board that needs all the height has it,
        and all other lines are beside it."""
        wide, high = needs(match.board)
        room = self.size.height - LINES_AROUND
        tall = room < high <= self.size.height and wide + TALL_SIDE <= self.size.width and not self.has_class("-help")
        self.set_class(tall, "-tall")
        self.set_class(self.size.width < wide + SIDE, "-stacked")

    @on(events.Resize)
    def place_side(self) -> None:
        """Arrange anew."""
        if self.parlour.model.match is not None:
            self._place_side(self.parlour.model.match)

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
        if view.shows_talk and view.is_on_screen:
            self.parlour.read_talk()
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
        # The end and the waiting say it already, a key must be seen whole, and so must why nothing goes on.
        alone = bool(match.lesson) or match.status in ("ended", "waiting") or model.outage is not None
        text = "End: back to now" if model.step is not None else match.text
        widget.show(line, content("" if alone else text, "not bold"))

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
        link = self.parlour.link_to(match) if match.status == "waiting" and not notice.code else ""
        if link:
            left = Content.assemble(("For your opponent: ", theme.DUST), (link, f"bold {theme.BRASS}"))
        self.query_one("#notice", TwoEnds).show(left, content(right, theme.DUST))

    # What the user does -----------------------------------------------------------------------------------------------

    def on_board_view_played(self, event: BoardView.Played) -> None:
        """A move from the board (`UD RF4`)."""
        self.parlour.play(event.move)

    def on_board_view_touched_in_vain(self, event: BoardView.TouchedInVain) -> None:
        """Say why nothing happens."""
        self.parlour.tell(event.why, picking.IN_VAIN)

    def on_board_view_looked(self, event: BoardView.Looked) -> None:
        """The cursor moved."""
        self.show_notice(self.parlour.model)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """A word that is a move."""
        if event.button.name is not None:
            self.parlour.play(event.button.name)
            self.query_one(BoardView).focus()

    def action_act(self, action: str) -> None:
        """What the server is asked at once: pause, an offer, an answer, and the like (`CK 5.4`)."""
        self.close_menu()
        self.parlour.act(action)

    def action_confirm(self) -> None:
        """Send the move that waits for that."""
        self.parlour.confirm()

    def action_unplan(self) -> None:
        """Let go of a move that is not sent."""
        self.parlour.drop_plan()

    def action_cancel(self) -> None:
        """Take the match back."""
        self.parlour.cancel_match()

    def action_settings(self) -> None:
        """Choose how the client looks and sounds, and how one plays."""
        self.app.push_screen(SettingsDialog())

    def action_quit(self) -> None:
        """Ask first where it may cost the match; Ctrl-C and Ctrl-Q do not ask."""
        costs = quitting_costs(self.parlour.model)
        if costs:
            self.app.push_screen(AskDialog("Quit?", costs, "Quit", "Play on", self.parlour.leave_program))
        else:
            super().action_quit()

    def action_give_up(self) -> None:
        """Ask first (`CK R4.3`)."""
        match = self.parlour.model.match
        if match is None:
            return
        self._ask("give_up", match)

    def action_restart(self) -> None:
        """Ask first, for where nobody else has to agree it is done at once (`RU-M6`, `SQ10`)."""
        match = self.parlour.model.match
        if match is not None:
            self._ask("restart", match)

    def _ask(self, action: str, match: Snapshot) -> None:
        # What is agreed to is what was asked about: the match may go on behind the question (`Q1`).
        act = partial(self.parlour.act, action, self.parlour.model.next_version)
        asked, consequence, yes = question(action, self.parlour.model, match)
        self.app.push_screen(AskDialog(asked, consequence, yes, "Play on", act))

    def action_revert(self) -> None:
        """Choose the saved position to go back to (`DB 7.3.3.2`)."""
        match = self.parlour.model.match
        if match is not None:
            game, options = match.game, match.options
            self.app.push_screen(
                SavedDialog(
                    WHICH_SAVED,
                    lambda name, _: self.parlour.go_back_to(choose(name, game, options)),
                )
            )

    def action_save(self) -> None:
        """Choose a name, and save (`DB 7.3.3.1`)."""
        match = self.parlour.model.match
        if match is not None:
            names = " - ".join(seat_name(match, seat) for seat in (0, 1))
            self.app.push_screen(SaveDialog(f"{names} {match.plies}"))

    def action_more(self) -> None:
        """Show or hide what else can be done."""
        self.toggle_class(MENU)
        self.parlour.refresh_screens()

    @on(events.ScreenSuspend)
    def close_menu(self) -> None:
        """What was chosen asks something."""
        self.remove_class(MENU)

    def action_help(self) -> None:
        """Beside the board, which then has the room that is left."""
        super().action_help()
        self.place_side()

    def action_find(self) -> None:
        """Search the log of a student's game."""
        self.query_one(LogView).find()

    def on_moves_looked(self, event: Moves.Looked) -> None:
        """A click on a move."""
        self.parlour.step(event.ply)

    def on_tab_chosen(self, event: Tab.Chosen) -> None:
        """The moves, or what was said."""
        self._turn(talk=event.name == "talk-tab")

    def _turn(self, *, talk: bool) -> None:
        self.query_one(MovesView).turn(talk=talk)
        self.parlour.refresh_screens()

    def action_say(self) -> None:
        """Type a line for the others, with what was said in sight."""
        self._turn(talk=True)
        self.app.push_screen(SayDialog(plays=self.parlour.model.plays))

    def action_type(self) -> None:
        """Type a move."""
        self.app.push_screen(TypeDialog())

    def action_mute(self) -> None:
        """Leave out what others say."""
        self.close_menu()
        self.parlour.mute()

    def action_again(self) -> None:
        """The same game once more (`UD RF3`)."""
        self.parlour.play_again()

    def action_practise(self) -> None:
        """Against the computer, from the position that is looked at."""
        self.parlour.practise()

    def action_review(self) -> None:
        """Begin it, break it off, or put it away."""
        self.parlour.review()

    def on_end_card_looked(self, event: EndCard.Looked) -> None:
        """A click on the curve of a review."""
        self.parlour.step(event.ply)

    def action_clear(self) -> None:
        """Back to an empty board and no match (`UD RF3`)."""
        self.parlour.clear_match()

    def action_back(self) -> None:
        """One move earlier, with the moves in sight."""
        self._turn(talk=False)
        self.parlour.step(self.parlour.model.shown_ply - 1)

    def action_forward(self) -> None:
        """One move later."""
        self.parlour.step(self.parlour.model.shown_ply + 1)

    def action_start(self) -> None:
        """Before the first move."""
        self.parlour.step(0)

    def action_live(self) -> None:
        """The newest position."""
        match = self.parlour.model.match
        self.parlour.step(match.plies if match is not None else 0)

    def action_lobby(self) -> None:
        """Close the menu, or let go of what is picked; else back to the lobby."""
        if self.has_class(MENU):
            self.action_more()
            return
        if self.parlour.drop_plan():
            return
        if not self.query_one(BoardView).let_go() and not self.query_one(LogView).let_go():
            self.parlour.go_to_lobby()


def _shown(match: Snapshot, element: str) -> str:
    """What an element is called in front of people: its label, or its id unless that is only for machines."""
    label = next((cell.label for cell in match.board.cells if cell.id == element), "")
    return label or (element if element[:1].isalnum() else "")
