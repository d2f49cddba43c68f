"""The moves of a match in two numbered columns, one for each seat. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.shown.story import HASTE, Made


@dataclass(frozen=True)
class Cell:
    """A move; after it `ply` moves were made. `gains`, `short` and `less` are those of `Made`."""

    ply: int
    move: str
    gains: str = ""
    short: str = ""
    less: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written of it, the longest first: of what it gained the weightiest stays longest, and last the sign
        that the computer made it in haste."""
        gained = (self.gains, f" {self.gains.strip(' ()')}", f" {self.short}") if self.gains else ()
        words = (HASTE, IN_HASTE) if self.less else ("",)
        return (*(f"{self.move}{gain}{haste}" for gain in (*gained, "") for haste in words), self.move)


IN_HASTE = " ~"
"""The same as `HASTE` where there is little room."""

Row = tuple[Cell | None, Cell | None]
"""What the two seats did: the second one after the first one. Who moves again does so in a row of its own."""


def rows(moves: Sequence[Made]) -> tuple[Row, ...]:
    """All rows. A move of which nobody told who made it counts for the seat whose turn it would be by turns."""
    found: list[Row] = []
    for index, made in enumerate(moves):
        seat = index % 2 if made.seat is None else made.seat
        cell = Cell(index + 1, made.move, made.gains, made.short, made.less)
        if seat == 0:
            found.append((cell, None))
        elif found and found[-1][0] is not None and found[-1][1] is None:
            found[-1] = (found[-1][0], cell)
        else:
            found.append((None, cell))
    return tuple(found)


def row_of(listed: Sequence[Row], ply: int) -> int:
    """The row of the move after which `ply` moves were made; the first one for none."""
    return next((at for at, row in enumerate(listed) if any(cell is not None and cell.ply == ply for cell in row)), 0)
