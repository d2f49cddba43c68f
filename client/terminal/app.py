"""The terminal application: carries one session, keeps the model, and shows it on the right screen."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from client.conversation.address import Address
from client.conversation.carrying import carried
from client.conversation.events import Chosen, Event, Left, NewGuest, Offline, Settled
from client.conversation.pending import Backlog
from client.conversation.session import Session
from client.conversation.transport import NoAddress, Transport
from client.kept.identity import IdentityUnavailable
from client.kept.learned import Learned
from client.kept.links import link_here, link_to
from client.kept.saves import load
from client.playing.entering import LOST, Entering, Retrying
from client.playing.new_match import AtOnce, Choice
from client.playing.saving import Keeping
from client.shown.actions.controls import BY_ACTION, Place, is_enabled
from client.shown.actions.in_view import Eyes
from client.shown.board.examples import Example, read_examples, read_opening
from client.shown.model import Link, Model, update
from client.shown.words.held import update_at
from client.start.examples import fetch_examples, fetch_opening
from client.start.launch import Launch, done_aside
from client.terminal.attention import Attention
from client.terminal.drawing.plain import cleaned, plain
from client.terminal.parts import challenge_bar
from client.terminal.screens.name_screen import NameScreen
from client.terminal.switching import Screens
from protocol.messages import Command, Joined, Notification, OptionValue, Record, Refused, Snapshot, Welcome

REFRESH_S = 0.5
"""How often what depends on time (ages, "reconnecting for ...") is shown anew."""
WARNING_S = 12.0
"""How long a warning about the start is shown."""
QUIT_S = 0.8
"""How long quitting may wait for the connection to close: the screen is gone within a second (`N1`)."""


class Parlour(Screens):
    """See the module's docstring."""

    TITLE = "Parlour"
    CSS_PATH = "parlour.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave_program", "Quit", show=False, priority=True),
        Binding("ctrl+q", "leave_program", "Quit", show=False, priority=True),
        # These answer on every screen, and over every dialog.
        *(
            Binding(",".join(BY_ACTION[action].keys), action, "", show=False, priority=True)
            for action in challenge_bar.ACTIONS
        ),
    ]

    def __init__(
        self,
        launch: Launch,
        *,
        clock: Callable[[], float] = time.monotonic,
        settings_path: Path | None = None,
        is_dark: bool = True,
    ) -> None:
        super().__init__(settings_path, is_dark=is_dark)
        self.launch = launch
        self.is_local = launch.local is not None
        self.model = Model()
        self.last_choice = Choice()
        self._clock = clock
        self._session: Session | None = None
        self._transport: Transport | None = None
        self._carrying: asyncio.Task[None] | None = None
        self._server_key = ""
        self._address: Address | None = None
        self._drain_due = False
        self._entering = Entering(self.play_at_once, self._enter, lambda: self._go(Place.LOBBY))
        self._name_refused = False
        self._retrying = Retrying()
        self._called = ""
        """Under which name it was tried to connect last."""
        self.examples: Mapping[str, Example] = {}
        self.eyes = Eyes()
        self.learned = Learned(launch.learned)
        self.model = update(self.model, Chosen(self.settings.confirm, self.settings.premove))
        self._attention = Attention(
            self._write_to_terminal, self._ring, lambda: not self.app_focus, os.environ.get("TERM", "")
        )
        self._keeping = Keeping(self._send, self._ref, lambda lines: self.tell(" ".join(lines)))

    # Screens ----------------------------------------------------------------------------------------------------------

    async def on_mount(self) -> None:
        """The name comes first (`UD RF1`)."""
        name = self.launch.first_name
        await self.push_screen(self._first_screen(name))
        self.set_interval(REFRESH_S, self._look_again)
        if self.launch.warning:
            self.notify(plain(self.launch.warning), severity="warning", markup=False, timeout=WARNING_S)
        if self.launch.connects_at_once or self.launch.shows_cards:
            self.connect(name, goes_on=self.launch.connects_at_once)

    @property
    def now(self) -> float:
        """The session's clock, in seconds."""
        return self._clock()

    def link_to(self, match: Snapshot) -> str:
        """The link to give to others; "" where there is none."""
        return link_to(self._address, match) if self._address is not None else ""

    def link_here(self, match: Snapshot) -> str:
        """The same where others on this computer alone can use it."""
        return link_here(self._address, match) if self._address is not None and not self.is_local else ""

    # The connection ---------------------------------------------------------------------------------------------------

    def connect(self, name: str, *, goes_on: bool = True) -> None:
        """Be connected under `name`, and go on to where one wanted to go.

        A connection has one name, so another one is made for another name; after a refusal it is greeted again.
        """
        self._entering.goes_on |= goes_on
        self._retrying.stop()
        self._called = name
        session = self._session
        if self._carrying is None or self._carrying.done():
            self._report("Connecting…", busy=True)
            self._carrying = asyncio.create_task(carried(self._carry(name), self._ended_by))
        elif session is not None and (name != session.name or self._name_refused):
            self._name_refused = False
            self._report("Asking the server…", busy=True)
            is_online = session.is_online
            session.introduce(name)
            if is_online and self._transport is not None:
                self._transport.renew()
            self._wake()
        elif session is not None and session.is_online:
            self._entering.go_on()

    def begin(self, asked: AtOnce, name: str) -> None:
        """Begin a match at once, as soon as one is called so."""
        self._entering.asked = asked
        self.connect(name, goes_on=False)

    async def _carry(self, name: str) -> None:
        """Find the server and stay connected; comes back only when the first try failed."""
        address = await self._find_server_or_report()
        if address is None:
            return
        self._address = address
        self._server_key = self.launch.server_key or address.url
        self._report(f"Connecting to {address.label}…", busy=True)
        identity = self.launch.identity
        self._session = Session(
            name, identity.token(self._server_key), client="terminal", language=self.launch.language,
            rename=identity.is_made_up and name == identity.name,
        )  # fmt: skip
        self._transport = Transport(self.launch.find, self._session, self._events_may_be_there, clock=self._clock)
        await self._transport.run()
        self._drain()
        if not self._session.welcomed:
            self._failed(self.model.down_reason or LOST)

    def _ended_by(self, reason: str) -> None:
        """The task that carries is over, which nobody foresaw."""
        self._report(reason, bad=True)
        self.take(Offline(self._clock(), reason))
        self.refresh_screens()

    async def _find_server_or_report(self) -> Address | None:
        try:
            return await self.launch.find()
        except NoAddress as error:
            self._failed(str(error))
            return None

    def _failed(self, reason: str) -> None:
        """There is no connection yet; it is tried again by itself, but not with a name that was refused: that another
        one is wanted is what is to be known then, however long it takes."""
        if not self._name_refused:
            self._retrying.failed(plain(reason), self.now)
            self._report(self._retrying.told(self.now), bad=True)

    def _look_again(self) -> None:
        super()._look_again()
        if self._retrying.is_due(self.now):
            self.connect(self._called, goes_on=False)
        elif told := self._retrying.told(self.now):
            self._report(told, bad=True)

    @property
    def page(self) -> str:
        """The address under which others can do the same in a browser; "" where two play at this keyboard."""
        return "" if self._address is None or self.is_local else self._address.page

    def _report(self, text: str, *, busy: bool = False, bad: bool = False) -> None:
        if isinstance(self.screen, NameScreen):
            self.screen.report(text, busy=busy, bad=bad)

    def _suggest(self, name: str) -> None:
        """A name that is free, where the one that was asked for is somebody else's (`RU-M9`)."""
        if name and isinstance(self.screen, NameScreen):
            self.screen.suggest(name)

    def _wake(self) -> None:
        # At once, because what is sent next builds on what is pending.
        self._drain()
        if self._transport is not None:
            self._transport.flush()

    def _events_may_be_there(self) -> None:
        """Look at them in the application's own turn, once for many."""
        if not self._drain_due:
            self._drain_due = True
            self.call_later(self._drain)

    def _drain(self) -> None:
        self._drain_due = False
        if self._session is None:
            return
        happened = self._session.events()
        for event in happened:
            self.take(cleaned(event) if isinstance(event, Notification) else _cleaned_answer(event))
        if happened:
            self.refresh_screens()

    def take(self, event: Event) -> None:
        """Bring the model forward by one event, and go where it leads."""
        known, before = self.model, self.model.match
        self.model = update_at(self.model, event, self.now)
        self.eyes.look(self.model.match, self.now)
        self._attention.show(self.model)
        if isinstance(event, Settled):
            self._keeping.settled(event.command, event.answer)
        self._keeping.happened(event)
        match event:
            case Welcome():
                self._welcomed(event)
            case NewGuest():
                self._remember(None)
            case Snapshot() if before is None or before.match != event.match:
                self._entering.entered = True
                self._go(Place.MATCH)
            case Joined() if known.waits:
                # Whoever looked at the lobby meanwhile is called back.
                self._go(Place.MATCH)
            case Left():
                if self.model.match is None:
                    self._go(Place.LOBBY)
            case Settled(answer=Record() as record):
                self._recorded(record)
            case Refused() if self.model.link is not Link.UP and isinstance(self.screen, NameScreen):
                self._name_refused = True
                self._report(event.text, bad=True)
                self._suggest(str(event.data.get("suggestion", "")))
            case Settled(answer=Refused()) if self.model.match is None and isinstance(self.screen, NameScreen):
                # What was to be entered at once is not to be had: the lobby offers something else.
                self._go(Place.LOBBY)
            case _:
                pass
        self.follow_history(event)
        self.follow_plan()
        self.follow_on(known, event)
        self.follow_task()

    def _welcomed(self, welcome: Welcome) -> None:
        assert self._session is not None
        self._remember(self._session.token)
        if not self._session.is_watching_lobby:
            self._session.watch_lobby()
            self._see_examples()
        self._entering.go_on()

    @work(group="examples")
    async def _see_examples(self) -> None:
        """What the games' cards show."""
        if self._address is not None and self.launch.shows_cards:
            address = self._address
            self.examples = read_examples(await done_aside(lambda: fetch_examples(address)))
            self.refresh_screens()

    async def opening(self, game: str, options: Iterable[tuple[str, OptionValue]]) -> Snapshot | None:
        """What a form for a match shows."""
        if self._address is None:
            return None
        address = self._address
        return read_opening(await done_aside(lambda: fetch_opening(address, game, options)))

    def _enter(self) -> None:
        """From the first screen to where one wanted to go."""
        assert self._session is not None
        local, saved = self.launch.local, self.launch.saved
        if saved is not None:
            self._keeping.start(saved, saved.create(self._session.ref(), both_seats=self.is_local))
        elif local is not None:
            self.create(Choice(local.game, tuple(local.options.items()), opponent="both"))
        elif self.launch.at_once is not None:
            if not self.play_at_once(self.launch.at_once):
                self._go(Place.LOBBY)
        elif (command := self.launch.first_command(self._session.ref())) is not None:
            self._send(command)
        else:
            self._go(Place.LOBBY)

    def start_from(self, name: str, opponent: str) -> None:
        """Go on with the saved game of this name (`RU-M8`) against "somebody", the "computer" or "both" here.

        Or "review" it. Raises SaveError.
        """
        if opponent == "review":
            game = load(name)
            self._keeping.start(game, game.review(self._ref()))
            return
        game, both = load(name), opponent == "both" or (self.is_local and opponent == "somebody")
        self._keeping.start(game, game.create(self._ref(), both_seats=both, computer=opponent == "computer"))

    def _ref(self) -> str:
        assert self._session is not None
        return self._session.ref()

    def _send(self, command: Command) -> None:
        assert self._session is not None
        self.eyes.sent(command)
        try:
            self._session.send(command)
        except Backlog:
            self.tell("Too much waits for the server already.", "backlog")
        self._wake()

    def _unfollow(self) -> None:
        if self._session is not None:
            self._session.leave()
            self._wake()

    def _remember(self, token: str | None) -> None:
        assert self._session is not None
        try:
            self.launch.identity.remember(self._server_key, self._session.name, token)
        except IdentityUnavailable as error:
            self.notify(plain(str(error)), severity="warning", markup=False)

    # Challenges -------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key that holds on every screen does anything now."""
        return is_enabled(action, self.model) if action in challenge_bar.ACTIONS else True

    def action_accept_challenge(self) -> None:
        """Accept."""
        self.answer_challenge(accept=True)

    def action_decline_challenge(self) -> None:
        """Decline."""
        self.answer_challenge(accept=False)

    def action_withdraw_challenge(self) -> None:
        """Take it back."""
        self.withdraw_challenge()

    # Leaving ----------------------------------------------------------------------------------------------------------

    async def action_leave_program(self) -> None:
        """Ctrl-C and Ctrl-Q."""
        self.leave_program()

    def leave_program(self) -> None:
        """Close the connection politely, but never wait for it long; the terminal is restored (`DB 7.1.2.1`)."""
        self._leave()

    @work(exclusive=True, group="leave")
    async def _leave(self) -> None:
        if self._transport is not None:
            self._transport.stop()
        if self._carrying is not None:
            await asyncio.wait([self._carrying], timeout=QUIT_S)
            self._carrying.cancel()
        self._attention.end()
        self.exit()

    def _write_to_terminal(self, sequence: str) -> None:
        # As Textual itself does for the clipboard; there is no terminal in a test.
        if self._driver is not None:
            self._driver.write(sequence)


def _cleaned_answer(event: Event) -> Event:
    """An answer inside an event comes from outside too."""
    return Settled(event.command, cleaned(event.answer)) if isinstance(event, Settled) else event
