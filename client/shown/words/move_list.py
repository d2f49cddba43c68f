"""The moves of a match in two numbered columns, one for each seat. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.shown.story import Made


@dataclass(frozen=True)
class Cell:
    """A move; after it `ply` moves were made. `gains` is how it changed the score, "" if it did not."""

    ply: int
    move: str
    gains: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written of it, the longest first: what it gained gives way where there is no room for both."""
        bare = self.gains.strip(" ()")
        return (f"{self.move}{self.gains}", f"{self.move} {bare}", self.move) if bare else (self.move,)


Row = tuple[Cell | None, Cell | None]
"""What the two seats did: the second one after the first one. Who moves again does so in a row of its own."""


def rows(moves: Sequence[Made]) -> tuple[Row, ...]:
    """All rows. A move of which nobody told who made it counts for the seat whose turn it would be by turns."""
    found: list[Row] = []
    for index, made in enumerate(moves):
        seat = index % 2 if made.seat is None else made.seat
        cell = Cell(index + 1, made.move, made.gains)
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
