"""A student's game as a server tells it: a match without a board, and moves with fields nobody has foreseen."""

from __future__ import annotations

import json
from typing import Any

from msgspec import structs

from protocol.board import Board, Cell, SeatStyle
from protocol.messages import GetRecord, LastMove, Moved, Record, SeatInfo, Snapshot

MATCH = "m1"
SEATS = json.dumps(["seats", "", [["Ana", ""], ["Bea", ""]]])


def entry(number: int, **fields: Any) -> str:
    """A move of one of the two in turn; the first has number 1."""
    return json.dumps(["move", (number - 1) % 2, {"row": number, **fields, "match_status": "next"}])


def entries(moves: int) -> tuple[str, ...]:
    """The whole log of a match with so many moves."""
    return (SEATS, *(entry(number) for number in range(1, moves + 1)))


def shown(moves: int, log: tuple[str, ...] | None = None) -> Snapshot:
    """The match after so many moves, to one who watches."""
    last = (log or entries(moves))[-1]
    return Snapshot(
        match=MATCH, version=moves + 3, game="relay", options={"title": "mesa-3"}, status="playing", private=False,
        created_ms=1, board=Board(width=1, height=1, cells=(Cell("t", 0, 0),)), you=(), marks={}, focus=(),
        seats=(SeatInfo(style=SeatStyle("First", "#c62828", "●"), name="Ana", here=True),
               SeatInfo(style=SeatStyle("Others", "#1e88e5", "◇"), name="Bea", here=True)),
        scores=((), ()), to_move=moves % 2, legal=(), text="Ana: next", plies=moves + 1,
        last=LastMove((moves + 1) % 2, "next", entry=last),
    )  # fmt: skip


def moved(number: int, said: str = "") -> Moved:
    """The move with that number as it comes."""
    return Moved(
        match=MATCH, version=number + 3, at_ms=2, seat=(number - 1) % 2, move="next", marks={}, to_move=number % 2,
        text="somebody: next", entry=said or entry(number),
    )  # fmt: skip


def record(asked: GetRecord, log: tuple[str, ...], most: int = 100) -> Record:
    """What a server answers: at most so many at a time."""
    return Record(
        ref=asked.ref, match=MATCH, game="relay", options={}, names=("Ana", "Bea"), hash="0" * 64, created_ms=1,
        moves=log[asked.after : asked.after + most], after=asked.after, plies=len(log),
    )  # fmt: skip


def finished(number: int) -> Moved:
    """The move with that number, after which nobody moves."""
    return structs.replace(moved(number, entry(number).replace("next", "finished")), to_move=None)
