"""How much may happen in one match, and how one that has reached its bound ends."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from protocol.errors import Code, Refusal
from protocol.limits import MAX_ID, MAX_REF
from protocol.messages import OfferKind
from server.match import bounds
from server.match.actions import CONDITIONS, ENDLESS, permissions
from server.match.asked import Asked
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    Leave,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Play,
    WaitLonger,
    Withdraw,
)
from server.match.commands import Continue as GoOn
from server.match.events import (
    AwayChanged,
    Created,
    EndReason,
    Event,
    MovePlayed,
    OfferEnded,
    OfferMade,
    encode_event,
)
from server.match.machine import create, decide, replay
from server.match.state import COMPUTER, MOVES_BEFORE_OFFERING_AGAIN, ROOM_BYTES, ROOM_EVENTS, Match, Status
from tests.server.match.table import CATALOGUE, GUEST, HOST, START_MS, as_seen, code, do, new, play, started


def full(match: Match) -> Match:
    """The match, with a log in which nothing but moves and ends has room."""
    return structs.replace(match, size=ROOM_BYTES)


def reason(match: Match) -> str:
    assert match.ending is not None
    return match.ending.reason


def test_checkers_without_a_rule_against_it_ends_all_the_same() -> None:
    """Q12, RU-CK6: kings that go to and fro for ever, and `draw_after` is off."""
    match = new("checkers", options={"draw_after": 0}, both_seats=True)
    match = structs.replace(match, moves=("11-15",) * (bounds.MOST_PLIES - 1), movers=(0,) * (bounds.MOST_PLIES - 1))
    ended = do(match, Play(match.version, match.legal[0]), HOST)
    assert (reason(ended), ended.plies) == (EndReason.TOO_LONG, bounds.MOST_PLIES)
    assert ended.ending is not None
    assert ended.ending.winner is None


@pytest.mark.parametrize("command", [Offer("takeback"), Offer("restart"), Offer("revert"), Pause()])
def test_what_one_alone_can_do_without_end_has_no_room_in_a_full_match(command: MatchCommand) -> None:
    """Q12."""
    match = full(play(play(started())))
    assert code(match, command, HOST) == Code.MATCH_FULL
    gone = do(match, Notice((True, False)))
    assert code(gone, WaitLonger(), HOST) == Code.MATCH_FULL
    assert reason(do(gone, CallDraw(), HOST)) == EndReason.AGREED


def test_a_full_match_can_be_played_on_and_ended() -> None:
    """Q12: by moves, giving up, an agreed draw, a flag or an absence."""
    match = full(play(play(started(grace_ms=1_000))))
    assert play(match).plies == 3
    assert reason(do(match, Abandon(), HOST)) == EndReason.FORFEIT
    offered = do(match, Offer("draw"), HOST)
    assert code(offered, Withdraw(), HOST) == Code.MATCH_FULL
    assert reason(do(offered, Answer(accept=True), GUEST)) == EndReason.AGREED
    declined = do(offered, Answer(accept=False), GUEST)
    assert code(declined, Offer("draw"), HOST) == Code.OFFERED_LATELY
    gone = do(match, Notice((True, False)))
    assert reason(do(gone, Notice((True, False)), at_ms=START_MS + 1_000)) == EndReason.ABANDONED


def test_a_pause_that_made_a_match_full_can_be_ended() -> None:
    match = full(do(play(started()), Pause(), HOST))
    assert do(match, GoOn(), HOST).status is Status.PLAYING


def test_the_size_is_that_of_the_log() -> None:
    event = create(CATALOGUE["square"], {}, "Ana", Asked(HOST, "create", START_MS), both_seats=True)
    match, log = replay("m", [event], CATALOGUE), [encode_event(event)]
    for _ in range(6):
        (step,) = decide(match, Play(match.version, match.legal[0]), Asked(HOST, "r", START_MS))
        match = step.after
        log.append(encode_event(step.event))
    assert match.size == sum(map(len, log))
    assert isinstance(event, Created)


KINDS: list[OfferKind] = ["draw", "takeback", "restart", "revert"]
ASKS = st.one_of(
    st.builds(Offer, st.sampled_from(KINDS)),
    st.builds(Answer, st.booleans()),
    st.sampled_from([Withdraw(), Pause(), GoOn(), WaitLonger(), CallDraw()]),
    st.builds(Notice, st.tuples(st.booleans(), st.booleans())),
)


@settings(deadline=None)
@given(asks=st.lists(st.tuples(ASKS, st.sampled_from([HOST, GUEST])), max_size=60), room=st.integers(1, 40))
def test_whatever_is_asked_a_match_stays_within_its_bounds(asks: list[tuple[MatchCommand, str]], room: int) -> None:
    """Q12: from the last of its room on it ends as a draw, and until then it can be given up."""
    at_most = ROOM_EVENTS + bounds.KEPT_EVENTS
    match = structs.replace(play(play(started())), version=at_most - room)
    match = structs.replace(match, position=match.version)
    for command, player in asks:
        if match.status is Status.ENDED:
            break
        assert decide(match, Abandon(), Asked(player, "r", START_MS))[-1].after.ending is not None
        try:
            happened = decide(match, as_seen(match, command), Asked(player, "r", START_MS))
        except Refusal:
            continue
        match = happened[-1].after if happened else match
        assert match.version < at_most or match.status is Status.ENDED
        assert match.version <= at_most + 3


COMMANDS: dict[str, MatchCommand] = {
    **{f"offer_{kind}": Offer(kind) for kind in KINDS},
    "abandon": Abandon(),
    "pause": Pause(),
    "continue": GoOn(),
    "answer": Answer(accept=False),
    "withdraw": Withdraw(),
    "wait_longer": WaitLonger(),
    "call_draw": CallDraw(),
}


@settings(deadline=None)
@given(asks=st.lists(st.tuples(ASKS, st.sampled_from([HOST, GUEST])), max_size=20), mode=st.sampled_from([0, 1, 2]))
def test_a_full_match_shows_what_it_grants(asks: list[tuple[MatchCommand, str]], mode: int) -> None:
    """Q12: what `can` names is granted, all else is refused, between two, at one keyboard, and against the computer."""
    match = [started(), new(both_seats=True), new(computer=True)][mode]
    match = full(play(play(match)))
    for command, player in asks:
        try:
            happened = decide(match, as_seen(match, command), Asked(player, "r", START_MS))
        except Refusal:
            continue
        match = full(happened[-1].after) if happened else match
    for number, seat in enumerate(match.seats):
        assert seat is not None
        if seat.player == COMPUTER or (match.both_seats and number != match.turn):
            continue  # Who plays alone acts for the seat whose turn it is.
        for action, command in COMMANDS.items():
            if action in permissions(match)[number]:
                assert decide(match, as_seen(match, command), Asked(seat.player, "r", START_MS))
            elif match.offer is not None and (match.offer.seat, f"offer_{match.offer.kind}") == (number, action):
                assert not decide(match, as_seen(match, command), Asked(seat.player, "r", START_MS))
            elif match.status in CONDITIONS[action][0] and action in ENDLESS:
                assert code(match, command, seat.player) == Code.MATCH_FULL
            else:
                assert code(match, command, seat.player)


def absent(match: Match, away: tuple[bool, bool]) -> Match:
    """The match after a look at which these seats' players are away."""
    return do(match, Notice((not away[0], not away[1])))


def test_who_comes_and_goes_for_hours_loses_the_match() -> None:
    """Q12, RU-M5: after a thousand absences nobody is waited for; a draw as `too_long` is not to be had in this way."""
    match = play(play(started()))
    for _ in range(bounds.MOST_ABSENCES):
        match = absent(absent(match, (False, True)), (False, False))
    assert match.status is Status.PLAYING
    ended = absent(match, (False, True))
    assert ended.ending is not None
    assert (ended.ending.reason, ended.ending.by, ended.ending.winner) == (EndReason.ABANDONED, 1, 0)
    assert ended.version < ROOM_EVENTS


@settings(deadline=None)
@given(flaps=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60), seat=st.sampled_from([0, 1]))
def test_only_who_comes_and_goes_bears_it(flaps: list[tuple[bool, bool]], seat: int) -> None:
    """Q12: one is at the end of the absences, the other far from it: however both go, the other does not lose by it."""
    used = (bounds.MOST_ABSENCES, 0) if seat == 0 else (0, bounds.MOST_ABSENCES)
    match = structs.replace(play(play(started())), absences=used)
    for away in flaps:
        went_away = away[seat] and not match.absence.away[seat]
        match = absent(match, away)
        assert (match.status is Status.ENDED) == went_away
        if went_away:
            assert match.ending is not None
            assert (match.ending.reason, match.ending.by) == (EndReason.ABANDONED, seat)
            break


def test_two_who_go_once_too_often_in_one_moment_both_have_not_stayed() -> None:
    match = structs.replace(play(play(started())), absences=(bounds.MOST_ABSENCES,) * 2)
    both = absent(match, (True, True))
    assert both.status is Status.PLAYING
    assert absent(absent(both, (True, False)), (True, True)).ending is not None


def test_the_next_guest_has_gone_away_not_once() -> None:
    """Q7, Q12: and the host as often as before."""
    match = structs.replace(started(), absences=(3, 5))
    assert do(match, Leave(), GUEST).absences == (3, 0)


def test_what_is_kept_is_enough_for_all_that_a_full_match_grants() -> None:
    """Q12: moves, draw offers that are declined, and everybody's goings and comings, each as long as it can be."""

    def size(event: Event) -> int:
        return len(encode_event(structs.replace(event, player="p" * MAX_ID, ref="r" * MAX_REF)))

    late_ms = 2**42
    moves = size(MovePlayed(at_ms=late_ms, seat=1, move="m" * 36)) * bounds.MOST_PLIES
    offers = bounds.MOST_PLIES // MOVES_BEFORE_OFFERING_AGAIN + 2
    offered = size(OfferMade(at_ms=late_ms, seat=1, kind="draw")) + size(OfferEnded(at_ms=late_ms, fate="declined"))
    changes = 4 * bounds.MOST_ABSENCES
    away = len(encode_event(AwayChanged(at_ms=late_ms, away=(True, False), until_ms=late_ms)))
    assert bounds.MOST_PLIES + 2 * offers + changes <= bounds.KEPT_EVENTS
    assert moves + offers * offered + changes * away <= bounds.KEPT_BYTES
