"""What the computer costs: others' moves while many play it, and how many moves a second a core finds at each level.

In every third round many matches against the hard level go on beside people's games. What counts is whether the others'
99th percentile is higher in these rounds by more than those without usually differ. That is the machine's noise, told
by the median of how far they are from their median, so that one round on which something else fell hides nothing. It
is worth something on a quiet machine alone. A third kind of round has no computer's match, but a loop that computes
nothing, as nice as a worker is: what that costs is the machine's, which has a core less to wake somebody on. `in haste`
are the computer's moves for which less time was taken, for many waited: beyond what its cores find, a level plays for
less, and does not make people wait.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import uvloop

from server.bots import players
from server.games import AnyGame, load_catalogue
from server.games.levels import LEVELS
from tests.bench.load import BOARD, Game, Link, Measured, play_all, start_game
from tests.bench.sides import running

TURNS = 5
"""Of the three kinds of rounds."""
PEOPLE = 150
"""Games between two."""
THOUGHT_S = (0.125, 0.375)
"""With so many games and so much thought, and what lies between, people make 500 moves a second, if the machine lets
them."""
MOVES_EACH = 24
"""In a round; a board has lines for three and more."""
AGAINST_COMPUTER = 50
LEVEL = "hard"
LOOP = """
import os
from server.bots.worker import be_nice
parent = os.getppid()
be_nice()
print(flush=True)
while os.getppid() == parent:
    sum(range(1_000_000))
"""
DEVIATION = 1.4826
"""Standard deviations in a median distance from the median, of what is spread normally."""
BEYOND = 2
"""So many spreads off may be chance."""
POSITIONS = 5
"""Of each game, for the second table: by random moves from the start."""


_IN_HASTE = re.compile(r"less time than usual for (one|\d+) move")
"""In the sentence at the end of a match."""


class Solo:
    """A match against the computer: whenever it has moved, its host moves at once."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._match = ""
        self.moves = 0

    async def play(self) -> None:
        """Match after match, until it is cancelled."""
        while True:
            await self._one()

    async def end(self) -> int:
        """Give the match up; how many of the computer's moves in it were made in haste."""
        await self._link.send("abandon", match=self._match)
        ended = await self._link.until("type", "ended")
        await self._link.socket.close()
        told = _IN_HASTE.search(ended["result"]["text"])
        return 0 if told is None else 1 if told[1] == "one" else int(told[1])

    async def _one(self) -> None:
        asked = {"game": "dots-and-boxes", "options": BOARD, "computer": True, "level": LEVEL}
        match = self._match = (await self._link.ask("create", **asked))["match"]
        state = await self._link.until("type", "snapshot")
        legal, version, turn = list(state["legal"]), state["version"], state["to_move"]
        while turn is not None and legal:
            if turn == 0:
                await self._link.send("move", match=match, version=version, move=random.choice(legal))
            moved = await self._link.until("type", "moved")
            self.moves += moved["seat"] == 1
            version, turn = moved["version"], moved["to_move"]
            with suppress(ValueError):
                legal.remove(moved["move"])


async def beside_people(url: str) -> None:
    """Print how long people's moves take: alone, beside an empty loop, and with the computer's matches."""
    print("round              moves/s   p50 ms   p99 ms   computer's moves/s   in haste   load")
    alone, loop, beside = list[float](), list[float](), list[float]()
    for number in range(TURNS):
        games = [await start_game(url, one) for one in range(PEOPLE)]
        alone.append(await _round(f"{number + 1} without", games, []))
        with _empty_loop():
            loop.append(await _round(f"{number + 1} beside a loop", games, []))
        solos = [Solo(await Link.open(url, f"solo {number} {one}")) for one in range(AGAINST_COMPUTER)]
        beside.append(await _round(f"{number + 1} with", games, solos))
        for game in games:
            await game.close()
    print(compared("beside an empty loop", "without it", alone, loop))
    print(compared("with the computer's matches", "without them", alone, beside))
    print(compared("with the computer's matches", "beside the loop", loop, beside))


@contextmanager
def _empty_loop() -> Iterator[None]:
    """A process that wants a core whenever nobody else does, as a worker that thinks."""
    command = [sys.executable, "-c", LOOP]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()  # it is nice from here on
            yield
        finally:
            process.kill()


def spread(rounds: Sequence[float]) -> float:
    """How much rounds usually differ: the standard deviation, as the median distance from the median tells it."""
    middle = statistics.median(rounds)
    return DEVIATION * statistics.median(abs(one - middle) for one in rounds)


def compared(what: str, other: str, without: Sequence[float], beside: Sequence[float]) -> str:
    """What one kind of rounds did to people's 99th percentile (ms of each round), and whether that is noise."""
    differ, noise = statistics.median(beside) - statistics.median(without), spread(without)
    verdict = "within" if abs(differ) <= BEYOND * noise else "beyond"
    return (
        f"{what} the median p99 is {differ:+.1f} ms, {verdict} noise:"
        f" {other} rounds have a spread of {noise:.1f} ms (median deviation; {BEYOND} of it are noise)"
    )


async def _round(name: str, games: Sequence[Game], solos: Sequence[Solo]) -> float:
    """Print it; returns people's 99th percentile, in ms."""
    tasks = [asyncio.create_task(solo.play()) for solo in solos]
    thoughts = [[random.uniform(*THOUGHT_S) for _ in range(MOVES_EACH)] for _ in games]
    measured: Measured = await play_all(games, MOVES_EACH, thoughts)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    moves = sum(solo.moves for solo in solos)
    hasty = sum(await asyncio.gather(*(solo.end() for solo in solos)))
    p99 = measured.percentile_ms(0.99)
    print(
        f"{name:<18} {measured.moves / measured.wall_s:7.0f} {measured.percentile_ms(0.5):8.1f} {p99:8.1f}"
        f" {moves / measured.wall_s:20.1f} {hasty / max(moves, 1):10.0%} {os.getloadavg()[0]:6.1f}",
        flush=True,
    )
    return p99


def moves_a_second() -> None:
    """Print for each game and level how many moves a core finds in a second, and the longest in ms (CPU time)."""
    print(f"\n{'game':<24} " + " ".join(f"{known.name:>18}" for known in LEVELS))
    for name, game in load_catalogue().items():
        if game.levels and game.offered:
            row = [_found(game, known.name) for known in LEVELS]
            print(f"{name:<24} " + " ".join(f"{rate:>8.1f}/s {longest:>5.0f} ms" for rate, longest in row), flush=True)


def _found(game: AnyGame, level: str) -> tuple[float, float]:
    took = []
    for seed in range(POSITIONS):
        rng, state = random.Random(seed), game.new(game.parse_options({}))
        for _ in range(4 * seed):
            if game.to_move(state) is None:
                break
            state = game.play(state, rng.choice(game.legal_moves(state)))
        if game.to_move(state) is not None:
            began = time.process_time()
            players.choose(game, state, level, seed)
            took.append(time.process_time() - began)
    return len(took) / max(sum(took), 1e-9), max(took) * 1000


def main() -> None:
    """Print both tables."""
    with running() as sides:
        uvloop.run(beside_people(next(side.url for side in sides if side.name == "this hub")))
    moves_a_second()
