"""HexOust in many games: the computer, own stones that stay, and agreement with a second opinion."""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

from server.games.hexoust import GAME, Params, State
from tests.forms import FUZZ
from tests.server.games.hexoust_positions import played, position, stones
from tests.server.games.oracles.hexoust import HexOust


def test_the_computer_wins_at_once_and_captures_the_most() -> None:
    assert GAME.choose is not None
    assert GAME.choose(position("d4", "d6"), Random(1)) in ("d5", "c4", "c5", "e5", "e6")
    two = position("d4 d5", "d7 e8 c3 m1")
    assert len(stones(two, 1) - stones(GAME.play(two, GAME.choose(two, Random(1))), 1)) == 3


def test_the_computer_passes_when_it_must() -> None:
    assert GAME.choose is not None
    state = position("a1 a2 a3 b1 b4 c1 c5 d1 d4 e1 e2 e3", "c3", turn=1, side=3)
    assert GAME.choose(state, Random(1)) == "pass"


def test_the_computer_gives_no_group_away_for_nothing() -> None:
    """BLUE has a stone on each of two far sides; RED stays where no placement of BLUE captures at once."""
    assert GAME.choose is not None
    for seed in range(20):
        state = played(GAME.new(Params()), "g7 a1")
        after = GAME.play(state, GAME.choose(state, Random(seed)))
        for reply in GAME.legal_moves(after):
            assert stones(GAME.play(after, reply), 0) == stones(after, 0)


@pytest.mark.parametrize("side", [5, 7])
def test_the_computer_beats_random_play(side: int) -> None:
    assert GAME.choose is not None
    rng = Random(4)
    for game in range(4):
        state = GAME.new(Params(side))
        while (seat := GAME.to_move(state)) is not None:
            own = seat == game % 2
            state = GAME.play(state, GAME.choose(state, rng) if own else rng.choice(list(GAME.legal_moves(state))))
        over = GAME.outcome(state)
        assert over is not None
        assert over.winner == game % 2


@pytest.mark.fuzz
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(10))
def test_l16_own_stones_are_never_taken(part: int) -> None:
    """100,000 random games in full, otherwise 300."""
    for seed in range(part, 100_000 if FUZZ else 300, 10):
        rng = Random(seed)
        state = GAME.new(Params())
        while (seat := GAME.to_move(state)) is not None:
            after = GAME.play(state, rng.choice(GAME.legal_moves(state)))
            was, now = state.stones, after.stones
            assert was[seat] & ~now[seat] == 0
            assert now[1 - seat] & ~was[1 - seat] == 0
            assert now[0] & now[1] == 0
            state = after


@pytest.mark.fuzz
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(10))
def test_l18_agrees_with_an_independent_oracle_at_every_ply(part: int) -> None:
    """10,000 random games in full; otherwise a fiftieth, and nine of ten of those on smaller boards."""
    for number in range(part, 10_000 if FUZZ else 200, 10):
        side = 7 if FUZZ else (7, 3, 4, 5, 3, 4, 5, 3, 4, 5)[number // 10 % 10]
        rng = Random(number)
        state, oracle = GAME.new(Params(side)), HexOust(side)
        while oracle.moves:
            legal = GAME.legal_moves(state)
            assert len(legal) == len(oracle.moves)
            assert set(legal) == oracle.moves.keys()
            move = rng.choice(legal)
            state = GAME.play(state, move)
            oracle.play(move)
            assert {id_: mark.seat for id_, mark in GAME.marks(state).items()} == oracle.stones
            assert GAME.to_move(state) == (oracle.turn if oracle.winner is None else None)
        over = GAME.outcome(state)
        assert over is not None
        assert over.winner == oracle.winner


def test_what_a_state_keeps_is_what_it_would_work_out() -> None:
    """Groups handed on from ply to ply equal those searched on a state that was written and read."""
    for seed in range(20):
        rng = Random(seed)
        state = GAME.new(Params(5))
        while GAME.to_move(state) is not None:
            state = GAME.play(state, rng.choice(GAME.legal_moves(state)))
            read = msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(state))), State)
            assert read == state
            assert [set(groups) for groups in read.groups] == [set(groups) for groups in state.groups]
            assert (read.stones, read.open) == (state.stones, state.open)
