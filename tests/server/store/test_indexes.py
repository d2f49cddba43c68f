"""What the hub relies on in any store: its indexes, the lobby's, the deadlines' and the players'."""

from __future__ import annotations

import asyncio
from math import inf
from typing import Any

from server.store.people import Admission, Guest
from server.store.port import (
    Aim,
    Appended,
    Index,
)
from server.store.receipts import Receipt, Ref
from server.store.redis_store import RedisStore
from tests.server.store.appending import append


async def test_the_lobby_changes_with_the_log(store: RedisStore) -> None:
    await append(store, 0, index=Index(lobby=b"waiting"))
    await append(store, 0, match="n", index=Index(lobby=b"other"))
    await append(store, 1, index=Index(lobby=b"playing"))
    rows, change = await store.lobby()
    assert (rows, change) == ({"m": b"playing", "n": b"other"}, 3)
    await append(store, 2, index=Index(lobby=b""))
    assert await store.lobby() == ({"n": b"other"}, 4)


async def test_who_waits_is_found_oldest_first(store: RedisStore) -> None:
    for number, match in enumerate("cab", 1):
        await append(store, 0, match=match, index=Index(group="g", waiting=True))
        assert await store.waiting("g") == (list("cab")[:number], number)
    await append(store, 1, match="a", index=Index(group="g", waiting=False))
    assert await store.waiting("g") == (["c", "b"], 3)
    assert await store.waiting("other") == ([], 0)


async def test_two_who_look_for_each_other_do_not_both_wait(store: RedisStore, other: RedisStore) -> None:
    """The condition of quick match: 100 rounds of two hubs that saw nobody and want to wait both."""
    for number in range(100):
        group = f"g{number}"
        seen = (await store.waiting(group)).arrivals
        outcomes = await asyncio.gather(
            *(
                append(hub, 0, match=f"{name}{number}", index=Index(group=group, waiting=True), unless_newer=seen)
                for hub, name in ((store, "a"), (other, "b"))
            )
        )
        assert sorted(outcomes) == [Appended.CONFLICT, Appended.STORED]
        assert len((await store.waiting(group)).matches) == 1


async def test_q8_an_aim_is_moved_by_one_of_many(store: RedisStore, other: RedisStore, operator: Any) -> None:
    """Q8: two hubs that lead one player at once go for one match, for each group one."""
    for number in range(50):
        group = f"a{number}"
        moved = await asyncio.gather(store.move_aim("ana", group, "", "x"), other.move_aim("ana", group, "", "y"))
        assert sorted(moved) == [False, True]
        aim = await store.aim("ana", group)
        assert aim == await other.aim("ana", group) == ("x" if moved[0] else "y")
        assert not await store.move_aim("ana", group, "z", "w")
        assert await store.aim("bob", group) == ""
    assert 0 < await operator.pttl(store.keys.aim("ana", "a0")) <= 30_000


async def test_q8_a_match_is_not_opened_when_the_aim_has_been_moved(store: RedisStore) -> None:
    """Q8: the hub that was slow opens nothing beside the match to which another one has led the player."""
    aim = Aim("ana", "g")
    assert await append(store, 0, match="m", aim=aim) is Appended.CONFLICT
    await store.move_aim("ana", "g", "", "m")
    assert await append(store, 0, match="m", aim=aim) is Appended.STORED
    await store.move_aim("ana", "g", "m", "n")
    assert await append(store, 0, match="o", aim=aim) is Appended.CONFLICT
    assert await store.read("o") == []


async def test_deadlines_are_found_when_they_have_passed(store: RedisStore) -> None:
    await append(store, 0, index=Index(deadline_ms=500))
    await append(store, 0, match="n", index=Index(deadline_ms=300))
    assert await store.due(299, 10) == []
    assert await store.due(500, 10) == ["n", "m"]
    assert await store.due(500, 1) == ["n"]
    assert (await store.deadline("n"), await store.deadline("nothing")) == (300, None)
    await store.set_deadline("n", 1, 900)
    await store.set_deadline("n", 2, 1)  # of a version that is not the newest: the deadline stays
    assert await store.due(899, 10) == ["m"]
    await append(store, 1, index=Index(deadline_ms=0))
    await store.set_deadline("n", 0, None)
    assert await store.deadline("n") == 900
    await store.set_deadline("n", 1, None)
    await store.set_deadline("m", 2, 1)
    await store.set_deadline("nothing", 0, 1)
    assert await store.due(10_000, 10) == []


async def test_the_first_deadline_is_known_from_beats_and_from_what_is_set_here(
    store: RedisStore, other: RedisStore
) -> None:
    """No hub has to ask for what may be due several times a second."""
    await store.beat()
    assert store.first_deadline_ms == inf
    await append(store, 0, index=Index(deadline_ms=500))
    assert store.first_deadline_ms == 500
    await append(other, 0, match="n", index=Index(deadline_ms=300))
    assert (store.first_deadline_ms, other.first_deadline_ms) == (500, 300)
    await store.beat()
    assert store.first_deadline_ms == 300
    await append(store, 1, match="n", index=Index(deadline_ms=900))
    await store.set_deadline("m", 1, 400)
    await store.beat()
    assert store.first_deadline_ms == 400
    await store.set_deadline("m", 1, None)
    beating = asyncio.ensure_future(store.beat())
    await asyncio.sleep(0)  # it is on its way
    setting = asyncio.ensure_future(store.set_deadline("n", 2, 200))
    await beating
    assert store.first_deadline_ms == 200, "what is set behind a beat is not forgotten when that is answered"
    await setting
    await append(store, 2, match="n", index=Index(deadline_ms=0))
    await store.beat()
    assert store.first_deadline_ms == inf


async def test_since_when_something_is_owed_is_known_from_beats(store: RedisStore, other: RedisStore) -> None:
    await other.beat()
    assert other.first_owed_ms == inf
    await append(store, 0, index=Index(owed_ms=70))
    await append(store, 0, match="n", index=Index(owed_ms=50))
    await other.beat()
    assert other.first_owed_ms == 50
    for obligation in await other.owed(100, 10):
        await other.met(obligation)
    await other.beat()
    assert other.first_owed_ms == inf


async def test_a_players_unfinished_matches_are_listed(store: RedisStore) -> None:
    await append(store, 0, index=Index(unfinished=("ana", "bob")))
    await append(store, 0, match="n", index=Index(unfinished=("ana",)))
    assert await store.unfinished("ana") == ["m", "n"]
    await append(store, 1, index=Index(finished=("ana", "bob")))
    assert (await store.unfinished("ana"), await store.unfinished("bob")) == (["n"], [])


async def test_no_player_gets_more_unfinished_matches_than_the_condition_allows(
    store: RedisStore, other: RedisStore
) -> None:
    """Not even by hosting at two hubs at once; and of what is refused nothing is left."""
    made = await asyncio.gather(
        *(
            append(hub, 0, match=f"m{number}", index=Index(unfinished=("ana",), deadline_ms=1), most_unfinished=3)
            for number, hub in enumerate([store, other] * 3)
        )
    )
    assert sorted(made) == [Appended.STORED] * 3 + [Appended.TOO_MANY] * 3
    stored = [f"m{number}" for number, outcome in enumerate(made) if outcome is Appended.STORED]
    assert await store.unfinished("ana") == sorted(await store.due(1, 10)) == stored
    ref = Ref("ana", "r", "", Receipt("n", 1))
    assert await append(store, 0, match="n", refs=(ref,)) is Appended.STORED
    again = await append(store, 0, match="o", index=Index(unfinished=("ana",)), refs=(ref,), most_unfinished=3)
    assert again == Receipt("n", 1), "what was answered before is answered the same"
    assert await append(store, 1, match=stored[0], index=Index(finished=("ana",))) is Appended.STORED
    assert await append(other, 0, match="p", index=Index(unfinished=("ana",)), most_unfinished=3) is Appended.STORED


async def test_keys_and_guests_are_found_again(store: RedisStore) -> None:
    await append(store, 0, key="7KQ2-M0XV-9TRA")
    assert (await store.match_by_key("7KQ2-M0XV-9TRA"), await store.key_of("m")) == ("m", "7KQ2-M0XV-9TRA")
    assert (await store.match_by_key("0000-0000-0000"), await store.key_of("n")) == (None, None)
    ana = Admission(looks="ana", guest=Guest("id", "Ana"), token_hash="hash", keep=True, lease_ms=0)
    assert (await store.admit(ana)).inside
    assert await store.guest("hash") == Guest("id", "Ana")
    assert await store.guest("other") is None
