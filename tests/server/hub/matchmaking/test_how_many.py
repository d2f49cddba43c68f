"""How many unfinished matches a player may have: asked where the match is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from protocol.errors import Code, Refusal
from protocol.messages import QuickMatch
from tests.driver import RedisProcess
from tests.server.hub.house import House, opened


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    async with opened(redis) as house:
        yield house


async def test_matches_that_are_forgotten_take_no_place(house: House) -> None:
    """A list may name matches that nobody has touched for their lifetime: these are looked for when it is full."""
    own = [await house.waiting() for _ in range(house.limits.open_matches)]
    with pytest.raises(Refusal) as caught:
        await house.waiting()
    assert (caught.value.code, caught.value.data["limit"]) == (Code.TOO_MANY, house.limits.open_matches)
    await house.straight.delete(house.store.keys.log(own[0]))
    own[0] = await house.waiting()
    assert await house.store.unfinished("ana") == sorted(own)
    with pytest.raises(Refusal):
        await house.waiting()


async def test_games_that_go_on_from_moves_count_like_all(house: House) -> None:
    first = await house.waiting()
    legal = house.keeper.rooms[first].match.legal
    own = [first, await house.waiting(moves=(legal[0],))]
    with pytest.raises(Refusal) as caught:
        await house.waiting(moves=(legal[0],))
    assert caught.value.code == Code.TOO_MANY
    assert await house.store.unfinished("ana") == sorted(own)


async def test_quick_match_opens_none_too_many_while_others_are_hosted(house: House) -> None:
    """Asked first whether there is room, it looks around before it opens one: others take the room meanwhile."""

    async def hosted() -> str:
        for _ in range(2):  # as many questions as quick match has before it knows that there is room
            await house.store.unfinished("ana")
        return await house.waiting(private=True)

    quick = asyncio.create_task(house.ask("ana", QuickMatch, game="square"))
    own = await asyncio.gather(*(hosted() for _ in range(house.limits.open_matches)))
    with pytest.raises(Refusal) as caught:
        await quick
    assert caught.value.code == Code.TOO_MANY
    assert await house.store.unfinished("ana") == sorted(own)
