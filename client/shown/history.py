"""The past of the match on screen as it is asked for: moves and log entries from before one came, the review. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from client.conversation.events import Answer, Event, Reviewed, Settled
from client.shown.review import Review
from client.shown.state import Model
from client.shown.story import made_before
from protocol.messages import Analyse, Analysis, GetRecord, Moved, Record, Refused, Snapshot


def reviewed(model: Model) -> Model:
    """Begin; or break off what goes on; or put away what is there."""
    review, match = model.review, model.match
    if review is None:
        return model if match is None else replace(model, review=Review(match.plies))
    return replace(model, review=None if review.next_ply is None else replace(review, goes_on=False))


def judged(review: Review, answer: Answer) -> Review:
    """What was refused is not asked for again: the review ends there, and knows why."""
    if isinstance(answer, Analysis):
        return review.with_next(answer)
    return replace(review, goes_on=False, refusal=answer if isinstance(answer, Refused) else None)


def more_moves(model: Model, record: Record) -> Model:
    """As many as fit come at once, and moves may have come meanwhile: what is known already stays."""
    known, match = len(model.moves), model.match
    if match is None or match.match != record.match or record.after > known:
        return model
    if known >= record.after + len(record.moves):
        return model
    told = made_before(match, record, model.games.get(match.game))
    return replace(model, moves=model.moves + told[known - record.after :])


def more_of_the_log(model: Model, record: Record) -> Model:
    """Long logs come in several answers, and moves may have come meanwhile: what is known already stays."""
    known = len(model.log)
    if not record.after <= known < record.after + len(record.moves):
        return model
    return replace(model, log=model.log + record.moves[known - record.after :])


def questions(model: Model, event: Event, ref: Callable[[], str]) -> tuple[GetRecord | Analyse, ...]:
    """What of the past is to be asked for now; `event` has just been taken, `ref` names a command.

    Only what may have left something open leads to a question: what was refused is not asked for again at once.
    """
    match = model.match
    if match is None:
        return ()
    asked = list[GetRecord | Analyse]()
    if (after := model.log_misses) is not None and _is_about_the_log(event):
        asked.append(GetRecord(ref=ref(), match=match.match, after=after))
    if (after := model.moves_miss) is not None and _is_about_the_moves(event):
        asked.append(GetRecord(ref=ref(), match=match.match, after=after))
    if (ply := model.review_asks) is not None and _is_about_a_review(event):
        asked.append(Analyse(ref=ref(), match=match.match, ply=ply))
    return tuple(asked)


def _is_about_the_log(event: Event) -> bool:
    return isinstance(event, Snapshot | Moved) or (isinstance(event, Settled) and isinstance(event.answer, Record))


def _is_about_the_moves(event: Event) -> bool:
    return isinstance(event, Snapshot) or (
        isinstance(event, Settled) and isinstance(event.answer, Record) and bool(event.answer.moves)
    )


def _is_about_a_review(event: Event) -> bool:
    return isinstance(event, Reviewed | Snapshot) or (isinstance(event, Settled) and isinstance(event.command, Analyse))
