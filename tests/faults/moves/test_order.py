"""Everybody sees one order, wherever they sit; and after the end nothing moves."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from protocol.messages import Abandon, Accepted, Cancel, ClockRule, Join, Leave, Offer, Refused
from tests.faults.trial.play import in_match_commands, on_one_hub_and_two, play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Trial, eventually, rounds, together

pytestmark = pytest.mark.faults

SPECTATORS = 20
AT_ONCE = 10
SMALL = {"width": 4, "height": 4}


@on_one_hub_and_two
async def test_a7_everybody_sees_one_order(trial: Trial) -> None:
    """A7: two players and 20 spectators, half of whom come in the middle, all have the same gapless sequence."""
    games = rounds(200, 10)
    spectators = [await trial.open(f"Eve {number}", number) for number in range(SPECTATORS)]
    late = 0

    async def game(number: int, host: Recorder, guest: Recorder) -> str:
        nonlocal late
        rng = Random(number)
        match = await trial.meet(host, guest, options=SMALL)
        await asyncio.gather(*(one.watch(match) for one in spectators[::2]))
        joining = [asyncio.create_task(one.watch(match)) for one in spectators[1::2]]
        await play([host, guest], match, rng)
        views = await asyncio.gather(*joining)
        late += sum(view.version > 2 for view in views)
        return match

    async def table(first: int) -> list[str]:
        host, guest = await trial.open("Ana", first), await trial.open("Bo", first + 1)
        return [await game(number, host, guest) for number in range(first, games, AT_ONCE)]

    matches = [match for played in await together(*map(table, range(AT_ONCE))) for match in played]
    logs = await trial.check()
    for match in matches:
        for one in spectators:
            assert one.views[match].version == len(logs[match])
            versions = [event.version for event in one.events(match)]
            assert versions == list(range(len(logs[match]) - len(versions) + 1, len(logs[match]) + 1))
    trial.provoked("spectators who came while it was played", late, games * SPECTATORS // 2)


async def ended_by_score(trial: Trial, host: Recorder, guest: Recorder) -> str:
    match = await trial.meet(host, guest, options=SMALL)
    await play([host, guest], match, Random(8))
    return match


async def ended_by_giving_up(trial: Trial, host: Recorder, guest: Recorder) -> str:
    match = await trial.meet(host, guest, options=SMALL)
    await play([host, guest], match, Random(8), 5)
    await guest.ask(Abandon(ref=guest.ref(), match=match), Accepted)
    return match


async def ended_before_the_first_move(trial: Trial, host: Recorder, guest: Recorder) -> str:
    match = await trial.meet(host, guest, options=SMALL)
    await guest.ask(Abandon(ref=guest.ref(), match=match), Accepted)
    return match


async def ended_by_agreement(trial: Trial, host: Recorder, guest: Recorder) -> str:
    match = await trial.meet(host, guest, options=SMALL)
    await play([host, guest], match, Random(8), 5)
    offered = await guest.ask(Offer(ref=guest.ref(), match=match, kind="draw"), Accepted)
    await host.reach(match, offered.version)
    await host.ask(host.reply(match, True), Accepted)
    return match


async def ended_by_the_clock(trial: Trial, host: Recorder, guest: Recorder) -> str:
    match = await trial.meet(host, guest, options=SMALL, clock=ClockRule(per_move_ms=100))
    await guest.until(lambda: guest.views[match].status == "ended")
    return match


async def ended_because_one_stayed_away(trial: Trial, host: Recorder, guest: Recorder) -> str:
    tab = await trial.open("", 1, token=guest.token)
    match = await trial.meet(host, tab, options=SMALL, grace_s=1)
    await play([host, tab], match, Random(8), 5)
    await tab.vanish()
    await host.until(lambda: host.views[match].status == "ended")
    return match


async def ended_by_the_host_alone(trial: Trial, host: Recorder, guest: Recorder) -> str:
    match = (await host.create(options=SMALL)).match
    await host.ask(Cancel(ref=host.ref(), match=match), Accepted)
    return match


async def ended_because_the_host_was_gone(trial: Trial, host: Recorder, guest: Recorder) -> str:
    tab = await trial.open("", token=host.token)
    match = (await tab.create(options=SMALL)).match
    await guest.watch(match)
    await tab.vanish()
    await guest.sees(match, (False, False))
    trial.store.zadd("parlour:deadlines", {match: 0})
    await eventually(lambda: trial.stored(match) == 2)
    return match


@on_one_hub_and_two
@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (ended_by_score, "score"),
        (ended_by_giving_up, "forfeit"),
        (ended_by_agreement, "agreed"),
        (ended_by_the_clock, "time"),
        (ended_because_one_stayed_away, "abandoned"),
        (ended_before_the_first_move, "aborted"),
        (ended_by_the_host_alone, "cancelled"),
        (ended_because_the_host_was_gone, "expired"),
    ],
    ids=["score", "forfeit", "agreed", "time", "abandoned", "aborted", "cancelled", "expired"],
)
async def test_a8_after_the_end_nothing_moves(trial: Trial, end: object, reason: str) -> None:
    """A8: whoever asks for whatever after whichever end is told that the match is over; the state stays as it was."""
    host, guest = await trial.open("Ana", 0), await trial.open("Bo", 1)
    watcher, stranger = await trial.open("Eve", 0), await trial.open("Mallory", 1)
    match = await end(trial, host, guest)  # type: ignore[operator]
    log = trial.log(match)
    assert log[-1][1]["reason"] == reason
    await watcher.watch(match)
    before = (await watcher.reach(match, len(log))).digest()
    for one in (host, guest):
        await one.watch(match)
        await one.reach(match, len(log))
    tries, refused = rounds(100, 3), 0
    for _ in range(tries):
        for one in (host, guest, watcher, stranger):
            commands = [
                one.a_move(match, "a1-b1", len(log)),
                Cancel(ref=one.ref(), match=match),
                Join(ref=one.ref(), match=match),
                *in_match_commands(one, match),
            ]
            one.send_at_once(commands)
            for command in commands:
                answer = await one.answer(command.ref)
                assert isinstance(answer, Refused)
                # One who has no seat may be told that instead.
                assert answer.code == "finished" or (answer.code == "not_seated" and not one.seated(match)), command
                assert answer.version == len(log)
                refused += 1
    for one in (host, guest, stranger):
        await one.ask(Leave(ref=one.ref(), match=match), Accepted)
    assert trial.log(match) == log
    assert (await (await trial.open("Eve", 1)).watch(match)).digest() == before
    trial.provoked("commands after the end", refused, refused)
    await trial.check()


@on_one_hub_and_two
async def test_a8_two_ends_at_once(trial: Trial, hubs: int) -> None:
    """A8: both players give up in the same moment: the match ends once, the same way for all; the other is told so."""
    host, guest, watcher = await trial.open("Ana", 0), await trial.open("Bo", 1), await trial.open("Eve", 1)
    lost_before = trial.stage.counter("parlour_lost_races_total")
    tries, both = rounds(1000), 0
    for number in range(tries):
        match = await trial.meet(host, guest, options=SMALL)
        await watcher.watch(match)
        await play([host, guest], match, Random(number), number % 3)
        asked = [(one, Abandon(ref=one.ref(), match=match)) for one in (host, guest)]
        for one, command in asked:
            await one.send(command)
        both += not any(one.answers[command.ref] for one, command in asked)
        answers = [await one.answer(command.ref) for one, command in asked]
        assert sorted(type(answer).__name__ for answer in answers) == ["Accepted", "Refused"]
        assert next(answer.code for answer in answers if isinstance(answer, Refused)) == "finished"
    trial.provoked("both were under way", both, tries, least=tries // 2)
    if hubs > 1:
        lost = trial.stage.counter("parlour_lost_races_total") - lost_before
        trial.provoked("judged again by the hub that came second", int(lost), tries)
    await trial.check()
