"""The abstract player: the three things it does and the three it is told, after DOG's interface.

DOG's `DogPlayerInterface` gets `receive_start`, `receive_move` and `receive_withdrawal_notification`; its `DogActor`
is asked to start, to send a move, and (by a move) to withdraw. A `Player` has both halves. Whoever carries it (a
client's session, a test, a computer player in the server) hands it a `send` and calls the three receivers, in the
match's order and never two at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count
from secrets import token_hex

from protocol.messages import Abandon, Command, Ended, Move, Moved, Options, QuickMatch, Snapshot

Send = Callable[[Command], None]


class Player(ABC):
    """A seat's holder in one match at a time. Subclasses say what to do when told something."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._prefix = token_hex(4)
        self._counter = count(1)

    def start(self, game: str, options: Options | None = None) -> str:
        """Ask for a match of `game` (DOG's start_match, `UD RF2`); returns the ref of the command."""
        return self._sent(QuickMatch(ref=self._ref(), game=game, options=options or {}))

    def move(self, match: str, version: int, move: str) -> str:
        """Play `move` in the position of `version` (DOG's send_move, `UD RF4`); returns the ref of the command."""
        return self._sent(Move(ref=self._ref(), match=match, version=version, move=move))

    def abandon(self, match: str) -> str:
        """Give the match up (DOG's withdrawal, `CK R4.3`); returns the ref of the command."""
        return self._sent(Abandon(ref=self._ref(), match=match))

    @abstractmethod
    def receive_start(self, snapshot: Snapshot) -> None:
        """A match has started, or one that was going on is shown again after a lost connection (`UD RF5`)."""

    @abstractmethod
    def receive_move(self, moved: Moved) -> None:
        """A move was made and stored, by either seat (`UD RF6`)."""

    @abstractmethod
    def receive_abandonment(self, ended: Ended) -> None:
        """The match ended because somebody gave it up or left it (`UD RF7`)."""

    @abstractmethod
    def receive_end(self, ended: Ended) -> None:
        """The match ended by the game's own rules."""

    def _ref(self) -> str:
        return f"{self._prefix}-{next(self._counter)}"

    def _sent(self, command: Command) -> str:
        self._send(command)
        return command.ref
