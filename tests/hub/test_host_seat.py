"""A host on the second seat, over two real hubs: listed, joined, paired, away, back, replayed (CK R1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import redis as sync_redis

from protocol.messages import (
    Abandon,
    Accepted,
    Away,
    Cancel,
    ClockRule,
    Ended,
    GetRecord,
    Joined,
    Leave,
    LobbyChange,
    LobbyState,
    Moved,
    Offer,
    Presence,
    QuickMatch,
    Record,
    Rematched,
    SeatFreed,
    Snapshot,
    Watch,
    WatchLobby,
)
from tests.driver import Client, HubProcess, RedisProcess
from tests.faults.trial.stage import eventually
from tests.hub.conftest import Open

CLOCK = ClockRule(total_ms=61_000)
"""Nobody else waits for one with it."""


@pytest.fixture(scope="module")
def arguments() -> tuple[str, ...]:
    """Trials want more than a human's pace."""
    return ("--limit", "pace=1000")


@pytest.fixture
def straight(redis: RedisProcess) -> Iterator[Any]:
    """A straight way to look into the store."""
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as client:
        yield client


async def two(hubs: list[HubProcess], open_client: Open) -> tuple[Client, Client]:
    """Host and guest, at different hubs."""
    return await open_client("Host"), await open_client("Guest", url=hubs[1].url)


async def test_the_list_says_which_seat_is_free_and_who_joins_gets_it(
    hubs: list[HubProcess], open_client: Open
) -> None:
    """CK R1.3, 5.3, B10, Q7: at the other hub, where nobody has looked at the match before, the host is here; who goes
    again before the first move frees the first seat, and the row says so anew."""
    host, guest = await two(hubs, open_client)
    created = await host.create("checkers", seat=1, clock=CLOCK)
    assert (created.you, [seat.name for seat in created.seats]) == ((1,), [None, host.name])
    assert [names for names in created.can if "cancel" in names] == [created.can[1]]
    await guest.ask(WatchLobby(ref="lobby"), Accepted)
    rows = (await guest.expect(LobbyState)).matches
    assert next(row.names for row in rows if row.match == created.match) == (None, host.name)
    joined = await guest.join(created.match)
    assert (joined.you, joined.status, joined.away, joined.to_move) == ((0,), "playing", (), 0)
    assert [seat.name for seat in joined.seats] == [guest.name, host.name]
    assert (await host.expect(Joined)).seat == 0
    guest.forget_unread()
    await guest.ask(Leave(ref="leave", match=created.match), Accepted)
    assert (await host.expect(SeatFreed)).seat == 0
    # What the lobby told of the joining may come only now.
    freed = (created.match, (None, host.name))
    await guest.expect(LobbyChange, lambda told: freed in [(row.match, row.names) for row in told.put])


async def test_quick_match_finds_a_host_on_the_second_seat(hubs: list[HubProcess], open_client: Open) -> None:
    """UD RF2, B3: at a hub that does not have the match in memory; one whose host is gone is not led to."""
    host, guest = await two(hubs, open_client)
    gone = await open_client("Gone")
    left = await gone.create("square", seat=1, clock=CLOCK)
    watcher = await open_client("Watcher", url=hubs[1].url)
    await watcher.ask(Watch(ref="w", match=left.match), Accepted)
    gone.cut()
    await watcher.expect(Presence, lambda told: told.match == left.match and told.here == (False, False))
    created = await host.create("square", seat=1, clock=CLOCK)
    paired = await guest.ask(QuickMatch(ref="quick", game="square", clock=CLOCK), Accepted)
    assert paired.match == created.match
    snapshot = await guest.expect(Snapshot)
    assert (snapshot.you, snapshot.status, snapshot.away) == ((0,), "playing", ())


async def test_a_private_one_from_its_making_to_the_rematch(
    hubs: list[HubProcess], open_client: Open, straight: Any
) -> None:
    """CK R1.6, 5.2, RU-M7, RU-M8, B3, C6: its host comes back with the key by the token, at another hub, and is waited
    for; time waits for a host who is away when the guest joins; what is saved names both in the order of the seats."""
    host, guest = await two(hubs, open_client)
    created = await host.create("dots-and-boxes", private=True, seat=1, clock=CLOCK)
    match, deadlines = created.match, "parlour:deadlines"
    host.cut()
    again = await open_client("Host", url=hubs[1].url, token=host.token)
    await again.ask(Watch(ref="back", match=match), Accepted)
    back = await again.expect(Snapshot)
    assert (back.you, back.status, back.key) == ((1,), "waiting", created.key)
    # Its time is over, so it is looked at: that is put off while the host is here.
    straight.zadd(deadlines, {match: 1})
    await eventually(lambda: (straight.zscore(deadlines, match) or 0) > 1)
    again.cut()
    joined = await guest.join(key=created.key or "")
    assert (joined.you, joined.status) == ((0,), "playing")
    # At once, unless word of the cut comes after the guest.
    away = joined.away or (await guest.expect(Away, lambda told: bool(told.away))).away
    assert [info.seat for info in away] == [1]
    host = await open_client("Host", token=host.token)
    await host.ask(Watch(ref="once more", match=match), Accepted)
    shown = await host.expect(Snapshot)
    if shown.away:
        shown = msgspec.structs.replace(shown, version=(await host.expect(Away, lambda told: not told.away)).version)
    version = (await guest.move(match, shown.version, "a1-b1")).version
    version = (await host.move(match, version, "c1-d1")).version
    await guest.expect(Moved, lambda told: told.version == version)
    record = await guest.ask(GetRecord(ref="save", match=match), Record)
    assert (record.names, record.movers) == ((guest.name, host.name), (0, 1))
    for one in (guest, host):
        await one.ask(Offer(ref="revert", match=match, kind="revert", moves=("a1-b1",), version=version), Accepted)
    assert (await host.expect(Snapshot)).to_move == 1
    await host.ask(Abandon(ref="over", match=match), Accepted)
    assert (await guest.expect(Ended)).result.winner == 0
    for one in (host, guest):
        await one.ask(Offer(ref="again", match=match, kind="rematch"), Accepted)
    following = (await guest.expect(Rematched)).next
    for one, seat in ((host, 0), (guest, 1)):
        await one.ask(Watch(ref="next", match=following), Accepted)
        assert (await one.expect(Snapshot, lambda told: told.match == following)).you == (seat,)


async def test_its_host_alone_takes_it_back(hubs: list[HubProcess], open_client: Open) -> None:
    """From another tab, at another hub; on leaving it, too."""
    host, other = await two(hubs, open_client)
    tab = await open_client("Host", url=hubs[1].url, token=host.token)
    for command in (Cancel, Leave):
        match = (await host.create("square", seat=1, clock=CLOCK)).match
        assert await other.refusal(Cancel(ref="not mine", match=match)) == "not_seated"
        await tab.ask(command(ref=tab.ref(), match=match), Accepted)
        ended = await host.expect(Ended)
        assert (ended.match, ended.result.reason) == (match, "cancelled")
