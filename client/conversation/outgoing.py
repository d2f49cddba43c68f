"""The user's side of a conversation: who one is, what is said and wished for, and what waits for its answer."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from enum import Enum
from itertools import count
from secrets import token_hex

from client.conversation.doubts import Doubts
from client.conversation.events import Event, Left, Sent
from client.conversation.greeting import Greeting
from client.conversation.latency import Pulse
from client.conversation.pending import Backlog, Pending
from client.conversation.subscription import OnScreen
from client.conversation.wire import Wire
from protocol.messages import AnswerChallenge, Command, Create, GetMatches, Join, Leave, QuickMatch, Watch, WatchLobby

ENTRIES = (AnswerChallenge, Create, Join, QuickMatch, Watch)
"""Commands that lead to a match."""


OWN_S, OWN_QUIET_S = 5.0, 30.0
"""How often one's own matches are asked for while they are in sight: when some go on, and when none does."""
OWN_SOON_S = 1.0
"""The same after the lobby has changed, which may be by one of them."""


class State(Enum):
    """OFFLINE: no connection. GREETING: connected, not yet welcomed. ONLINE: commands go out at once."""

    OFFLINE = "offline"
    GREETING = "greeting"
    ONLINE = "online"


class Outgoing:
    """The half of a session that faces the user. `token` brings a known guest back; without one a new guest comes.

    With `rename` a number may be added to a name that somebody else has.
    """

    def __init__(
        self, name: str, token: str | None = None, *, language: str = "en", client: str = "", prefix: str | None = None,
        rename: bool = False,
    ) -> None:  # fmt: skip
        self.state = State.OFFLINE
        self.wants_close = False
        self.welcomed = False
        """Whether the server ever said welcome: from then on a lost connection is one to come back to."""
        self.back_in_ms = 0
        """How long the server said that it would be away, when it said so."""
        self._sees_own = False
        self.moving = False
        """Whether another hub is there to which we go at once, and nobody need be told."""
        self._moved_at = float("-inf")
        self._greeting = Greeting(name, token, language, client, rename)
        self._prefix = prefix if prefix is not None else token_hex(6)
        self._counter = count(1)
        self._wire = Wire()
        self._events: deque[Event] = deque()
        self._pending = Pending()
        self._screen = OnScreen()
        self._epoch = ""
        self._lobby = False
        self._lobby_suspect = False
        self._own_due = 0.0
        self._pulse = Pulse()
        self._match_doubts, self._lobby_doubts = Doubts("the match"), Doubts("the lobby")

    def ref(self) -> str:
        """A new ref: a prefix that no other process has, and a counter."""
        return f"{self._prefix}-{next(self._counter)}"

    def send(self, command: Command) -> None:
        """Take a command: it goes out now, or as soon as there is a connection. Raises Backlog when too many wait."""
        self._pending.add(command, sent=self.state is State.ONLINE)
        self._events.append(Sent(command))
        if self.state is State.ONLINE:
            self._wire.write(command)

    @property
    def is_watching_lobby(self) -> bool:
        """Whether one is told of the lobby."""
        return self._lobby

    def watch_lobby(self, on: bool = True) -> None:
        """Be told of the lobby from now on, also after a reconnect; or no longer."""
        if on != self._lobby:
            self._lobby = on
            if self.state is State.ONLINE:
                self._wire.write(WatchLobby(ref=self.ref(), on=on))

    def see_own(self, on: bool) -> None:
        """One's own matches are in sight, or no longer: also while one of them is followed, for it waits."""
        if on and not self._sees_own:
            self._own_due = 0.0
        self._sees_own = on

    def leave(self) -> None:
        """Follow the match on screen no longer."""
        if self._screen.match is not None:
            # With a full backlog the server learns it when the connection ends; here the match is left all the same.
            with suppress(Backlog):
                self.send(Leave(ref=self.ref(), match=self._screen.match))
            self._forget_match()

    def introduce(self, name: str, *, rename: bool = False) -> None:
        """Greet under this name: now, after another one was refused, or on the next connection.

        With `rename` a number is added where somebody else has it.
        """
        self._greeting.name = name
        self._greeting.rename = rename
        if self.state is State.GREETING:
            self._greet()

    @property
    def name(self) -> str:
        """Under which name one is known."""
        return self._greeting.name

    @property
    def token(self) -> str | None:
        """What brings this guest back."""
        return self._greeting.token

    @property
    def is_online(self) -> bool:
        """Whether the server has said welcome on this connection."""
        return self.state is State.ONLINE

    @property
    def pending(self) -> tuple[Command, ...]:
        """The user's commands that have no answer yet, in order."""
        return tuple(self._pending)

    @property
    def match(self) -> str | None:
        """The match on screen."""
        return self._screen.match

    @property
    def version(self) -> int | None:
        """The last version of the match on screen that came without a gap."""
        return self._screen.version

    def _awaits(self, match: str) -> bool:
        """Whether a pending command leads to this match."""
        return any(isinstance(command, ENTRIES) and _aim(command) in ("", match) for command in self._pending)

    def _forget_match(self) -> None:
        self._match_doubts.forget()
        match = self._screen.forget()
        self._own_due = 0.0
        if match is not None:
            self._events.append(Left(match))

    def _greet(self) -> None:
        self._wire.write(self._greeting.hello(self.ref()))

    def _keep_step(self, server_ms: int, now: float) -> None:
        in_step = self._pulse.told(server_ms, now)
        if in_step is not None:
            self._events.append(in_step)

    def _ask(self, now: float) -> None:
        question = self._screen.question(self.ref, now)
        if question is not None:
            self._wire.write(question)
        if self._lobby and (self._sees_own or self._screen.match is None) and now >= self._own_due:
            self._own_due = now + OWN_S
            self._wire.write(GetMatches(ref=self.ref()))


def _aim(command: Command) -> str:
    """The match that a command leads to; "" where only its answer says."""
    return command.challenge if isinstance(command, AnswerChallenge) else getattr(command, "match", "")
