"""Which screen is shown, how it looks, and when it is shown anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from client.conversation.session import Session
from client.kept.settings import Ground, Settings, load_settings, save_settings
from client.shown.actions.controls import Place
from client.shown.model import Link
from client.shown.words.lobby import Way
from client.terminal.parts import challenge_bar
from client.terminal.screens.base import Application, Dialog, ParlourScreen
from client.terminal.screens.front_screen import FrontScreen
from client.terminal.screens.lobby_screen import LobbyScreen
from client.terminal.screens.match_screen import MatchScreen
from client.terminal.screens.name_screen import NameScreen
from client.terminal.typing_ahead import TypingAhead
from protocol.messages import AnswerChallenge, Create, Join, QuickMatch, Watch

ENTER = Create | QuickMatch | Join | Watch
"""What is answered by a match on screen."""


class Screens(TypingAhead, Application):
    """The application's screens, one at a time, in what the user has chosen."""

    _session: Session | None = None

    def __init__(self, settings_path: Path | None, *, is_dark: bool) -> None:
        self._is_dark = is_dark
        self._settings_path = settings_path
        self.settings = load_settings(settings_path) if settings_path is not None else Settings()
        super().__init__(dark=self._wants_dark())

    def change_settings(self, **changes: object) -> None:
        """Choose anew; it holds at once, and is kept from run to run."""
        self.settings = structs.replace(self.settings, **changes)
        if self._settings_path is not None:
            save_settings(self._settings_path, self.settings)
        self.wear(dark=self._wants_dark())
        self.choose(self.settings)

    def _wants_dark(self) -> bool:
        """Whether the ground is to be dark: as chosen, or as the terminal's own is."""
        return self._is_dark if self.settings.ground is Ground.OWN else self.settings.ground is Ground.DARK

    def _ring(self) -> None:
        if self.settings.sound:
            self.bell()

    def _look_again(self) -> None:
        """Show what depends on time."""
        self.forget()
        self.refresh_screens()

    def refresh_screens(self) -> None:
        """Show the model on whatever is on screen."""
        for screen in self.screen_stack:
            self.refresh_screen(screen)

    def refresh_screen(self, screen: object) -> None:
        """Show the model on one screen, once it is composed and until it is taken apart."""
        if self.is_running and isinstance(screen, ParlourScreen | Dialog) and screen.is_ready and screen.is_attached:
            screen.show(self.model, self.now)
            for bar in screen.query_children(challenge_bar.ChallengeBar):
                bar.show(self.model, self.now)

    def _first_screen(self, name: str) -> NameScreen:
        return FrontScreen(name) if self.launch.shows_cards else NameScreen(name, asks=not self.is_local)

    def _go(self, place: Place) -> None:
        """Make `place` the screen, without anything over it."""
        if self._session is not None:
            self._session.see_own(place is Place.LOBBY)
        self.change_ground()
        if isinstance(self.screen, Dialog):
            # What is typed in it by somebody who did not see this coming is not for the match.
            self.turn_deaf()
        while isinstance(self.screen, Dialog):
            self.pop_screen()
        if isinstance(self.screen, ParlourScreen) and self.screen.PLACE is place:
            return
        screens: dict[Place, Callable[[], ParlourScreen]] = {
            Place.NAME: lambda: FrontScreen(self.model.name),
            Place.LOBBY: LobbyScreen,
            Place.MATCH: MatchScreen,
        }
        self.switch_screen(screens[place]())

    @property
    def is_entering(self) -> bool:
        """Whether a hub is asked for a match to be shown in place of what is on screen."""
        asked = any(
            isinstance(one, ENTER) or (isinstance(one, AnswerChallenge) and one.accept) for one in self.model.pending
        )
        return self.model.link is Link.UP and (asked or self._practising is not None)

    def show_lobby(self) -> None:
        """The lobby, while what is on screen goes on."""
        self._go(Place.LOBBY)

    def open_match(self, match: str, way: Way) -> None:
        """A match of the lobby; one's own that waits was not left."""
        if self.model.match is not None and self.model.match.match == match and way is Way.RESUME:
            self._go(Place.MATCH)
        else:
            super().open_match(match, way)

    def show_games(self) -> None:
        """Back to the cards of the games."""
        self._go(Place.NAME)
