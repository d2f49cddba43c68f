"""When a control can be used, by what is on screen and what the server would grant (`Snapshot.can`). Pure."""

from __future__ import annotations

from collections.abc import Callable

from client.shown.model import Link, Model
from client.shown.words import challenges
from client.shown.words.lessons import next_task


def always(model: Model) -> bool:
    """At any time, without a connection, too."""
    return True


def connected(model: Model) -> bool:
    """UD RF1: only a good connection enables anything but trying again and closing."""
    return model.link is Link.UP


def can_play(model: Model) -> bool:
    """`UD RF4`, `SQ9`: moves only during a match, and only by who holds a seat. The server judges the turn."""
    return not model.plan.unsent and model.plays and plays_on(model) and not model.is_covered and model.step is None


def plays_on(model: Model) -> bool:
    """Whether a match with a seat of the user's is being played."""
    return model.plays and model.match is not None and model.match.status == "playing"


def waits(model: Model) -> bool:
    """Whether a match of the user's waits for an opponent."""
    return model.waits


def is_task(model: Model) -> bool:
    """Whether what is on screen is a task for who learns the game."""
    return model.match is not None and bool(model.match.lesson)


STOPPED_SHORT = frozenset(
    {"forfeit", "abandoned", "time", "agreed", "too_long", "aborted", "cancelled", "expired", "stopped", "reviewed"}
)
"""How a match ends whose game is not over: its last position can be played on."""


def plays_a_match(model: Model) -> bool:
    """Whether it is, and no task: there is nobody to offer anything to in one."""
    return plays_on(model) and not is_task(model)


def may(action: str) -> Callable[[Model], bool]:
    """Enabled exactly when the server says that it would grant it; without a connection nobody could (`UD RF1`)."""

    def enabled(model: Model) -> bool:
        return model.link is Link.UP and model.may(action)

    return enabled


def can_give_up(model: Model) -> bool:
    """A task is left, not lost."""
    return may("abandon")(model) and not is_task(model)


def can_hint(model: Model) -> bool:
    """Against the computer, when a move of one's own is awaited; one at a time."""
    return may("hint")(model) and not model.awaits_hint and not model.is_covered and model.step is None


def against_the_computer(model: Model) -> bool:
    """Whether the match being played is one against the computer."""
    return plays_on(model) and model.match is not None and bool(model.match.level)


def is_over(model: Model) -> bool:
    """`UD RF3`: a new beginning is enabled only after a finished match."""
    return model.plays and model.match is not None and model.match.status == "ended" and not is_task(model)


def can_review(model: Model) -> bool:
    """After the end, for who watched, too; not of a game that the computer does not play."""
    match = model.match
    over = (
        match is not None
        and match.status == "ended"
        and match.plies > 0
        and not model.is_cleared
        and not is_task(model)
    )
    game = model.games.get(match.game) if match is not None else None
    return model.link is Link.UP and over and not model.is_log and game is not None and game.computer


def can_practise(model: Model) -> bool:
    """From the position that is looked at, of a match that is over, unless it is the last one of a whole game."""
    match = model.match
    if match is None or match.result is None or not can_review(model):
        return False
    return model.shown_ply < match.plies or match.result.reason in STOPPED_SHORT


def can_begin(model: Model) -> bool:
    """After the end, or on the empty board that it was cleared to; after a task, while there is a next one."""
    if is_task(model):
        over = model.match is not None and model.match.status == "ended"
        return model.link is Link.UP and over and next_task(model) > 0
    return model.link is Link.UP and (is_over(model) or model.is_cleared)


def can_save(model: Model) -> bool:
    """`DB 7.3.3.1`, `8.2`: at any point of a match that has begun; not of a task, nor while its position is hidden."""
    match = model.match
    begun = match is not None and match.status != "waiting" and not model.is_covered and not model.is_cleared
    return model.link is Link.UP and begun and not is_task(model)


def is_in_a_match(model: Model) -> bool:
    """There is a match on screen that has begun, and no task."""
    begun = model.match is not None and model.match.status != "waiting" and not model.is_cleared
    return begun and not is_task(model)


def can_step(model: Model) -> bool:
    """Looking back needs moves, and a position that is not hidden."""
    match = model.match
    return model.link is Link.UP and match is not None and match.plies > 0 and not model.is_covered and not model.is_log


def can_chat(model: Model) -> bool:
    """Also in a pause and after the end, as long as the match is there."""
    return model.link is Link.UP and model.match is not None and not model.is_cleared and not is_task(model)


def has_lobby(model: Model) -> bool:
    """There are matches to choose from, or were before one game alone was listed."""
    return connected(model) and bool(model.lobby or model.lobby_game)


def has_own(model: Model) -> bool:
    """There are matches of the user's own."""
    return connected(model) and bool(model.own)


def has_others(model: Model) -> bool:
    """Somebody can be challenged, or was kept from challenging."""
    return connected(model) and bool(challenges.others(model) or model.unchallenged)


def is_challenged(model: Model) -> bool:
    """A challenge of somebody's waits for an answer."""
    return connected(model) and challenges.incoming(model) is not None


def has_challenged(model: Model) -> bool:
    """A challenge of one's own stands, and none that is to be answered before."""
    return connected(model) and challenges.incoming(model) is None and challenges.outgoing(model) is not None


def is_log(model: Model) -> bool:
    """A student's game is shown as its log."""
    return model.is_log


def awaits_word(model: Model) -> bool:
    """A move waits to be confirmed."""
    return bool(model.plan.unsent)


def has_plan(model: Model) -> bool:
    """A move is not sent yet."""
    return bool(model.plan.unsent or model.plan.path)


def is_back(model: Model) -> bool:
    """An earlier position is looked at."""
    return model.step is not None
