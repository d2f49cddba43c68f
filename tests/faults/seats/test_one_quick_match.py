"""One player at two hubs who presses quick match in both tabs at once gets one match (`Q8`)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from protocol.messages import Abandon, Accepted, Cancel, Leave, QuickMatch
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, rounds, staged, together
from tests.forms import crossed

pytestmark = pytest.mark.faults

REFS = ("one_ref", "two_refs")
ENDLESS = ("--limit", "open_matches=1000")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs of this trial alone: strangers in the same group would pair with its players."""
    with staged(tmp_path, arguments=ENDLESS) as stage:
        yield stage


def press(client: Recorder, ref: str) -> QuickMatch:
    """The command, the same for all: 15 x 15 boxes are too many to be over by accident."""
    return QuickMatch(ref=ref, game="dots-and-boxes", options={"width": 9, "height": 9})


async def settle(trial: Trial, clients: list[Recorder]) -> None:
    """End every match that any of them is in, so that the next round begins with nothing."""
    for client in clients:
        for name in sorted(unfinished(trial, client)):
            joined = len(trial.log(name)) > 1
            command = Abandon(ref=client.ref(), match=name) if joined else Cancel(ref=client.ref(), match=name)
            assert isinstance(await client.once_more(command), Accepted)


def unfinished(trial: Trial, client: Recorder) -> set[str]:
    """The matches that go on in which the player has a seat, as the store lists them."""
    found = trial.store.smembers(f"parlour:player:{client.player}:matches")
    return {name.decode() for name in found}  # type: ignore[union-attr]


@pytest.mark.parametrize(("strangers", "refs"), crossed([0, 1, 2, 3] if FULL else [0, 3], REFS, full=FULL))
async def test_q8_two_tabs_at_two_hubs_get_one_match(trial: Trial, refs: str, strangers: int) -> None:
    """Q8: both tabs are led to the same match, whoever else presses meanwhile, and the player is in no other."""
    rng, tries = Random(strangers), rounds(300, 6)
    row = trial.fault(f"Q8 quick match at two hubs at once, {refs}, {strangers} others")
    tabs = [await trial.open("Ana", 0)]
    tabs.append(await trial.open("Ana", 1, token=tabs[0].token))
    others = [await trial.open("Bo", number) for number in range(strangers)]
    crossed = paired = 0
    for _ in range(tries):
        # Some strangers wait already, the others press within the same millisecond.
        early = rng.randrange(strangers + 1)
        for other in others[:early]:
            assert isinstance(await other.once_more(press(other, other.ref())), Accepted)
        asked = [press(tabs[0], tabs[0].ref())]
        asked.append(press(tabs[1], asked[0].ref if refs == "one_ref" else tabs[1].ref()))
        pressing = [*zip(tabs, asked, strict=True), *((other, press(other, other.ref())) for other in others[early:])]
        rng.shuffle(pressing)
        for client, command in pressing:
            client.send_at_once([command])
            await asyncio.sleep(rng.choice((0, 0, 0.001, 0.003)))
        row.times += 1
        crossed += not any(tab.answers[command.ref] for tab, command in zip(tabs, asked, strict=True))
        answers = await together(*(client.answer(command.ref) for client, command in pressing))
        assert all(isinstance(answer, Accepted) for answer in answers), answers
        led = [tab.answers[command.ref][-1] for tab, command in zip(tabs, asked, strict=True)]
        assert isinstance(led[0], Accepted)
        assert isinstance(led[1], Accepted)
        assert unfinished(trial, tabs[0]) == {led[0].match} == {led[1].match}
        paired += len(trial.log(led[0].match)) > 1
        await settle(trial, [tabs[0], *others])
    await trial.check()
    trial.provoked("both tabs were under way", crossed, tries, least=tries // 2)
    if strangers:
        trial.provoked("paired at once with somebody", paired, tries, least=tries // 4)


async def test_q8_a_second_quick_match_is_another_one_once_the_first_has_begun(trial: Trial) -> None:
    """Q8: until the first move it leads to the same match, from any tab; after it, to a new one."""
    tab, other_tab = await trial.open("Ana", 0), None
    other_tab = await trial.open("Ana", 1, token=tab.token)
    first = await tab.once_more(press(tab, tab.ref()))
    assert isinstance(first, Accepted)
    bo = await trial.open("Bo", 1)
    assert await bo.once_more(press(bo, bo.ref())) is not None
    for again in (tab, other_tab):
        answer = await again.once_more(press(again, again.ref()))
        assert isinstance(answer, Accepted)
        assert answer.match == first.match
    await tab.reach(first.match, 2)
    await tab.move(first.match, 2, sorted(tab.views[first.match].legal)[0])
    answer = await other_tab.once_more(press(other_tab, other_tab.ref()))
    assert isinstance(answer, Accepted)
    assert answer.match != first.match
    leaving = Leave(ref=bo.ref(), match=first.match)
    assert isinstance(await bo.once_more(leaving), Accepted)
    await trial.check()
