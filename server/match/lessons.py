"""Tasks for who learns a game (`Game.lessons`): a match of one person, from a position, of one turn. Pure.

It ends by the task alone: done, or the turn is over without that. Nothing is offered in it but to begin again.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from protocol.board import Board
from protocol.errors import BadOption
from protocol.messages import ClockRule
from protocol.text import N_, Text, text
from server.games import AnyGame
from server.games.game import Lesson
from server.match.asked import Asked, ended
from server.match.events import Created, EndReason, MatchEnded
from server.match.fold import after_moves
from server.match.state import Match

_LEFT = N_("The task was left.")
_OVER = N_("The task is over.")


def lesson_of(game: AnyGame, number: int) -> Lesson:
    """The task of this number, from 1 on. Raises BadOption."""
    if not 1 <= number <= len(game.lessons):
        words = N_("it is a whole number from {low} to {high}") if game.lessons else N_("this game has no tasks")
        raise BadOption("lesson", text(words, low=1, high=len(game.lessons)) if game.lessons else text(words))
    return game.lessons[number - 1]


def begun(game: AnyGame, number: int, name: str, by: Asked) -> Created:
    """The first event of a match in which the task of this number is to be done. Raises BadOption."""
    lesson = lesson_of(game, number)
    params = game.parse_options(lesson.options)
    return Created(
        at_ms=by.now_ms, player=by.player, ref=by.ref, game=game.name,
        options={option.name: getattr(params, option.name) for option in game.options},
        name=name, private=True, both_seats=True, clock=ClockRule(), moves=lesson.moves, lesson=number,
    )  # fmt: skip


def known(match: Match) -> Lesson | None:
    """The task that the match is about; None for all others, and where the game has it no longer."""
    lessons = match.game.lessons
    return lessons[match.lesson - 1] if 0 < match.lesson <= len(lessons) else None


def start(match: Match) -> tuple[str, ...]:
    """The moves of the position from which the match begins anew."""
    lesson = known(match)
    return lesson.moves if lesson is not None else ()


def end(match: Match, seat: int, state: Any, by: Asked) -> MatchEnded | None:
    """The end that `seat` has brought about by the moves to `state`; None while the turn goes on."""
    lesson = known(match)
    if lesson is None:
        return None
    if lesson.reached(after_moves(match, lesson.moves).state, state):
        return ended(by, EndReason.TASK_DONE, winner=seat)
    return None if match.game.to_move(state) == seat else ended(by, EndReason.TASK_MISSED)


def board(match: Match) -> Board:
    """The board as it is told: in a task, seen from the side of who learns."""
    lesson = known(match)
    board: Board = match.game.board(match.params)
    if lesson is None:
        return board
    seat = match.game.to_move(after_moves(match, lesson.moves).state)
    return replace(board, turned_for=(seat, 1 - seat)) if seat in board.turned_for else board


def status(match: Match) -> Text | None:
    """What is to be done, for as long as a task is played; None in all other matches."""
    lesson = known(match)
    return Text(lesson.task) if lesson is not None else None


def ending(match: Match, reason: str) -> Text | None:
    """The sentence that announces the end of a task; None in all other matches."""
    lesson = known(match)
    if lesson is None:
        return Text(_OVER) if match.lesson else None
    sentences: dict[str, str] = {
        EndReason.TASK_DONE: lesson.done,
        EndReason.TASK_MISSED: lesson.missed,
        EndReason.ABORTED: _LEFT,
    }
    return Text(sentences[reason]) if reason in sentences else None
