"""Where one is in a saved game, and what is said about it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from client.conversation.cleaning import plain
from client.conversation.position import seat_name
from client.kept.saves import SavedGame
from protocol.messages import GameInfo, Snapshot


@dataclass(frozen=True)
class Stepping:
    """After `ply` of `plies` moves; a step too far stays at the end."""

    plies: int
    ply: int = 0

    def to(self, ply: int) -> Stepping:
        """At that move, or as near as there is one."""
        return replace(self, ply=max(0, min(self.plies, ply)))

    def by(self, moves: int) -> Stepping:
        """So many moves on, or back."""
        return self.to(self.ply + moves)


def heading(saved: SavedGame, game: GameInfo | None) -> str:
    """Which game, by whom."""
    first, second = (plain(name) or "nobody" for name in saved.names)
    return f"{game.title if game is not None else saved.game}: {first} against {second}"


def place(stepping: Stepping, match: Snapshot) -> str:
    """ "Move 12 of 57: Ada a1-b1"."""
    if stepping.ply == 0:
        return f"The beginning, before {stepping.plies} move{'' if stepping.plies == 1 else 's'}"
    played = f": {seat_name(match, match.last.seat)} {match.last.move}" if match.last is not None else ""
    return f"Move {stepping.ply} of {stepping.plies}{played}"


def understood(line: str, stepping: Stepping) -> Stepping | None:
    """Where a typed line leads: n or nothing, b, start, end, or a number; None when it is none of these."""
    match line.strip().lower():
        case "" | "n" | "next":
            return stepping.by(1)
        case "b" | "back":
            return stepping.by(-1)
        case "start" | "home":
            return stepping.to(0)
        case "end":
            return stepping.to(stepping.plies)
        case number if number.isascii() and number.isdecimal():
            return stepping.to(int(number[:6]))
        case _:
            return None
