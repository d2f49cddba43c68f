"""How a connection begins: who one is, said to the server, and what it makes of that (`UD RF1`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from msgspec import structs

from client.conversation.pending import PASSING
from protocol.errors import Code
from protocol.messages import GameInfo, Hello, Refused, Welcome

GREETING_S = 5.0
"""How long a server may take to say welcome."""


class Verdict(Enum):
    """What a refused greeting calls for: greet as a NEW_GUEST, come back LATER, or have a person think (NAME)."""

    NEW_GUEST = "new guest"
    LATER = "later"
    NAME = "name"


@dataclass
class Greeting:
    """The guest's name and secret; `ref` is that of the greeting which waits for its answer.

    `catalogue` is the hash under which the server told `games`: some kB, of which it spares us the second time.

    With `rename` a number may be added to the name where somebody else has it.
    """

    name: str
    token: str | None
    language: str
    client: str
    rename: bool = False
    ref: str | None = None
    due: float | None = None
    catalogue: str = ""
    games: tuple[GameInfo, ...] = ()

    def hello(self, ref: str) -> Hello:
        """The greeting, under a ref of its own."""
        self.ref = ref
        return Hello(
            ref=ref, name=self.name, token=self.token, language=self.language, client=self.client, rename=self.rename,
            catalogue=self.catalogue,
        )  # fmt: skip

    def is_overdue(self, now: float) -> bool:
        """Whether the server is silent."""
        return self.due is not None and now >= self.due

    def welcomed(self, welcome: Welcome) -> Welcome:
        """Who one is from now on. Returns the welcome with its games, also where they were left out as known."""
        self.ref = self.due = None
        self.name = welcome.name
        self.token = welcome.token or self.token
        if welcome.catalogue and welcome.catalogue == self.catalogue and not welcome.games:
            return structs.replace(welcome, games=self.games)
        self.catalogue, self.games = welcome.catalogue, welcome.games
        return welcome

    def refused(self, answer: Refused) -> Verdict:
        """What to do about it. A person may think about another name for as long as that takes."""
        if answer.code == Code.BAD_TOKEN and self.token is not None:
            self.token = None
            return Verdict.NEW_GUEST
        if answer.code in PASSING:
            return Verdict.LATER
        self.ref = self.due = None
        return Verdict.NAME
