"""One of the user's own matches in a few words, for its row in the lobby. Pure."""

from __future__ import annotations

from client.shown.state import LEAST_MS
from client.shown.words.clocks import clock_text
from protocol.messages import OwnMatch

ACTS = {"cancel": "Cancel", "give_up": "Surrender", "forget": "Remove"}
"""What can be done to a match from its row, and what that is called."""

UNDECIDED = frozenset({"stopped", "aborted", "abandoned", "cancelled", "expired", "reviewed"})
"""Reasons of an end that is no draw although nobody won."""


def act_on(row: OwnMatch) -> str:
    """What ends it, or takes it out of the list: one of ACTS."""
    return {"waiting": "cancel", "playing": "give_up", "ended": "forget"}[row.status]


def opponent_text(row: OwnMatch) -> str:
    """Against whom; of two at one keyboard both."""
    names = [seat.name for number, seat in enumerate(row.seats) if number not in row.you or len(row.you) == 2]
    return " and ".join(name for name in names if name) or "nobody yet"


def score_text(row: OwnMatch) -> str:
    """How it stands, one's own score first; "" where nothing is counted, or nothing was played."""
    if not row.plies or not row.scores[0]:
        return ""
    own = row.you[0] if row.you else 0
    return f"{row.scores[own][0]} : {row.scores[1 - own][0]}"


def left_ms(
    row: OwnMatch, at_ms: int, now_ms: float | None, stopped_ms: float | None = None, most_ms: int | None = None
) -> int | None:
    """What the side to move has left; None without a clock. The clocks stood so at `at_ms`, and stand still from
    `stopped_ms` on; no more than `most_ms` is shown."""
    if row.clock is None or row.to_move is None or now_ms is None:
        return None
    counted_ms = max(now_ms if stopped_ms is None else min(now_ms, stopped_ms), row.clock_from_ms)
    left = round(row.clock[row.to_move] - max(counted_ms - at_ms, 0))
    return max(LEAST_MS, left if most_ms is None else min(left, most_ms))


def stands(
    row: OwnMatch, at_ms: int, now_ms: float | None, stopped_ms: float | None = None, most_ms: int | None = None
) -> str:
    """Whose turn it is and how long they have (see `left_ms`), or how it ended."""
    if row.status == "waiting":
        return "waiting"
    if row.status == "ended":
        return _ended(row)
    if row.paused:
        return "paused"
    if row.to_move is None or len(row.you) == 2:
        return "being played"
    mine = row.to_move in row.you
    if not mine and not row.seats[row.to_move].here:
        return "opponent away"
    whose = "your turn" if mine else "their turn"
    left = left_ms(row, at_ms, now_ms, stopped_ms, most_ms)
    return whose if left is None else f"{whose} {clock_text(left)}"


def when_ms(row: OwnMatch) -> int:
    """When it began, or when it ended."""
    return row.created_ms if row.ended_ms is None else row.ended_ms


def _ended(row: OwnMatch) -> str:
    if row.result is None or row.result.winner is None:
        return "nobody won" if row.result is None or row.result.reason in UNDECIDED else "draw"
    if len(row.you) != 1:
        return f"{row.seats[row.result.winner].name} won"
    return "you won" if row.result.winner in row.you else "you lost"
