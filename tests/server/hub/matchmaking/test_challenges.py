"""What ends a challenge that nobody answers, and what the store still knows of it then; over a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import pytest

from protocol.messages import Challenge, Challenged, ChallengeOver, Hello, Message
from server.hub.limits.settings import Limits
from server.store.port import ChallengeNotice
from tests.driver import RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.pace import WAIT_S
from tests.server.hub.conftest import Reader
from tests.server.hub.house import House

T = TypeVar("T")
SOON = Limits(pace=1_000, challenge_s=0.05)


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    """A hub at which a challenge stands for a moment."""
    async with Proxy(redis.socket) as proxy:
        found = House(proxy, redis, SOON)
        yield found
        await found.close()


async def come(house: House, name: str) -> Reader:
    """Somebody comes to stay."""
    viewer = house.viewer("", stays=True)
    await house.service.perform(viewer, Hello(ref=house.ref(), name=name))
    return viewer


async def until(holds: Callable[[], Awaitable[T | None]]) -> T:
    """What that gives once it gives something."""
    async with asyncio.timeout(WAIT_S):
        while True:
            if (found := await holds()) is not None:
                return found
            await asyncio.sleep(0.005)


def last(viewer: Reader, kind: type[Message]) -> Any:
    """The newest message of a kind."""
    return next((message for message in reversed(viewer.received) if isinstance(message, kind)), None)


async def test_a_challenge_runs_out_and_nothing_of_it_stays(house: House) -> None:
    ana, bo = await come(house, "Ana"), await come(house, "Bo")
    await house.service.perform(ana, Challenge(ref=house.ref(), name="Bo", game="square"))
    (key,) = await house.straight.keys("*:challenge:*")
    challenge = key.decode().rpartition(":")[2]
    notice = ChallengeNotice(challenge, (ana.player, bo.player))
    await house.service.challenges.take(notice)
    assert last(ana, Challenged).mine
    assert not last(bo, Challenged).mine

    async def told() -> ChallengeOver | None:
        await house.service.challenges.take(notice)
        found: ChallengeOver | None = last(bo, ChallengeOver)
        return found

    over = await until(told)
    assert (over.fate, over.text) == ("expired", "The challenge of Ana has run out.")
    for kept in await house.straight.keys("*challenge*"):
        assert 0 < await house.straight.pttl(kept) <= 60_000
    assert not await house.straight.keys("*:match:*")
