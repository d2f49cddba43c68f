"""What a typed line can ask for, as values. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.plain.starting import NotUnderstood
from client.playing.new_match import AtOnce
from client.shown.model import Model
from protocol.messages import Command, Snapshot

MAX_LINE = 500
"""Characters of a typed line; more is a file that was taken for words."""


@dataclass(frozen=True)
class Tell:
    """Lines to print at once; `listed` are the matches that numbers mean from now on, if that changed."""

    lines: tuple[str, ...]
    listed: tuple[str, ...] | None = None


@dataclass(frozen=True)
class SaveAs:
    """Save the match (`DB 7.3.3.1`); over another game of that name only with `replace`."""

    name: str
    replace: bool = False


@dataclass(frozen=True)
class LoadFrom:
    """Start a match from a saved game, on the `terms` that follow its name (`RU-M8`); or review it."""

    name: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True)
class RevertTo:
    """Offer to go back to a saved game in this match (`DB 7.3.3.2`)."""

    name: str


@dataclass(frozen=True)
class ListSaves:
    """Tell which games are saved."""


@dataclass(frozen=True)
class Invited:
    """Have it told to what a key invites, and then `join` by it (`CK R1.6`), or not."""

    key: str
    join: bool


@dataclass(frozen=True)
class LeaveMatch:
    """Back to the lobby."""


@dataclass(frozen=True)
class Review:
    """Have the match that is over reviewed; again, break that off."""


@dataclass(frozen=True)
class Practise:
    """Play on against the computer after `ply` moves of the match that is over."""

    ply: int


@dataclass(frozen=True)
class Learn:
    """Begin a task of a game."""

    asked: AtOnce


@dataclass(frozen=True)
class Quit:
    """Leave the program (`DB 7.1.2.1`)."""


Intent = (
    Command | Tell | SaveAs | LoadFrom | RevertTo | ListSaves | Invited | LeaveMatch | Learn | Practise | Review | Quit
)


@dataclass(frozen=True)
class Said:
    """A typed line, and all that its meaning depends on."""

    words: tuple[str, ...]
    model: Model
    ref: Callable[[], str]
    now: float = 0.0
    listed: tuple[str, ...] = ()
    offer: int = 0
    """The version of the offer that the user had read (0: none)."""
    page: str = ""
    """The address of the server's page; "" where it has none."""

    @property
    def rest(self) -> str:
        """What follows the word."""
        return " ".join(self.words[1:])

    @property
    def match(self) -> Snapshot:
        """The match on screen. Raises NotUnderstood."""
        if self.model.match is None:
            raise NotUnderstood("You are in no match. Type list for those there are.")
        return self.model.match


@dataclass(frozen=True)
class Word:
    """A word with its other spellings, what follows it, what it does, and how."""

    name: str
    usage: str
    help: str
    does: Callable[[Said], Intent]
    others: tuple[str, ...] = ()
