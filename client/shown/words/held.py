"""Clocks that never go back: of one turn no more is shown than was shown before (`D5`). Pure.

That a time is excused is told when some of it was counted down already. What was is given back at the end: a clock
stands where it was seen until the true one has come down to it, so that the flag falls when it must.
"""

from __future__ import annotations

from dataclasses import replace

from client.conversation.events import Event
from client.shown.model import Model, update
from client.shown.state import NOT_HELD
from client.shown.words.own import left_ms
from protocol.messages import Joined, Moved, OwnMatch, Replaced, SeatFreed, Snapshot

MOST_MS = 20_000
"""No outage is told later. A clock that has more back is another one: of a game that was begun anew, or read with a
server's clock that was not known yet."""


def update_at(model: Model, event: Event, now: float) -> Model:
    """The model after `event`, which came at `now` (seconds of the session's clock): what a screen has to call."""
    after = update(model, event)
    if after is model:
        return model
    return replace(after, held=_held(model, after, event, now), own_held=_own_held(model, after, now))


def _held(before: Model, after: Model, event: Event, now: float) -> tuple[int | None, int | None]:
    """The most that is shown of each seat's time from now on; None where that is what it has."""
    earlier, match = before.match, after.match
    shown, left = before.time_left(now), after.time_told(now)
    if earlier is None or match is None or shown is None or left is None or earlier.match != match.match:
        return NOT_HELD

    def most(seat: int) -> int | None:
        gain_ms = gained_ms(earlier, match, event, seat)
        highest = None if gain_ms is None else shown[seat] + gain_ms
        return highest if highest is not None and highest < left[seat] <= highest + MOST_MS else None

    return most(0), most(1)


def gained_ms(before: Snapshot, after: Snapshot, event: Event, seat: int) -> int | None:
    """How much time a seat may have got by the rule of the clock (`RU-M1`); None: its time is a new one."""
    rule = after.clock_rule
    if before.status == "waiting" or (seat in before.uncharged) != (seat in after.uncharged):
        return None
    match event:
        case Joined() | SeatFreed():
            return None
        case Replaced(by=by):
            return 0 if by == "takeback" and not rule.per_move_ms else None
        case Moved():
            moves, back = 1, False
        case Snapshot():
            moves, back = after.plies - before.plies, after.version < before.version
        case _:
            return 0
    if after.version == before.version:
        return 0
    if back or not 0 <= moves <= 1:
        return None
    if after.to_move == before.to_move:
        return 0
    if rule.per_move_ms:
        return None
    return rule.increment_ms if moves and seat == before.to_move else 0


def _own_held(before: Model, after: Model, now: float) -> dict[str, int]:
    """The same for the time that runs in each row of the user's own matches."""
    earlier, held = {row.match: row for row in before.own}, {}
    for row in after.own:
        known = earlier.get(row.match)
        if known is None or (known.plies, known.to_move) != (row.plies, row.to_move):
            continue
        shown, left = _row_ms(before, known, now), _row_ms(replace(after, own_held={}), row, now)
        if shown is not None and left is not None and shown < left <= shown + MOST_MS:
            held[row.match] = shown
    return held


def _row_ms(model: Model, row: OwnMatch, now: float) -> int | None:
    now_ms, held = model.server_now_ms(now), model.own_held.get(row.match)
    return left_ms(row, model.own_at_ms, now_ms, model.own_stopped_ms, held)
