"""Refused means untouched: whatever is refused, and wherever in it the store fails, everything is as before (`Q4`).

One hub's service in this process, over a real Redis behind a proxy that ends the connection at exactly the n-th
exchange: before it arrives, or after it arrived and before it is answered. What is not known then is learned by the
same command sent again (`Q5`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from protocol.errors import Code, OutcomeUnknown, ParlourError, Refusal, StoreUnavailable
from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    Cancel,
    Command,
    Continue,
    Create,
    Hello,
    Join,
    Leave,
    Move,
    Offer,
    Pause,
    QuickMatch,
    Refused,
    Say,
    Snapshot,
    Sync,
    Watch,
    Welcome,
    Withdraw,
)
from server.hub.viewers.viewer import Viewer
from tests.driver import RedisProcess
from tests.faults.trial.proxy import DOWN, UP
from tests.server.hub.house import House, opened

MAX_EXCHANGES = 12
"""More than any command has with the store."""
SETTLED_S = 0.02
"""All links are cut at once; one who writes before that is noticed does not know what becomes of it either."""


@pytest.fixture
async def house(redis: RedisProcess) -> AsyncIterator[House]:
    async with opened(redis) as house:
        yield house


class Trap:
    """Ends the connection at the n-th exchange: before it arrives, or when its answer comes back."""

    def __init__(self, number: int, *, arrives: bool) -> None:
        self.left = number
        self.arrives = arrives
        self.sprung = False

    def __call__(self, way: str, data: bytes) -> bytes | None:
        if way == UP and not self.sprung and b"HELLO" not in data and b"SETINFO" not in data:
            self.left -= 1
            if self.left == 0:
                self.sprung = True
                return data if self.arrives else None
        # What has just arrived is carried out; nothing of the answer gets through.
        return None if way == DOWN and self.sprung and self.arrives else data


Wish = tuple[Viewer, Command]
Scene = Callable[[House], Awaitable[Wish]]


async def create(house: House) -> Wish:
    return house.viewer("ana"), Create(ref="it", game="square")


async def create_private(house: House) -> Wish:
    return house.viewer("ana"), Create(ref="it", game="square", private=True)


async def quick_match_alone(house: House) -> Wish:
    return house.viewer("ana"), QuickMatch(ref="it", game="square")


async def quick_match_paired(house: House) -> Wish:
    ana = house.viewer("ana")
    await house.service.perform(ana, QuickMatch(ref="first", game="square"))
    return house.viewer("bo"), QuickMatch(ref="it", game="square")


async def join(house: House) -> Wish:
    return house.viewer("bo"), Join(ref="it", match=await house.waiting())


async def join_by_key(house: House) -> Wish:
    created = await house.ask("ana", Create, game="square", private=True)
    return house.viewer("bo"), Join(ref="it", key=created.key)


async def move(house: House) -> Wish:
    match = await house.begun()
    version = house.keeper.rooms[match].match.version
    return house.viewer("bo"), Move(
        ref="it", match=match, version=version, move=house.keeper.rooms[match].match.legal[0]
    )


async def offer(house: House) -> Wish:
    return house.viewer("bo"), Offer(ref="it", match=await house.begun(), kind="draw")


async def offer_again(house: House) -> Wish:
    match = await house.begun()
    await house.ask("bo", Offer, match=match, kind="draw")
    return house.viewer("bo"), Offer(ref="it", match=match, kind="draw")


async def leave_a_seat(house: House) -> Wish:
    match = await house.waiting()
    bo = house.viewer("bo")
    await house.service.perform(bo, Join(ref="first", match=match))
    return bo, Leave(ref="it", match=match)


async def leave_watching(house: House) -> Wish:
    eve, match = house.viewer("eve"), await house.begun()
    await house.service.perform(eve, Watch(ref="first", match=match))
    return eve, Leave(ref="it", match=match)


async def say(house: House) -> Wish:
    return house.viewer("bo"), Say(ref="it", match=await house.begun(), text="hello")


async def pause(house: House) -> Wish:
    return house.viewer("bo"), Pause(ref="it", match=await house.begun())


async def abandon(house: House) -> Wish:
    return house.viewer("bo"), Abandon(ref="it", match=await house.begun())


async def cancel(house: House) -> Wish:
    return house.viewer("ana"), Cancel(ref="it", match=await house.waiting())


async def watch(house: House) -> Wish:
    return house.viewer("eve"), Watch(ref="it", match=await house.begun())


async def hello(house: House) -> Wish:
    return house.viewer("", stays=True), Hello(ref="it", name="Fay")


async def hello_once(house: House) -> Wish:
    viewer = house.viewer("")
    viewer.secret = "a secret"
    return viewer, Hello(ref="it", name="Fay")


async def hello_under_another_name(house: House) -> Wish:
    welcome = await house.ask("", Hello, name="Fay")
    return house.viewer("", stays=True), Hello(ref="it", name="Gus", token=welcome.token)


SCENES: list[Scene] = [
    create, create_private, quick_match_alone, quick_match_paired, join, join_by_key, move, offer, offer_again,
    leave_a_seat, leave_watching, say, pause, abandon, cancel, watch, hello, hello_once, hello_under_another_name,
]  # fmt: skip
MAKES_A_NEW_GUEST = (hello,)
"""Sent again it is another guest: nobody is known yet whose ref it could be."""


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("arrives", [False, True], ids=["cut_before", "answer_lost"])
async def test_q4_q5_wherever_the_store_fails(house: House, scene: Scene, arrives: bool) -> None:
    """Q4, Q5: not done and nothing is left of it; or not known, and the same again is done once and told the same."""
    unknown = 0
    for number in range(1, MAX_EXCHANGES):
        await house.straight.flushall()
        house.keeper.rooms.clear()
        house.service.names._held.clear()
        await house.keeper.beat()
        viewer, command = await scene(house)
        await house.keeper.beat()
        before, known = await house.stored(), house.known()
        house.proxy.alter = trap = Trap(number, arrives=arrives)
        error: ParlourError | None = None
        try:
            await house.service.perform(viewer, command)
        except StoreUnavailable as raised:
            error = raised
        house.proxy.alter = None
        await asyncio.sleep(SETTLED_S)
        if error is None:
            if not trap.sprung:
                assert number > 1
                break
            continue  # what failed was of no importance to the command
        answers = [message for message in viewer.received if getattr(message, "ref", "") == "it"]  # type: ignore[attr-defined]
        assert answers == [], "a command has one answer"
        if not isinstance(error, OutcomeUnknown):
            assert error.code == Code.UNAVAILABLE
            assert await house.stored() == before
            assert house.known() == known
            continue
        unknown += 1
        await _again(house, viewer, command, scene)
    else:
        pytest.fail("it has more exchanges than that")
    changes = scene not in (watch,)
    assert (unknown > 0) is changes


async def _again(house: House, viewer: Viewer, command: Command, scene: Scene) -> None:
    """It is not known: the same again is granted, and once more the same."""
    told = []
    for _ in range(1 if scene in MAKES_A_NEW_GUEST else 2):
        # A hub that was cut off does not ask again at once.
        house.keeper._lost = time.monotonic() - 60
        await house.keeper.beat()
        # Who never came gives the name back.
        await asyncio.gather(*house.service.names._releasing)
        again = house.viewer(viewer.player, stays=viewer.meter is not None)
        again.secret = viewer.secret
        await house.service.perform(again, command)
        told += [message for message in again.received if isinstance(message, Accepted | Welcome)]
    if scene not in MAKES_A_NEW_GUEST:
        first, second = told
        if isinstance(first, Welcome) and isinstance(second, Welcome):
            assert (first.player, first.name, first.token) == (second.player, second.name, second.token)
        else:
            assert first == second
    logs = [await house.straight.xrange(key) for key in await house.straight.keys("parlour:match:*}")]
    own = [fields[b"e"] for log in logs for _, fields in log if b"it" in fields[b"e"]]
    assert len(own) == len({bytes(event) for event in own})
    created = [key for key in await house.straight.keys("parlour:match:*}")]
    assert len(created) <= 1


# Refused for a reason -------------------------------------------------------------------------------------------------

Reason = tuple[str, Scene]


def wish(player: str, command: type[Command], /, *, scene: str = "begun", **fields: Any) -> Scene:
    """Somebody who asks that of a match, which the scene makes."""

    async def made(house: House) -> Wish:
        if scene == "nothing":
            return house.viewer(player), command(ref="it", **fields)
        match = await getattr(house, scene)()
        return house.viewer(player), command(**{"ref": "it", "match": match, **fields})

    return made


async def in_private(house: House) -> Wish:
    return house.viewer("eve"), Watch(ref="it", match=await house.waiting(private=True))


async def a_line_in_private(house: House) -> Wish:
    return house.viewer("eve"), Say(ref="it", match=await house.waiting(private=True), text="hello")


async def too_many(house: House) -> Wish:
    for _ in range(house.limits.open_matches):
        await house.waiting()
    return house.viewer("ana"), Create(ref="it", game="square", private=True)


async def too_many_quick_matches(house: House) -> Wish:
    _, asked = await too_many(house)
    return house.viewer("ana"), QuickMatch(ref=asked.ref, game="square")


async def a_name_in_use(house: House) -> Wish:
    await house.service.perform(house.viewer("", stays=True), Hello(ref="first", name="Fay"))
    return house.viewer("", stays=True), Hello(ref="it", name="Fay")


async def another_name_in_use(house: House) -> Wish:
    await house.service.perform(house.viewer("", stays=True), Hello(ref="first", name="Fay"))
    gus = await house.ask("", Hello, name="Gus")
    return house.viewer("", stays=True), Hello(ref="it", name="Fay", token=gus.token)


async def too_many_connections(house: House) -> Wish:
    def shut(viewer: Viewer, player: str) -> Callable[[], None]:
        raise Refusal(Code.TOO_MANY_CONNECTIONS, limit=1)

    gus = await house.ask("", Hello, name="Gus")
    house.service.doors.append(shut)
    return house.viewer("", stays=True), Hello(ref="it", name="Fay", token=gus.token)


REASONS: list[Reason] = [
    ("unknown_game", wish("ana", Create, scene="nothing", game="chess", private=True)),
    ("bad_option", wish("ana", Create, scene="nothing", game="square", options={"width": 99})),
    ("does_not_replay", wish("ana", Create, scene="nothing", game="square", moves=("z9-z9",))),
    ("too_many", too_many),
    ("too_many", too_many_quick_matches),
    ("unknown_match", wish("bo", Join, scene="nothing", match="nowhere")),
    ("wrong_key", wish("bo", Join, scene="nothing", key="7KQ2-M0XV-9TRA")),
    ("full", wish("eve", Join)),
    ("stale", wish("bo", Move, version=1, move="a1-b1")),
    ("malformed_move", wish("bo", Move, version=3, move="what")),
    ("not_your_turn", wish("ana", Move, version=3, move="a1-b1")),
    ("not_seated", wish("eve", Move, version=3, move="a1-b1")),
    ("not_seated", wish("eve", Offer, kind="draw")),
    ("no_offer", wish("bo", Answer, accept=True)),
    ("no_offer", wish("bo", Withdraw)),
    ("not_paused", wish("bo", Continue)),
    ("not_seated", wish("eve", Abandon)),
    ("started", wish("ana", Cancel)),
    ("unknown_match", wish("bo", Leave, scene="nothing", match="nowhere")),
    ("nothing_said", wish("bo", Say, text="\u200b")),
    ("private", a_line_in_private),
    ("private", in_private),
    ("unknown_match", wish("bo", Sync, scene="nothing", match="nowhere")),
    ("bad_token", wish("", Hello, scene="nothing", name="Fay", token="none of ours")),
    ("bad_name", wish("", Hello, scene="nothing", name="!!!")),
    ("name_in_use", a_name_in_use),
    ("name_in_use", another_name_in_use),
    ("too_many_connections", too_many_connections),
]  # fmt: skip


@pytest.mark.parametrize(("code", "scene"), REASONS, ids=[f"{code}-{at}" for at, (code, _) in enumerate(REASONS)])
async def test_q4_what_is_refused_has_changed_nothing(house: House, code: str, scene: Scene) -> None:
    """Q4: neither in the store nor in what the hub has in mind of viewers, names and people."""
    viewer, command = await scene(house)
    before, known = await house.stored(), house.known()
    with pytest.raises(ParlourError) as refused:
        await house.service.perform(viewer, command)
    assert refused.value.code in (code, code.replace("not_paused", "started"))
    assert await house.stored() == before
    assert house.known() == known
    assert not [message for message in viewer.received if isinstance(message, Snapshot | Refused)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene is not watch])
async def test_q4_a_full_store_refuses_and_nothing_is_left(house: House, scene: Scene) -> None:
    """Q4, J7: whatever would have to be written is refused as `unavailable`, with no trace here or there."""
    viewer, command = await scene(house)
    before, known = await house.stored(), house.known()
    await house.straight.config_set("maxmemory", "1")
    try:
        with pytest.raises(StoreUnavailable) as refused:
            await house.service.perform(viewer, command)
    finally:
        await house.straight.config_set("maxmemory", "0")
    assert refused.value.code == Code.UNAVAILABLE
    assert await house.stored() == before
    assert house.known() == known


async def test_q4_a_host_who_never_learned_of_the_match_is_no_ghost(house: House) -> None:
    """Q4: a create was stored and nobody knows: the word that its host is here is taken back, as soon as can be."""

    def trap(way: str, data: bytes) -> bytes | None:
        sprung.append(way == UP and b"REF" in data)
        return None if way == DOWN and any(sprung) else data

    sprung: list[bool] = []
    await house.waiting()  # Redis knows the script from now on
    others = set(await house.straight.keys("*:here"))
    house.proxy.alter = trap
    with pytest.raises(OutcomeUnknown):
        await house.service.perform(house.viewer("ana"), Create(ref="it", game="square"))
    house.proxy.alter = None
    await asyncio.sleep(SETTLED_S)
    house.keeper._lost = time.monotonic() - 60
    await house.keeper.beat()
    (key,) = set(await house.straight.keys("*:here")) - others
    assert await house.straight.hlen(key) == 1
    await house.tracker.take_back()
    await house.tracker.publish()
    assert await house.straight.hlen(key) == 0
