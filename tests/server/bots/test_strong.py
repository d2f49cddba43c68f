"""The strong players: right where the truth is known, and better than the medium level. In full: `make strength`."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.bots import boxes, checkers, dots_and_boxes, dots_openings, hexoust, players, square
from server.games import AnyGame, load_catalogue
from server.games._draughts import squares_of
from server.games._hexes import layout
from server.games.checkers import Params as CheckersParams
from server.games.checkers import State as CheckersState
from server.games.hexoust import State as HexOustState
from tests.bench.strength.__main__ import main as strength
from tests.bench.strength.contest import Level, contest, wilson
from tests.bench.strength.theory import of_square
from tests.server.games.plays import random_game

CATALOGUE = load_catalogue()
DOTS, CHECKERS, SQUARE = CATALOGUE["dots-and-boxes"], CATALOGUE["checkers"], CATALOGUE["square"]
HEXOUST = CATALOGUE["hexoust"]
LITTLE = 0.1
"""Of a level's budget: enough for what is asked here."""


def after(game: AnyGame, moves: str, **options: Any) -> Any:
    state = game.new(game.parse_options(options))
    for move in moves.split():
        state = game.play(state, move)
    return state


# Dots and Boxes -------------------------------------------------------------------------------------------------------


def truth(board: boxes.Grid, free: int, known: dict[int, int]) -> int:
    """What the player to move gets more than the other, by looking at every move of every position."""
    if free not in known:
        values = []
        for line in boxes.each(free):
            won, rest = boxes.closed(board, free, line), truth(board, free ^ line, known)
            values.append(won + rest if won else -rest)
        known[free] = max(values, default=0)
    return known[free]


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (3, 3)])
def test_the_solver_knows_the_value_of_every_position(size: tuple[int, int]) -> None:
    """All 16, 128 and 4,096, by whole values and by asking only whether they are above a bound."""
    board = boxes.grid(*size)
    known: dict[int, int] = {}
    truth(board, (1 << len(board.lines)) - 1, known)
    exact = boxes.Solver(board, 1_000_000)
    bounds = {low: boxes.Solver(board, 1_000_000) for low in (-2, -1, 0, 1)}
    for free, value in known.items():
        assert exact.value(free, -boxes.MOST, boxes.MOST) == value
        for low, solver in bounds.items():
            assert (solver.value(free, low, low + 1) > low) == (value > low)


def test_the_table_of_openings_says_what_follows_from_its_last_positions() -> None:
    """Each of its values is that of the best line, in all positions; of the fullest some are solved anew."""
    board = boxes.grid(dots_openings.SIDE, dots_openings.SIDE)
    everything, table = (1 << len(board.lines)) - 1, dots_openings._table()
    fullest = []
    for drawn, worth in table.items():
        free = everything ^ drawn
        if drawn.bit_count() == dots_openings.DRAWN:
            fullest.append((free, worth))
            continue
        found = []
        for line in boxes.each(free):
            won, rest = boxes.closed(board, free, line), dots_openings.value(board, free ^ line)
            assert rest is not None
            found.append(won + rest if won else -rest)
        assert worth == max(found)
    for free, worth in Random(1).sample(fullest, 3):
        assert boxes.Solver(board, 1_000_000).value(free, worth - 1, worth + 1) == worth


@pytest.mark.parametrize("size", [(4, 4), (4, 3), (2, 4)])
def test_the_master_keeps_what_a_position_is_worth(size: tuple[int, int]) -> None:
    """On every board up to 3 x 3 boxes, whatever was drawn before: its line is worth as much as the best one."""
    board = boxes.grid(*size)
    options = dict(zip(("width", "height"), size, strict=True))
    for seed in range(6):
        state, rng = after(DOTS, "", **options), Random(seed)
        for _ in range(seed * 2):
            if DOTS.to_move(state) is not None:
                state = DOTS.play(state, rng.choice(DOTS.legal_moves(state)))
        if DOTS.to_move(state) is None:
            continue
        free = boxes.free_of(state.lines)
        verdict = players.judge(DOTS, state, "master", seed)
        assert verdict.exact
        solver = boxes.Solver(board, 10_000_000)
        line = 1 << board.lines.index(verdict.move)
        known = dots_openings.value(board, free)
        worth = solver.value(free, -boxes.MOST, boxes.MOST) if known is None else known
        assert solver.after(free, line, worth - 1, worth + 1) == worth


@pytest.mark.parametrize(("size", "moves", "only"), [
    ((3, 2), "", "b1-b2"),
    ((3, 3), "a2-a3 b3-c3 a1-a2 a1-b1 a3-b3 c1-c2", "b2-c2"),
])  # fmt: skip
@pytest.mark.parametrize("name", ["hard", "master"])
def test_the_only_move_that_holds_is_found(name: str, size: tuple[int, int], moves: str, only: str) -> None:
    """DB 8.3: chain parity, and declining what could be taken."""
    state = after(DOTS, moves, width=size[0], height=size[1])
    assert {players.choose(DOTS, state, name, seed, LITTLE) for seed in range(4)} == {only}


def test_of_a_long_chain_the_last_two_boxes_are_declined() -> None:
    """On 5 x 3 dots two chains of four lie one above the other and the upper one is open: who takes all of it has to
    open the other, who leaves two boxes does not."""
    board = boxes.grid(5, 3)
    walls = "a2-b2 b2-c2 c2-d2 d2-e2 a1-b1 b1-c1 c1-d1 d1-e1 a3-b3 b3-c3 c3-d3 d3-e3 a1-a2"
    free = ((1 << len(board.lines)) - 1) ^ sum(1 << board.lines.index(line) for line in walls.split())
    taken = 0
    while len(found := boxes.takes(board, free)) == 2:
        take, decline = (boxes.Solver(board, 10_000).after(free, line, -boxes.MOST, boxes.MOST) for line in found)
        if decline > take:
            break
        free ^= found[0]
        taken += 1
    assert taken == 2


def test_what_chains_are_worth_is_what_the_solver_finds() -> None:
    """Where no line is safe and no three chains meet, which comes of every few boards filled by lot."""
    board, compared = boxes.grid(4, 5), 0
    for seed in range(120):
        rng, free = Random(seed), (1 << len(board.lines)) - 1
        lines = list(boxes.each(free))
        rng.shuffle(lines)
        for line in lines:
            if all((free & sides).bit_count() > 2 for sides in board.beside[line]):
                free ^= line
        counts = [(free & sides).bit_count() for sides in board.sides]
        if max(counts) > 2:
            continue
        lots = dots_and_boxes.Lots(board, rng, 0)
        value = boxes.Solver(board, 1_000_000).value(free, -boxes.MOST, boxes.MOST)
        assert lots.chained(free, [*counts, dots_and_boxes.EDGE]) == value
        compared += 1
    assert compared >= 10


# Checkers -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("captures", ["free", "forced"])
def test_its_moves_are_those_of_the_rules(captures: str) -> None:
    """Every position of ten games by lot: the same positions after it, each as often."""
    for seed in range(10):
        params = CHECKERS.parse_options({"captures": captures})
        for step in random_game(CHECKERS, params, Random(seed)):
            at = checkers.seen(step.before)
            found = checkers.captures(at, captures == "forced")
            if not found or captures == "free":
                found = found + checkers.steps(at)
            played = [checkers.seen(CHECKERS.play(step.before, move)) for move in CHECKERS.legal_moves(step.before)]
            assert sorted(found) == sorted(played)


@pytest.mark.parametrize("captures", ["free", "forced"])
@pytest.mark.parametrize("kings", [3, 2])
def test_kings_press_a_win_against_one(kings: int, captures: Any) -> None:
    """From each of the four squares where one holds out longest, in at most 60 moves of both."""
    for alone, others in {32: (1, 2, 3), 28: (1, 2, 3), 1: (32, 31, 30), 5: (32, 31, 30)}.items():
        own, other = squares_of(others[:kings]), squares_of((alone,))
        state = CheckersState(CheckersParams(captures=captures), own, other, own | other)
        plies = 0
        while (seat := CHECKERS.to_move(state)) is not None:
            name, share = ("hard", 0.2) if seat == 0 else ("medium", 1.0)
            state = CHECKERS.play(state, players.choose(CHECKERS, state, name, plies, share))
            plies += 1
        outcome = CHECKERS.outcome(state)
        assert outcome is not None
        assert outcome.winner == 0
        assert plies <= 60


# HexOust --------------------------------------------------------------------------------------------------------------


def test_placements_that_are_alike_are_taken_from_all_over_the_board() -> None:
    """The first ones by their names lie side by side, and what they leave out nobody ever looks at."""
    moves = HEXOUST.legal_moves(quiet := after(HEXOUST, "", side=5))
    taken = hexoust.likely(quiet, moves, False)
    assert len(taken) == len(set(taken)) == hexoust.QUIET
    assert set(taken) <= set(moves)
    assert len({cell[0] for cell in taken}) >= 7, "of nine rows"
    assert {cell[0] for cell in hexoust.first_likely(quiet, moves, False)} == {"a", "b"}


def test_one_large_group_is_worth_more_than_as_many_stones_in_small_ones() -> None:
    params = HEXOUST.parse_options({"side": 5})

    def worth(red: str, blue: str) -> int:
        stones = [sum(layout(5).bits[cell] for cell in cells.split()) for cells in (red, blue)]
        return hexoust.evaluate(HexOustState(params, f"{stones[0]:x}", f"{stones[1]:x}", turn=1))

    large, small = "e3 e4 e5 e6", "a1 a2 a4 a5"
    assert worth(large, small) > worth(small, small) + 2 * hexoust.BULK


def test_the_master_of_hexoust_knows_more_than_the_hard_level() -> None:
    """With as many moves played as the hard level plays, and few of both."""
    alike = 600
    master, hard = Level("master", alike / hexoust.PLAYS), Level("hard", alike / hexoust.FEW_PLAYS)
    assert contest(HEXOUST, {"side": 5}, master, hard, range(20)).won >= 14


# Square ---------------------------------------------------------------------------------------------------------------


def test_the_table_of_square_is_right() -> None:
    """SQ4: against a search through the rules themselves, in every position that there is."""
    known: dict[str, int] = {}

    def value(state: Any) -> int:
        if state.lines not in known:
            best = 0
            for number, move in enumerate(SQUARE.legal_moves(state)):
                ahead = SQUARE.play(state, move)
                won = ahead.boxes.count(str(state.turn)) - state.boxes.count(str(state.turn))
                found = won - value(ahead)
                best = found if not number else max(best, found)
            known[state.lines] = best
        return known[state.lines]

    value(after(SQUARE, ""))
    assert len(known) == 4_096
    for lines, worth in known.items():
        assert square.worth(boxes.free_of(lines), square.LINES) == worth


def test_theoretical_points_are_those_of_perfect_play() -> None:
    """By wins, draws and losses through the rules, from the middle of games by lot; O has one from the start."""

    def gets(state: Any, seat: int) -> float:
        if (over := SQUARE.outcome(state)) is not None:
            return 0.5 if over.winner is None else float(over.winner == seat)
        found = [gets(SQUARE.play(state, move), seat) for move in SQUARE.legal_moves(state)]
        return max(found) if state.turn == seat else min(found)

    start = after(SQUARE, "")
    assert (of_square(start, 0), of_square(start, 1)) == (0.0, 1.0)
    seen = set()
    for seed in range(40):
        for step in list(random_game(SQUARE, SQUARE.parse_options({}), Random(seed)))[-6:]:
            for seat in (0, 1):
                assert of_square(step.before, seat) == gets(step.before, seat)
                seen.add(of_square(step.before, seat))
    assert seen == {0.0, 0.5, 1.0}
    perfect = contest(SQUARE, {}, Level("master"), Level("easy"), range(20))
    assert perfect.points == perfect.theoretical, "all that there was to get"
    assert perfect.points > 10, "O's, and what was given away to X"
    child = contest(SQUARE, {}, Level("beginner"), Level("easy"), range(20))
    assert child.theoretical is not None
    assert child.points < child.theoretical


# All ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options", "share"), [
    ("dots-and-boxes", {"width": 5, "height": 5}, 0.2), ("checkers", {"captures": "free"}, 0.3),
    ("hexoust", {"side": 4}, 0.1), ("ultimate-dots-and-boxes", {}, 0.03),
])  # fmt: skip
def test_the_hard_level_beats_the_medium_one(name: str, options: dict[str, Any], share: float) -> None:
    """A game from either seat, with a fraction of the budget."""
    found = contest(CATALOGUE[name], options, Level("hard", share), Level("medium"), range(2))
    assert found.won == 2


def test_parts_of_a_contest_come_to_the_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Played apart into one file, each game once; whoever asks for all then has them summed up, and plays none."""
    file = tmp_path / "kept"
    words = ["--only", "dots-and-boxes", "--levels", "easy", "--board", "4 4", "--games", "9"]
    for part in ("1/2", "2/2"):
        strength(["--kept", str(file), "--part", part, *words])
    games = file.read_bytes()
    capsys.readouterr()
    strength(["--kept", str(file), *words])
    summed = capsys.readouterr().out
    assert file.read_bytes() == games
    assert len(games.splitlines()) == 9
    strength(words)
    results = [out.splitlines()[-1].rsplit("|", 2)[0] for out in (summed, capsys.readouterr().out)]
    assert results[0] == results[1]
    for wrong in (["--part", "0/2"], ["--part", "3/2"], ["--part", "9/9"], ["--board", "4"], ["--only", "chess"]):
        with pytest.raises(SystemExit):
            strength([*words, *wrong])


def test_the_interval_is_wilsons() -> None:
    """Against the textbook's values."""
    assert [round(bound, 3) for bound in wilson(0.5, 10)] == [0.237, 0.763]
    assert [round(bound, 3) for bound in wilson(1.0, 20)] == [0.839, 1.0]
    assert wilson(0.0, 0) == (0.0, 1.0)
