"""Events of a match in order, each once, without a gap; snapshots that close one; a log that was set back."""

from __future__ import annotations

from msgspec import structs

from client.conversation.events import InStep, Left, Settled
from client.conversation.gaps import ANSWER_S as SYNC_S
from protocol.errors import Code
from protocol.messages import (
    Accepted,
    Continued,
    GetRecord,
    MatchEvent,
    Ping,
    Presence,
    Record,
    Refused,
    Replaced,
    SetBack,
    Snapshot,
    Sync,
    Watch,
)
from tests.client.conversation.by_hand import Wire, move
from tests.client.positions import moved, snapshot


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
