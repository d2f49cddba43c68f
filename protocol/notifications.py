"""What a server says: answers, lists, snapshots; what happens in a match is in `protocol.events`."""

from __future__ import annotations

from typing import Any

from msgspec import field

from protocol import limits
from protocol.board import Board, Mark
from protocol.values import (
    AwayInfo,
    ChallengeFate,
    Channel,
    ClockRule,
    GameInfo,
    LastMove,
    MatchSummary,
    Message,
    OfferInfo,
    OptionValue,
    OwnMatch,
    PauseInfo,
    Result,
    SeatInfo,
    SeatNumber,
    Status,
    TimeLeft,
    Where,
)


class Notification(Message, frozen=True, kw_only=True):
    """Base of all notifications."""


class Welcome(Notification, frozen=True, kw_only=True, tag="welcome"):
    """Answers Hello: who you are, what is on offer, and which of your matches go on.

    `token` is secret, is given only to a new guest, and brings that guest back on any connection to any hub. `chat` is
    false where nothing can be said. `epoch` changes when the server's store has loaded its data anew: see Sync.
    `catalogue` is a hash of `games`, texts and all. `games` is empty when Hello named the same one: they are as known.
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
    epoch: str = ""
    catalogue: str = ""


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

    `code` is stable, `text` is for people, `data` holds what the sentence names (in `at` the elements of
    the board that it is about, with spaces between); `version` is the match's current one.
    """

    ref: str
    code: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)
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


class OwnMatches(Notification, frozen=True, kw_only=True, tag="own_matches"):
    """Answers GetMatches: what goes on first, the newest first of each; at `now_ms` their clocks stood so.

    They are no more than `limits.OWN_MATCHES` and `limits.OWN_ENDED`.
    """

    ref: str
    now_ms: int
    matches: tuple[OwnMatch, ...] = ()


class Invitation(Notification, frozen=True, kw_only=True, tag="invitation"):
    """Answers GetInvitation: the match that is joined by it, and the `seat` that the receiver would get, or holds."""

    ref: str
    summary: MatchSummary
    seat: SeatNumber


class Snapshot(Notification, frozen=True, kw_only=True, tag="snapshot"):
    """A match as this viewer may see it at `version`; the events that follow start at `version` + 1.

    While `pause` is set the position is hidden: no marks, no legal moves, no last move (`CK 5.4.3`, `F2`).
    `can` names for each seat the commands and offers ("offer_draw") that would be granted now: the machine's table as
    data, for buttons. `rematch` is the match that follows this one. `clock` is what each seat has left at `now_ms`;
    where `clock_from_ms` lies ahead of that, what passes until then was excused, and is not to be counted down.
    `uncharged` are the seats whose next move is their first: it takes nothing of their time, but must come within it.

    `you` holds the seats of the receiver: () for a spectator, (0, 1) for two people at one connection. `key` is there
    for the host of a private match alone. `plies` counts the moves so far. `resting` are the moves that the seat not to
    move had on its last turn: later changes may refer to them. `watchable`: spectators are let in. They are told
    everything `delay_plies` moves late, until the match is over; versions count what the receiver may know. `level` is
    how well the computer plays, "" in a match without it, and in one that is older than levels are. `hints` are those
    that each seat has taken. `lesson` is the number of the task that is played, 0 in all other matches: `text` says
    what is to be done, and the result whether it was (`task_done`), or not yet (`task_missed`). `review`: it is
    a saved game that is only gone over, under the names of its file.
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
    clock_from_ms: int = 0
    uncharged: tuple[int, ...] = ()
    grace_s: int = 30
    offer: OfferInfo | None = None
    pause: PauseInfo | None = None
    away: tuple[AwayInfo, ...] = ()
    can: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    rematch: str = ""
    watchable: bool = True
    delay_plies: int = 0
    level: str = ""
    hints: tuple[int, int] = (0, 0)
    lesson: int = 0
    review: bool = False


class SetBack(Notification, frozen=True, kw_only=True, tag="set_back"):
    """The server's store has lost events that the receiver had seen (`Q9`): what was known above `version` is void.

    A Snapshot at `version` follows, and then events from `version` + 1 on: numbers that had been given may come again,
    for other events. Lines that were said come anew, too. `version` 0: the match is not there any more. `text` is for
    people.
    """

    match: str
    version: int
    text: str


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
    """Answers GetRecord: what a saved game holds. `hash` is that of the position which the moves lead to.

    `movers` are the seats that made the moves, one for each; none from a server that does not say. `moves` are those
    after the first `after`, of `plies` in all, as many as fit; in a match that is shown as its log they are its entries
    (see Moved). `scores` are those before the first of `moves`, and then those after each of them: one more than moves;
    none in a game without scores, and from a server that does not say. `less` are those of `moves`, counted from 1 in
    the whole match, about which the computer thought for less than its level does, for the server had much to do.
    `to_move` is the seat whose turn it is after all of them, also where the match is over but the game is not; None
    where it is, and from a server that does not say.
    """

    ref: str
    match: str
    game: str
    options: dict[str, OptionValue]
    names: tuple[str, str]
    moves: tuple[str, ...]
    hash: str
    created_ms: int
    result: Result | None = None
    movers: tuple[int, ...] = ()
    after: int = 0
    plies: int = 0
    scores: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    less: tuple[int, ...] = ()
    to_move: int | None = None


class Analysis(Notification, frozen=True, kw_only=True, tag="analysis"):
    """Answers Analyse and Hint: what is best after `ply` of `plies` moves, and who stands better there.

    `move` is the best move that was found, for the seat `to_move`, or the one `played` there, where none is known to be
    better; "" when the game is over. `lead` is how much better seat 0 stands, from -1000 (it has lost) to 1000 (it has
    won); None in a hint. `exact`: no guess, both play as well as can be. `text` is a clause about the move,
    `played_text` about the one `played`; "" where there is nothing to say. `less`: the server had much to do, and this
    was thought about for less than usual.
    """

    ref: str
    match: str
    version: int
    ply: int
    plies: int
    to_move: int | None
    move: str
    text: str
    lead: int | None = None
    exact: bool = False
    played: str = ""
    played_text: str = ""
    less: bool = False


class Presence(Notification, frozen=True, kw_only=True, tag="presence"):
    """Who is connected to a match: each seat, and how many spectators. Not part of the log, so it has no version.

    `where` and `since_ms` are those of each seat's holder, see SeatInfo.
    """

    match: str
    here: tuple[bool, bool]
    spectators: int
    where: tuple[Where, Where] = ("", "")
    since_ms: tuple[int | None, int | None] = (None, None)


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
    """What was said lately in the receiver's channel, in order; comes after Watch and Sync if there is anything.

    A guest who sits down after another one is not told what was said with that one.
    """

    match: str
    channel: Channel
    lines: tuple[Said, ...]


class Challenged(Notification, frozen=True, kw_only=True, tag="challenged"):
    """`by` asks `to` for a match, until `until_ms`; `mine`: it is the receiver's own challenge.

    Comes to every connection of both, and to one that says hello while it stands. `title` is the game's; all options
    are written out. It is answered, or withdrawn, by its id `challenge`; that is the id of the match that comes of it.
    `seat` is that of `by` in it: the other one is for `to`.
    """

    challenge: str
    by: str
    to: str
    mine: bool
    game: str
    title: str
    options: dict[str, OptionValue]
    clock: ClockRule
    until_ms: int
    now_ms: int
    seat: int = 0


class ChallengeOver(Notification, frozen=True, kw_only=True, tag="challenge_over"):
    """How a challenge went: `accepted` (the match `challenge` is there), `declined`, `withdrawn`, `expired` (its minute
    is over), or `left` (the other player has gone). `text` says it to the receiver.

    Who comes back is told again how a challenge of the last two minutes went.
    """

    challenge: str
    by: str
    to: str
    mine: bool
    fate: ChallengeFate
    text: str


class ChallengesMuted(Notification, frozen=True, kw_only=True, tag="challenges_muted"):
    """Whether challenges are kept from the receiver, see MuteChallenges. Comes after Welcome where they are."""

    on: bool


class Outage(Notification, frozen=True, kw_only=True, tag="outage"):
    """The store does not answer the hub at the other end (`on`), or does so again. Comes to all of its connections.

    While it is on that hub stores no move. `since_ms` is the last beat of any hub that it heard of: from then on time
    is excused, unless another one goes on. Whatever is counted down is so until `counted_ms`, and stands then: the same
    moment for the clients of all hubs, and no earlier than they are told (0, of an earlier release: `since_ms`). When
    it is over, every match that the receiver follows has been told what was excused. `text` is for people, "" when it
    is over.
    """

    on: bool
    since_ms: int
    counted_ms: int = 0
    text: str = ""


class GoingAway(Notification, frozen=True, kw_only=True, tag="going_away"):
    """The server stops or restarts: everything is stored; come back in about `back_in_ms`.

    `elsewhere`: another hub of it is there already. Connect anew at once; nobody need be told, unless that fails. This
    connection serves for another two seconds: leave it, without a closing handshake, once the new one stands.
    """

    text: str
    back_in_ms: int = 0
    elsewhere: bool = False
