"""The first screen where nothing else was asked for: the games as cards, and a name that is filled in already."""

from __future__ import annotations

from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Button, Input, Static

from client.playing.new_match import Against
from client.shown.actions.controls import Place
from client.shown.board.examples import step_of
from client.shown.model import Link, Model
from client.shown.words.lobby import waiting_text
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.cards import TALL, Card, Cards
from client.terminal.parts.widgets import HelpPanel, KeyBar, Line, TwoEnds, link_line
from client.terminal.screens.base import bindings_for
from client.terminal.screens.name_screen import MAX_TYPED, NameScreen
from protocol.messages import GameInfo

CHOSEN_BY = tuple("123456789")
"""The keys of the first cards."""
ARROWS = ("up", "down", "left", "right")


class FrontScreen(NameScreen):
    """It connects by itself; two keys or clicks lead to a board. Enter goes to the lobby."""

    FIRST = "#connect"
    AUTO_FOCUS: ClassVar[str | None] = "#connect"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_for(Place.NAME, leave_out=frozenset({"retry", "card"})),
        *(Binding(key, f"card({number})", show=False) for number, key in enumerate(CHOSEN_BY)),
        *(Binding(key, f"arrow('{key}')", show=False, priority=False) for key in ARROWS),
        Binding("escape", "leave_field", show=False),
    ]

    def parts(self) -> ComposeResult:
        """A head line, the name, how connecting goes, the cards."""
        yield TwoEnds("head")
        with Horizontal(id="body"):
            with Vertical(id="front"):
                with Horizontal(id="name-row"):
                    yield Static(content("You are", theme.DUST), id="name-label")
                    yield Line(self._name_given, placeholder="1 to 20 letters", max_length=MAX_TYPED, id="name")
                    yield Button("Lobby", id="connect", variant="primary", compact=True)
                yield TwoEnds("report")
                yield Cards()
            yield HelpPanel(Place.NAME)
        yield KeyBar(Place.NAME)

    def shape(self, size: Size) -> dict[str, bool]:
        """Without the games' sentences where there are few lines."""
        return {**super().shape(size), "-middling": size.height < TALL}

    def show(self, model: Model, now: float) -> None:
        """The games on offer, how many wait in the lobby, the connection."""
        title = content("Parlour", f"bold {theme.BRASS}") + content("  Board games for two", theme.DUST)
        self.query_one("#head", TwoEnds).show(title, link_line(model, now))
        self.query_one(KeyBar).show(model)
        self.query_one(HelpPanel).show("Welcome", _HELP)
        if model.link is Link.UP:
            self._welcome(model)
        cards, games = self.query_one(Cards), tuple(model.games.values())
        if games and not cards.has_offered(games):
            self._offer(games)
        still = self.app.animation_level == "none" or not self.parlour.settings.motion
        for at, card in enumerate(cards.cards):
            step = 0 if still else step_of(at, len(cards.cards), now)
            name = card.game.name
            card.show(self.parlour.examples.get(name), step, self.parlour.learned.done(name))

    @work(exclusive=True, group="cards")
    async def _offer(self, games: tuple[GameInfo, ...]) -> None:
        await self.query_one(Cards).offer(games)
        self.parlour.refresh_screen(self)

    def _welcome(self, model: Model) -> None:
        """One is in, under this name."""
        if model.name != self._name_given:
            field = self.query_one(Input)
            is_being_typed = field.has_focus and field.value != self._name_given
            self._name_given = model.name
            if not is_being_typed:
                field.value = model.name
        if self._lacks_name and not self.query_one(Input).value.strip():
            return  # that it is needed stands until there is one
        self.query_one("#connect", Button).label = content("Lobby")
        bad, page = bool(model.notice.code), self.parlour.page
        text = f"✗ {model.notice.text}" if bad else waiting_text(model)
        self.query_one("#report", TwoEnds).show(
            content(text, theme.BRICK if bad else theme.DUST),
            content("" if bad or not page else f"In a browser: {page}", theme.DUST),
        )

    def report(self, text: str, *, busy: bool = False, bad: bool = False) -> None:
        """How connecting goes, or went."""
        self._lacks_name = False
        self.query_one("#report", TwoEnds).show(content(text, theme.BRICK if bad else theme.DUST))
        self.query_one("#connect", Button).label = content("Try again" if bad else "Lobby")

    def suggest(self, name: str) -> None:
        """Another name, which the server's refusal has just said to be free; a press of the button takes it."""
        super().suggest(name)
        self.query_one("#connect", Button).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the field: one is called so from now on."""
        event.prevent_default()
        if name := self._typed():
            self.query_one("#connect", Button).focus()
            self.parlour.connect(name, goes_on=False)

    def on_card_asked(self, event: Card.Asked) -> None:
        """To a board."""
        if name := self._typed():
            self.parlour.begin(event.asked, name)

    def action_rename(self) -> None:
        """Change the name in its place."""
        field = self.query_one(Input)
        field.focus()
        field.action_select_all()

    def action_leave_field(self) -> None:
        """Leave the name as it was."""
        if isinstance(self.focused, Input):
            self.query_one(Input).value = self._name_given
            self.query_one("#connect", Button).focus()

    def action_card(self, at: int) -> None:
        """Choose a game."""
        cards = self.query_one(Cards).cards
        if at < len(cards):
            cards[at].focus_way()

    def action_arrow(self, key: str) -> None:
        """Among the cards and their ways."""
        self.query_one(Cards).move(key)

    def _ask(self, against: Against) -> None:
        card = self.query_one(Cards).chosen
        if card is not None:
            card.ask(against)

    def action_computer(self) -> None:
        """Play the chosen game at once."""
        self._ask(Against.COMPUTER)

    def action_friend(self) -> None:
        """Get a link for it."""
        self._ask(Against.FRIEND)

    def action_somebody(self) -> None:
        """Be paired."""
        self._ask(Against.SOMEBODY)

    def action_here(self) -> None:
        """Two at this keyboard."""
        self._ask(Against.HERE)

    def action_learn(self) -> None:
        """Its tasks, one after the other."""
        self._ask(Against.LEARN)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The card that is chosen is seen as such."""
        chosen = self.query_one(Cards).chosen if self.query_one(Cards).has_keys else None
        for card in self.query_one(Cards).cards:
            card.set_class(card is chosen, "-chosen")


_HELP = (
    "Each card is a game: press its number, or move with the arrows, and then choose against whom. You are at a board "
    "at once, with all that is usual; the form in the lobby has every choice.",
    "Computer: it plays at once. Friend: you get a link to give away. Somebody: whoever comes next. Two here: both of "
    "you at this keyboard. Learn: a few tasks on a small board, with nobody.",
    "The name was made up for you unless you chose one: n changes it. Enter goes to the lobby, where others wait.",
)
