"""Following one match: what is taken, and when to ask."""

from __future__ import annotations

from client.following import ANSWER_S, Following
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
