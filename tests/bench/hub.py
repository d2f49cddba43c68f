"""What the hub and its store cost: moves beside a bare relay that checks and stores nothing, and doing nothing.

All servers are up side by side, and each piece of work is done by each of them in every round, in random order. The
loads are closed loops: a move is sent when its player has seen the last. `--compare REV` has the hub of another
revision in the same run; what counts are ratios within a round, told as their median, lowest and highest.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
from collections import defaultdict
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

import uvloop

from tests.bench.load import Contest, Link, Measured, close_all, play_all, start_exchange, start_game
from tests.bench.sides import Side, running

ROUNDS = 4
MOVES = 1_200
"""Moves of each side in each round, over all its games together; a game has 112."""
WARM_UP_MOVES = 4
GAMES_ALONE = 12
"""Games of a side that is given one game at a time, one after the other."""
THOUGHT_S = (0.125, 0.375)
SPECTATORS = 200
SPECTATED_MOVES = 20
IDLE_SEATS = 1_000
IDLE_S = 5.0
COMERS = 400
COMERS_ROUNDS = 10
"""So many pairs of guests of each side come and go in all; what goes on behind an answer counts for the next part."""
T = TypeVar("T")


@dataclass
class Row:
    """What one side took for one piece of work, by round: CPU of server and store in ms for 1,000 moves."""

    server_ms: list[float] = field(default_factory=list)
    store_ms: list[float] = field(default_factory=list)
    measured: Measured = field(default_factory=Measured)
    worst_flush_ms: int = 0

    @property
    def both_ms(self) -> list[float]:
        """Server and store together, by round."""
        return [server + store for server, store in zip(self.server_ms, self.store_ms, strict=True)]


@dataclass(frozen=True)
class Piece:
    """A piece of work: so many games at once, and how often each moves in a round; or one at a time."""

    name: str
    games: int
    moves_each: int
    paced: bool = False
    spectators: int = 0
    one_at_a_time: int = 0

    async def open(self, side: Side) -> list[Contest]:
        """Start all games and play a little."""
        start = start_exchange if side.relay else lambda url: start_game(url, random.randrange(10**9))
        contests: list[Contest] = [await start(side.url) for _ in range(self.one_at_a_time or self.games)]
        for contest in contests:
            for _ in range(self.spectators):
                await contest.watch()
        await play_all(contests, WARM_UP_MOVES)
        return contests

    async def round(self, contests: Sequence[Contest], number: int) -> Measured:
        """One round of it."""
        if self.one_at_a_time:
            each = self.one_at_a_time // ROUNDS
            total = Measured()
            for contest in contests[number * each : (number + 1) * each]:
                _add(total, await play_all([contest], self.moves_each))
            return total
        thoughts = [[random.uniform(*THOUGHT_S) for _ in range(self.moves_each)] for _ in contests]
        return await play_all(contests, self.moves_each, thoughts if self.paced else ())


PIECES = (
    Piece("1 game alone", 1, 100, one_at_a_time=GAMES_ALONE),
    Piece("50 games", 50, MOVES // 50),
    Piece("200 games", 200, MOVES // 200),
    Piece("100 games, 125 to 375 ms of thought", 100, MOVES // 100, paced=True),
    Piece(f"1 game, {SPECTATORS} spectators", 1, SPECTATED_MOVES, spectators=SPECTATORS),
)


def _add(total: Measured, part: Measured) -> None:
    total.moves += part.moves
    total.waits_s += part.waits_s
    total.wall_s += part.wall_s


async def _measured(side: Side, row: Row, work: Awaitable[Measured]) -> None:
    side.forget_flushes()
    server_s, store_s = -side.server.cpu_s(), -side.store.cpu_s() if side.store else 0.0
    measured = await work
    server_s, store_s = server_s + side.server.cpu_s(), store_s + (side.store.cpu_s() if side.store else 0.0)
    row.server_ms.append(server_s * 1e6 / measured.moves)
    row.store_ms.append(store_s * 1e6 / measured.moves)
    row.worst_flush_ms = max(row.worst_flush_ms, side.worst_flush_ms())
    _add(row.measured, measured)


async def piece_of_work(piece: Piece, sides: Sequence[Side]) -> None:
    """Do it at all sides, a round of each in turn, and print the rows."""
    rows = {side.name: Row() for side in sides}
    contests = {side.name: await piece.open(side) for side in sides}
    for number in range(ROUNDS):
        for side in random.sample(sides, len(sides)):
            await _measured(side, rows[side.name], piece.round(contests[side.name], number))
    for side in sides:
        await close_all(contests[side.name])
    _print(piece.name, rows)


HEAD = f"{'':38} {'moves/s':>8} {'p50 ms':>7} {'p99 ms':>7} {'hub':>6} {'store':>6} {'load':>5} {'flush':>6}  x relay"


def _print(name: str, rows: dict[str, Row]) -> None:
    print(name)
    relay, this, *other = rows.values()
    load = os.getloadavg()[0]
    for side, row in rows.items():
        measured = row.measured
        print(
            f"  {side:36} {measured.moves / measured.wall_s:8.0f} {measured.percentile_ms(0.5):7.2f}"
            f" {measured.percentile_ms(0.99):7.2f} {median(row.server_ms):6.0f} {median(row.store_ms):6.0f}"
            f" {load:5.1f} {row.worst_flush_ms:6}  {'' if row is relay else _ratios(row.both_ms, relay.both_ms)}",
            flush=True,
        )
    for before in other:
        print(f"  {'this : compared, hub':36} {_ratios(this.server_ms, before.server_ms)}")
        print(f"  {'this : compared, hub and store':36} {_ratios(this.both_ms, before.both_ms)}", flush=True)


def _ratios(ours: Sequence[float], others: Sequence[float]) -> str:
    ratios = sorted(one / other for one, other in zip(ours, others, strict=True))
    return f"{median(ratios):5.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


# Without moves --------------------------------------------------------------------------------------------------------


class Coming:
    """Two guests of one side who come and go, and what each part of that took: CPU of hub and store in s."""

    def __init__(self, side: Side) -> None:
        assert side.store is not None
        self._url, self._hub, self._store = side.url, side.server.as_now(), side.store.as_now()
        self.hub_s: defaultdict[str, float] = defaultdict(float)
        self.store_s: defaultdict[str, float] = defaultdict(float)

    async def cycle(self) -> None:
        """Connect, say hello, create a match, join and leave it, and go."""
        host, guest = [await self._part("connect", Link.connect(self._url)) for _ in range(2)]
        await self._part("hello", host.hello("host"))
        await self._part("hello", guest.hello("guest"))
        match = (await self._part("create", host.ask("create", game="dots-and-boxes")))["match"]
        await self._part("join", guest.ask("join", match=match))
        await self._part("leave", guest.ask("leave", match=match))
        await self._part("close", host.socket.close())
        await self._part("close", guest.socket.close())

    async def _part(self, name: str, work: Awaitable[T]) -> T:
        hub_s, store_s = self._used_s()
        done = await work
        hub_then_s, store_then_s = self._used_s()
        self.hub_s[name] += hub_then_s - hub_s
        self.store_s[name] += store_then_s - store_s
        return done

    def hub_used_s(self) -> float:
        """All parts together, of the hub alone."""
        return sum(self.hub_s.values())

    def used_s(self) -> float:
        """The same with the store."""
        return self.hub_used_s() + sum(self.store_s.values())

    def _used_s(self) -> tuple[float, float]:
        return self._hub.cpu_s(), self._store.cpu_s()


async def coming_and_going(sides: Sequence[Side]) -> None:
    """What two guests cost who come and go: a cycle of each side in turn, so that others' load meets all alike."""
    rounds: list[list[Coming]] = []
    for _ in range(1 + COMERS_ROUNDS):
        rounds.append([Coming(side) for side in sides])
        for _ in range(COMERS // COMERS_ROUNDS):
            for coming in random.sample(rounds[-1], len(sides)):
                await coming.cycle()
    del rounds[0]  # to warm up
    print("two who come, create, join, leave and go: ms of CPU a cycle, hub + store")
    for number, side in enumerate(sides):
        own = [each[number] for each in rounds]
        told = [
            f"{part} {sum(c.hub_s[part] for c in own) * 1000 / COMERS:.2f}"
            f" + {sum(c.store_s[part] for c in own) * 1000 / COMERS:.2f}"
            for part in own[0].hub_s
        ]
        print(f"  {side.name:36} {', '.join(told)}", flush=True)
    for number in range(1, len(sides)):
        for part in rounds[0][0].hub_s:
            ratios = _ratios(*([each[side].hub_s[part] for each in rounds] for side in (0, number)))
            print(f"  {f'this : compared, hub, {part}':36} {ratios}", flush=True)
        for what, used in (("hub", Coming.hub_used_s), ("hub and store", Coming.used_s)):
            ratios = _ratios(*([used(each[side]) for each in rounds] for side in (0, number)))
            print(f"  {f'this : compared, {what}':36} {ratios}", flush=True)


async def idle(sides: Sequence[Side]) -> None:
    """CPU a second with nobody there, and with IDLE_SEATS seated guests; and what memory one of these takes."""
    nobody = {side.name: await _idle_ms(side) for side in sides}
    print(f"idle: CPU ms a second, hub and store, with nobody; with {IDLE_SEATS} seats; KiB a seat")
    for side in sides:
        before = side.server.memory_kib()
        games = [await start_game(side.url, number) for number in range(IDLE_SEATS // 2)]
        taken = (side.server.memory_kib() - before) / IDLE_SEATS
        seated = await _idle_ms(side)
        await close_all(games)
        (hub, store), (hub_seated, store_seated) = nobody[side.name], seated
        row = f"  {side.name:36} {hub:5.1f} {store:5.1f} {hub_seated:7.1f} {store_seated:5.1f} {taken:7.1f}"
        print(row, flush=True)


async def _idle_ms(side: Side) -> tuple[float, float]:
    assert side.store is not None
    await asyncio.sleep(IDLE_S / 2)  # what was going on is over
    server_s, store_s = side.server.cpu_s(), side.store.cpu_s()
    await asyncio.sleep(IDLE_S)
    return (side.server.cpu_s() - server_s) * 1000 / IDLE_S, (side.store.cpu_s() - store_s) * 1000 / IDLE_S


async def run(sides: Sequence[Side], only: str) -> None:
    """Everything whose name has `only` in it."""
    print(HEAD)
    for piece in PIECES:
        if only in piece.name:
            await piece_of_work(piece, sides)
    hubs = [side for side in sides if not side.relay]
    if only in "coming and going":
        await coming_and_going(hubs)
    if only in "idle":
        await idle(hubs)


def main(compare: str | None = None, only: str = "") -> None:
    """Print all figures. CPU is in ms for 1,000 moves; `flush` is the slowest flush to disk in ms, 0 if none was slow.

    `compare` is a revision whose hub takes part; `only` is a part of the names of those pieces of work that are wanted.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 16_384)), hard))
    with running(compare) as sides:
        uvloop.run(run(sides, only))


if __name__ == "__main__":
    main()
