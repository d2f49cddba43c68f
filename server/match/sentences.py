"""The match's own sentences: the status line above the board, and how it ended."""

from __future__ import annotations

from typing import Any

from protocol.text import N_, Text, text
from server.match import lessons
from server.match.events import EndReason
from server.match.state import Ending, Match, Status

_ENDINGS: dict[str, str] = {
    EndReason.FORFEIT: N_("{loser} surrendered. {winner} wins."),
    EndReason.ABANDONED: N_("{loser} did not come back. {winner} wins."),
    EndReason.TIME: N_("{loser} is out of time. {winner} wins."),
    EndReason.AGREED: N_("A draw by agreement."),
    EndReason.TOO_LONG: N_("The match has become as long as a match can be. It is a draw."),
    EndReason.ABORTED: N_("The match ended before the first move."),
    EndReason.CANCELLED: N_("{loser} cancelled the match."),
    EndReason.STOPPED: N_("The operator of the server ended the match."),
    EndReason.EXPIRED: N_("The host did not come back. The match is cancelled."),
    EndReason.REVIEWED: N_("This is the game as far as it was saved."),
}
_PAUSED = N_("{name} paused the match.")
_OVER = N_("The match is over.")
_HINT = N_("{ending} ({name} took a hint.)")
_HINTS = N_("{ending} ({name} took {count} hints.)")
_HURRIED = N_("{ending} (The computer had less time than usual for one move.)")
_HURRIED_MOVES = N_("{ending} (The computer had less time than usual for {count} moves.)")


def status_text(match: Match) -> Text:
    """A prompt to start, whose turn it is, who paused, or how it ended (`DB 7.1.1.3`, `7.3.1.2`, `CK 5.4.3`)."""
    if match.ending is not None:
        return ending_text(match, match.ending)
    if match.status is Status.WAITING:
        return Text(match.game.prompt)
    if match.pause is not None:
        return text(_PAUSED, name=_name(match, match.pause.seat))
    return position_text(match, match.state)


def position_text(match: Match, state: Any) -> Text:
    """Whose turn it is in this state of the match; in a task, what is to be done."""
    task: Text | None = lessons.status(match)
    told: Text = match.game.status(state) if task is None else task
    return told


def ending_text(match: Match, ending: Ending) -> Text:
    """The sentence that announces the end (`DB 7.3.1.3`, `CK R4.4`, `UD RF7`), who took hints, and what was hurried."""
    sentence = _ending(match, ending)
    for seat, count in enumerate(match.hints):
        if count:
            sentence = text(_HINT if count == 1 else _HINTS, ending=sentence, name=_name(match, seat), count=count)
    if hurried := len(match.hurried):
        sentence = text(_HURRIED if hurried == 1 else _HURRIED_MOVES, ending=sentence, count=hurried)
    return sentence


def _ending(match: Match, ending: Ending) -> Text:
    of_the_task = lessons.ending(match, ending.reason)
    if of_the_task is not None:
        return of_the_task
    template = _ENDINGS.get(ending.reason)
    if template is None:
        outcome = match.game.outcome(match.state)
        return outcome.text if outcome is not None else Text(_OVER)
    return text(template, loser=_name(match, ending.by), winner=_name(match, ending.winner))


def _name(match: Match, seat: int | None) -> str:
    holder = match.seats[seat] if seat is not None else None
    return holder.name if holder else ""
