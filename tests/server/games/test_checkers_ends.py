"""Checkers to its end: blocked and bare players, draws, the computer, and agreement with a second opinion."""

from __future__ import annotations

from random import Random

import pytest

from protocol.errors import Code
from server.games.checkers import GAME, Params
from tests.forms import FUZZ
from tests.server.games.checkers_positions import Captures, both_ways, played, position, refusal
from tests.server.games.oracles.checkers import Checkers

GAMES = 10_000 if FUZZ else 200

BLOCKED: list[tuple[str, str, Captures]] = [
    ("B:W29:B2,17,25,26", "17-22", "free"),
    ("B:W29:BK8,K10,K11,19,23,25,K26,28", "26-22", "free"),
    ("B:W5,16:BK1,K3,11,14,K22", "11x20", "free"),
    ("B:W5,21:B1,K2,K3,K10,K17,18,K19,K28", "10-14", "free"),
    ("B:W5,6:BK10,K15", "10x1", "free"),
    ("B:WK4:B7,K8,20,21,K23", "7-11", "forced"),
    ("B:WK18,K29:BK1,5,6,15,K25", "15x22", "forced"),
    ("B:WK21,K30:B6,K11,14,K17,K18,25,K26", "18-23", "forced"),
    ("B:WK9,K21:BK3,K5,K7,K17,K25,27,K30,K31", "5x14", "forced"),
    ("B:WK1,5:BK2,10,18,K19,K22,23,24", "2-6", "forced"),
    ("B:W15,K16,25:B5,12,K13,K20,21,22,27", "20x11x18", "free"),
    ("B:W5,9,K17:BK1,2,K22,K25,K30,K31", "22x13x6", "free"),
    ("W:WK4,7,14,17,K27:B28", "27-32", "forced"),
    ("W:WK8,K12,14,16,24,25,32:B20", "32-27", "forced"),
    ("W:W12,15,16,K23,24,K25,30,32:B19,28", "30-26", "forced"),
    ("W:W10,K12,21,K22,24,K27,K32:B17,28", "21x14", "free"),
    ("W:WK1,6,K11,17,18,19,K21,K31:B13,26", "31x22", "free"),
    ("W:WK5,K18,20,27,28:BK32", "18-23", "free"),
    ("W:WK19,K22,K24,K26,32:BK25,K28", "22x29", "forced"),
    ("W:WK1,K8,9,10,K14,K18:BK5,K11", "8x15", "forced"),
    ("W:W6,8,K9,10,11,12,18:B2,K4", "10-7", "forced"),
    ("W:WK1,8,K9,K14,K15,K27:B4,K5", "15-11", "forced"),
    ("W:WK9,19,21,K24,28,31,32:BK15,27", "19x10", "free"),
    ("W:WK22,K30,K31:BK25,26", "22x29", "free"),
]
"""Found by search among random positions: men, kings and both, one to three of them, shut in by a step or a jump."""


@pytest.mark.parametrize(("fen", "move", "captures"), BLOCKED)
def test_l4_blocked_is_lost(fen: str, move: str, captures: Captures) -> None:
    """`CK R4.2`: the player to move has pieces and no move."""
    before = position(fen, captures)
    after = played(before, move)
    mover = "BW".index(fen[0])
    assert GAME.scores(after)[1 - mover][0] > 0
    over = GAME.outcome(after)
    assert over is not None
    assert (over.winner, over.reason) == (mover, "blocked")
    winner, loser = ("Black", "White") if mover == 0 else ("White", "Black")
    assert str(over.text) == str(GAME.status(after)) == f"{winner} wins: {loser} cannot move"
    assert GAME.to_move(after) is None
    assert GAME.legal_moves(after) == ()
    assert refusal(after, "1-5").code == Code.FINISHED


def test_r4_1_a_player_without_pieces_loses() -> None:
    over = GAME.outcome(played(position("W:W22:B18"), "22x15"))
    assert over is not None
    assert (over.winner, over.reason) == (1, "captured")
    assert str(over.text) == "White wins: Black has no piece left"


def test_ru_ck6_plies_without_progress_are_a_draw() -> None:
    start = position("B:WK32,21:BK1,9", draw_after=4)
    assert GAME.outcome(played(start, "1-5 32-28 5-1")) is None
    after = played(start, "1-5 32-28 5-1 28-32")
    over = GAME.outcome(after)
    assert over is not None
    assert (over.winner, over.reason) == (None, "no_progress")
    assert str(over.text) == "Draw: 4 moves in a row without a capture or a man's move"
    assert GAME.legal_moves(after) == ()


def test_ru_ck6_a_mans_move_and_a_capture_begin_the_count_anew() -> None:
    start = position("B:WK32,21:BK1,9", draw_after=4)
    assert played(start, "1-5 32-28 9-13").quiet == 0
    assert GAME.outcome(played(start, "1-5 32-28 9-13 28-32 5-1 32-28")) is None
    assert played(position("B:WK6,21:BK1"), "1x10").quiet == 0


def test_ru_ck6_can_be_turned_off() -> None:
    state = position("B:WK32:BK1", draw_after=0)
    assert GAME.outcome(played(state, "1-5 32-28 5-1 28-32 " * 60)) is None


def test_ru_ck6_a_loss_comes_before_a_draw() -> None:
    over = GAME.outcome(played(position("W:WK5,K18,20,27,28:BK32", draw_after=1), "18-23"))
    assert over is not None
    assert over.reason == "blocked"


# --- the computer ---


def test_the_computer_wins_at_once() -> None:
    assert GAME.choose is not None
    assert GAME.choose(position("W:W22,23,32:B18"), Random(1)) in ("22x15", "23x14")
    assert GAME.choose(position("B:W29:B2,17,25,26"), Random(1)) == "17-22"


def test_the_computer_takes_the_most_and_gives_nothing_away() -> None:
    assert GAME.choose is not None
    assert GAME.choose(position("W:W22,32:B18,10,1,4,3"), Random(1)) == "22x15x6"
    for seed in range(20):
        # On 14 the man would be taken by 18, and nobody could take back.
        assert GAME.choose(position("B:W18,22,31:B1,9,4"), Random(seed)) != "9-14"


@both_ways
def test_the_computer_beats_random_play(captures: Captures) -> None:
    assert GAME.choose is not None
    rng = Random(4)
    won = 0
    for game in range(6):
        state = GAME.new(Params(captures))
        while (seat := GAME.to_move(state)) is not None:
            own = seat == game % 2
            state = GAME.play(state, GAME.choose(state, rng) if own else rng.choice(list(GAME.legal_moves(state))))
        over = GAME.outcome(state)
        won += over is not None and over.winner == game % 2
    assert won == 6


# --- agreement ---


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(10))
def test_l18_agrees_with_an_independent_oracle_at_every_ply(part: int) -> None:
    """10,000 random games in full, a fiftieth of them otherwise; half of them with forced captures."""
    for number in range(part, GAMES, 10):
        rng = Random(number)
        captures: Captures = "forced" if number // 10 % 2 else "free"
        state = GAME.new(Params(captures))
        oracle = Checkers(captures == "forced", Params().draw_after)
        while (result := oracle.result()) is None:
            legal = GAME.legal_moves(state)
            assert len(legal) == len(oracle.moves)
            assert set(legal) == oracle.moves.keys()
            move = rng.choice(legal)
            state = GAME.play(state, move)
            oracle.play(move)
            assert {id_: (mark.seat, mark.piece) for id_, mark in GAME.marks(state).items()} == oracle.shown()
            assert GAME.to_move(state) in (oracle.turn, None)
        over = GAME.outcome(state)
        assert over is not None
        assert (over.winner, over.reason) == result
