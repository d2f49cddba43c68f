"""How much may happen in one match, and how one that has reached its bound ends."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from protocol.errors import Code, Refusal
from protocol.messages import OfferKind
from server.match import bounds
from server.match.asked import Asked
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Play,
    WaitLonger,
    Withdraw,
)
from server.match.commands import Continue as GoOn
from server.match.events import Created, EndReason, encode_event
from server.match.machine import create, decide, replay
from server.match.state import Match, Status
from tests.server.match.table import CATALOGUE, GUEST, HOST, START_MS, as_seen, code, do, new, play, started


def full(match: Match) -> Match:
    """The match, with a log in which nothing but moves and ends has room."""
    return structs.replace(match, size=bounds.ROOM_BYTES)


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
    at_most = bounds.ROOM_EVENTS + bounds.KEPT_EVENTS
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
