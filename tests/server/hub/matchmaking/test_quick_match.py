"""What a quick match costs, counted in questions to the store: no more for one who has, or meets, many matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from protocol.messages import Create, QuickMatch
from server.hub.limits.settings import Limits
from tests.driver import RedisProcess
from tests.server.hub.house import House, opened

MANY = 60
"""More than are looked at in one go."""


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    async with opened(redis, Limits(pace=1_000, open_matches=10 * MANY)) as house:
        yield house


async def asked(house: House) -> Counter[str]:
    """How often each of Redis' commands was carried out, so far."""
    stats = await house.straight.info("commandstats")
    return Counter({name.removeprefix("cmdstat_"): each["calls"] for name, each in stats.items()})


async def cost_of_quick_match(house: House, player: str) -> tuple[str, Counter[str]]:
    """The match that it led to, and what was asked of the store for it."""
    await house.keeper.beat()
    before = await asked(house)
    match = (await house.ask(player, QuickMatch, game="square")).match
    return match, await asked(house) - before


async def gone_hosts(house: House, count: int) -> None:
    """So many matches wait, each for a host who has gone."""
    for number in range(count):
        host = house.viewer(f"host {number}", stays=True)
        await house.service.perform(host, Create(ref=house.ref(), game="square"))
        house.service.forget(host)
    await house.tracker.publish()


async def test_ones_own_open_matches_cost_nothing(house: House) -> None:
    """Q12: one question to the store tells that all of them are still there."""
    await house.waiting(private=True)
    await cost_of_quick_match(house, "bo")
    first, one = await cost_of_quick_match(house, "ana")
    for _ in range(MANY):
        await house.waiting(private=True)
    again, many = await cost_of_quick_match(house, "ana")
    assert again == first
    assert many["exists"] <= one["exists"]
    assert many["smembers"] <= one["smembers"]


async def test_what_the_store_has_forgotten_is_no_open_match(house: House) -> None:
    """J13: one of many that is gone is noticed all the same."""
    matches = [await house.waiting(private=True) for _ in range(3)]
    await house.straight.delete(house.store.keys.log(matches[1]))
    assert await house.store.unfinished("ana") == sorted({*matches} - {matches[1]})
    assert await house.straight.scard(house.store.keys.matches_of("ana")) == 2


async def test_hosts_who_are_gone_cost_no_reading(house: House) -> None:
    """B3, Q12: their matches are neither loaded nor asked about one by one; whoever is here behind them is found."""
    await gone_hosts(house, MANY)
    house.keeper.rooms.clear()
    own, many = await cost_of_quick_match(house, "ana")
    assert many["hgetall"] == MANY, "each is asked for once, all together"
    assert many["xrange"] <= 3, "no log is read but that of the own match"
    found, _ = await cost_of_quick_match(house, "bo")
    assert found == own
