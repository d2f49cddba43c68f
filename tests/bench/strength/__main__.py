"""Level against level, or a level against another player. `make strength`.

    python -m tests.bench.strength [--games 200] [--only checkers,square] [--levels hard,master]
    python -m tests.bench.strength --against dab --levels master --games 20 --board '4 4'
    python -m tests.bench.strength --levels master --kept FILE --part 2/4

The same command gives the same games again (but not `montecarlo`'s, nor `dab`'s). The interval is Wilson's for 95 %. A
draw counts as half a win. Square is solved: what part of the theoretical points was got is told, too (`theory`).
Parts may be played at the same time and keep their games in one file; the same command without a part sums them up.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from server.games import load_catalogue
from server.games.levels import LEVELS
from tests.bench.strength.contest import Kept, Level, Player, contest
from tests.bench.strength.dab import Dab
from tests.bench.strength.montecarlo import MonteCarlo
from tests.bench.strength.openspiel import OpenSpiel
from tests.bench.strength.samuel import Samuel

CATALOGUE = load_catalogue()
BOARDS: dict[str, Sequence[dict[str, Any]]] = {
    "checkers": ({"captures": "free"}, {"captures": "forced"}),
    "dots-and-boxes": ({"width": 4, "height": 4}, {"width": 6, "height": 6}, {}),
    "hexoust": ({"side": 5}, {}),
    "square": ({},),
    "ultimate-dots-and-boxes": ({},),
}
OPPONENTS: dict[str, tuple[Callable[[], Player], str, Sequence[dict[str, Any]]]] = {
    "dab": (Dab, "dots-and-boxes", ({"width": 4, "height": 4}, {"width": 6, "height": 6}, {})),
    "montecarlo": (MonteCarlo, "hexoust", BOARDS["hexoust"]),
    "openspiel": (OpenSpiel, "checkers", ({"captures": "forced"},)),
    "samuel": (Samuel, "checkers", BOARDS["checkers"]),
}
"""Who plays which game, and on which boards."""


class Asked(NamedTuple):
    """What is to be played: the numbers of the games of each contest, at which (higher) levels, on which board (as
    `size` says it), all where these are empty; and where games are kept."""

    numbers: Sequence[int]
    levels: Sequence[str]
    board: str
    kept: Kept | None

    def boards(self, known: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of the known ones that are asked for."""
        return [options for options in known if self.board in ("", size(options))]


def ladder(names: Sequence[str], steps: int, asked: Asked) -> None:
    """Each level against the one that is `steps` below, on the boards of each game."""
    levels = [known.name for known in LEVELS]
    for name in names:
        for options in asked.boards(BOARDS.get(name, ({},))):
            for lower, higher in zip(levels, levels[steps:], strict=False):
                if not asked.levels or higher in asked.levels:
                    row(name, options, Level(higher), Level(lower), asked)


def against(opponent: str, asked: Asked) -> None:
    """Each of the levels against another player, on the boards on which that one is weighed."""
    make, name, boards = OPPONENTS[opponent]
    for options in asked.boards(boards):
        for level in asked.levels or ("hard", "master"):
            row(name, options, Level(level), make(), asked)


def size(options: dict[str, Any]) -> str:
    """Options in a word."""
    return " ".join(str(value) for value in options.values()) or "default"


def row(name: str, options: dict[str, Any], first: Player, second: Player, asked: Asked) -> None:
    """Have them play, and print what came of it."""
    found = contest(CATALOGUE[name], options, first, second, asked.numbers, asked.kept)
    took = [1000 * one for one in found.seconds[first.name]]
    line = f"| {name} {size(options)} | {first.name} | {second.name} | {found.games} | {found} |"
    print(line, f"{sum(took) / len(took):.1f}, {max(took):.0f} |", flush=True)


def part(text: str) -> tuple[int, int]:
    """The number of the part, from 0, and of how many there are, of "2/4". Raises ValueError."""
    which, of = (int(number) for number in text.split("/"))
    if not 1 <= which <= of:
        raise ValueError(f"there is no part {text}")
    return which - 1, of


def main(arguments: Sequence[str]) -> None:
    """Plays, and prints the table."""
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200, help="of each contest")
    parser.add_argument("--only", default=",".join(CATALOGUE), help="games, joined by commas")
    parser.add_argument("--levels", default="", help="the (higher) levels of the contests, joined by commas")
    parser.add_argument("--steps", type=int, default=1, help="how far below the other level is")
    parser.add_argument("--against", default="", choices=["", *OPPONENTS], help="this one instead of a lower level")
    parser.add_argument("--board", default="", help="this board only, such as '4 4', 'forced' or 'default'")
    parser.add_argument("--kept", type=Path, help="a file in which each game is kept, and need not be played again")
    parser.add_argument("--part", type=part, default=(0, 1), help="only this part of the games, such as 2/4")
    given = parser.parse_args(arguments)
    first, of = given.part
    # The seats change from game to game, so each part has pairs of them.
    numbers = [number for number in range(given.games) if number // 2 % of == first]
    if not numbers:
        parser.error("there are no games in that part")
    levels = [name for name in given.levels.split(",") if name]
    names = given.only.split(",")
    if unknown := [name for name in names if name not in CATALOGUE]:
        parser.error(f"there is no game {unknown[0]!r}; there are: {', '.join(CATALOGUE)}")
    boards = (
        OPPONENTS[given.against][2] if given.against else [one for name in names for one in BOARDS.get(name, ({},))]
    )
    if given.board not in ("", *map(size, boards)):
        parser.error(f"there is no board {given.board!r}; there are: {', '.join(map(size, boards))}")
    asked = Asked(numbers, levels, given.board, Kept(given.kept) if given.kept else None)
    print("| game | level | against | games | result | share (95 %) | ms a move, mean and longest |")
    print("|---|---|---|---|---|---|---|")
    if given.against:
        against(given.against, asked)
    else:
        ladder(names, given.steps, asked)


if __name__ == "__main__":
    main(sys.argv[1:])
