"""What a second hub over the same Redis is good for: games whose two players are at different ones, beside games at one
hub that is alone over its own Redis.

On a machine with few cores the rate says little: all of them share it with the load. So it is told how many moves two
hubs can take as a multiple of one, by the CPU that a move takes of the hubs: 2 would be a move that costs them together
no more than it costs one.
"""

from __future__ import annotations

import os
import random
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import uvloop

from tests.bench.load import Game, close_all, play_all, start_game
from tests.bench.sides import Processes
from tests.driver import HubProcess, RedisProcess

ROUNDS = 6
MOVES = 1_200
GAMES = (1, 50, 200)
WARM_UP_MOVES = 4


@dataclass
class Site:
    """Hubs over one Redis."""

    name: str
    hubs: list[HubProcess]
    store: RedisProcess
    games: list[Game] = field(default_factory=list)
    hub_ms: list[float] = field(default_factory=list)
    store_ms: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)

    async def open(self, games: int) -> None:
        """Begin so many, of each the guest at the last hub."""
        self.games = [await start_game(self.hubs[0].url, number, self.hubs[-1].url) for number in range(games)]
        self.hub_ms, self.store_ms, self.rates = [], [], []
        await play_all(self.games, WARM_UP_MOVES)

    async def round(self) -> None:
        """Play MOVES in all."""
        hubs, store = Processes(*(hub.pid for hub in self.hubs)), Processes(self.store.pid)
        hub_s, store_s = hubs.cpu_s(), store.cpu_s()
        told = await play_all(self.games, min(MOVES // len(self.games), 16))
        self.hub_ms.append((hubs.cpu_s() - hub_s) * 1e6 / told.moves)
        self.store_ms.append((store.cpu_s() - store_s) * 1e6 / told.moves)
        self.rates.append(told.moves / told.wall_s)


def site(stack: ExitStack, name: str, hubs: int) -> Site:
    """Start it; it ends with `stack`."""
    store = RedisProcess(Path(stack.enter_context(tempfile.TemporaryDirectory())))
    store.start()
    stack.callback(store.stop)
    started = []
    for _ in range(hubs):
        hub = HubProcess(Path(stack.enter_context(tempfile.TemporaryDirectory())), "--redis", store.url)
        hub.start()
        stack.callback(hub.stop)
        started.append(hub)
    return Site(name, started, store)


async def run(one: Site, two: Site) -> None:
    """All numbers of games, both sites in every round."""
    print("ms of CPU for 1,000 moves: hubs, store; moves a second; what two can take as a multiple of one")
    for games in GAMES:
        for each in (one, two):
            await each.open(games)
        for _ in range(ROUNDS):
            for each in random.sample([one, two], 2):
                await each.round()
        for each in (one, two):
            figures = [median(values) for values in (each.hub_ms, each.store_ms, each.rates)]
            print(f"  {games:4} games, {each.name:8}" + "".join(f" {figure:6.0f}" for figure in figures), flush=True)
            await close_all(each.games)
        times = sorted(2 * alone / both for alone, both in zip(one.hub_ms, two.hub_ms, strict=True))
        print(f"  {median(times):.2f} ({times[0]:.2f} to {times[-1]:.2f}), load {os.getloadavg()[0]:.1f}", flush=True)


def main() -> None:
    """Print all figures."""
    with ExitStack() as stack:
        uvloop.run(run(site(stack, "one hub", 1), site(stack, "two hubs", 2)))


if __name__ == "__main__":
    main()
