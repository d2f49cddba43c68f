"""Round pieces and hexagons of half characters: which of them a shape covers. Pure.

A character is twice as high as wide, so its two halves are squares, and what is drawn of them is as wide as high.
"""

from __future__ import annotations

from collections.abc import Iterator

SMALL = 6
UPPER, LOWER, FULL = "▀", "▄", "█"


def disc(columns: int, rows: int) -> Iterator[tuple[int, int, str]]:
    """The characters of a disc in a field of so many columns and rows: column, row, and what is covered.

    A little of the field is seen around it; in a small one the disc touches the sides, or it would be a square.
    """
    side = min(columns, 2 * rows)
    radius = side / 2 - (0.9 if side > SMALL else 0.45)

    def covers(column: int, half: int) -> bool:
        return (column + 0.5 - columns / 2) ** 2 + (half + 0.5 - rows) ** 2 <= radius**2

    for row in range(rows):
        for column in range(columns):
            upper, lower = covers(column, 2 * row), covers(column, 2 * row + 1)
            if upper or lower:
                yield column, row, FULL if upper and lower else UPPER if upper else LOWER
