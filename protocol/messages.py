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
OfferKind = Literal["draw", "takeback", "restart", "revert", "rematch"]
OfferFate = Literal["accepted", "declined", "withdrawn", "moved"]
Channel = Literal["players", "spectators"]
"""Who hears a line: the two players, or all who watch."""
Replacement = Literal["takeback", "restart", "revert"]
TimeLeft = tuple[int, int]
"""Each seat's time in ms. From then on that of the seat to move goes down, but not in a pause or after the end."""
Moves = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=limits.MAX_MOVE)], ...], Meta(max_length=limits.MAX_MOVES)
]
"""The moves of a saved game, from the first on."""


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


class ClockRule(Struct, frozen=True, kw_only=True):
    """How time is limited (`RU-M1`): not at all, for each move, or in total with an increment. All in ms.

    `per_move_ms` and `total_ms` exclude each other; with neither there is no clock.
    """

    per_move_ms: Annotated[int, Meta(ge=0, le=limits.MAX_CLOCK_MS)] = 0
    total_ms: Annotated[int, Meta(ge=0, le=limits.MAX_CLOCK_MS)] = 0
    increment_ms: Annotated[int, Meta(ge=0, le=limits.MAX_CLOCK_MS)] = 0


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
    clock: ClockRule = ClockRule()


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A row of the lobby: a public match that waits for an opponent or is being played (`CK 5.3`).

    `styles` are the seats' names, colours and symbols. `spectators` lags some seconds behind.
    """

    match: str
    game: str
    options: dict[str, OptionValue]
    status: Status
    names: tuple[str | None, str | None]
    created_ms: int
    clock_rule: ClockRule = ClockRule()
    styles: tuple[SeatStyle, SeatStyle] | None = None
    spectators: int = 0
    delay_plies: int = 0


class SeatInfo(Struct, frozen=True, kw_only=True):
    """A seat as everybody may see it: how it looks, who holds it, and whether that player is connected."""

    style: SeatStyle
    name: str | None = None
    here: bool = False


LegalBase = Literal["last", "turn", "none"]


class LegalChange(Struct, frozen=True, array_like=True):
    """How the legal moves, always those of the seat to move, differ from others: see `protocol.legal`.

    From those of the `last` position without the move played, or those that the same seat had on its last `turn` (what
    was legal before the move that passed the turn; `Snapshot.resting`), or from `none`.
    """

    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    base: LegalBase = "last"


class LastMove(Struct, frozen=True):
    """The move played last, to be marked on the board. `automatic` when the server made it (`RU-HX3`)."""

    seat: int
    move: str
    automatic: bool = False


class OfferInfo(Struct, frozen=True):
    """An open offer: what, and by which seat."""

    kind: OfferKind
    seat: int


class PauseInfo(Struct, frozen=True):
    """A pause: who paused, and when it ends by itself."""

    seat: int
    until_ms: int


class AwayInfo(Struct, frozen=True):
    """A seat whose player has lost the connection, and when the match is abandoned for it.

    `until_ms` is None while no grace time runs, because the opponent is away, too.
    """

    seat: int
    until_ms: int | None


class SeatStats(Struct, frozen=True):
    """A seat's moves and its average time for one (`CK 5.5`)."""

    moves: int
    average_ms: int


class Result(Struct, frozen=True, kw_only=True):
    """The end of a match: winner's seat (None: nobody won), a stable reason, and the sentence that announces it."""

    winner: int | None
    reason: str
    text: str
    stats: tuple[SeatStats, SeatStats] = (SeatStats(0, 0), SeatStats(0, 0))


# Commands -------------------------------------------------------------------------------------------------------------


class Command(Message, frozen=True, kw_only=True):
    """Base of all commands; each is answered once, by Accepted, Refused or its own answer, with its `ref`."""

    ref: Ref


class Hello(Command, frozen=True, kw_only=True, tag="hello"):
    """The first command on a connection: who is there (`UD RF1`). Answered by Welcome.

    Without a `token` a new guest comes; with one, the guest it was given to comes back (under `name` if that is new).
    A name in use by somebody else who is connected is refused as `name_in_use`, with a `suggestion`; `rename` takes the
    suggestion at once.
    """

    name: Annotated[str, Meta(max_length=limits.MAX_NAME_INPUT)] = ""
    token: Annotated[str, Meta(max_length=limits.MAX_TOKEN)] | None = None
    language: Annotated[str, Meta(max_length=limits.MAX_LANGUAGE)] = "en"
    client: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    rename: bool = False


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Asks for a Pong, to measure latency and to learn the server's clock."""


class WatchLobby(Command, frozen=True, kw_only=True, tag="watch_lobby"):
    """Asks for the list of public matches and its changes from now on; `on: false` ends that."""

    on: bool = True


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """Hosts a match (`CK R1.2`). The host sits on seat 0.

    `private`: it is joined by a key, which is in the answer. `both_seats`: two people at this connection (`DB 1.8`);
    `computer`: the other seat is the computer's (`DB 8.3`, `SQ2`). Either starts at once and is in no list.
    `clock` None is the game's own default; a rule without time is no clock. `grace_s` is how long a lost connection
    is waited for (`RU-M5`). `moves` starts from the position of a saved game (`DB 7.3.3.2`). `spectators` lets whoever
    knows its id watch a private match; a public one can be watched anyway. Spectators are `delay_plies` moves behind.
    """

    game: GameName
    options: Options = {}
    private: bool = False
    both_seats: bool = False
    computer: bool = False
    clock: ClockRule | None = None
    grace_s: Annotated[int, Meta(ge=0, le=limits.MAX_GRACE_S)] = 30
    moves: Moves = ()
    spectators: bool = False
    delay_plies: Annotated[int, Meta(ge=0, le=limits.MAX_DELAY)] = 0


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Takes the free seat of a public match (`match`) or of a private one (`key`, `CK R1.6`)."""

    match: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    key: Annotated[str, Meta(max_length=limits.MAX_KEY)] = ""


class QuickMatch(Command, frozen=True, kw_only=True, tag="quick_match"):
    """DOG's start: paired with whoever waits for the same game and options, else waits (`UD RF2`, `RF5`)."""

    game: GameName
    options: Options = {}
    clock: ClockRule | None = None


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


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Offers the opponent something (`CK R4.5`, `RU-M3`, `RU-M6`, `RU-M7`); one offer can be open in a match.

    The same offer by the opponent while it is open accepts it. Where one person plays alone it is done at once.
    `moves` are those of the saved game to go back to, for `revert` (`DB 7.3.3.2`).
    """

    match: MatchId
    kind: OfferKind
    moves: Moves = ()


class Answer(Command, frozen=True, kw_only=True, tag="answer"):
    """Accepts or declines the opponent's open offer (`CK R4.5`)."""

    match: MatchId
    accept: bool


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """Takes the own open offer back."""

    match: MatchId


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Stops the clocks and hides the position from everybody (`CK 5.4.3`, `RU-M4`)."""

    match: MatchId


class Continue(Command, frozen=True, kw_only=True, tag="continue"):
    """Ends one's own pause (`CK 5.4.4`)."""

    match: MatchId


class WaitLonger(Command, frozen=True, kw_only=True, tag="wait_longer"):
    """Gives the opponent who is away another minute (`RU-M5`)."""

    match: MatchId


class CallDraw(Command, frozen=True, kw_only=True, tag="call_draw"):
    """Calls the match a draw while the opponent is away (`RU-M5`)."""

    match: MatchId


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """Asks for the position after the first `ply` moves. Answered by Position; refused during a pause."""

    match: MatchId
    ply: Annotated[int, Meta(ge=0, le=limits.MAX_MOVES)]


class GetRecord(Command, frozen=True, kw_only=True, tag="get_record"):
    """Asks for all that a saved game holds (`DB 7.3.3.1`, `RU-M8`). Answered by Record; refused during a pause."""

    match: MatchId


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Says a line: the players to each other, spectators among themselves. Allowed during a pause and after the end.

    It is text and nothing else; control characters are taken out. What players are told never comes from spectators.
    """

    match: MatchId
    text: Annotated[str, Meta(min_length=1, max_length=limits.MAX_CHAT)]


# Notifications --------------------------------------------------------------------------------------------------------


class Notification(Message, frozen=True, kw_only=True):
    """Base of all notifications."""


class Welcome(Notification, frozen=True, kw_only=True, tag="welcome"):
    """Answers Hello: who you are, what is on offer, and which of your matches go on.

    `token` is secret, is given only to a new guest, and brings that guest back on any connection to any hub. `chat` is
    false where nothing can be said.
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
    chat: bool = True


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
    """All public matches, newest first, and how many there are in truth when the list had to be cut.

    `people` are names of players who are connected, and `here` is how many are, named or not.
    """

    matches: tuple[MatchSummary, ...]
    total: int = 0
    people: tuple[str, ...] = ()
    here: int = 0


class LobbyChange(Notification, frozen=True, kw_only=True, tag="lobby_change"):
    """What changed since the last lobby notification: rows to put in or replace, and ids to take out.

    `people` and `here` are as in LobbyState, whole; None when they are as before.
    """

    put: tuple[MatchSummary, ...] = ()
    gone: tuple[str, ...] = ()
    people: tuple[str, ...] | None = None
    here: int | None = None


class Snapshot(Notification, frozen=True, kw_only=True, tag="snapshot"):
    """A match as this viewer may see it at `version`; the events that follow start at `version` + 1.

    While `pause` is set the position is hidden: no marks, no legal moves, no last move (`CK 5.4.3`, `F2`).
    `can` names for each seat the commands and offers ("offer_draw") that would be granted now: the machine's table as
    data, for buttons. `rematch` is the match that follows this one. `clock` is what each seat has left at `now_ms`.

    `you` holds the seats of the receiver: () for a spectator, (0, 1) for two people at one connection. `key` is there
    for the host of a private match alone. `plies` counts the moves so far. `resting` are the moves that the seat not to
    move had on its last turn: later changes may refer to them. `watchable`: spectators are let in. They are told
    everything `delay_plies` moves late, until the match is over; versions count what the receiver may know.
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
    now_ms: int = 0
    clock_rule: ClockRule = ClockRule()
    clock: TimeLeft | None = None
    grace_s: int = 30
    offer: OfferInfo | None = None
    pause: PauseInfo | None = None
    away: tuple[AwayInfo, ...] = ()
    can: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    rematch: str = ""
    watchable: bool = True
    delay_plies: int = 0


class MatchEvent(Notification, frozen=True, kw_only=True, omit_defaults=True):
    """Base of what happens in a match. Versions are consecutive; who misses one asks with Sync.

    What is left out is as it was before: `text` (the status sentence), `clock` (what each seat had left at `at_ms`, see
    TimeLeft), and `can` (see Snapshot), in which a
    seat for which nothing changed has None.
    """

    match: str
    version: int
    at_ms: int
    text: str = ""
    clock: TimeLeft | None = None
    can: tuple[tuple[str, ...] | None, tuple[str, ...] | None] | None = None


class Joined(MatchEvent, frozen=True, kw_only=True, tag="joined"):
    """A player took a seat; with both taken the match starts: DOG's receive_start (`UD RF5`)."""

    seat: int
    name: str
    status: Status


class SeatFreed(MatchEvent, frozen=True, kw_only=True, tag="seat_freed"):
    """A player left before the first move; the match waits again."""

    seat: int


class Moved(MatchEvent, frozen=True, kw_only=True, tag="moved", omit_defaults=True):
    """A move: DOG's receive_move (`UD RF6`). Everything in it is what changed; what is left out stayed as it was."""

    seat: int
    move: str
    marks: dict[str, Mark | None]
    to_move: int | None
    legal: LegalChange | None = None
    scores: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    focus: tuple[str, ...] | None = None
    automatic: bool = False


class Ended(MatchEvent, frozen=True, kw_only=True, tag="ended"):
    """The match is over (`CK R4.4`, `DB 7.3.1.3`); an opponent's giving up is DOG's receive_abandonment (`UD RF7`)."""

    result: Result


class Offered(MatchEvent, frozen=True, kw_only=True, tag="offered"):
    """`seat` offers something to the other (`CK 5.4.2`)."""

    seat: int
    kind: OfferKind


class OfferClosed(MatchEvent, frozen=True, kw_only=True, tag="offer_closed"):
    """The open offer, made by `seat`, is answered, withdrawn, or declined by a move (`CK R4.5`)."""

    seat: int
    kind: OfferKind
    fate: OfferFate


class Replaced(MatchEvent, frozen=True, kw_only=True, tag="replaced"):
    """The position is another one: moves taken back, a restart, a saved position (`RU-M6`). A Snapshot follows."""

    seat: int
    by: Replacement


class Paused(MatchEvent, frozen=True, kw_only=True, tag="paused"):
    """`seat` paused: cover the board (`CK 5.4.3`). It ends by itself at `until_ms`."""

    seat: int
    until_ms: int


class Continued(MatchEvent, frozen=True, kw_only=True, tag="continued"):
    """The pause is over; `seat` is None when its time had run out (`CK 5.4.4`, `D11`). A Snapshot follows."""

    seat: int | None


class Away(MatchEvent, frozen=True, kw_only=True, tag="away"):
    """Who is away now, and until when each is waited for (`RU-M5`). () when everybody is back."""

    away: tuple[AwayInfo, ...]


class Excused(MatchEvent, frozen=True, kw_only=True, tag="excused"):
    """The server was away for `outage_ms`; nobody is charged for it (`D5`)."""

    outage_ms: int


class Rematched(MatchEvent, frozen=True, kw_only=True, tag="rematched"):
    """Both want another one: it is `next`, with seats swapped (`RU-M7`)."""

    next: str


class Position(Notification, frozen=True, kw_only=True, tag="position"):
    """Answers Look: the position after `ply` of `plies` moves, for stepping through."""

    ref: str
    match: str
    ply: int
    plies: int
    marks: dict[str, Mark]
    focus: tuple[str, ...]
    scores: tuple[tuple[int, ...], tuple[int, ...]]
    to_move: int | None
    text: str
    last: LastMove | None = None


class Record(Notification, frozen=True, kw_only=True, tag="record"):
    """Answers GetRecord: what a saved game holds. `hash` is that of the position which the moves lead to."""

    ref: str
    match: str
    game: str
    options: dict[str, OptionValue]
    names: tuple[str, str]
    moves: tuple[str, ...]
    hash: str
    created_ms: int
    result: Result | None = None


class Presence(Notification, frozen=True, kw_only=True, tag="presence"):
    """Who is connected to a match: each seat, and how many spectators. Not part of the log, so it has no version."""

    match: str
    here: tuple[bool, bool]
    spectators: int


class Said(Notification, frozen=True, kw_only=True, tag="said"):
    """A line in the receiver's channel, said by `name` (on `seat`, if a player). Not part of the log.

    A channel's numbers are consecutive from 1; the same number may come twice, and then is the same line.
    """

    match: str
    channel: Channel
    number: int
    name: str
    text: str
    at_ms: int
    seat: int | None = None


class Chat(Notification, frozen=True, kw_only=True, tag="chat"):
    """What was said lately in the receiver's channel, in order; comes after Watch and Sync if there is anything."""

    match: str
    channel: Channel
    lines: tuple[Said, ...]


class GoingAway(Notification, frozen=True, kw_only=True, tag="going_away"):
    """The server stops or restarts: everything is stored; come back in about `back_in_ms`."""

    text: str
    back_in_ms: int = 0


AnyCommand = (
    Hello
    | Ping
    | WatchLobby
    | Create
    | Join
    | QuickMatch
    | Cancel
    | Watch
    | Leave
    | Move
    | Abandon
    | Sync
    | Offer
    | Answer
    | Withdraw
    | Pause
    | Continue
    | WaitLonger
    | CallDraw
    | Look
    | GetRecord
    | Say
)
AnyMatchEvent = (
    Joined
    | SeatFreed
    | Moved
    | Ended
    | Offered
    | OfferClosed
    | Replaced
    | Paused
    | Continued
    | Away
    | Excused
    | Rematched
)
AnyNotification = (
    Welcome
    | Pong
    | Accepted
    | Refused
    | LobbyState
    | LobbyChange
    | Snapshot
    | Presence
    | Said
    | Chat
    | GoingAway
    | Position
    | Record
    | AnyMatchEvent
)


def by_tag(union: Any) -> dict[str, type[Message]]:
    """The classes of one direction, by the tag that stands in their `type` field."""
    return {str(cls.__struct_config__.tag): cls for cls in get_args(union)}


COMMANDS = by_tag(AnyCommand)
NOTIFICATIONS = by_tag(AnyNotification)
