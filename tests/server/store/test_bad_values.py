"""Values that cannot be what they should be, in a real Redis: left out, noted once, and taken away by the operator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from msgspec import structs

from protocol.errors import UnreadableMatch
from server.http.dog.book import HallBook
from server.http.dog.halls import register
from server.store.aside import Note
from server.store.people import Admission, Guest
from server.store.port import Append, Appended, Index
from server.store.receipts import Receipt, Ref
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess

NO_TEXT = b"\xff\xfe\x00"


@pytest_asyncio.fixture
async def store(redis: RedisProcess) -> AsyncIterator[RedisStore]:
    made = RedisStore(redis.url, "one")
    await made.beat()
    yield made
    await made.close()


async def noted(store: RedisStore) -> list[tuple[str, bytes | None]]:
    """Kind and member of every note."""
    await store.write_aside()
    return [(note.kind, note.member) for note in await store.aside.notes()]


async def test_a_value_is_noted_once_until_another_takes_its_place(store: RedisStore) -> None:
    """Q10: told once, not each round."""
    for _ in range(3):
        store.note_unusable("lobby row", "m", "no row", b"one")
    await store._reader.hset(store.keys.lobby, "m", b"one")
    assert len(store.aside._unwritten) == 1
    assert await noted(store) == [("lobby row", b"m")]
    store.note_unusable("lobby row", "m", "no row", b"two")
    assert len(store.aside._unwritten) == 1
    (note,) = await store.aside.notes()
    await store.aside.remove(note)
    assert await noted(store) == [("lobby row", b"m")], "the second one"
    assert await store._reader.hgetall(store.keys.lobby) == {}


async def test_a_private_key_a_ref_and_a_guest_that_are_none(store: RedisStore) -> None:
    """Q10: what one player wrote is garbage: it counts as not there, and that player goes on."""
    for key in (store.keys.by_key("K"), store.keys.key_of("m"), store.keys.once("r"), store.keys.guest("t")):
        await store._reader.set(key, NO_TEXT)
    assert await store.match_by_key("K") is None
    assert await store.key_of("m") is None
    assert await store.once("r") == ""
    await store._reader.hset(store.keys.receipts("p"), "r", NO_TEXT)
    assert await store.receipt("p", "r") is None
    assert await store.guest("t") is None
    kinds = [kind for kind, _ in await noted(store)]
    assert sorted(kinds) == ["guest", "private key", "private key", "receipt"]
    assert (await store.admit(ana("p"))).inside
    assert await store.guest("t") == Guest("p", "Ana")


async def test_receipts_that_are_none_are_written_anew(store: RedisStore) -> None:
    """Q10, Q3: a count or a receipt that somebody has spoilt harms that one ref, once."""
    made = Append(match="m", base=0, events=[b"e"], refs=(Ref("p", "r", "", Receipt("m", 1)),))
    await store._reader.hset(store.keys.receipts("p"), mapping={"": NO_TEXT, "r": NO_TEXT})
    assert await store.append(made) is Appended.STORED
    assert await store.receipt("p", "r") == Receipt("m", 1)
    assert await store.append(structs.replace(made, match="n")) == Receipt("m", 1)


def ana(player: str) -> Admission:
    """Somebody called Ana, by the token "t"."""
    return Admission(looks="ana", guest=Guest(player, "Ana"), token_hash="t", keep=True, lease_ms=1000)


async def test_many_who_meet_a_key_of_a_wrong_type_are_all_served(store: RedisStore, other: RedisStore) -> None:
    """Q10: whoever finds it out of the way already, for another one was quicker, is no less served."""
    key = store.keys.matches_of("p")
    for number in range(30):
        await store._reader.delete(key)
        await store._reader.set(key, "no set")
        stores = [store, other] * 3
        index = Index(unfinished=("p",))
        made = await asyncio.gather(
            *(
                each.append(Append(match=f"m{number}-{at}", base=0, events=[b"event"], index=index))
                for at, each in enumerate(stores)
            )
        )
        assert made == [Appended.STORED] * len(stores)
        assert len(await store.unfinished("p")) == len(stores)


async def test_keys_of_a_wrong_type_are_put_out_of_the_way(store: RedisStore) -> None:
    """Q10: WRONGTYPE is no reason to be unavailable for ever."""
    names = store.keys
    for key in (
        names.by_key("K"), names.key_of("m"), names.receipts("p"), names.guest("t"), names.document("d"),
        names.name("ana"), names.name("bo"), names.bearer("ana"), names.matches_of("p"), names.report("two"),
        names.here("m"), names.hubs_of("m"), names.chat("m", "players"), names.aside,
    ):  # fmt: skip
        await store._reader.delete(key)
        await store._reader.zadd(key, {"x": 1})
    for key in (names.hubs, names.deadlines, names.outbox):
        await store._reader.set(key, "x")
    assert await store.match_by_key("K") is None
    refs = (Ref("p", "r", "", Receipt("m", 1)),)
    event = Append(match="m", base=0, events=[b"event"], index=Index(unfinished=("p",)), key="K", refs=refs)
    await store.append(event)
    assert (await store.match_by_key("K"), await store.key_of("m")) == ("m", "K")
    assert await store.receipt("p", "r") == Receipt("m", 1)
    assert await store.guest("t") is None
    assert await store.replace_document("d", b"", b"new")
    assert await store.document("d") == b"new"
    assert (await store.admit(ana("p"))).inside
    await store.renew_names({"ana": Guest("p", "Ana"), "bo": Guest("q", "Bo")}, 1000)
    assert await store.name_holder("ana") == Guest("p", "Ana")
    assert await store.unfinished("p") == ["m"]
    assert await store.reports({"two"}) == {}
    assert await store.announce_presence("m", {"0": 1}) == {"one": {"0": 1}}
    assert await store.follow("m") == [b"event"]
    assert await say(store, "r", b"line") == 1
    assert (await store.beat(1)).hubs == {"one"}
    notes = await noted(store)
    assert [kind for kind, _ in notes] == ["key"] * 16
    for note in await store.aside.notes():
        assert await store._reader.exists(note.key), "nothing is thrown away unasked"
        await store.aside.remove(note)
        assert not await store._reader.exists(note.key)


async def test_a_name_that_nobody_can_hold_is_free(store: RedisStore) -> None:
    await store._reader.hset(store.keys.name("ana"), "player", NO_TEXT)
    assert await store.name_holder("ana") is None
    assert (await store.admit(ana("p"))).inside
    assert await store.name_holder("ana") == Guest("p", "Ana")


@pytest.mark.parametrize("borne", [None, b"", b"other Ana", b"p", NO_TEXT])
async def test_how_a_name_is_written_is_not_known_of_every_hub(store: RedisStore, borne: bytes | None) -> None:
    """Hubs of earlier releases do not say it, and what stands there may be of somebody who bore it before."""
    assert (await store.admit(ana("p"))).inside
    key = store.keys.bearer("ana")
    await (store._reader.delete(key) if borne is None else store._reader.set(key, borne))
    assert await store.name_holder("ana") == Guest("p", "")


async def say(store: RedisStore, ref: str, line: bytes) -> int:
    """Say a line; returns its number."""
    return (await store.say("m", "players", Ref("p", ref, "m", Receipt("m", 1)), line)).number


@pytest.mark.parametrize("entry", ["1-1", "5-0", "3-7"])
async def test_a_log_with_a_hole_or_a_strange_number_is_damaged(store: RedisStore, entry: str) -> None:
    """Q10: else every command on it would be judged again and again."""
    await store._reader.xadd(store.keys.log("m"), {"e": b"x"}, id=entry)
    with pytest.raises(UnreadableMatch) as caught:
        await store.read("m")
    assert caught.value.code == "damaged"


async def test_a_log_that_is_none_stays_where_it_is(store: RedisStore) -> None:
    await store._reader.set(store.keys.log("m"), "text")
    with pytest.raises(UnreadableMatch):
        await store.read("m")
    assert await store._reader.get(store.keys.log("m")) == b"text"


async def test_bad_deadlines_do_not_stand_before_others(store: RedisStore) -> None:
    """Q10: more of them than are looked at in one go."""
    await store._reader.zadd(store.keys.deadlines, {b"\xff%d" % number: 1 for number in range(25)})
    await store._reader.zadd(store.keys.deadlines, {"good": 2})
    assert await store.due(3, 10) == ["good"]
    assert await store.due(3, 10) == ["good"], "and come up once a day only"
    assert len(await noted(store)) == 25


async def test_a_deadline_is_put_off_only_when_it_is_due(store: RedisStore) -> None:
    await store._reader.zadd(store.keys.deadlines, {"m": 10})
    await store.put_deadline_off("m", 9, 99)
    assert await store.deadline("m") == 10
    await store.put_deadline_off("m", 10, 99)
    assert await store.deadline("m") == 99
    await store.put_deadline_off("gone", 10, 99)
    assert await store.deadline("gone") is None


async def test_a_spoilt_count_begins_anew_above_all_before(store: RedisStore) -> None:
    """Whoever counted along sees a gap, and reads everything again."""
    await store.append(Append(match="m", base=0, events=[b"e"], index=Index(lobby=b"row")))
    before = (await store.lobby()).change
    await store._reader.set(f"{store.keys.lobby}:change", NO_TEXT)
    await store.append(Append(match="n", base=0, events=[b"e"], index=Index(lobby=b"row")))
    rows, change = await store.lobby()
    assert rows.keys() == {"m", "n"}
    assert change > before + 1


async def test_notes_are_bounded_and_may_be_garbage_themselves(store: RedisStore) -> None:
    await store._reader.hset(store.keys.aside, NO_TEXT, NO_TEXT)
    (note,) = await store.aside.notes()
    assert (note.kind, note.member) == ("note", NO_TEXT)
    await store.aside.remove(note)
    assert await store.aside.notes() == []
    for number in range(1_100):
        store.note_unusable("match", f"m{number}", "x")
    await store.write_aside()
    assert len(await store.aside.notes()) == 1_000
    assert all(isinstance(note, Note) for note in await store.aside.notes())


async def test_what_could_not_be_done_for_a_match_is_listed_and_taken_away(store: RedisStore) -> None:
    await store._reader.zadd(store.keys.set_aside, {b"\xff": "+inf", b"m": 7})
    first, second = await store.aside.notes()
    assert [(note.kind, note.member) for note in (first, second)] == [("obligation", b"m"), ("obligation", b"\xff")]
    assert await store.aside.find(second.id) == second
    await store.aside.remove(second)
    assert await store.aside.notes() == [first]
    assert await store.aside.find("nothing") is None
    await store._reader.delete(store.keys.set_aside)
    await store._reader.set(store.keys.set_aside, "text")
    assert await store.aside.notes() == []
    assert await noted(store) == [("key", None)]


async def test_a_hall_that_is_none_begins_anew(store: RedisStore) -> None:
    """Q10: else nobody could come to that game for a week."""
    name = "dog:hall:chess"
    for bad in (NO_TEXT, b"\x07", b"\x92\x80"):
        await store._reader.set(store.keys.document(name), bad)
        book = HallBook(store)
        assert (await book.hall("chess")).guests == {}
        hall = await book.change("chess", lambda hall: register(hall, "p", "Ana", 1, lambda _, __: True))
        assert [guest.name for guest in hall.guests.values()] == ["Ana"]
        assert (await HallBook(store).hall("chess")).guests == hall.guests
    assert [kind for kind, _ in await noted(store)] == ["document"]


async def test_a_line_that_was_taken_away_ends_no_talk(store: RedisStore) -> None:
    assert await say(store, "1", b"one") == 1
    await store._reader.xadd(store.keys.chat("m", "players"), {"e": b"x"}, id="2-5")
    assert [line.number for line in await store.lines("m", "players")] == [1]
    await store.write_aside()
    for note in await store.aside.notes():
        await store.aside.remove(note)
    assert await say(store, "2", b"two") == 3
    assert [line.number for line in await store.lines("m", "players")] == [1, 3]


async def test_what_a_hub_is_no_longer_told_of_it_finds_out(store: RedisStore) -> None:
    await store.follow("m")
    await store.follow("n")
    assert await store.unheard(["m", "n"]) == []
    await store._reader.delete(store.keys.hubs_of("m"))
    await store._reader.set(store.keys.hubs_of("n"), "x")
    assert await store.unheard(["m", "n"]) == ["m", "n"]
