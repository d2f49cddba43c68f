"""Seats of those who were gone at once (B2), and hosts of whom only the store knows that they are there (B3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from protocol.messages import Join, Ping, QuickMatch
from server.hub.matchmaking import no_shows
from server.hub.rooms.room import Room
from server.match.state import Status
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.server.hub.conftest import Reader
from tests.server.hub.house import House, opened


@pytest.fixture
async def house(redis: RedisProcess, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(no_shows, "FREE_AFTER_S", 0.01)
    async with opened(redis) as house:
        yield house


@pytest.fixture
async def elsewhere(redis: RedisProcess, house: House) -> AsyncIterator[RedisStore]:
    """Another hub, of which the one of `house` hears nothing: nobody listens there."""
    store = RedisStore(redis.url, "elsewhere")
    yield store
    await store.close()


async def guest_of(house: House, match: str, *, stays: bool = True) -> Reader:
    """Bo, who has just sat down."""
    guest = house.viewer("bo", stays=stays)
    await house.service.perform(guest, Join(ref=house.ref(), match=match))
    assert house.keeper.rooms[match].match.status is Status.PLAYING
    return guest


async def seat_after_going(house: House, guest: Reader, match: str) -> Status:
    """The match after a guest's connection has gone, and was looked for."""
    house.service.forget(guest)
    await asyncio.gather(*house.service._no_shows._looking)
    return house.keeper.rooms[match].match.status


async def test_b2_who_is_gone_at_once_never_sat(house: House) -> None:
    match = await house.waiting()
    guest = await guest_of(house, match)
    assert await seat_after_going(house, guest, match) is Status.WAITING


async def test_b2_who_asked_for_something_has_the_seat(house: House) -> None:
    match = await house.waiting()
    guest = await guest_of(house, match)
    await house.service.perform(guest, Ping(ref="p"))
    assert await seat_after_going(house, guest, match) is Status.PLAYING


async def test_b2_who_was_there_for_a_while_has_the_seat(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await house.waiting()
    guest = await guest_of(house, match)
    monkeypatch.setattr(no_shows, "AT_ONCE_S", 0.0)
    assert await seat_after_going(house, guest, match) is Status.PLAYING


async def test_b2_who_came_by_a_request_has_the_seat(house: House) -> None:
    """There is no connection that could be lost; every request ends at once."""
    match = await house.waiting()
    guest = await guest_of(house, match, stays=False)
    assert await seat_after_going(house, guest, match) is Status.PLAYING


async def test_b2_who_is_back_at_another_hub_has_the_seat(house: House, elsewhere: RedisStore) -> None:
    """Also where no word of it has come yet."""
    match = await house.waiting()
    guest = await guest_of(house, match)
    await elsewhere.beat()
    await elsewhere.announce_presence(match, {"1": 1})
    assert await seat_after_going(house, guest, match) is Status.PLAYING


async def waiting_without_host(house: House) -> Room:
    """A match whose host is not at this hub."""
    host = house.viewer("ana", stays=True)
    await house.service.perform(host, QuickMatch(ref=house.ref(), game="square"))
    (room,) = house.keeper.rooms.values()
    house.service.forget(host)
    await house.tracker.publish()
    assert house.tracker.here(room) == (False, False)
    return room


async def test_b3_a_host_who_has_come_to_another_hub_is_there(house: House, elsewhere: RedisStore) -> None:
    """It is the store that is asked last: neither that hub nor its word was heard of here."""
    room = await waiting_without_host(house)
    await elsewhere.beat()
    await elsewhere.announce_presence(room.match.id, {"0": 1})
    assert (await house.ask("bo", QuickMatch, game="square")).match == room.match.id
    assert room.match.absence.away == (False, False)


async def test_b3_a_host_of_whom_a_dead_hub_speaks_is_gone(house: House, elsewhere: RedisStore) -> None:
    """And nobody is asked again whether that hub lives."""
    room = await waiting_without_host(house)
    await elsewhere.announce_presence(room.match.id, {"0": 1})
    assert (await house.ask("bo", QuickMatch, game="square")).match != room.match.id
    assert room.match.status is Status.WAITING
    beats = house.keeper._beaten
    assert await house.tracker.look_up(room) == (False, False)
    assert house.keeper._beaten == beats
