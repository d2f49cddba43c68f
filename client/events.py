"""What a session tells whoever shows or plays a match: the server's notifications, and these about the talk itself."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.messages import Accepted, Command, Notification, Refused


@dataclass(frozen=True)
class Sent:
    """The user's command was taken; its answer will come as Settled."""

    command: Command


@dataclass(frozen=True)
class Settled:
    """The user's command was answered."""

    command: Command
    answer: Accepted | Refused


@dataclass(frozen=True)
class Offline:
    """No connection since `since` (seconds on the session's clock), and why."""

    since: float
    reason: str


@dataclass(frozen=True)
class Latency:
    """One round trip to the server, and how far its clock is ahead of the session's."""

    round_trip_ms: float
    server_minus_now_ms: float


@dataclass(frozen=True)
class Left:
    """The match is followed no longer: the user left it, or the server does not have it any more."""

    match: str


@dataclass(frozen=True)
class NewGuest:
    """The server does not know the token any more: one comes as a new guest, without the seats of the old one."""


Event = Notification | Sent | Settled | Offline | Latency | Left | NewGuest
