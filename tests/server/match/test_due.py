"""What is due, in the order in which it is due; and the first move's time, which nothing but an outage moves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from protocol.errors import Code, Refusal
from protocol.messages import ClockRule
from server.match.asked import Asked, Outage
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    Continue,
    Join,
    Leave,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Play,
    WaitLonger,
)
from server.match.events import AwayChanged, EndReason, MatchEnded, MovePlayed, PauseEnded, PositionReplaced
from server.match.fold import apply
from server.match.machine import Step, decide
from server.match.pauses import MAX_PAUSE_MS
from server.match.state import Match, Status
from tests.forms import generated
from tests.server.match.table import GUEST, HOST, START_MS, as_seen, code, do, play, started

TEN_S = ClockRule(per_move_ms=10_000)
ALL_HERE, HOST_GONE, GUEST_GONE, NOBODY = (True, True), (False, True), (True, False), (False, False)


def begun(clock: ClockRule = TEN_S, **settings: Any) -> Match:
    """Both have moved; the host is to move, since START_MS."""
    match = started(clock=clock, **settings)
    return play(play(match, move="a1-b1"), move="c1-d1")


def reason(match: Match) -> str:
    assert match.ending is not None
    return match.ending.reason


# Two things due in one look (Q6) --------------------------------------------------------------------------------------


@pytest.mark.parametrize("apart_ms", [-129, -2, -1, 0, 1, 2, 129])
def test_the_flag_and_the_end_of_waiting_happen_in_their_order(apart_ms: int) -> None:
    """Q6: the host's flag, and the end of the wait for the guest so much later, found in one look."""
    grace_ms = 5_000
    match = begun(grace_ms=grace_ms)
    match = do(match, Notice(GUEST_GONE), at_ms=START_MS + TEN_S.per_move_ms + apart_ms - grace_ms)
    late = do(match, Notice(GUEST_GONE, slack_ms=150), at_ms=START_MS + 11_000)
    assert reason(late) == (EndReason.TIME if apart_ms >= 0 else EndReason.ABANDONED)


def test_a_flag_that_fell_before_a_connection_was_lost_counts_with_no_grace_either() -> None:
    """Q6, RU-M5: with a grace of 0 a closed connection is a forfeit, unless the other's time was up before."""
    match = begun(grace_ms=0)
    flag_ms = START_MS + TEN_S.per_move_ms
    gone = Notice(GUEST_GONE, missed_ms=1_000, slack_ms=150)
    assert reason(do(match, gone, at_ms=flag_ms + 1_000)) == EndReason.TIME
    assert reason(do(match, gone, at_ms=flag_ms + 999)) == EndReason.ABANDONED


def test_a_wait_that_was_over_before_the_other_was_lost_too_is_over() -> None:
    """Q6: with both away nobody is waited for, but the one who stayed until the end has won."""
    match = do(begun(ClockRule(), grace_ms=5_000), Notice(GUEST_GONE), at_ms=START_MS)
    over_ms = START_MS + 5_000
    assert reason(do(match, Notice(NOBODY, missed_ms=1_000), at_ms=over_ms + 1_100)) == EndReason.ABANDONED
    assert do(match, Notice(NOBODY, missed_ms=1_000), at_ms=over_ms + 900).ending is None
    # Who is back by the look is saved, also when the other has gone meanwhile.
    assert do(match, Notice(HOST_GONE, missed_ms=1_000), at_ms=over_ms + 1_100).ending is None


def test_a_pause_that_is_over_is_over_before_what_comes_after_it() -> None:
    """Q6, RU-M4: also where nobody has looked yet; and the time of the one to move goes from when it is told."""
    match = do(begun(), Pause(), HOST)
    over_ms = START_MS + MAX_PAUSE_MS
    assert code(match, Play(match.version, "e1-f1"), HOST, over_ms - 1) == Code.PAUSED
    happened = decide(match, Play(match.version, "e1-f1"), Asked(HOST, "r", over_ms + 20))
    assert [type(step.event) for step in happened] == [PauseEnded, MovePlayed]
    assert code(match, Offer("draw"), HOST, over_ms - 1) == Code.PAUSED
    assert do(match, Offer("draw"), HOST, over_ms).offer is not None
    gone = do(match, Notice(GUEST_GONE), at_ms=over_ms - 20_000)
    assert reason(do(gone, Notice(GUEST_GONE), at_ms=over_ms + 20_000)) == EndReason.ABANDONED
    kept = [step.event for step in decide(gone, Notice(GUEST_GONE), Asked("", "", over_ms + 20_000))]
    assert [type(event) for event in kept] == [PauseEnded, MatchEnded]


@pytest.mark.parametrize("command", [CallDraw(), WaitLonger(), Abandon(), Offer("draw"), Pause()])
def test_what_comes_after_the_end_of_waiting_comes_too_late(command: MatchCommand) -> None:
    """Q6: the one who stayed has won already, though nobody has looked; who is away and asks is here."""
    match = do(begun(ClockRule(), grace_ms=5_000), Notice(GUEST_GONE), at_ms=START_MS)
    assert code(match, command, HOST, START_MS + 5_000) == Code.TOO_LATE
    assert decide(match, as_seen(match, command), Asked(HOST, "r", START_MS + 4_999))
    assert code(match, Play(match.version, "e1-f1"), HOST, START_MS + 5_000) == Code.TOO_LATE
    assert decide(match, Abandon(), Asked(GUEST, "r", START_MS + 5_000))


MS = st.integers(0, 30_000)


@settings(deadline=None)
@given(
    grace_ms=st.sampled_from([0, 3_000, 20_000]),
    gone_ms=MS,
    missed_ms=st.sampled_from([0, 1_000, 2_500]),
    paused_ms=st.none() | MS,
    here=st.sampled_from([HOST_GONE, GUEST_GONE]),
    look_ms=st.integers(0, MAX_PAUSE_MS + 60_000),
    slack_ms=st.sampled_from([0, 150]),
)
def test_what_ends_a_match_was_due_first(
    grace_ms: int, gone_ms: int, missed_ms: int, paused_ms: int | None, here: tuple[bool, bool], look_ms: int,
    slack_ms: int,
) -> None:  # fmt: skip
    """Q6: whatever is under way, and however late one looks, nothing that was due has been passed over."""
    match = begun(grace_ms=grace_ms)
    try:
        if paused_ms is not None and paused_ms <= gone_ms:
            match = do(match, Pause(), HOST, START_MS + paused_ms)
        match = do(match, Notice(here, missed_ms), at_ms=START_MS + gone_ms)
    except Refusal:
        assume(False)
    now_ms = START_MS + gone_ms + look_ms
    assume(match.status is not Status.ENDED)
    for step in decide(match, Notice(here, slack_ms=slack_ms), Asked("", "", now_ms)):
        assert step.before is not None
        first_ms, _ = step.before.due[0]
        assert first_ms <= now_ms - slack_ms
        if isinstance(step.event, MatchEnded):
            fell = step.before.clock.deadline_ms
            assert (step.event.reason == EndReason.TIME) == (fell == first_ms)
        match = step.after
    assert match.status is Status.ENDED or not match.due or match.due[0][0] > now_ms - slack_ms


# The first move's time (Q7) -------------------------------------------------------------------------------------------


def test_a_pause_in_the_first_move_gives_no_time_back() -> None:
    """Q7: not to the first of the two, nor to the second, nor by pausing three times."""
    for seat, match in enumerate((started(clock=TEN_S), play(started(clock=TEN_S)))):
        at_ms = START_MS
        for player in (HOST, GUEST):
            for _ in range(3):
                match = do(match, Pause(), player, at_ms + 1_500)
                assert match.clock.left(at_ms + 1_500) == match.clock.left(at_ms + 99_000), "it stands still"
                at_ms += 90_000
                match = do(match, Continue(), player, at_ms)
        assert match.deadline_ms == at_ms + 1_000
        late = do(match, Notice(), at_ms=at_ms + 1_000)
        assert late.ending is not None
        assert (late.ending.reason, late.ending.by) == (EndReason.TIME, seat)


def test_the_first_move_is_not_charged_all_the_same() -> None:
    """RU-M2: what was used of its time is forgotten once it is made."""
    match = do(started(clock=TEN_S), Pause(), HOST, START_MS + 4_000)
    match = do(match, Continue(), HOST, START_MS + 50_000)
    match = play(match, START_MS + 55_000)
    assert match.clock.left(START_MS + 55_000) == (10_000, 10_000)
    assert match.clock.spent_ms == (9_000, 0)


def test_who_sits_down_next_inherits_nothing() -> None:
    """Q7: no pauses used, no offers declined, no time run, by whichever of the two."""
    match = started(clock=TEN_S)
    for player in (HOST, GUEST):
        for _ in range(3):
            match = do(do(match, Pause(), player, START_MS), Continue(), player, START_MS)
        match = do(match, Offer("restart"), player)
        match = do(match, Answer(accept=False), GUEST if player == HOST else HOST)
        assert code(match, Pause(), player) == Code.NO_MORE_PAUSES
        assert code(match, Offer("restart"), player) == Code.OFFERED_LATELY
    match = do(match, Offer("draw"), GUEST)
    freed = do(match, Leave(), GUEST, START_MS + 7_000)
    fresh = do(freed, Join("Bob"), GUEST, START_MS + 8_000)
    assert fresh.standing == started(clock=TEN_S).standing
    assert fresh.deadline_ms == START_MS + 18_000
    assert fresh.clock == apply(started(clock=TEN_S), AwayChanged(at_ms=0, away=(False, False))).clock.__class__(
        TEN_S, (10_000, 10_000), 0, START_MS + 8_000
    )


HAPPENS = st.sampled_from(["away", "both", "back", "other", "pause", "continue", "longer", "ask", "outage"])


@generated(full=300, short=80)
@given(
    moved=st.integers(0, 1),
    happens=st.lists(st.tuples(HAPPENS, st.integers(0, 4_000), st.sampled_from([HOST, GUEST])), max_size=40),
)
def test_nothing_but_an_outage_extends_the_time_for_a_first_move(
    moved: int, happens: list[tuple[str, int, str]]
) -> None:
    """Q7: whatever comes and goes, the time that is left only goes down, and it stands only in a pause."""
    match, now_ms = started(clock=TEN_S), START_MS
    if moved:
        match = play(match)
    commands: dict[str, MatchCommand] = {
        "away": Notice(HOST_GONE), "other": Notice(GUEST_GONE), "both": Notice(NOBODY), "back": Notice(ALL_HERE),
        "pause": Pause(), "continue": Continue(), "longer": WaitLonger(), "ask": Offer("draw"),
    }  # fmt: skip
    shown: list[tuple[int, bool, int]] = []
    gone_ms = excused_ms = 0
    outages: tuple[Outage, ...] = ()

    def look(match: Match) -> None:
        left = match.clock.left(now_ms)
        assert left is not None
        shown.append((left[moved], match.status is Status.PAUSED, now_ms))

    look(match)
    for what, after_ms, player in happens:
        if match.status is Status.PLAYING:
            gone_ms += after_ms
        now_ms += after_ms
        try:
            if what == "outage":
                outages = (*outages, Outage(now_ms - after_ms // 2, now_ms))
                excused_ms += after_ms // 2
                happened: list[Step] = decide(match, Notice(), Asked("", "", now_ms, outages))
            else:
                by = Asked("" if isinstance(commands[what], Notice) else player, "r", now_ms, outages)
                happened = decide(match, as_seen(match, commands[what]), by)
        except Refusal:
            continue
        match = happened[-1].after if happened else match
        if match.status is Status.ENDED:
            break
        look(match)
    for (left_ms, paused, at_ms), (later_ms, _, later_at_ms) in pairwise(shown):
        assert later_ms <= left_ms + excused_ms
        assert paused or excused_ms or left_ms - later_ms == later_at_ms - at_ms
    if match.status is not Status.ENDED:
        assert gone_ms - excused_ms < TEN_S.per_move_ms or match.clock.flagged(now_ms)


@given(plies=st.integers(1, 6), back=st.integers(0, 6))
def test_a_position_gone_back_to_gives_no_second_first_move(plies: int, back: int) -> None:
    """Q7, RU-M2: once a seat has moved its time is charged, also after its moves were taken back."""
    match = started(clock=TEN_S)
    for _ in range(plies):
        match = play(match)
    replaced = PositionReplaced(at_ms=START_MS, seat=0, by="takeback", moves=match.moves[: min(back, plies)])
    assert apply(match, replaced).clock.moves == match.clock.moves
