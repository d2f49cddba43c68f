"""The games as cards: a small living picture, and the ways to a board at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from client.playing.new_match import LABELS, Against, AtOnce, ways
from client.shown.board.examples import Example
from client.shown.words.lessons import progress_text
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content
from client.terminal.parts.miniature import Miniature
from protocol.messages import GameInfo

LEAST_UPRIGHT = (76, 23)
"""Columns and rows of a window in which the cards stand beside each other; in a smaller one they lie in rows."""
LEAST_WIDE = 13
"""Columns of a card: the longest of its ways."""
WORDS, SUMMARY = 8, 5
"""Rows of an upright card that its name and ways take, and what the game is about."""
TALL = 32
"""Rows of a window from which on there is room for what the games are about."""


def _marked(label: str) -> Content:
    """With its key, the first letter, underlined."""
    return Content.assemble((label[:1], "underline"), label[1:])


class Way(Widget, can_focus=True):
    """One of a card's buttons: as narrow as its label, which no other button is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "press", show=False)]

    class Pressed(Message):
        """It was clicked, or has the keys and Enter came."""

        def __init__(self, way: Way) -> None:
            super().__init__()
            self.way = way

    def __init__(self, against: Against, label: str) -> None:
        super().__init__(classes=f"way {against.value}")
        self.against = against
        self.label = label
        self._more = ""

    def add(self, more: str) -> None:
        """What stands behind the label."""
        if more != self._more:
            self._more = more
            self.refresh(layout=True)

    def render(self) -> Content:
        """The label, its key underlined."""
        return _marked(f"{self.label} {self._more}".rstrip())

    def on_click(self, event: events.Click) -> None:
        """The mouse's way."""
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        """Enter."""
        self.post_message(self.Pressed(self))


class Card(Vertical):
    """One game."""

    class Asked(Message):
        """A match is to begin at once."""

        def __init__(self, asked: AtOnce) -> None:
            super().__init__()
            self.asked = asked

    def __init__(self, number: int, game: GameInfo) -> None:
        super().__init__(classes="card")
        self._number = number
        self.game = game

    def compose(self) -> ComposeResult:
        """Picture, name, what it is about, the ways."""
        yield Miniature()
        with Vertical(classes="card-words"):
            number = (f"{self._number} ", f"bold {theme.BRASS}")
            yield Static(Content.assemble(number, (self.game.title, f"bold {theme.CHALK}")), classes="card-title")
            yield Static(content(self.game.summary, theme.DUST), classes="card-summary")
            with Horizontal(classes="card-ways"):
                for against in ways(self.game):
                    if against is not Against.LEARN:
                        yield Way(against, LABELS[against])
            with Horizontal(classes="card-learn"):
                if Against.LEARN in ways(self.game):
                    yield Way(Against.LEARN, LABELS[Against.LEARN])

    def show(self, example: Example | None, step: int, learned: Collection[int]) -> None:
        """Another step of its example; which of its tasks were done."""
        self.query_one(Miniature).show(example.at(step) if example is not None else None)
        for way in self.query(Way):
            if way.against is Against.LEARN:
                way.add(progress_text(self.game, learned))

    def ask(self, against: Against) -> None:
        """Begin."""
        if against in ways(self.game):
            self.post_message(self.Asked(AtOnce(self.game.name, against)))

    def on_way_pressed(self, event: Way.Pressed) -> None:
        """A click, or Enter."""
        event.stop()
        self.ask(event.way.against)

    def fit(self, columns: int, rows: int) -> None:
        """So large is its picture."""
        styles = self.query_one(Miniature).styles
        styles.width, styles.height = columns, rows

    def focus_way(self) -> None:
        """Give the keys to its first way."""
        self.query(Way).first().focus()


class Cards(Widget):
    """All games on offer; arrows go from one way to the next, and from one card to the next."""

    def __init__(self) -> None:
        super().__init__(id="cards")
        self._games: tuple[GameInfo, ...] = ()
        self._are_whole = False
        self._upright = False

    def on_resize(self, event: events.Resize) -> None:
        """Beside each other where there is room."""
        self._fit()

    def _fit(self) -> None:
        """Pictures are as large as the words leave room for, and square."""
        (width, height), (columns, rows) = self.app.size, LEAST_UPRIGHT
        self._upright = width >= columns and height >= rows
        self.set_class(self._upright, "-upright")
        cards, room = self.cards, self.size.height
        for card in cards:
            if self._upright:
                wide = max((self.size.width - 2) // len(cards) - 1, LEAST_WIDE)
                high = max(min(wide // 2, room - WORDS - (SUMMARY if height >= TALL else 0)), 3)
                card.fit(wide, high)
                card.styles.width, card.styles.height = wide, "auto"
            else:
                high = min(max(room // len(cards), 3), 7)
                card.fit(2 * high + 2, high)
                card.styles.width, card.styles.height = "100%", high

    def has_offered(self, games: tuple[GameInfo, ...]) -> bool:
        """Whether the cards of these games are there, or on their way."""
        return games == self._games

    async def offer(self, games: tuple[GameInfo, ...]) -> None:
        """A card for each of these games."""
        self._games, self._are_whole = games, False
        await self.remove_children()
        await self.mount_all(Card(number, game) for number, game in enumerate(games, start=1))
        self._are_whole = True
        self._fit()

    @property
    def cards(self) -> list[Card]:
        """The cards, in order; none before all of them have their parts."""
        return list(self.query(Card)) if self._are_whole else []

    @property
    def chosen(self) -> Card | None:
        """The card that has the keys; the first one while none has."""
        focused = self.screen.focused
        cards = self.cards
        with_keys = (card for card in cards if focused is not None and card in focused.ancestors)
        return next(with_keys, cards[0] if cards else None)

    @property
    def has_keys(self) -> bool:
        """Whether one of the ways has the keys."""
        focused = self.screen.focused
        return focused is not None and self in focused.ancestors

    def move(self, key: str) -> None:
        """An arrow: along a card's ways, or to another card."""
        card = self.chosen
        if card is None:
            return
        if not self.has_keys:
            card.focus_way()
            return
        along = ("up", "down") if self._upright else ("left", "right")
        ways = list(card.query(Way))
        at = next((index for index, way in enumerate(ways) if way.has_focus), 0)
        step = -1 if key in ("up", "left") else 1
        if key in along:
            ways[min(max(at + step, 0), len(ways) - 1)].focus()
        else:
            cards = self.cards
            other = cards[(cards.index(card) + step) % len(cards)]
            others = list(other.query(Way))
            others[min(at, len(others) - 1)].focus()
