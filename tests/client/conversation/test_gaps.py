"""Following one match: what is taken, and when to ask."""

from __future__ import annotations

from client.conversation.gaps import ANSWER_S, Following
from protocol.messages import Accepted, Sync, Watch
from tests.client.positions import moved, snapshot


def test_asks_for_a_position_that_does_not_come() -> None:
    following = Following("m1", now=0.0)
    assert following.question(lambda: "q", 0.0) is None
    assert following.question(lambda: "q", ANSWER_S) == Watch(ref="q", match="m1")


def test_events_before_the_first_position_are_not_taken() -> None:
    following = Following("m1", now=0.0)
    assert not following.takes_event(moved(1, 0, "a1-b1"), 0.0)
    assert following.version is None


def test_asks_from_where_it_is_after_a_lost_connection() -> None:
    following = Following("m1", now=0.0)
    assert following.takes_snapshot(snapshot(version=7))
    assert following.question(lambda: "q", 100.0) is None
    following.lost_connection()
    assert following.question(lambda: "q", 100.0) == Sync(ref="q", match="m1", after=7)
    assert following.is_question("q")
    assert following.question(lambda: "r", 100.0) is None
    following.answered(Accepted(ref="q", match="m1", version=7))
    assert not following.is_question("q")
    assert following.question(lambda: "r", 500.0) is None


def test_asks_at_once_when_a_version_was_damaged_into_an_old_one() -> None:
    """N5: the third event says that it is the first; waiting for the fourth would leave a player without it."""
    following = Following("m1", now=0.0)
    assert following.takes_snapshot(snapshot(version=0))
    assert following.takes_event(moved(1, 0, "a1-b1"), 1.0)
    assert following.takes_event(moved(2, 1, "b1-c1"), 1.0)
    assert not following.takes_event(moved(1, 0, "c1-c2"), 1.0)
    assert following.question(lambda: "q", 1.0) == Sync(ref="q", match="m1", after=2)
    following.answered(Accepted(ref="q", match="m1", version=3))
    assert following.question(lambda: "r", 1.0) is None


def test_does_not_ask_about_what_only_comes_twice() -> None:
    following = Following("m1", now=0.0)
    assert following.takes_snapshot(snapshot(version=0))
    assert following.takes_event(moved(1, 0, "a1-b1"), 1.0)
    assert following.takes_event(moved(2, 1, "b1-c1"), 1.0)
    assert not following.takes_event(moved(1, 0, "a1-b1"), 1.0)
    assert following.question(lambda: "q", 1.0) is None


def test_q9_what_was_set_back_is_shown_by_a_snapshot_with_an_old_version() -> None:
    """Q9: also when word of it was lost on the way: then it is asked for."""
    following = Following("m1", now=0.0)
    assert following.takes_snapshot(snapshot(version=18))
    assert not following.takes_snapshot(snapshot(version=8))
    following.set_back(1.0)
    assert following.version is None
    assert not following.takes_event(moved(19, 0, "a1-b1"), 1.0)
    assert following.question(lambda: "q", 1.0) is None
    assert following.question(lambda: "q", 1.0 + ANSWER_S) == Watch(ref="q", match="m1")
    assert following.takes_snapshot(snapshot(version=8))
    assert following.takes_event(moved(9, 0, "a1-b1"), 2.0)
    assert following.version == 9


def test_q9_asks_with_the_epoch_in_which_its_version_was_heard() -> None:
    """Q9: a version that was heard before the server's store was loaded anew may be of another event by now."""
    following = Following("m1", now=0.0)
    assert following.takes_snapshot(snapshot(version=7))
    following.epoch = "e1"
    following.lost_connection()
    assert following.question(lambda: "q", 100.0) == Sync(ref="q", match="m1", after=7, epoch="e1")
