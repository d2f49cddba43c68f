"""Pauses, and players who are away (RU-M4, RU-M5)."""

from __future__ import annotations

import pytest

from protocol.codec import MSGPACK
from protocol.errors import Code, Refusal
from protocol.messages import ClockRule
from server.match.actions import MAX_EXTENSIONS, MAX_PAUSES
from server.match.asked import Asked, Outage
from server.match.commands import (
    Abandon,
    CallDraw,
    Continue,
    Join,
    Leave,
    Notice,
    Offer,
    Pause,
    Play,
    WaitLonger,
)
from server.match.events import EndReason
from server.match.machine import decide
from server.match.pauses import MAX_PAUSE_MS
from server.match.state import Match, Status
from server.match.telling import needs_snapshot, notification
from server.match.views import position, record, snapshot
from tests.server.match.table import GUEST, HOST, START_MS, STRANGER, as_seen, code, do, new, play, started

HOST_GONE_AWAY = (True, False)
"""Who is away, where the others say who is here."""
ALL_HERE, HOST_GONE, GUEST_GONE, NOBODY = (True, True), (False, True), (True, False), (False, False)


def begun(**settings: object) -> Match:
    return play(play(started(**settings), move="a1-b1"), move="c1-d1")  # type: ignore[arg-type]


def ending(match: Match) -> tuple[int | None, str]:
    assert match.ending is not None
    return match.ending.winner, match.ending.reason


# Pause ----------------------------------------------------------------------------------------------------------------


def test_a_pause_stops_both_and_the_clock() -> None:
    """CK 5.4.3, D11: moves, offers and flags are refused."""
    match = begun(clock=ClockRule(per_move_ms=10_000))
    paused = do(match, Pause(), GUEST, START_MS + 4_000)
    assert paused.status is Status.PAUSED
    assert paused.clock.left(START_MS + 100_000) == (6_000, 10_000)
    assert code(paused, Play(paused.version, "e1-f1"), HOST, START_MS + 5_000) == Code.PAUSED
    assert code(paused, Offer("draw"), HOST) == Code.PAUSED
    assert do(paused, Notice(), at_ms=START_MS + 60_000) == paused
    going_on = do(paused, Continue(), GUEST, START_MS + 60_000)
    assert (going_on.status, going_on.deadline_ms) == (Status.PLAYING, START_MS + 66_000)


def test_only_the_one_who_paused_continues() -> None:
    """CK 5.4.3, D12."""
    paused = do(begun(), Pause(), GUEST)
    assert code(paused, Continue(), HOST) == Code.NOT_YOUR_PAUSE
    assert code(paused, Continue(), STRANGER) == Code.NOT_SEATED
    assert code(begun(), Continue(), HOST) == Code.STARTED


def test_a_pause_ends_by_itself() -> None:
    """D11: after five minutes, on both sides."""
    paused = do(begun(), Pause(), GUEST)
    assert paused.deadline_ms == START_MS + MAX_PAUSE_MS
    assert do(paused, Notice(), at_ms=START_MS + MAX_PAUSE_MS - 1) == paused
    assert do(paused, Notice(), at_ms=START_MS + MAX_PAUSE_MS).status is Status.PLAYING


def test_a_player_has_three_pauses() -> None:
    match = begun()
    for _ in range(MAX_PAUSES):
        match = do(do(match, Pause(), HOST), Continue(), HOST)
    assert code(match, Pause(), HOST) == Code.NO_MORE_PAUSES
    assert do(match, Pause(), GUEST).status is Status.PAUSED


def test_the_pauser_may_give_up_or_be_lost() -> None:
    """D12: the opponent is free."""
    paused = do(begun(), Pause(), GUEST)
    assert ending(do(paused, Abandon(), GUEST)) == (0, EndReason.FORFEIT)
    gone = do(paused, Notice(GUEST_GONE))
    assert ending(do(gone, Notice(GUEST_GONE), at_ms=START_MS + 30_000)) == (0, EndReason.ABANDONED)


@pytest.mark.parametrize("viewer", [HOST, GUEST, STRANGER])
def test_nothing_shows_the_position_of_a_paused_match(viewer: str) -> None:
    """F2: neither snapshot nor position nor record, for whomever."""
    paused = do(begun(), Pause(), GUEST)
    shown = snapshot(paused, viewer, str, START_MS)
    assert (shown.marks, shown.legal, shown.resting, shown.last, shown.focus) == ({}, (), (), None, ())
    assert shown.pause is not None
    lines = {line.id for line in shown.board.lines}
    plain = MSGPACK.encode(snapshot(paused, viewer, str, START_MS)).split(b"board")[0]
    assert not any(line.encode() in plain for line in lines)
    for look in (lambda: position(paused, 1, str, "r"), lambda: record(paused, str, "r")):
        with pytest.raises(Refusal) as refused:
            look()
        assert refused.value.code == Code.PAUSED


def test_the_position_is_shown_again_when_the_pause_is_over() -> None:
    """CK 5.4.4: to those, too, who came during the pause."""
    (step,) = decide(do(begun(), Pause(), GUEST), Continue(), Asked(GUEST, "r", START_MS))
    assert needs_snapshot(step)
    assert len(snapshot(step.after, STRANGER, str, START_MS).marks) == 2


def test_the_position_is_shown_again_when_the_match_ends_in_a_pause() -> None:
    """E5, D12: whoever gave up or stayed away, all see what was played."""
    paused = do(begun(), Pause(), GUEST)
    (step,) = decide(paused, Abandon(), Asked(GUEST, "r", START_MS))
    assert needs_snapshot(step)
    assert len(snapshot(step.after, STRANGER, str, START_MS).marks) == 2
    (step,) = decide(begun(), Abandon(), Asked(GUEST, "r", START_MS))
    assert not needs_snapshot(step)


# Away -----------------------------------------------------------------------------------------------------------------


def test_a_blip_is_not_leaving() -> None:
    """E7: back before the grace time is over; away again, the time is whole again."""
    match = do(begun(), Notice(GUEST_GONE), at_ms=START_MS)
    assert match.deadline_ms == START_MS + 30_000
    assert do(match, Notice(GUEST_GONE), at_ms=START_MS + 29_999) == match
    back = do(match, Notice(ALL_HERE), at_ms=START_MS + 29_999)
    assert (back.deadline_ms, back.absence.away) == (None, (False, False))
    again = do(back, Notice(GUEST_GONE), at_ms=START_MS + 40_000)
    assert again.deadline_ms == START_MS + 70_000


def test_who_stays_wins_when_the_grace_time_is_over() -> None:
    """E7, UD RF7."""
    match = do(begun(), Notice(GUEST_GONE))
    assert ending(do(match, Notice(GUEST_GONE), at_ms=START_MS + 30_000)) == (0, EndReason.ABANDONED)
    match = do(begun(), Notice(HOST_GONE))
    assert ending(do(match, Notice(HOST_GONE), at_ms=START_MS + 30_000)) == (1, EndReason.ABANDONED)


def test_before_the_first_move_nobody_wins() -> None:
    """RU-M5, E12: joined, but never came."""
    match = do(started(), Notice(GUEST_GONE))
    assert ending(do(match, Notice(GUEST_GONE), at_ms=START_MS + 30_000)) == (None, EndReason.ABORTED)


def test_while_nobody_is_there_no_grace_time_runs() -> None:
    """E8: it begins when one of the two is back."""
    match = do(do(begun(), Notice(GUEST_GONE)), Notice(NOBODY), at_ms=START_MS + 10_000)
    assert match.deadline_ms is None
    assert do(match, Notice(NOBODY), at_ms=10**9) == match
    back = do(match, Notice(GUEST_GONE), at_ms=START_MS + 500_000)
    assert back.deadline_ms == START_MS + 530_000


def test_an_outage_takes_nothing_of_the_grace_time() -> None:
    """E8: when both are gone it was us."""
    match = do(begun(), Notice(GUEST_GONE))
    outage = Outage(START_MS + 5_000, START_MS + 65_000)
    excused = do(match, Notice(GUEST_GONE), at_ms=START_MS + 62_000, outages=(outage,))
    assert excused.deadline_ms == START_MS + 90_000


def test_the_grace_time_is_the_hosts_choice() -> None:
    """RU-M5: 0 is the document's literal "closing or refreshing is a forfeit"."""
    assert ending(do(begun(grace_ms=0), Notice(GUEST_GONE))) == (0, EndReason.ABANDONED)
    assert do(begun(grace_ms=300_000), Notice(GUEST_GONE)).deadline_ms == START_MS + 300_000


def test_the_one_who_stays_may_wait_longer_five_times() -> None:
    """RU-M5."""
    match = do(begun(), Notice(GUEST_GONE))
    assert code(match, WaitLonger(), GUEST) == Code.NOBODY_IS_AWAY
    for number in range(1, MAX_EXTENSIONS + 1):
        match = do(match, WaitLonger(), HOST)
        assert match.deadline_ms == START_MS + 30_000 + 60_000 * number
    assert code(match, WaitLonger(), HOST) == Code.NO_MORE_WAITING
    assert code(begun(), WaitLonger(), HOST) == Code.NOBODY_IS_AWAY


def test_the_one_who_stays_may_call_it_a_draw() -> None:
    """RU-M5."""
    match = do(begun(), Notice(GUEST_GONE))
    assert ending(do(match, CallDraw(), HOST)) == (None, EndReason.AGREED)
    assert code(match, CallDraw(), GUEST) == Code.NOBODY_IS_AWAY
    assert code(begun(), CallDraw(), HOST) == Code.NOBODY_IS_AWAY


def test_the_grace_time_counts_from_the_loss() -> None:
    """E7, RU-M5: who was missed for a while before the match was told is waited for so much less."""
    away = do(begun(grace_ms=30_000), Notice(GUEST_GONE, missed_ms=1_200))
    assert away.absence.until_ms == START_MS + 28_800
    at_last = do(begun(grace_ms=1_000), Notice(GUEST_GONE, missed_ms=1_200))
    assert ending(at_last) == (0, EndReason.ABANDONED)


def test_a_host_who_is_away_can_be_joined_and_is_waited_for() -> None:
    """C6, B3: the guest is told until when; the clock goes once the host is back."""
    clock = ClockRule(per_move_ms=5_000)
    match = do(new(clock=clock), Join("Bob", START_MS + 20_000), GUEST)
    assert (match.status, match.absence.away, match.deadline_ms) == (Status.PLAYING, HOST_GONE_AWAY, START_MS + 20_000)
    assert match.clock.left(START_MS + 9_000) == (5_000, 5_000)
    shown = snapshot(match, GUEST, str, START_MS)
    assert (shown.away[0].seat, shown.away[0].until_ms) == (0, START_MS + 20_000)
    assert "wait_longer" in shown.can[1]
    back = do(match, Notice(ALL_HERE), at_ms=START_MS + 9_000)
    assert (back.to_move, back.deadline_ms) == (0, START_MS + 14_000)
    assert ending(do(match, Notice(HOST_GONE), at_ms=START_MS + 20_000)) == (None, EndReason.ABORTED)
    freed = do(match, Leave(), GUEST)
    assert (freed.status, freed.absence.away) == (Status.WAITING, (False, False))


def test_who_comes_and_goes_before_the_first_move_puts_nothing_off() -> None:
    """Q7, D3: neither the mover, nor the other, nor both."""
    match = started(clock=ClockRule(per_move_ms=5_000))
    for number, here in enumerate((GUEST_GONE, NOBODY, HOST_GONE, ALL_HERE, GUEST_GONE), 1):
        match = do(match, Notice(here), at_ms=START_MS + 900 * number)
        assert match.clock.deadline_ms == START_MS + 5_000
    assert ending(do(match, Notice(ALL_HERE), at_ms=START_MS + 5_000)) == (1, EndReason.TIME)


def test_the_clock_waits_once_for_a_host_who_is_away_at_the_start() -> None:
    """Q7: once the host was back, or nobody is there to wait, it goes, whoever leaves then."""
    clock = ClockRule(per_move_ms=5_000)
    match = do(new(clock=clock), Join("Bob", START_MS + 20_000), GUEST)
    back = do(match, Notice(ALL_HERE), at_ms=START_MS + 9_000)
    again = do(back, Notice(HOST_GONE), at_ms=START_MS + 10_000)
    assert again.clock.deadline_ms == START_MS + 14_000
    assert again.clock.left(START_MS + 11_000) == (3_000, 5_000)
    longer = do(match, WaitLonger(), GUEST, START_MS + 9_000)
    assert longer.clock.running is None
    assert do(longer, Notice(NOBODY), at_ms=START_MS + 10_000).clock.deadline_ms == START_MS + 15_000


def test_an_absence_makes_no_move_stale() -> None:
    match = begun()
    away = do(match, Notice(GUEST_GONE))
    assert do(away, Play(match.version, "e1-f1"), HOST).plies == 3


@pytest.mark.parametrize("alone", ["both_seats", "computer"])
def test_who_plays_alone_keeps_nobody_waiting(alone: str) -> None:
    """Such a match is there tomorrow, too."""
    match = play(new(both_seats=alone == "both_seats", computer=alone == "computer"))
    assert do(match, Notice(NOBODY)) == match


def test_every_event_is_told() -> None:
    """Each kind of event has its notification, with consecutive versions."""
    match, told = begun(), []
    for command, player in (
        (Notice(GUEST_GONE), ""), (WaitLonger(), HOST), (Notice(ALL_HERE), ""), (Offer("draw"), HOST),
        (Pause(), HOST), (Continue(), HOST), (Offer("restart"), HOST), (Offer("restart"), GUEST), (Abandon(), HOST),
        (Offer("rematch", next_match="n"), HOST), (Offer("rematch", next_match="n"), GUEST),
    ):  # fmt: skip
        for step in decide(match, as_seen(match, command), Asked(player, "r", START_MS)):
            told.append(notification(step, str))
            match = step.after
    assert [event.version for event in told] == list(range(5, 5 + len(told)))
    assert [type(event).__name__ for event in told] == [
        "Away", "Away", "Away", "Offered", "OfferClosed", "Paused", "Continued", "Offered", "OfferClosed", "Replaced",
        "Ended", "Offered", "OfferClosed", "Rematched",
    ]  # fmt: skip
