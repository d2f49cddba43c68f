"""Calls for the user's attention outside the screen: the bell, and the title of the terminal's window."""

from __future__ import annotations

from collections.abc import Callable

from client.shown.lobby import title_of
from client.shown.model import Model
from client.terminal.plain import plain

_SAVE_TITLE, _RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""The terminal's own memory for titles; those that have none leave out what they do not know."""
MAX_TITLE = 80


class Attention:
    """Rings when it becomes the user's turn, or when something is offered; the title says whose turn it is."""

    def __init__(self, write: Callable[[str], object], ring: Callable[[], object]) -> None:
        self._write = write
        self._ring = ring
        self._title: str | None = None
        self._waits_for: tuple[object, ...] = ()

    def show(self, model: Model) -> None:
        """Look at the model after it changed."""
        match = model.match
        turn = match.match if match is not None and model.is_my_turn and not model.holds_both else None
        waits_for = (turn, model.offer_to_me)
        if any(now is not None and now != before for now, before in zip(waits_for, self._before(), strict=True)):
            self._ring()
        self._waits_for = waits_for
        title = self._title_for(model)
        if title != self._title:
            if self._title is None:
                self._write(_SAVE_TITLE)
            self._title = title
            self._write(f"\x1b]2;{title}\x07")

    def end(self) -> None:
        """Give the title back."""
        if self._title is not None:
            self._title = None
            self._write(_RESTORE_TITLE)

    def _before(self) -> tuple[object, ...]:
        return self._waits_for or (None, None)

    def _title_for(self, model: Model) -> str:
        match = model.match
        if match is None:
            return "Parlour"
        # Whatever ends up in a title is read by the terminal: nothing of it may be a control code.
        game = plain(title_of(model.games, match.game))[:MAX_TITLE]
        turn = "▶ Your turn: " if model.is_my_turn and not model.holds_both else ""
        return f"{turn}{game} - Parlour"
