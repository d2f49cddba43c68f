"""Tasks for who learns a game, as far as a client knows of them: what they are called, and which one is next. Pure.

What is to be done, and whether it was, is in the server's words.
"""

from __future__ import annotations

from collections.abc import Collection

from client.shown.model import Model
from protocol.messages import GameInfo, Snapshot

DONE = "task_done"
"""The reason for which the match of a task ends that was done."""


def is_done(match: Snapshot) -> bool:
    """Whether it is the match of a task, which was done in it."""
    return bool(match.lesson) and match.result is not None and match.result.reason == DONE


def first_undone(game: GameInfo, done: Collection[int]) -> int:
    """The number of the first task that was not done; of none, the first."""
    return next((number for number, _ in enumerate(game.lessons, 1) if number not in done), 1)


def progress_text(game: GameInfo, done: Collection[int]) -> str:
    """How many of the game's tasks were done: "2/4"; "" before the first."""
    count = sum(number in done for number, _ in enumerate(game.lessons, 1))
    return f"{count}/{len(game.lessons)}" if count else ""


def task_title(model: Model) -> str:
    """Which task is on screen: "Task 2 of 4: Take a whole chain"; "" in all other matches."""
    match = model.match
    if match is None or not match.lesson:
        return ""
    game = model.games.get(match.game)
    if game is None or match.lesson > len(game.lessons):
        return "Task"
    return f"Task {match.lesson} of {len(game.lessons)}: {game.lessons[match.lesson - 1]}"


def next_task(model: Model) -> int:
    """The number of the task after the one on screen; 0 where there is none."""
    match = model.match
    game = model.games.get(match.game) if match is not None else None
    if match is None or game is None or not 0 < match.lesson < len(game.lessons):
        return 0
    return match.lesson + 1
