"""A move from when it is meant until it is sent: at once, once it is confirmed, or planned for the next turn."""

from __future__ import annotations

from client.conversation.events import Chosen, Planned
from client.kept.settings import Settings
from client.playing.sending import Sending
from client.shown.actions.controls import is_enabled
from client.shown.actions.plans import ON_ITS_WAY, UNPLANNED, move_of, path_of
from client.shown.actions.when import plays_on
from client.shown.model import Link
from protocol.messages import Move


class Moving(Sending):
    """Sends moves, as the user has chosen."""

    def play(self, move: str) -> None:
        """Play a move: at once, or once it is confirmed, or on the next turn (which the same move again revokes)."""
        model, match = self.model, self.model.match
        if match is None:
            return
        if model.may_plan and is_enabled("touch", model):
            path = path_of(match, move)
            self._planned(Planned(path if path != model.plan.path else ()))
        elif model.is_my_turn and not model.is_to_move:
            self.tell(ON_ITS_WAY)
        elif model.link is Link.DOWN and plays_on(model) and not model.is_my_turn and not model.is_covered:
            self.tell(UNPLANNED)
        elif model.confirms and model.is_my_turn:
            self._planned(Planned(unsent=move))
        else:
            self._play(move)

    def confirm(self) -> None:
        """Send the move that waits for that."""
        move = self.model.plan.unsent
        self._planned(Planned())
        if move:
            self._play(move)

    def drop_plan(self) -> bool:
        """Let go of what is planned or not confirmed; whether there was anything."""
        had = bool(self.model.plan.path or self.model.plan.unsent)
        if had:
            self._planned(Planned())
        return had

    def follow_plan(self) -> None:
        """On one's turn, play what was planned for it, if that is legal exactly as it was touched."""
        model, match = self.model, self.model.match
        if match is not None and model.plan.path and model.is_to_move:
            move = move_of(match, model.plan.path)
            self._planned(Planned(dropped=move is None))
            if move is not None:
                self._play(move)

    def choose(self, settings: Settings) -> None:
        """What the user has chosen holds from now on."""
        self.take(Chosen(settings.confirm, settings.premove))
        self.refresh_screens()

    def _planned(self, plan: Planned) -> None:
        self.take(plan)
        self.refresh_screens()

    def _play(self, move: str) -> None:
        # In the position that one's own pending moves lead to; legal or not, the server has the words.
        match = self.model.match
        if match is not None:
            version = self.model.next_version
            self._send(Move(ref=self._ref(), match=match.match, version=version, move=move))
