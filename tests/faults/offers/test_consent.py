"""An answer that meets another offer than the one it was meant for: offers that change while it is on its way."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from protocol.messages import Accepted, Answer, Command, Offer, OfferKind, Refused, Withdraw
from tests.faults.trial.play import on_one_hub_and_two, play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Trial, rounds, together

pytestmark = pytest.mark.faults

BOARD = {"width": 5, "height": 5}
KINDS: tuple[OfferKind, ...] = ("draw", "takeback", "restart")
HEAD_START_S = 0.01
"""At most; every other time there is none, for on a busy machine an answer is there sooner than the sleep is over."""


@on_one_hub_and_two
async def test_q1_an_answer_is_about_the_offer_that_was_seen(trial: Trial, hubs: int) -> None:
    """Q1: one offers, withdraws and offers something else at once; the answer to the first accepts nothing else."""
    tries, tables = rounds(400), 10
    raced = wrong = agreed = refused = 0

    async def table(number: int) -> None:
        nonlocal raced, wrong, agreed, refused
        rng = Random(number)
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = ""
        for time_ in range(tries // tables):
            if not match or seats[0].views[match].status == "ended" or len(seats[0].views[match].legal) < 8:
                match = await trial.meet(*seats, options=BOARD)
            await play(seats, match, rng, 2)
            one, other = seats if time_ % 2 else seats[::-1]
            seen, instead = rng.sample(KINDS, 2)
            version = (await one.ask(offer(one, match, seen), Accepted)).version
            await other.reach(match, version)
            yes = Answer(ref=other.ref(), match=match, accept=True, offer=version)
            behind = [Withdraw(ref=one.ref(), match=match, offer=version), offer(one, match, instead)]
            first, second = ((one, behind), (other, [yes])) if rng.random() < 0.5 else ((other, [yes]), (one, behind))
            first[0].send_at_once(first[1])
            if time_ % 4 < 2:
                await asyncio.sleep(rng.uniform(0, HEAD_START_S))
            second[0].send_at_once(second[1])
            raced += not any(one.answers[command.ref] for command in behind) and not other.answers[yes.ref]
            answer = await other.answer(yes.ref)
            for command in behind:
                await one.answer(command.ref)
            happened = [event for number, event in trial.log(match) if number >= version]
            accepted = [at for at, event in enumerate(happened) if event.get("fate") == "accepted"]
            named = (
                [event["kind"] for event in happened[: accepted[0]] if event["event"] == "offered"] if accepted else []
            )
            wrong += bool(named) and named != [seen]
            agreed += isinstance(answer, Accepted)
            if isinstance(answer, Refused):
                refused += 1
                assert answer.code in ("stale_offer", "no_offer", "finished"), answer
                assert not accepted
            for seat in seats:
                await seat.reach(match, trial.stored(match))
                await seat.until(lambda seat=seat, match=match: seat.views[match].whole)  # type: ignore[misc]
            if one.offered(match):
                await one.ask(one.withdrawal(match), Accepted)
                await other.reach(match, trial.stored(match))

    row = trial.fault("Q1 an offer replaced while its answer is under way")
    await together(*(table(number) for number in range(tables)))
    row.times += raced
    trial.provoked("both were under way", raced, tries, least=tries // 4)
    trial.provoked("the answer came second and was refused", refused, tries, least=tries // 10)
    trial.provoked("the answer came first", agreed, tries, least=tries // 10)
    assert wrong == 0, f"something else was accepted {wrong} times of {tries}"
    await trial.check()


@on_one_hub_and_two
async def test_q1_two_takebacks_are_no_agreement(trial: Trial, hubs: int) -> None:
    """Q1: both ask to take back in one millisecond: no move is taken back that nobody agreed to."""
    tries, tables, crossed = rounds(200), 10, 0

    async def table(number: int) -> None:
        nonlocal crossed
        rng = Random(number)
        seats = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        match = await trial.meet(*seats, options=BOARD)
        for _ in range(tries // tables):
            if len(seats[0].views[match].legal) < 8:
                match = await trial.meet(*seats, options=BOARD)
            await play(seats, match, rng, 2)
            asked: list[Command] = [offer(seat, match, "takeback") for seat in seats]
            for seat, command in zip(seats, asked, strict=True):
                seat.send_at_once([command])
            crossed += not any(seat.answers[command.ref] for seat, command in zip(seats, asked, strict=True))
            answers = [await seat.answer(command.ref) for seat, command in zip(seats, asked, strict=True)]
            assert sorted(getattr(answer, "code", "") for answer in answers) == ["", "offer_open"]
            assert trial.log(match)[-1][1]["event"] == "offered"
            for seat in seats:
                await seat.reach(match, trial.stored(match))
            one = seats[trial.log(match)[-1][1]["seat"]]
            await one.ask(one.withdrawal(match), Accepted)

    row = trial.fault("Q1 two takebacks at once")
    await together(*(table(number) for number in range(tables)))
    row.times += crossed
    trial.provoked("both were under way", crossed, tries, least=tries // 2)
    await trial.check()


def offer(one: Recorder, match: str, kind: OfferKind) -> Offer:
    """An offer in the position that `one` knows."""
    return Offer(ref=one.ref(), match=match, kind=kind, version=one.views[match].version)
