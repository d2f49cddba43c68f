"""What stands inside messages, and the base of all of them.

Times end in `_ms` and are milliseconds of the server's shared clock since 1970. Seats are 0 and 1.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from protocol import limits
from protocol.board import SeatStyle

Ref = Annotated[str, Meta(min_length=1, max_length=limits.MAX_REF)]
"""The sender's own name for a command; sent again with the same ref, a command counts once."""
MatchId = Annotated[str, Meta(min_length=1, max_length=limits.MAX_ID)]
Version = Annotated[int, Meta(ge=0, le=limits.MAX_VERSION)]
OptionValue = int | str | bool
Options = Annotated[dict[str, OptionValue], Meta(max_length=limits.MAX_OPTIONS)]
GameName = Annotated[str, Meta(min_length=1, max_length=limits.MAX_ID)]
SaidName = Annotated[str, Meta(max_length=limits.MAX_NAME_INPUT)]
SeatNumber = Annotated[int, Meta(ge=0, le=1)]
Status = Literal["waiting", "playing", "ended"]
OfferKind = Literal["draw", "takeback", "restart", "revert", "rematch"]
OfferFate = Literal["accepted", "declined", "withdrawn", "moved"]
ChallengeFate = Literal["accepted", "declined", "withdrawn", "expired", "left"]
Channel = Literal["players", "spectators"]
"""Who hears a line: the two players, or all who watch."""
Where = Literal["", "board", "lobby", "http", "quit", "lost"]
"""Where the holder of a seat is: at the board, connected but looking at something else, or reading by HTTP, which all
count as here; has closed the program; or has lost the connection. "" where that is not known."""
Replacement = Literal["takeback", "restart", "revert"]
TimeLeft = tuple[int, int]
"""Each seat's time in ms. From then on that of the seat to move goes down, but not in a pause or after the end, nor
before the first move while the host is waited for who was away when the guest sat down (`AwayInfo.stands`)."""
Moves = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=limits.MAX_MOVE)], ...], Meta(max_length=limits.MAX_MOVES)
]
"""The moves of a saved game, from the first on."""


class Message(Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of all messages."""

    since: ClassVar[int] = 1


class Option(Struct, frozen=True, kw_only=True):
    """One option of a game, as data for a form: a switch (bool default), a choice, or a number from low to high.

    A text without choices has at most `high` characters; no game that people host has one.
    """

    name: str
    label: str
    default: OptionValue
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    help: str = ""
    """A sentence for the form: what it changes. "" where its author gave none."""
    first: bool = False
    """Whether a form shows it at once; all others are behind "More"."""


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


class Level(Struct, frozen=True):
    """How well the computer plays, as a choice in a form: a stable name, and what people read."""

    name: str
    label: str


class Sides(Struct, frozen=True, kw_only=True):
    """What the seats of a game are called and look like before it begins: always, or with this choice of an option."""

    first: SeatStyle
    second: SeatStyle
    option: str = ""
    choice: str = ""


class GameInfo(Struct, frozen=True, kw_only=True):
    """A game on offer, with all that a form and a help panel need (`DB 7.3.1.5`).

    `score_names` are what its scores count ("boxes"), `score_names_one` the same for a single one ("box"); empty where
    that is the same word.
    """

    name: str
    title: str
    summary: str
    help: str
    score_names: tuple[str, ...] = ()
    score_names_one: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    computer: bool = False
    levels: tuple[Level, ...] = ()
    """From the weakest on; a game's own ones come last. Empty where the computer does not play."""
    usual_level: str = ""
    """How the computer plays if nothing else is asked for."""
    clock: ClockRule = ClockRule()
    lessons: tuple[str, ...] = ()
    """What the tasks for who learns the game are called, from the first on: see `Create.lesson`."""
    sides: tuple[Sides, ...] = ()
    """What both seats are called and look like, with the options' defaults, and wherever a choice makes it differ."""


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
    """A seat as everybody may see it: how it looks, who holds it, and whether that player is connected.

    `where` says it more exactly, and `since_ms` when one who is not was last seen, where that is known.
    """

    style: SeatStyle
    name: str | None = None
    here: bool = False
    where: Where = ""
    since_ms: int | None = None


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
    """The move played last, to be marked on the board. `automatic` when the server made it (`RU-HX3`).

    `entry` as in Moved.
    """

    seat: int
    move: str
    automatic: bool = False
    entry: str = ""


class OfferInfo(Struct, frozen=True):
    """An open offer: what, by which seat, and the `version` at which it was made, by which answers name it."""

    kind: OfferKind
    seat: int
    version: int = 0


class PauseInfo(Struct, frozen=True):
    """A pause: who paused, and when it ends by itself."""

    seat: int
    until_ms: int


class AwayInfo(Struct, frozen=True):
    """A seat whose player has lost the connection, and when the match is abandoned for it.

    `until_ms` is None while no grace time runs, because the opponent is away, too. `stands`: no clock goes before the
    first move until then, or until that player is back: the host was away when the guest sat down.
    """

    seat: int
    until_ms: int | None
    stands: bool = False


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


class OwnMatch(Struct, frozen=True, kw_only=True):
    """One of the receiver's own matches: waiting, being played, or over; private ones and those alone, too.

    `you` are the seats that the receiver holds. `clock` is what each seat has left at `OwnMatches.now_ms`
    (`clock_from_ms` as in Snapshot). `result` and `ended_ms` are there once it is over.
    """

    match: str
    game: str
    options: dict[str, OptionValue]
    status: Status
    private: bool
    created_ms: int
    seats: tuple[SeatInfo, SeatInfo]
    you: tuple[int, ...]
    scores: tuple[tuple[int, ...], tuple[int, ...]]
    to_move: int | None = None
    plies: int = 0
    clock_rule: ClockRule = ClockRule()
    clock: TimeLeft | None = None
    clock_from_ms: int = 0
    paused: bool = False
    ended_ms: int | None = None
    result: Result | None = None
