"""What the players say of positions: true where they say that it is exact, and in words that fit."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from protocol.text import N_, text
from server.bots import checkers as checkers_player
from server.bots import players
from server.bots.remarks import remark
from server.bots.verdict import FULL, counted
from server.bots.worker import Asked, Clause, Found, answer
from server.games import AnyGame, Catalogue, checkers, load_catalogue
from server.games._draughts import squares_of
from server.games.checkers import Params, State
from server.games.game import Reason
from server.games.levels import HARD, MASTER
from tests.server.bots.test_players import GAMES, after, every
from tests.server.games.test_adding_a_game import example

CATALOGUE = load_catalogue()
DOTS, SQUARE = CATALOGUE["dots-and-boxes"], CATALOGUE["square"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_verdict_has_a_legal_move_within_bounds_and_the_same_again(game: AnyGame) -> None:
    for state in every(game, 4):
        verdict = players.judge(game, state, HARD, 1, 0.02)
        assert verdict.move in game.legal_moves(state)
        assert abs(verdict.lead) <= FULL
        assert verdict == players.judge(game, state, HARD, 1, 0.02)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_master_makes_the_move_of_its_verdict(game: AnyGame) -> None:
    """A hint is the move that the strongest level would make."""
    share = 1.0 if game is SQUARE else 0.02
    for state in every(game, 2):
        if len(game.legal_moves(state)) > 1:
            assert players.judge(game, state, MASTER, 3, share).move == players.choose(game, state, MASTER, 3, share)


def best(game: AnyGame, state: Any) -> int:
    """By how many boxes seat 0 wins, looking at everything."""
    if game.outcome(state) is not None:
        (first,), (second,) = game.scores(state)
        return int(first - second)
    values = [best(game, game.play(state, move)) for move in game.legal_moves(state)]
    return min(values) if game.to_move(state) else max(values)


def test_what_is_exact_is_true() -> None:
    """Small boards against a search through everything."""
    small = after(DOTS, "a1-b1", width=3, height=2)
    for game, state in ((DOTS, small), (SQUARE, after(SQUARE, "a1-b1 b1-c1 a2-b2 b2-c2 a3-b3"))):
        rng = Random(2)
        while game.outcome(state) is None:
            verdict = players.judge(game, state, HARD, 1)
            assert verdict.exact
            boxes = best(game, state)
            of = 2 if game is DOTS else 4
            assert verdict.lead == (-counted(boxes, of) if game.to_move(state) else counted(boxes, of))
            state = game.play(state, rng.choice(game.legal_moves(state)))


def test_a_win_that_is_in_sight_is_exact_and_one_that_is_over() -> None:
    rules = CATALOGUE["checkers"]
    over = after(DOTS, "a1-b1 a1-a2 b1-b2 a2-b2", width=2, height=2)
    assert players.judge(DOTS, over, HARD, 1) == ("", -FULL, True)
    start = rules.new(rules.parse_options({}))
    assert not players.judge(rules, start, HARD, 1, 0.05).exact


@pytest.mark.parametrize(("name", "moves", "played", "is_mistake"), [
    ("dots-and-boxes", "", "f2-g2", False), ("dots-and-boxes", "a1-a2", "c4-d4", False),
    ("dots-and-boxes", "a1-a2 c4-d4", "f2-g2", False),
    ("hexoust", "", "c2", False), ("checkers", "", "11-15", False), ("checkers", "12-16 24-20", "16-19", True),
    ("ultimate-dots-and-boxes", "", "5:d3-d4", False),
])  # fmt: skip
def test_a_move_that_is_as_good_as_the_best_is_no_mistake(name: str, moves: str, played: str, is_mistake: bool) -> None:
    """Lines that are alike at the start, and moves that the master makes; but a piece that is given away is one."""
    game = CATALOGUE[name]
    state = after(game, moves)
    verdict = players.judge(game, state, HARD, 1, 0.5, played)
    assert not verdict.exact, "what is solved needs no second look"
    assert (verdict.move != played) is is_mistake
    line = msgspec.json.encode(
        Asked(name, msgspec.json.encode(state).decode(), HARD, 1, 0.5, judge=True, played=played)
    )
    assert msgspec.json.decode(answer(CATALOGUE, line), type=Found).move == verdict.move


def test_it_says_why_in_boxes_and_chains() -> None:
    """The two positions that the issue of strong play names."""
    one = after(DOTS, "a1-b1 a1-a2 b1-b2", width=3, height=3)
    assert str(remark(DOTS, one, "a2-b2")) == "closes a box"
    start = after(DOTS, "", width=3, height=3)
    assert str(remark(DOTS, start, "a1-b1")) == "gives nothing away"
    tight = after(DOTS, "a2-a3 b3-c3 a1-a2 a1-b1 a3-b3 c1-c2", width=3, height=3)
    assert players.judge(DOTS, tight, HARD, 1) == ("b2-c2", FULL, True)
    assert str(remark(DOTS, tight, "a2-b2")) == "opens a chain of 2"
    chain = after(DOTS, "a1-b1 b1-c1 a2-b2 b2-c2 a1-a2", width=3, height=2)
    assert str(remark(DOTS, chain, "b1-b2")) == "closes a chain of 2"


def test_it_says_why_by_the_scores_and_what_is_lost() -> None:
    rules = CATALOGUE["checkers"]
    jump = after(rules, "11-15 22-18")
    assert str(remark(rules, jump, "15x22")) == "takes 1 piece"
    assert remark(rules, jump, "12-16") is None, "what is taken is taken back"
    losing = after(SQUARE, "a1-b1 a1-a2")
    assert str(remark(SQUARE, losing, "b1-b2")) == "loses 1 box after a2-b2"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_move_can_be_remarked_on_and_the_words_survive_the_pipe(game: AnyGame) -> None:
    for state in every(game, 3):
        for move in game.legal_moves(state)[:6]:
            said = remark(game, state, move)
            clause = Clause.of(said)
            words = said.render() if said is not None else ""
            assert (clause.text().render() if clause is not None else "") == words
            assert not re.search(r"\b1 (stones|boxes|pieces)\b", words), words


def test_an_authors_game_has_both_and_may_say_it_better(tmp_path: Path) -> None:
    """A game of one file, from a folder: no player, no value, no words of its own."""
    source = example().replace("    choose=choose,\n", "")
    (tmp_path / "tic_tac_toe.py").write_text(source, encoding="utf-8")
    game = load_catalogue(tmp_path)["tic-tac-toe"]
    state = game.new(game.parse_options({}))
    assert players.judge(game, state, HARD, 1, 0.1).move in game.legal_moves(state)
    won = after(game, "a1 b1 a2 b2")
    assert (players.judge(game, won, HARD, 1, 0.5).move, str(remark(game, won, "a3"))) == ("a3", "wins the game")
    assert remark(game, won, "c1") is None

    def broken(*_: Any) -> Any:
        raise ValueError("nobody knows")

    failing = Catalogue([replace(game, evaluate=broken, remark=broken)])
    line = msgspec.json.encode(Asked(game.name, msgspec.json.encode(won).decode(), HARD, 1, 0.5, judge=True))
    found = msgspec.json.decode(answer(failing, line), type=Found)
    assert (found.move, found.instead, found.remark and str(found.remark.text())) == (
        "a3", "ValueError: nobody knows", "wins the game",
    )  # fmt: skip
    wordy = replace(game, remark=lambda _state, move: text(N_("goes to {place}"), place=move))
    assert str(remark(wordy, won, "c1")) == "goes to c1"


FORCED, FREE = (CATALOGUE["checkers"].parse_options({"captures": captures}) for captures in ("forced", "free"))


def is_dead(state: State) -> bool:
    """Whether nothing can be captured any more before the draw, whatever both do, nor anybody be blocked."""
    if state.ended is not None:
        return state.ended is Reason.NO_PROGRESS
    moves = checkers.legal_moves(state)
    return not any("x" in move for move in moves) and all(is_dead(checkers.play(state, move)) for move in moves)


@pytest.mark.parametrize("params", [FORCED, FREE], ids=["forced", "free"])
def test_a_verdict_claims_no_more_than_the_rule_of_draws_leaves(params: Params) -> None:
    """Positions of kings by lot, a few moves before the draw: where nothing more can be captured they are drawn."""
    rng, drawn = Random(5), 0
    squares = [bit for _, bit in checkers_player._NUMBERED]
    while drawn < 60:
        black, white = rng.choice(((3, 1), (2, 1), (1, 2), (1, 3)))
        taken = rng.sample(squares, black + white)
        own, other = sum(taken[:black]), sum(taken[black:])
        left = rng.randint(1, 4)
        state = State(params, own, other, own | other, rng.randrange(2), params.draw_after - left)
        if checkers.legal_moves(state) and is_dead(state):
            drawn += 1
            assert players.judge(CATALOGUE["checkers"], state, HARD, 1).lead == 0, state


def test_a_lead_of_kings_alone_fades_before_the_draw_and_what_men_can_do_does_not() -> None:
    """Three kings win against one, if there is time; a man that can move puts the draw off."""
    leads = []
    kings = squares_of((18, 22, 23))
    for quiet in (0, 50, 60, 70, 79):
        state = State(FORCED, kings, squares_of((32,)), kings | squares_of((32,)), 0, quiet)
        verdict = players.judge(CATALOGUE["checkers"], state, HARD, 1, 0.2)
        assert not verdict.exact
        leads.append(verdict.lead)
    assert leads == sorted(leads, reverse=True)
    assert leads[0] > 500 > 300 > leads[3]
    assert leads[-1] == 0
    with_a_man = State(FORCED, kings | squares_of((1,)), squares_of((32,)), kings | squares_of((32,)), 0, 70)
    assert players.judge(CATALOGUE["checkers"], with_a_man, HARD, 1, 0.2).lead > 500
