"""What each seat may do now, as data: the conditions that handlers demand are the ones that clients are shown.

A condition sees a `Standing`, the few facts of a match on which permissions depend; so they are worked out once for
all matches that stand alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from protocol.errors import Code, Refusal
from server.match.state import MOVES_BEFORE_OFFERING_AGAIN, Match, Standing, Status

MAX_PAUSES = 3
"""Pauses of one player in a match (`RU-M4`)."""
MAX_EXTENSIONS = 5
"""How often the one who stays may wait longer (`RU-M5`)."""

Permissions = tuple[tuple[str, ...], tuple[str, ...]]


def demand(match: Match, seat: int, action: str) -> None:
    """Raise the Refusal that stands against `action` by `seat` now, if one does."""
    refusal = _against(action, match.standing, seat)
    if refusal is not None:
        code, data = refusal
        raise Refusal(code, **data)


def permissions(match: Match) -> Permissions:
    """The names of all actions that each seat would be granted now."""
    return _permissions(match.standing)


Against = tuple[Code, dict[str, Any]] | None
Condition = Callable[[Standing, int], Against]


def _offer(kind: str) -> Condition:
    def condition(now: Standing, seat: int) -> Against:
        # A takeback is of one's own last move: that of the other takes back something else (`Q1`).
        if now.offer is not None and (now.offer != (1 - seat, kind) or kind == "takeback"):
            return Code.OFFER_OPEN, {}
        if now.computer and kind == "draw":
            return Code.NOT_TO_THE_COMPUTER, {}
        if kind == "takeback" and not (any(now.moved) if now.both_seats else now.moved[seat]):
            return Code.NOTHING_TO_TAKE_BACK, {}
        if (seat, kind) in now.declined:
            return Code.OFFERED_LATELY, {"limit": MOVES_BEFORE_OFFERING_AGAIN}
        return None

    return condition


def _rematch(now: Standing, seat: int) -> Against:
    if now.rematch or not now.complete or now.review:
        return Code.NO_REMATCH, {}
    if now.offer == (seat, "rematch"):
        return Code.OFFER_OPEN, {}
    return None


def _answer(now: Standing, seat: int) -> Against:
    if now.offer is None:
        return _no_offer(now)
    return (Code.NOT_YOUR_OFFER, {}) if now.offer[0] == seat else None


def _no_offer(now: Standing) -> Against:
    return (Code.FINISHED if now.status is Status.ENDED else Code.NO_OFFER), {}


def _withdraw(now: Standing, seat: int) -> Against:
    if now.offer is None:
        return _no_offer(now)
    return (Code.NOT_YOUR_OFFER, {}) if now.offer[0] != seat else None


def _pause(now: Standing, seat: int) -> Against:
    return (Code.NO_MORE_PAUSES, {"limit": MAX_PAUSES}) if now.pauses[seat] >= MAX_PAUSES else None


def _continue(now: Standing, seat: int) -> Against:
    return None if now.pause == seat or now.both_seats else (Code.NOT_YOUR_PAUSE, {})


def _stays(now: Standing, seat: int) -> Against:
    return None if now.waited_for and now.away[1 - seat] and not now.away[seat] else (Code.NOBODY_IS_AWAY, {})


def _wait_longer(now: Standing, seat: int) -> Against:
    if now.extensions >= MAX_EXTENSIONS:
        return Code.NO_MORE_WAITING, {"limit": MAX_EXTENSIONS}
    return _stays(now, seat)


def _hint(now: Standing, seat: int) -> Against:
    if not now.computer:
        return Code.NO_HINTS, {}
    return (Code.NOT_YOUR_TURN, {}) if now.thinks else None


def _always(now: Standing, seat: int) -> Against:
    return None


_PLAYED = (Status.PLAYING,)
_GOING_ON = (Status.PLAYING, Status.PAUSED)

CONDITIONS: dict[str, tuple[tuple[Status, ...], Condition]] = {
    "abandon": (_GOING_ON, _always),
    "cancel": ((Status.WAITING,), lambda now, seat: None if seat == now.host_seat else (Code.NOT_SEATED, {})),
    "pause": (_PLAYED, _pause),
    "continue": ((Status.PAUSED,), _continue),
    "offer_draw": (_PLAYED, _offer("draw")),
    "offer_takeback": (_PLAYED, _offer("takeback")),
    "offer_restart": (_PLAYED, _offer("restart")),
    "offer_revert": (_PLAYED, _offer("revert")),
    "offer_rematch": ((Status.ENDED,), _rematch),
    "hint": (_PLAYED, _hint),
    "answer": ((Status.PLAYING, Status.ENDED), _answer),
    "withdraw": ((Status.PLAYING, Status.ENDED), _withdraw),
    "wait_longer": (_GOING_ON, _wait_longer),
    "call_draw": (_GOING_ON, _stays),
}
"""For each action: in which statuses it exists at all (as in the machine's table), and what may stand against it."""

ENDLESS = frozenset(
    {"hint", "pause", "withdraw", "wait_longer", "offer_takeback", "offer_restart", "offer_revert", "offer_rematch"}
)
"""What one player alone can do without end, so that a full match has no room for it (`Q12`). A draw can be offered once
in three moves of one's own."""

NOT_IN_A_TASK = frozenset({"hint", "pause", "offer_draw", "offer_takeback", "offer_revert"})
"""What a task for who learns the game has no use for: it is over in a minute, and begun again with a key."""

_NOT_NOW = {
    Status.WAITING: Code.WAITING,
    Status.PLAYING: Code.STARTED,
    Status.PAUSED: Code.PAUSED,
    Status.ENDED: Code.FINISHED,
}


def not_now(status: Status) -> Refusal:
    """The refusal of whatever cannot be asked in this status."""
    return Refusal(_NOT_NOW[status])


def _against(action: str, now: Standing, seat: int) -> Against:
    statuses, condition = CONDITIONS[action]
    if now.status not in statuses:
        return _NOT_NOW[now.status], {}
    if now.full and action in ENDLESS:
        return Code.MATCH_FULL, {}
    if now.lesson and action in NOT_IN_A_TASK:
        return Code.IN_A_TASK, {}
    return condition(now, seat)


@lru_cache(maxsize=4096)
def _permissions(now: Standing) -> Permissions:
    first, second = (tuple(a for a in CONDITIONS if _against(a, now, seat) is None) for seat in (0, 1))
    return first, second
