"""What viewers are shown: snapshots, notifications, and that the two agree."""

from __future__ import annotations

import random

import pytest

from protocol.board import Mark
from protocol.codec import MSGPACK
from protocol.legal import legal_after
from protocol.limits import CATCH_UP_EVENTS, MAX_NOTIFICATION_BYTES
from protocol.messages import Ended, Joined, Moved, SeatFreed, Snapshot
from server.games import load_catalogue
from server.match.commands import Abandon, Cancel, Expire, Join, Leave, MatchCommand, Play, Stop
from server.match.machine import Asked, Step, create, decide, open_match
from server.match.state import Match, Status
from server.match.telling import notification
from server.match.views import record, snapshot, summary

CATALOGUE = load_catalogue()


def waiting(game: str = "dots-and-boxes", *, private: bool = False) -> Match:
    event = create(
        CATALOGUE[game], {}, "Ana", Asked("host", "create", 5), private=private, both_seats=False, seed=1
    )  # fmt: skip
    return open_match("m", event, CATALOGUE)


def step(match: Match, command: MatchCommand, player: str) -> Step:
    return decide(match, command, Asked(player, "r", 9))[-1]


def playing(game: str = "dots-and-boxes") -> Match:
    return step(waiting(game), Join("Bob"), "guest").after


@pytest.mark.parametrize("game", CATALOGUE)
def test_events_added_to_a_snapshot_give_the_next_snapshot(game: str) -> None:
    """F6: who joined in the middle and who was there from the start end with the same."""
    rng = random.Random(3)
    match = playing(game)
    shown = snapshot(match, "watcher", str, 9)
    marks, legal, resting = dict(shown.marks), set(shown.legal), set(shown.resting)
    scores, focus = shown.scores, shown.focus
    for _ in range(150):
        if match.status is Status.ENDED:
            break
        seat = match.seats[match.to_move or 0]
        assert seat is not None
        asked = Asked(seat.player, "r", 9)
        for happened in decide(match, Play(match.version, rng.choice(match.legal)), asked):
            told = notification(happened, str)
            match = happened.after
            if isinstance(told, Moved):
                marks = _with(marks, told.marks)
                moves_before, legal = legal, set(legal_after(told.legal, legal, resting, told.move))
                resting = resting if told.to_move == told.seat else moves_before
                scores, focus = told.scores or scores, focus if told.focus is None else told.focus
                assert told.to_move == match.turn
            now = snapshot(match, "watcher", str, 9)
            assert (told.version, now.version) == (match.version, match.version)
            assert (marks, scores) == (now.marks, now.scores)
            if match.status is Status.PLAYING:
                assert (legal, resting, focus) == (set(now.legal), set(now.resting), now.focus)


def _with(marks: dict[str, Mark], changes: dict[str, Mark | None]) -> dict[str, Mark]:
    merged = {**marks, **changes}
    return {key: mark for key, mark in merged.items() if mark is not None}


def test_a_snapshot_says_which_seats_are_ones_own() -> None:
    match = playing()
    assert snapshot(match, "host", str, 9).you == (0,)
    assert snapshot(match, "guest", str, 9).you == (1,)
    assert snapshot(match, "watcher", str, 9).you == ()


def test_before_the_start_the_status_prompts_it() -> None:
    """DB 7.1.1.3: scores are zero, nothing is drawn, and the first moves can be seen already."""
    shown = snapshot(waiting(), "host", str, 9)
    assert (shown.status, shown.to_move, shown.marks, shown.scores) == ("waiting", 0, {}, ((0,), (0,)))
    assert shown.text == CATALOGUE["dots-and-boxes"].prompt
    assert len(shown.legal) == 112


def test_joining_and_leaving_are_told_with_the_status() -> None:
    """UD RF5."""
    joined = step(waiting(), Join("Bob"), "guest")
    told = notification(joined, str)
    assert isinstance(told, Joined)
    assert (told.seat, told.name, told.status, told.text) == (1, "Bob", "playing", "Player 1's turn")
    freed = notification(step(joined.after, Leave(), "guest"), str)
    assert isinstance(freed, SeatFreed)
    assert freed.version == 3


def test_every_end_has_a_sentence_with_the_names() -> None:
    """CK R4.4, UD RF7: who gave up and who has won."""
    started = playing()
    moved = step(started, Play(2, "a1-b1"), "host").after
    ends = {
        "Bob surrendered. Ana wins.": step(moved, Abandon(), "guest"),
        "The match ended before the first move.": step(started, Abandon(), "host"),
        "Ana cancelled the match.": step(waiting(), Cancel(), "host"),
        "The host did not come back. The match is cancelled.": step(waiting(), Expire(), ""),
        "The operator of the server ended the match.": step(moved, Stop(), ""),
    }
    for sentence, last in ends.items():
        told = notification(last, str)
        assert isinstance(told, Ended)
        assert told.result.text == sentence
        assert snapshot(last.after, "watcher", str, 9).result == told.result


@pytest.mark.parametrize("game", CATALOGUE)
def test_the_largest_answer_to_a_gap_is_bounded(game: str) -> None:
    """C7: a snapshot of the largest board fits, with room for twenty events beside it."""
    chosen = CATALOGUE[game]
    largest = {o.name: o.high for o in chosen.options if isinstance(o.default, int) and not isinstance(o.default, bool)}
    event = create(chosen, largest, "A" * 20, Asked("host", "c", 5), private=False, both_seats=True, seed=1)
    shown: Snapshot = snapshot(open_match("m", event, CATALOGUE), "host", str, 9)
    assert len(MSGPACK.encode(shown)) < MAX_NOTIFICATION_BYTES - CATCH_UP_EVENTS * 1024


def test_a_record_says_who_made_each_move_and_what_it_brought() -> None:
    """RU-M8: whoever comes later shows a move list with its players; a box gives its player one more move."""
    match = playing()
    moves = ("a1-b1", "a1-a2", "b1-b2", "a2-b2", "c1-c2")
    for move in moves:
        match = step(match, Play(match.version, move), "guest" if match.turn else "host").after
    told = record(match, str, "r")
    assert told.moves == moves
    assert told.movers == (0, 1, 0, 1, 1)
    assert told.scores == (*[((0,), (0,))] * 4, *[((0,), (1,))] * 2)
    later = record(match, str, "r", after=3)
    assert (later.movers, later.scores) == (told.movers[3:], told.scores[3:])


def test_the_lobby_row_names_host_and_guest() -> None:
    """CK 5.3."""
    assert summary(waiting()).names == ("Ana", None)
    assert summary(playing()).names == ("Ana", "Bob")
