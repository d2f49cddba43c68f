"""The store as the hub sees it. Any backing must pass the tests in `tests/server/store`.

A match is a log of events with versions 1, 2, 3 ...; to append is to compare and set: the base version must be the
last one. What is listed elsewhere (the lobby, who waits, deadlines, a player's matches) changes together with the log,
in one step. Errors of the backing come out as `StoreUnavailable`; after one, the fate of an append is unknown until the
log is read again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from protocol.errors import StoreUnavailable
from server.store.bad_values import BadValueStore
from server.store.challenges import ChallengeStore
from server.store.obligations import ObligationStore
from server.store.people import Guest, PeopleStore
from server.store.receipts import Receipt, ReceiptStore, Ref


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """What else an append changes. A field that is None leaves its index alone."""

    lobby: bytes | None = None
    """The match's row in the lobby; b"" takes it out."""
    group: str = ""
    """The matches one can be paired with: game and options, see `waiting`."""
    waiting: bool | None = None
    """Whether the match is among those of `group` that wait for anybody."""
    deadline_ms: int | None = None
    """When the match wants looking at (shared clock); 0 takes it out."""
    unfinished: tuple[str, ...] = ()
    """Players who have this match among theirs from now on."""
    finished: tuple[str, ...] = ()
    """Players who no longer have it there."""
    ended_ms: int | None = None
    """When it ended (shared clock), if `finished` are to find it among their matches that are over from now on."""
    owed_ms: int | None = None
    """Since when the match owes something that lies outside its log (shared clock): see `ObligationStore`."""


UNCHANGED = Index()
"""What nearly every move changes there: nothing."""


class Aim(NamedTuple):
    """Whom quick match is leading to a match, and to which group that belongs."""

    player: str
    group: str


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Events to add to one log. `base` is the version that they follow.

    `unless_newer` makes it conditional: nothing is appended when a match joined `index.group` since that count was
    read (`Store.waiting`), so that two who look for each other at once do not both wait. So does `aim`: nothing is
    appended when it is another match by now.
    """

    match: str
    base: int
    events: Sequence[bytes]
    index: Index = UNCHANGED
    unless_newer: int | None = None
    aim: Aim | None = None
    epoch: str = ""
    """The epoch in which `base` was read, if there is such a condition: in another one it may mean another event."""
    over: bool = False
    """Whether the match is over, so that it is kept as long as finished ones are."""
    refs: tuple[Ref, ...] = ()
    """If there is a receipt for one of them nothing is done, and it is returned; else they are remembered."""
    hosted: int | None = None
    """The seat of the host of a new match, who is connected to this hub, which follows it from now on."""
    key: str | None = None
    """The private key of a new match."""
    most_unfinished: int | None = None
    """How many matches each of `index.unfinished` may have with this one, if there is such a condition."""


class Appended(StrEnum):
    """What became of an append."""

    STORED = "stored"
    CONFLICT = "conflict"
    """The log has moved on (or a match has come into the group, or the aim was moved): read and judge again."""
    RELOADED = "reloaded"
    """It is another epoch: whatever was read before has to be compared with what is there now."""
    TOO_MANY = "too many"
    """One of the players is listed with `most_unfinished` matches; of those some may be forgotten (`unfinished`)."""


class Waiting(NamedTuple):
    """The matches of a group that wait, oldest first, and how many ever came, to hand to `Append.unless_newer`."""

    matches: list[str]
    arrivals: int


class Lobby(NamedTuple):
    """All rows of the lobby by match id, and the number of its last change."""

    rows: dict[str, bytes]
    change: int


class Beat(NamedTuple):
    """What a hub learns when it says that it lives: the hubs that do, and the last outages (from, until; ms).

    `at_ms` is when it was heard, by the shared clock, and `last_ms` when any hub was before. `epoch` is another one
    since each time that the backing loaded its data: it may hold less than it did (`Q9`).
    """

    hubs: set[str]
    outages: tuple[tuple[int, int], ...]
    epoch: str
    at_ms: int
    last_ms: int


class Durability(msgspec.Struct, frozen=True):
    """What an acknowledgement is worth: `level` is always, everysec, none or unknown; `sentence` says it plainly."""

    level: str
    sentence: str


class Flush(NamedTuple):
    """The last and the slowest of the flushes to disk that took long, in ms."""

    last_ms: int
    worst_ms: int


# Notices: what a follower is told ------------------------------------------------------------------------------------


class Subscribed(NamedTuple):
    """The subscription (re)started: anything may have been missed, read again what you follow."""


class Unsubscribed(NamedTuple):
    """The subscription has ended, and `why`: nothing is heard until Subscribed."""

    why: str


class EventsNotice(NamedTuple):
    """Another hub appended these events after version `base`."""

    match: str
    base: int
    events: list[bytes]


class PresenceNotice(NamedTuple):
    """Another hub changed who is connected to the match."""

    match: str


class LobbyNotice(NamedTuple):
    """Change number `change` of the lobby: a row to put, or None to take it out."""

    change: int
    match: str
    row: bytes | None


class ChallengeNotice(NamedTuple):
    """A challenge between these two players came, or went; `NONE`: the first one wants no more, or wants them again."""

    challenge: str
    players: tuple[str, str]


class AnnouncementNotice(NamedTuple):
    """A sentence for everybody, from the operator."""

    text: str


class DrainNotice(NamedTuple):
    """The operator asks this hub to hand its players over to others, and stop."""


class BeatNotice(NamedTuple):
    """Another hub beat, at this time of the shared clock (ms)."""

    at_ms: int


class ChatNotice(NamedTuple):
    """Line `number` of a channel of the match, said at another hub."""

    match: str
    channel: str
    number: int
    line: bytes


AtOnce = Callable[[EventsNotice], bool]
"""Whether a notice was dealt with, within the reading of it. It must not raise."""


Notice = (
    Subscribed
    | Unsubscribed
    | EventsNotice
    | PresenceNotice
    | LobbyNotice
    | ChallengeNotice
    | AnnouncementNotice
    | DrainNotice
    | ChatNotice
    | BeatNotice
)


class Store(BadValueStore, ChallengeStore, PeopleStore, ObligationStore, ReceiptStore, ABC):
    """All methods raise StoreUnavailable when the backing does not answer in time or refuses to write.

    Whatever a command does to the store is one call, of which the error OutcomeUnknown says that it may be done all the
    same; after any other nothing is.

    What is stored and cannot be what it should be is left out of what they return, and noted for the operator; logs
    that are no rows of events raise Refusal `damaged`.
    """

    hub: str
    """The id of this hub among those that share the store."""

    @abstractmethod
    async def append(self, append: Append) -> Appended | Receipt:
        """Store events durably, with everything else that `append` says, or nothing at all."""

    @abstractmethod
    def append_then(self, append: Append, done: Callable[[Appended | Receipt | StoreUnavailable], None]) -> None:
        """Like one try of `append`, for one who does not wait: `done` is called once with what that returns or raises.

        It is called within the reading of the store's answer, and must not raise. Raises StoreBusy at once.
        """

    @abstractmethod
    async def read(self, match: str, after: int = 0) -> list[bytes]:
        """The events with versions above `after`, in order; [] for a match that is not there."""

    @abstractmethod
    async def follow(self, match: str, after: int = 0) -> list[bytes]:
        """From now on this hub is told of the match's events; returns those above `after` as `read` does."""

    @abstractmethod
    async def unfollow(self, match: str) -> None:
        """This hub wants to hear no more of the match."""

    @abstractmethod
    async def unheard(self, matches: Sequence[str]) -> list[str]:
        """Those of `matches` of which this hub is told nothing, although it may think so: follow them again."""

    @abstractmethod
    async def keep(self, match: str, key: str | None) -> None:
        """Somebody follows the match, with this private key if it has one: its lifetime begins anew."""

    @abstractmethod
    async def announce_presence(self, match: str, counts: dict[str, int]) -> dict[str, dict[str, int]]:
        """Set this hub's counts of connections ("0", "1": seats; "w": spectators); returns every hub's counts."""

    @abstractmethod
    async def presence(self, match: str) -> dict[str, dict[str, int]]:
        """Every hub's counts of connections to the match."""

    @abstractmethod
    async def presences(self, matches: Sequence[str]) -> list[dict[str, dict[str, int]]]:
        """The same of many matches, in as few exchanges as may be."""

    @abstractmethod
    async def lobby(self) -> Lobby:
        """The whole lobby."""

    @abstractmethod
    async def waiting(self, group: str) -> Waiting:
        """The matches of `group` that wait for anybody."""

    @abstractmethod
    async def aim(self, player: str, group: str) -> str:
        """The match of `group` to which the player is being led, by whichever hub; "" when there is none."""

    @abstractmethod
    async def move_aim(self, player: str, group: str, old: str, new: str) -> bool:
        """Lead the player to `new` instead of `old` (""), in one step; False when the aim is another one by now."""

    @property
    @abstractmethod
    def first_deadline_ms(self) -> float:
        """When the first of all deadlines falls due (shared clock), by the last beat and what this hub has set since;
        infinite when there is none. It may have been moved meanwhile."""

    @abstractmethod
    async def due(self, now_ms: int, limit: int) -> list[str]:
        """At most `limit` matches whose deadline has passed, the longest overdue first."""

    @abstractmethod
    async def deadline(self, match: str) -> int | None:
        """When the match wants looking at (ms of the shared clock); None when it does not."""

    @abstractmethod
    async def set_deadline(self, match: str, version: int, deadline_ms: int | None) -> None:
        """Move the deadline of a match that is at `version` still, or clear it (None); one that is unset stays so.

        If the log has moved on (version 0: there is none) nothing is done: the event that came set the deadline.
        """

    @abstractmethod
    async def put_deadline_off(self, match: str, now_ms: int, until_ms: int) -> None:
        """Let a deadline that is due come up again at `until_ms`, for a match that cannot be looked at now."""

    @abstractmethod
    async def claim(self, match: str, version: int, lease_ms: int) -> bool:
        """Whether this hub may do what `version` of the match calls for, for so long from now; of several one may.

        It is the first that asks. Asked again in time, it keeps it; if it does not, another hub may.
        """

    @abstractmethod
    async def guest(self, token_hash: str) -> Guest | None:
        """The guest with that token, who thereby stays known for a further while."""

    @abstractmethod
    async def unfinished(self, player: str) -> list[str]:
        """The matches that go on in which `player` has a seat, and that were not forgotten."""

    @abstractmethod
    async def ended(self, player: str) -> dict[str, int]:
        """The matches that are over in which `player` had a seat, and when each ended (ms), the newest first."""

    @abstractmethod
    async def forget_ended(self, player: str, matches: Sequence[str]) -> None:
        """The player does not want to find these any more."""

    @abstractmethod
    async def match_by_key(self, key: str) -> str | None:
        """The private match with that key."""

    @abstractmethod
    async def key_of(self, match: str) -> str | None:
        """The key of a private match."""

    @abstractmethod
    async def document(self, name: str) -> bytes:
        """The small document of that name; b"" when there is none."""

    @abstractmethod
    async def replace_document(self, name: str, old: bytes, new: bytes) -> bool:
        """Put `new` where `old` stands (b"": nothing), in one step; False when something else stands there."""

    @abstractmethod
    async def beat(self, outage_from_ms: int = 0) -> Beat:
        """Say that this hub lives, and take the shared time.

        A time in which no hub did so is an outage; it is written down by the first that does again (`D5`), and so is
        one since `outage_from_ms`, however short it was.
        """

    @abstractmethod
    async def retreat(self) -> set[str]:
        """Say that this hub is to stop, so that no other one sends it its players; returns all that have said so."""

    @abstractmethod
    def notices(self, at_once: AtOnce = lambda _: False) -> AsyncIterator[Notice]:
        """What other hubs did, for as long as this is iterated; begins with Subscribed. Every gap begins with
        Unsubscribed, once one has heard anything, and ends with Subscribed.

        `at_once` is offered what was appended elsewhere while nothing that came before is still being followed.
        """

    @abstractmethod
    def all_matches(self) -> AsyncIterator[str]:
        """The ids of all matches that are kept, in no order. Reads much."""

    @abstractmethod
    async def durability(self) -> Durability:
        """What the backing is really set to."""

    @property
    @abstractmethod
    def scripts_waiting(self) -> int:
        """How many scripts wait for the store, or for its answer."""

    @abstractmethod
    async def slow_flushes(self) -> Flush | None:
        """What the backing knows of slow flushes to disk; None where none was, or it does not look."""

    @abstractmethod
    def now_ms(self) -> int:
        """The shared clock: the same on every hub, whatever their wall clocks say; never goes back."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of everything."""
