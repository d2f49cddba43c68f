"""What those who act for the user are given by the application: the model, and a way to the server."""

from __future__ import annotations

from client.conversation.events import Event, Left
from client.kept.learned import Learned
from client.playing.new_match import Choice
from client.playing.saving import Keeping
from client.shown.actions.in_view import Eyes
from client.shown.model import Model, Notice
from protocol.messages import Command, Refused


class Sending:
    """The application says how a command goes out and how the model comes forward."""

    model: Model
    last_choice: Choice
    is_local: bool
    eyes: Eyes
    learned: Learned
    _keeping: Keeping

    @property
    def now(self) -> float:
        """The session's clock, in seconds."""
        raise NotImplementedError

    def take(self, event: Event) -> None:
        """Bring the model forward by one event, and act on it."""
        raise NotImplementedError

    def refresh_screens(self) -> None:
        """Show the model."""
        raise NotImplementedError

    def _send(self, command: Command) -> None:
        """Send it, now or as soon as there is a connection."""
        raise NotImplementedError

    def _ref(self) -> str:
        """A new name for a command."""
        raise NotImplementedError

    def _unfollow(self) -> None:
        """Follow the match on screen no longer."""
        raise NotImplementedError

    def tell(self, text: str, code: str = "told") -> None:
        """A sentence of the client's own, where the server's refusals stand."""
        notice = Notice(text, code, self.model.notice.number + 1)
        self.take(Refused(ref="", code=notice.code, text=notice.text))

    def leave_match(self) -> None:
        """Back to the lobby."""
        if self.model.is_cleared:
            self.take(Left(""))
        self._unfollow()
