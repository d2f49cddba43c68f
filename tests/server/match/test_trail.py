"""Any position of a match is near one that is kept: work that would grow with the match does not (Q12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from server.match.commands import Offer, Play
from server.match.events import PositionReplaced
from server.match.fold import STRIDE, after_moves, apply, replay_moves
from server.match.state import Match
from server.match.views import position
from tests.server.match.table import HOST, do, new

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
