"""What a screen asks for, carried out."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from client.conversation.address import Address, BadAddress, parse_address
from client.conversation.cleaning import plain
from client.conversation.events import Filtered
from client.kept import saves
from client.kept.links import key_in
from client.kept.saves import SaveError
from client.kept.settings import Settings, Theme, save_settings
from client.playing.actions import Doing
from client.playing.commands import is_sent_at_once
from client.playing.entering import Entering, Retrying
from client.shown.actions.controls import Place
from client.shown.board.picking import IN_VAIN
from client.shown.model import Link, Model
from client.shown.words.lobby import Way, next_filter
from client.window import intents
from client.window.network import Network, Told
from client.window.progress import Progress
from client.window.screens.name_screen import NameScreen
from client.window.screens.screen import Screen
from client.window.screens.settings_screen import SettingsScreen


class Acting(Doing):
    """Carries out intents. The application below it has the network, and takes what it tells."""

    screen: Screen
    settings: Settings
    is_over: bool
    is_full: bool
    copied: str
    """To be put where the user can paste it elsewhere; whoever does so empties it."""
    _beneath: Screen | None
    """The screen that the settings are shown instead of."""
    _settings_path: Path | None
    _entering: Entering
    _network: Network
    _address: Address | None
    _retrying: Retrying
    _name_refused: bool
    _called: tuple[str, Address | None]

    def _go(self, place: Place) -> None:
        """Make `place` the screen."""
        raise NotImplementedError

    def _told(self, told: Told) -> None:
        """Take what the network tells."""
        raise NotImplementedError

    def carry_out(self, intent: intents.Intent) -> None:
        """Do what a screen asks for."""
        match intent:
            case intents.Connect(name, address, goes_on):
                self._entering.goes_on |= goes_on
                self._connect(name, address)
            case intents.Begin(asked, name, address):
                self._entering.asked = asked
                self._connect(name, address)
            case intents.Host(choice):
                self.create(choice)
            case intents.Ask(name, choice):
                self.challenge(name, choice)
            case intents.Quick(choice):
                self.quick_match(choice)
            case intents.OpenMatch(match, Way.RESUME) if (
                self.model.match is not None and self.model.match.match == match
            ):
                # One's own match that waits was not left.
                self._go(Place.MATCH)
            case intents.OpenMatch(match, way):
                self.open_match(match, way)
            case intents.Drop(match, act):
                self.drop(match, act)
            case intents.AskAboutKey(key):
                self.ask_about_key(key)
            case intents.JoinKey(key):
                self.join_by_key(key_in(key))
            case intents.StartSaved(name, review):
                self._start_saved(name, review=review)
            case intents.Act(action, version):
                self._act(action, version)
            case intents.Play(move):
                self.play(move)
            case intents.InVain(why):
                self.tell(why, IN_VAIN)
            case intents.StepTo(ply):
                self.step(ply)
            case intents.SayLine(text):
                self.say(text)
            case intents.SaveAs(name, replaced):
                self.save(name, replace=replaced)
            case intents.RevertTo(name):
                if self.model.match is not None:
                    self._keeping.revert(name, self.model.match)
            case intents.LeaveMatch():
                self.go_to_lobby()
            case intents.Copy(text):
                self.copied = text
                self.tell("Copied.", "")
            case intents.ToggleFull():
                self.is_full = not self.is_full
            case intents.ShowSettings():
                if not isinstance(self.screen, SettingsScreen):
                    self._beneath, self.screen = self.screen, SettingsScreen(self)
            case intents.HideSettings():
                if self._beneath is not None:
                    self.screen, self._beneath = self._beneath, None
            case intents.Quit():
                self.is_over = True
            case _:
                self._set(intent)

    def _act(self, action: str, version: int | None) -> None:
        match action:
            case "games":
                self._go(Place.NAME)
            case "cancel":
                self.cancel_match()
            case "accept_challenge" | "decline_challenge":
                self.answer_challenge(accept=action == "accept_challenge")
            case "withdraw_challenge":
                self.withdraw_challenge()
            case "mute_challenges":
                self.mute_challenges()
            case "again":
                self.play_again()
            case "clear":
                self.clear_match()
            case "mute":
                self.mute()
            case "confirm":
                self.confirm()
            case "unplan":
                self.drop_plan()
            case "review":
                self.review()
            case "practise":
                self.practise()
            case "filter":
                self.take(Filtered(next_filter(self.model)))
            case "list_saved":
                self.screen.show_saved(tuple(saves.saved()))
            case "live":
                if self.model.match is not None:
                    self.step(self.model.match.plies)
            case _:
                assert is_sent_at_once(action) or self.model.match is not None
                self.act(action, version)

    def _connect(self, name: str, server: str) -> None:
        self._retrying.stop()
        try:
            address = parse_address(server) if server else None
        except BadAddress as error:
            if isinstance(self.screen, NameScreen):
                self.screen.report(Progress(plain(str(error)), bad=True))
        else:
            self._called, self._name_refused = (name, address), False
            if address is not None and self._address is not None and address != self._address:
                # Another server: what is known is of the one before.
                self.model, self._entering.entered = Model(), False
            elif self.model.link is Link.UP and name == self.model.name:
                self._entering.go_on()
                return
            self._network.connect(name, address)

    def _start_saved(self, name: str, *, review: bool) -> None:
        try:
            saved = saves.load(name)
        except SaveError as error:
            self.tell(str(error), "save")
        else:
            ref = self._ref()
            self._keeping.start(saved, saved.review(ref) if review else saved.create(ref, both_seats=True))

    def _set(self, intent: intents.Intent) -> None:
        """Change what is kept from run to run."""
        now = self.settings
        if isinstance(intent, intents.ToggleTheme):
            self.settings = structs.replace(now, theme=Theme.DARK if now.theme is Theme.LIGHT else Theme.LIGHT)
        elif isinstance(intent, intents.ToggleSound):
            self.settings = structs.replace(now, sound=not now.sound)
            self.tell("Sounds are off." if now.sound else "Sounds are on.", "")
        elif isinstance(intent, intents.ToggleMotion):
            self.settings = structs.replace(now, motion=not now.motion)
            self.tell("Nothing moves on the board now." if now.motion else "Moves are shown in motion.", "")
        elif isinstance(intent, intents.Change):
            self.settings = structs.replace(now, **{intent.name: intent.value})
            self.choose(self.settings)
        self.screen.moves = self.settings.motion
        if self._settings_path is not None:
            save_settings(self._settings_path, self.settings)
