"""The form for a match: game, options as the server describes them, opponent, clock (`CK 5.2`, `DB 7.3.3.3`, `SQ2`).

Rows with all their values in sight instead of pull-down menus (`DB 8.1`): up and down choose the row, left and right
its value, a click does both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from client.playing.form import MORE, OPPONENT, Form, Purpose
from client.playing.form_rows import FormRow, rows
from client.playing.form_words import AGAINST, START_PROMPT
from client.playing.new_match import Choice
from client.shown.model import Model
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.choice_row import ChoiceRow
from client.terminal.parts.miniature import Opening
from client.terminal.screens.base import Dialog

TELLING = 36
"""Lines of the window from which on every row has its sentence below it."""
BESIDE = 9
"""Lines that are no rows: title, summary, buttons, a challenge, and the space between."""
ROWS = (46, 70)
"""Columns that the rows take at least, and at most, where the board is beside them."""
AROUND = 4
"""Columns of the form beside rows and board."""
BETWEEN = 2
SUBMIT = {Purpose.QUICK: "Find one", Purpose.CHALLENGE: "Challenge", Purpose.HERE: "Start"}


class MatchForm(Dialog):
    """Chooses a match to create, or to be paired for (`quick`)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "submit", "", show=False),
        Binding("up", "app.focus_previous", "", show=False),
        Binding("down", "app.focus_next", "", show=False),
    ]

    def __init__(
        self, model: Model, last: Choice, *, quick: bool = False, local: bool = False, challenged: str = ""
    ) -> None:
        super().__init__()
        self._games = dict(model.games)
        purpose = Purpose.QUICK if quick else Purpose.HERE if local else Purpose.HOST
        self.form = Form.opened(Purpose.CHALLENGE if challenged else purpose, self._games, last, challenged)
        """What is chosen so far; None while the server has told of no game."""
        self._is_here = self.form is not None and self.form.purpose is Purpose.HERE
        self._asked: object = None
        """Of which game and options the board is shown, or awaited."""
        self._has_rows = False
        self._told: str | None = None
        """The row that says what it is for."""

    @property
    def takes_keys(self) -> bool:
        """Not before the first row has them."""
        return super().takes_keys and self._has_rows

    def compose(self) -> ComposeResult:
        """Rows, the board beside them, buttons; at this computer opponents, Start and status are on top (`SQ2`)."""
        if self._is_here:
            yield from self._compose_here()
            return
        form = self.form
        title = Purpose.HOST.value if form is None else form.purpose.value
        submit = "Host" if form is None else SUBMIT.get(form.purpose, "Host")
        if form is not None and form.challenged:
            title = f"{title} {form.challenged}"
        with Vertical(id="form"):
            yield Static(content(title, f"bold {theme.BRASS}"))
            yield from self._compose_middle()
            yield Static(id="summary", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{submit} (Enter)", id="create", variant="primary", compact=True)
                yield Button("Back (Esc)", id="back", compact=True)

    def _compose_here(self) -> ComposeResult:
        with Vertical(id="form", classes="-here"):
            with Horizontal(id="top"):
                yield ChoiceRow(OPPONENT, "", tuple(AGAINST.items()), "both")
                yield Button("Start (Enter)", id="create", variant="primary", compact=True)
            yield Static(id="summary", markup=False)
            yield from self._compose_middle()
            with Horizontal(classes="buttons"):
                yield Button("Back (Esc)", id="back", compact=True)

    def _compose_middle(self) -> ComposeResult:
        with Horizontal(id="middle"):
            yield VerticalScroll(id="options", can_focus=False)
            yield Opening(id="opening")

    @on(events.Mount)
    async def begin(self) -> None:
        """The first game's rows."""
        # A sentence that came or went moves the rows after it, once they are laid out.
        self.watch(self.query_one("#options"), "virtual_size", self._keep_in_sight, init=False)
        await self._show()
        found = self.query(ChoiceRow)
        if found:
            found.first().focus()
        self._has_rows = True

    def on_resize(self) -> None:
        """As many rows as there is room for; sentences below all of them in a high window."""
        self._tell()
        width, height = self.app.size
        room = max(height - BESIDE, 3)
        self.query_one("#options").styles.max_height = room
        least, most = ROWS
        wide = self.query_one(Opening).fit(width - AROUND - BETWEEN - least, room)
        self.query_one("#form").styles.width = min(width, AROUND + most + (BETWEEN + wide if wide else 0))
        self._see_opening()

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
        """The rows that there are now: those that stay stay where they are, so that nothing loses the keys.

        They take their values before anything is waited for: what is pressed meanwhile counts from these.
        """
        form = self.form
        if form is None:
            return
        box = self.query_one("#options", VerticalScroll)
        wanted = self._apart(rows(form, self._games))
        shown = {row.name: row for row in box.query(ChoiceRow)}
        for one in wanted:
            if one.name in shown:
                shown[one.name].set(one.label, one.values, one.chosen, one.help)
        await box.remove_children([row for name, row in shown.items() if name not in {one.name for one in wanted}])
        before: ChoiceRow | None = None
        for one in wanted:
            row = shown.get(one.name)
            if row is None:
                row = ChoiceRow(one.name, one.label, one.values, one.chosen, one.help)
                row.tell(one.name == self._told or self.app.size.height >= TELLING)
                await box.mount(row, **({"after": before} if before is not None else {"before": 0} if shown else {}))
            before = row
        self._say(form.summary(self._games))
        self._see_opening()

    def _apart(self, wanted: Sequence[FormRow]) -> list[FormRow]:
        """Without the one that is on top."""
        if not self._is_here:
            return list(wanted)
        for row in wanted:
            if row.name == OPPONENT:
                offered = {value for value, _ in row.values}
                values = tuple((value, label) for value, label in AGAINST.items() if value in offered)
                self.query_one("#top", Horizontal).query_one(ChoiceRow).set("", values, row.chosen)
        return [row for row in wanted if row.name != OPPONENT]

    def _say(self, summary: str, *, again: bool = False) -> None:
        """What is about to begin; at this computer after the sentence that asks for Start."""
        prompt = (f"{START_PROMPT} ", f"bold reverse {theme.BRASS}" if again else f"bold {theme.BRASS}")
        said = Content.assemble(*([prompt] if self._is_here else []), (summary, theme.DUST))
        self.query_one("#summary", Static).update(said)

    def on_opening_touched(self) -> None:
        """A click on the board changes nothing; where Start is awaited that is said again (`SQ6`)."""
        if self.form is not None:
            self._say(self.form.summary(self._games), again=True)

    def _see_opening(self) -> None:
        """The board that what is chosen begins with, where there is room for it."""
        form = self.form
        if form is None or not self.query_one(Opening).display or self._asked == (form.game, form.options):
            return
        self._asked = (form.game, form.options)
        self._show_opening(form)

    @work(exclusive=True, group="opening")
    async def _show_opening(self, form: Form) -> None:
        position = await self.parlour.opening(form.game, form.options)
        if self.is_attached:
            self.query_one(Opening).show(position)

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
        if form is None or not self.close_once():
            return
        choice = form.choice()
        if form.challenged:
            self.parlour.challenge(form.challenged, choice)
        elif form.purpose is Purpose.QUICK:
            self.parlour.quick_match(choice)
        else:
            self.parlour.create(choice)
