"""The terminal application: carries one session, keeps the model, and shows it on the right screen."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from client.address import Address
from client.controls import Place
from client.events import Event, Left, NewGuest, Settled
from client.identity import IdentityUnavailable
from client.lobby import Way
from client.model import Link, Model, Notice, update
from client.pending import Backlog
from client.session import Session
from client.terminal import theme
from client.terminal.base import Dialog, ParlourScreen
from client.terminal.form import Choice
from client.terminal.launch import Launch
from client.terminal.lobby_screen import LobbyScreen
from client.terminal.match_screen import MatchScreen
from client.terminal.name_screen import NameScreen
from client.terminal.plain import cleaned, plain
from client.transport import NoAddress, Transport
from protocol.messages import (
    Abandon,
    Cancel,
    Command,
    Create,
    Join,
    Move,
    Notification,
    QuickMatch,
    Refused,
    Snapshot,
    Watch,
    Welcome,
)

REFRESH_S = 0.5
"""How often what depends on time (ages, "reconnecting for ...") is shown anew."""
QUIT_S = 0.8
"""How long quitting may wait for the connection to close: the screen is gone within a second (`N1`)."""


class Parlour(App[None]):
    """See the module's docstring."""

    TITLE = "Parlour"
    CSS_PATH = "parlour.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave_program", "Quit", show=False, priority=True),
        Binding("ctrl+q", "leave_program", "Quit", show=False, priority=True),
    ]

    def __init__(self, launch: Launch, *, clock: Callable[[], float] = time.monotonic) -> None:
        # Where colours are unwanted the terminal's own are used, of which Textual then leaves none.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.launch = launch
        self.model = Model()
        self.last_choice = Choice()
        self._clock = clock
        self._session: Session | None = None
        self._transport: Transport | None = None
        self._carrying: asyncio.Task[None] | None = None
        self._server_key = ""
        self._drain_due = False
        self._entered = False

    # Screens ----------------------------------------------------------------------------------------------------------

    async def on_mount(self) -> None:
        """The name comes first (`UD RF1`)."""
        self.register_theme(theme.THEME)
        self.theme = theme.THEME.name
        name = self.launch.name or self.launch.identity.name
        await self.push_screen(NameScreen(name, asks=not self.is_local))
        self.set_interval(REFRESH_S, self.refresh_screens)
        if self.launch.connects_at_once:
            self.connect(name)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The palette, for the style sheet."""
        return dict(theme.VARIABLES)

    @property
    def is_local(self) -> bool:
        """Whether two people play at this keyboard."""
        return self.launch.local is not None

    def refresh_screens(self) -> None:
        """Show the model on whatever is on screen."""
        for screen in self.screen_stack:
            self.refresh_screen(screen)

    def refresh_screen(self, screen: object) -> None:
        """Show the model on one screen, once it is composed."""
        if isinstance(screen, ParlourScreen | Dialog) and screen.is_ready:
            screen.show(self.model, self._clock())

    def _go(self, place: Place) -> None:
        """Make `place` the screen, without anything over it."""
        while isinstance(self.screen, Dialog):
            self.pop_screen()
        if isinstance(self.screen, ParlourScreen) and self.screen.PLACE is place:
            return
        self.switch_screen(LobbyScreen() if place is Place.LOBBY else MatchScreen())

    # The connection ---------------------------------------------------------------------------------------------------

    def connect(self, name: str) -> None:
        """Connect under `name`, or greet again under it when the server refused the last one."""
        if self._session is not None and self._carrying is not None and not self._carrying.done():
            if not self._session.welcomed:
                self._report("Asking the server…", busy=True)
                self._session.introduce(name)
                self._wake()
            return
        self._report("Connecting…", busy=True)
        self._carrying = asyncio.create_task(self._carry(name))

    async def _carry(self, name: str) -> None:
        """Find the server and stay connected; comes back only when the first try failed."""
        address = await self._find_server_or_report()
        if address is None:
            return
        self._server_key = self.launch.server_key or address.url
        self._report(f"Connecting to {address.label}…", busy=True)
        self._session = Session(
            name, self.launch.identity.token(self._server_key), client="terminal", language=self.launch.language
        )
        self._transport = Transport(self.launch.find, self._session, self._events_may_be_there, clock=self._clock)
        await self._transport.run()
        self._drain()
        if not self._session.welcomed:
            self._report(plain(self.model.down_reason or "The connection was lost."), bad=True)

    async def _find_server_or_report(self) -> Address | None:
        try:
            return await self.launch.find()
        except NoAddress as error:
            self._report(plain(str(error)), bad=True)
            return None

    def _report(self, text: str, *, busy: bool = False, bad: bool = False) -> None:
        if isinstance(self.screen, NameScreen):
            self.screen.report(text, busy=busy, bad=bad)

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
            self._take(cleaned(event) if isinstance(event, Notification) else _cleaned_answer(event))
        if happened:
            self.refresh_screens()

    def _take(self, event: Event) -> None:
        before = self.model.match
        self.model = update(self.model, event)
        match event:
            case Welcome():
                self._welcomed(event)
            case NewGuest():
                self._remember(None)
            case Snapshot() if before is None or before.match != event.match:
                self._entered = True
                self._go(Place.MATCH)
            case Left():
                self._go(Place.LOBBY)
            case Refused() if self.model.link is Link.NEW:
                self._report(event.text, bad=True)
            case Settled(answer=Refused()) if self.model.match is None and isinstance(self.screen, NameScreen):
                # What was to be entered at once is not to be had: the lobby offers something else.
                self._go(Place.LOBBY)
            case _:
                pass

    def _welcomed(self, welcome: Welcome) -> None:
        assert self._session is not None
        self._remember(self._session.token)
        if not self._entered:
            self._entered = True
            self._enter()

    def _enter(self) -> None:
        """From the first screen to where one wanted to go."""
        assert self._session is not None
        self._session.watch_lobby()
        local = self.launch.local
        if local is not None:
            self.create(Choice(local.game, tuple(local.options.items())))
        elif self.launch.watch is not None:
            self._send(Watch(ref=self._session.ref(), match=self.launch.watch))
        else:
            self._go(Place.LOBBY)

    def _remember(self, token: str | None) -> None:
        assert self._session is not None
        try:
            self.launch.identity.remember(self._server_key, self._session.name, token)
        except IdentityUnavailable as error:
            self.notify(plain(str(error)), severity="warning", markup=False)

    # What the user does -----------------------------------------------------------------------------------------------

    def _send(self, command: Command) -> None:
        assert self._session is not None
        try:
            self._session.send(command)
        except Backlog:
            notice = Notice("Too much waits for the server already.", "backlog", self.model.notice.number + 1)
            self.model = update(self.model, Refused(ref="", code=notice.code, text=notice.text))
        self._wake()

    def create(self, choice: Choice) -> None:
        """Host a match (`CK R1.2`); at one keyboard both seats are ours."""
        assert self._session is not None
        self.last_choice = choice
        self._send(
            Create(
                ref=self._session.ref(),
                game=choice.game,
                options=dict(choice.options),
                private=choice.private,
                both_seats=self.is_local,
            )
        )

    def quick_match(self, choice: Choice) -> None:
        """Be paired (`UD RF2`); at one keyboard the two are there already."""
        if self.is_local:
            self.create(choice)
            return
        assert self._session is not None
        self.last_choice = choice
        self._send(QuickMatch(ref=self._session.ref(), game=choice.game, options=dict(choice.options)))

    def open_match(self, match: str, way: Way) -> None:
        """Join, watch or go on with a match of the lobby."""
        assert self._session is not None
        ref = self._session.ref()
        self._send(Join(ref=ref, match=match) if way is Way.JOIN else Watch(ref=ref, match=match))

    def join_by_key(self, key: str) -> None:
        """Join a private match (`CK R1.6`)."""
        assert self._session is not None
        self._send(Join(ref=self._session.ref(), key=key))

    def play(self, move: str) -> None:
        """Send a move in the position that one's own pending moves lead to; legal or not, the server has the words."""
        match = self.model.match
        if match is not None and self._session is not None:
            version = self.model.next_version
            self._send(Move(ref=self._session.ref(), match=match.match, version=version, move=move))

    def give_up(self) -> None:
        """The opponent wins (`CK R4.3`)."""
        match = self.model.match
        if match is not None and self._session is not None:
            self._send(Abandon(ref=self._session.ref(), match=match.match))

    def cancel_match(self) -> None:
        """Take back a match that waits, and go to the lobby."""
        match = self.model.match
        if match is not None and self._session is not None:
            self._send(Cancel(ref=self._session.ref(), match=match.match))
            self.leave_match()

    def leave_match(self) -> None:
        """Back to the lobby."""
        if self._session is not None:
            self._session.leave()
            self._wake()

    def play_again(self) -> None:
        """The same game and options, with whoever is ready."""
        match = self.model.match
        if match is None:
            return
        choice = Choice(match.game, tuple(match.options.items()), match.private)
        self.leave_match()
        if self.is_local or match.private:
            self.create(choice)
        else:
            self.quick_match(choice)

    async def action_leave_program(self) -> None:
        """Ctrl-C and Ctrl-Q."""
        self.leave_program()

    def leave_program(self) -> None:
        """Close the connection politely, but never wait for it long; the terminal is restored (`DB 7.1.2.1`)."""
        self.run_worker(self._leave(), exclusive=True, group="leave")

    async def _leave(self) -> None:
        if self._transport is not None:
            self._transport.stop()
        if self._carrying is not None:
            await asyncio.wait([self._carrying], timeout=QUIT_S)
            self._carrying.cancel()
        self.exit()


def _cleaned_answer(event: Event) -> Event:
    """An answer inside an event comes from outside too."""
    return Settled(event.command, cleaned(event.answer)) if isinstance(event, Settled) else event
