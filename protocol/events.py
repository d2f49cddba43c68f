"""What happens in a match, as everybody who follows it is told: versioned, in order, without gaps."""

from __future__ import annotations

from protocol.board import Mark
from protocol.notifications import Notification
from protocol.values import (
    AwayInfo,
    LegalChange,
    OfferFate,
    OfferKind,
    Replacement,
    Result,
    Status,
    TimeLeft,
)


class MatchEvent(Notification, frozen=True, kw_only=True, omit_defaults=True):
    """Base of what happens in a match. Versions are consecutive; who misses one asks with Sync.

    What is left out is as it was before: `text` (the status sentence), `clock` (what each seat had left at `at_ms`, see
    TimeLeft) with `clock_from_ms`, `uncharged`, and `can` (see Snapshot), in which a seat for which nothing changed has
    None.
    """

    match: str
    version: int
    at_ms: int
    text: str = ""
    clock: TimeLeft | None = None
    clock_from_ms: int = 0
    uncharged: tuple[int, ...] | None = None
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
    """A move: DOG's receive_move (`UD RF6`). Everything in it is what changed; what is left out stayed as it was.

    `entry` is there in a match without a board, which is shown as its log: what a student's program said, whole, as
    JSON, where `move` is one line of it. `["seats", "", [[NAME, ""], ...]]` comes first; then `["move", PLACE, {...}]`,
    with the place of the player among these, from 0; and at the end perhaps `["left", PLACE]`.

    `less`: the computer thought about it for less than its level does, for the server had much to do.
    """

    seat: int
    move: str
    marks: dict[str, Mark | None]
    to_move: int | None
    legal: LegalChange | None = None
    scores: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    focus: tuple[str, ...] | None = None
    automatic: bool = False
    entry: str = ""
    less: bool = False


class Ended(MatchEvent, frozen=True, kw_only=True, tag="ended"):
    """The match is over (`CK R4.4`, `DB 7.3.1.3`); an opponent's giving up is DOG's receive_abandonment (`UD RF7`).

    When it was paused, a Snapshot follows, for the position is hidden no longer.
    """

    result: Result


class Offered(MatchEvent, frozen=True, kw_only=True, tag="offered"):
    """`seat` offers something to the other (`CK 5.4.2`). Answer and Withdraw name it by its `version`."""

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


class Hinted(MatchEvent, frozen=True, kw_only=True, tag="hinted"):
    """`seat` has taken a hint; which move it was is told to that player alone."""

    seat: int


class Excused(MatchEvent, frozen=True, kw_only=True, tag="excused"):
    """The server was away for `outage_ms`; nobody is charged for it (`D5`)."""

    outage_ms: int


class Rematched(MatchEvent, frozen=True, kw_only=True, tag="rematched"):
    """Both want another one: it is `next`, with seats swapped (`RU-M7`)."""

    next: str
