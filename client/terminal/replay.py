"""A saved game in the terminal, with the board drawn: left, right, Home, End, q."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Static

from client.conversation.position import seat_name
from client.conversation.transport import Finder
from client.kept.saves import SavedGame
from client.replay.positions import CannotReplay, Positions
from client.replay.stepping import Stepping, heading, place
from client.shown.model import Link, Model
from client.terminal.drawing.dressing import Dressed
from client.terminal.drawing.plain import content
from client.terminal.parts.board import BoardView
from protocol.messages import Snapshot

LEAP = 10
"""Moves that Page up and Page down go."""


class Replay(Dressed[int]):
    """Steps through `saved`; every key has a button, for the mouse alone must do (`DB 8.1`)."""

    TITLE = "Parlour"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    Screen { layout: vertical; background: $table; color: $chalk; }
    #head, #place, #text { height: 1; padding: 0 1; }
    #head { background: $felt; text-style: bold; }
    #text { color: $brass; }
    #board { height: 1fr; }
    #keys { height: 1; background: $felt; }
    #keys Button { margin: 0 1; min-width: 4; }
    """
    # Before those of the board, where the arrows move a cursor.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,n", "step(1)", "Next", show=False, priority=True),
        Binding("left,b", "step(-1)", "Back", show=False, priority=True),
        Binding("pagedown", f"step({LEAP})", "Leap", show=False, priority=True),
        Binding("pageup", f"step(-{LEAP})", "Leap back", show=False, priority=True),
        Binding("home", "go(True)", "Start", show=False, priority=True),
        Binding("end", "go(False)", "End", show=False, priority=True),
        Binding("q,ctrl+q,ctrl+c,escape", "leave", "Quit", show=False, priority=True),
    ]

    def __init__(self, saved: SavedGame, find: Finder, language: str, *, is_dark: bool = True) -> None:
        super().__init__(dark=is_dark)
        self.stepping = Stepping(len(saved.moves))
        self._saved = saved
        self._find = find
        self._language = language
        self._positions: Positions | None = None

    def compose(self) -> ComposeResult:
        """Head, board, where one is, how it stands, keys."""
        yield Static(id="head", markup=False)
        yield BoardView()
        yield Static(id="place", markup=False)
        yield Static(id="text", markup=False)
        with Horizontal(id="keys"):
            for label, action in (
                ("Home", "go(True)"),
                ("← Back", "step(-1)"),
                ("Next →", "step(1)"),
                ("End", "go(False)"),
                ("q Quit", "leave"),
            ):
                id_ = "next" if action == "step(1)" else None
                yield Button(label, id=id_, action=f"app.{action}", compact=True)

    def on_mount(self) -> None:
        """Have the game replayed, beside drawing."""
        self.query_one(BoardView).can_focus = False
        for button in self.query(Button):
            button.can_focus = False
        self.query_one("#place", Static).update("Replaying…")
        self._open()

    @work(exclusive=True, group="open")
    async def _open(self) -> None:
        self._positions = Positions(self._saved, self._find, language=self._language)
        try:
            await self._positions.open()
        except CannotReplay as error:
            self._say("#place", str(error))
            return
        self._say("#head", heading(self._saved, self._positions.game))
        if self._positions.warning:
            self.notify(self._positions.warning, severity="warning", markup=False)
        self._go_to(self.stepping)

    def action_step(self, moves: int) -> None:
        """So many moves on, or back."""
        self._go_to(self.stepping.by(moves))

    def action_go(self, start: bool) -> None:
        """To the beginning or the end."""
        self._go_to(self.stepping.to(0 if start else self.stepping.plies))

    def _go_to(self, stepping: Stepping) -> None:
        self.stepping = stepping
        # Of quick steps only the last one is looked up and shown.
        self._show(stepping)

    @work(exclusive=True, group="show")
    async def _show(self, stepping: Stepping) -> None:
        if self._positions is None or not self._positions.is_open:
            return
        try:
            match = await self._positions.at(stepping.ply)
        except CannotReplay as error:
            self._say("#place", str(error))
            return
        games = {match.game: self._positions.game} if self._positions.game is not None else {}
        self.query_one(BoardView).show(Model(link=Link.UP, match=match, games=games))
        self._say("#place", place(stepping, match))
        self._say("#text", f"{match.text}   {_scores(match)}")

    def _say(self, where: str, text: str) -> None:
        self.query_one(where, Static).update(content(text))

    async def action_leave(self) -> None:
        """Leave the program at any time."""
        if self._positions is not None:
            await self._positions.close()
        self.exit(0)


def _scores(match: Snapshot) -> str:
    """Both names with symbol and first score."""
    parts = []
    for seat in (0, 1):
        score = f" {match.scores[seat][0]}" if match.scores[seat] else ""
        parts.append(f"{match.seats[seat].style.symbol} {seat_name(match, seat)}{score}")
    return " · ".join(parts)
