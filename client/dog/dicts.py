"""A move of the catalogue as DOG's dict, and back. Pure.

To the server: `{"move": "5:b2-b3", "match_status": "next"}`, or the elements touched, `{"elements": ["5:b2", "5:b3"],
...}`. What the sender says of the status counts for nothing, but for `interrupted` and `withdrawal`, which give up.
From the server comes the same with what a program needs to draw it without knowing a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protocol.board import Mark, spell
from protocol.messages import Moved, Snapshot

LONGEST_STEM = 17
"""A name has 20 characters, and there may be a number behind it."""
MOST_OF_A_NAME = 30
"""So many players of one name at one hub are a class in which nobody has changed what the game suggests."""

GIVING_UP = frozenset({"interrupted", "withdrawal"})
NOT_BY_RULES = frozenset(
    {"forfeit", "abandoned", "aborted", "cancelled", "expired", "time", "agreed", "too_long", "stopped"}
)
"""Reasons of an end of which no last move tells."""
PORTUGUESE = {
    "score": "o placar decidiu",
    "captured": "não restou peça ao outro",
    "blocked": "o outro não tinha jogada",
    "line": "completou a linha",
    "no_progress": "não houve progresso",
    "forfeit": "o outro desistiu",
    "abandoned": "o outro saiu",
    "time": "o tempo acabou",
    "agreed": "os dois concordaram",
    "too_long": "a partida ficou longa demais",
    "aborted": "a partida não começou",
    "cancelled": "a partida foi cancelada",
    "expired": "a partida expirou",
    "stopped": "a partida foi encerrada pelo servidor",
}
"""How a match ended, by the server's stable reasons."""


def move_in(move: dict[str, Any]) -> str | None:
    """The move that a dict means, in the field's notation; None when it names none."""
    written, elements = move.get("move"), move.get("elements")
    if isinstance(written, str) and written:
        return written
    if isinstance(elements, list | tuple) and elements and all(isinstance(one, str) for one in elements):
        return spell(list(elements))
    return None


def gives_up(move: dict[str, Any]) -> bool:
    """Whether the dict is DOG's way of giving up."""
    return move.get("match_status") in GIVING_UP


def move_out(moved: Moved, after: Snapshot) -> dict[str, Any]:
    """A move that was made, as both sides are told of it: who, what has changed, how it stands, and who is to move."""
    return _told(moved.seat, moved.move, moved.marks, after)


def missed_out(after: Snapshot) -> dict[str, Any]:
    """The last of more moves than were told one by one, after a long loss of the connection: the whole board."""
    assert after.last is not None
    return _told(after.last.seat, after.last.move, after.marks, after)


def position_out(position: Snapshot) -> dict[str, Any]:
    """How it stands: all that a program needs to draw a board and to offer the next move without knowing a rule."""
    return {
        "changes": _changes(position.marks),
        "scores": [list(scores) for scores in position.scores],
        "legal": list(position.legal),
        "focus": list(position.focus),
        "text": position.text,
        "turn": None if position.to_move is None else player_id(position.match, position.to_move),
    }


def end_out(ended: Snapshot, language: str) -> dict[str, Any]:
    """What the end adds: the winner's id (None: nobody won), why, and the sentence that says so."""
    assert ended.result is not None
    winner = ended.result.winner
    return {
        "match_status": "finished",
        "winner": None if winner is None else player_id(ended.match, winner),
        "reason": ended.result.reason,
        "scores": [list(scores) for scores in ended.scores],
        "legal": [],
        "turn": None,
        "text": end_text(ended, language),
    }


def end_text(ended: Snapshot, language: str) -> str:
    """The sentence that announces the end, in Portuguese for a program of that language, else in the server's."""
    assert ended.result is not None
    if not language.startswith("pt") or ended.result.reason not in PORTUGUESE:
        return ended.result.text
    winner = ended.result.winner
    how = PORTUGUESE[ended.result.reason]
    if winner is None:
        return f"Ninguém venceu: {how}."
    return f"{ended.seats[winner].name or ended.seats[winner].style.name} venceu: {how}."


def _told(seat: int, move: str, marks: Mapping[str, Mark | None], after: Snapshot) -> dict[str, Any]:
    return {
        **position_out(after),
        "move": move,
        "match_status": _status(after.to_move, seat),
        "changes": _changes(marks),
        "player": player_id(after.match, seat),
        "order": after.plies,
    }


def _changes(marks: Mapping[str, Mark | None]) -> dict[str, Any]:
    """One form for all games: whose it is (None: nobody's) and which piece; None for an element that is empty now."""
    return {
        element: None if mark is None else {"seat": mark.seat, "piece": str(mark.piece)}
        for element, mark in marks.items()
    }


def _status(to_move: int | None, mover: int) -> str:
    if to_move is None:
        return "finished"
    return "progress" if to_move == mover else "next"


def player_id(match: str, seat: int) -> str:
    """How the holder of a seat is called in players and moves; the server tells nobody another one's own id."""
    return f"{match}-{seat}"


def names_for(typed: str) -> Iterator[str]:
    """Names to greet with: the one that was typed, as far as a hub takes it, and with a number while it is in use."""
    plain = "".join(char for char in typed if char.isalnum() or char in " -_.'")
    stem = " ".join(plain.split())[:LONGEST_STEM].strip() or "Player"
    yield stem
    for number in range(2, MOST_OF_A_NAME + 1):
        yield f"{stem} {number}"


def players_of(snapshot: Snapshot, typed: str) -> list[list[str]]:
    """`[name, id, order]`, one's own first and with the name that was typed: games find themselves by it.

    Seat 0 moves first.
    """
    rows = [
        [info.name or info.style.name, player_id(snapshot.match, seat), str(seat + 1)]
        for seat, info in enumerate(snapshot.seats)
    ]
    own = snapshot.you[0] if snapshot.you else 0
    other = rows[1 - own]
    return [[typed, *rows[own][1:]], [f"{other[0]} 2" if other[0] == typed else other[0], *other[1:]]]
