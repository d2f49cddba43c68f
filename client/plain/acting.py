"""What the plain client does for what was typed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from client.conversation.events import Event, Reviewed
from client.conversation.pending import Backlog
from client.conversation.session import Session
from client.kept import saves
from client.kept.learned import Learned
from client.kept.saves import SavedGame, SaveError
from client.plain.connection import Connection
from client.plain.intents import (
    Intent,
    Invited,
    Learn,
    LeaveMatch,
    ListSaves,
    LoadFrom,
    Practise,
    Quit,
    RevertTo,
    Review,
    SaveAs,
    Tell,
)
from client.plain.starting import REVIEWED, NotUnderstood, at_one_keyboard, from_saved
from client.playing import log_saves
from client.playing.new_match import AtOnce, NoSuchGame
from client.playing.saving import Keeping
from client.shown.actions.in_view import TYPING_S, Eyes
from client.shown.model import Model
from client.shown.words.status import quitting_costs
from client.start.console import Speaker
from client.start.launch import Launch
from protocol.messages import Command, GetInvitation, GetRecord, Snapshot


class Acting(ABC):
    """Whoever has a session, and a model of what it told, does by it what was understood; `_is_script` says whether
    what is typed comes from a file."""

    _is_script = False

    def __init__(self, launch: Launch, speaker: Speaker, connection: Connection) -> None:
        self.model = Model()
        self._launch = launch
        self._speaker = speaker
        self._connection = connection
        self._keeping = Keeping(self._send, self._ref, speaker.say)
        self._learned = Learned(launch.learned)
        self._eyes = Eyes(TYPING_S)
        self._asks_to_quit = False
        """Whether the last line that was typed was a quit of which it was said what it costs."""
        self._practising: tuple[str, int, Snapshot] | None = None
        """As in `client.playing.actions`."""
        self._listed: tuple[str, ...] = ()
        self._joining = ("", "")
        """The ref of the question to what a key invites, and the key to join by when that was told."""

    @property
    def _session(self) -> Session | None:
        return self._connection.session

    @abstractmethod
    def stop(self) -> None:
        """End the program soon."""

    @abstractmethod
    def _take(self, event: Event) -> None:
        """Something happened, here or at the server."""

    def _do(self, asked: Intent) -> None:
        self._asks_to_quit = self._asks_to_quit and isinstance(asked, Quit)
        match asked:
            case Tell(lines, listed):
                self._speaker.say(lines)
                self._listed = self._listed if listed is None else listed
            case SaveAs(name, replace) if self.model.is_log:
                self._speaker.say([log_saves.save(self.model, name, replace=replace)[0]])
            case SaveAs(name, replace) if self.model.match is not None:
                self._keeping.save(name, self.model.match.match, replace=replace)
            case ListSaves():
                self._speaker.say([row.name for row in saves.saved()] or ["There are no saved games."])
            case LoadFrom(name, terms):
                self._load(name, terms)
            case RevertTo(name) if self.model.match is not None:
                self._keeping.revert(name, self.model.match)
            case Invited(key, join):
                ref = self._ref()
                self._joining = (ref, key) if join else ("", "")
                self._send(GetInvitation(ref=ref, key=key))
            case LeaveMatch() if self._session is not None:
                self._session.leave()
                self._connection.flush()
            case Learn(at_once):
                self._learn(at_once)
            case Practise(ply) if self.model.match is not None:
                ref = self._ref()
                self._practising = (ref, ply, self.model.match)
                self._send(GetRecord(ref=ref, match=self.model.match.match))
            case Review():
                self._take(Reviewed())
            case Quit():
                self._quit()
            case Command():
                self._send(asked)
            case _:
                pass

    def _quit(self) -> None:
        """Who types is asked once where it costs something; a script has nobody to ask."""
        costs = "" if self._is_script else quitting_costs(self.model)
        if not costs or self._asks_to_quit:
            self.stop()
            return
        self._asks_to_quit = True
        self._speaker.say([f"{costs} Type quit once more to leave."])

    def _learn(self, asked: AtOnce) -> None:
        try:
            self._send(asked.begun(self._learned, self.model.games).command(self._ref()))
        except NoSuchGame as error:
            self._speaker.say([str(error)])

    def _load(self, name: str, terms: Sequence[str]) -> None:
        try:
            self._start_from(saves.load(name), terms)
        except SaveError as error:
            self._speaker.say([str(error)])

    def _start_from(self, saved: SavedGame, terms: Sequence[str]) -> None:
        try:
            ref = self._ref()
            command = saved.review(ref) if terms == REVIEWED else from_saved(saved, terms).create(ref)
        except NotUnderstood as reason:
            self._speaker.say([str(reason)])
        else:
            self._keeping.start(saved, command)

    def _ref(self) -> str:
        assert self._session is not None
        return self._session.ref()

    def _send(self, command: Command) -> None:
        assert self._session is not None
        if self._launch.local is not None:
            command = at_one_keyboard(command)
        self._eyes.sent(command)
        try:
            self._session.send(command)
        except Backlog:
            self._speaker.say(["Too much waits for the server already; this was not sent."])
        self._connection.flush()
