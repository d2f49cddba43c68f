"""The two strong players of Ultimate: what the one who knows more sees, and that it counts right what both count."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from server.bots import ultimate_dots
from server.bots.ultimate_dots import COUNTED, KNOWN
from server.games._boxes import FREE, OWNERS
from server.games.ultimate_dots import ANY, BOARD, BOXES, GAME, NAMES, State, outcome
from tests.server.games.plays import random_game

SWAP = str.maketrans("01", "10")
START = State()
PLAYS = 150


def positions(games: int) -> list[State]:
    """Some of each of so many games by lot."""
    params = GAME.parse_options({})
    return [step.before for seed in range(games) for step in list(random_game(GAME, params, Random(seed)))[::3]]


def drawn(state: State, micro: int, lines: str) -> State:
    """With these lines (named as in a board of one micro game) drawn by seat 0 in `micro`."""
    numbers = [BOARD.numbers[f"{NAMES[micro]}:{line}"] for line in lines.split()]
    return replace(state, lines="".join(OWNERS[0] if i in numbers else line for i, line in enumerate(state.lines)))


def boxes(state: State, micro: int, owners: str) -> State:
    first = BOXES * micro
    return replace(state, boxes=state.boxes[:first] + owners + state.boxes[first + BOXES :])


def test_neither_sees_a_difference_between_the_seats() -> None:
    """What is good for one is as bad for the other, in 600 positions and more of games by lot."""
    seen = positions(16)
    assert len(seen) > 600
    for state in seen:
        other = State(
            state.lines.translate(SWAP), state.boxes.translate(SWAP), state.won.translate(SWAP),
            state.focus, state.last, 1 - state.turn,
        )  # fmt: skip
        for value in (ultimate_dots.evaluate, ultimate_dots.count):
            assert value(state) == -value(other)


def test_the_likely_moves_are_all_moves_by_what_they_close_and_give() -> None:
    """Against the rules: what is played first closes a box; what is played last lets the other close one next."""
    for state in positions(4):
        moves = GAME.legal_moves(state)
        ordered = ultimate_dots.candidates(state, moves, False)
        assert sorted(ordered) == sorted(moves)
        kinds = []
        for move in ordered:
            after = GAME.play(state, move)
            number = BOARD.numbers[move]
            closes = any(after.boxes[box] != FREE for box in BOARD.beside[number])
            left = [sum(after.lines[side] == FREE for side in BOARD.sides[box]) for box in BOARD.beside[number]]
            kinds.append(0 if closes else 2 if 1 in left else 1)
        assert kinds == sorted(kinds)


TWO_BOXES = "a1-b1 b1-c1 a1-a2 c1-c2 a2-b2 b2-c2"
"""All around the two boxes at the top left; the line between them is free, and closes both."""


@pytest.mark.parametrize("seat", [0, 1])
def test_the_one_who_knows_more_sees_what_lies_in_reach_elsewhere(seat: int) -> None:
    """A micro game that one seat would win if it were sent there, and the other would not."""
    own, other = OWNERS[seat], OWNERS[1 - seat]
    open_ = drawn(START, 8, TWO_BOXES)
    near = boxes(open_, 8, f"..{own}{own}{own}{other}...")
    far = boxes(open_, 8, f"..{own}{other}{own}{other}...")
    lead = ultimate_dots.SIGNS[seat] * (ultimate_dots.evaluate(near) - ultimate_dots.evaluate(far))
    assert lead == 2 * KNOWN.box + ultimate_dots.ELSEWHERE
    assert ultimate_dots.SIGNS[seat] * (ultimate_dots.count(near) - ultimate_dots.count(far)) == 2 * COUNTED.box
    last, wins = replace(far, won=own * 2 + "......."), replace(near, won=own * 2 + ".......")
    both = [boxes(drawn(state, 2, TWO_BOXES), 2, state.boxes[8 * BOXES :]) for state in (last, wins)]
    more = ultimate_dots.SIGNS[seat] * (ultimate_dots.evaluate(both[1]) - ultimate_dots.evaluate(both[0]))
    assert more == 4 * KNOWN.box + ultimate_dots.ELSEWHERE + ultimate_dots.LAST_ELSEWHERE


def test_what_two_could_win_elsewhere_is_nobodys_yet() -> None:
    """All nine boxes of a micro game are in reach: whoever is sent there has it."""
    rows = "a1-b1 b1-c1 c1-d1 a2-b2 b2-c2 c2-d2 a3-b3 b3-c3 c3-d3 a4-b4 b4-c4 c4-d4 a1-a2 a2-a3 d3-d4"
    state = drawn(START, 8, rows)
    assert ultimate_dots.evaluate(state) == ultimate_dots.evaluate(START) == 0


def test_a_micro_game_is_worth_what_its_rows_are_and_one_short_of_the_match_more() -> None:
    centre, corner, side = (
        ultimate_dots.evaluate(replace(START, won=FREE * place + "0" + FREE * (8 - place), focus=8))
        for place in (4, 0, 1)
    )
    assert centre - corner == corner - side == ultimate_dots.ROW
    three, four = (replace(START, won=won, focus=6) for won in (".1.0.0..0", "01.0.0..0"))
    # The fourth is the corner: three rows, and two in a row with the third open in two of them, where the centre is.
    assert ultimate_dots.evaluate(four) - ultimate_dots.evaluate(three) == (
        KNOWN.micro_game + 3 * ultimate_dots.ROW + 2 * KNOWN.pair + ultimate_dots.ONE_SHORT
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_a_micro_game_in_reach_is_worth_its_rows_and_the_match_most(seat: int) -> None:
    """For the player to move who is sent there, with three boxes of its own and two to close."""
    own = OWNERS[seat]
    there = replace(boxes(drawn(START, 8, TWO_BOXES), 8, f"..{own * 3}...."), focus=8, turn=seat)

    def gain(won: str) -> int:
        """What the lines bring that seat, with these micro games won."""
        closed = replace(there, lines=START.lines, won=won)
        return ultimate_dots.SIGNS[seat] * (
            ultimate_dots.evaluate(replace(there, won=won)) - ultimate_dots.evaluate(closed)
        )

    once, taken = ultimate_dots.TAKE_IN_ROW, 2 * KNOWN.box + ultimate_dots.TAKE
    assert gain(FREE * 9) == taken
    assert gain(f"{own}{FREE * 8}") == taken + once
    assert gain(f"{own}{FREE}{own}{FREE * 6}") == taken + 2 * once
    assert gain(f"{own}...{own}....") == 2 * KNOWN.box + ultimate_dots.MATCH
    assert gain(f"{own * 2}.{own}.{own}...") == 2 * KNOWN.box + ultimate_dots.MATCH, "five of them"


def test_to_choose_where_to_play_is_worth_something() -> None:
    here, anywhere = replace(START, won="....0....", focus=0), replace(START, won="....0....", focus=ANY)
    assert ultimate_dots.evaluate(anywhere) - ultimate_dots.evaluate(here) == ultimate_dots.CHOICE


def test_the_match_is_taken_wherever_it_can_be() -> None:
    """In every third position of games by lot, where one turn wins it."""
    found = 0
    for state in positions(40):
        if _wins(state, state.turn, set()):
            found += 1
            turn = state
            while outcome(turn) is None:
                assert turn.turn == state.turn, "the turn was let go"
                turn = GAME.play(turn, ultimate_dots.KNOWING.choose(turn, Random(1), 400))
    assert found >= 10


def _wins(state: State, seat: int, seen: set[str]) -> bool:
    """Whether `seat` can win the match before the turn is over, by looking at every way to go on."""
    if (over := outcome(state)) is not None:
        return over.winner == seat
    if state.turn != seat or state.lines in seen:
        return False
    seen.add(state.lines)
    closing = [
        move
        for move in GAME.legal_moves(state)
        if any(
            sum(state.lines[side] == FREE for side in BOARD.sides[box]) == 1
            for box in BOARD.beside[BOARD.numbers[move]]
        )
    ]
    return any(_wins(GAME.play(state, move), seat, seen) for move in closing)


def test_knowing_more_wins_with_as_many_moves_played() -> None:
    """At least 14 of 20 games from either seat, with the first moves by lot; the same ones each time."""
    won = 0
    for seed, seat in product(range(10), (0, 1)):
        rng = Random(seed)
        state = START
        for _ in range(4):
            state = GAME.play(state, rng.choice(GAME.legal_moves(state)))
        while (over := outcome(state)) is None:
            player = ultimate_dots.KNOWING if state.turn == seat else ultimate_dots.COUNTING
            state = GAME.play(state, player.choose(state, rng, PLAYS))
        won += over.winner == seat
    assert won >= 14
