"""One player on two connections: both see the same, either may act, and losing one is not leaving."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from protocol.messages import Accepted, Presence
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Trial, eventually, rounds

pytestmark = pytest.mark.faults


@on_one_hub_and_two
async def test_c3_two_tabs_one_player(trial: Trial) -> None:
    """C3: either tab may move, and what both send at once counts once; both see the same, and neither is put out."""
    rng = Random(3)
    match, host, guest = await trial.pair(options={"width": 15, "height": 15})
    tab = await trial.open("", 1, token=host.token)
    assert tab.player == host.player
    await tab.watch(match)
    tries, at_once, version = rounds(1000), 0, 2
    lost_before = trial.stage.counter("parlour_lost_races_total")
    done = 0
    while done < tries:
        view = await host.reach(match, version)
        if view.status == "ended":
            match, version = await trial.meet(host, guest, options={"width": 15, "height": 15}), 2
            await tab.watch(match)
            continue
        move = rng.choice(sorted(view.legal))
        if view.to_move == 1:
            await guest.reach(match, version)
            version = (await guest.move(match, version, move)).version
            continue
        for one in (host, tab):
            await one.reach(match, version)
        command = host.a_move(match, move)
        match done % 3:
            case 0:
                answers = [await host.ask(command, Accepted)]
            case 1:
                answers = [await tab.ask(command, Accepted)]
            case _:
                for one in (host, tab):
                    await one.send(command)
                at_once += not (host.answers[command.ref] or tab.answers[command.ref])
                answers = [await one.answer(command.ref) for one in (host, tab)]  # type: ignore[misc]
        assert all(isinstance(answer, Accepted) and answer.version == answers[0].version for answer in answers)
        version = answers[0].version
        assert [event.get("ref") for _, event in trial.log(match)].count(command.ref) in (1, 2)  # 2: move and end
        done += 1
    assert not host.gone
    assert not tab.gone
    trial.provoked("the same command from both at once", at_once, tries // 3, least=tries // 6)
    print(f"judged again: {trial.stage.counter('parlour_lost_races_total') - lost_before:.0f}")
    await trial.check()


@on_one_hub_and_two
async def test_c3_a_half_open_tab_locks_nobody_out(trial: Trial, hubs: int) -> None:
    """C3: while one tab's path swallows everything the other plays on; when the path is back both show the same."""
    tries, behind = rounds(100, 4), 0
    async with Proxy(("127.0.0.1", trial.stage.hubs[hubs - 1].port)) as proxy:
        for number in range(tries):
            match, host, guest = await trial.pair(options={"width": 4, "height": 4})
            tab = await trial.open("", url=f"ws://127.0.0.1:{proxy.port}/ws", token=host.token)
            await tab.watch(match)
            proxy.blackhole()
            held = tab.a_move(match, "a1-b1")
            await tab.send(held)
            await play([host, guest], match, Random(number))
            behind += tab.views[match].version < trial.stored(match)
            proxy.heal()
            # Sent long ago and come too late: refused, and not applied.
            answer = await tab.answer(held.ref)
            assert getattr(answer, "code", "") == "finished"
            await tab.reach(match, trial.stored(match))
            assert tab.views[match].digest() == host.views[match].digest()
            assert not host.gone
            for one in (tab, host, guest):
                await trial.retire(one)
    trial.provoked("the half-open tab was behind", behind, tries, least=tries)
    await trial.check()


async def shuts(tab: Recorder) -> None:
    await tab.close()


async def breaks(tab: Recorder) -> None:
    await tab.reset()


@on_one_hub_and_two
@pytest.mark.parametrize("ends", [shuts, breaks])
async def test_c4_closing_one_of_two_is_not_leaving(trial: Trial, ends: object) -> None:
    """C4: while one of two tabs is left the opponent hears nothing; when both are gone, once."""
    tries, quiet = rounds(20), 0
    for number in range(tries):
        match, host, guest = await trial.pair(0, 1)
        tab = await trial.open("", 1, token=host.token)
        await tab.watch(match)
        await play([host, guest], match, Random(number), 4)
        await guest.sees(match, (True, True))
        del guest.here[match][:-1]
        first, second = ((host, tab), (tab, host))[number % 2]
        await gone_from_the_hubs(trial, first, ends)
        # Had there been anything to say of it, it would have been said before the word of one more watcher.
        watcher = await trial.open("Eve", number)
        await watcher.watch(match)
        await guest.counts(match, 1)
        quiet += guest.here[match] == [(True, True)] and not called_away(trial, match)
        await gone_from_the_hubs(trial, second, ends)
        await guest.sees(match, (False, True))
        guest.forget(Presence)
        await watcher.close()
        await guest.counts(match, 0)
        assert guest.here[match] == [(True, True), (False, True)]
        # A hub that has only just started calls nobody away for a few seconds.
        await eventually(partial(called_away, trial, match))
        await guest.reach(match, trial.stored(match))
        assert called_away(trial, match) == [[True, False]]
        assert guest.views[match].away == [0]
        await trial.retire(guest)
    trial.provoked("one of two tabs closed", quiet, tries, least=tries)
    await trial.check()


@on_one_hub_and_two
async def test_c4_a_waiting_host_with_one_tab_left_can_be_joined(trial: Trial) -> None:
    """C4: in a match that waits the host is here by either tab, and away when both are closed."""
    host = await trial.open("Ana", 0)
    tab, guest = await trial.open("", 1, token=host.token), await trial.open("Bo", 1)
    watcher = await trial.open("Eve", 1)
    first, second = (await host.create()).match, (await host.create()).match
    await watcher.watch(second)
    for match in (first, second):
        await tab.watch(match)
    await gone_from_the_hubs(trial, host, shuts)
    await guest.join(first)
    await tab.reach(first, 2)
    await gone_from_the_hubs(trial, tab, breaks)
    await watcher.sees(second, (False, False))
    assert [away.seat for away in (await guest.join(second)).away] == [0]
    trial.provoked("tabs closed", 2, 2)
    await trial.check()


def called_away(trial: Trial, match: str) -> list[list[bool]]:
    """Each time that the match took note of who is away: that is when a grace time begins or ends."""
    return [event["away"] for _, event in trial.log(match) if event["event"] == "away"]


async def gone_from_the_hubs(trial: Trial, tab: Recorder, ends: object) -> None:
    """End a connection, and wait until its hub has noticed; those of the trial before may still be on their way out."""

    def only_ours() -> bool:
        return trial.stage.counter("parlour_connections") == sum(not client.gone for client in trial.clients)

    await eventually(only_ours)
    await ends(tab)  # type: ignore[operator]
    await eventually(only_ours)
