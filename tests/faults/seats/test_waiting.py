"""Waiting: a cancel that meets a join, a wait that times out, a host who is away for a moment, and playing oneself."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from protocol.messages import (
    Abandon,
    Accepted,
    Away,
    Cancel,
    Create,
    Ended,
    Join,
    Leave,
    QuickMatch,
    Refused,
    Snapshot,
    WatchLobby,
)
from tests.faults.trial.play import on_one_hub_and_two, play, until_settled
from tests.faults.trial.stage import FULL, Trial, eventually, rounds, together
from tests.pace import WAIT_S, NotProvoked, within
from tests.server.http.api.player import HttpPlayer, web

pytestmark = pytest.mark.faults
"""Hosts sit on either seat by turns (`CK R1.3`)."""

SMALL = {"width": 4, "height": 4}
ALONE: dict[str, int | str | bool] = {"width": 9, "height": 4}
"""A board that nobody else waits for."""
GRACE_S = 30.0
"""How long a waiting match outlives its host's connection."""
BLIP_S = 5.0 if FULL else 1.5


@on_one_hub_and_two
async def test_b4_host_cancels_as_guest_joins(trial: Trial, hubs: int) -> None:
    """B4: cancel and join in one millisecond: both are in a started match, or both are told that it is cancelled."""
    lost_before = trial.stage.counter("parlour_lost_races_total")
    tries, tables, under_way = rounds(1000), 10, 0
    outcomes = {"started": 0, "cancelled": 0}

    async def table(number: int) -> None:
        nonlocal under_way
        rng = Random(number)
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        watcher = await trial.open("Eve", number + 1)
        for _ in range(tries // tables):
            seat = rng.randrange(2)
            match = (await host.create(options=SMALL, seat=seat)).match
            await watcher.watch(match)  # so that the guest's hub need not load the match first, and comes too late
            cancel, join = Cancel(ref=host.ref(), match=match), Join(ref=guest.ref(), match=match)
            asked = [(host, cancel), (guest, join)]
            rng.shuffle(asked)
            for one, command in asked:
                one.send_at_once([command])
            under_way += not (host.answers[cancel.ref] or guest.answers[join.ref])
            told, joined = await host.answer(cancel.ref), await guest.answer(join.ref)
            view = await host.reach(match, 2)
            if isinstance(joined, Accepted):
                outcomes["started"] += 1
                assert isinstance(told, Refused)
                assert told.code == "started"
                assert (view.status, (await guest.reach(match, 2)).you) == ("playing", (1 - seat,))
                await guest.ask(Abandon(ref=guest.ref(), match=match), Accepted)
            else:
                outcomes["cancelled"] += 1
                assert isinstance(told, Accepted)
                assert isinstance(joined, Refused)
                assert joined.code == "finished"
                assert view.result is not None
                assert view.result.reason == "cancelled"

    await together(*(table(number) for number in range(tables)))
    print(outcomes)
    trial.provoked("both were under way", under_way, tries, least=tries // 2)
    trial.provoked("the rarer outcome", min(outcomes.values()), tries, least=max(1, tries // 50))
    if hubs > 1:
        lost = trial.stage.counter("parlour_lost_races_total") - lost_before
        trial.provoked("judged again by the hub that came second", int(lost), tries)
    await trial.check()


@on_one_hub_and_two
async def test_b7_a_wait_that_times_out_says_so(trial: Trial) -> None:
    """B7: a host whose match expired is told so on coming back, whether it is known there or not, and hosts another.

    In the short form the deadline is moved instead of awaited.
    """
    expired = 0

    async def table(number: int) -> None:
        nonlocal expired
        host = await trial.open("Ana", number)
        watcher = await trial.open("Eve", number + 1)
        match = (await host.create(options=ALONE, seat=number // 3 % 2)).match
        await watcher.watch(match)
        await (host.reset, host.vanish, host.close)[number % 3]()
        gone_at = time.time()
        await watcher.sees(match, (False, False))
        if not FULL:
            trial.store.zadd("parlour:deadlines", {match: 0})
        await eventually(lambda: watcher.views[match].status == "ended", limit_s=GRACE_S + WAIT_S)
        if FULL:
            within(time.time() - gone_at, GRACE_S + 2)
        back = await trial.open("", number + 1, token=host.token)
        assert back.welcome is not None
        assert back.welcome.matches == ()
        if number % 2:
            await back.resume(host, match)
            view = await back.reach(match, 2)
            ends = [event for event in back.traffic if isinstance(event, Ended)]
            assert [end.result.reason for end in ends] == ["expired"]
        else:
            view = await back.watch(match)
        assert view.result is not None
        assert (view.result.reason, view.result.text) == (
            "expired",
            "The host did not come back. The match is cancelled.",
        )
        again = await back.create(options=ALONE)
        assert again.status == "waiting"
        await watcher.ask(WatchLobby(ref=watcher.ref()), Accepted)
        await watcher.until(lambda: again.match in watcher.lobby and match not in watcher.lobby)
        await back.ask(Cancel(ref=back.ref(), match=again.match), Accepted)
        expired += 1

    tables = rounds(60, 6)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("matches that expired", expired, tables, least=tables)
    await trial.check()


@on_one_hub_and_two
async def test_c6_waiting_survives_a_blip(trial: Trial) -> None:
    """C6, B3: a host cut for 5 s stays listed and can be joined: the guest is told until when the host is waited for.

    The match goes on when the host is back, with clocks that have not gone yet; a guest may have left before.
    """
    await until_settled(trial.stage)
    row, joined, left = trial.fault("C6 a waiting host is cut"), 0, 0

    async def table(number: int) -> None:
        nonlocal joined, left
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        seat = number // 3 % 2
        created = await host.create(options=ALONE, private=number % 4 == 3, seat=seat)
        match = created.match
        await (host.reset, host.vanish, host.close)[number % 3]()
        cut_at = time.time()
        row.times += 1
        await asyncio.sleep(BLIP_S / 3)  # in the middle of the blip
        if not created.private:
            await guest.ask(WatchLobby(ref=guest.ref()), Accepted)
            await guest.until(lambda: match in guest.lobby)
            assert guest.lobby[match].status == "waiting"
        way = {"key": created.key or ""} if created.private else {"match": match}
        shown = await guest.join(**way)
        assert (shown.status, shown.you) == ("playing", (1 - seat,))
        # At once, unless the host's hub is so busy that its word comes after the guest.
        await guest.until(lambda: guest.views[match].away == [seat])
        told = [
            each for each in guest.traffic if isinstance(each, Snapshot | Away) and each.match == match and each.away
        ]
        until_ms = told[0].away[0].until_ms
        told_ms = told[0].now_ms if isinstance(told[0], Snapshot) else told[0].at_ms
        assert until_ms is not None
        assert 0 < until_ms - told_ms <= GRACE_S * 1000
        joined += 1
        if number % 5 == 4:
            await guest.ask(Leave(ref=guest.ref(), match=match), Accepted)
            left += 1
            if number % 2:
                await guest.join(**way)
        await asyncio.sleep(max(0.0, cut_at + BLIP_S - time.time()))
        back = await trial.open("", number + 1, token=host.token)
        view = await back.watch(match)
        if view.status == "waiting":
            await guest.join(**way)
        await eventually(lambda: back.views[match].away == [] and back.views[match].status == "playing")
        for one in (back, guest):
            await one.reach(match, trial.stored(match))
        await play([guest, back] if seat else [back, guest], match, Random(number), 4)

    tables = rounds(60, 10)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("joined while the host was away", joined, tables, least=tables)
    trial.provoked("left again before the host was back", left, tables, least=tables // 10)
    await trial.check()


@on_one_hub_and_two
async def test_c6_the_host_who_is_away_does_not_come_back(trial: Trial) -> None:
    """C6, B3: the guest of a host who stays away is free at the time that was shown, and nobody has lost anything."""
    await until_settled(trial.stage)
    row, freed = trial.fault("B3 a waiting host is cut for good"), 0

    async def table(number: int) -> None:
        nonlocal freed
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        match = (await host.create(options=ALONE, seat=number // 3 % 2)).match
        await (host.reset, host.vanish, host.close)[number % 3]()
        row.times += 1
        await asyncio.sleep(1.0)  # until the other hub has heard of it, also on a busy machine
        if not FULL:  # as if the host had been away for long
            seconds, _ = trial.store.time()
            trial.store.zadd("parlour:deadlines", {match: (seconds + 3) * 1000})
        shown = await guest.join(match)
        if not shown.away:
            raise NotProvoked("word of the cut came after the guest")
        until_ms = shown.away[0].until_ms
        assert until_ms is not None
        await eventually(lambda: guest.views[match].status == "ended", limit_s=GRACE_S + WAIT_S)
        ends = [event for event in guest.traffic if isinstance(event, Ended) and event.match == match]
        assert [(end.result.reason, end.result.winner) for end in ends] == [("aborted", None)]
        assert until_ms <= ends[0].at_ms
        within((ends[0].at_ms - until_ms) / 1000, 1.0)
        assert [event for event in guest.traffic if isinstance(event, Away)] == []
        assert (await guest.create(options=SMALL)).status == "waiting"
        freed += 1

    tables = rounds(60, 6)
    await together(*(table(number) for number in range(tables)))
    trial.provoked("guests who were freed", freed, tables, least=tables)
    await trial.check()


@on_one_hub_and_two
async def test_b9_playing_oneself(trial: Trial, hubs: int) -> None:
    """B9: the host joins the own match, public or private, from a second tab, by HTTP, by quick match: the own seat
    again each time, and the match still waits for somebody else."""
    tries, came = rounds(100, 4), 0
    for number in range(tries):
        host = await trial.open("Ana", number)
        tab, friend = await trial.open("", number + 1, token=host.token), await trial.open("Bo", number + 1)
        seat = number // 2 % 2
        create = Create(ref=host.ref(), game="dots-and-boxes", options=ALONE, private=number % 2 == 1, seat=seat)
        created = await host.ask(create, Accepted)
        match = created.match
        way = {"key": created.key or ""} if create.private else {"match": match}
        for one in (tab, host):
            shown = await one.join(**way)
            assert (shown.you, shown.status, shown.match, shown.version) == ((seat,), "waiting", match, 1)
            came += 1
        async with web(trial.stage.hubs[number % hubs]) as link:
            by_http = HttpPlayer(link, {"player": host.player, "token": host.token})
            path = "/players" if create.private else f"/matches/{match}/players"
            answer = await by_http.post(path, {"ref": by_http.ref(), **way} if create.private else {}, 201)
            assert (answer["match"], answer["state"]["you"], answer["state"]["status"]) == (match, [seat], "waiting")
            came += 1
        if not create.private:
            search = QuickMatch(ref=tab.ref(), game="dots-and-boxes", options=ALONE)
            assert (await tab.ask(search, Accepted)).match == match
            came += 1
        assert trial.stored(match) == 1
        assert (await friend.join(**way)).you == (1 - seat,)
        await host.reach(match, 2)
        await play([friend, host] if seat else [host, friend], match, Random(number), 4)
        await tab.reach(match, trial.stored(match))
        for one in (host, tab, friend):
            await trial.retire(one)
    trial.provoked("joins by the host", came, came, least=3 * tries)
    await trial.check()
