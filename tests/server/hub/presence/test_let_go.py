"""A room that is let go of leaves no word in the store that somebody is here: it would outlive the match (`K7`)."""

from __future__ import annotations

from contextlib import suppress

import pytest

from protocol.errors import ParlourError
from protocol.messages import Create
from server.hub.rooms.room import NOBODY
from tests.driver import RedisProcess
from tests.faults.trial.proxy import Proxy
from tests.server.hub.house import House


@pytest.mark.parametrize("why", ["forgotten", "unreadable", "empty"])
async def test_who_was_here_is_taken_back(redis: RedisProcess, why: str) -> None:
    """J13, K7: the log has expired under somebody who follows, cannot be read on, or the last one has just gone."""
    async with Proxy(redis.socket) as proxy:
        house = House(proxy, redis)
        try:
            await house.keeper.beat()
            match = (await house.ask(f"host-{why}", Create, game="square")).match
            room, here, log = house.keeper.rooms[match], house.store.keys.here(match), house.store.keys.log(match)
            await house.tracker.publish()
            assert await house.straight.hgetall(here)
            if why == "empty":
                for viewer in list(house.tracker._where):
                    house.tracker.leave_all(viewer)
                room.empty_since = float("-inf")
                await house.keeper.drop_empty()
            else:
                if why == "forgotten":
                    await house.straight.delete(log)
                else:
                    await house.straight.xadd(log, {"e": b"no event"})
                with suppress(ParlourError):
                    await house.keeper.read_again(match)
            assert match not in house.keeper.rooms
            assert room.announced != NOBODY, "provoked"
            assert house.tracker.has_news
            await house.tracker.publish()
            assert not await house.straight.exists(here)
            assert not house.keeper.taken_for_here
        finally:
            await house.close()
