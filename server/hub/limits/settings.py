"""How much one may ask for: every limit that an operator can set, and the rate of each kind of command in one table.

A rate is so high that a fast human never meets it; up to `BURST_S` seconds of it may come at once. Who goes beyond it
is refused as `too_fast`, and who goes on regardless is cut off with a policy code (`G5`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from protocol.messages import (
    Abandon,
    Analyse,
    Answer,
    AnswerChallenge,
    CallDraw,
    Cancel,
    Challenge,
    Command,
    Continue,
    Create,
    Forget,
    GetInvitation,
    GetMatches,
    GetRecord,
    Hello,
    Hint,
    Join,
    Leave,
    Look,
    Move,
    MuteChallenges,
    Offer,
    Pause,
    Ping,
    QuickMatch,
    Say,
    Sync,
    WaitLonger,
    Watch,
    WatchLobby,
    Withdraw,
    WithdrawChallenge,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

BURST_S = 5.0
"""What a rate allows in this time may come all at once: after a reconnect, or from an eager hand."""
WARNINGS = 20
"""Refusals for speed until the connection is closed; one is forgiven every `FORGIVEN_S`."""
FORGIVEN_S = 1.0


@dataclass(frozen=True)
class Limits:
    """Every limit with its default. Set by `--limit NAME=VALUE`, and described in docs/hosting.md.

    `connections` is what one hub takes, never more than its file descriptors allow. Connections and new guests from
    this very machine are not counted by address: they are a proxy's, or the operator's own. `moves` to `analyses` are
    commands a second of one player, over all connections and by HTTP, and `pace` multiplies all of these (bots may
    want more than people); but a player may have `open_challenges` own and as many of others, each standing for
    `challenge_s`. `work` and `work_from_address` are the hub's own time that a player and an address may take up, in ms
    a second. `wrong_keys` and `wrong_keys_from_address` are a minute's. `http_here_s` is how long a player by HTTP
    counts as here after the last request that shows it. `analysis` is how much of level 4's budget an analysis may use,
    and as much again to weigh the move that was played.
    """

    connections: int = 10_000
    connections_from_address: int = 500
    connections_of_player: int = 20
    outboxes_mib: int = 64
    guests_from_address: int = 600
    open_matches: int = 50
    wrong_keys: int = 10
    wrong_keys_from_address: int = 400
    wrong_keys_in_all: int = 6_000
    moves: float = 30
    actions: float = 10
    searches: float = 5
    looks: float = 30
    chat: float = 2
    challenges: float = 1
    pings: float = 10
    analyses: float = 50
    analysis: float = 1.0
    open_challenges: int = 5
    challenge_s: float = 60.0
    work: float = 150
    work_from_address: float = 500
    pace: float = 1
    http_here_s: float = 15.0


Values = TypeVar("Values", bound="DataclassInstance")
"""A frozen dataclass of numbers."""


class LimitError(ValueError):
    """A limit that is not there, or a value that is none; the text says what to write instead."""


def with_settings(settings: Iterable[str], limits: Values, noun: str = "limit") -> Values:
    """`limits` (the defaults) changed by words like `moves=50`; one word may hold several, with commas between.

    `noun` is what such a value is called. Raises LimitError.
    """
    kinds = {field.name: int if field.type in (int, "int") else float for field in fields(limits)}
    for setting in (part for word in settings for part in word.split(",")):
        name, _, value = (part.strip() for part in setting.partition("="))
        if name not in kinds:
            near = get_close_matches(name, kinds, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(kinds)}."
            raise LimitError(f"there is no {noun} “{name}”. {hint}")
        try:
            number = kinds[name](value)
        except ValueError:
            number = -1
        if not 0 < number < float("inf"):
            raise LimitError(f"the {noun} {name} is a number above 0, not “{value}”")
        limits = replace(limits, **{name: number})
    return limits


RATES: dict[type[Command], str] = {
    Move: "moves",
    Abandon: "actions",
    Answer: "actions",
    CallDraw: "actions",
    Cancel: "actions",
    Continue: "actions",
    Forget: "actions",
    Leave: "actions",
    Offer: "actions",
    Pause: "actions",
    WaitLonger: "actions",
    AnswerChallenge: "actions",
    MuteChallenges: "actions",
    WithdrawChallenge: "actions",
    Withdraw: "actions",
    Create: "searches",
    GetInvitation: "searches",
    Join: "searches",
    QuickMatch: "searches",
    GetMatches: "looks",
    GetRecord: "looks",
    Look: "looks",
    Sync: "looks",
    Watch: "looks",
    WatchLobby: "looks",
    Challenge: "challenges",
    Analyse: "analyses",
    Hint: "analyses",
    Say: "chat",
    Hello: "pings",
    Ping: "pings",
}
"""Which of the limits is the rate of which command."""

COSTS_MS: dict[type[Command], float] = {
    **dict.fromkeys(RATES, 0.5),
    Challenge: 3.0,
    Create: 6.0,
    GetInvitation: 2.0,
    GetMatches: 2.0,
    Hello: 3.0,
    Join: 2.0,
    Ping: 0.1,
    QuickMatch: 6.0,
    Say: 1.0,
    Sync: 1.0,
    Watch: 1.0,
    WatchLobby: 4.0,
}
"""The hub's time that a command takes, as it was measured with the largest board and lobby. Work that grows with a
match is measured as it is done, and added."""
CONNECTING_MS = 2.0
"""What a handshake takes, accepted or not."""
REQUEST_MS = 0.5
"""What a request by HTTP takes besides its command."""
WORK_BURST_S = 10.0
"""So much of one's `work` may come at once: a school of 500 that comes back after a break."""


class Rate(NamedTuple):
    """A rate as a meter counts it: its name, seconds for one, and how far ahead of it one may be."""

    name: str
    interval_s: float
    ahead_s: float


class Verdict(Enum):
    """What a meter says of one more command."""

    FINE = "fine"
    TOO_FAST = "too fast"
    FLOOD = "flood"
    """Too fast in spite of warnings: the connection is to be closed."""


def rates(limits: Limits) -> dict[type[Command], Rate]:
    """The rate of every command under `limits`."""
    return {kind: _rate(name, getattr(limits, name) * limits.pace) for kind, name in RATES.items()}


def _rate(name: str, per_s: float) -> Rate:
    # A rate of 2 with a burst of 10: the tenth at once is 4.5 s ahead of its time, the eleventh would be 5.
    return Rate(name, 1 / per_s, BURST_S - 0.5 / per_s)


class Tally:
    """How far ahead of a steady rate somebody is: a leaky bucket kept as one number, the time when it is empty."""

    __slots__ = ("_due",)

    def __init__(self) -> None:
        self._due = 0.0

    def ahead(self, now: float) -> float:
        """Seconds until all that was counted has leaked away."""
        return self._due - now if self._due > now else 0.0

    def count(self, now: float, interval_s: float) -> None:
        """One more."""
        self._due = (self._due if self._due > now else now) + interval_s


class Meter:
    """What one player, or a connection before hello, has asked for lately: one sum for each command."""

    __slots__ = ("_due", "_rates", "_warned", "flooding")

    def __init__(self, rates: dict[type[Command], Rate]) -> None:
        self._rates = rates
        self._due: dict[str, float] = {}
        self._warned = Tally()
        self.flooding = False
        """Set once the warnings are used up."""

    def admit(self, kind: type[Command], now: float) -> Verdict:
        """Judge one more command of a kind at the monotonic time `now`; one that is too fast is not counted."""
        name, interval_s, ahead_s = self._rates[kind]
        due = self._due.get(name, 0.0)
        if due - now > ahead_s:
            return self.warn(now)
        self._due[name] = (due if due > now else now) + interval_s
        return Verdict.FINE

    def warn(self, now: float) -> Verdict:
        """Count a refusal for speed."""
        self._warned.count(now, FORGIVEN_S)
        self.flooding = self._warned.ahead(now) > WARNINGS * FORGIVEN_S
        return Verdict.FLOOD if self.flooding else Verdict.TOO_FAST


def most_connections(limits: Limits, descriptors: int | None) -> int:
    """How many connections a hub takes that may open so many files: it keeps some for its store (`G8`)."""
    if descriptors is None:
        return limits.connections
    kept = min(KEPT_DESCRIPTORS, descriptors // 4)
    return max(1, min(limits.connections, descriptors - kept))


KEPT_DESCRIPTORS = 64
"""Files that a hub keeps for itself: links to Redis (11), the log, the listener, the loop's own, libraries' files."""
