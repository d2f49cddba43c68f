"""What the store keeps of challenges: one player's wish for a match with another, for a minute or two.

A challenge is a hash that holds what was asked and, once it was decided, its fate. It is decided in one step, by one
key, so that of an acceptance and a withdrawal, at two hubs, one holds. Everything here has a lifetime, and ends by it
when nobody ends it before; both players' lists are only what is read when one of them comes back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import msgspec

from server.store.aside import Aside, fitting, text_of
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.receipts import KEPT

HEARD_MS = 60_000
"""So long after its time, or its end, one who comes back is still told how a challenge went."""
WITHDRAWN_MS = 5_000
"""Who takes a challenge back may challenge the same player again after this: something else was meant."""
MUTED = "muted"
LATELY = "lately"
MANY = "many"
"""Why a challenge was not stored."""
NONE = "-"
"""Stands for a challenge in a notice that a player was muted, or is no more."""
GONE = "gone"
"""What is said of a challenge that nobody knows any more."""


class NewChallenge(msgspec.Struct, frozen=True, kw_only=True):
    """A challenge to store, asked under `ref`. `data` is the hub's; `most` may be open of each kind, own and others'.

    `open_ms` is how long it stands, and how long the same player is not challenged again by the same one.
    """

    challenge: str
    by: str
    to: str
    ref: str
    data: bytes
    open_ms: int
    most: int


class StoredChallenge(NamedTuple):
    """What is known of one: `fate` is "" until it is decided, at `at_ms`."""

    challenge: str
    data: bytes
    until_ms: int
    fate: str
    at_ms: int
    name: str
    """The name of who accepted it, or has gone."""


class ChallengeStore(ABC):
    """The port. All methods raise StoreUnavailable when the backing does not answer in time or refuses to write."""

    @abstractmethod
    async def challenge(self, new: NewChallenge) -> str:
        """Store it, with its receipt, and tell all hubs; "", or why not: MUTED, LATELY or MANY.

        Under a ref that was answered before nothing is done, which is well.
        """

    @abstractmethod
    async def decide(
        self, challenge: str, players: tuple[str, str], fate: str, name: str = "", player: str = "", ref: str = ""
    ) -> str:
        """Decide a challenge of `players` (who asked, who was asked), in one step; returns the fate that it has.

        Its time decides before anybody, and `expired` does nothing before its time: then "" is returned. A `player` who
        asked for this under `ref` before is answered the same. `name` is kept, of who accepts it or has gone. GONE for
        a challenge that is not there.
        """

    @abstractmethod
    async def stored_challenge(self, challenge: str) -> StoredChallenge | None:
        """A challenge, as long as it is kept."""

    @abstractmethod
    async def challenges(self, player: str) -> tuple[list[StoredChallenge], bool]:
        """The challenges of a player, own and others', that are kept; and whether the player wants none."""

    @abstractmethod
    async def mute(self, player: str, *, on: bool) -> None:
        """The player wants no challenges from now on, or does."""


class RedisChallenges(ChallengeStore):
    """The part of the Redis adapter."""

    keys: Keys
    lifetimes: Lifetimes
    aside: Aside
    _reader: Any
    _pipe: ScriptPipe

    @fitting(
        lambda keys, new: keys.challenges_of(new.by),
        lambda keys, new: keys.challenges_of(new.to),
        lambda keys, new: keys.receipts(new.by),
    )
    async def challenge(self, new: NewChallenge) -> str:
        names = self.keys
        keys = [
            names.challenge(new.challenge), names.challenges_of(new.by), names.challenges_of(new.to),
            names.receipts(new.by), names.challenged(new.by, new.to), names.muted(new.to),
        ]  # fmt: skip
        words: list[str | bytes | int] = [
            new.challenge, new.data, new.open_ms, HEARD_MS, new.most, new.by, new.to, names.challenges, new.ref, KEPT,
            self.lifetimes.ms("ref"),
        ]  # fmt: skip
        return bytes(await self._pipe.run("challenge", keys, words)).decode()

    @fitting(
        lambda keys, challenge, *_, **__: keys.challenge(challenge),
        lambda keys, _, players, *__, **___: keys.challenges_of(players[0]),
        lambda keys, _, players, *__, **___: keys.challenges_of(players[1]),
        lambda keys, *_, player="", **__: keys.receipts(player),
    )
    async def decide(
        self, challenge: str, players: tuple[str, str], fate: str, name: str = "", player: str = "", ref: str = ""
    ) -> str:
        names, (by, to) = self.keys, players
        keys = [
            names.challenge(challenge), names.challenges_of(by), names.challenges_of(to), names.receipts(player),
            names.challenged(by, to),
        ]  # fmt: skip
        words: list[str | bytes | int] = [
            challenge, fate, HEARD_MS, by, to, names.challenges, ref, KEPT, self.lifetimes.ms("ref"), WITHDRAWN_MS,
            name,
        ]  # fmt: skip
        return bytes(await self._pipe.run("decide", keys, words)).decode()

    @fitting(lambda keys, challenge: keys.challenge(challenge))
    @guarded
    async def stored_challenge(self, challenge: str) -> StoredChallenge | None:
        fields = await self._reader.hgetall(self.keys.challenge(challenge))
        return self._read(challenge, fields)

    @fitting(lambda keys, player: keys.challenges_of(player))
    @guarded
    async def challenges(self, player: str) -> tuple[list[StoredChallenge], bool]:
        pipe = self._reader.pipeline(transaction=False)
        pipe.zrange(self.keys.challenges_of(player), 0, -1)
        pipe.exists(self.keys.muted(player))
        members, muted = await pipe.execute()
        names = [name for name in (text_of(bytes(member)) for member in members) if name]
        found = [await self.stored_challenge(name) for name in names]
        return [each for each in found if each is not None], bool(muted)

    async def mute(self, player: str, *, on: bool) -> None:
        words: list[str | bytes | int] = [
            self.lifetimes.ms("guest") if on else 0, self.keys.challenges, f"{NONE} {player} {player}",
        ]  # fmt: skip
        await self._pipe.run("mute", [self.keys.muted(player)], words)

    def _read(self, challenge: str, fields: dict[Any, Any]) -> StoredChallenge | None:
        if not fields:
            return None
        try:
            fate = bytes(fields.get(b"fate", b"")).decode()
            until_ms, at_ms = int(fields[b"until"]), int(fields.get(b"at", 0))
            name = bytes(fields.get(b"name", b"")).decode()
            return StoredChallenge(challenge, bytes(fields[b"data"]), until_ms, fate, at_ms, name)
        except (KeyError, ValueError) as error:
            self.aside.note("challenge", self.keys.challenge(challenge), None, error, b"")
            return None
