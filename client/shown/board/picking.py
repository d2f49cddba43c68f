"""From touches to moves: pure, and without a rule of any game.

A person touches elements one after the other; the legal moves that begin with what was touched say how it can go on.
What fits no legal move is still spelled out and sent, for the server has the right words to refuse it
(`DB 7.3.2.1` to `7.3.2.3`, `HX SR4`).
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from protocol.board import Board, touched
from protocol.board import spell as spell_move
from protocol.messages import Snapshot

Path = tuple[str, ...]
NOTHING_THERE = "Nothing begins there: choose one of your pieces first."
NOT_YOURS = "That is not your piece."
IN_VAIN = "in_vain"
"""The code with which these are told."""


@dataclass(frozen=True)
class Touch:
    """What a touch led to: the elements picked so far, and the move to send when one is complete; where it led to
    neither, because nothing begins there, `why`."""

    picked: Path = ()
    move: str | None = None
    why: str = ""


def touch(match: Snapshot, picked: Path, element: str) -> Touch:
    """The result of touching `element` after `picked`. A second touch of the last one ends the move or lets it go."""
    board = match.board
    if any(line.id == element for line in board.lines):
        return Touch(move=element)
    if any(dot.id == element for dot in board.dots):
        return _touch_dot(match.legal, picked, element)
    return _touch_cell(match, picked, element)


def confirm(match: Snapshot, picked: Path) -> Touch:
    """End the move where it stands: a chain of jumps that could go on (`RU-CK3`)."""
    return Touch(move=complete(match.legal, picked)) if complete(match.legal, picked) else Touch(picked)


def targets(match: Snapshot, picked: Path) -> Set[str]:
    """The elements that a legal move touches next, and the lines that are legal moves themselves."""
    found = set()
    for move in match.legal:
        path = touched(move)
        for spelled in (path, path[::-1]) if match.board.dots and len(path) == 2 else (path,):
            if spelled[: len(picked)] == picked and len(spelled) > len(picked):
                found.add(spelled[len(picked)])
    if not picked:
        legal = set(match.legal)
        found.update(line.id for line in match.board.lines if line.id in legal)
    return found


def words(match: Snapshot) -> tuple[str, ...]:
    """The legal moves that touch no element of the board, such as "swap": to be shown as buttons."""
    elements = _elements(match.board)
    return tuple(move for move in match.legal if not elements.intersection((move, *touched(move))))


def typed(match: Snapshot, text: str) -> str:
    """The legal move that somebody means who types `text`: in either case, with `-` for `x`, a line from either end.

    What fits none is given as it is, for the server has the words.
    """
    text = "".join(text.split()).lower()
    path = touched(text)
    ends = {path, path[::-1]} if match.board.dots and len(path) == 2 else {path}
    exact = next((move for move in match.legal if move.lower() == text), None)
    return exact or next((move for move in match.legal if touched(move.lower()) in ends), text)


def complete(legal: Sequence[str], picked: Path) -> str | None:
    """The legal move that consists of exactly the elements picked."""
    return next((move for move in legal if touched(move) == picked), None) if picked else None


def marked_by(board: Board, move: str) -> Path:
    """The elements to mark for a move on the board: its line, or every cell that it touches."""
    return (move,) if any(line.id == move for line in board.lines) else touched(move)


def _elements(board: Board) -> set[str]:
    return {dot.id for dot in board.dots} | {line.id for line in board.lines} | {cell.id for cell in board.cells}


def _touch_dot(legal: Sequence[str], picked: Path, dot: str) -> Touch:
    """Two dots make a line, in either order (`DB 7.2.1.1`, `UD RF4`)."""
    if not picked:
        return Touch((dot,))
    if picked == (dot,):
        return Touch()
    path = (*picked, dot)
    return Touch(move=complete(legal, path) or complete(legal, path[::-1]) or spell_move(path))


def _touch_cell(match: Snapshot, picked: Path, cell: str) -> Touch:
    legal = match.legal
    if picked and cell == picked[-1]:
        return Touch(move=complete(legal, picked))
    path = (*picked, cell)
    longer = any(len(touched(move)) > len(path) and touched(move)[: len(path)] == path for move in legal)
    move = complete(legal, path)
    if longer:
        return Touch(path)
    if move is not None:
        return Touch(move=move)
    return _touch_in_vain(match, picked, cell)


def _touch_in_vain(match: Snapshot, picked: Path, cell: str) -> Touch:
    """No legal move goes on with `cell`: begin anew where that makes sense, else ask the server, which says why."""
    begins = any(touched(move)[0] == cell for move in match.legal)
    mark = match.marks.get(cell)
    mine = mark is not None and mark.seat in match.you
    if picked:
        return Touch((cell,)) if begins or mine else Touch(move=spell_move((*picked, cell)))
    goes_from_cell_to_cell = any(len(touched(move)) > 1 for move in match.legal)
    if not goes_from_cell_to_cell and match.legal:
        return Touch(move=cell)
    # A piece that cannot move may be picked all the same: where it should go tells the server what to explain.
    if mine or not match.legal:
        return Touch((cell,)) if mine else Touch()
    return Touch(why=NOT_YOURS if mark is not None else NOTHING_THERE)
