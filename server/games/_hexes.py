"""The hexagonal board of `hexoust.py`: cells as bits, groups of stones, and where a stone may be placed.

Cells are bits of a whole number, the first cell the highest, so that written in binary they are in reading order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from protocol.board import Cell, Shape

ROW_HEIGHT = math.sqrt(3) / 2
HALF_HEXAGON = 1 / math.sqrt(3)
"""From the centre of a pointy-topped hexagon of width 1 to its top."""

Group = tuple[int, int, int]
"""Its stones, the cells that touch them, and how many stones there are."""
Groups = tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """All that follows from the size of the board."""

    cells: tuple[Cell, ...]
    names: tuple[str, ...]
    bits: dict[str, int]
    by_bit: dict[int, str]
    near: dict[int, int]
    """For each cell those that touch it."""
    full: int


@cache
def layout(side: int) -> Layout:
    """The hexagon with `side` cells on each side; rows from the top, cells from the left (`RU-HX1`)."""
    places: dict[tuple[int, int], str] = {}
    cells = []
    for row in range(2 * side - 1):
        length = 2 * side - 1 - abs(side - 1 - row)
        indent = abs(side - 1 - row) / 2
        for number in range(length):
            name = f"{'abcdefghijklmnopq'[row]}{number + 1}"
            x, y = indent + number + 0.5, row * ROW_HEIGHT + HALF_HEXAGON
            cells.append(Cell(name, x, round(y, 6), Shape.HEX))
            places[row, round(2 * x)] = name
    count = len(cells)
    bits = {cell.id: 1 << count - 1 - index for index, cell in enumerate(cells)}
    steps = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))
    near = {
        bits[name]: sum(bits[there] for down, right in steps if (there := places.get((row + down, halves + right))))
        for (row, halves), name in places.items()
    }
    names = tuple(bits)
    return Layout(tuple(cells), names, bits, {bit: name for name, bit in bits.items()}, near, (1 << count) - 1)


def each(cells: int) -> Iterator[int]:
    """The bits of `cells` one by one, the last cell first."""
    while cells:
        bit = cells & -cells
        cells ^= bit
        yield bit


def grouped(stones: int, near: dict[int, int]) -> Groups:
    """The groups that `stones` form, searched anew."""
    found = []
    while stones:
        group, around, edge = 0, 0, stones & -stones
        while edge:
            group |= edge
            for bit in each(edge):
                around |= near[bit]
            edge = around & stones & ~group
        stones &= ~group
        found.append((group, around, group.bit_count()))
    return tuple(found)


def placements(hexes: Layout, free: int, own: Groups, other: Groups) -> int:
    """The free cells with a placement: all that touch no own group, and those where the joined group captures."""
    touched = shared = 0  # cells that touch an own group, and those that touch several
    for _, around, _ in own:
        shared |= touched & around
        touched |= around
    found = free & ~touched
    enemy = beside_enemy = 0
    largest = max((size for _, _, size in other), default=0)
    stones_from, around_from = [0] * (largest + 2), [0] * (largest + 2)
    for stones, around, size in other:
        enemy |= stones
        beside_enemy |= around
        stones_from[size] |= stones
        around_from[size] |= around
    for size in range(largest - 1, 0, -1):  # from here on: of groups of at least so many stones
        stones_from[size] |= stones_from[size + 1]
        around_from[size] |= around_from[size + 1]
    alone = free & ~shared
    for _, around, size in own:
        cells = around & alone
        if cells and size < largest:
            too_large = size + 1
            cells = 0 if around & stones_from[too_large] else cells & ~around_from[too_large]
        if cells:
            found |= cells if around & enemy else cells & beside_enemy
    for bit in each(free & shared):
        reach, joined = hexes.near[bit], 1
        for _, around, size in own:
            if around & bit:
                reach |= around
                joined += size
        if reach & enemy and (joined > largest or not reach & stones_from[joined]):
            found |= bit
    return found
