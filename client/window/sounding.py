"""Which sound what happened makes: at most one for each change. Pure."""

from __future__ import annotations

from enum import Enum

from client.shown.model import Model
from client.shown.words.challenges import incoming
from client.shown.words.clocks import is_low
from protocol.messages import Snapshot


class Sound(Enum):
    """The sounds there are, the more important ones first."""

    END = "end"
    TURN = "turn"
    """It has become one's turn, somebody sat down, or something is to be answered."""
    LOW = "low"
    """Little time is left."""
    CAPTURE = "capture"
    """Pieces were taken, or boxes closed."""
    MOVE = "move"


def sound_of(before: Model, after: Model) -> Sound | None:
    """The sound of what lies between two looks at the model; None where nothing is to be heard."""
    if incoming(after) is not None and incoming(before) is None:
        return Sound.TURN
    was, now = before.match, after.match
    if before.waits and after.is_being_played:
        return Sound.TURN
    if now is None or was is None or was.match != now.match:
        return Sound.TURN if after.is_my_turn and not after.holds_both else None
    if now.result is not None:
        return Sound.END if was.result is None else None
    called = after.offer_to_me is not None and after.offer_to_me != before.offer_to_me
    if called or (after.is_my_turn and not before.is_my_turn and not after.holds_both):
        return Sound.TURN
    if now.plies == was.plies:
        return None
    return Sound.CAPTURE if _took(was, now) else Sound.MOVE


def low_time(model: Model, before_s: float, now_s: float) -> bool:
    """Whether one's own time has become low between the two moments, in seconds of the session's clock."""
    match = model.match
    if match is None or not model.is_my_turn or match.to_move is None:
        return False
    earlier, later = model.time_left(before_s), model.time_left(now_s)
    if earlier is None or later is None:
        return False
    return is_low(later[match.to_move]) and not is_low(earlier[match.to_move])


def _took(was: Snapshot, now: Snapshot) -> bool:
    """Whether marks left the board that did not just go elsewhere, or somebody's boxes became more."""
    fewer = [
        sum(mark.seat == seat for mark in now.marks.values()) < sum(mark.seat == seat for mark in was.marks.values())
        for seat in (0, 1)
    ]
    return any(fewer) or (bool(now.board.dots) and now.scores != was.scores)
