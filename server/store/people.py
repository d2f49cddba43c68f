"""What the store keeps about people rather than matches: who is here, live names, and what was said."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec

from server.store.aside import MAX_DIGITS, Aside, fitting, text_of
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys
from server.store.lifetimes import Lifetimes
from server.store.receipts import KEPT, Receipt, Ref

CHAT_LINES = 50
"""Lines of each channel of a match that are kept, for those who come back."""
AT_ONCE = 500
"""Names renewed in one round trip."""


class Line(NamedTuple):
    """A line that was said: its number in its channel, from 1, and what the hub stored."""

    number: int
    data: bytes


class Said(NamedTuple):
    """What became of a line: its number, the version it was answered with, and whether it had been said before."""

    number: int
    version: int
    before: bool


class Guest(msgspec.Struct, frozen=True):
    """A player who is known by a token: id and the name used last."""

    player: str
    name: str


class Admission(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to be let in: under the name that looks like `looks`, as `guest`, by the token with that hash.

    `keep` remembers the guest under the token; one who is known under this name already need not be. A name is held for
    `lease_ms` (0: it is only seen that nobody else holds it). `once` names a coming that counts once, and `word` is
    what is remembered of it.
    """

    looks: str
    guest: Guest
    token_hash: str
    keep: bool
    lease_ms: int
    once: str = ""
    word: str = ""


class Admitted(NamedTuple):
    """Whether somebody was let in; if not, `word` is what was remembered of the first time, or the name is taken."""

    inside: bool
    word: str = ""


class PeopleStore(ABC):
    """The port. All methods raise StoreUnavailable when the backing does not answer in time or refuses to write."""

    @abstractmethod
    async def report(self, data: bytes, lifetime_ms: int) -> None:
        """Leave word of this hub for the others; it is forgotten after its lifetime."""

    @abstractmethod
    async def reports(self, hubs: Collection[str]) -> dict[str, bytes]:
        """The last word of each of these hubs that has left one, by hub."""

    @abstractmethod
    async def admit(self, admission: Admission) -> Admitted:
        """Hold the name and remember the guest, both or neither."""

    @abstractmethod
    async def name_holder(self, name: str) -> Guest | None:
        """The player who holds what a name looks like, with the name as it is borne; "" where that is not known."""

    @abstractmethod
    async def renew_names(self, holders: Mapping[str, Guest], lease_ms: int) -> None:
        """Go on holding names, by what they look like, each for its player."""

    @abstractmethod
    async def release_name(self, name: str, player: str, held_ms: int) -> None:
        """This hub needs a name for so long only (0: no longer), if it is this player's; another hub may."""

    @abstractmethod
    async def say(self, match: str, channel: str, by: Ref, data: bytes) -> Said:
        """Add a line to a channel of a match and tell the hubs that follow it.

        `by` is the ref that the line counts once for, with the receipt to remember.
        """

    @abstractmethod
    async def lines(self, match: str, channel: str) -> list[Line]:
        """The last lines of a channel, in order."""


class RedisPeople(PeopleStore):
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    lifetimes: Lifetimes
    aside: Aside
    _reader: Any
    _pipe: ScriptPipe

    @guarded
    async def report(self, data: bytes, lifetime_ms: int) -> None:
        await self._reader.set(self.keys.report(self.hub), data, px=lifetime_ms)

    async def reports(self, hubs: Collection[str]) -> dict[str, bytes]:
        found = {hub: await self._report_of(hub) for hub in sorted(hubs)}
        return {hub: report for hub, report in found.items() if report is not None}

    @fitting(lambda keys, hub: keys.report(hub))
    @guarded
    async def _report_of(self, hub: str) -> bytes | None:
        found: bytes | None = await self._reader.get(self.keys.report(hub))
        return found

    @fitting(lambda keys, token_hash: keys.guest(token_hash))
    async def guest(self, token_hash: str) -> Guest | None:
        key = self.keys.guest(token_hash)
        asked = self._pipe.ask("GET", key)
        # Who is known stays known to a Redis that refuses to write (`J7`): then the lifetime starts anew another time.
        self._pipe.ask("PEXPIRE", key, self.lifetimes.ms("guest")).add_done_callback(asyncio.Future.exception)
        found = await asked
        try:
            return None if found is None else msgspec.msgpack.decode(found, type=Guest)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.aside.note("guest", key, None, error, found)
            return None

    @fitting(lambda keys, who: keys.name(who.looks), lambda keys, who: keys.once(who.once))
    async def admit(self, admission: Admission) -> Admitted:
        guest, names = admission.guest, self.keys
        # A name that is held by what cannot be a player is held by nobody, says the script.
        keys = [
            names.name(admission.looks), names.guest(admission.token_hash), names.once(admission.once),
            names.bearer(admission.looks),
        ]  # fmt: skip
        words: list[str | bytes | int] = [
            guest.player, admission.lease_ms, self.hub, msgspec.msgpack.encode(guest) if admission.keep else b"",
            self.lifetimes.ms("guest"), admission.word, self.lifetimes.ms("ref"), *_borne(guest, admission.lease_ms),
        ]  # fmt: skip
        inside, word = await self._pipe.run("admit", keys, words)
        return Admitted(bool(inside), bytes(word).decode())

    @fitting(lambda keys, name: keys.name(name), lambda keys, name: keys.bearer(name))
    async def name_holder(self, name: str) -> Guest | None:
        found, borne = await asyncio.gather(
            self._pipe.ask("HGET", self.keys.name(name), "player"), self._pipe.ask("GET", self.keys.bearer(name))
        )
        player = None if found is None else text_of(bytes(found))
        if player is None:
            return None
        # Hubs of earlier releases hold a name without saying how it is written.
        bearer, _, written = (text_of(bytes(borne or b"")) or "").partition(" ")
        return Guest(player, written if bearer == player else "")

    async def renew_names(self, holders: Mapping[str, Guest], lease_ms: int) -> None:
        pairs = list(holders.items())
        for start in range(0, len(pairs), AT_ONCE):
            some = pairs[start : start + AT_ONCE]
            keys = [key for name, _ in some for key in (self.keys.name(name), self.keys.bearer(name))]
            _, known_ms = _borne(some[0][1], lease_ms)
            words: list[str | bytes | int] = [f"hub {self.hub}", lease_ms, known_ms]
            words += [word for _, guest in some for word in (guest.player, _borne(guest, lease_ms)[0])]
            unfit = await self._pipe.run("renew_names", keys, words)
            if unfit:
                await self.aside.fit([keys[place - 1] for place in unfit])

    async def release_name(self, name: str, player: str, held_ms: int) -> None:
        await self._pipe.run("release_name", [self.keys.name(name)], [player, held_ms, self.hub])

    @fitting(
        lambda keys, match, channel, *_: keys.chat(match, channel),
        lambda keys, match, *_: keys.hubs_of(match),
        lambda keys, match, _, by, *__: keys.receipts(by.player, match),
    )
    async def say(self, match: str, channel: str, by: Ref, data: bytes) -> Said:
        keys = [self.keys.chat(match, channel), self.keys.hubs_of(match), self.keys.receipts(by.player, match)]
        version = by.receipt.version if by.receipt is not None else 0
        words: list[str | bytes | int] = [
            self.hub, self.keys.hub_channel(""), self.lifetimes.ms("chat"), CHAT_LINES, match, channel, by.ref, data,
            version, KEPT, self.lifetimes.ms("ref"),
        ]  # fmt: skip
        number, before = await self._pipe.run("say", keys, words)
        if not before:
            return Said(int(number), version, before=False)
        receipt = Receipt.read(bytes(before))
        return Said(int(receipt.key), receipt.version, before=True)

    @fitting(lambda keys, match, channel: keys.chat(match, channel))
    @guarded
    async def lines(self, match: str, channel: str) -> list[Line]:
        key = self.keys.chat(match, channel)
        lines = []
        for entry, fields in await self._reader.xrange(key):
            number, _, rest = entry.partition(b"-")
            if rest == b"0" and b"line" in fields and len(number) <= MAX_DIGITS:
                lines.append(Line(int(number), bytes(fields[b"line"])))
            else:
                self.aside.note("chat line", key, entry, "no line of ours", b"".join(fields.values()))
        return lines


def _borne(guest: Guest, lease_ms: int) -> tuple[str, int]:
    """Who bears the name, as it is kept, and for how long: a name may be held on for a while after its lease."""
    return f"{guest.player} {guest.name}", 2 * lease_ms
