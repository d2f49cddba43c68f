"""The three games of dots and lines once more, naively, from the words of the rules alone.

A line is a set of two points, a box is closed when its four lines are drawn; everything is looked up anew each time.
Nothing is shared with the games under test: a second opinion is worth something only if it can differ.
"""

from __future__ import annotations

from collections import Counter

Point = tuple[int, int]
Line = frozenset[Point]

LETTERS = "abcdefghijklmno"


def called(line: Line) -> str:
    """`a1-b1`: the dot further up, or else further left, comes first."""
    first, second = sorted(line, key=lambda point: (point[1], point[0]))
    return f"{LETTERS[first[0]]}{first[1] + 1}-{LETTERS[second[0]]}{second[1] + 1}"


def around(box: Point) -> list[Line]:
    """The lines around the box whose top left dot is `box`."""
    x, y = box
    corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    return [frozenset({corners[i], corners[(i + 1) % 4]}) for i in range(4)]


class Sheet:
    """One sheet of dots: who drew which line, who owns which box."""

    def __init__(self, width: int, height: int) -> None:
        points = [(x, y) for x in range(width) for y in range(height)]
        self.lines: dict[Line, int | None] = {
            frozenset({p, q}): None for p in points for q in points if abs(p[0] - q[0]) + abs(p[1] - q[1]) == 1
        }
        self.boxes: dict[Point, int | None] = {(x, y): None for x in range(width - 1) for y in range(height - 1)}

    def free(self) -> dict[str, Line]:
        return {called(line): line for line, drawn_by in self.lines.items() if drawn_by is None}

    def draw(self, line: Line, who: int) -> list[Point]:
        """The boxes that the line closes, by rows from the top."""
        self.lines[line] = who
        closed = [
            box
            for box, owner in self.boxes.items()
            if owner is None and all(self.lines[side] is not None for side in around(box))
        ]
        for box in closed:
            self.boxes[box] = who
        return sorted(closed, key=lambda box: (box[1], box[0]))

    def owned_by(self, who: int) -> int:
        return Counter(self.boxes.values())[who]

    def shown(self, prefix: str = "") -> dict[str, tuple[int, str]]:
        lines = {prefix + called(line): (who, "line") for line, who in self.lines.items() if who is not None}
        boxes = {f"{prefix}#{LETTERS[x]}{y + 1}": (who, "box") for (x, y), who in self.boxes.items() if who is not None}
        return lines | boxes


class OneSheet:
    """Dots and Boxes (`closing_moves_again`) or Square (not)."""

    def __init__(self, width: int, height: int, closing_moves_again: bool) -> None:
        self.sheet = Sheet(width, height)
        self.closing_moves_again = closing_moves_again
        self.turn = 0

    def legal(self) -> set[str]:
        return set(self.sheet.free())

    def play(self, move: str) -> None:
        closed = self.sheet.draw(self.sheet.free()[move], self.turn)
        if not (closed and self.closing_moves_again):
            self.turn = 1 - self.turn

    def result(self) -> tuple[int | None, int, int] | None:
        """Winner, or None for a draw, and the boxes of both; None while a box is free."""
        if None in self.sheet.boxes.values():
            return None
        mine, theirs = self.sheet.owned_by(0), self.sheet.owned_by(1)
        return (None if mine == theirs else 0 if mine > theirs else 1), mine, theirs


class Ultimate:
    """Nine sheets; a box says which sheet the opponent is sent to."""

    def __init__(self) -> None:
        self.sheets = {number: Sheet(4, 4) for number in range(1, 10)}
        self.won: dict[int, int] = {}
        self.turn = 0
        self.where: int | None = 5
        """None: the player may choose."""
        self.closed_this_turn: list[Point] = []

    def open(self) -> set[int]:
        if self.result() is not None:
            return set()
        return {number for number in self.sheets if number not in self.won and self.where in (None, number)}

    def legal(self) -> set[str]:
        return {f"{number}:{line}" for number in self.open() for line in self.sheets[number].free()}

    def play(self, move: str) -> None:
        number, line = int(move[0]), move[2:]
        sheet = self.sheets[number]
        closed = sheet.draw(sheet.free()[line], self.turn)
        self.closed_this_turn += closed
        if closed and sheet.owned_by(self.turn) < 5:
            self.where = number
            return
        if closed:
            self.won[number] = self.turn
        target = number
        if self.closed_this_turn:
            x, y = self.closed_this_turn[-1]
            target = 3 * y + x + 1
        self.where = None if target in self.won else target
        self.turn = 1 - self.turn
        self.closed_this_turn = []

    def result(self) -> tuple[int, str] | None:
        """Winner and reason."""
        for who in (0, 1):
            mine = {((number - 1) % 3, (number - 1) // 3) for number, owner in self.won.items() if owner == who}
            for x, y in mine:
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if {(x + dx, y + dy), (x + 2 * dx, y + 2 * dy)} <= mine:
                        return who, "line"
            if len(mine) >= 5:
                return who, "score"
        return None

    def shown(self) -> dict[str, tuple[int, str]]:
        marks = {str(number): (who, "won") for number, who in self.won.items()}
        for number, sheet in self.sheets.items():
            marks |= sheet.shown(f"{number}:")
        return marks
