"""The conversation as a machine: refs, lost answers, gaps, unreadable frames, coming back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from msgspec import structs

from client.conversation.events import Event, InStep, Latency, Left, NewGuest, Offline, Sent, Settled
from client.conversation.gaps import ANSWER_S as SYNC_S
from client.conversation.greeting import GREETING_S
from client.conversation.latency import PING_S
from client.conversation.outgoing import State
from client.conversation.pending import ANSWER_S, MAX_PENDING, MAX_TRIES, UNAVAILABLE_S, Backlog
from client.conversation.session import Session
from client.conversation.wire import MAX_BAD_FRAMES
from protocol.codec import MSGPACK
from protocol.errors import Code
from protocol.messages import (
    Accepted,
    Continued,
    Create,
    Ended,
    GetRecord,
    GoingAway,
    Hello,
    Leave,
    LobbyState,
    MatchEvent,
    Message,
    Move,
    Notification,
    Ping,
    Pong,
    Presence,
    Record,
    Refused,
    Replaced,
    Result,
    SetBack,
    Snapshot,
    Sync,
    Watch,
    WatchLobby,
    Welcome,
)
from tests.client.positions import moved, snapshot


@dataclass
class Wire:
    """A session, and a server that a test plays by hand."""

    session: Session = field(default_factory=lambda: Session("Ada", prefix="p"))
    now: float = 100.0

    def commands(self) -> list[Message]:
        """What the session has written since the last look."""
        return [MSGPACK.decode_command(frame) for frame in self.session.data_to_send()]

    def tell(self, *notifications: Notification) -> None:
        for one in notifications:
            self.session.receive(MSGPACK.encode(one), self.now)

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.session.tick(self.now)

    def connect(self, **welcome: object) -> None:
        """Open a connection and be welcomed; leaves what the session wrote after that to be looked at."""
        self.session.opened(self.now)
        hello = self.commands()[-1]
        assert isinstance(hello, Hello)
        self.tell(Welcome(ref=hello.ref, player="id", name="Ada", token="secret", **welcome))  # type: ignore[arg-type]

    def lose(self) -> None:
        self.session.closed(self.now, "The connection was lost.")

    def happened(self) -> list[Event]:
        return self.session.events()

    def happened_of(self, *kinds: type) -> list[Event]:
        return [event for event in self.session.events() if isinstance(event, kinds)]


@pytest.fixture
def wire() -> Wire:
    wire = Wire()
    wire.connect()
    wire.happened()
    return wire


@pytest.fixture
def playing(wire: Wire) -> Wire:
    """A session that follows match m1 at version 2."""
    wire.session.send(Watch(ref="w", match="m1"))
    wire.commands()
    wire.tell(Accepted(ref="w", match="m1", version=2), snapshot())
    wire.happened()
    return wire


def move(ref: str, version: int = 2) -> Move:
    return Move(ref=ref, match="m1", version=version, move="a1-b1")


# Greeting ---------------------------------------------------------------------------------------------------------


def test_greets_first_and_holds_everything_else_back() -> None:
    wire = Wire()
    wire.session.send(Create(ref="c", game="dots-and-boxes"))
    wire.session.watch_lobby()
    wire.session.opened(wire.now)
    hello, *others = wire.commands()
    assert hello == Hello(ref="p-1", name="Ada", client="")
    assert others == []
    wire.tell(Welcome(ref="p-1", player="id", name="Ada 2", token="secret"))
    assert [type(command) for command in wire.commands()] == [WatchLobby, Create]
    assert (wire.session.name, wire.session.token) == ("Ada 2", "secret")


def test_a_welcome_to_somebody_else_is_not_ours() -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    wire.tell(Welcome(ref="other", player="id", name="Eve", token="t"))
    assert wire.session.state is State.GREETING
    assert wire.session.token is None


def test_the_token_brings_the_guest_back(wire: Wire) -> None:
    wire.lose()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    assert hello.token == "secret"


def test_an_unknown_token_is_left_out_and_said() -> None:
    wire = Wire(Session("Ada", "old", prefix="p"))
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    wire.tell(Refused(ref=hello.ref, code=Code.BAD_TOKEN, text="unknown"))
    (again,) = wire.commands()
    assert isinstance(again, Hello)
    assert again.token is None
    assert again.ref != hello.ref
    assert wire.happened() == [NewGuest()]


def test_a_refused_name_can_be_tried_again_on_the_same_connection() -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    refusal = Refused(ref=hello.ref, code=Code.BAD_NAME, text="no")
    wire.tell(refusal)
    assert wire.happened() == [refusal]
    wire.later(1_000)
    assert not wire.session.wants_close
    wire.session.introduce("Eva")
    (again,) = wire.commands()
    assert isinstance(again, Hello)
    assert again.name == "Eva"


def test_a_server_that_does_not_greet_is_left() -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    wire.later(GREETING_S + 0.1)
    assert wire.session.wants_close


@pytest.mark.parametrize("code", [Code.BUSY, Code.UNAVAILABLE, Code.UNKNOWN_OUTCOME])
def test_a_server_without_time_is_come_back_to(code: Code) -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    wire.tell(Refused(ref=hello.ref, code=code, text="later"))
    assert wire.session.wants_close


# Commands ---------------------------------------------------------------------------------------------------------


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


# Versions ---------------------------------------------------------------------------------------------------------


def test_events_come_in_order_and_once(playing: Wire) -> None:
    third, fourth = moved(3, 0, "a1-b1"), moved(4, 1, "b1-c1")
    playing.tell(third, third, fourth, third)
    assert playing.happened() == [third, fourth]
    assert playing.commands() == []


def test_a_gap_is_closed_by_sync(playing: Wire) -> None:
    third, fourth = moved(3, 0, "a1-b1"), moved(4, 1, "b1-c1")
    playing.tell(fourth)
    assert playing.happened() == []
    (sync,) = playing.commands()
    assert isinstance(sync, Sync)
    assert sync.after == 2
    playing.tell(third, fourth, Accepted(ref=sync.ref, match="m1", version=4))
    assert playing.happened() == [third, fourth]
    assert playing.commands() == []


def test_a_gap_is_closed_by_a_snapshot(playing: Wire) -> None:
    playing.tell(moved(40, 1, "b1-c1"))
    (sync,) = playing.commands()
    assert isinstance(sync, Sync)
    fresh = snapshot(version=40)
    playing.tell(fresh, Accepted(ref=sync.ref, match="m1", version=40))
    assert playing.happened() == [fresh]
    assert playing.session.version == 40


def test_one_question_at_a_time_and_repeated_when_unanswered(playing: Wire) -> None:
    playing.tell(moved(4, 1, "b1-c1"), moved(5, 1, "b1-c1"))
    assert len(playing.commands()) == 1
    playing.later(SYNC_S + 0.1)
    assert [type(command) for command in playing.commands()] == [Sync, Ping]


def test_an_event_that_overtook_the_answer_is_asked_for(playing: Wire) -> None:
    playing.tell(moved(4, 1, "b1-c1"))
    (sync,) = playing.commands()
    assert isinstance(sync, Sync)
    playing.tell(moved(6, 1, "c1-c2"), moved(3, 0, "a1-b1"), moved(4, 1, "b1-c1"), moved(5, 0, "a1-a2"))
    playing.tell(Accepted(ref=sync.ref, match="m1", version=5))
    (again,) = playing.commands()
    assert isinstance(again, Sync)
    assert again.after == 5


def test_a_version_that_nobody_has_is_asked_for_twice_and_no_more(playing: Wire) -> None:
    """N5: a flipped byte can make any number of a version."""
    playing.tell(moved(2**40, 1, "b1-c1"))
    for _ in range(2):
        (sync,) = playing.commands()
        assert isinstance(sync, Sync)
        playing.tell(Accepted(ref=sync.ref, match="m1", version=2))
    assert playing.commands() == []


def test_a_lagging_viewer_may_get_a_snapshot_at_any_time(playing: Wire) -> None:
    fresh = snapshot(version=30)
    playing.tell(fresh, moved(31, 0, "a1-b1"))
    assert playing.session.version == 31
    stale = snapshot(version=5)
    playing.happened()
    playing.tell(stale)
    assert playing.happened() == []


def test_a_server_whose_log_is_shorter_is_believed(playing: Wire) -> None:
    playing.tell(moved(3, 0, "a1-b1"))
    playing.lose()
    playing.connect()
    (sync,) = playing.commands()
    assert isinstance(sync, Sync)
    playing.tell(Accepted(ref=sync.ref, match="m1", version=1))
    (watch,) = playing.commands()
    assert isinstance(watch, Watch)
    playing.happened()
    truth = snapshot(version=1)
    playing.tell(Accepted(ref=watch.ref, match="m1", version=1), truth)
    assert playing.happened() == [truth]


def test_a_refusal_that_names_a_newer_version_asks_for_it(playing: Wire) -> None:
    playing.session.send(move("x"))
    playing.commands()
    playing.tell(Refused(ref="x", code=Code.STALE, text="moved on", match="m1", version=7))
    assert [type(command) for command in playing.commands()] == [Sync]


def test_other_matches_are_not_shown(playing: Wire) -> None:
    playing.tell(
        snapshot(match="m2"),
        structs.replace(moved(3, 0, "a1-b1"), match="m2"),
        Presence(match="m2", here=(True, True), spectators=1),
    )
    assert playing.happened() == []


# Entering and leaving ---------------------------------------------------------------------------------------------


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


# Unreadable frames ------------------------------------------------------------------------------------------------


def damaged() -> Iterator[bytes]:
    """One event with each byte flipped, cut at each place, and with a byte inserted at each place."""
    frame = MSGPACK.encode(moved(3, 0, "a1-b1"))
    for place in range(len(frame)):
        yield frame[:place] + bytes([frame[place] ^ 0xFF]) + frame[place + 1 :]
        yield frame[:place]
        yield frame[:place] + b"\xc1" + frame[place:]


def test_every_damaged_frame_is_survived_and_the_state_asked_for() -> None:
    """N5: one bad frame is dropped, the state asked for, and the match goes on."""
    for frame in damaged():
        wire = Wire()
        wire.connect()
        wire.session.send(Watch(ref="w", match="m1"))
        wire.tell(Accepted(ref="w", match="m1", version=2), snapshot())
        wire.commands()
        wire.session.receive(frame, wire.now)
        asked = [command for command in wire.commands() if isinstance(command, Sync | Watch)]
        if asked:
            missed = moved(3, 0, "a1-b1") if isinstance(asked[0], Sync) else snapshot(version=3)
            wire.tell(missed, Accepted(ref=asked[0].ref, match="m1", version=3))
        wire.tell(moved(4, 1, "b1-c1"))
        for command in wire.commands():
            if isinstance(command, Sync):
                wire.tell(moved(3, 0, "a1-b1"), moved(4, 1, "b1-c1"), Accepted(ref=command.ref, version=4, match="m1"))
            elif isinstance(command, Watch):
                # What was damaged could still be read, and could not be.
                wire.tell(snapshot(version=4), Accepted(ref=command.ref, version=4, match="m1"))
        assert wire.session.version == 4
        assert not wire.session.wants_close


def test_text_frames_and_garbage_are_dropped(playing: Wire) -> None:
    for frame in ("text", b"", b"\xc1", b"\x93\x01\x02\x03", MSGPACK.encode(move("x"))):
        playing.session.receive(frame, playing.now)
    assert playing.happened() == []
    assert [type(command) for command in playing.commands()] == [Sync]


def test_an_unreadable_frame_may_have_been_the_lobby(wire: Wire) -> None:
    wire.session.watch_lobby()
    wire.commands()
    wire.session.receive(b"\xc1", wire.now)
    wire.later(0.5)
    assert any(isinstance(command, WatchLobby) for command in wire.commands())


def test_a_path_that_brings_only_garbage_is_given_up(playing: Wire) -> None:
    for _ in range(MAX_BAD_FRAMES):
        playing.session.receive(b"\xc1", playing.now)
    assert playing.session.wants_close
    playing.lose()
    playing.session.opened(playing.now)
    assert not playing.session.wants_close


# Coming back and the rest -----------------------------------------------------------------------------------------


def test_the_lobby_is_watched_again_after_a_reconnect(wire: Wire) -> None:
    wire.session.watch_lobby()
    wire.session.watch_lobby()
    assert [type(command) for command in wire.commands()] == [WatchLobby]
    wire.lose()
    wire.connect()
    assert [type(command) for command in wire.commands()] == [WatchLobby]
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


# Positions told anew, records, foreign events ---------------------------------------------------------------------


def test_a_snapshot_that_is_owed_is_asked_for(playing: Wire) -> None:
    """N5: the frame with the position after a pause was damaged; without it the board would stay covered."""
    playing.tell(Continued(match="m1", version=3, at_ms=0, seat=0))
    playing.later(0.5)
    assert not [c for c in playing.commands() if isinstance(c, Watch | Sync)]
    playing.later(2.0)
    (watch,) = [c for c in playing.commands() if isinstance(c, Watch | Sync)]
    assert isinstance(watch, Watch)
    playing.tell(snapshot(version=3), Accepted(ref=watch.ref, match="m1", version=3))
    playing.later(3.0)
    assert not [c for c in playing.commands() if isinstance(c, Watch | Sync)]
    assert playing.happened_of(Snapshot) == [snapshot(version=3)]


def test_a_snapshot_that_comes_is_not_asked_for(playing: Wire) -> None:
    playing.tell(Replaced(match="m1", version=3, at_ms=0, seat=0, by="takeback"), snapshot(version=3))
    playing.later(3.0)
    assert not [c for c in playing.commands() if isinstance(c, Watch | Sync)]


def test_an_event_of_a_match_that_is_not_on_screen_makes_the_session_ask(playing: Wire) -> None:
    """N5: its name may have been damaged on the way."""
    playing.tell(structs.replace(moved(3, 0, "a1-b1"), match="mI"))
    (sync,) = playing.commands()
    assert isinstance(sync, Sync)
    assert sync.after == 2


def test_records_and_positions_answer_their_questions(playing: Wire) -> None:
    question = GetRecord(ref="r", match="m1")
    playing.session.send(question)
    record = Record(
        ref="r", match="m1", game="square", options={}, names=("A", "B"), moves=(), hash="", created_ms=0
    )  # fmt: skip
    playing.tell(record, structs.replace(record, ref="other"))
    assert playing.happened_of(Settled) == [Settled(question, record)]
    assert playing.session.pending == ()


def test_the_servers_clock_is_known_from_the_welcome_on() -> None:
    wire = Wire()
    wire.connect(now_ms=1_000_000)
    assert InStep(1_000_000 - wire.now * 1000) in wire.happened()


def test_q9_a_match_that_was_set_back_is_followed_from_its_snapshot(playing: Wire) -> None:
    """Q9: version 18 was shown, 8 is true: the older snapshot is taken, and events after it."""
    match = playing.session.match
    assert match is not None
    playing.tell(snapshot(version=18))
    playing.happened()
    word = SetBack(match=match, version=8, text="Lost.")
    playing.tell(word, snapshot(version=8), moved(9, 0, "a1-b1"))
    assert playing.happened_of(SetBack, Snapshot, MatchEvent) == [word, snapshot(version=8), moved(9, 0, "a1-b1")]
    assert playing.session.version == 9


def test_q9_a_match_that_was_lost_is_followed_no_longer(playing: Wire) -> None:
    """Q9: version 0 says that there is nothing left."""
    match = playing.session.match
    assert match is not None
    playing.happened()
    word = SetBack(match=match, version=0, text="Lost.")
    playing.tell(word, SetBack(match="another", version=3, text="Of no interest."))
    assert playing.happened_of(Left, SetBack) == [Left(match), word]
    assert playing.session.match is None


def test_q9_the_epoch_is_that_of_the_welcome_under_which_the_version_was_heard(playing: Wire) -> None:
    """Q9: back at a server whose store was loaded anew, the question says so; after the answer it is the new one."""
    playing.lose()
    playing.connect(epoch="e1")
    (first,) = [command for command in playing.commands() if isinstance(command, Sync)]
    assert first.epoch == ""
    playing.tell(Accepted(ref=first.ref, match=first.match, version=first.after))
    playing.lose()
    playing.connect(epoch="e2")
    (second,) = [command for command in playing.commands() if isinstance(command, Sync)]
    assert second.epoch == "e1"
