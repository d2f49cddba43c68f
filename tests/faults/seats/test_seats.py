"""Seats: the last one, the start that is not heard of, leaving before it, joining twice."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from random import Random

import pytest

from protocol.messages import Abandon, Accepted, Join, Leave, LobbyState, MatchSummary, Refused, WatchLobby
from tests.driver import WAIT_S
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.proxy import DOWN, Proxy
from tests.faults.trial.recorder import PASSING, Recorder
from tests.faults.trial.stage import Trial, rounds
from tests.pace import NotProvoked

pytestmark = pytest.mark.faults

SMALL = {"width": 3, "height": 3}


@on_one_hub_and_two
async def test_b1_the_last_seat(trial: Trial, hubs: int) -> None:
    """B1: of 50 who join at once one gets the free seat, and 49 are told that both are taken."""
    host = await trial.open("Ana", 0)
    watcher = await trial.open("Eve", 1)
    joiners = [await trial.open(f"Bo {number}", number) for number in range(50)]
    lost_before = trial.stage.counter("parlour_lost_races_total")
    tries, crowded = rounds(500, 6), 0
    for _ in range(tries):
        match = (await host.create(options=SMALL)).match
        await watcher.watch(match)  # so that the other hub need not load the match first, and comes too late
        asked = [(one, Join(ref=one.ref(), match=match)) for one in joiners]
        for one, command in asked:
            one.send_at_once([command])
        crowded += sum(not one.answers[command.ref] for one, command in asked) >= len(asked) // 2
        answers = [await one.answer(command.ref) for one, command in asked]
        codes = Counter(answer.code if isinstance(answer, Refused) else "accepted" for answer in answers)
        if codes.keys() & (PASSING | {"host_away"}):
            raise NotProvoked(f"the machine was behind: {codes}")
        assert codes == {"accepted": 1, "full": 49}
        assert [event["event"] for _, event in trial.log(match)] == ["created", "joined"]
        view = await host.reach(match, 2)
        assert None not in view.names
        await host.ask(Abandon(ref=host.ref(), match=match), Accepted)
    trial.provoked("most joins were under way at once", crowded, tries)
    if hubs > 1:
        lost = trial.stage.counter("parlour_lost_races_total") - lost_before
        trial.provoked("judged again by the hub that came second", int(lost), tries)
    await trial.check()


@on_one_hub_and_two
async def test_b5_the_lost_start_notice(trial: Trial, hubs: int) -> None:
    """B5: a guest who is cut before hearing of the start finds the match on coming back; the host sees it started."""
    tries, unheard = rounds(200, 8), 0
    host = await trial.open("Ana", 1)
    row = trial.fault("B5 start swallowed, then cut")
    async with Proxy(("127.0.0.1", trial.stage.hubs[0].port)) as proxy:
        for number in range(tries):
            match = (await host.create(options=SMALL)).match
            guest = await trial.open("Bo", url=f"ws://127.0.0.1:{proxy.port}/ws")
            join = Join(ref=guest.ref(), match=match)
            proxy.swallow(DOWN)
            await guest.send(join)
            await proxy.until_swallowed(join.ref.encode())
            proxy.cut()
            await guest.close()
            proxy.heal()
            proxy.swallowed.clear()
            unheard += trial.stored(match) >= 2 and match not in guest.views
            row.times, row.hits, cut = row.times + 1, unheard, time.monotonic()
            back = await trial.open("", number % hubs, token=guest.token)
            assert back.welcome is not None
            assert back.welcome.matches == (match,)
            if number % 2:
                assert (await back.ask(join, Accepted)).version == 2
                view = await back.reach(match, 2)
            else:
                view = await back.watch(match)
            row.resumed_s.append(time.monotonic() - cut)
            assert (view.status, view.you, view.names) == ("playing", (1,), [host.name, guest.name])
            assert (await host.reach(match, 2)).status == "playing"
            await play([host, back], match, Random(number))
            await back.close()
    trial.provoked("joined, and the start not heard of", unheard, tries, least=tries)
    await trial.check()


@on_one_hub_and_two
async def test_b10_leaving_before_the_start_frees_the_seat(trial: Trial) -> None:
    """B10: join, leave, join by another, again and again on one match; its row in the lobby is right each time."""
    host, guests = await trial.open("Ana", 0), [await trial.open("Bo", 1), await trial.open("Cleo", 0)]
    watcher = await trial.open("Eve", 1)
    match = (await host.create()).match
    tries = rounds(100)
    for number in range(tries):
        guest = guests[number % 2]
        await guest.join(match)
        await host.reach(match, 2 * number + 2)
        await listed(watcher, match, "playing", (host.name, guest.name))
        await guest.ask(Leave(ref=guest.ref(), match=match), Accepted)
        assert (await host.reach(match, 2 * number + 3)).status == "waiting"
        await listed(watcher, match, "waiting", (host.name, None))
    await guests[0].join(match)
    await play([host, guests[0]], match, Random(10))
    trial.provoked("left before the start", tries, tries)
    await trial.check()


async def listed(watcher: Recorder, match: str, status: str, names: tuple[str | None, ...]) -> None:
    """Wait until the lobby, asked for anew, has this row: the other hub's word of it is on its way."""
    row: MatchSummary | None = None
    async with asyncio.timeout(WAIT_S):
        while row is None or (row.status, row.names) != (status, names):
            await watcher.ask(WatchLobby(ref=watcher.ref()), Accepted)
            await watcher.expect(LobbyState)
            row = watcher.lobby.get(match)


@on_one_hub_and_two
async def test_c10_joining_what_one_has_joined(trial: Trial) -> None:
    """C10: joining again, on the same connection, on another, on two at once: the whole state each time, one seat."""
    host, guest = await trial.open("Ana", 0), await trial.open("Bo", 0)
    tab = await trial.open("", 1, token=guest.token)
    tries, at_once = rounds(500), 0
    for number in range(tries):
        private = number % 2 == 1
        shown = await host.create(private=private, options=SMALL)
        match = shown.match
        way = {"key": shown.key or ""} if private else {"match": match}
        asked = [(one, Join(ref=one.ref(), **way)) for one in (guest, tab)]
        for one, command in asked:
            await one.send(command)
        at_once += not any(one.answers[command.ref] for one, command in asked)
        for one, command in asked:
            assert isinstance(await one.answer(command.ref), Accepted)
            assert (await one.shown(match)).version == 2
        if number % 4 > 1:
            await play([host, guest], match, Random(number), 3)
        for one in (guest, tab, guest):
            stored = trial.stored(match)
            again = await one.join(**way)
            # The other hub may be some moves behind for a moment; what is missing follows without a gap.
            assert again.version <= trial.stored(match)
            await one.reach(match, stored)
            assert (again.you, again.status) == ((1,), "playing")
        assert [event["event"] for _, event in trial.log(match)][:3].count("joined") == 1
        await guest.ask(Abandon(ref=guest.ref(), match=match), Accepted)
    trial.provoked("both tabs joined at once", at_once, tries, least=tries // 2)
    await trial.check()
