"""Clocks as they are shown: what is not charged is not counted down, so no clock jumps back (`RU-M2`, `D5`)."""

from __future__ import annotations

from random import Random

import pytest

from client.conversation.events import InStep, Offline
from client.shown.model import Model, update
from client.shown.status import first_move_text
from protocol.messages import ClockRule, MatchEvent, Moved, Replaced, Snapshot
from server.match import commands as c
from tests.client.refereed import TOTAL, Refereed

MOST_PAUSES = 3
INCREMENT_MS = TOTAL.increment_ms


def model_of(match: Refereed) -> Model:
    """A client that has just come; its clock is the server's."""
    return update(match.model(), InStep(0.0))


def test_a_first_move_is_not_counted_down_and_may_take_so_long() -> None:
    """CK R2.3: the clock stands, and beside it how long is left; from the second move on it goes down."""
    match = Refereed(clock=TOTAL)
    model = model_of(match)
    match.now_ms += 3_000
    now = match.now_ms / 1000
    assert model.countdowns(now) == (60_000, 60_000)
    assert first_move_text(model, 0, now) == "first move within 0:57"
    assert first_move_text(model, 1, now) == ""
    for event in match.play():
        model = update(model, event)
    assert model.countdowns(now) == (62_000, 60_000)
    assert first_move_text(model, 1, now + 10) == "first move within 0:50"
    for event in match.play():
        model = update(model, event)
    assert model.countdowns(now + 5) == (57_000, 62_000)
    assert first_move_text(model, 0, now + 5) == ""


def test_a_time_for_each_move_goes_down_from_the_first_on() -> None:
    match = Refereed(clock=ClockRule(per_move_ms=30_000))
    model, now = model_of(match), match.now_ms / 1000
    assert model.countdowns(now + 4) == (26_000, 30_000)
    assert first_move_text(model, 0, now + 4) == ""


@pytest.mark.parametrize("seed", range(12))
def test_no_clock_jumps_back(seed: int) -> None:
    """Whatever happens: at a move a seat gets its increment and no more, else nothing, but for a new clock."""
    match, lot = Refereed(clock=TOTAL), Random(seed)
    model = model_of(match)
    for _ in range(14):
        match.now_ms += lot.randint(0, 4_000)
        now = match.now_ms / 1000
        before = model.countdowns(now)
        assert before is not None
        if match.match.ending is not None:
            break
        done = happens(match, lot)
        for event in done:
            model = update(model, event)
        after = model.countdowns(now)
        assert after is not None
        if any(isinstance(event, Replaced) and event.by != "takeback" for event in done):
            assert after == (60_000, 60_000)
            continue
        movers = [event.seat for event in done if isinstance(event, Moved)]
        for seat in (0, 1):
            gained = INCREMENT_MS if seat in movers else 0
            assert after[seat] <= before[seat] + gained


def happens(match: Refereed, lot: Random) -> list[MatchEvent | Snapshot]:
    """A move, a pause with its end, a takeback or a new start that is agreed on."""
    kind = lot.choice(["move", "move", "move", "pause", "takeback", "restart"])
    mover = "ada" if match.match.turn == 0 else "ben"
    if kind == "pause" and match.match.pauses[0] < MOST_PAUSES:
        return [*match.do("ada", c.Pause()), *match.do("ada", c.Continue())]
    if kind in ("takeback", "restart") and match.match.plies:
        last = "ben" if mover == "ada" else "ada"
        return [*match.do(last, c.Offer(kind)), *match.do(mover, c.Answer(accept=True))]  # type: ignore[arg-type]
    return [*match.play()]


def test_who_comes_after_a_takeback_is_told_of_no_first_move() -> None:
    """The move that was taken back is charged when it is made again."""
    match = Refereed(clock=TOTAL)
    match.play()
    match.do("ada", c.Offer("takeback"))
    match.do("ben", c.Answer(accept=True))
    model, now = model_of(match), match.now_ms / 1000
    assert first_move_text(model, 0, now + 1) == ""
    assert model.countdowns(now + 1) == (61_000, 60_000)


def test_without_a_connection_nothing_is_counted_down() -> None:
    """D5: what passes may be given back. The clock says by its sign that nobody knows, and goes on afterwards."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    model, now = model_of(match), match.now_ms / 1000
    assert model.countdowns(now + 1) == (61_000, 62_000)
    assert not model.is_unsure
    lost = update(model, Offline(now + 1, "gone"))
    assert lost.is_unsure
    assert lost.countdowns(now + 9) == (61_000, 62_000)
