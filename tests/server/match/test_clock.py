"""Clocks: what is charged, what is given back, who is late; time is set by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Code
from protocol.messages import ClockRule
from server.match.asked import Asked, Outage
from server.match.clock import new_clock
from server.match.commands import Abandon, Answer, Continue, Join, MatchCommand, Notice, Offer, Pause, Play, Withdraw
from server.match.events import EndReason, MovePlayed, OutageExcused
from server.match.machine import decide
from server.match.state import Match, Status
from tests.forms import generated
from tests.server.match.table import GUEST, HOST, START_MS, code, do, new, play, started

FIVE_PLUS_THREE = ClockRule(total_ms=300_000, increment_ms=3_000)
TEN_A_MOVE = ClockRule(per_move_ms=10_000)


def left(match: Match, at_ms: int) -> tuple[int, int]:
    found = match.clock.left(at_ms)
    assert found is not None
    return found


def test_without_a_rule_nothing_runs_out() -> None:
    match = started()
    assert match.clock.left(START_MS) is None
    assert match.deadline_ms is None
    assert do(match, Notice(), at_ms=10**12) == match


def test_checkers_has_ten_minutes_unless_the_host_asks_otherwise() -> None:
    """RU-M1, CK 7.2: the mock-ups' clock; none for the other games."""
    assert new("checkers").clock.rule == ClockRule(total_ms=600_000)
    assert new("checkers", clock=ClockRule()).clock.timed is False
    assert new("square").clock.timed is False


def test_each_sides_first_move_is_not_charged() -> None:
    """RU-M2: clocks start with the first move of each side."""
    match = started(clock=FIVE_PLUS_THREE)
    match = play(match, START_MS + 50_000, "a1-b1")
    assert match.clock.left_ms == (303_000, 300_000)
    match = play(match, START_MS + 80_000, "c1-d1")
    assert match.clock.left_ms == (303_000, 303_000)
    match = play(match, START_MS + 85_000, "e1-f1")
    assert match.clock.left_ms == (301_000, 303_000)
    assert left(match, START_MS + 90_000) == (301_000, 298_000)


def test_the_first_move_must_come_within_the_same_time() -> None:
    match = started(clock=TEN_A_MOVE)
    assert match.deadline_ms == START_MS + 10_000
    assert code(match, Play(2, "a1-b1"), HOST, START_MS + 10_000) == Code.TOO_LATE
    assert do(match, Notice(), at_ms=START_MS + 10_000).status is Status.ENDED


def test_time_for_a_move_is_full_again_when_the_turn_passes() -> None:
    match = started(clock=TEN_A_MOVE)
    for number, move in enumerate(("a1-b1", "c1-d1", "e1-f1"), 1):
        match = play(match, START_MS + 9_000 * number, move)
    assert match.clock.left_ms == (10_000, 10_000)


def test_a_turn_of_several_placements_gives_no_time_back() -> None:
    """D7, RU-M1: a box closed in Dots and Boxes; no increment, no new time for the move, until the turn passes."""
    options = {"width": 3, "height": 2}
    for rule in (FIVE_PLUS_THREE, TEN_A_MOVE):
        match = started(clock=rule, options=options)
        for move in ("a1-b1", "a1-a2", "b1-b2", "c1-c2"):
            match = play(match, START_MS, move)
        full = match.clock.left_ms[0]
        assert match.to_move == 0
        match = play(match, START_MS + 4_000, "a2-b2")
        assert match.to_move == 0, "the box gives another move"
        assert match.clock.left_ms[0] == full - 4_000
        match = play(match, START_MS + 6_000, "b1-c1")
        assert match.clock.left_ms[0] == (full - 6_000 + 3_000 if rule is FIVE_PLUS_THREE else 10_000)


def test_a_move_is_in_time_up_to_the_last_millisecond() -> None:
    """RU-M2, D1: received before the deadline."""
    match = started(clock=TEN_A_MOVE)
    match = play(play(match, START_MS, "a1-b1"), START_MS, "c1-d1")
    deadline = match.deadline_ms
    assert deadline == START_MS + 10_000
    assert play(match, deadline - 1, "e1-f1").version == match.version + 1
    assert code(match, Play(match.version, "e1-f1"), HOST, deadline) == Code.TOO_LATE
    assert do(match, Notice(), at_ms=deadline - 1) == match
    late = do(match, Notice(), at_ms=deadline)
    assert late.ending is not None
    assert (late.ending.winner, late.ending.reason, late.ending.by) == (1, EndReason.TIME, 0)


def test_an_outage_is_charged_to_nobody() -> None:
    """D5: whoever looks first after it, nobody is held late for it; it is excused once."""
    match = started(clock=TEN_A_MOVE)
    match = play(play(match, START_MS, "a1-b1"), START_MS, "c1-d1")
    outage = Outage(START_MS + 4_000, START_MS + 27_000)
    excused = do(match, Notice(), at_ms=START_MS + 24_000, outages=(outage,))
    assert excused.status is Status.PLAYING
    assert left(excused, START_MS + 27_000)[0] == 6_000
    assert left(excused, START_MS + 24_000)[0] == 9_000, "counting down from it comes out right"
    assert do(excused, Notice(), at_ms=START_MS + 24_500, outages=(outage,)) == excused
    assert excused.deadline_ms == START_MS + 33_000


def test_a_move_right_after_an_outage_is_judged_without_it() -> None:
    """D5: nobody has looked yet, and the mover is neither too late nor charged for it."""
    match = started(clock=TEN_A_MOVE)
    match = play(play(match, START_MS, "a1-b1"), START_MS, "c1-d1")
    outage = Outage(START_MS + 4_000, START_MS + 27_000)
    happened = decide(match, Play(match.version, "e1-f1"), Asked(HOST, "r", START_MS + 28_000, (outage,)))
    assert [type(step.event) for step in happened] == [OutageExcused, MovePlayed]
    moved = happened[-1].after
    assert moved.clock.spent_ms[0] - match.clock.spent_ms[0] == 5_000
    assert do(moved, Notice(), at_ms=START_MS + 28_000, outages=(outage,)) == moved
    assert code(match, Play(match.version, "e1-f1"), HOST, START_MS + 33_000, (outage,)) == Code.TOO_LATE


def test_a_move_made_while_one_comes_back_is_charged_what_was_thought_before() -> None:
    """D5: neither less than that, nor more; the other one's time begins when all of the outage is over."""
    match = started(clock=FIVE_PLUS_THREE)
    match = play(play(match, START_MS, "a1-b1"), START_MS, "c1-d1")
    outage = Outage(START_MS + 4_000, START_MS + 27_000)
    moved = do(match, Play(match.version, "e1-f1"), HOST, START_MS + 24_500, (outage,))
    assert (moved.clock.spent_ms[0], moved.clock.left_ms[0]) == (4_000, 303_000 - 4_000 + 3_000)
    assert (moved.clock.left_ms[1], moved.clock.counts_from_ms(START_MS + 24_500)) == (303_000, START_MS + 27_000)


def test_who_goes_on_after_a_pause_while_one_comes_back_is_not_charged_for_that() -> None:
    """D5: the outage lay in the pause, and the time given for coming back is not over."""
    match = do(play(started(clock=FIVE_PLUS_THREE), START_MS, "a1-b1"), Pause(), HOST, START_MS)
    outage = Outage(START_MS + 4_000, START_MS + 27_000)
    match = do(match, Continue(), HOST, START_MS + 24_500, (outage,))
    assert match.clock.counts_from_ms(START_MS + 24_500) == START_MS + 27_000
    assert play(match, START_MS + 27_500, "c1-d1").clock.spent_ms[1] == 500


@generated(full=300, short=60)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["move", "look", "outage"]), st.integers(0, 5_000)), min_size=1, max_size=20
    )
)
def test_a_turn_is_charged_its_time_less_all_outages(steps: list[tuple[str, int]]) -> None:
    """D5: whatever comes where, also a move or another outage in the time given for coming back from one."""
    match, now_ms, turn_ms = started(clock=ClockRule(total_ms=600_000)), START_MS, START_MS
    outages: tuple[Outage, ...] = ()
    expected = [0, 0]
    for what, after_ms in steps:
        now_ms += after_ms
        if what == "outage":
            now_ms += 2_500
            outages = (*outages, Outage(now_ms - 2_500, now_ms + 3_000))
        elif what == "look":
            match = do(match, Notice(), at_ms=now_ms, outages=outages)
        else:
            within = (range(max(turn_ms, from_ms), min(now_ms, until_ms)) for from_ms, until_ms in outages)
            expected[match.to_move or 0] += now_ms - turn_ms - len(set().union(*within))
            player = (HOST, GUEST)[match.to_move or 0]
            match = do(match, Play(match.version, match.legal[0]), player, now_ms, outages)
            turn_ms = now_ms
        assert list(match.clock.spent_ms) == expected


def test_what_is_so_already_excuses_nothing() -> None:
    match = started(clock=TEN_A_MOVE)
    outage = Outage(START_MS + 4_000, START_MS + 27_000)
    assert decide(match, Join("Bob"), Asked(GUEST, "r", START_MS + 28_000, (outage,))) == []


def test_outages_that_overlap_are_given_back_once() -> None:
    """D5: the time for coming back after the first reaches into the second."""
    match = started(clock=FIVE_PLUS_THREE)
    match = play(play(match, START_MS, "a1-b1"), START_MS, "c1-d1")
    outages = (Outage(START_MS + 5_000, START_MS + 18_000), Outage(START_MS + 16_000, START_MS + 28_000))
    match = do(match, Notice(), at_ms=START_MS + 28_000, outages=outages)
    assert left(match, START_MS + 28_000)[0] == 303_000 - 5_000


def test_an_outage_before_the_turn_takes_nothing_out() -> None:
    match = started(clock=TEN_A_MOVE)
    assert do(match, Notice(), at_ms=START_MS + 1, outages=(Outage(0, START_MS),)) == match


def test_the_end_stops_the_clock_and_tells_averages() -> None:
    """CK 5.5: moves and average time for each player."""
    match = started(clock=FIVE_PLUS_THREE)
    for number, move in enumerate(("a1-b1", "c1-d1", "e1-f1"), 1):
        match = play(match, START_MS + 1_000 * number * number, move)
    first, second = match.clock.stats()
    assert (first.moves, first.average_ms) == (2, (1_000 + 5_000) // 2)
    assert (second.moves, second.average_ms) == (1, 3_000)


@pytest.mark.parametrize("rule", [FIVE_PLUS_THREE, ClockRule()])
def test_a_turn_that_nobody_moved_in_is_no_part_of_the_average(rule: ClockRule) -> None:
    """CK 5.5: whoever surrenders, and whose turn it is then, thought about no move that is counted."""
    match = play(play(started(clock=rule), START_MS + 1_000, "a1-b1"), START_MS + 3_000, "c1-d1")
    ended = do(match, Abandon(), GUEST, START_MS + 15_000)
    assert [(one.moves, one.average_ms) for one in ended.clock.stats()] == [(1, 1_000), (1, 2_000)]


@pytest.mark.parametrize("rule", [FIVE_PLUS_THREE, ClockRule()])
def test_a_turn_with_a_pause_in_it_has_both_of_its_parts(rule: ClockRule) -> None:
    """CK 5.5: what was thought before the pause belongs to the move that comes after it."""
    match = do(started(clock=rule), Pause(), HOST, START_MS + 4_000)
    match = do(match, Continue(), HOST, START_MS + 50_000)
    match = play(match, START_MS + 53_000, "a1-b1")
    assert match.clock.stats()[0].average_ms == 7_000


@pytest.mark.parametrize("rule", [FIVE_PLUS_THREE, ClockRule()])
def test_a_turn_that_was_taken_back_before_it_was_moved_in_is_forgotten(rule: ClockRule) -> None:
    """CK 5.5: Bob thought for five seconds about a position that is no more; his next move took two."""
    match = play(started(clock=rule), START_MS, "a1-b1")
    match = do(match, Offer("takeback"), HOST, START_MS + 1_000)
    match = do(match, Answer(True), GUEST, START_MS + 5_000)
    match = play(play(match, START_MS + 6_000, "a1-b1"), START_MS + 8_000, "c1-d1")
    first, second = match.clock.stats()
    assert (first.moves, first.average_ms, second.moves, second.average_ms) == (2, 500, 1, 2_000)


@given(
    rule=st.sampled_from([FIVE_PLUS_THREE, TEN_A_MOVE, ClockRule(total_ms=1_000)]),
    presses=st.lists(st.tuples(st.integers(0, 5_000), st.booleans()), max_size=30),
)
def test_time_left_never_grows_but_by_the_rule(rule: ClockRule, presses: list[tuple[int, bool]]) -> None:
    now, seat = START_MS, 0
    clock = new_clock(rule).run(seat, now)
    for gone, passes in presses:
        now += gone
        before = clock.left_ms
        following = 1 - seat if passes else seat
        clock = clock.press(seat, following, now)
        allowed = rule.per_move_ms or before[seat] + rule.increment_ms if passes else before[seat]
        assert 0 <= clock.left_ms[seat] <= allowed
        assert clock.left_ms[1 - seat] == before[1 - seat]
        seat = following
    assert sum(clock.spent_ms) == now - START_MS
    assert sum(clock.moves) == len(presses)


@pytest.mark.parametrize("player", [HOST, GUEST])
def test_nobody_can_claim_time(player: str) -> None:
    """D4, D8: there is no command that speaks of time; the server looks by itself."""
    match = started(clock=TEN_A_MOVE)
    assert do(match, Notice(), player, START_MS + 9_999) == match


@pytest.mark.parametrize(
    ("command", "player"),
    [
        (Abandon(), GUEST), (Offer("draw"), HOST), (Pause(), HOST), (Answer(True), HOST), (Withdraw(), GUEST),
    ],
)  # fmt: skip
def test_after_the_flag_nothing_is_granted(command: MatchCommand, player: str) -> None:
    """D1, D11, RU-M2: no pause, draw or giving up comes between the fallen flag and the end."""
    match = started(clock=TEN_A_MOVE)
    match = do(match, Offer("draw"), GUEST)
    assert code(match, command, player, START_MS + TEN_A_MOVE.per_move_ms) == Code.TOO_LATE
    assert do(match, Pause(), HOST, START_MS + TEN_A_MOVE.per_move_ms - 1).pause is not None


def test_a_flag_is_looked_at_a_little_later() -> None:
    """D1, RU-M2: a move that came in time may still be on its way to the log."""
    match, deadline = started(clock=TEN_A_MOVE), START_MS + TEN_A_MOVE.per_move_ms
    assert do(match, Notice(slack_ms=150), at_ms=deadline + 149) == match
    assert do(match, Notice(slack_ms=150), at_ms=deadline + 150).ending is not None
