"""Countdowns that never go back: of one turn, absence or pause no more is shown than was shown before (`D5`). Pure.

That a time is excused is told when some of it was counted down already. What was is given back at the end: a countdown
stands where it was seen until the true one has come down to it, so that the flag falls when it must.
"""

from __future__ import annotations

import math
from dataclasses import replace

from msgspec import structs

from client.conversation.events import Event
from client.shown.model import Model, update
from client.shown.state import NO_WAITS, NOT_HELD
from client.shown.words.own import left_ms
from protocol.messages import Excused, Joined, Moved, Outage, OwnMatch, Replaced, SeatFreed, Snapshot

MOST_MS = 20_000
"""No outage is told later. A clock that has more back is another one: of a game that was begun anew, or read with a
server's clock that was not known yet."""


def update_at(model: Model, event: Event, now: float) -> Model:
    """The model after `event`, which came at `now` (seconds of the session's clock): what a screen has to call."""
    if isinstance(event, Outage) and event.on:
        event = _from_here(model, event, now)
    after = update(model, event)
    if after is model:
        return model
    # What is told while the store is away finds all clients at the moment at which they stop.
    seen_at = now if model.outage is None else math.inf
    return replace(
        after,
        held=_held(model, after, event, now, seen_at),
        own_held=_own_held(model, after, now, seen_at),
        held_waits=_held_waits(model, after, event, now, seen_at),
    )


def _from_here(model: Model, word: Outage, now: float) -> Outage:
    """That the store is away, by a word that was long on its way: nothing goes back to before it came."""
    now_ms = model.server_now_ms(now)
    return word if now_ms is None else structs.replace(word, counted_ms=max(word.counted_ms, math.ceil(now_ms)))


def _held(before: Model, after: Model, event: Event, now: float, seen_at: float) -> tuple[int | None, int | None]:
    """The most that is shown of each seat's time from now on; None where that is what it has, as at the end."""
    earlier, match = before.match, after.match
    shown, left = before.time_left(seen_at), after.time_told(now)
    if earlier is None or match is None or shown is None or left is None or earlier.match != match.match:
        return NOT_HELD
    if match.status == "ended":
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


def _held_waits(
    before: Model, after: Model, event: Event, now: float, seen_at: float
) -> tuple[int | None, int | None, int | None]:
    """The same for who is away and for a pause. Who is waited for longer has more than any outage gives back."""
    earlier, match = before.match, after.match
    if earlier is None or match is None or earlier.match != match.match:
        return NO_WAITS
    # What is excused is told before it is told that the outage is over: until then all of it is ahead.
    most_ms = math.inf if isinstance(event, Excused) else MOST_MS
    pairs = zip(before.waits_left(seen_at), after.waits_told(now), strict=True)
    first, second, pause = (
        shown if shown is not None and left is not None and shown < left <= shown + most_ms else None
        for shown, left in pairs
    )
    return first, second, pause


def _own_held(before: Model, after: Model, now: float, seen_at: float) -> dict[str, int]:
    """The same for the time that runs in each row of the user's own matches."""
    earlier, held = {row.match: row for row in before.own}, {}
    for row in after.own:
        known = earlier.get(row.match)
        if known is None or (known.plies, known.to_move) != (row.plies, row.to_move):
            continue
        shown, left = _row_ms(before, known, seen_at), _row_ms(replace(after, own_held={}), row, now)
        if shown is not None and left is not None and shown < left <= shown + MOST_MS:
            held[row.match] = shown
    return held


def _row_ms(model: Model, row: OwnMatch, now: float) -> int | None:
    now_ms, held = model.server_now_ms(now), model.own_held.get(row.match)
    return left_ms(row, model.own_at_ms, now_ms, model.own_stopped_ms, held)
