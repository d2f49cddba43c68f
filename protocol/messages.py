"""Every message, typed: commands go to the server, notifications come from it.

A message is a map; its field `type` names it. Fields that are unknown are ignored, so that either side may be newer;
a message that is unknown is refused. A field may be added with a default, none is ever removed or given another
meaning within one protocol version. `since` says in which version of the protocol a message came to be.

Times end in `_ms` and are milliseconds of the server's shared clock since 1970. Seats are 0 and 1.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import Meta, Struct

from protocol import limits
from protocol.board import Board, Mark, SeatStyle

Ref = Annotated[str, Meta(min_length=1, max_length=limits.MAX_REF)]
"""The sender's own name for a command; sent again with the same ref, a command counts once."""
MatchId = Annotated[str, Meta(min_length=1, max_length=limits.MAX_ID)]
Version = Annotated[int, Meta(ge=0, le=limits.MAX_VERSION)]
OptionValue = int | str | bool
Options = Annotated[dict[str, OptionValue], Meta(max_length=limits.MAX_OPTIONS)]
GameName = Annotated[str, Meta(min_length=1, max_length=limits.MAX_ID)]
SeatNumber = Annotated[int, Meta(ge=0, le=1)]
Status = Literal["waiting", "playing", "ended"]


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all messages."""

    since: ClassVar[int] = 1


# Values inside messages ----------------------------------------------------------------------------------------------


class Option(Struct, frozen=True, kw_only=True):
    """One option of a game, as data for a form: a switch (bool default), a choice, or a number from low to high."""

    name: str
    label: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


class Preset(Struct, frozen=True):
    """A ready choice of options for a menu (`RU-DB1`)."""

    label: str
    options: dict[str, OptionValue]


class GameInfo(Struct, frozen=True, kw_only=True):
    """A game on offer, with all that a form and a help panel need (`DB 7.3.1.5`)."""

    name: str
    title: str
    summary: str
    help: str
    score_names: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    computer: bool = False


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A row of the lobby: a public match that waits for an opponent or is being played (`CK 5.3`)."""

    match: str
    game: str
    options: dict[str, OptionValue]
    status: Status
    names: tuple[str | None, str | None]
    created_ms: int


class SeatInfo(Struct, frozen=True, kw_only=True):
    """A seat as everybody may see it: how it looks, who holds it, and whether that player is connected."""

    style: SeatStyle
    name: str | None = None
    here: bool = False


LegalBase = Literal["last", "turn", "none"]


class LegalChange(Struct, frozen=True, omit_defaults=True):
    """How the legal moves, always those of the seat to move, differ from others: see `protocol.legal`.

    From those of the `last` position, or those that the same seat had on its last `turn` (what was legal before the
    move that passed the turn; `Snapshot.resting`), or from `none`.
    """

    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    base: LegalBase = "last"


class LastMove(Struct, frozen=True):
    """The move played last, to be marked on the board. `automatic` when the server made it (`RU-HX3`)."""

    seat: int
    move: str
    automatic: bool = False


class Result(Struct, frozen=True, kw_only=True):
    """The end of a match: winner's seat (None: nobody won), a stable reason, and the sentence that announces it."""

    winner: int | None
    reason: str
    text: str


# Commands -------------------------------------------------------------------------------------------------------------


class Command(Message, frozen=True, kw_only=True):
    """Base of all commands; each is answered once, by Accepted, Refused or its own answer, with its `ref`."""

    ref: Ref


class Hello(Command, frozen=True, kw_only=True, tag="hello"):
    """The first command on a connection: who is there (`UD RF1`). Answered by Welcome.

    Without a `token` a new guest comes; with one, the guest it was given to comes back (under `name` if that is new).
    """

    name: Annotated[str, Meta(max_length=limits.MAX_NAME_INPUT)] = ""
    token: Annotated[str, Meta(max_length=limits.MAX_TOKEN)] | None = None
    language: Annotated[str, Meta(max_length=limits.MAX_LANGUAGE)] = "en"
    client: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Asks for a Pong, to measure latency and to learn the server's clock."""


class WatchLobby(Command, frozen=True, kw_only=True, tag="watch_lobby"):
    """Asks for the list of public matches and its changes from now on; `on: false` ends that."""

    on: bool = True


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """Hosts a match (`CK R1.2`). The host sits on seat 0.

    `private`: it is joined by a key, which is in the answer. `both_seats`: two people at this connection (`DB 1.8`);
    the match starts at once and is in no list.
    """

    game: GameName
    options: Options = {}
    private: bool = False
    both_seats: bool = False


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Takes the free seat of a public match (`match`) or of a private one (`key`, `CK R1.6`)."""

    match: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    key: Annotated[str, Meta(max_length=limits.MAX_KEY)] = ""


class QuickMatch(Command, frozen=True, kw_only=True, tag="quick_match"):
    """DOG's start: paired with whoever waits for the same game and options, else waits (`UD RF2`, `RF5`)."""

    game: GameName
    options: Options = {}


class Cancel(Command, frozen=True, kw_only=True, tag="cancel"):
    """The host takes back a match that still waits."""

    match: MatchId


class Watch(Command, frozen=True, kw_only=True, tag="watch"):
    """Follows a match: a Snapshot first, then every event. A player comes back to the own match by it, too."""

    match: MatchId


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Follows a match no longer. A guest who leaves before the first move frees the seat; a waiting host cancels.

    Once moves were made the seat is kept, and one can come back by Watch; to give up is `abandon`.
    """

    match: MatchId


class Move(Command, frozen=True, kw_only=True, tag="move"):
    """Plays `move` (in the game's notation) in the position of `version`, the newest that the player has seen.

    Refused as `stale`, with the current version, when the match has moved on.
    """

    match: MatchId
    version: Version
    move: Annotated[str, Meta(min_length=1, max_length=limits.MAX_MOVE)]


class Abandon(Command, frozen=True, kw_only=True, tag="abandon"):
    """Gives the match up, in turn or not (`CK R4.3`): the opponent wins. Before the first move nobody does."""

    match: MatchId


class Sync(Command, frozen=True, kw_only=True, tag="sync"):
    """Follows a match from version `after` on: the missing events, or a Snapshot when there are many of them."""

    match: MatchId
    after: Version = 0


# Notifications --------------------------------------------------------------------------------------------------------


class Notification(Message, frozen=True, kw_only=True):
    """Base of all notifications."""


class Welcome(Notification, frozen=True, kw_only=True, tag="welcome"):
    """Answers Hello: who you are, what is on offer, and which of your matches go on.

    `token` is secret, is given only to a new guest, and brings that guest back on any connection to any hub.
    """

    ref: str
    player: str
    name: str
    token: str | None = None
    protocol: int = limits.PROTOCOL_VERSION
    server: str = ""
    now_ms: int = 0
    games: tuple[GameInfo, ...] = ()
    matches: tuple[str, ...] = ()


class Pong(Notification, frozen=True, kw_only=True, tag="pong"):
    """Answers Ping with the server's clock."""

    ref: str
    now_ms: int


class Accepted(Notification, frozen=True, kw_only=True, tag="accepted"):
    """The command with this `ref` is done and stored; the same ref gets the same answer again.

    `version` is that of its last event. `key` is the private key for the host to pass on, told to nobody else.
    """

    ref: str
    match: str = ""
    version: int = 0
    key: str | None = None


class Refused(Notification, frozen=True, kw_only=True, tag="refused"):
    """The command was not granted and left no trace. `ref` is "" when it could not even be read.

    `code` is stable, `text` is for people, `data` holds what the sentence names; `version` is the match's current one.
    """

    ref: str
    code: str
    text: str
    data: dict[str, Any] = {}
    match: str = ""
    version: int = 0


class LobbyState(Notification, frozen=True, kw_only=True, tag="lobby_state"):
    """All public matches, newest first, and how many there are in truth when the list had to be cut."""

    matches: tuple[MatchSummary, ...]
    total: int = 0


class LobbyChange(Notification, frozen=True, kw_only=True, tag="lobby_change"):
    """What changed since the last lobby notification: rows to put in or replace, and ids to take out."""

    put: tuple[MatchSummary, ...] = ()
    gone: tuple[str, ...] = ()


class Snapshot(Notification, frozen=True, kw_only=True, tag="snapshot"):
    """A match as this viewer may see it at `version`; the events that follow start at `version` + 1.

    `you` holds the seats of the receiver: () for a spectator, (0, 1) for two people at one connection. `key` is there
    for the host of a private match alone. `plies` counts the moves so far. `resting` are the moves that the seat not to
    move had on its last turn: later changes may refer to them.
    """

    match: str
    version: int
    game: str
    options: dict[str, OptionValue]
    status: Status
    private: bool
    created_ms: int
    seats: tuple[SeatInfo, SeatInfo]
    you: tuple[int, ...]
    board: Board
    marks: dict[str, Mark]
    focus: tuple[str, ...]
    scores: tuple[tuple[int, ...], tuple[int, ...]]
    to_move: int | None
    legal: tuple[str, ...]
    text: str
    resting: tuple[str, ...] = ()
    plies: int = 0
    last: LastMove | None = None
    result: Result | None = None
    spectators: int = 0
    key: str | None = None


class MatchEvent(Notification, frozen=True, kw_only=True):
    """Base of what happens in a match. Versions are consecutive; who misses one asks with Sync."""

    match: str
    version: int
    at_ms: int


class Joined(MatchEvent, frozen=True, kw_only=True, tag="joined"):
    """A player took a seat; with both taken the match starts: DOG's receive_start (`UD RF5`)."""

    seat: int
    name: str
    status: Status
    text: str


class SeatFreed(MatchEvent, frozen=True, kw_only=True, tag="seat_freed"):
    """A player left before the first move; the match waits again."""

    seat: int
    text: str


class Moved(MatchEvent, frozen=True, kw_only=True, tag="moved", omit_defaults=True):
    """A move: DOG's receive_move (`UD RF6`). Everything in it is what changed; what is left out stayed as it was."""

    seat: int
    move: str
    marks: dict[str, Mark | None]
    to_move: int | None
    legal: LegalChange
    text: str
    scores: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    focus: tuple[str, ...] | None = None
    automatic: bool = False


class Ended(MatchEvent, frozen=True, kw_only=True, tag="ended"):
    """The match is over (`CK R4.4`, `DB 7.3.1.3`); an opponent's giving up is DOG's receive_abandonment (`UD RF7`)."""

    result: Result


class Presence(Notification, frozen=True, kw_only=True, tag="presence"):
    """Who is connected to a match: each seat, and how many spectators. Not part of the log, so it has no version."""

    match: str
    here: tuple[bool, bool]
    spectators: int


class GoingAway(Notification, frozen=True, kw_only=True, tag="going_away"):
    """The server stops or restarts: everything is stored; come back in about `back_in_ms`."""

    text: str
    back_in_ms: int = 0


AnyCommand = Hello | Ping | WatchLobby | Create | Join | QuickMatch | Cancel | Watch | Leave | Move | Abandon | Sync
AnyMatchEvent = Joined | SeatFreed | Moved | Ended
AnyNotification = (
    Welcome | Pong | Accepted | Refused | LobbyState | LobbyChange | Snapshot | Presence | GoingAway | AnyMatchEvent
)


def by_tag(union: Any) -> dict[str, type[Message]]:
    """The classes of one direction, by the tag that stands in their `type` field."""
    return {str(cls.__struct_config__.tag): cls for cls in get_args(union)}


COMMANDS = by_tag(AnyCommand)
NOTIFICATIONS = by_tag(AnyNotification)
