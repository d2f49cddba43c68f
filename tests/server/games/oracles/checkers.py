"""Checkers once more, naively, from the words of the rules alone: a second opinion that shares no code with the first.

Pieces lie in a dict by (row, column); everything is tried square by square, and a chain of jumps copies the board.
"""

from __future__ import annotations

Place = tuple[int, int]
Pieces = dict[Place, str]
"""`b` and `w` are men, `B` and `W` kings."""


def place(number: int) -> Place:
    """Square 1 is the second from the left in the top row; four dark squares a row, numbered downwards."""
    row, along = divmod(number - 1, 4)
    return row, 2 * along + (1 if row % 2 == 0 else 0)


NUMBERS = {place(number): number for number in range(1, 33)}


class Checkers:
    """A game in play. Seat 0 is Black and moves down."""

    def __init__(self, forced: bool, draw_after: int) -> None:
        self.forced = forced
        self.draw_after = draw_after
        self.pieces: Pieces = {place(n): "b" for n in range(1, 13)} | {place(n): "w" for n in range(21, 33)}
        self.turn = 0
        self.idle = 0
        self.moves = self._moves()
        """The board after each legal move."""

    def _moves(self) -> dict[str, Pieces]:
        jumps: dict[str, Pieces] = {}
        steps: dict[str, Pieces] = {}
        for at, piece in list(self.pieces.items()):
            if piece.lower() != "bw"[self.turn]:
                continue
            jumps.update(self._jumps(str(NUMBERS[at]), at, piece, self.pieces))
            for way in self._ways(piece):
                to = (at[0] + way[0], at[1] + way[1])
                if to in NUMBERS and to not in self.pieces:
                    after = dict(self.pieces)
                    del after[at]
                    after[to] = self._arrived(piece, to)
                    steps[f"{NUMBERS[at]}-{NUMBERS[to]}"] = after
        return jumps if self.forced and jumps else jumps | steps

    def _ways(self, piece: str) -> list[Place]:
        rows = {"b": [1], "w": [-1]}.get(piece, [1, -1])
        return [(row, column) for row in rows for column in (1, -1)]

    def _arrived(self, piece: str, at: Place) -> str:
        return piece.upper() if at[0] == {"b": 7, "w": 0}.get(piece) else piece

    def _jumps(self, path: str, at: Place, piece: str, pieces: Pieces) -> dict[str, Pieces]:
        found: dict[str, Pieces] = {}
        for row, column in self._ways(piece):
            over = (at[0] + row, at[1] + column)
            to = (at[0] + 2 * row, at[1] + 2 * column)
            enemy = over in pieces and pieces[over].lower() != piece.lower()
            if not enemy or to not in NUMBERS or to in pieces:
                continue
            after = dict(pieces)
            del after[at], after[over]
            after[to] = self._arrived(piece, to)
            longer = f"{path}x{NUMBERS[to]}"
            crowned = after[to] != piece
            further = {} if crowned else self._jumps(longer, to, piece, after)
            if not (self.forced and further):
                found[longer] = after
            found.update(further)
        return found

    def play(self, move: str) -> None:
        """Make a legal move."""
        after = self.moves[move]
        start = place(int(move.replace("-", "x").split("x")[0]))
        quiet = self.pieces[start].isupper() and len(after) == len(self.pieces)
        self.idle = self.idle + 1 if quiet else 0
        self.pieces = after
        self.turn = 1 - self.turn
        self.moves = self._moves()

    def result(self) -> tuple[int | None, str] | None:
        """Winner and reason once the game is over."""
        if not any(piece.lower() == "bw"[self.turn] for piece in self.pieces.values()):
            return 1 - self.turn, "captured"
        if not self.moves:
            return 1 - self.turn, "blocked"
        if self.draw_after and self.idle >= self.draw_after:
            return None, "no_progress"
        return None

    def shown(self) -> dict[str, tuple[int, str]]:
        """Seat and kind of each piece, by the square's number."""
        return {
            str(NUMBERS[at]): ("bw".index(piece.lower()), "king" if piece.isupper() else "man")
            for at, piece in self.pieces.items()
        }
