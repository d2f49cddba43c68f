"""Calls for the user's attention outside the screen: the bell, the title of the terminal's window, a desktop notice."""

from __future__ import annotations

from collections.abc import Callable

from client.shown.model import Model
from client.shown.words.challenges import incoming, sentence
from client.shown.words.lobby import title_of
from client.terminal.drawing.plain import plain

_SAVE_TITLE, _RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""The terminal's own memory for titles; those that have none leave out what they do not know."""
MAX_TITLE = 80
MAX_NOTICE = 160
SPEAKS_777 = ("foot", "rxvt")
"""What `TERM` begins with in terminals that take desktop notices in urxvt's form; all others that take any know
iTerm2's, OSC 9, and what takes none leaves it out."""


def desktop_notice(text: str, term: str) -> str:
    """The sequence that asks the terminal to show a notice on the desktop."""
    words = plain(text)[:MAX_NOTICE]
    return f"\x1b]777;notify;Parlour;{words}\x07" if term.startswith(SPEAKS_777) else f"\x1b]9;Parlour: {words}\x07"


class Attention:
    """Rings when it becomes the user's turn, somebody sits down, or something is to be answered.

    While the window is behind others the desktop tells it, too; the title says whose turn it is.
    """

    def __init__(
        self, write: Callable[[str], object], ring: Callable[[], object], is_behind: Callable[[], bool], term: str = ""
    ) -> None:
        self._is_behind = is_behind
        self._term = term
        self._write = write
        self._ring = ring
        self._title: str | None = None
        self._waits_for: tuple[object, ...] = ()
        self._waited = False

    def show(self, model: Model) -> None:
        """Look at the model after it changed."""
        match = model.match
        turn = match.match if match is not None and model.is_my_turn and not model.holds_both else None
        told = incoming(model)
        begun = match.match if match is not None and match.status == "playing" and len(match.you) == 1 else None
        waits_for = (told and told.challenge, model.offer_to_me, turn, begun)
        news = [now is not None and now != before for now, before in zip(waits_for, self._before(), strict=True)]
        # That a match begins is news to whoever had waited for it.
        news[-1] = news[-1] and self._waited
        self._waits_for, self._waited = waits_for, model.waits
        if any(news):
            self._ring()
            if self._is_behind():
                self._write(desktop_notice(self._words(model, news.index(True)), self._term))
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
        return self._waits_for or (None, None, None, None)

    @staticmethod
    def _words(model: Model, which: int) -> str:
        told = incoming(model)
        if which == 0 and told is not None:
            return sentence(model, told)
        game = title_of(model.games, model.match.game) if model.match is not None else ""
        return (f"An offer in {game}.", f"Your turn in {game}.", f"Somebody sat down: {game} begins.")[which - 1]

    def _title_for(self, model: Model) -> str:
        match = model.match
        if match is None:
            return "Parlour"
        # Whatever ends up in a title is read by the terminal: nothing of it may be a control code.
        game = plain(title_of(model.games, match.game))[:MAX_TITLE]
        turn = "▶ Your turn: " if model.is_my_turn and not model.holds_both else ""
        return f"{turn}{game} - Parlour"
