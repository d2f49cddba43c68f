"""What a thousand games at once feel like: how long moves take at 1,000 a second, beside the bare relay's in the same
run, and what held the hub up meanwhile.

The loop is seen four times a second, searches for garbage all: see `parlour_loop_late_seconds` and
`parlour_garbage_seconds`.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import resource
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import uvloop

from tests.bench.load import Contest, close_all, play_all, start_exchange, start_game
from tests.bench.sides import Side, running

GAMES = 1_000
WATCHED_EACH = 2
"""Every second game has a spectator."""
MOVES_EACH = 30
THOUGHT_S = (0.5, 1.5)
"""Stretched so that all games are over in MOVES_EACH seconds."""
WARM_UP_MOVES = 2
SETTLED_S = 3.0
PAUSES = {"turns of the loop": "parlour_loop_late_seconds", "searches for garbage": "parlour_garbage_seconds"}
OPEN_FILES = 16_384


async def contests_of(side: Side) -> list[Contest]:
    """All games, begun."""
    contests: list[Contest] = []
    for number in range(GAMES):
        one: Contest = await (start_exchange(side.url) if side.relay else start_game(side.url, number))
        if number % WATCHED_EACH == 0:
            await one.watch()
        contests.append(one)
    await play_all(contests, WARM_UP_MOVES)
    return contests


def thoughts_s() -> list[float]:
    """How long is thought before each move of a game."""
    each = [random.uniform(*THOUGHT_S) for _ in range(MOVES_EACH)]
    return [MOVES_EACH * one_s / sum(each) for one_s in each]


async def measured(side: Side) -> None:
    """Play at one side, and print its row."""
    contests = await contests_of(side)
    await asyncio.sleep(SETTLED_S)
    side.forget_flushes()
    before, server_s, store_s = late(side), side.server.cpu_s(), side.store.cpu_s() if side.store else 0.0
    with no_search_of_ours():
        told = await play_all(contests, MOVES_EACH, [thoughts_s() for _ in contests])
    server_s, store_s = side.server.cpu_s() - server_s, (side.store.cpu_s() if side.store else 0.0) - store_s
    waits = "".join(f" {told.percentile_ms(part):8.1f}" for part in (0.5, 0.99, 0.999, 1.0))
    cpu = f"{server_s * 1e6 / told.moves:6.0f} {store_s * 1e6 / told.moves:6.0f}"
    row = f"{told.moves / told.wall_s:8.0f} {waits} {cpu} {os.getloadavg()[0]:5.1f} {side.worst_flush_ms():6}"
    print(f"  {side.name:12} {row}", flush=True)
    for what, longer in late(side).items():
        counts = {bound: count - before[what].get(bound, 0) for bound, count in longer.items()}
        print(f"    {what}: {', '.join(f'{count} up to {bound} s' for bound, count in counts.items() if count)}")
    await close_all(contests)


@contextmanager
def no_search_of_ours() -> Iterator[None]:
    """Among some thousand connections the load's own search for garbage takes 0.3 s, and would count as the hub's."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def late(side: Side) -> dict[str, dict[str, int]]:
    """How many of each kind of pause took up to how many seconds, and longer than the bound before; {} of the relay."""
    if side.relay:
        return {}
    page = side.url.replace("ws://", "http://").removesuffix("/ws") + "/metrics"
    with urllib.request.urlopen(page) as answer:
        lines = answer.read().decode().splitlines()
    return {what: _steps(lines, name) for what, name in PAUSES.items()}


def _steps(lines: list[str], name: str) -> dict[str, int]:
    upto: dict[str, int] = {}
    for line in lines:
        if line.startswith(f"{name}_bucket"):
            bound = line.partition('le="')[2].partition('"')[0]
            upto[bound] = upto.get(bound, 0) + int(float(line.rpartition(" ")[2]))
    return _each(upto)


def _each(upto: Mapping[str, int]) -> dict[str, int]:
    before = [0, *upto.values()]
    return {bound: count - less for (bound, count), less in zip(upto.items(), before, strict=False)}


async def run(sides: list[Side]) -> None:
    """The relay, then the hub."""
    print(f"{GAMES} games with {GAMES // WATCHED_EACH} spectators; ms of waiting, ms of CPU for 1,000 moves")
    print(f"  {'':12} {'moves/s':>8}       p50      p99    p99.9    worst    hub  store  load  flush")
    for side in sides:
        await measured(side)


def main() -> None:
    """Print both rows, and what held the hub up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, OPEN_FILES)), hard))
    with running() as sides:
        uvloop.run(run(sides))


if __name__ == "__main__":
    main()
