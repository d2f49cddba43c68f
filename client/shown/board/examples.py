"""The games as small boards that live: the short example of each that a server hands out (`boards.json`). Pure."""

from __future__ import annotations

from functools import cached_property

import msgspec
from msgspec import Struct, structs

from client.conversation.cleaning import cleaned
from protocol.board import Board, Mark, SeatStyle
from protocol.messages import LastMove, SeatInfo, Snapshot
from protocol.validity import Impossible, check

REST = 3
"""How many steps an example rests at its end before it begins anew."""
EVERY_S = 1.2
"""How often one of several examples moves on; one at a time, for they are there to be looked at in passing."""
MAX_EXAMPLES = 32
MAX_STEPS = 60
"""Moves of an example that are shown; a server's own ones have some ten."""


class Step(Struct, frozen=True):
    """One move of an example: what it puts where (None: takes away), and which regions are in focus then."""

    seat: int
    move: str
    changes: dict[str, Mark | None]
    focus: tuple[str, ...] = ()


class Told(Struct, frozen=True):
    """An example as a server tells it."""

    game: str
    board: Board
    styles: tuple[SeatStyle, SeatStyle]
    marks: dict[str, Mark]
    moves: tuple[Step, ...]
    first: int = 0
    focus: tuple[str, ...] = ()
    """Which regions are in focus at first."""


class Example:
    """One game's example: the position after so many steps, again from the start when it is over."""

    def __init__(self, told: Told) -> None:
        self.game = told.game
        self._told = structs.replace(told, moves=told.moves[:MAX_STEPS])

    def at(self, step: int) -> Snapshot:
        """The position of a step, to be drawn like that of any match."""
        count = len(self._told.moves)
        return self._positions[min((step + self._told.first) % (count + 1 + REST), count)]

    @property
    def styles(self) -> tuple[SeatStyle, SeatStyle]:
        """Names, colours and symbols of the seats; who sits on the first one begins."""
        return self._told.styles

    @cached_property
    def _positions(self) -> tuple[Snapshot, ...]:
        marks, found = dict(self._told.marks), [self._position(0, self._told.marks, None)]
        for ply, step in enumerate(self._told.moves, start=1):
            for id_, mark in step.changes.items():
                if mark is None:
                    marks.pop(id_, None)
                else:
                    marks[id_] = mark
            found.append(self._position(ply, dict(marks), step))
        return tuple(found)

    def _position(self, ply: int, marks: dict[str, Mark], step: Step | None) -> Snapshot:
        first, second = (SeatInfo(style=style) for style in self._told.styles)
        return Snapshot(
            match="example",
            version=ply,
            plies=ply,
            game=self.game,
            options={},
            status="playing",
            private=False,
            created_ms=0,
            seats=(first, second),
            you=(),
            board=self._told.board,
            marks=marks,
            focus=step.focus if step is not None else self._told.focus,
            scores=((), ()),
            to_move=None,
            legal=(),
            text="",
            last=LastMove(seat=step.seat, move=step.move) if step is not None else None,
        )

    def check(self) -> None:
        """Raise Impossible for a board or a mark that no server may tell of."""
        for position in self._positions:
            check(position)


def read_examples(text: bytes) -> dict[str, Example]:
    """The examples in a server's answer, by game; what is no example is left out, and harms nothing."""
    try:
        told = msgspec.json.decode(text, type=tuple[msgspec.Raw, ...])
    except (msgspec.DecodeError, UnicodeError):
        return {}
    found: dict[str, Example] = {}
    for raw in told[:MAX_EXAMPLES]:
        try:
            example = Example(_harmless(msgspec.json.decode(raw, type=Told)))
            example.check()
        except (msgspec.DecodeError, Impossible, UnicodeError):
            continue
        found[example.game] = example
    return found


def read_opening(text: bytes) -> Snapshot | None:
    """A board before its first move, as a server tells it in the words of an example; None for what is none."""
    found = read_examples(b"[" + text + b"]")
    return next(iter(found.values())).at(0) if found else None


def _harmless(told: Told) -> Told:
    """With every text in it made harmless to show."""
    shown = cleaned(Example(structs.replace(told, moves=())).at(0))
    first, second = (seat.style for seat in shown.seats)
    return structs.replace(told, board=shown.board, styles=(first, second), marks=shown.marks)


def step_of(at: int, count: int, now: float) -> int:
    """Which step the example `at` of `count` shows at `now` (s): one after the other moves on."""
    return (int(now / EVERY_S) + count - 1 - at) // count
