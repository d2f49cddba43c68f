"""Offers without end, against hubs with a person's limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from protocol.messages import Command, Offer, OfferClosed, Offered, Withdraw
from tests.faults.trial.play import on_one_hub_and_two
from tests.faults.trial.recorder import Lost, Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, staged
from tests.faults.trial.table import percentile

pytestmark = pytest.mark.faults

FOR_S = 10.0 if FULL else 2.0
OFFERS = 1_000 if FULL else 200
ACTIONS_A_S, BURST = 10, 50
"""What the limits allow a player at one hub of everything but moves: docs/hosting.md."""
UNDISTURBED_S = 0.25


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs with the limits that everybody has."""
    with staged(tmp_path, arguments=("--limit", "pace=1")) as stage:
        yield stage


@pytest.mark.timed
@on_one_hub_and_two
async def test_e4_offer_spam(trial: Trial, hubs: int) -> None:
    """E4: of a thousand offers in 10 s the opponent sees what the limit allows, also when they come over many
    connections one after the other; the match, and others, go on undisturbed."""
    match, spammer, guest = await trial.pair(options={"width": 15, "height": 15})
    hand = await trial.open("", 0, token=spammer.token)
    other, *others = await trial.pair(options={"width": 15, "height": 15})
    stop = asyncio.Event()
    playing = [
        asyncio.create_task(play_on(match, [hand, guest], stop)),
        asyncio.create_task(play_on(other, others, stop)),
    ]
    await hand.watch(match)
    sent, closed, link = 0, 0, spammer
    began = time.monotonic()
    for number in count():
        if number == OFFERS:
            break
        await asyncio.sleep(max(0.0, began + number * FOR_S / OFFERS - time.monotonic()))
        try:
            for command in withdraw_and_offer(link, hand.offered(match), match, number):
                await link.send(command)
            sent += 1
        except Lost:
            closed += 1
            await trial.retire(link)
            link = await trial.open("", closed, token=spammer.token)
    took_s = time.monotonic() - began
    stop.set()
    own, bystanders = await asyncio.gather(*playing)
    await guest.reach(match, trial.stored(match))
    seen = sum(isinstance(event, Offered) for event in guest.traffic)
    told = seen + sum(isinstance(event, OfferClosed) for event in guest.traffic)
    print(f"{sent} offers in {took_s:.1f} s, closed {closed} times; the opponent saw {seen}")
    assert told <= hubs * (BURST + ACTIONS_A_S * (took_s + 1))
    for name, answers in (("in the match", own), ("in another match", bystanders)):
        print(f"moves {name}: {len(answers)}, p99 {percentile(answers, 99) * 1000:.0f} ms")
        assert len(answers) > FOR_S * 2
        if FULL:
            assert percentile(answers, 99) < UNDISTURBED_S
    trial.provoked("offers", sent, OFFERS, least=OFFERS // 2)
    trial.provoked("connections closed for too much", closed, closed)
    await trial.check()


def withdraw_and_offer(link: Recorder, offered: int, match: str, number: int) -> list[Command]:
    """The offer that is open back, and another one: what makes the most of it."""
    offer = Offer(ref=link.ref(), match=match, kind="draw" if number % 2 else "restart")
    return [Withdraw(ref=link.ref(), match=match, offer=offered), offer]


async def play_on(match: str, seats: list[Recorder], stop: asyncio.Event) -> list[float]:
    """Play at a quick person's pace until told to stop; returns how long each answer took (s)."""
    rng, took = Random(4), []
    while not stop.is_set():
        view = max((seat.views[match] for seat in seats if match in seat.views), key=lambda view: view.version)
        assert view.to_move is not None
        mover = seats[view.to_move]
        known = await mover.reach(match, view.version)
        asked = time.monotonic()
        answer = await mover.move(match, known.version, rng.choice(sorted(known.legal)))
        took.append(time.monotonic() - asked)
        for seat in seats:
            await seat.reach(match, answer.version)
        await asyncio.sleep(0.1)
    return took
