"""Every key in Redis, and every channel. The keys of one match share a hash tag, so that they lie on one shard.

Redis keeps the keys of its databases apart, and not the channels: these have the database's number in their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from server.store.connection.address import DEFAULT_PREFIX


@dataclass(frozen=True)
class Keys:
    """Names of one installation: below one prefix, in one database."""

    prefix: str = DEFAULT_PREFIX
    database: int = 0

    @cached_property
    def channels(self) -> str:
        """What its channels begin with. In database 0 it is the prefix alone, as hubs of all releases have it."""
        return f"{self.prefix}@{self.database}" if self.database else self.prefix

    def kind(self, key: str) -> str | None:
        """The type of a key in Redis, `number` for a string that is one; None for what nobody may replace: a log."""
        family = key.removeprefix(self.prefix).split(":", 2)[1]
        if family == "match":
            what = key.rpartition("}")[2]
            own = {":hubs": "set", ":here": "hash", ":key": "string", ":claim": "string"}
            if what.startswith((":chat:", ":receipts:")):
                return "stream" if what.startswith(":chat:") else "hash"
            return own.get(what)
        if key.endswith((":count", ":change")) and family in ("waiting", "lobby"):
            return "number"
        if family == "player":
            own = {"matches": "set", "receipts": "hash", "challenges": "zset", "ended": "zset"}
            return own.get(key.rpartition(":")[2], "string")
        return _KINDS.get(family)

    def can_be_rebuilt(self, key: str) -> bool:
        """Whether the logs tell what the key should hold: the lists in which matches are found."""
        waiting = key.startswith(self.group("")) and not key.endswith(":count")
        own = key.startswith(f"{self.prefix}:player:") and key.endswith(":matches")
        return waiting or own or key in (self.lobby, self.deadlines, self.outbox)

    def log(self, match: str) -> str:
        """Stream: the events of a match, entry N-0 is version N."""
        return f"{self.prefix}:match:{{{match}}}"

    def match_of(self, log: str) -> str:
        """The match whose log that is."""
        return log.removeprefix(self.log("")[:-1]).removesuffix("}")

    def hubs_of(self, match: str) -> str:
        """Set: the hubs that follow the match."""
        return f"{self.prefix}:match:{{{match}}}:hubs"

    def here(self, match: str) -> str:
        """Hash: `hub|what` -> connections, what being a seat or w for spectators."""
        return f"{self.prefix}:match:{{{match}}}:here"

    def key_of(self, match: str) -> str:
        """String: the private key of the match."""
        return f"{self.prefix}:match:{{{match}}}:key"

    def claim(self, match: str) -> str:
        """String: "VERSION HUB", which hub does what that version of the match calls for."""
        return f"{self.prefix}:match:{{{match}}}:claim"

    def by_key(self, key: str) -> str:
        """String: the match with this private key."""
        return f"{self.prefix}:key:{key}"

    def group(self, group: str) -> str:
        """Sorted set: matches that wait, by order of coming."""
        return f"{self.prefix}:waiting:{group}"

    def group_count(self, group: str) -> str:
        """Number: how many matches ever came into the group."""
        return f"{self.prefix}:waiting:{group}:count"

    def aim(self, player: str, group: str) -> str:
        """String: the match of the group to which quick match leads the player."""
        return f"{self.prefix}:player:{player}:aim:{group}"

    def guest(self, token_hash: str) -> str:
        """Bytes: the guest with this token."""
        return f"{self.prefix}:token:{token_hash}"

    def matches_of(self, player: str) -> str:
        """Set: the player's unfinished matches."""
        return f"{self.prefix}:player:{player}:matches"

    def ended_of(self, player: str) -> str:
        """Sorted set: the player's newest matches that are over -> when each ended (ms)."""
        return f"{self.prefix}:player:{player}:ended"

    def receipts(self, player: str, match: str = "") -> str:
        """Hash: ref -> number and answer of the player's commands, with the match or with the player; "" counts."""
        return (
            f"{self.prefix}:match:{{{match}}}:receipts:{player}" if match else f"{self.prefix}:player:{player}:receipts"
        )

    def challenge(self, challenge: str) -> str:
        """Hash: one player's wish for a match with another, and how it went; see `server.store.challenges`."""
        return f"{self.prefix}:challenge:{challenge}"

    def challenges_of(self, player: str) -> str:
        """Sorted set: the player's challenges of the last minutes, own and others' -> until when they stand (ms)."""
        return f"{self.prefix}:player:{player}:challenges"

    def challenged(self, player: str, other: str) -> str:
        """String: set for as long as the player may not challenge the other one anew."""
        return f"{self.prefix}:player:{player}:challenged:{other}"

    def muted(self, player: str) -> str:
        """String: set while the player wants no challenges."""
        return f"{self.prefix}:player:{player}:muted"

    def once(self, name: str) -> str:
        """String: what was answered to one who came under an Idempotency-Key."""
        return f"{self.prefix}:once:{name}"

    def document(self, name: str) -> str:
        """Bytes: a small document of a gateway, replaced as a whole."""
        return f"{self.prefix}:document:{name}"

    def chat(self, match: str, channel: str) -> str:
        """Stream: what was said lately in a channel of the match, entry N-0 is line N."""
        return f"{self.prefix}:match:{{{match}}}:chat:{channel}"

    def name(self, name: str) -> str:
        """Hash: `player`, who holds the name now, and `hub ID` for each hub that the player is connected to."""
        return f"{self.prefix}:name:{name}"

    def bearer(self, name: str) -> str:
        """String: id of the player who bears the name now, a space, and how that player writes it."""
        return f"{self.prefix}:bearer:{name}"

    def report(self, hub: str) -> str:
        """Bytes: the hub's last word on who is there."""
        return f"{self.prefix}:report:{hub}"

    def hub_channel(self, hub: str) -> str:
        """Channel: notices for one hub."""
        return f"{self.channels}:hub:{hub}"

    def beat_channel(self, hub: str) -> str:
        """Channel: when the other hubs beat, for one hub. Hubs of earlier releases listen to none."""
        return f"{self.channels}:beats:{hub}"

    @property
    def announcements(self) -> str:
        """Channel: sentences for everybody."""
        return f"{self.channels}:announcements"

    @property
    def lobby(self) -> str:
        """Hash: match -> row. Beside it `:change` (number)."""
        return f"{self.prefix}:lobby"

    @property
    def challenges(self) -> str:
        """Channel: ids of challenges that came or went, and their two players."""
        return f"{self.channels}:challenges"

    @property
    def lobby_changes(self) -> str:
        """Channel: rows of the lobby that have changed."""
        return f"{self.channels}:lobby:changes"

    @property
    def deadlines(self) -> str:
        """Sorted set: match -> when it wants looking at (ms)."""
        return f"{self.prefix}:deadlines"

    @cached_property
    def epoch(self) -> str:
        """Hash: `epoch`, another one since each load of the data, and `run`, the run of Redis that it belongs to."""
        return f"{self.prefix}:epoch"

    @property
    def outbox(self) -> str:
        """Sorted set: match whose log obliges us to something elsewhere -> since when (ms)."""
        return f"{self.prefix}:outbox"

    @property
    def set_aside(self) -> str:
        """Sorted set: match whose obligation could never be met -> when that was given up (ms)."""
        return f"{self.prefix}:outbox:aside"

    @property
    def beat(self) -> str:
        """Number: when any hub last said that it lives (ms)."""
        return f"{self.prefix}:beat"

    @property
    def outages(self) -> str:
        """List: the last times in which no hub could serve, each as "from until" (ms)."""
        return f"{self.prefix}:outages"

    @property
    def hubs(self) -> str:
        """Sorted set: hub -> when it last said that it lives (ms)."""
        return f"{self.prefix}:hubs"

    @property
    def form(self) -> str:
        """Number: which form what is stored has; none where it is the first."""
        return f"{self.prefix}:form"

    @property
    def importing(self) -> str:
        """String: set while an import is not whole yet, so that no hub starts on half of one."""
        return f"{self.prefix}:importing"

    @property
    def trial(self) -> str:
        """String: written to see how long that takes, and forgotten."""
        return f"{self.prefix}:trial"

    @property
    def draining(self) -> str:
        """Sorted set: hub that is to stop -> when it last said so (ms)."""
        return f"{self.prefix}:draining"

    @property
    def aside(self) -> str:
        """Hash: notes on values that cannot be used, see `server.store.aside`."""
        return f"{self.prefix}:aside"

    def out_of_the_way(self, number: str) -> str:
        """Whatever stood where something of another type belongs."""
        return f"{self.prefix}:aside:{number}"

    @property
    def rebuild(self) -> str:
        """String: set while the lists of matches must be built again from the logs."""
        return f"{self.prefix}:rebuild"


_KINDS = {
    "key": "string", "waiting": "zset", "token": "string", "document": "string", "name": "hash", "report": "string",
    "lobby": "hash", "deadlines": "zset", "beat": "string", "outages": "list", "hubs": "zset", "aside": "hash",
    "rebuild": "string", "draining": "zset", "outbox": "zset", "epoch": "hash", "once": "string", "form": "string",
    "importing": "string", "trial": "string", "challenge": "hash", "bearer": "string",
}  # fmt: skip
