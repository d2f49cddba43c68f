"""What commands were answered, by their refs: what is sent again is answered the same, whatever it caused (`Q3`).

A receipt holds what a command was accepted with. Where a command causes an event the match's log holds its ref. What
the log cannot tell is remembered here, in the same step as whatever else the command did: with the match for a command
in it that found done what it asks for, and for a line that was said; with the player for one that leads to a match
(create, quick match, a join by key). Receipts are kept for `Lifetimes.ref` since the player's last one in that place,
at least the newest `KEPT` of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple, Self

from server.store.aside import Aside, fitting, text_of
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys

KEPT = 200
"""Answers of a player in one place that are remembered at least; up to twice as many are there."""


class Receipt(NamedTuple):
    """What a command was accepted with: the match, its version, and for the host of a private one the key."""

    match: str
    version: int
    key: str = ""

    def text(self) -> str:
        """The stored form."""
        return f"{self.match} {self.version} {self.key}"

    @classmethod
    def read(cls, text: bytes) -> Self:
        """The receipt in its stored form."""
        match, version, key = text.decode().split(" ")
        return cls(match, int(version), key)


class Ref(NamedTuple):
    """A player's ref, kept with `match` ("": with the player), and the receipt to remember for it.

    None remembers nothing and only sees to it that there is no receipt yet.
    """

    player: str
    ref: str
    match: str = ""
    receipt: Receipt | None = None


class ReceiptStore(ABC):
    """The port. All methods raise StoreUnavailable when the backing does not answer in time."""

    @abstractmethod
    async def receipt(self, player: str, ref: str, match: str = "") -> Receipt | None:
        """What is remembered of a ref with `match`, or with the player."""

    @abstractmethod
    async def once(self, name: str) -> str:
        """What was remembered when the guest of that name was admitted (`PeopleStore.admit`); "" for nothing."""


class RedisReceipts(ReceiptStore):
    """The part of the Redis adapter."""

    keys: Keys
    aside: Aside
    _pipe: ScriptPipe

    @fitting(lambda keys, player, _, match="": keys.receipts(player, match))
    async def receipt(self, player: str, ref: str, match: str = "") -> Receipt | None:
        key = self.keys.receipts(player, match)
        found = await self._pipe.ask("HGET", key, ref)
        if found is None:
            return None
        try:
            # It stands behind a number that tells how old it is.
            return Receipt.read(bytes(found).partition(b" ")[2])
        except ValueError as error:
            self.aside.note("receipt", key, ref.encode(), error, bytes(found))
            return None

    @fitting(lambda keys, name: keys.once(name))
    async def once(self, name: str) -> str:
        return text_of(bytes(await self._pipe.ask("GET", self.keys.once(name)) or b"")) or ""
