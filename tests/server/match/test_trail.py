"""Any position of a match is near one that is kept: work that would grow with the match does not (Q12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from protocol.errors import Code, Refusal
from server.match.asked import Asked
from server.match.commands import MatchCommand, Notice, Offer, Play
from server.match.events import AnyEvent, Created, MovePlayed, PositionReplaced, decode_event, encode_event
from server.match.fold import STRIDE, Work, after_moves, apply, applying, finished, replay_moves
from server.match.machine import create, decide, deciding, replay
from server.match.state import Match
from server.match.views import position
from tests.server.match.table import CATALOGUE, HOST, START_MS, do, new

LARGE = {"width": 8, "height": 8}


def counted(match: Match) -> tuple[Match, list[str]]:
    """The match with a game that notes every move it is asked to play."""
    played: list[str] = []

    def play(state: Any, move: str) -> Any:
        played.append(move)
        return match.game.play(state, move)

    return structs.replace(match, game=replace(match.game, play=play)), played


def grown(plies: int) -> Match:
    """One person plays for both seats."""
    match = new(both_seats=True, options=LARGE)
    for _ in range(plies):
        match = do(match, Play(match.version, match.legal[0]), HOST)
    return match


@pytest.mark.parametrize("plies", [0, 1, STRIDE - 1, STRIDE, STRIDE + 1, 3 * STRIDE, 100])
def test_looking_back_plays_a_few_moves_wherever_it_looks(plies: int) -> None:
    """Q12: however long the match is."""
    match, played = counted(grown(plies))
    for ply in range(plies + 1):
        played.clear()
        shown = position(match, ply, str, "r")
        assert len(played) <= STRIDE
        state, _, last, _ = replay_moves(grown(0).game, match.params, match.moves[:ply])
        assert (dict(shown.marks), shown.scores) == (dict(match.game.marks(state)), match.game.scores(state))
        assert (shown.last and shown.last.move) == (last and last.move)


def test_a_takeback_of_a_long_match_plays_a_few_moves() -> None:
    """Q12: judged and applied."""
    match, played = counted(grown(100))
    back = do(match, Offer("takeback", (), next_match="n"), HOST)
    assert back.plies == 99
    assert len(played) <= 2 * STRIDE


def stepped(work: Work[Any], played: list[str]) -> tuple[Any, int, int]:
    """What `work` returns, how many moves it played in all, and how many in one of its steps at most."""
    total = most = 0
    while True:
        played.clear()
        try:
            next(work)
        except StopIteration as end:
            return end.value, total + len(played), max(most, len(played))
        total, most = total + len(played), max(most, len(played))


def test_another_game_is_brought_in_a_move_at_a_time() -> None:
    """Q12: a saved game that shares nothing with the match is judged, applied, read from the log and taken over from
    another hub in steps of one move; it is played twice when it is asked for, and once wherever it is read."""
    match, played = counted(grown(40))
    other = tuple(reversed(match.moves))
    by = Asked(HOST, "back", START_MS)
    (step,), total, most = stepped(deciding(match, Offer("revert", other, next_match="n"), by), played)
    assert step.after.moves == other
    assert (total, most) == (2 * len(other), 1)
    _, total, most = stepped(applying(match, step.event), played)
    assert (total, most) == (len(other), 1)


def test_what_does_not_replay_is_found_out_a_move_at_a_time() -> None:
    """Q12: whoever offers a game whose last move is wrong has it refused, and nobody waits for that."""
    match, played = counted(grown(40))
    wrong = (*reversed(match.moves), "a1-h8")
    by = Asked(HOST, "back", START_MS)
    with pytest.raises(Refusal) as refused:
        stepped(deciding(match, Offer("revert", wrong), by), played)
    assert refused.value.code == Code.DOES_NOT_REPLAY
    assert len(played) <= 1


def test_who_may_not_go_back_has_nothing_played() -> None:
    """Q12: the seat is looked at first."""
    match, played = counted(grown(40))
    with pytest.raises(Refusal) as refused:
        finished(deciding(match, Offer("revert", tuple(reversed(match.moves))), Asked("eve", "back", START_MS)))
    assert refused.value.code == Code.NOT_SEATED
    assert played == []


@given(st.lists(st.one_of(st.none(), st.integers(0, 90)), max_size=60))
def test_what_is_kept_is_what_a_replay_leads_to(steps: list[int | None]) -> None:
    """Q12: moves (None) and goings back to a ply, in any order: states, seats and the last move are as if replayed."""
    match = grown(20)
    for step in steps:
        if step is None:
            match = do(match, Play(match.version, match.legal[0]), HOST)
        else:
            gone_back = PositionReplaced(at_ms=1, seat=0, by="revert", moves=match.moves[:step])
            match = apply(match, gone_back)
        whole = replay_moves(match.game, match.params, match.moves)
        assert (match.state, match.movers, match.trail) == (whole.state, whole.movers, whole.trail)
        assert after_moves(match, match.moves) == whole


def test_moves_of_another_game_are_replayed_whole() -> None:
    match = grown(40)
    others = tuple(reversed(match.moves))
    assert after_moves(match, others) == replay_moves(match.game, match.params, others)


@given(st.lists(st.tuples(st.sampled_from(["move", "takeback", "restart", "revert"]), st.integers(0, 40)), max_size=40))
def test_going_back_is_stored_as_a_ply_and_what_is_new(asks: list[tuple[str, int]]) -> None:
    """Q12: takeback and restart store no moves, a return to a saved game those that the match had not made."""
    match = grown(20)
    log: list[AnyEvent] = [event_of(grown(0))]
    for move in match.moves:
        log.append(MovePlayed(at_ms=START_MS, seat=0, move=move, player=HOST))
    saved = ("a8-b8", *match.moves[:12])
    for what, ply in asks:
        command: MatchCommand
        if what == "move":
            command = Play(match.version, match.legal[0]) if match.legal else Notice()
        elif what == "revert":
            command = Offer("revert", saved[:ply] if ply % 2 else match.moves[:ply])
        else:
            command = Offer("takeback" if what == "takeback" and match.plies else "restart")
        before = match
        for step in decide(match, command, Asked(HOST, "r", START_MS)):
            match = step.after
            log.append(step.event)
            if isinstance(step.event, PositionReplaced):
                assert step.event.keep is not None
                whole = (*before.moves[: step.event.keep], *step.event.moves)
                assert match.moves == whole
                assert len(step.event.moves) <= len(saved)
                assert what != "takeback" or step.event.moves == ()
                assert len(encode_event(step.event)) < 120 + 8 * len(step.event.moves)
        if match.ending is not None:
            break
    assert replay("m", log, CATALOGUE).moves == match.moves


def test_what_older_logs_hold_still_leads_to_the_same_position() -> None:
    """Q12: there `moves` are all of them."""
    match = grown(20)
    data = encode_event(PositionReplaced(at_ms=1, seat=0, by="revert", moves=match.moves[:7]))
    assert b"keep" not in data
    assert apply(match, decode_event(data)).moves == match.moves[:7]


def event_of(match: Match) -> Created:
    """The creation of a match by `grown`."""
    return create(match.game, LARGE, "Ana", Asked(HOST, "create", START_MS), both_seats=True)
