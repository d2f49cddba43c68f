"""The lobby: games whose host is gone, and lists that are right however late one comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

import msgpack
import msgspec
import pytest

from protocol.messages import Accepted, Cancel, Join, Leave, LobbyChange, Presence, QuickMatch, WatchLobby
from tests.driver import WAIT_S
from tests.faults.trial.play import on_one_hub_and_two
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Trial, eventually, rounds, together
from tests.pace import within

pytestmark = pytest.mark.faults

GRACE_S = 30.0
BLIND_S = 35.0
"""After this long a hub has noticed a dead path."""
ODD: dict[str, int | str | bool] = {"width": 5, "height": 7}
"""A board that nobody else waits for."""
OTHER: dict[str, int | str | bool] = {"width": 7, "height": 5}
"""Another one."""


async def closes(host: Recorder, proxy: Proxy) -> None:
    await host.close()


async def resets(host: Recorder, proxy: Proxy) -> None:
    proxy.cut()


async def is_killed(host: Recorder, proxy: Proxy) -> None:
    await host.vanish()


async def talks_garbage(host: Recorder, proxy: Proxy) -> None:
    host.socket.transport.write(b"\xff" * 64)  # reserved bits, an unknown opcode: no frame at all
    await host.socket.wait_closed()


async def falls_silent(host: Recorder, proxy: Proxy) -> None:
    proxy.blackhole()


@on_one_hub_and_two
@pytest.mark.parametrize(
    "ends",
    [
        closes,
        resets,
        is_killed,
        talks_garbage,
        pytest.param(falls_silent, marks=pytest.mark.skipif(not FULL, reason="takes a minute: make faults")),
    ],
)
async def test_b3_ghost_games(trial: Trial, hubs: int, ends: Callable[[Recorder, Proxy], Awaitable[None]]) -> None:
    """B3: however a waiting host is lost, nobody is paired with it from then on, and within 30 s it is off the list.

    Who joins it of their own will is told at once that the host is away and until when (C6), and is free by then. In
    the short form the guest leaves and the deadline is moved instead of awaited; that the host is kept until then, and
    no longer for the guest's coming and going, is looked at.
    """
    tries = rounds(10, 2)
    guests = [await trial.open("Bo", number) for number in range(hubs)]
    watchers = [await trial.open("Eve", number) for number in range(hubs)]
    watcher = watchers[-1]
    await watcher.ask(WatchLobby(ref=watcher.ref()), Accepted)
    async with Proxy(("127.0.0.1", trial.stage.hubs[0].port)) as proxy:
        hosts = [await trial.open("Ana", url=f"ws://127.0.0.1:{proxy.port}/ws") for _ in range(tries)]
        matches = [(await host.create(options=ODD)).match for host in hosts]
        await watcher.until(lambda: all(match in watcher.lobby for match in matches))
        for one in watchers:
            for match in matches:
                await one.watch(match)
                assert one.here[match] == [(True, False)]
        await asyncio.gather(*(ends(host, proxy) for host in hosts))
        since = time.monotonic()
        async with asyncio.timeout(BLIND_S + WAIT_S):
            for one in watchers:
                for match in matches:
                    await is_seen_to_be_away(one, match)
        noticed_after = time.monotonic() - since
        since = time.monotonic()
        for guest in guests:
            paired = await guest.ask(QuickMatch(ref=guest.ref(), game="dots-and-boxes", options=ODD), Accepted)
            assert paired.match not in matches
            await guest.ask(Cancel(ref=guest.ref(), match=paired.match), Accepted)
        assert all(trial.stored(match) == 1 for match in matches)
        assert all(match in watcher.lobby for match in matches)
        joined = dict(zip(matches, guests, strict=False))
        for match, guest in joined.items():
            until_ms = trial.store.zscore("parlour:deadlines", match)
            shown = await guest.join(match)
            assert [(away.seat, away.until_ms) for away in shown.away] == [(0, until_ms)]
            if not FULL:
                await guest.ask(Leave(ref=guest.ref(), match=match), Accepted)
                assert trial.store.zscore("parlour:deadlines", match) == until_ms
        if not FULL:
            seconds, _ = trial.store.time()
            for match in matches:
                due_ms = trial.store.zscore("parlour:deadlines", match)
                assert due_ms is not None
                assert due_ms - seconds * 1000 <= GRACE_S * 1000 + 1000
            trial.store.zadd("parlour:deadlines", dict.fromkeys(matches, 0))
        async with asyncio.timeout(GRACE_S + WAIT_S):
            while any(match in watcher.lobby for match in matches):
                await watcher.expect(LobbyChange, limit_s=GRACE_S + WAIT_S)
        took = time.monotonic() - since
        within(took, GRACE_S + 2)
        for match in matches:
            reasons = [event["reason"] for _, event in trial.log(match) if event["event"] == "ended"]
            assert reasons == ["aborted" if FULL and match in joined else "expired"]
            assert await guests[0].refusal(Join(ref=guests[0].ref(), match=match)) == "finished"
        print(f"noticed after {noticed_after:.2f} s, off the list after {took:.2f} s")
        trial.provoked(f"hosts lost: {ends.__name__}", len(matches), tries, least=tries)
        for host in hosts:
            if not host.gone:  # Nothing comes through any more, not even that it is over.
                await host.vanish()
        await trial.check()
        await asyncio.gather(*(trial.retire(host) for host in hosts))


async def is_seen_to_be_away(watcher: Recorder, match: str) -> None:
    """Wait until a watcher is told that the host is not connected: then this hub knows."""
    while watcher.here[match][-1] != (False, False):
        await watcher.expect(Presence, lambda word: word.match == match, limit_s=BLIND_S + WAIT_S)


@pytest.mark.timed
async def test_b6_between_snapshot_and_subscription(trial: Trial) -> None:
    """B6: lobby watchers who come while 200 games a second appear and go all have the exact list in the end."""
    rng = Random(6)
    many, games_a_second, for_s = rounds(200, 10), 200, 3.0 if FULL else 1.0
    hosts = [await trial.open(f"Ana {number}", number) for number in range(20)]
    watchers: list[Recorder] = []
    opened = closed = 0

    async def host_games(number: int, host: Recorder) -> None:
        nonlocal opened, closed
        pause_s = len(hosts) / games_a_second
        until = time.monotonic() + for_s
        turn = time.monotonic() + pause_s * number / len(hosts)
        while time.monotonic() < until:
            await asyncio.sleep(max(0.0, turn - time.monotonic()))  # the pace of the case
            turn += pause_s
            match = (await host.create(options=ODD)).match
            opened += 1
            if rng.random() < 0.9:
                await host.ask(Cancel(ref=host.ref(), match=match), Accepted)
                closed += 1

    async def watch(number: int) -> None:
        await asyncio.sleep(rng.uniform(0, for_s))
        watcher = await trial.open(f"Eve {number}", number)
        await watcher.ask(WatchLobby(ref=watcher.ref()), Accepted)
        watchers.append(watcher)

    await together(*(host_games(*one) for one in enumerate(hosts)), *(watch(number) for number in range(many)))
    took = await eventually(lambda: all_show(watchers, listed(trial)), limit_s=WAIT_S)
    within(took, 1.0)
    assert len(listed(trial)) >= opened - closed > 0
    changed = sum(any(isinstance(message, LobbyChange) for message in watcher.traffic) for watcher in watchers)
    print(f"{opened} opened, {closed} closed; all lists right {took:.2f} s after quiet")
    trial.provoked("watchers who came while the list changed", changed, many, least=many // 2)
    await trial.check()


def listed(trial: Trial) -> dict[str, object]:
    """The lobby as it lies in Redis."""
    rows: Any = trial.store.hgetall("parlour:lobby")
    return {match.decode(): msgpack.unpackb(row) for match, row in rows.items()}


def all_show(watchers: Sequence[Recorder], rows: dict[str, object]) -> bool:
    """Whether all watchers have exactly these rows."""
    return all(
        {match: msgspec.json.decode(msgspec.json.encode(row)) for match, row in watcher.lobby.items()} == rows
        for watcher in watchers
    )


@on_one_hub_and_two
async def test_b3_a_host_who_comes_back_is_paired(trial: Trial) -> None:
    """B3: with a host who is back within the grace time others are paired again, at whichever hub either of them is."""
    host, guest = await trial.open("Ana", 0), await trial.open("Bo", 1)
    match = (await host.create(options=OTHER)).match
    await host.vanish()
    watcher = await trial.open("Eve", 1)
    await watcher.watch(match)
    await is_seen_to_be_away(watcher, match)
    search = QuickMatch(ref=guest.ref(), game="dots-and-boxes", options=OTHER)
    paired = await guest.ask(search, Accepted)
    assert paired.match != match
    await guest.ask(Cancel(ref=guest.ref(), match=paired.match), Accepted)
    back = await trial.open("", 1, token=host.token)
    await back.watch(match)
    await watcher.sees(match, (True, False))
    search = QuickMatch(ref=guest.ref(), game="dots-and-boxes", options=OTHER)
    assert (await guest.ask(search, Accepted)).match == match
    await back.reach(match, 2)
    trial.provoked("hosts who came back", 1, 1)
    await trial.check()
