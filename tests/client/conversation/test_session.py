"""The conversation as a machine: refs, lost answers, entering and leaving, coming back."""

from __future__ import annotations

import pytest

from client.conversation.events import Latency, Left, Offline, Sent, Settled
from client.conversation.gaps import ANSWER_S as SYNC_S
from client.conversation.latency import PING_S
from client.conversation.outgoing import State
from client.conversation.pending import ANSWER_S, MAX_PENDING, MAX_TRIES, UNAVAILABLE_S, Backlog
from client.conversation.session import Session
from protocol.errors import Code
from protocol.messages import (
    Accepted,
    Analyse,
    Analysis,
    Create,
    Ended,
    GetMatches,
    GoingAway,
    Hint,
    Leave,
    LobbyState,
    Ping,
    Pong,
    Presence,
    Refused,
    Result,
    Sync,
    Watch,
    WatchLobby,
)
from tests.client.conversation.by_hand import Wire, move
from tests.client.positions import moved, snapshot


def test_refs_differ_between_processes() -> None:
    assert Session("Ada").ref().split("-")[0] != Session("Ada").ref().split("-")[0]


def test_a_command_is_sent_and_settled(playing: Wire) -> None:
    command = move("x")
    playing.session.send(command)
    assert playing.commands() == [command]
    answer = Accepted(ref="x", match="m1", version=3)
    playing.tell(answer)
    assert playing.happened() == [Sent(command), Settled(command, answer)]
    assert playing.session.pending == ()


def test_a_lost_connection_resends_under_the_same_ref(playing: Wire) -> None:
    """A2: the server stored it, the answer was lost; sent again it counts once."""
    playing.session.send(move("x"))
    playing.commands()
    playing.lose()
    playing.connect()
    sync, *resent = playing.commands()
    assert isinstance(sync, Sync)
    assert (sync.match, sync.after) == ("m1", 2)
    assert resent == [move("x")]
    playing.tell(moved(3, 0, "a1-b1"), Accepted(ref=sync.ref, match="m1", version=3))
    playing.tell(Accepted(ref="x", match="m1", version=3))
    assert playing.session.pending == ()
    assert playing.session.version == 3


def test_commands_given_without_a_connection_wait_for_one(playing: Wire) -> None:
    playing.lose()
    playing.session.send(move("x"))
    assert playing.commands() == []
    playing.connect()
    assert playing.commands()[-1] == move("x")


def test_an_unanswered_command_is_sent_again_on_the_same_connection(playing: Wire) -> None:
    playing.session.send(move("x"))
    playing.commands()
    playing.later(0.5)
    assert move("x") not in playing.commands()
    playing.later(ANSWER_S)
    assert move("x") in playing.commands()


def test_waiting_commands_are_bounded(playing: Wire) -> None:
    playing.lose()
    for number in range(MAX_PENDING):
        playing.session.send(move(str(number)))
    with pytest.raises(Backlog):
        playing.session.send(move("one too many"))
    assert len(playing.session.pending) == MAX_PENDING
    playing.session.leave()
    assert playing.session.match is None


def test_what_could_not_be_stored_is_sent_again(playing: Wire) -> None:
    playing.session.send(move("x"))
    playing.commands()
    refusal = Refused(ref="x", code=Code.UNAVAILABLE, text="store away", match="m1")
    for _ in range(MAX_TRIES):
        playing.tell(refusal)
        playing.later(UNAVAILABLE_S)
        assert move("x") in playing.commands()
    playing.happened()
    playing.tell(refusal)
    assert playing.happened() == [Settled(move("x"), refusal)]


def test_a_question_waits_for_another_one_of_the_same_player(playing: Wire) -> None:
    """A hint that is still thought about in a match that was left, or a review in another window: it is asked again."""
    question = Analyse(ref="q", match="m1", ply=0)
    playing.session.send(question)
    playing.commands()
    playing.tell(Refused(ref="q", code=Code.ONE_ANALYSIS, text="One at a time.", match="m1"))
    assert not [event for event in playing.happened() if isinstance(event, Settled)]
    playing.later(UNAVAILABLE_S)
    assert question in playing.commands()
    found = Analysis(ref="q", match="m1", version=2, ply=0, plies=0, to_move=0, move="a1-b1", text="", lead=0)
    playing.tell(found)
    assert Settled(question, found) in playing.happened()


def test_a_review_waits_as_long_as_its_own_hint_takes(playing: Wire) -> None:
    """However often it is refused for that; without one it is over after the usual number of tries."""
    hint, question = Hint(ref="h", match="m1", version=2), Analyse(ref="q", match="m1", ply=0)
    for command in (hint, question):
        playing.session.send(command)

    def refused(times: int) -> list[Settled]:
        for _ in range(times):
            playing.tell(Refused(ref="q", code=Code.ONE_ANALYSIS, text="One at a time.", match="m1"))
            playing.later(UNAVAILABLE_S)
        return [event for event in playing.happened() if isinstance(event, Settled)]

    assert not refused(3 * MAX_TRIES)
    playing.tell(Analysis(ref="h", match="m1", version=2, ply=0, plies=0, to_move=0, move="a1-b1", text="", lead=0))
    assert [settled.command for settled in playing.happened() if isinstance(settled, Settled)] == [hint]
    assert not refused(MAX_TRIES)
    assert [settled.command for settled in refused(1)] == [question]


@pytest.mark.parametrize("first", [Code.UNKNOWN_OUTCOME, Code.UNAVAILABLE, Code.BUSY])
def test_what_may_have_been_done_is_never_called_undone(playing: Wire, first: Code) -> None:
    """Q5: after one try of unknown outcome no later try makes it known that nothing was done; the match is asked."""
    playing.session.send(move("x"))
    playing.tell(Refused(ref="x", code=first, text="first", match="m1"))
    for _ in range(MAX_TRIES - 1):
        playing.later(UNAVAILABLE_S)
        playing.tell(Refused(ref="x", code=Code.UNAVAILABLE, text="store away", match="m1"))
    playing.happened()
    playing.commands()
    playing.later(UNAVAILABLE_S)
    playing.tell(Refused(ref="x", code=Code.UNAVAILABLE, text="store away", match="m1"))
    (settled,) = (event for event in playing.happened() if isinstance(event, Settled))
    assert isinstance(settled.answer, Refused)
    in_doubt = first is Code.UNKNOWN_OUTCOME
    assert settled.answer.code == (Code.UNKNOWN_OUTCOME if in_doubt else Code.UNAVAILABLE)
    assert any(isinstance(command, Sync) for command in playing.commands()) is in_doubt


def test_a_lost_connection_leaves_what_was_sent_in_doubt(playing: Wire) -> None:
    """Q5: the answer may have been lost with the connection."""
    playing.session.send(move("x"))
    playing.lose()
    playing.connect()
    for _ in range(MAX_TRIES + 1):
        playing.tell(Refused(ref="x", code=Code.UNAVAILABLE, text="store away", match="m1"))
        playing.later(UNAVAILABLE_S)
    (settled,) = (event for event in playing.happened() if isinstance(event, Settled))
    assert isinstance(settled.answer, Refused)
    assert settled.answer.code == Code.UNKNOWN_OUTCOME


def test_an_answer_to_nothing_is_nothing(playing: Wire) -> None:
    playing.tell(Accepted(ref="?", match="m9"), Refused(ref="?", code="x", text="x"))
    assert playing.happened() == []
    unread = Refused(ref="", code=Code.MALFORMED, text="cannot be read")
    playing.tell(unread)
    assert playing.happened() == [unread]


@pytest.mark.parametrize("snapshot_first", [False, True])
def test_entering_follows_the_match_in_the_answer(wire: Wire, snapshot_first: bool) -> None:
    wire.session.send(Create(ref="c", game="dots-and-boxes"))
    answer, picture = Accepted(ref="c", match="m1", version=1), snapshot(version=1, status="waiting")
    wire.tell(*((picture, answer) if snapshot_first else (answer, picture)))
    assert picture in wire.happened()
    assert wire.session.match == "m1"


def test_a_repeated_answer_without_a_snapshot_asks_for_one(wire: Wire) -> None:
    wire.session.send(Create(ref="c", game="dots-and-boxes"))
    wire.lose()
    wire.connect()
    wire.commands()
    wire.tell(Accepted(ref="c", match="m1", version=1))
    assert wire.session.version is None
    wire.later(SYNC_S + 0.1)
    assert any(isinstance(command, Watch) and command.match == "m1" for command in wire.commands())


def test_leaving_ends_the_following(playing: Wire) -> None:
    playing.session.leave()
    (leave,) = playing.commands()
    assert isinstance(leave, Leave)
    assert playing.happened() == [Sent(leave), Left("m1")]
    playing.tell(moved(3, 0, "a1-b1"), snapshot(version=9))
    assert playing.happened() == []
    playing.session.leave()
    assert playing.commands() == []


def test_a_match_that_the_server_does_not_have_any_more_is_left(playing: Wire) -> None:
    playing.lose()
    playing.connect()
    (sync,) = playing.commands()
    assert isinstance(sync, Sync)
    playing.happened()
    refusal = Refused(ref=sync.ref, code=Code.UNKNOWN_MATCH, text="gone")
    playing.tell(refusal)
    assert playing.happened() == [refusal, Left("m1")]


def test_the_end_is_an_event_like_others(playing: Wire) -> None:
    end = Ended(match="m1", version=3, at_ms=0, result=Result(winner=0, reason="score", text="Player 1 wins"))
    playing.tell(end)
    assert playing.happened() == [end]


def test_the_lobby_is_watched_again_after_a_reconnect(wire: Wire) -> None:
    wire.session.watch_lobby()
    wire.session.watch_lobby()
    assert [type(command) for command in wire.commands()] == [WatchLobby]
    wire.lose()
    wire.connect()
    assert [type(command) for command in wire.commands()] == [WatchLobby, GetMatches], "and where one's matches stand"
    state = LobbyState(matches=())
    wire.happened()
    wire.tell(state)
    assert wire.happened() == [state]
    wire.session.watch_lobby(False)
    (off,) = wire.commands()
    assert isinstance(off, WatchLobby)
    assert not off.on


def test_losses_are_told(wire: Wire) -> None:
    wire.lose()
    assert wire.happened() == [Offline(100.0, "The connection was lost.")]
    assert wire.session.state is State.OFFLINE


def test_a_server_that_goes_away_says_for_how_long(wire: Wire) -> None:
    wire.tell(GoingAway(text="restart", back_in_ms=1_500))
    assert wire.session.back_in_ms == 1_500
    wire.lose()
    wire.connect()
    assert wire.session.back_in_ms == 0


def test_sent_on_to_another_hub_nobody_is_told_unless_that_fails(wire: Wire) -> None:
    wire.tell(GoingAway(text="restart", elsewhere=True))
    assert wire.session.moving
    wire.lose()
    wire.connect()
    assert not any(isinstance(event, Offline | GoingAway) for event in wire.happened())
    wire.later(6.0)
    wire.tell(GoingAway(text="restart", elsewhere=True))
    wire.lose()
    assert not any(isinstance(event, Offline) for event in wire.happened())
    wire.lose()
    assert any(isinstance(event, Offline) for event in wire.happened())


def test_whoever_is_sent_on_again_at_once_is_told_and_waits(wire: Wire) -> None:
    """Between two hubs that are both stopped nobody goes to and fro."""
    wire.tell(GoingAway(text="restart", elsewhere=True))
    wire.lose()
    wire.connect()
    wire.happened()
    wire.tell(GoingAway(text="restart", elsewhere=True))
    assert not wire.session.moving
    wire.lose()
    assert any(isinstance(event, Offline) for event in wire.happened())


def test_the_round_trip_is_measured(wire: Wire) -> None:
    wire.later(0.5)
    (ping,) = wire.commands()
    assert isinstance(ping, Ping)
    wire.now += 0.02
    wire.tell(Pong(ref=ping.ref, now_ms=1_000_000), Pong(ref=ping.ref, now_ms=1))
    (latency,) = wire.happened_of(Latency)
    assert isinstance(latency, Latency)
    assert latency.round_trip_ms == pytest.approx(20)
    assert latency.server_minus_now_ms == pytest.approx(1_000_000 + 10 - wire.now * 1000, abs=0.01)
    wire.later(PING_S / 2)
    assert wire.commands() == []
    wire.later(PING_S)
    assert [type(command) for command in wire.commands()] == [Ping]


def test_presence_of_the_match_on_screen_is_told(playing: Wire) -> None:
    presence = Presence(match="m1", here=(True, False), spectators=3)
    playing.tell(presence)
    assert playing.happened() == [presence]


def test_nothing_is_due_while_offline(playing: Wire) -> None:
    playing.session.send(move("x"))
    playing.commands()
    playing.lose()
    playing.later(100)
    assert playing.commands() == []
