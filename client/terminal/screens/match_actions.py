"""What the user does at the screen of a match: by the board, by keys and buttons, in dialogs."""

from __future__ import annotations

from functools import partial

from textual import events, on
from textual.widgets import Button

from client.conversation.position import seat_name
from client.kept.saves import choose
from client.shown.actions.questions import WHICH_SAVED, question
from client.shown.board import picking
from client.shown.model import Model
from client.shown.words.status import quitting_costs
from client.terminal.parts.board import BoardView
from client.terminal.parts.end_card import EndCard
from client.terminal.parts.log_view import LogView
from client.terminal.parts.moves_view import Moves, MovesView, Tab
from client.terminal.parts.prompts import MENU
from client.terminal.screens.base import Application, ParlourScreen
from client.terminal.screens.dialogs import AskDialog, SayDialog, TypeDialog
from client.terminal.screens.saved import SavedDialog, SaveDialog
from client.terminal.screens.settings_dialog import SettingsDialog
from protocol.messages import Snapshot


def invitation(parlour: Application, match: Snapshot) -> str:
    """The link to a match that waits; "" for any other one."""
    return (parlour.link_to(match) or parlour.link_here(match)) if match.status == "waiting" and match.you else ""


class MatchActions(ParlourScreen):
    """The half of the screen that takes what is done; the other one shows the match."""

    _copied = ""
    """The link that was copied last."""

    def show_notice(self, model: Model) -> None:
        """Show what the cursor is on."""
        raise NotImplementedError

    def place_side(self) -> None:
        """Arrange anew."""
        raise NotImplementedError

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
        self._turn(chat=event.name == "chat-tab")

    def _turn(self, *, chat: bool) -> None:
        self.query_one(MovesView).turn(chat=chat)
        self.parlour.refresh_screens()

    def action_say(self) -> None:
        """Type a line for the others, with what was said in sight."""
        self._turn(chat=True)
        self.app.push_screen(SayDialog(plays=self.parlour.model.plays))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does anything now."""
        if action == "copy":
            match = self.parlour.model.match
            return match is not None and bool(invitation(self.parlour, match))
        return super().check_action(action, parameters)

    def action_copy(self) -> None:
        """Give the link to whoever pastes (`CK R1.5`)."""
        match = self.parlour.model.match
        if match is not None:
            self._copied = invitation(self.parlour, match)
            self.app.copy_to_clipboard(self._copied)
            self.parlour.refresh_screen(self)

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
        self._turn(chat=False)
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
