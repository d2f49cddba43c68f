"""What a session tells whoever shows or plays a match: the server's notifications, and these about the talk itself."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.messages import Accepted, Analysis, Command, Invitation, Notification, Position, Record, Refused

Answer = Accepted | Analysis | Invitation | Refused | Position | Record
"""What answers a command for good."""


@dataclass(frozen=True)
class Sent:
    """The user's command was taken; its answer will come as Settled."""

    command: Command


@dataclass(frozen=True)
class Settled:
    """The user's command was answered."""

    command: Command
    answer: Answer


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
class InStep:
    """How far the server's clock is ahead of the session's, as far as it is known by now."""

    server_minus_now_ms: float


@dataclass(frozen=True)
class Stepped:
    """The user looks at the position after `ply` moves; None: at the newest one."""

    ply: int | None


@dataclass(frozen=True)
class Planned:
    """What the user touched for the next turn, or the move that is to be confirmed; neither: nothing any more.

    `dropped` where it had become impossible.
    """

    path: tuple[str, ...] = ()
    unsent: str = ""
    dropped: bool = False


@dataclass(frozen=True)
class Chosen:
    """Whether the user wants to confirm moves before they are sent, and to plan some for the next turn."""

    confirm: bool
    premove: bool


@dataclass(frozen=True)
class Left:
    """The match is followed no longer: the user left it, or the server does not have it any more."""

    match: str


@dataclass(frozen=True)
class NewGuest:
    """The server does not know the token any more: one comes as a new guest, without the seats of the old one."""


@dataclass(frozen=True)
class Muted:
    """The user wants to read nothing of what others say in the match, or to read it again."""

    on: bool


@dataclass(frozen=True)
class Filtered:
    """The user wants to see matches of this game alone in the lobby; "" for all."""

    game: str


@dataclass(frozen=True)
class Reviewed:
    """The user wants the match that is over reviewed; again: broken off; once more: put away."""


@dataclass(frozen=True)
class Cleared:
    """The user restored the initial state after a finished match: an empty board, and no match (`UD RF3`)."""


@dataclass(frozen=True)
class ChatRead:
    """The user looks at what was said."""


@dataclass(frozen=True)
class Forgotten:
    """What the notice of this number said has been read."""

    number: int


Event = (
    Notification | Sent | Settled | Offline | Latency | InStep | Stepped | Planned | Chosen | Muted | Filtered
    | Reviewed | Cleared | Forgotten | ChatRead | Left | NewGuest
)  # fmt: skip
