"""The window's application without its window: model, screens, and what is done for the user. Knows no pygame."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from secrets import token_hex

from client.conversation.address import Address
from client.conversation.cleaning import plain
from client.conversation.events import Chosen, Event, Left, Sent, Settled
from client.kept.learned import Learned
from client.kept.links import link_here, link_to
from client.kept.settings import Settings
from client.playing.entering import LOST, Entering, Retrying
from client.playing.new_match import Choice
from client.playing.saving import Keeping
from client.shown import match_log
from client.shown.actions.controls import Place
from client.shown.actions.in_view import Eyes
from client.shown.board.examples import Example
from client.shown.model import Link, Model, update
from client.shown.words.held import update_at
from client.start.launch import Launch
from client.window.acting import Acting
from client.window.hands.inputs import Input
from client.window.network import Network, Told
from client.window.progress import Asked, Found, Opened, Progress, Shown
from client.window.screens.front_screen import FrontScreen
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.name_screen import NameScreen
from client.window.screens.screen import Screen
from client.window.sounding import Sound, low_time, sound_of
from protocol.messages import Command, Joined, Record, Refused, Snapshot, Welcome

OPENINGS = 32
"""Boards before the first move that are kept for forms."""


class Application(Acting):
    """`wake` is called from the network's thread when there is something to take; `match_screen` makes the screen that
    shows a match."""

    def __init__(
        self,
        launch: Launch,
        wake: Callable[[], None],
        match_screen: Callable[[], Screen],
        *,
        settings: Settings | None = None,
        settings_path: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.launch = launch
        self.model = Model()
        self.last_choice = Choice()
        self.is_local = launch.local is not None
        self.settings = settings if settings is not None else Settings()
        self.is_over = False
        self.is_full = False
        self.sounds: list[Sound] = []
        """To be played; whoever plays them empties it."""
        self._match_screen = match_screen
        self._settings_path = settings_path
        self._clock = clock
        self._looked_at = clock()
        self._entering = Entering(self.play_at_once, self._enter, lambda: self._go(Place.LOBBY))
        self._retrying = Retrying()
        self._name_refused = False
        self._called: tuple[str, Address | None] = launch.first_name, None
        """Under which name it was tried to connect last, and whereto."""
        self._address: Address | None = None
        self.copied = ""
        self._prefix, self._counter = token_hex(8), count(1)
        self._network = Network(launch, wake, clock=clock)
        self.eyes = Eyes()
        self.learned = Learned(launch.learned)
        self._keeping = Keeping(self._send, self._ref, lambda lines: self.tell(" ".join(lines)))
        self.model = update(self.model, Chosen(self.settings.confirm, self.settings.premove))
        self._beneath = None
        self._examples: Mapping[str, Example] = {}
        self._openings: dict[Asked, Snapshot | None] = {}
        self._asked_opening: Asked | None = None
        self.screen: Screen = self._first_screen(launch.first_name)

    # Around it --------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The session's clock, in seconds."""
        return self._clock()

    def start(self) -> None:
        """Let the network run, and connect where that was asked for."""
        self._network.start()
        if self.launch.connects_at_once or self.launch.shows_cards:
            self._entering.goes_on = self.launch.connects_at_once
            self._network.connect(self.launch.first_name)

    def _first_screen(self, name: str) -> NameScreen:
        if not self.launch.shows_cards:
            return NameScreen(name, server=self.launch.server)
        screen = FrontScreen(name, server=self.launch.server)
        screen.examples, screen.learned = self._examples, self.learned
        return screen

    def stop(self) -> None:
        """Leave politely, in less than a second (`N1`)."""
        self._network.stop()

    def take_news(self) -> bool:
        """Take what the network has told; whether there was anything."""
        told = self._network.take()
        for one in told:
            self._told(one)
        tries = self._try_again()
        self._see_chat()
        self._see_opening()
        return self.forget() or tries or bool(told)

    def _try_again(self) -> bool:
        """A first connection that failed is tried again by itself, but not with a name that was refused; whether there
        is something to tell of it."""
        if self._retrying.is_due(self.now):
            self._retrying.stop()
            self._network.connect(*self._called)
            return True
        said = self._retrying.told(self.now)
        if not said or not isinstance(self.screen, NameScreen) or self.screen.progress.text == said:
            return False
        self.screen.report(Progress(said, bad=True))
        return True

    def take_input(self, given: Input, size: tuple[float, float]) -> None:
        """Do what the user does; `size` in pixels is that of the picture that was seen."""
        for intent in self.screen.take(given, self.model, size, self.now):
            self.carry_out(intent)
        self._see_chat()
        self._see_opening()

    def _see_chat(self) -> None:
        """What was said counts as read as soon as it is in sight."""
        if self.screen.shows_chat:
            self.read_chat()

    def _see_opening(self) -> None:
        """A form shows the board that it would begin with; until the server has told of it, the one that was there,
        so that no row moves to and fro."""
        if not isinstance(self.screen, LobbyScreen) or (form := self.screen.form) is None:
            return
        asked = form.game, form.options
        if asked in self._openings:
            self.screen.opening = self._openings[asked]
        elif asked != self._asked_opening:
            self._asked_opening = asked
            self._network.see_opening(asked)

    def listen_to_clocks(self) -> None:
        """Warn once when one's own time has become low."""
        earlier, self._looked_at = self._looked_at, self.now
        if low_time(self.model, earlier, self._looked_at):
            self.sounds.append(Sound.LOW)

    @property
    def title(self) -> str:
        """The window's title: whose turn it is can be seen there, too."""
        match = self.model.match
        if match is None or match.game not in self.model.games:
            return "Parlour"
        turn = "▶ Your turn: " if self.model.is_my_turn and not self.model.holds_both else ""
        return f"{turn}{self.model.games[match.game].title} - Parlour"

    # What the network tells -------------------------------------------------------------------------------------------

    def _told(self, told: Told) -> None:
        if isinstance(told, Found):
            self._address = told.address
        elif isinstance(told, Shown):
            self._examples = told.examples
            for screen in (self.screen, self._beneath):
                if isinstance(screen, FrontScreen):
                    screen.examples = told.examples
        elif isinstance(told, Opened):
            if len(self._openings) >= OPENINGS:
                self._openings.clear()
            self._openings[told.asked], self._asked_opening = told.opening, None
        elif isinstance(told, Progress):
            if told.bad and self._name_refused:
                return  # That another name is wanted is what is to be known, however long it takes.
            said = told if told.text else replace(told, text=plain(self.model.down_reason or LOST))
            if said.bad:
                self._retrying.failed(said.text, self.now)
            if isinstance(self.screen, NameScreen):
                self.screen.report(said)
        else:
            self.take(told)

    def take(self, event: Event) -> None:
        """Bring the model forward by one event, and go where it leads."""
        before = self.model
        self.model = update_at(self.model, event, self.now)
        self.eyes.look(self.model.match, self.now)
        sound = sound_of(before, self.model)
        if sound is not None:
            self.sounds.append(sound)
        self._keeping.happened(event)
        match event:
            case Settled(command, answer):
                self._keeping.settled(command, answer)
                self._settled(answer)
            case Welcome():
                self._welcomed()
            case Snapshot() if before.match is None or before.match.match != event.match:
                self._entering.entered = True
                self._go(Place.MATCH)
            case Joined() if before.waits:
                # Whoever looked at the lobby meanwhile is called back.
                self._go(Place.MATCH)
            case Left() if self.model.match is None:
                self._go(Place.LOBBY)
            case Refused() if self.model.link is not Link.UP:
                self._refused_name(event)
            case _:
                pass
        self.follow_history(event)
        self.follow_plan()
        self.follow_on(before, event)
        self.follow_task()
        self.screen.link = self._link(self.model.match)

    def _link(self, match: Snapshot | None) -> str:
        """What one gives to others: the way into the match, or the page on which a student's game is read."""
        if self._address is None or match is None:
            return ""
        if self.model.is_log:
            return match_log.page(self._address.page, match.match)
        waits = match.status == "waiting" and match.you and not self.is_local
        return link_to(self._address, match) or (link_here(self._address, match) if waits else "")

    def _settled(self, answer: object) -> None:
        if isinstance(answer, Record):
            self._recorded(answer)
        elif isinstance(answer, Refused) and self.model.match is None and isinstance(self.screen, NameScreen):
            # What was to be entered at once is not to be had: the lobby offers something else.
            self._go(Place.LOBBY)

    def _refused_name(self, refused: Refused) -> None:
        self._name_refused = True
        self._retrying.stop()
        if isinstance(self.screen, NameScreen):
            self.screen.report(Progress(refused.text, bad=True))
            suggestion = str(refused.data.get("suggestion", ""))
            if suggestion:
                self.screen.suggest(suggestion)

    def _welcomed(self) -> None:
        self._retrying.stop()
        self._network.watch_lobby()
        self._entering.go_on()

    def _enter(self) -> None:
        launch = self.launch
        if launch.saved is not None:
            self._keeping.start(launch.saved, launch.saved.create(self._ref(), both_seats=self.is_local))
        elif launch.local is not None:
            self.create(Choice(launch.local.game, tuple(launch.local.options.items()), opponent="both"))
        elif launch.at_once is not None:
            if not self.play_at_once(launch.at_once):
                self._go(Place.LOBBY)
        elif (command := launch.first_command(self._ref())) is not None:
            self._send(command)
        else:
            self._go(Place.LOBBY)
        if launch.warning:
            self.tell(plain(launch.warning))

    def _go(self, place: Place) -> None:
        shown = self._beneath or self.screen
        if shown.PLACE is not place:
            self._beneath = None
            self._network.see_own(place is Place.LOBBY)
            if place is Place.NAME:
                self.screen = self._first_screen(self.model.name)
            else:
                self.screen = LobbyScreen(self.last_choice) if place is Place.LOBBY else self._match_screen()
            self.screen.moves = self.settings.motion

    def show_lobby(self) -> None:
        """The lobby, while what is on screen goes on."""
        self._go(Place.LOBBY)

    # For Doing --------------------------------------------------------------------------------------------------------

    def refresh_screens(self) -> None:
        """Nothing to do: the loop draws after each event."""

    def _send(self, command: Command) -> None:
        self.eyes.sent(command)
        self.take(Sent(command))
        self._network.send(command)

    def _ref(self) -> str:
        return f"{self._prefix}-{next(self._counter)}"

    def _unfollow(self) -> None:
        self._network.leave()
