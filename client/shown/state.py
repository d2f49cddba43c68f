"""Everything a user sees as one frozen value, and what follows from it. How it changes is in `client.shown.model`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from msgspec import structs

from client.conversation.events import Planned
from client.conversation.position import running_seat, time_left
from client.shown.match_log import is_log
from client.shown.review import Review
from client.shown.story import Happening, Made
from protocol.messages import (
    Analyse,
    Analysis,
    Challenged,
    Command,
    GameInfo,
    GetRecord,
    Hint,
    MatchSummary,
    Move,
    OfferInfo,
    Outage,
    OwnMatch,
    Position,
    Snapshot,
)

NO_PLAN = Planned()
NOT_HELD = (None, None)
PAUSE = 2
"""The place of a pause among what is waited for; those of who is away are their seats."""
NO_WAITS = (None, None, None)
LEAST_MS = 100
"""A clock that runs shows no less while its match is on: at 0.0 a flag has fallen, and only the server says so."""


class Link(Enum):
    """The connection: NEW before the first welcome, then UP or DOWN."""

    NEW = "new"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True)
class Notice:
    """A sentence for the user beside the match: a refusal, or news about the connection."""

    text: str = ""
    code: str = ""
    number: int = 0
    """Counts up, so that the same sentence twice is two notices."""
    at: tuple[str, ...] = ()
    """The elements of the board that it is about."""


@dataclass(frozen=True)
class Mine:
    """A match of the user's that goes on; game and names are "" and () while they are not known."""

    match: str
    game: str = ""
    names: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class Model:
    """Everything on screen but the cursor and what is half typed."""

    link: Link = Link.NEW
    down_since: float | None = None
    """Since when there is no connection, in seconds of the session's clock."""
    down_reason: str = ""
    latency_ms: float | None = None
    server_minus_now_ms: float | None = None
    name: str = ""
    player: str = ""
    games: Mapping[str, GameInfo] = field(default_factory=dict)
    lobby: tuple[MatchSummary, ...] | None = None
    """The public matches, newest first; None until they were told."""
    lobby_total: int = 0
    lobby_game: str = ""
    """The only game that is listed; "" for all."""
    people: tuple[str, ...] = ()
    """Names of players who are connected to the server, the user's among them; not more than a list holds."""
    here: int = 0
    """How many are, named or not."""
    mine: tuple[Mine, ...] = ()
    own: tuple[OwnMatch, ...] = ()
    """The user's own matches as they were told last: those that go on first, and the newest that are over."""
    own_at_ms: int = 0
    """When their clocks stood so, by the server's clock."""
    own_stopped_ms: float | None = None
    """Until when they are counted down, by the server's clock: what passed then may be given back. None: they go on."""
    own_held: Mapping[str, int] = field(default_factory=dict)
    """The most, in ms, that is shown of the time that runs in one of them, as `held`."""
    challenges: tuple[Challenged, ...] = ()
    """Those that stand, own and others', in the order in which they came."""
    challenges_heard: tuple[str, ...] = ()
    """Those that are over and were told of, the last ones."""
    unchallenged: bool = False
    """Whether the user wants to be challenged by nobody."""
    match: Snapshot | None = None
    """The match on screen, brought forward by its events: clocks, offer, pause, who is away, the end (`CK 5.4`, `5.5`).
    """
    outage: Outage | None = None
    """That the server's store is away, while it is."""
    stopped_ms: float | None = None
    """Until when the clock of the match on screen is counted down, as `own_stopped_ms`."""
    held: tuple[int | None, int | None] = NOT_HELD
    """The most, in ms, that is shown of each seat's time, for that was seen of it; None: all that it has."""
    held_waits: tuple[int | None, int | None, int | None] = NO_WAITS
    """The most, in ms, that is shown of how long each seat's holder, or a pause, is still waited for, as `held`."""
    position_since: int = 0
    """The version at which its position came to be: what is no move lets a move that is on its way stand."""
    awaits_position: bool = False
    """Whether the position changed in a way that a Snapshot is still to tell."""
    step: int | None = None
    """After how many moves the user looks at the match; None: at the newest position."""
    look: Position | None = None
    """The position last looked back at; it is the one to show when its ply is `step`."""
    hint: Analysis | None = None
    """The hint that was taken in the position on screen."""
    review: Review | None = None
    """The review of the match on screen, once it was asked for."""
    to_review: str = ""
    """The match that was opened from a saved game to be reviewed, until it is on screen."""
    log: tuple[str, ...] = ()
    """The entries of a match that is shown as its log, from the first on, as far as they came."""
    happenings: tuple[Happening, ...] = ()
    moves: tuple[Made, ...] = ()
    """The moves of the match on screen, from the first on, as far as they came."""
    chat: tuple[Happening, ...] = ()
    """What happened and was said, without the moves."""
    unread: int = 0
    """Lines that others said since what was said was last looked at."""
    said: int = 0
    """The number of the last line that was said in the match on screen, as far as it came."""
    muted: bool = False
    """Whether what others say is left out."""
    pending: tuple[Command, ...] = ()
    plan: Planned = NO_PLAN
    """A move of the user's that is not sent yet."""
    confirms: bool = False
    """Whether moves are sent only after they were confirmed."""
    premoves: bool = True
    """Whether a move may be planned for the next turn."""
    notice: Notice = Notice()

    @property
    def pending_moves(self) -> tuple[str, ...]:
        """The user's moves that are sent and not yet confirmed: shown as such, for nothing counts until it is stored.

        The event of a move may come before its answer; from then on it is no longer pending.
        """
        match = self.match
        if match is None:
            return ()
        return tuple(
            command.move
            for command in self.pending
            if isinstance(command, Move) and command.match == match.match and command.version >= self.position_since
        )

    @property
    def waits(self) -> bool:
        """Whether the user's own match waits for an opponent: it goes on doing so while one looks at the lobby."""
        return self.match is not None and self.match.status == "waiting" and bool(self.match.you)

    @property
    def is_being_played(self) -> bool:
        """Whether a match is on screen that has begun and goes on."""
        return self.match is not None and self.match.status == "playing"

    @property
    def is_log(self) -> bool:
        """Whether the match on screen has no board but is shown as its log."""
        return self.match is not None and is_log(self.match)

    @property
    def log_misses(self) -> int | None:
        """After how many entries the log goes on that is not there yet; None when it is whole, or was asked for."""
        match = self.match
        if match is None or not self.is_log or len(self.log) >= match.plies:
            return None
        asked = any(isinstance(command, GetRecord) and command.match == match.match for command in self.pending)
        return None if asked else len(self.log)

    @property
    def moves_miss(self) -> int | None:
        """After how many moves the list goes on that is not there yet; None when it is whole, or was asked for."""
        match = self.match
        if match is None or self.is_log or self.is_cleared or self.is_covered or len(self.moves) >= match.plies:
            return None
        asked = any(isinstance(command, GetRecord) and command.match == match.match for command in self.pending)
        return None if asked else len(self.moves)

    @property
    def review_asks(self) -> int | None:
        """After how many moves the position is that is to be judged next; None when none is, or it was asked for."""
        asked = any(isinstance(command, Analyse) for command in self.pending)
        return None if self.review is None or asked else self.review.next_ply

    @property
    def unanswered(self) -> int:
        """How many commands wait for the hub to take them; what is thought about takes its time, and says so."""
        return sum(not isinstance(command, Analyse | Hint) for command in self.pending)

    @property
    def awaits_hint(self) -> bool:
        """Whether a hint is being thought about."""
        return any(isinstance(command, Hint) for command in self.pending)

    @property
    def next_version(self) -> int:
        """The version that the match will have when all pending moves are confirmed: where the next one goes.

        A move closes an open offer (`RU-M3`), which is an event of its own before it.
        """
        match, pending = self.match, len(self.pending_moves)
        return 0 if match is None else match.version + pending + (bool(pending) and match.offer is not None)

    @property
    def plays(self) -> bool:
        """Whether the user holds a seat in the match on screen."""
        return self.match is not None and bool(self.match.you)

    @property
    def holds_both(self) -> bool:
        """Whether two people at this keyboard play each other (`DB 1.8`)."""
        return self.match is not None and len(self.match.you) == 2

    @property
    def hinted(self) -> str:
        """The move to mark on the board as a hint, or as better where the costly move of a review came; "" for none."""
        if self.is_covered:
            return ""
        if self.step is not None:
            seen = self.review is not None and self.look is not None and self.look.ply == self.step
            return self.review.better_after(self.step) if self.review is not None and seen else ""
        is_played = self.match is not None and self.match.status == "playing"
        return self.hint.move if self.hint is not None and is_played else ""

    @property
    def is_my_turn(self) -> bool:
        """Whether the match is being played and waits for a move from here."""
        match = self.match
        return match is not None and match.status == "playing" and match.to_move in match.you and not self.is_covered

    @property
    def is_to_move(self) -> bool:
        """Whether a move that is made now is sent as one.

        While the user's own is on its way nobody here knows whose turn follows, so what is touched then is a plan for
        it; two at one keyboard both move from here.
        """
        return self.is_my_turn and (self.holds_both or not self.pending_moves)

    @property
    def may_plan(self) -> bool:
        """Whether what is touched now is meant for the next turn: the other side's, or after a move that is on its way.

        Without a connection the position may be another one by now (`P15`).
        """
        match = self.match
        waits = match is not None and match.status == "playing" and len(match.you) == 1 and match.to_move is not None
        waits = waits and self.premoves and self.link is Link.UP
        return waits and not self.is_to_move and not self.is_covered and self.step is None

    @property
    def is_covered(self) -> bool:
        """Whether the position is hidden: during a pause (`CK 5.4.3`), and until the one after it was told."""
        return self.match is not None and (self.match.pause is not None or self.awaits_position)

    @property
    def is_cleared(self) -> bool:
        """Whether the board on screen is an empty one, and of no match any more (`UD RF3`)."""
        return self.match is not None and not self.match.match

    def may(self, action: str) -> bool:
        """Whether the server would grant the action to a seat held here, as it said itself (`Snapshot.can`)."""
        match = self.match
        return match is not None and any(action in match.can[seat] for seat in match.you)

    @property
    def offer_to_me(self) -> OfferInfo | None:
        """The open offer that is to be answered here (`CK R4.5`)."""
        offer = self.match.offer if self.match is not None else None
        return offer if offer is not None and self.may("answer") else None

    @property
    def own_offer(self) -> OfferInfo | None:
        """The open offer that was made here."""
        offer = self.match.offer if self.match is not None else None
        return offer if offer is not None and self.match is not None and offer.seat in self.match.you else None

    @property
    def shown_ply(self) -> int:
        """After how many moves the position on screen is."""
        newest = self.match.plies if self.match is not None else 0
        return newest if self.step is None else min(self.step, newest)

    @property
    def shown(self) -> Snapshot | None:
        """The match as its board is to be drawn: at the newest position, or at the one that is looked back at."""
        match, look = self.match, self.look
        if match is None or self.step is None or look is None or look.ply != self.step:
            return match
        return structs.replace(match, marks=look.marks, focus=look.focus, legal=(), to_move=None, last=look.last)

    def server_now_ms(self, now: float) -> float | None:
        """The server's time when the session's is `now` (seconds); None while that is not known.

        While the store is away it stands, for everything that is counted down.
        """
        if self.server_minus_now_ms is None:
            return None
        return _until(self.counted_ms, now * 1000 + self.server_minus_now_ms)

    @property
    def counted_ms(self) -> float | None:
        """Until when anything is counted down while the store is away, by the server's clock; None while it is not."""
        return None if self.outage is None else max(self.outage.counted_ms, self.outage.since_ms)

    def time_left(self, now: float) -> tuple[int, int] | None:
        """What is shown that both have left, in ms (`CK 5.4.5`): `time_told`, but never more than was seen before."""
        match, left = self.match, self.time_told(now)
        if match is None or left is None:
            return left
        running = running_seat(match)
        first, second = (
            max(own if most is None else min(own, most), LEAST_MS if seat == running else 0)
            for seat, (own, most) in enumerate(zip(left, self.held, strict=True))
        )
        return first, second

    def time_told(self, now: float) -> tuple[int, int] | None:
        """What both have left in ms, the same for everybody who looks at the same moment (`D15`).

        Of what passes only that counts which is certain to be charged.
        """
        match, server_now_ms = self.match, self.server_now_ms(now)
        if match is None:
            return None
        return time_left(match, match.now_ms if server_now_ms is None else _until(self.stopped_ms, server_now_ms))

    def waits_left(self, now: float) -> tuple[int | None, int | None, int | None]:
        """For how long, in ms, each seat's holder, who is away, and the end of a pause are waited for (`RU-M5`,
        `CK 5.4.3`), as it is shown; None for what is not."""
        shown = (
            None if told is None else told if most is None else min(told, most)
            for told, most in zip(self.waits_told(now), self.held_waits, strict=True)
        )
        first, second, pause = shown
        return first, second, pause

    def waits_told(self, now: float) -> tuple[int | None, int | None, int | None]:
        """The same, whatever was seen before; of what passes only that counts which is certain to be counted."""
        match, server_now_ms = self.match, self.server_now_ms(now)
        if match is None or server_now_ms is None:
            return NO_WAITS
        now_ms = _until(self.stopped_ms, server_now_ms)
        until = {info.seat: info.until_ms for info in match.away}
        ends = (until.get(0), until.get(1), None if match.pause is None else match.pause.until_ms)
        first, second, pause = (None if end is None else max(0, round(end - now_ms)) for end in ends)
        return first, second, pause

    @property
    def is_unsure(self) -> bool:
        """Whether nobody knows here what is being charged: without a connection, until the match was told anew after
        it, and while the store is away, it may be given back (`D5`)."""
        on = self.match is not None and self.match.status == "playing"
        return on and (self.link is Link.DOWN or self.stopped_ms is not None)

    def first_move_ms(self, now: float) -> int | None:
        """How long, in ms, the first move of the seat to move may still take; None where its time is charged, or where
        each move has a time of its own anyway."""
        match, left = self.match, self.time_left(now)
        seat = None if match is None else running_seat(match)
        if match is None or left is None or seat not in match.uncharged or match.clock_rule.per_move_ms:
            return None
        assert seat is not None
        return left[seat]

    def countdowns(self, now: float) -> tuple[int, int] | None:
        """Both clocks as they are shown, in ms: `time_left`, but never less than a seat will have after its move.

        A first move is not charged, and so is not counted down: no clock jumps back.
        """
        match, left = self.match, self.time_left(now)
        if match is None or left is None or match.clock_rule.per_move_ms or match.status == "ended":
            return left
        first, second = (match.clock_rule.total_ms if seat in match.uncharged else own for seat, own in enumerate(left))
        return first, second

    @property
    def viewer_seat(self) -> int | None:
        """From whose side the board is seen: the only seat held, else None."""
        return self.match.you[0] if self.match is not None and len(self.match.you) == 1 else None


def _until(stopped_ms: float | None, now_ms: float) -> float:
    """`now_ms`, but no later than when something stopped."""
    return now_ms if stopped_ms is None else min(now_ms, stopped_ms)
