"""The form for a match: game, options as the server describes them, opponent, clock (`CK 5.2`, `DB 7.3.3.3`, `SQ2`).

Rows with all their values in sight instead of pull-down menus (`DB 8.1`): up and down choose the row, left and right
its value, a click does both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Static

from client.playing.new_match import Choice, Opponent
from client.shown.lobby import value_text
from client.shown.model import Model
from client.terminal import theme
from client.terminal.base import Dialog
from client.terminal.choice_row import ChoiceRow, Value
from client.terminal.match_rows import CLOCK_ROWS, GRACE, OPPONENT, MatchRows
from client.terminal.plain import content
from protocol.messages import GameInfo, Option, OptionValue

OWN_CHOICE = "own choice"
GAME, PRESET = "@game", "@preset"
"""Rows of the form's own, beside those named after options."""
_SHARED_ROWS = CLOCK_ROWS | {GRACE, OPPONENT}


class MatchForm(Dialog):
    """Chooses a match to create, or to be paired for (`quick`)."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "submit", "", show=False)]

    def __init__(
        self, model: Model, last: Choice, *, quick: bool = False, local: bool = False, challenged: str = ""
    ) -> None:
        super().__init__()
        self._games = tuple(model.games.values())
        self._last = last
        self._quick = quick
        self._local = local
        self._challenged = challenged
        self._match_rows: MatchRows | None = None

    def compose(self) -> ComposeResult:
        """Rows, buttons."""
        title = (
            f"Challenge {self._challenged}" if self._challenged else "Quick match" if self._quick else "Host a match"
        )
        with Vertical(id="form"):
            yield Static(content(title, f"bold {theme.BRASS}"))
            games = [(game.name, game.title) for game in self._games]
            yield ChoiceRow(GAME, "Game", games, self._last.game)
            yield Static(id="summary", markup=False)
            yield VerticalScroll(id="options", can_focus=False)
            yield Static(id="explain", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(
                    "Challenge (Enter)" if self._challenged else "Find one (Enter)" if self._quick else "Host (Enter)",
                    id="create",
                    variant="primary",
                    compact=True,
                )
                yield Button("Back (Esc)", id="back", compact=True)

    @on(events.Mount)
    async def begin(self) -> None:
        """The first game's options."""
        await self._show_options(dict(self._last.options))
        self.query(ChoiceRow).first().focus()

    @property
    def _game(self) -> GameInfo | None:
        row = self.query(ChoiceRow).first()
        return next((game for game in self._games if game.name == row.value), None)

    async def _show_options(self, given: dict[str, OptionValue]) -> None:
        game = self._game
        box = self.query_one("#options", VerticalScroll)
        await box.remove_children()
        if game is None:
            return
        self.query_one("#summary", Static).update(content(game.summary, theme.DUST))
        rows = []
        if game.presets:
            presets: list[tuple[Value, str]] = [(preset.label, preset.label) for preset in game.presets]
            rows.append(ChoiceRow(PRESET, "Size", [*presets, (OWN_CHOICE, OWN_CHOICE)], OWN_CHOICE))
        for option in game.options:
            rows.append(ChoiceRow(option.name, option.label, _values(option), given.get(option.name, option.default)))
        if not self._quick:
            self._match_rows = MatchRows(game, self._last, local=self._local, challenged=bool(self._challenged))
            rows += self._match_rows.rows
        await box.mount_all(rows)
        self._match_preset()

    def _rows(self) -> dict[str, ChoiceRow]:
        return {row.name or "": row for row in self.query_one("#options").query(ChoiceRow)}

    def _chosen(self) -> dict[str, OptionValue]:
        return {name: row.value for name, row in self._rows().items() if not name.startswith("@")}

    def _match_preset(self) -> None:
        """Show which preset the options are, if any."""
        game, rows = self._game, self._rows()
        if game is None or PRESET not in rows:
            return
        chosen = self._chosen()
        fitting = (p.label for p in game.presets if all(chosen.get(k) == v for k, v in p.options.items()))
        rows[PRESET].choose(next(fitting, OWN_CHOICE))

    async def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Another game, a preset, or an option."""
        game, name = self._game, event.row.name
        if name == GAME:
            await self._show_options({})
        elif name == PRESET and game is not None:
            options = next((p.options for p in game.presets if p.label == event.row.value), {})
            for option, value in options.items():
                if option in self._rows():
                    self._rows()[option].choose(value)
        elif name is not None and not name.startswith("@"):
            self._match_preset()
        elif self._match_rows is not None:
            self._match_rows.arrange()
        self._explain(event.row)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Explain the row that has the focus."""
        if isinstance(event.widget, ChoiceRow):
            self._explain(event.widget)
        else:
            self.query_one("#explain", Static).update("")

    def _explain(self, row: ChoiceRow) -> None:
        name = row.name or ""
        text = "" if name == GAME else row.explanation
        if self._match_rows is not None and name in _SHARED_ROWS:
            text = self._match_rows.explanation(name)
        self.query_one("#explain", Static).update(content(text, theme.DUST))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "create":
            self.action_submit()
        else:
            self.action_close()

    def action_submit(self) -> None:
        """Enter."""
        game = self._game
        if game is None:
            return
        choice = Choice(game.name, tuple(self._chosen().items()))
        if self._match_rows is not None:
            chosen = self._match_rows
            choice = replace(
                choice,
                private=chosen.private,
                opponent=cast("Opponent", chosen.opponent),
                clock=chosen.clock,
                grace_s=chosen.grace_s,
                level=chosen.level,
                seat=chosen.seat,
            )
        self.dismiss(None)
        if self._challenged:
            self.parlour.challenge(self._challenged, choice)
        elif self._quick:
            self.parlour.quick_match(choice)
        else:
            self.parlour.create(choice)


def _values(option: Option) -> list[tuple[Value, str]]:
    if isinstance(option.default, bool):
        return [(False, value_text(False)), (True, value_text(True))]
    if option.choices:
        return [(choice, choice) for choice in option.choices]
    return [(number, str(number)) for number in range(option.low, option.high + 1)]
