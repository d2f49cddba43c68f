"""Receipts: a ref is remembered whatever it caused, in one step with it, and within bounds (`Q3`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.store.lifetimes import Lifetimes
from server.store.people import CHAT_LINES, Admission, Admitted, Guest, Said
from server.store.port import Append, Appended, Index
from server.store.receipts import KEPT, Receipt, Ref
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess

REF_S = 40.0


@pytest.fixture
async def stores(redis: RedisProcess) -> AsyncIterator[tuple[RedisStore, RedisStore]]:
    """Two hubs' ways to one Redis, emptied before."""
    one, two = (RedisStore(redis.url, hub, lifetimes=Lifetimes(ref=REF_S)) for hub in ("one", "two"))
    await one._reader.flushall()
    yield one, two
    for store in (one, two):
        await store.close()


def nothing(match: str, base: int, ref: str, player: str = "ana") -> Append:
    """A command that found done what it asks for."""
    receipt = Receipt(match, base)
    return Append(match=match, base=base, events=[], refs=(Ref(player, ref, match, receipt),))


async def test_q3_what_changed_nothing_is_remembered_and_leaves_no_event(stores: tuple[RedisStore, RedisStore]) -> None:
    one, two = stores
    await one.append(Append(match="m", base=0, events=[b"1"]))
    assert await one.append(nothing("m", 1, "r")) is Appended.STORED
    assert await two.receipt("ana", "r", "m") == Receipt("m", 1)
    assert await one.read("m") == [b"1"]
    # Sent again, and caused something now: it does not.
    again = Append(match="m", base=1, events=[b"2"], refs=(Ref("ana", "r", "m"),))
    assert await two.append(again) == Receipt("m", 1)
    assert await one.read("m") == [b"1"]
    assert await one.receipt("bob", "r", "m") is None
    assert await one.receipt("ana", "r") is None


async def test_q3_at_another_version_it_is_judged_again(stores: tuple[RedisStore, RedisStore]) -> None:
    one, two = stores
    await one.append(Append(match="m", base=0, events=[b"1"]))
    await two.append(Append(match="m", base=1, events=[b"2"]))
    assert await one.append(nothing("m", 1, "r")) is Appended.CONFLICT
    assert await one.receipt("ana", "r", "m") is None


async def test_q3_one_of_two_at_once_makes_the_match_and_both_get_its_key(
    stores: tuple[RedisStore, RedisStore],
) -> None:
    """Q3: the key, the presence and the lists of the one that lost are not there either."""

    def created(match: str) -> Append:
        receipt = Receipt(match, 1, f"KEY-{match}")
        return Append(
            match=match, base=0, events=[b"1"], refs=(Ref("ana", "r", "", receipt),), key=receipt.key, hosted=0,
            index=Index(lobby=b"row", deadline_ms=5, unfinished=("ana",)),
        )  # fmt: skip

    for number in range(50):
        first, second = f"a{number}", f"b{number}"
        await stores[0]._reader.flushall()
        outcomes = await asyncio.gather(stores[0].append(created(first)), stores[1].append(created(second)))
        made = [outcome for outcome in outcomes if outcome is Appended.STORED]
        (told,) = (outcome for outcome in outcomes if isinstance(outcome, Receipt))
        assert len(made) == 1
        lost = second if told.match == first else first
        assert told == Receipt(told.match, 1, f"KEY-{told.match}")
        assert await stores[0].match_by_key(told.key) == told.match
        assert [await stores[0].match_by_key(f"KEY-{lost}"), await stores[0].key_of(lost)] == [None, None]
        assert await stores[0].presence(lost) == {}
        assert sum(counts["0"] for counts in (await stores[0].presence(told.match)).values()) == 1
        assert await stores[0].unfinished("ana") == [told.match]


async def test_q3_a_player_has_a_bound_of_receipts_in_each_place(stores: tuple[RedisStore, RedisStore]) -> None:
    """Q3: the newest are kept, at least KEPT and at most twice as many; another player's are not pushed out."""
    one, _ = stores
    await one.append(Append(match="m", base=0, events=[b"1"]))
    await one.append(nothing("m", 1, "his", "bob"))
    count = 5 * KEPT + 7
    for number in range(count):
        await one.append(nothing("m", 1, f"r{number}"))
    there = await asyncio.gather(*(one.receipt("ana", f"r{number}", "m") for number in range(count)))
    assert all(there[-KEPT:])
    assert KEPT <= sum(each is not None for each in there) < 2 * KEPT
    assert await one.receipt("bob", "his", "m") == Receipt("m", 1)
    left_ms = await one._reader.pttl(one.keys.receipts("ana", "m"))
    assert REF_S - 30 < left_ms / 1000 <= REF_S


async def test_q3_a_line_is_said_once_however_many_followed(stores: tuple[RedisStore, RedisStore]) -> None:
    """Q3: also when it is not among the lines that are kept any more."""
    one, two = stores

    async def say(store: RedisStore, ref: str, version: int) -> Said:
        return await store.say("m", "players", Ref("ana", ref, "m", Receipt("m", version)), ref.encode())

    assert await say(one, "r", 3) == Said(1, 3, before=False)
    for number in range(CHAT_LINES + 10):
        await say(one, f"other{number}", 4)
    assert await say(two, "r", 9) == Said(1, 3, before=True)
    lines = await one.lines("m", "players")
    assert (len(lines), lines[-1].number) == (CHAT_LINES, CHAT_LINES + 11)


def ana(word: str = "", *, player: str = "id", keep: bool = True, lease_ms: int = 1_000) -> Admission:
    """Somebody called Ana."""
    once = "once" if word else ""
    return Admission(
        looks="ana", guest=Guest(player, "Ana"), token_hash=f"of {player}", keep=keep, lease_ms=lease_ms, once=once,
        word=word,
    )  # fmt: skip


async def test_q4_who_is_not_let_in_has_changed_nothing(stores: tuple[RedisStore, RedisStore]) -> None:
    one, two = stores
    assert await one.admit(ana()) == Admitted(inside=True)
    assert await two.admit(ana("word", player="other")) == Admitted(inside=False)
    assert await two.guest("of other") is None
    assert await two.once("once") == ""
    assert await two.name_holder("ana") == Guest("id", "Ana")


async def test_q3_a_coming_counts_once(stores: tuple[RedisStore, RedisStore]) -> None:
    """Q3: of many that come at once under one key one is made, and the others are told of which."""
    for _ in range(50):
        await stores[0]._reader.flushall()
        comings = [ana(f"word {number}", player=f"p{number}", lease_ms=0) for number in range(4)]
        admitted = await asyncio.gather(*(stores[number % 2].admit(each) for number, each in enumerate(comings)))
        (first,) = (number for number, each in enumerate(admitted) if each.inside)
        assert {each.word for each in admitted if not each.inside} == {f"word {first}"}
        guests = [await stores[0].guest(f"of p{number}") is not None for number in range(4)]
        assert guests == [number == first for number in range(4)]
