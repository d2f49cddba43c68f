"""What a client may say: one class for each command."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from protocol import limits
from protocol.values import (
    ClockRule,
    GameName,
    MatchId,
    Message,
    Moves,
    OfferKind,
    Options,
    Ref,
    SaidName,
    Version,
)


class Command(Message, frozen=True, kw_only=True):
    """Base of all commands; each is answered once, by Accepted, Refused or its own answer, with its `ref`."""

    ref: Ref


class Hello(Command, frozen=True, kw_only=True, tag="hello"):
    """The first command on a connection: who is there (`UD RF1`). Answered by Welcome.

    Without a `token` a new guest comes; with one, the guest it was given to comes back (under `name` if that is new).
    A name in use by somebody else who is connected is refused as `name_in_use`, with a `suggestion`; `rename` takes the
    suggestion at once. `catalogue` is the one that the last Welcome named, if its games are still at hand: where they
    are the same ones, in this language, they are not told again.
    """

    name: SaidName = ""
    token: Annotated[str, Meta(max_length=limits.MAX_TOKEN)] | None = None
    language: Annotated[str, Meta(max_length=limits.MAX_LANGUAGE)] = "en"
    client: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    rename: bool = False
    catalogue: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Asks for a Pong, to measure latency and to learn the server's clock."""


class WatchLobby(Command, frozen=True, kw_only=True, tag="watch_lobby"):
    """Asks for the list of public matches and its changes from now on; `on: false` ends that."""

    on: bool = True


class GetMatches(Command, frozen=True, kw_only=True, tag="get_matches"):
    """Asks for one's own matches: what waits or is played, and the newest that are over. Answered by OwnMatches."""


class Forget(Command, frozen=True, kw_only=True, tag="forget"):
    """Takes a match that is over out of one's own list. It is kept all the same, and found by who knows its id."""

    match: MatchId


class Create(Command, frozen=True, kw_only=True, tag="create"):
    """Hosts a match (`CK R1.2`). The host sits on seat 0 unless `seat` says otherwise.

    `private`: it is joined by a key, which is in the answer. `both_seats`: two people at this connection (`DB 1.8`);
    `computer`: the other seat is the computer's (`DB 8.3`, `SQ2`). Either starts at once and is in no list.
    `level`: how well the computer plays, one of the game's `levels`; "" is the game's usual one. `seat`: where the host
    sits (`CK R1.3`). Seat 0 begins, and the other one is whose who joins, or the computer's; with `both_seats` it is 0.
    `clock` None is the game's own default; a rule without time is no clock. `grace_s` is how long a lost connection
    is waited for (`RU-M5`). `moves` starts from the position of a saved game (`DB 7.3.3.2`); against the computer,
    whose move would be a hint, that is refused as `still_played` while the host plays or watches a match of that game
    between people. `spectators` lets whoever knows its id watch a private match; a public one can be watched anyway.
    Spectators are `delay_plies` moves behind.
    `lesson` is the number, from 1 on, of one of the game's tasks (`GameInfo.lessons`): its position is played against
    nobody until the task is done or the turn is over, and of the rest of the command only the game is looked at.
    `review` opens a saved game to be gone over: nobody plays on, so the match is over at once. Both seats are the
    host's, nobody else sees it, and of the rest only `game`, `options`, `moves` and `names` are looked at: the
    names of the file, in place of which, where no player could have one, that of the seat's style stands. It is refused
    as `still_played` where Analyse would be.
    """

    game: GameName
    options: Options = field(default_factory=dict)
    private: bool = False
    both_seats: bool = False
    computer: bool = False
    level: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    seat: Annotated[int, Meta(ge=0, le=1)] = 0
    clock: ClockRule | None = None
    grace_s: Annotated[int, Meta(ge=0, le=limits.MAX_GRACE_S)] = 30
    moves: Moves = ()
    spectators: bool = False
    delay_plies: Annotated[int, Meta(ge=0, le=limits.MAX_DELAY)] = 0
    lesson: Annotated[int, Meta(ge=0, le=limits.MAX_LESSONS)] = 0
    review: bool = False
    names: tuple[SaidName, SaidName] = ("", "")


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Takes the free seat of a public match (`match`) or of a private one (`key`, `CK R1.6`)."""

    match: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    key: Annotated[str, Meta(max_length=limits.MAX_KEY)] = ""


class GetInvitation(Command, frozen=True, kw_only=True, tag="get_invitation"):
    """Asks what Join with the same `match` or `key` would lead to, and takes no seat. Answered by Invitation.

    It is refused as Join would be now; a wrong key counts as a wrong one.
    """

    match: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    key: Annotated[str, Meta(max_length=limits.MAX_KEY)] = ""


class QuickMatch(Command, frozen=True, kw_only=True, tag="quick_match"):
    """DOG's start: paired with whoever waits for the same game and options, else waits (`UD RF2`, `RF5`).

    Pressed again with another ref, in whichever tab, it leads to the same match as long as that waits, and for half a
    minute after it was found as long as nobody has moved.
    """

    game: GameName
    options: Options = field(default_factory=dict)
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
    """Gives the match up, in turn or not (`CK R4.3`): the opponent wins. Before the first move nobody does.

    With the newest `version` that the player has seen it is refused as `stale` when it would lose the match, and would
    not have lost it then.
    """

    match: MatchId
    version: Version | None = None


class Sync(Command, frozen=True, kw_only=True, tag="sync"):
    """Follows a match from version `after` on: the missing events, or a Snapshot when there are many of them.

    `epoch` is that of the Welcome under which version `after` was heard. When the server's store has loaded its data
    anew since, that version may be of another event by now, and a Snapshot answers; after SetBack, if there is less.
    """

    match: MatchId
    after: Version = 0
    epoch: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Offers the opponent something (`CK R4.5`, `RU-M3`, `RU-M6`, `RU-M7`); one offer can be open in a match.

    `version` is the newest that the player has seen: refused as `stale` when the position is another one since. The
    same offer by the opponent, in the same position, accepts the one that is open; one without a `version` accepts
    nothing but a rematch, and two takebacks are of different moves. Where one person plays alone it is done at once.
    `moves` are those of the saved game to go back to, for `revert` (`DB 7.3.3.2`); against the computer that is refused
    as Create with `moves` is (`still_played`), but for a position that this match has come from.
    """

    match: MatchId
    kind: OfferKind
    moves: Moves = ()
    version: Version | None = None


class Answer(Command, frozen=True, kw_only=True, tag="answer"):
    """Accepts or declines the opponent's open offer (`CK R4.5`).

    `offer` is the version at which it was made (`Offered.version`, `OfferInfo.version`): the one that the player has
    seen. Another one, or none, is refused as `stale_offer`, and then the open one is left as it is.
    """

    match: MatchId
    accept: bool
    offer: Version = 0


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """Takes the own open offer back; `offer` is the version at which it was made, as for Answer."""

    match: MatchId
    offer: Version = 0


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Stops the clocks and hides the position from everybody (`CK 5.4.3`, `RU-M4`)."""

    match: MatchId


class Continue(Command, frozen=True, kw_only=True, tag="continue"):
    """Ends one's own pause (`CK 5.4.4`)."""

    match: MatchId


class WaitLonger(Command, frozen=True, kw_only=True, tag="wait_longer"):
    """Gives the opponent who is away another minute (`RU-M5`).

    With the newest `version` that the player has seen it is refused as `stale` when who is away has changed since, or
    somebody waits longer already.
    """

    match: MatchId
    version: Version | None = None


class CallDraw(Command, frozen=True, kw_only=True, tag="call_draw"):
    """Calls the match a draw while the opponent is away (`RU-M5`).

    With the newest `version` that the player has seen it is refused as `stale` when the position, or who is away, has
    changed since.
    """

    match: MatchId
    version: Version | None = None


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """Asks for the position after the first `ply` moves. Answered by Position; refused during a pause."""

    match: MatchId
    ply: Annotated[int, Meta(ge=0, le=limits.MAX_MOVES)]


class GetRecord(Command, frozen=True, kw_only=True, tag="get_record"):
    """Asks for all that a saved game holds (`DB 7.3.3.1`, `RU-M8`). Answered by Record; refused during a pause.

    The moves of a student's game may be too long for one answer: `after` asks for those that follow so many.
    """

    match: MatchId
    after: Annotated[int, Meta(ge=0, le=limits.MAX_MOVES)] = 0


class Hint(Command, frozen=True, kw_only=True, tag="hint"):
    """Asks for the move that the strongest level would make in the position of `version`, against the computer only.

    Answered by Analysis, without a lead; refused as `stale` when the match has moved on. It is in the match's log, and
    all are told that it was taken (Hinted); asked for again in the same position it counts once. It is refused as
    `still_played` while its player plays or watches a match of that game between people, or plays another one alone
    that stands at the same position, behind the start: there it would not be counted.
    """

    match: MatchId
    version: Version


class Analyse(Command, frozen=True, kw_only=True, tag="analyse"):
    """Asks who stands better after the first `ply` moves, and what is best there. Answered by Analysis.

    Of a `match` that is over; or of a saved game: `game`, `options` and `moves`. One position at a time is analysed for
    a player, refused as `one_analysis` otherwise, and as `busy` when many wait. Who plays or watches a match between
    people has no other position of that game analysed before it is over (`still_played`). Who plays alone, against the
    computer or at one screen, has that match not analysed as far as it has come, nor any moves that pass through its
    present position up to the one that is asked about, in whatever order it came about; but for the start, which is of
    every match. Mirrored or turned positions, and those that may come next, are not known again.
    """

    ply: Annotated[int, Meta(ge=0, le=limits.MAX_MOVES)]
    match: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    game: Annotated[str, Meta(max_length=limits.MAX_ID)] = ""
    options: Options = field(default_factory=dict)
    moves: Moves = ()


class Challenge(Command, frozen=True, kw_only=True, tag="challenge"):
    """Asks the player of that name, who is here, for a match of `game`; Challenged tells both of it.

    It stands for a minute, or until it is answered or withdrawn; ChallengeOver tells both how it went. Refused as
    `not_here`, `muted` (that player wants none now), `challenged_lately`, and `too_many_challenges`. `seat` is where
    the challenger will sit, as in Create.
    """

    name: Annotated[str, Meta(min_length=1, max_length=limits.MAX_NAME_INPUT)]
    game: GameName
    options: Options = field(default_factory=dict)
    clock: ClockRule | None = None
    seat: Annotated[int, Meta(ge=0, le=1)] = 0


class AnswerChallenge(Command, frozen=True, kw_only=True, tag="answer_challenge"):
    """Accepts or declines a challenge. Accepted, the match has its id, and one sits opposite `Challenged.seat`."""

    challenge: MatchId
    accept: bool


class WithdrawChallenge(Command, frozen=True, kw_only=True, tag="withdraw_challenge"):
    """Takes the own challenge back."""

    challenge: MatchId


class MuteChallenges(Command, frozen=True, kw_only=True, tag="mute_challenges"):
    """Whoever challenges the player from now on is refused as `muted`; `on: false` lets challenges come again.

    It holds for all connections of the player, and for later ones.
    """

    on: bool = True


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Says a line: the players to each other, spectators among themselves. Allowed during a pause and after the end.

    It is text and nothing else; control characters are taken out. What players are told never comes from spectators.
    """

    match: MatchId
    text: Annotated[str, Meta(min_length=1, max_length=limits.MAX_CHAT)]
