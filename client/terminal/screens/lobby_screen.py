"""The lobby: who waits, what is being played, and the ways into a match."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.coordinate import Coordinate
from textual.widgets import DataTable, Static

from client.conversation.events import Filtered
from client.shown.actions.controls import BY_ACTION, Place, Shelf, on_shelf
from client.shown.actions.questions import dropping
from client.shown.model import Model
from client.shown.words.lobby import EMPTY, Row, Way, next_filter, people_text, rows, title_of
from client.terminal.drawing import theme
from client.terminal.drawing.dressing import worn
from client.terminal.drawing.plain import content
from client.terminal.parts.widgets import HelpPanel, KeyBar, KeyHint, TwoEnds, link_line, shortened
from client.terminal.screens.base import ParlourScreen, bindings_for
from client.terminal.screens.challenges import ChallengeDialog
from client.terminal.screens.dialogs import AskDialog, KeyDialog
from client.terminal.screens.form import MatchForm
from client.terminal.screens.saved import SavedDialog
from client.terminal.screens.settings_dialog import SettingsDialog

STATUS, SINCE = 16, 9
"""Widths of the columns that do not grow."""
NARROW = 70
LEAST_OPTIONS = 4
"""Columns below which nothing of the options is worth saying."""
OPPONENTS = {"somebody": "Somebody (Enter)", "computer": "Computer", "both": "Two here", "review": "Review"}

_COLOURS = {Way.RESUME: theme.BRASS, Way.JOIN: theme.MOSS, Way.WATCH: theme.DUST}
_EMPTY = (
    (f"{EMPTY}\n\n", f"bold {theme.CHALK}"),
    ("n  ", f"bold {theme.BRASS}"), ("host a match: others see it here at once\n", theme.DUST),
    ("m  ", f"bold {theme.BRASS}"), ("quick match: be paired with whoever comes next\n", theme.DUST),
    ("h  ", f"bold {theme.BRASS}"), ("this computer: two of you, or you against it\n", theme.DUST),
    ("k  ", f"bold {theme.BRASS}"), ("join a private match with the key you were given", theme.DUST),
)  # fmt: skip


class LobbyScreen(ParlourScreen):
    """The live list; a row is opened by Enter or a click (`CK 5.2`, `5.3`)."""

    PLACE = Place.LOBBY
    FIRST = "#matches"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.LOBBY, leave_out=frozenset({"open"}))

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self._widths: tuple[int, ...] = ()

    def parts(self) -> ComposeResult:
        """A head line, the list (or what to do while it is empty), who is here, the last notice, the keys."""
        yield TwoEnds("head")
        with Horizontal(id="body"):
            with Vertical(id="lobby"):
                with Horizontal(id="lobby-top"):
                    yield TwoEnds("lobby-title")
                    for control in on_shelf(Place.LOBBY, Shelf.LIST):
                        yield KeyHint(control.shown, control.label, control.action)
                table: DataTable[Text] = DataTable(id="matches", cursor_type="row", zebra_stripes=False)
                yield table
                yield Static(Content.assemble(*_EMPTY), id="empty")
                with Horizontal(id="people-row"):
                    yield TwoEnds("people")
                    for control in on_shelf(Place.LOBBY, Shelf.PEOPLE):
                        yield KeyHint(control.shown, control.label, control.action)
            yield HelpPanel(Place.LOBBY)
        yield TwoEnds("notice")
        yield KeyBar(Place.LOBBY)

    def show(self, model: Model, now: float) -> None:
        """The list as the server told it last."""
        now_ms = None if model.server_minus_now_ms is None else now * 1000 + model.server_minus_now_ms
        found = rows(model, now_ms)
        self.query_one("#head", TwoEnds).show(
            content(f"Parlour  {model.name}", f"bold {theme.CHALK}"), link_line(model, now)
        )
        more = model.lobby_total - len(model.lobby or ())
        title = "Matches" if model.lobby is not None else "Matches (asking the server…)"
        if model.lobby_game:
            title = f"Matches of {title_of(model.games, model.lobby_game)} only"
        waiting, watched = (sum(row.way is way for row in found) for way in (Way.JOIN, Way.WATCH))
        top = self.query_one("#lobby-title", TwoEnds)
        own = sum(bool(row.act) for row in found)
        # What the list shows anyway goes first where there is no room for it beside the title.
        counts = (
            ("",) if model.lobby is None else (_count(own, waiting, watched, more), _count(0, waiting, watched, more))
        )
        room = top.content_size.width - len(title) - 2
        count = next((each for each in counts if len(each) <= room), "")
        top.show(content(title, theme.DUST), content(count, theme.DUST))
        self._fill(found)
        table = self.query_one("#matches", DataTable)
        table.display = bool(found)
        self.query_one("#empty").display = not found and model.lobby is not None
        if found:
            self.focus_first()
        self._show_people(model)
        bad, page = bool(model.notice.code), self.parlour.page
        self.query_one("#notice", TwoEnds).show(
            content(("✗ " if bad else "") + model.notice.text, theme.BRICK if bad else theme.DUST),
            content("" if model.notice.text or not page else f"In a browser: {page}", theme.DUST),
        )
        for hint in self.query("#lobby KeyHint").results(KeyHint):
            hint.display = BY_ACTION[hint.action].enabled(model)
        self._show_keys()
        self.query_one(HelpPanel).show("The lobby", (_HELP,))

    @on(DataTable.RowHighlighted)
    def _show_keys(self) -> None:
        """Enter is called what it does with the chosen row."""
        row = self._chosen()
        self.query_one(KeyBar).show(self.parlour.model, {} if row is None else {"open": row.opening})

    def _show_people(self, model: Model) -> None:
        line = self.query_one("#people", TwoEnds)
        line.display = model.lobby is not None
        line.show(content(people_text(model, max(line.content_size.width, 38)), theme.DUST))

    def _columns(self) -> tuple[int, ...]:
        """Widths of the columns: game and players share what the fixed ones leave; in a narrow window ages go."""
        # Before it is laid out the first time it has no width of its own yet.
        width = max((self.query_one("#lobby").size.width or self.app.size.width - 2) - 2, 40)
        fixed = (STATUS,) if width < NARROW else (STATUS, SINCE)
        flexible = width - sum(fixed) - 2 * (len(fixed) + 2)
        game = flexible * 11 // 20
        return game, flexible - game, *fixed

    def _fill(self, found: tuple[Row, ...]) -> None:
        """Change the table only where it has to be, so that the chosen row stays chosen."""
        widths = self._columns()
        if found == self._rows and widths == self._widths:
            return
        table = self.query_one("#matches", DataTable)
        if widths == self._widths and [row.match for row in found] == [row.match for row in self._rows]:
            # Clocks go on, which is no reason to build the table anew under somebody's hand.
            for at, (row, before) in enumerate(zip(found, self._rows, strict=True)):
                if row != before:
                    for column, cell in enumerate(self._cells(row, widths)):
                        table.update_cell_at(Coordinate(at, column), cell)
            self._rows = found
            return
        chosen = self._chosen()
        self._rows, self._widths = found, widths
        table.clear(columns=True)
        for label, width in zip(("Game", "Players", "", "Since"), widths, strict=False):
            table.add_column(Text(label, style=theme.DUST), width=width)
        for row in found:
            table.add_row(*self._cells(row, widths), key=row.match)
        index = next((i for i, row in enumerate(found) if chosen is not None and row.match == chosen.match), 0)
        table.move_cursor(row=index, animate=False)

    def _cells(self, row: Row, widths: tuple[int, ...]) -> tuple[Text, ...]:
        game, players, status, *since = widths
        score = f"  {row.score}" if row.score else ""
        title = _title(row, game, worn(self.app).table)
        cells = (
            title,
            Text(
                shortened(row.players, players - cell_len(score)) + score,
                style=theme.DUST if row.is_over else theme.CHALK,
            ),
            Text(shortened(row.status, status), style=theme.DUST if row.is_over else _COLOURS[row.way]),
        )
        return (*cells, Text(row.since, style=theme.DUST)) if since else cells

    def _chosen(self) -> Row | None:
        index = self.query_one("#matches", DataTable).cursor_row
        return self._rows[index] if 0 <= index < len(self._rows) else None

    @on(events.Resize)
    def fit(self) -> None:
        """Fit the columns to the new width."""
        self.call_after_refresh(self.parlour.refresh_screen, self)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Enter or a click on a row: join, watch, or go on."""
        if event.cursor_row < len(self._rows):
            row = self._rows[event.cursor_row]
            self.parlour.open_match(row.match, row.way)

    def action_games(self) -> None:
        """The cards of the games."""
        self.parlour.show_games()

    def action_drop(self) -> None:
        """Cancel, surrender or remove the chosen match, if it is one's own."""
        row = self._chosen()
        if row is None or not row.act:
            self.parlour.tell("That is none of your matches.")
            return
        drop = partial(self.parlour.drop, row.match, row.act)
        asked = dropping(row)
        if asked is None:
            drop()
        else:
            self.app.push_screen(AskDialog(*asked, "Play on", drop))

    def action_settings(self) -> None:
        """Choose how the client looks and sounds, and how one plays."""
        self.app.push_screen(SettingsDialog())

    def action_new(self) -> None:
        """Host a match."""
        self.app.push_screen(MatchForm(self.parlour.model, self.parlour.last_choice, local=self.parlour.is_local))

    def action_quick(self) -> None:
        """Be paired with somebody who wants the same (`UD RF2`)."""
        self.app.push_screen(MatchForm(self.parlour.model, self.parlour.last_choice, quick=True))

    def action_here(self) -> None:
        """Play at this computer: two of you, or one against it (`SQ2`)."""
        self.app.push_screen(MatchForm(self.parlour.model, self.parlour.last_choice, local=True))

    def action_challenge(self) -> None:
        """Ask somebody who is here."""
        self.app.push_screen(ChallengeDialog())

    def action_load(self) -> None:
        """Go on with a saved game (`DB 8.2`, `RU-M8`), or review it."""
        self.app.push_screen(
            SavedDialog("Go on with which saved game, against whom?", self.parlour.start_from, OPPONENTS)
        )

    def action_filter(self) -> None:
        """One game after the other, and all."""
        self.parlour.take(Filtered(next_filter(self.parlour.model)))
        self.parlour.refresh_screens()

    def action_join_key(self) -> None:
        """Join a private match."""
        self.app.push_screen(KeyDialog())

    def action_watch(self) -> None:
        """Watch the chosen match."""
        row = self._chosen()
        if row is not None:
            self.parlour.open_match(row.match, Way.WATCH)


def _title(row: Row, width: int, table: str) -> Text:
    """Game, clock, the host's side, and what is left of the options (`CK 5.3`): of a long name the end goes first."""
    clock = f"  {row.clock}" if row.clock else ""
    symbol = f" {row.host.symbol[:1]}" if row.host is not None else ""
    name = shortened(row.game, width - len(clock) - len(symbol))
    title = Text(name, style=theme.CHALK)
    title.append(clock, style=theme.DUST)
    if row.host is not None:
        title.append(symbol, style=theme.readable(row.host.colour, table))
    room = width - title.cell_len - 2
    if row.options and room > LEAST_OPTIONS:
        title.append(f"  {shortened(row.options, room)}", style=theme.DUST)
    return title


def _count(own: int, waiting: int, watched: int, more: int) -> str:
    parts = [f"{own} of yours" if own else "", f"{waiting} waiting", f"{watched} in play"]
    return ", ".join(part for part in (*parts, f"{more} more" if more > 0 else "") if part)


_HELP = """\
Every row is a match. One that waits for an opponent can be joined; one that is being played can be watched; \
one of your own can be gone on with, looked at once it is over, and dropped with x.

A private match is in no list: its host gives a key to the opponent."""
