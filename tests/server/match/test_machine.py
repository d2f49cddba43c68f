"""The match machine: every cell of its table, and what no command may do."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from protocol.errors import Code, IllegalMove, Refusal
from server.games import load_catalogue
from server.match import commands
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    Cancel,
    Continue,
    Expire,
    Join,
    Leave,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Play,
    Relay,
    Stop,
    TakeHint,
    WaitLonger,
    Withdraw,
)
from server.match.events import EndReason, MatchEnded, MovePlayed
from server.match.machine import TABLE, Asked, Step, create, decide, open_match, replay
from server.match.state import Match, Status
from tests.forms import generated
from tests.server.match.table import as_seen

CATALOGUE = load_catalogue()
GAME = CATALOGUE["dots-and-boxes"]
SMALL: dict[str, Any] = {"width": 2, "height": 2}
HOST, GUEST, STRANGER = "host", "guest", "stranger"


def asked(player: str, ref: str = "r", now_ms: int = 1_000) -> Asked:
    return Asked(player, ref, now_ms)


def waiting(*, both_seats: bool = False, private: bool = False) -> Match:
    event = create(
        GAME, SMALL, "Ana", asked(HOST, "create"), private=private, both_seats=both_seats, seed=7
    )  # fmt: skip
    return open_match("m", event, CATALOGUE)


def after(match: Match, command: MatchCommand, player: str) -> Match:
    return decide(match, command, asked(player))[-1].after


def playing() -> Match:
    return after(waiting(), Join("Bob"), GUEST)


def play(match: Match, move: str, player: str | None = None) -> list[Step]:
    seat = match.to_move
    assert seat is not None
    holder = match.seats[seat]
    assert holder is not None
    return decide(match, Play(match.version, move), asked(player or holder.player))


def ended() -> Match:
    match = playing()
    for move in ("a1-b1", "a1-a2", "b1-b2", "a2-b2"):
        match = play(match, move)[-1].after
    return match


def code(match: Match, command: MatchCommand, player: str) -> str:
    before = match
    with pytest.raises(Refusal) as refused:
        decide(match, command, asked(player))
    assert match == before
    return refused.value.code


def test_a_move_is_played_once() -> None:
    """What judges it and what folds its event in ask for the same."""
    played: list[str] = []

    def counting(state: Any, move: str) -> Any:
        played.append(move)
        return GAME.play(state, move)

    match = structs.replace(playing(), game=replace(GAME, play=counting))
    stepped = play(match, "a1-b1")[-1]
    assert played == ["a1-b1"]
    assert stepped.after == structs.replace(play(playing(), "a1-b1")[-1].after, game=match.game)
    with pytest.raises(IllegalMove):
        play(stepped.after, "a1-b1")
    assert [play(stepped.after, move)[-1].after.moves[-1] for move in ("a1-a2", "b1-b2", "a1-a2")] == [
        "a1-a2", "b1-b2", "a1-a2",
    ]  # fmt: skip


# The table ------------------------------------------------------------------------------------------------------------

EVERY: list[MatchCommand] = [
    Join("Bob"), Leave(), Cancel(), Play(1, "a1-b1"), Abandon(), Expire(), Offer("draw"), Answer(True), Withdraw(),
    TakeHint(1, "a1-b1"), Pause(), Continue(), WaitLonger(), CallDraw(), Relay(0, "[]"), Notice(), Stop(),
]  # fmt: skip
PAIRS = list(product(Status, EVERY))
NOT_NOW = {
    Status.WAITING: Code.WAITING,
    Status.PLAYING: Code.STARTED,
    Status.PAUSED: Code.PAUSED,
    Status.ENDED: Code.FINISHED,
}


def paused() -> Match:
    return after(playing(), Pause(), HOST)


@pytest.mark.parametrize(("status", "command"), PAIRS, ids=str)
def test_a_pair_missing_from_the_table_is_refused_by_the_status(status: Status, command: MatchCommand) -> None:
    """A8, A12: what cannot be asked now is refused with the reason, and nothing has changed."""
    makers = {Status.WAITING: waiting, Status.PLAYING: playing, Status.PAUSED: paused, Status.ENDED: ended}
    match = makers[status]()
    assert match.status is status
    if (status, type(command)) not in TABLE:
        assert code(match, command, HOST) == NOT_NOW[status]


def test_every_command_stands_in_the_table() -> None:
    in_table = {command for _, command in TABLE}
    assert in_table == set(commands.MatchCommand.__subclasses__()) == {type(command) for command in EVERY}


# Joining and leaving --------------------------------------------------------------------------------------------------


def test_the_second_player_starts_the_match() -> None:
    """UD RF2, RF5: both are seated, seat 0 moves first."""
    match = playing()
    assert (match.status, match.version, match.to_move) == (Status.PLAYING, 2, 0)
    assert (match.seats_of(HOST), match.seats_of(GUEST), match.seats_of(STRANGER)) == ((0,), (1,), ())


def test_a_third_player_finds_the_seats_taken() -> None:
    """B1: the seats are taken; C10: for those who sit there it is no error."""
    match = playing()
    assert code(match, Join("Cid"), STRANGER) == Code.FULL
    assert decide(match, Join("Bob"), asked(GUEST)) == []
    assert decide(match, Join("Ana"), asked(HOST)) == []


def test_the_host_cannot_take_the_other_seat_by_joining() -> None:
    """B9: joining one's own match changes nothing."""
    assert decide(waiting(), Join("Ana"), asked(HOST)) == []


@pytest.mark.parametrize("name", ["Ana", "ANA", "ana"])
def test_two_of_one_name_are_told_apart_by_a_number(name: str) -> None:
    """RU-M9, I7: also when they differ in case only."""
    match = after(waiting(), Join(name), GUEST)
    assert match.seats[1] is not None
    assert match.seats[1].name == f"{name} 2"


def test_a_guest_who_leaves_before_the_first_move_frees_the_seat() -> None:
    """B10: a hundred times on one match; versions only grow."""
    match = waiting()
    for number in range(100):
        match = after(match, Join("Bob"), GUEST)
        match = after(match, Leave(), GUEST)
        assert (match.status, match.seats[1], match.version) == (Status.WAITING, None, 3 + 2 * number)


def test_leaving_after_the_first_move_is_not_giving_up() -> None:
    match = play(playing(), "a1-b1")[-1].after
    assert decide(match, Leave(), asked(GUEST)) == []
    assert decide(match, Leave(), asked(HOST)) == []


@pytest.mark.parametrize("command", [Cancel(), Leave()])
def test_a_waiting_host_who_goes_takes_the_match_back(command: MatchCommand) -> None:
    match = after(waiting(), command, HOST)
    assert match.ending is not None
    assert (match.status, match.ending.reason, match.ending.winner) == (Status.ENDED, EndReason.CANCELLED, None)


def test_only_the_host_cancels() -> None:
    assert code(waiting(), Cancel(), STRANGER) == Code.NOT_SEATED
    assert decide(waiting(), Leave(), asked(STRANGER)) == []


def test_a_match_with_both_seats_at_one_connection_starts_at_once() -> None:
    """DB 1.8: two people at one computer; the other seat's name gets a number."""
    match = waiting(both_seats=True)
    assert (match.status, match.seats_of(HOST)) == (Status.PLAYING, (0, 1))
    assert [seat.name for seat in match.seats if seat] == ["Ana", "Ana 2"]
    match = play(match, "a1-b1")[-1].after
    assert match.to_move == 1
    assert play(match, "a1-a2")[-1].after.to_move == 0


# Moves ----------------------------------------------------------------------------------------------------------------


def test_a_move_is_judged_by_seat_version_and_turn_in_this_order() -> None:
    """A9: the past, the future and the other's turn are refused."""
    match = playing()
    assert code(match, Play(match.version, "a1-b1"), STRANGER) == Code.NOT_SEATED
    assert code(match, Play(match.version, "a1-b1"), GUEST) == Code.NOT_YOUR_TURN
    for version in (0, match.version - 1, match.version + 1, 2**53 - 1):
        assert code(match, Play(version, "a1-b1"), HOST) == Code.STALE


def test_a_move_against_the_rules_is_refused_in_the_games_own_words() -> None:
    """A10, DB 7.3.2.1: and leaves no trace."""
    match = playing()
    with pytest.raises(IllegalMove) as refused:
        play(match, "a1-b2")
    assert refused.value.code == "diagonal"
    assert match == playing()


def test_a_move_is_stored_in_its_canonical_spelling() -> None:
    """RU-DB2: b1-a1 is a1-b1."""
    (step,) = play(playing(), "b1-a1")
    assert isinstance(step.event, MovePlayed)
    assert step.event.move == "a1-b1"


def test_the_last_move_brings_the_end_in_the_same_step_of_the_log() -> None:
    """DB 7.2.1.3, 7.3.1.3: one command, two events, both with its ref."""
    match = playing()
    for move in ("a1-b1", "a1-a2", "b1-b2"):
        match = play(match, move)[-1].after
    last, end = play(match, "a2-b2")
    assert isinstance(last.event, MovePlayed)
    assert isinstance(end.event, MatchEnded)
    assert (end.event.winner, end.event.reason) == (1, "score")
    assert last.event.ref == end.event.ref == "r"
    assert (end.after.status, end.after.to_move, end.after.legal) == (Status.ENDED, None, ())


def test_giving_up_hands_the_win_to_the_other_in_turn_or_not() -> None:
    """CK R4.3, R4.4, UD RF7, E5."""
    match = play(playing(), "a1-b1")[-1].after
    for player, winner in ((HOST, 1), (GUEST, 0)):
        ending = after(match, Abandon(), player).ending
        assert ending is not None
        assert (ending.winner, ending.reason, ending.by) == (winner, EndReason.FORFEIT, 1 - winner)
    assert code(match, Abandon(), STRANGER) == Code.NOT_SEATED


def test_giving_up_before_the_first_move_has_no_winner() -> None:
    """RU-M5."""
    ending = after(playing(), Abandon(), GUEST).ending
    assert ending is not None
    assert (ending.winner, ending.reason) == (None, EndReason.ABORTED)


def test_whoever_gives_up_at_one_keyboard_is_the_one_to_move() -> None:
    match = play(waiting(both_seats=True), "a1-b1")[-1].after
    ending = after(match, Abandon(), HOST).ending
    assert ending is not None
    assert (ending.by, ending.winner) == (1, 0)


# Properties -----------------------------------------------------------------------------------------------------------

COMMANDS = st.one_of(
    st.builds(Offer, st.sampled_from(["draw", "takeback", "restart", "revert", "rematch"]), next_match=st.just("n")),
    st.builds(Answer, st.booleans(), next_match=st.just("n")),
    st.just(Withdraw()),
    st.just(Pause()),
    st.just(Continue()),
    st.just(WaitLonger()),
    st.just(CallDraw()),
    st.builds(Notice, st.one_of(st.none(), st.tuples(st.booleans(), st.booleans()))),
    st.builds(Join, st.sampled_from(["Bob", "ana"])),
    st.just(Leave()),
    st.just(Cancel()),
    st.just(Abandon()),
    st.just(Expire()),
    st.just(Stop()),
    st.builds(
        Play, st.integers(0, 12), st.sampled_from(["a1-b1", "a1-a2", "b1-b2", "a2-b2", "a1-b2", "b1-a1", "x", "c1-d1"])
    ),
)


@generated(full=400, short=100)
@given(st.lists(st.tuples(COMMANDS, st.sampled_from([HOST, GUEST, STRANGER]), st.booleans()), max_size=30))
def test_whatever_is_asked_the_log_replays_to_the_match(asks: list[tuple[MatchCommand, str, bool]]) -> None:
    """Versions are consecutive, a match ends at most once, and the log adds up to what was shown."""
    event = create(GAME, SMALL, "Ana", asked(HOST, "create"), private=False, both_seats=False, seed=7)
    match, log = open_match("m", event, CATALOGUE), [event]
    for number, (command, player, now) in enumerate(asks):
        if now and isinstance(command, Play):
            command = Play(match.version, command.move)
        elif now:
            command = as_seen(match, command)
        try:
            happened = decide(match, command, asked(player, f"r{number}", number))
        except Refusal:
            continue
        for step in happened:
            assert step.before == match
            assert step.after.version == match.version + 1
            assert match.status is not Status.ENDED or not isinstance(step.event, MovePlayed | MatchEnded)
            match = step.after
            log.append(step.event)  # type: ignore[arg-type]
    assert replay("m", log, CATALOGUE) == match
    assert sum(isinstance(event, MatchEnded) for event in log) == (match.status is Status.ENDED)
