"""Coming back: the whole truth, shown as connected again, gaps of every size, other people's matches."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from protocol.codec import JSON, MSGPACK
from protocol.limits import CATCH_UP_EVENTS, MAX_NOTIFICATION_BYTES
from protocol.messages import (
    Abandon,
    Accepted,
    Hello,
    Join,
    Leave,
    MatchEvent,
    Move,
    Ping,
    Pong,
    Presence,
    Snapshot,
    Sync,
    Watch,
)
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.proxy import Proxy
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Trial, rounds, together
from tests.pace import within

pytestmark = pytest.mark.faults

BACK_WITHIN_S = 2.0
SHOWN_WITHIN_S = 2.0
SMALL = {"width": 3, "height": 3}


@pytest.mark.minutes(2)
@pytest.mark.timed
@on_one_hub_and_two
async def test_c1_the_whole_truth_after_a_reconnect(trial: Trial, hubs: int) -> None:
    """C1: cut (with a reset, or silently) while the match goes on: 2 s after the return all is as the server has it
    (CK R9.1)."""
    at_once = rounds(200, 8)
    cuts_each = rounds(1000, 48) // at_once
    missed: list[int] = []
    took: list[float] = []
    row = trial.fault("C1 connection cut while the match goes on")

    async def table(number: int) -> None:
        rng = Random(number)
        async with Proxy(("127.0.0.1", trial.stage.hubs[0].port)) as proxy:
            url = f"ws://127.0.0.1:{proxy.port}/ws"
            host = await trial.open("Ana", url=url, codec=(MSGPACK, JSON)[number % 2])
            # The other tab of the one who is cut plays on, so that the match is not at a stand.
            tab, guest = await trial.open("", 1, token=host.token), await trial.open("Bo", 1)
            match = ""
            for cut in range(cuts_each):
                if not match or tab.views[match].status == "ended":
                    match = await trial.meet(host, guest)
                    await tab.watch(match)
                known = await host.reach(match, trial.stored(match))
                if cut % 2:
                    proxy.blackhole()
                else:
                    proxy.cut()
                until = time.monotonic() + (rng.uniform(0.1, 30) if FULL else rng.uniform(0.02, 0.2))
                await play([tab, guest], match, rng, rng.choice([1, 5, 20, 21, 30]))
                await asyncio.sleep(max(0.0, until - time.monotonic()))  # how long the path stays away
                missed.append(trial.stored(match) - known.version)
                row.times += 1
                proxy.cut()
                proxy.heal()
                since = time.monotonic()
                back = await trial.open("", number, url=url if cut % 3 else "", token=host.token, codec=host.codec)
                await back.resume(host, match)
                view = await back.reach(match, trial.stored(match))
                took.append(time.monotonic() - since)
                assert view.digest() == tab.views[match].digest()
                await back.sees(match, (True, True))
                if not cut % 3:
                    await back.close()
                    back = await trial.open("", url=url, token=host.token, codec=host.codec)
                    await back.watch(match)
                await trial.retire(host)
                host = back

    await together(*(table(number) for number in range(at_once)))
    row.resumed_s += took
    took.sort()
    print(f"back after {took[len(took) // 2]:.3f} s (median), {took[-1]:.3f} s (longest)")
    trial.provoked(
        "cuts that missed something", sum(count > 0 for count in missed), len(missed), least=len(missed) // 2
    )
    trial.provoked("cuts that missed too much for events", sum(n > CATCH_UP_EVENTS for n in missed), len(missed))
    within(took[-1], BACK_WITHIN_S)
    await trial.check()


@pytest.mark.timed
@on_one_hub_and_two
async def test_c2_shown_as_connected_again(trial: Trial) -> None:
    """C2: the opponent of one who is cut and returns sees "gone" and "back", each once, in order, within 2 s."""
    at_once, times_each = 10, rounds(100) // 10
    took: list[float] = []

    async def table(number: int) -> None:
        match, host, guest = await trial.pair(number, number + 1)
        for time_ in range(times_each):
            await guest.sees(match, (True, True))
            del guest.here[match][:-1]
            await (host.reset, host.vanish, host.close)[(number + time_) % 3]()
            since = time.monotonic()
            await guest.sees(match, (False, True))
            took.append(time.monotonic() - since)
            host = await trial.open("", number + time_, token=host.token)
            since = time.monotonic()
            await host.watch(match)
            await guest.sees(match, (True, True))
            took.append(time.monotonic() - since)
            await play([host, guest], match, Random(number), 3)
            # Whatever else there was to say of it comes before the word of one more watcher.
            watcher = await trial.open("Eve", number + 1)
            await watcher.watch(match)
            await guest.expect(Presence, lambda word: word.match == match and word.spectators > 0)
            guest.forget(Presence)
            assert guest.here[match] == [(True, True), (False, True), (True, True)]
            await trial.retire(watcher)
        # What the log says of it is the same: away and back, if the absence lasted long enough to be one.
        away = [bool(event["away"][0]) for _, event in trial.log(match) if event["event"] == "away"]
        assert away in ([], [True, False] * (len(away) // 2))

    await together(*(table(number) for number in range(at_once)))
    trial.provoked("gone and back", len(took) // 2, at_once * times_each, least=at_once * times_each)
    within(max(took), SHOWN_WITHIN_S)
    await trial.check()


@on_one_hub_and_two
@pytest.mark.parametrize("missed", [1, 20, 21, 200, 5000] if FULL else [20, 21, 300])
async def test_c7_gaps_bigger_than_the_buffer(trial: Trial, missed: int) -> None:
    """C7: however many events were missed, the state in the end is the same, and the answer has a bound."""
    host, guest = await trial.open("Ana", 0), await trial.open("Bo", 0)
    readers = [await trial.open("Eve", number, codec=codec) for number, codec in enumerate((MSGPACK, JSON))]
    size = 15 if missed <= 200 else 3
    match = (await host.create(options={"width": size, "height": size})).match
    if missed <= 200:
        await guest.join(match)
    for reader in readers:
        await reader.watch(match)
    before = trial.stored(match)
    for reader in readers:
        await reader.close()
    if missed <= 200:
        await host.reach(match, before)
        await play([host, guest], match, Random(missed), missed)
    else:
        await come_and_go(guest, match, missed)
    assert trial.stored(match) == before + missed
    for number, reader in enumerate(readers):
        # A hub that had not heard of the last of them yet would send the others one by one.
        there = await trial.open("Fay", number)
        await there.watch(match)
        await there.reach(match, before + missed)
        back = await trial.open("Eve", number, codec=reader.codec)
        received, messages = back.bytes_received, len(back.traffic)
        await back.resume(reader, match)
        view = await back.reach(match, before + missed)
        await back.ask(Ping(ref=back.ref()), Pong)  # nothing more comes of it
        told = [m for m in back.traffic[messages:] if isinstance(m, MatchEvent | Snapshot)]
        assert len(told) == (missed if missed <= CATCH_UP_EVENTS else 1)
        assert back.bytes_received - received < MAX_NOTIFICATION_BYTES
        assert view.digest() == (await host.reach(match, before + missed)).digest()
        # A version that never was is answered with the truth, too.
        assert isinstance(await back.ask(Sync(ref=back.ref(), match=match, after=10**9), Accepted), Accepted)
        assert (await back.expect(Snapshot, lambda shown: shown.version == before + missed)).match == match
    trial.provoked("events missed", missed, missed, least=missed)
    await trial.check()


async def come_and_go(guest: Recorder, match: str, events: int) -> None:
    """Join and leave until there are that many events."""
    for start in range(0, events, 100):
        commands = [
            (Join if number % 2 == 0 else Leave)(ref=guest.ref(), match=match)
            for number in range(start, min(start + 100, events))
        ]
        guest.send_at_once(commands)
        assert isinstance(await guest.answer(commands[-1].ref), Accepted)


@on_one_hub_and_two
async def test_c8_somebody_elses_game(trial: Trial) -> None:
    """C8: with a token of no one, in others' private matches, in ones that ended or never were: refused, nothing shown.

    A token names a guest and not a match, so another match's token is that of a guest who has no seat here.
    """
    match, host, guest = await trial.pair(private=False, options=SMALL)
    shown = await host.create(private=True, options=SMALL)
    private = shown.match
    await guest.join(key=shown.key or "")
    await host.reach(private, 2)
    await play([host, guest], private, Random(8), 3)
    ended = await trial.meet(host, guest, options=SMALL)
    await guest.ask(Abandon(ref=guest.ref(), match=ended), Accepted)
    await play([host, guest], match, Random(8), 2)
    logs = {each: trial.log(each) for each in (match, private, ended)}
    tries = rounds(100)
    for number in range(tries):
        nobody = await Recorder.connect(trial.url(number), "Eve")
        trial.clients.append(nobody)
        assert await nobody.refusal(Hello(ref=nobody.ref(), name="Eve", token="A" * 32)) == "bad_token"
        assert await nobody.refusal(Watch(ref=nobody.ref(), match=match)) == "hello_first"
        stranger = await trial.open("Eve", number)
        for refused, command in [
            ("private", Watch(ref=stranger.ref(), match=private)),
            ("private", Sync(ref=stranger.ref(), match=private, after=number % 5)),
            ("private", Join(ref=stranger.ref(), match=private)),
            ("wrong_key", Join(ref=stranger.ref(), key="0000-0000-0000")),
            ("unknown_match", Watch(ref=stranger.ref(), match="never-was")),
            ("unknown_match", Sync(ref=stranger.ref(), match="never-was", after=3)),
            ("not_seated", stranger_move(stranger, private, 5)),
            ("not_seated", stranger_move(stranger, match, 4)),
            ("not_seated", Abandon(ref=stranger.ref(), match=match)),
            ("finished", stranger_move(stranger, ended, 3)),
            ("finished", Abandon(ref=stranger.ref(), match=ended)),
        ]:
            assert await stranger.refusal(command) == refused, command
        await stranger.ask(Ping(ref=stranger.ref()), Pong)
        for one in (nobody, stranger):
            assert not [m for m in one.traffic if isinstance(m, MatchEvent | Snapshot | Presence)]
            await trial.retire(one)
        # The opponent's move with one's own token is a move out of turn, whatever it says.
        turn = host.views[match].to_move
        assert turn is not None
        other = (host, guest)[1 - turn]
        await other.reach(match, 4)
        assert await other.refusal(other.a_move(match, "a1-b1", 4)) == "not_your_turn"
    assert {each: trial.log(each) for each in logs} == logs
    trial.provoked("strangers refused", tries, tries)
    await trial.check()


def stranger_move(stranger: Recorder, match: str, version: int) -> Move:
    return stranger.a_move(match, "a1-b1", version)
