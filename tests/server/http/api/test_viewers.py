"""Stays are bounded, end in time, and are let go of (promise 8), without a hub."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protocol.codec import MSGPACK
from protocol.errors import Code, ParlourError, Refusal
from protocol.messages import Pong
from server.http.api import viewers
from server.http.api.viewers import Errand, Stay, Stays
from server.store.people import Guest
from tests.pace import WAIT_S

ANA, BOB = Guest("ana", "Ana"), Guest("bob", "Bob")


class Rooms:
    """Stands for the service and the keeper: rooms that are sets of viewers; one match is private."""

    def __init__(self) -> None:
        self.rooms: dict[str, set[Any]] = {}

    async def perform(self, viewer: Stay, command: Any) -> None:
        await asyncio.sleep(0)
        if command.match == "private":
            raise Refusal(Code.PRIVATE)
        self.rooms.setdefault(command.match, set()).add(viewer)

    def forget(self, viewer: Stay) -> None:
        for room in self.rooms.values():
            room.discard(viewer)

    @property
    def here(self) -> set[tuple[str, str]]:
        return {(viewer.player, match) for match, room in self.rooms.items() for viewer in room}


def made(here_s: float = 60) -> tuple[Rooms, Stays]:
    rooms = Rooms()
    return rooms, Stays(rooms, rooms, here_s)  # type: ignore[arg-type]


async def test_one_stay_for_each_player_and_match() -> None:
    rooms, stays = made()
    first, again = await stays.come(ANA, "m"), await stays.come(ANA, "m")
    assert first is again
    await asyncio.gather(*(stays.come(BOB, "m") for _ in range(5)))
    assert rooms.here == {("ana", "m"), ("bob", "m")}
    assert len(stays) == 2


async def test_it_ends_when_nothing_is_heard() -> None:
    rooms, stays = made(here_s=0.05)
    stay = await stays.come(ANA, "m")
    with stay.polling(stays.here_s):
        await asyncio.sleep(0.2)
        assert rooms.here == {("ana", "m")}
    async with asyncio.timeout(WAIT_S):
        while len(stays):  # noqa: ASYNC110 (there is nothing to wait for: it ends by a timer)
            await asyncio.sleep(0.01)
    assert rooms.here == set()


async def test_who_may_not_follow_has_no_stay() -> None:
    _, stays = made()
    with pytest.raises(Refusal):
        await stays.come(ANA, "private")
    assert len(stays) == 0


async def test_a_room_that_was_let_go_of_is_entered_again() -> None:
    rooms, stays = made()
    await stays.come(ANA, "m")
    rooms.rooms.clear()
    await stays.come(ANA, "m")
    assert rooms.here == {("ana", "m")}


async def test_leaving_ends_it_at_once() -> None:
    rooms, stays = made()
    await stays.come(ANA, "m")
    stays.leave(ANA, "m")
    stays.leave(ANA, "m")
    stays.leave(BOB, "m")
    assert (rooms.here, len(stays)) == (set(), 0)


async def test_one_player_has_so_many_and_the_idlest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "MAX_STAYS_EACH", 3)
    rooms, stays = made()
    polled = await stays.come(ANA, "a")
    with polled.polling(stays.here_s):
        for match in "bcde":
            await stays.come(ANA, match)
    assert rooms.here == {("ana", match) for match in "ade"}
    assert len(stays) == 3


async def test_all_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "MAX_STAYS", 2)
    rooms, stays = made()
    await stays.come(ANA, "a")
    await stays.come(BOB, "a")
    with pytest.raises(ParlourError) as refused:
        await stays.come(Guest("carl", "Carl"), "b")
    assert refused.value.code == Code.BUSY
    assert "carl" not in stays._stays
    with pytest.raises(ParlourError):
        stays.demand_room()
    await stays.stay_on(BOB, "b")
    await stays.come(BOB, "a")
    assert len(rooms.here) == len(stays) == 2


async def test_whatever_happens_wakes_all_who_poll() -> None:
    _, stays = made()
    stay = await stays.come(ANA, "m")
    first, second = stay.expect_news(), stay.expect_news()
    assert not first.is_set()
    stay.send_shared(b"", "m")
    assert first.is_set()
    assert second.is_set()
    third = stay.expect_news()
    assert not third.is_set()
    stays.wake_all()
    assert third.is_set()


def test_an_errand_keeps_what_it_is_sent() -> None:
    errand = Errand(ANA, "en", "192.0.2.1")
    errand.send(Pong(ref="1", now_ms=1))
    errand.send(Pong(ref="2", now_ms=2))
    errand.send_shared(b"", "m")
    assert (errand.player, errand.address, errand.last(Pong).ref) == ("ana", "192.0.2.1", "2")
    assert errand.form.codec is MSGPACK
    assert errand.meter is None
