"""A move of the catalogue as DOG's dict, and back. Pure.

To the server: `{"move": "5:b2-b3", "match_status": "next"}`, or the elements touched, `{"elements": ["5:b2", "5:b3"],
...}`. What the sender says of the status counts for nothing, but for `interrupted` and `withdrawal`, which give up.
From the server comes the same with what a program needs to draw it without knowing a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protocol.board import spell
from protocol.messages import Moved, Snapshot

LONGEST_STEM = 17
"""A name has 20 characters, and there may be a number behind it."""
MOST_OF_A_NAME = 30
"""So many players of one name at one hub are a class in which nobody has changed what the game suggests."""

GIVING_UP = frozenset({"interrupted", "withdrawal"})


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


def move_out(moved: Moved, after: Snapshot, player: str) -> dict[str, Any]:
    """A move that was made, as it is told: who, the how many-th, what has changed, and whose turn it is."""
    return {
        "move": moved.move,
        "match_status": _status(moved.to_move, moved.seat),
        "changes": {
            element: None if mark is None else [mark.seat, str(mark.piece)] for element, mark in moved.marks.items()
        },
        "scores": [list(scores) for scores in after.scores],
        "legal": list(after.legal),
        "text": after.text,
        "player": player,
        "order": after.plies,
    }


def missed_out(after: Snapshot, player: str) -> dict[str, Any]:
    """The last of more moves than were told one by one, after a long loss of the connection: the whole board."""
    assert after.last is not None
    return {
        "move": after.last.move,
        "match_status": _status(after.to_move, after.last.seat),
        "changes": {element: [mark.seat, str(mark.piece)] for element, mark in after.marks.items()},
        "scores": [list(scores) for scores in after.scores],
        "legal": list(after.legal),
        "text": after.text,
        "player": player,
        "order": after.plies,
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
