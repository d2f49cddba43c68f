"""Clocks as they are shown: what is not charged is not counted down, so no clock jumps back (`RU-M2`, `D5`)."""

from __future__ import annotations

from random import Random

import pytest

from client.conversation.events import Event, InStep, Offline
from client.shown.model import Model, update
from client.shown.state import LEAST_MS, PAUSE
from client.shown.words.held import update_at
from client.shown.words.status import first_move_text, headline, pause_lines, presence_text
from protocol.messages import ClockRule, MatchEvent, Moved, Outage, Presence, Replaced, Snapshot, Welcome
from server.match import commands as c
from server.match import machine
from tests.client.refereed import TOTAL, Refereed

MOST_PAUSES = 3
INCREMENT_MS = TOTAL.increment_ms
RETURN_MS = 3_000
COUNTED_MS = 2_000


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


@pytest.mark.parametrize("seed", range(24))
def test_no_clock_jumps_back(seed: int) -> None:
    """D5: whatever happens, at a move a seat gets its increment and no more, else nothing, but for a new clock. Also
    what is told to be excused when it was counted down already is not back: the clock stands for so much longer."""
    evening = Evening(seed)
    for _ in range(20):
        if evening.match.match.ending is not None:
            return
        evening.goes_on()


class Evening:
    """A match with a client that follows it, and another one that comes anew after each step and sees the same, or what
    is still to be given back more."""

    def __init__(self, seed: int) -> None:
        self.match, self.lot = Refereed(clock=TOTAL, options={"width": 4, "height": 4}), Random(seed)
        self.model = model_of(self.match)
        self.owed_ms = 0

    def takes(self, event: Event) -> None:
        """It is told, now."""
        self.model = update_at(self.model, event, self.match.now_ms / 1000)

    @property
    def shown(self) -> tuple[int, int]:
        """The clocks now."""
        found = self.model.countdowns(self.match.now_ms / 1000)
        assert found is not None
        return found

    def passes(self, ms: int) -> None:
        """So much time: looked at as it goes, no clock rises."""
        before = self.shown
        for _ in range(4):
            self.match.now_ms += ms // 4
            after = self.shown
            assert after[0] <= before[0]
            assert after[1] <= before[1]
            before = after

    def goes_on(self) -> None:
        """Something happens: a move, what was agreed, a pause, or an outage of the store or of the hub."""
        self.passes(self.lot.randint(0, 4_000))
        kind = self.lot.choice(["happens", "happens", "happens", "store", "store", "hub"])
        if kind == "happens":
            self.happens()
        else:
            self.goes_away(hub=kind == "hub")
        more = [true - shown for true, shown in zip(self.newcomer, self.shown, strict=True)]
        assert all(0 <= ms <= self.owed_ms for ms in more), "who comes now sees another clock"

    @property
    def newcomer(self) -> tuple[int, int]:
        """The clocks as they are: what somebody sees who comes now."""
        found = model_of(self.match).countdowns(self.match.now_ms / 1000)
        assert found is not None
        return found

    def happens(self) -> None:
        before = self.shown
        done = happens(self.match, self.lot)
        for event in done:
            self.takes(event)
        if any(isinstance(event, Replaced) and event.by != "takeback" for event in done):
            assert self.shown == (60_000, 60_000)
            return
        movers = [event.seat for event in done if isinstance(event, Moved)]
        for seat in (0, 1):
            gained = INCREMENT_MS if seat in movers else 0
            assert self.shown[seat] <= before[seat] + gained

    def goes_away(self, *, hub: bool) -> None:
        """The store is away, or the hub with its connections, which is told or seen after a while."""
        match, lot = self.match, self.lot
        since_ms = match.now_ms
        self.passes(lot.randint(0, 500 if hub else 1_500))
        stood = self.shown
        self.owed_ms += match.now_ms - since_ms
        if hub:
            self.takes(Offline(match.now_ms / 1000, "gone"))
        else:
            counted_ms = lot.choice([0, since_ms + COUNTED_MS])
            self.takes(Outage(on=True, since_ms=since_ms, counted_ms=counted_ms, text="Away."))
        assert self.shown == stood, "what was counted down is back"
        if not hub and counted_ms:
            self.passes(counted_ms - match.now_ms)
            stood = self.shown
            self.owed_ms += COUNTED_MS
        self.stands(lot.randint(2_000, 90_000), stood)
        if not hub and lot.random() < 0.5:
            match.outages = (*match.outages, machine.Outage(since_ms, match.now_ms))
            self.takes(match.snapshot())
            self.stands(500, stood)
            match.outages = match.outages[:-1]
        match.outages = (*match.outages, machine.Outage(since_ms, match.now_ms + RETURN_MS))
        if hub:
            self.takes(Welcome(ref="h", player="ada", name="Ada", now_ms=match.now_ms))
            self.stands(200, stood)
        if lot.random() < 0.5:
            self.takes(match.snapshot())
            self.stands(100, stood)
        for event in (*match.excuse(), here()):
            self.takes(event)
        if not hub:
            self.stands(200, stood)
            self.takes(Outage(on=False, since_ms=since_ms))
        left_ms, running = match.match.clock.excused_until_ms - match.now_ms, match.match.clock.running
        if running is not None:
            self.stands(left_ms, stood)
        if running is not None and lot.random() < 0.7:
            self.stands(self.newcomer[running] - self.shown[running], stood)
            assert self.newcomer[running] == stood[running]
            self.passes(400)
            charged = match.match.clock.running not in match.match.clock.uncharged
            assert sum(stood) - sum(self.shown) == 400 * charged, "it does not go on as it should"

    def stands(self, ms: int, stood: tuple[int, int]) -> None:
        """So much time, and the clocks stay as they were."""
        for _ in range(2):
            self.match.now_ms += ms // 2
            assert self.shown == stood


def here() -> Presence:
    """What ends a hub's catching up."""
    return Presence(match="m1", here=(True, True), spectators=0)


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


def test_whatever_is_waited_for_stands_while_the_store_is_away() -> None:
    """D5: a pause and who is away are excused, too. The words are the server's, in every front end that draws."""
    match = Refereed(clock=TOTAL)
    match.play()
    match.do("", c.Notice((True, False)))
    model, now = model_of(match), match.now_ms / 1000
    away = Outage(on=True, since_ms=match.now_ms + 2_000, text="The store is away.")
    assert (presence_text(model, 1, now + 1), headline(model)[0]) == ("away 0:29", "  ◇ Ben is to move")
    model = update(model, away)
    assert presence_text(model, 1, now + 60) == "away 0:28"
    assert headline(model) == ("The store is away.", "waiting")
    match.do("ada", c.Pause())
    model = update(update(model_of(match), away), InStep(0.0))
    lines = pause_lines(model, now + 60)
    assert lines == pause_lines(model, now + 2)
    assert any("goes on by itself in" in line for line in lines)


@pytest.mark.parametrize("by_hub", [False, True])
@pytest.mark.parametrize("waited_for", ["away", "pause"])
def test_what_is_waited_for_does_not_go_back(waited_for: str, *, by_hub: bool) -> None:
    """D5: for who is away and for a pause, too, no more is shown than was; who is waited for longer has more."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    if waited_for == "pause":
        match.do("ben", c.Pause())
    here = (True, waited_for == "pause")
    match.do("", c.Notice(here))
    model, place = model_of(match), PAUSE if waited_for == "pause" else 1

    def shown(model: Model) -> int:
        left = model.waits_left(match.now_ms / 1000)[place]
        assert left is not None
        return left

    match.now_ms += 5_000
    since_ms = match.now_ms
    match.now_ms += 1_300
    stood = shown(model)
    told: list[Event] = [Offline(match.now_ms / 1000, "gone"), Welcome(ref="h", player="ada", name="Ada")]
    if not by_hub:
        told = [Outage(on=True, since_ms=since_ms, counted_ms=match.now_ms, text=""), match.snapshot()]
    for event in told:
        model = update_at(model, event, match.now_ms / 1000)
        match.now_ms += 20_000
        assert shown(model) == stood
    match.outages = (machine.Outage(since_ms, match.now_ms + RETURN_MS),)
    excuses = [*match.do("", c.Notice(here))]
    for event in [match.snapshot()] if by_hub else [*excuses, Outage(on=False, since_ms=since_ms)]:
        model = update_at(model, event, match.now_ms / 1000)
    true = model.waits_told(match.now_ms / 1000)[place]
    assert true == stood + 1_300 + RETURN_MS
    assert shown(model) == stood
    match.now_ms += 1_300 + RETURN_MS
    assert shown(model) == stood
    match.now_ms += 400
    assert shown(model) == stood - 400
    if waited_for == "away":
        for event in match.do("ada", c.WaitLonger()):
            model = update_at(model, event, match.now_ms / 1000)
        assert shown(model) == stood - 400 + 60_000


def test_the_clients_of_two_hubs_stop_at_the_same_moment() -> None:
    """D5: their hubs notice at different times that the store is away, and one is told the match anew meanwhile."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    match.do("", c.Notice((True, False)))
    first = second = model_of(match)
    since_ms = match.now_ms + 4_000
    away = Outage(on=True, since_ms=since_ms, counted_ms=since_ms + COUNTED_MS, text="Away.")
    match.now_ms = since_ms + 1_050
    first = update_at(first, away, match.now_ms / 1000)
    match.outages = (machine.Outage(since_ms, match.now_ms),)
    first = update_at(first, match.snapshot(), match.now_ms / 1000)
    match.now_ms = since_ms + 1_850
    second = update_at(second, away, match.now_ms / 1000)
    match.now_ms = since_ms + COUNTED_MS
    for _ in range(2):
        now = match.now_ms / 1000
        assert first.countdowns(now) == second.countdowns(now) == (56_000, 62_000)
        assert first.waits_left(now) == second.waits_left(now) == (None, 24_000, None)
        match.now_ms += 30_000


def test_who_comes_after_a_takeback_is_told_of_no_first_move() -> None:
    """The move that was taken back is charged when it is made again."""
    match = Refereed(clock=TOTAL)
    match.play()
    match.do("ada", c.Offer("takeback"))
    match.do("ben", c.Answer(accept=True))
    model, now = model_of(match), match.now_ms / 1000
    assert first_move_text(model, 0, now + 1) == ""
    assert model.countdowns(now + 1) == (61_000, 60_000)


def test_a_clock_that_was_read_wrongly_is_read_anew() -> None:
    """What the server's clock was taken for before it was known holds nothing up: no outage gives so much back."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    now = match.now_ms / 1000
    model = update_at(model_of(match), InStep(1e9), now)
    assert model.countdowns(now) == (LEAST_MS, 62_000)
    assert update_at(model, InStep(0.0), now).countdowns(now) == (62_000, 62_000)


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


def test_a_move_while_others_come_back_takes_no_clock_back() -> None:
    """D5: who moves within the three seconds for coming back is charged what was thought before the outage, which
    is less than was counted down."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    match.now_ms += 10_000
    model, now = model_of(match), match.now_ms / 1000
    assert model.countdowns(now) == (52_000, 62_000)
    match.outages = (machine.Outage(match.now_ms - 1_000, match.now_ms + RETURN_MS),)
    for event in match.excuse():
        model = update_at(model, event, now)
    assert model.countdowns(now + 4) == (52_000, 62_000)
    for event in match.play():
        model = update_at(model, event, now)
    assert model.time_told(now) == (55_000, 62_000)
    assert model.countdowns(now) == (54_000, 62_000)


def test_at_the_end_both_see_what_each_had() -> None:
    """A move that came late holds the clock of its author, which was counted down meanwhile, until it goes on; not at
    the end."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    model, now = model_of(match), match.now_ms / 1000
    for event in match.play():
        model = update_at(model, event, now + 10)
    assert model.countdowns(now + 10) == (54_000, 52_000)
    for event in match.do("ben", c.Abandon()):
        model = update_at(model, event, now + 10)
    assert model.countdowns(now + 10) == (64_000, 62_000)


def test_a_flag_falls_on_screen_when_the_server_says_so() -> None:
    """D5: what was the last second may be given back, so that no clock shows nothing before the end is told."""
    match = Refereed(clock=TOTAL)
    for _ in range(2):
        match.play()
    model, since_ms = model_of(match), match.now_ms + 61_500
    match.now_ms += 62_700
    now = match.now_ms / 1000
    assert model.countdowns(now) == (LEAST_MS, 62_000)
    model = update_at(model, Outage(on=True, since_ms=since_ms, text="Away."), now)
    assert model.countdowns(now + 60) == (LEAST_MS, 62_000)
    match.now_ms += 60_000
    match.outages = (machine.Outage(since_ms, match.now_ms + RETURN_MS),)
    for event in match.excuse():
        model = update_at(model, event, now + 60)
    assert model.time_told(now + 60) == (500, 62_000)
    assert model.countdowns(now + 63.3) == (LEAST_MS, 62_000)
    match.now_ms += RETURN_MS + 500
    for event in match.excuse():
        model = update_at(model, event, now + 63.5)
    assert model.countdowns(now + 63.5) == (0, 62_000)
