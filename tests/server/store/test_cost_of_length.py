"""What a move costs the store has nothing to do with how long its log is, or how many matches are kept beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest_asyncio

from server.store.port import Append, Appended, Index
from server.store.receipts import Receipt, Ref
from server.store.redis_store import RedisStore, connect
from tests.driver import RedisProcess
from tests.faults.trial.proxy import UP, Proxy

LENGTHS = (10, 1_000, 10_000)
FINISHED, AT_ONCE = 10_000, 1_000
"""Of 100,000 it is so as well; a script that makes them all at once would hold Redis up for seconds."""
DIGITS = 40
"""Bytes by which numbers of five digits are longer than those of two, in all that is said for a move."""
FINISHED_ONES = """
for number = tonumber(ARGV[2]) + 1, ARGV[2] + ARGV[3] do
  redis.call('XADD', (string.gsub(ARGV[1], '@', number)), '60-0', 'e', 'the end')
end
"""


class Cost(NamedTuple):
    """Of one move: what Redis carried out, scripts' commands included, and the bytes on the way there and back."""

    commands: dict[str, int]
    there: int
    back: int


class Meter:
    """A store whose link runs past a counter, and a straight way to Redis."""

    def __init__(self, proxy: Proxy, redis: RedisProcess) -> None:
        self.store = RedisStore(f"redis://127.0.0.1:{proxy.port}", "one")
        self.straight: Any = connect(redis.url, 1)
        self.there = self.back = 0
        proxy.alter = self._count

    def _count(self, way: str, data: bytes) -> bytes:
        if way == UP:
            self.there += len(data)
        else:
            self.back += len(data)
        return data

    async def grow(self, match: str, length: int) -> None:
        """Until the log has so many events."""
        version = len(await self.store.read(match))
        while version < length:
            count = min(500, length - version)
            assert await self.store.append(Append(match=match, base=version, events=[b"e" * 60] * count)) == "stored"
            version += count

    async def move(self, match: str, base: int) -> Cost:
        """One event as a move makes it."""
        index = Index(deadline_ms=1_800_000_000_000)
        refs = (Ref("p", f"r{base:05}", "", Receipt(match, base + 1)),)
        move = Append(match=match, base=base, events=[b"m" * 60], index=index, refs=refs)
        there, back, before = self.there, self.back, await self._commands()
        assert await self.store.append(move) is Appended.STORED
        after = await self._commands()
        commands = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
        return Cost(commands, self.there - there, self.back - back)

    async def _commands(self) -> dict[str, int]:
        told = await self.straight.info("commandstats")
        return {name: stats["calls"] for name, stats in told.items() if name not in ("cmdstat_info", "cmdstat_client")}

    async def close(self) -> None:
        await self.store.close()
        await self.straight.aclose(close_connection_pool=True)


@pytest_asyncio.fixture
async def meter(redis: RedisProcess) -> AsyncIterator[Meter]:
    async with Proxy(redis.socket) as proxy:
        made = Meter(proxy, redis)
        try:
            yield made
        finally:
            await made.close()


def alike(first: Cost, second: Cost) -> bool:
    """The same commands, and as many bytes but for digits."""
    return first.commands == second.commands and all(
        abs(one - other) <= DIGITS for one, other in zip(first[1:], second[1:], strict=True)
    )


async def test_the_length_of_the_log_does_not_enter(meter: Meter) -> None:
    await meter.grow("m", 5)
    await meter.move("m", 5)  # Redis has the script from here on
    costs = []
    for length in LENGTHS:
        await meter.grow("m", length)
        costs.append(await meter.move("m", length))
    assert all(alike(costs[0], cost) for cost in costs), costs
    assert costs[0].commands["cmdstat_xadd"] == 1
    assert costs[0].there > 60


async def test_the_number_of_finished_matches_does_not_enter(meter: Meter) -> None:
    await meter.grow("m", 5)
    await meter.move("m", 5)
    alone = await meter.move("m", 6)
    for made in range(0, FINISHED, AT_ONCE):
        await meter.straight.eval(FINISHED_ONES, 0, meter.store.keys.log("@"), made, AT_ONCE)
    assert await meter.straight.dbsize() > FINISHED
    assert alike(alone, await meter.move("m", 7))
