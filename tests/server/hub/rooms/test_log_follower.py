"""What a hub asks of the store about all its rooms, over many of them."""

from __future__ import annotations

from server.games import load_catalogue
from server.hub.presence.identity import new_id
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.log_follower import ASKED_AT_ONCE
from server.match.machine import Asked, create
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess

CATALOGUE = load_catalogue()


async def test_of_many_rooms_each_is_followed_again_in_its_turn(redis: RedisProcess) -> None:
    """Q10: of two hundred and one, all whose lists of followers were spoilt are followed again after three looks."""
    store = RedisStore(redis.url, new_id())
    keeper = Keeper(store, CATALOGUE)
    await keeper.beat()
    many = 2 * ASKED_AT_ONCE + 1
    for _ in range(many):
        created = create(CATALOGUE["square"], {}, "Ana", Asked("host", "create", store.now_ms()), seed=1)
        match_id = new_id()
        await keeper.open(match_id, [created])
        await keeper.room(match_id)
    lists = [store.keys.hubs_of(match_id) for match_id in keeper.rooms]
    await store._reader.delete(*lists)
    followed = []
    for _ in range(3):
        await keeper.follow_unheard()
        followed.append(await store._reader.exists(*lists))
    assert followed == [ASKED_AT_ONCE, 2 * ASKED_AT_ONCE, many]
    await store.close()
