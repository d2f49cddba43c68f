"""What a hub keeps in mind of halls."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from server.http.dog import halls
from server.http.dog.book import MAX_HALLS, HallBook
from server.http.dog.halls import Hall
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess


@pytest_asyncio.fixture
async def store(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    made = RedisStore(redis.url, "one")
    yield made
    await made.close()


async def test_halls_that_nobody_is_in_are_not_kept(store: RedisStore) -> None:
    """H: whoever asks for a hundred games that are not there leaves nothing behind."""
    book = HallBook(store)
    for number in range(100):
        assert await book.hall(f"nobody {number}") == Hall()
    assert book.names == []
    assert book.has_room_for("another")


async def test_a_change_is_judged_on_what_another_hub_has_stored(store: RedisStore) -> None:
    one, two = HallBook(store), HallBook(store)
    for number, book in enumerate((one, two) * 5):
        player = str(number)
        await book.change("h", lambda hall, p=player: halls.register(hall, p, "Ana", 1, lambda *_: True))  # type: ignore[misc]
    assert set((await one.change("h", lambda hall: hall)).guests) == {str(number) for number in range(10)}
    assert one.names == two.names == ["h"]


async def test_there_is_a_bound_on_halls(store: RedisStore) -> None:
    book = HallBook(store)
    for number in range(MAX_HALLS):
        book._read[str(number)] = (0.0, b"", Hall())
    assert not book.has_room_for("one more")
    assert book.has_room_for("7")
