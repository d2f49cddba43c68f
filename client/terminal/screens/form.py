"""The form for a match: game, options as the server describes them, opponent, clock (`CK 5.2`, `DB 7.3.3.3`, `SQ2`).

Rows with all their values in sight instead of pull-down menus (`DB 8.1`): up and down choose the row, left and right
its value, a click does both.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Static

from client.playing.form import MORE, Form, Purpose
from client.playing.form_rows import rows
from client.playing.new_match import Choice
from client.shown.model import Model
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.choice_row import ChoiceRow
from client.terminal.screens.base import Dialog

TELLING = 36
"""Lines of the window from which on every row has its sentence below it."""
BESIDE = 9
"""Lines that are no rows: title, summary, buttons, a challenge, and the space between."""
SUBMIT = {Purpose.QUICK: "Find one", Purpose.CHALLENGE: "Challenge", Purpose.HERE: "Start"}


class MatchForm(Dialog):
    """Chooses a match to create, or to be paired for (`quick`)."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "submit", "", show=False)]

    def __init__(
        self, model: Model, last: Choice, *, quick: bool = False, local: bool = False, challenged: str = ""
    ) -> None:
        super().__init__()
        self._games = dict(model.games)
        purpose = Purpose.QUICK if quick else Purpose.HERE if local else Purpose.HOST
        self.form = Form.opened(Purpose.CHALLENGE if challenged else purpose, self._games, last, challenged)
        """What is chosen so far; None while the server has told of no game."""
        self._told: str | None = None
        """The row that says what it is for."""

    def compose(self) -> ComposeResult:
        """Rows, buttons."""
        form = self.form
        title = Purpose.HOST.value if form is None else form.purpose.value
        submit = "Host" if form is None else SUBMIT.get(form.purpose, "Host")
        if form is not None and form.challenged:
            title = f"{title} {form.challenged}"
        with Vertical(id="form"):
            yield Static(content(title, f"bold {theme.BRASS}"))
            yield VerticalScroll(id="options", can_focus=False)
            yield Static(id="summary", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{submit} (Enter)", id="create", variant="primary", compact=True)
                yield Button("Back (Esc)", id="back", compact=True)

    @on(events.Mount)
    async def begin(self) -> None:
        """The first game's rows."""
        # A sentence that came or went moves the rows after it, once they are laid out.
        self.watch(self.query_one("#options"), "virtual_size", self._keep_in_sight, init=False)
        await self._show()
        found = self.query(ChoiceRow)
        if found:
            found.first().focus()

    def on_resize(self) -> None:
        """As many rows as there is room for; sentences below all of them in a high window."""
        self._tell()
        self.query_one("#options").styles.max_height = max(self.app.size.height - BESIDE, 3)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The row that has the keys says what it is for, and all of it is to be seen.

        It goes on saying so until another row has them: a button must not move away from under the mouse.
        """
        if isinstance(event.widget, ChoiceRow):
            self._told = event.widget.name
            self._tell()
            self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        if isinstance(self.focused, ChoiceRow):
            self.call_after_refresh(self.focused.scroll_visible, animate=False)

    def _tell(self) -> None:
        for row in self.query(ChoiceRow):
            row.tell(row.name == self._told or self.app.size.height >= TELLING)

    async def _show(self) -> None:
        """The rows that there are now: those that stay stay where they are, so that nothing loses the keys."""
        form = self.form
        if form is None:
            return
        box = self.query_one("#options", VerticalScroll)
        wanted = rows(form, self._games)
        shown = {row.name: row for row in self.query(ChoiceRow)}
        await box.remove_children([row for name, row in shown.items() if name not in {one.name for one in wanted}])
        before: ChoiceRow | None = None
        for one in wanted:
            row = shown.get(one.name)
            if row is None:
                row = ChoiceRow(one.name, one.label, one.values, one.chosen, one.help)
                row.tell(one.name == self._told or self.app.size.height >= TELLING)
                await box.mount(row, **({"after": before} if before is not None else {"before": 0} if shown else {}))
            else:
                row.set(one.label, one.values, one.chosen, one.help)
            before = row
        self.query_one("#summary", Static).update(content(form.summary(self._games), theme.DUST))

    async def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        """Another game, a preset, or an option."""
        if self.form is not None and event.row.name is not None:
            self.form = self.form.chosen(event.row.name, event.row.value, self._games)
            await self._show()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The mouse's way."""
        if event.button.id == "create":
            self._go_on()
        else:
            self.action_close()

    async def action_show_rest(self) -> None:
        """Space: the rest, or not."""
        if self.form is not None and self.focused is not None and self.focused.name == MORE:
            self.form = self.form.chosen(MORE, not self.form.more, self._games)
            await self._show()

    async def action_submit(self) -> None:
        """Enter; on the row that shows the rest it does that."""
        if self.focused is not None and self.focused.name == MORE:
            await self.action_show_rest()
        else:
            self._go_on()

    def _go_on(self) -> None:
        form = self.form
        if form is None:
            return
        choice = form.choice()
        self.dismiss(None)
        if form.challenged:
            self.parlour.challenge(form.challenged, choice)
        elif form.purpose is Purpose.QUICK:
            self.parlour.quick_match(choice)
        else:
            self.parlour.create(choice)
