"""HexOust once more, naively, from the words of the rules alone: a second opinion that shares no code with the first.

Stones lie in a dict by the names of cells; two cells touch when their centres are one unit apart; groups are searched
anew on the whole board after every placement.
"""

from __future__ import annotations

from math import dist, sqrt


def centres(side: int) -> dict[str, tuple[float, float]]:
    """Rows of side, side + 1, ... 2 side - 1, ... side cells, lettered from the top, each row in the middle."""
    lengths = [*range(side, 2 * side), *range(2 * side - 2, side - 1, -1)]
    return {
        f"{chr(ord('a') + row)}{number}": (number - (length + 1) / 2, row * sqrt(3) / 2)
        for row, length in enumerate(lengths)
        for number in range(1, length + 1)
    }


def touching(side: int) -> dict[str, list[str]]:
    """For each cell those that touch it."""
    places = centres(side)
    return {a: [b for b, there in places.items() if 0.5 < dist(here, there) < 1.5] for a, here in places.items()}


class HexOust:
    """A game in play. Seat 0 is RED."""

    def __init__(self, side: int) -> None:
        self.near = touching(side)
        self.stones: dict[str, int] = {}
        self.turn = 0
        self.winner: int | None = None
        self.moves = self._moves()

    def _group(self, start: str) -> set[str]:
        found, todo = {start}, [start]
        while todo:
            for cell in self.near[todo.pop()]:
                if cell not in found and self.stones.get(cell) == self.stones[start]:
                    found.add(cell)
                    todo.append(cell)
        return found

    def _moves(self) -> dict[str, set[str]]:
        """What each placement captures; a pass when there is no placement."""
        if self.winner is not None:
            return {}
        group_of: dict[str, set[str]] = {}
        for cell in self.stones:
            if cell not in group_of:
                group = self._group(cell)
                group_of.update(dict.fromkeys(group, group))
        found: dict[str, set[str]] = {}
        for cell in self.near:
            if cell in self.stones:
                continue
            own = [near for near in self.near[cell] if self.stones.get(near) == self.turn]
            if not own:
                found[cell] = set()
                continue
            joined = {cell}.union(*(group_of[near] for near in own))
            enemies = [
                group_of[near]
                for stone in joined
                for near in self.near[stone]
                if self.stones.get(near, self.turn) != self.turn
            ]
            if enemies and all(len(joined) > len(enemy) for enemy in enemies):
                found[cell] = set().union(*enemies)
        return found or {"pass": set()}

    def play(self, move: str) -> None:
        """Make a legal move."""
        captured = self.moves[move]
        if move != "pass":
            self.stones[move] = self.turn
        for cell in captured:
            del self.stones[cell]
        if not captured:
            self.turn = 1 - self.turn
        elif 1 - self.turn not in self.stones.values():
            self.winner = self.turn
        self.moves = self._moves()
