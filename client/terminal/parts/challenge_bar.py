"""The line that shows a challenge, on every screen and over every dialog."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from client.shown.actions.controls import BY_ACTION, Shelf
from client.shown.model import Model
from client.shown.words.challenges import incoming, outgoing, sentence
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import KeyHint, shortened, wrapped

MOST_LINES = 3
"""As in parlour.tcss."""
ACTIONS = tuple(action for action, control in BY_ACTION.items() if control.shelf is Shelf.CHALLENGE)


class ChallengeHint(KeyHint):
    """One answer; the application gives it, whatever screen is on top."""

    async def on_click(self, event: object) -> None:
        """Do it."""
        await self.app.run_action(self.action)


class ChallengeBar(Horizontal):
    """Who challenges whom for what, and the answers to it; nothing while no challenge stands."""

    def compose(self) -> ComposeResult:
        """The sentence, and one hint for each answer."""
        yield Static(id="challenge-text", markup=False)
        for action in ACTIONS:
            control = BY_ACTION[action]
            yield ChallengeHint(control.first_key, control.label, action)

    def show(self, model: Model, now: float) -> None:
        """Of several the one to answer comes first."""
        told = incoming(model) or outgoing(model)
        self.display = told is not None
        self.screen.set_class(told is not None, "-challenged")
        if told is not None:
            line = self.query_one("#challenge-text", Static)
            said, width = sentence(model, told, now), line.size.width
            if width > 1:
                lines = wrapped(said, width)
                rest = " ".join(lines[MOST_LINES - 1 :])
                said = "\n".join([*lines[: MOST_LINES - 1], *([shortened(rest, width)] if rest else [])])
            line.update(content(said, f"bold {theme.CHALK}"))
            for hint in self.query(ChallengeHint):
                hint.display = BY_ACTION[hint.action].enabled(model)
