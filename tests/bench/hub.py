"""The hub under load: CPU for 1,000 durable moves beside a bare relay, idle connections, spectators."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import uvloop

from tests.bench.load import Link, Measured, close_all, play_all, relay_all, start_game
from tests.driver import ROOT, HubProcess, RedisProcess, wait_for

GAMES = (1, 50, 200)
MOVES = 4_000
"""Moves in each run, over all its games together; a game has 112."""
WARM_UP_MOVES = 10
IDLE = 1_000
SPECTATORS = 200
SPECTATED_MOVES = 100


class Process:
    """CPU and memory of a process that is being measured."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)

    def cpu_s(self) -> float:
        """Seconds of CPU used so far, in user and kernel."""
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def memory_kib(self) -> float:
        """Resident memory."""
        return float(self._process.memory_info().rss) / 1024


def row(name: str, measured: Measured, cpu_s: float) -> float:
    """Print one line of the table; returns CPU ms for 1,000 moves."""
    cpu_ms = cpu_s * 1000 / measured.moves * 1000
    print(
        f"{name:34} {measured.moves / measured.wall_s:9.0f} {measured.percentile_ms(0.5):8.2f}"
        f" {measured.percentile_ms(0.99):8.2f} {cpu_ms:10.1f}"
    )
    return cpu_ms


async def under_load(hub: HubProcess, relay_url: str, relay: Process) -> None:
    """The main table."""
    print(f"{'':34} {'moves/s':>9} {'p50 ms':>8} {'p99 ms':>8} {'CPU ms/1000':>11}")
    process = Process(hub.pid)
    for count in GAMES:
        matches, moves_each = (MOVES // 100, 100) if count == 1 else (count, min(100, MOVES // count))
        hub_ms = await _hub_row(hub, process, count, matches, moves_each)
        before = relay.cpu_s()
        pairs, each = (1, MOVES) if count == 1 else (count, MOVES // count)
        measured = await relay_all(relay_url, pairs, each)
        relay_ms = row(f"bare relay, {count} pairs", measured, relay.cpu_s() - before)
        print(f"{'':34} hub : relay = {hub_ms / relay_ms:.1f}")


async def _hub_row(hub: HubProcess, process: Process, count: int, matches: int, moves_each: int) -> float:
    games = [await start_game(hub.url, seed) for seed in range(matches)]
    await play_all(games, WARM_UP_MOVES)
    for game in games:
        game.lines = game.lines[WARM_UP_MOVES:]
    before = process.cpu_s()
    total = Measured()
    for start in range(0, matches, count):
        part = await play_all(games[start : start + count], moves_each - WARM_UP_MOVES)
        total.moves += part.moves
        total.waits_s += part.waits_s
        total.wall_s += part.wall_s
    cpu_s = process.cpu_s() - before
    await close_all(games)
    return row(f"hub, {count} games", total, cpu_s)


async def idle_connections(hub: HubProcess) -> None:
    """Memory for a guest who is logged in and does nothing."""
    process = Process(hub.pid)
    warm = [await Link.open(hub.url, f"warm {number}") for number in range(50)]
    before = process.memory_kib()
    links = [await Link.open(hub.url, f"idle {number}") for number in range(IDLE)]
    print(f"idle connection, of {IDLE}:{(process.memory_kib() - before) / IDLE:12.1f} KiB")
    await asyncio.gather(*(link.socket.close() for link in (*warm, *links)))


async def spectators(hub: HubProcess) -> None:
    """What 200 spectators add to the CPU of a move."""
    process = Process(hub.pid)
    costs_ms = []
    for count in (0, SPECTATORS):
        game = await start_game(hub.url, 1)
        watchers = [await Link.open(hub.url, f"watcher {number}") for number in range(count)]
        for watcher in watchers:
            await watcher.ask("watch", match=game.match)
        last = game.version + SPECTATED_MOVES
        reading = [asyncio.create_task(watcher.until("version", last)) for watcher in watchers]
        before = process.cpu_s()
        measured = await play_all([game], SPECTATED_MOVES)
        await asyncio.gather(*reading)
        costs_ms.append((process.cpu_s() - before) * 1000 / measured.moves)
        await close_all([game])
        await asyncio.gather(*(watcher.socket.close() for watcher in watchers))
    print(f"{SPECTATORS} spectators add to a move:{costs_ms[1] - costs_ms[0]:10.2f} ms of CPU")


@contextmanager
def running(folder: Path) -> Iterator[tuple[HubProcess, str, Process]]:
    """A hub over a real Redis flushed always, and the relay; all ended afterwards."""
    redis = RedisProcess(folder)
    redis.start()
    hub = HubProcess(folder, "--redis", redis.url)
    hub.start()
    port_file = folder / "relay"
    relay = subprocess.Popen([sys.executable, "-m", "tests.bench.relay", str(port_file)], cwd=ROOT)
    try:
        wait_for(port_file.exists)
        yield hub, f"ws://127.0.0.1:{port_file.read_text()}", Process(relay.pid)
    finally:
        relay.kill()
        hub.stop()
        redis.stop()


async def run(hub: HubProcess, relay_url: str, relay: Process) -> None:
    """Everything, in one go."""
    await under_load(hub, relay_url, relay)
    await idle_connections(hub)
    await spectators(hub)


def main() -> None:
    """Print all figures."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8_192)), hard))
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as (hub, relay_url, relay):
        uvloop.run(run(hub, relay_url, relay))


if __name__ == "__main__":
    main()
