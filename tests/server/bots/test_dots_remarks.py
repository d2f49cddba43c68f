"""Why a line at Dots and Boxes is good or bad, against a judge that knows nothing but dots, sides and boxes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from server.bots.remarks import remark
from server.games import load_catalogue
from tests.server.bots.test_players import after

DOTS = load_catalogue()["dots-and-boxes"]
SIZES = ((2, 2), (5, 2), (3, 3), (4, 4), (5, 4), (6, 6))
GAMES_OF_A_SIZE = 30
A_FEW = 3
FEWEST = 10
"""Of each kind of remark so many are held to the judge, or the lots were no good."""
COSTS = {2: "two", 4: "four"}
"""What declining costs, of a chain and of a loop."""

Box = frozenset[str]
"""Its four sides."""


def boxes_of(width: int, height: int) -> list[Box]:
    def dot(column: int, row: int) -> str:
        return f"{'abcdefghijklmno'[column]}{row + 1}"

    def box(column: int, row: int) -> Box:
        here, right, below = dot(column, row), dot(column + 1, row), dot(column, row + 1)
        corner = dot(column + 1, row + 1)
        return frozenset({f"{here}-{right}", f"{here}-{below}", f"{right}-{corner}", f"{below}-{corner}"})

    return [box(column, row) for column in range(width - 1) for row in range(height - 1)]


def closable(boxes: list[Box], undrawn: set[str]) -> tuple[set[Box], set[str]]:
    """All boxes that one player can close in one turn without a line that closes none, and the lines that are left."""
    closed: set[Box] = set()
    left = set(undrawn)
    while found := next((box for box in boxes if len(box & left) == 1), None):
        left -= found
        closed |= {box for box in boxes if box & undrawn and not box & left}
    return closed, left


def together(boxes: set[Box], undrawn: set[str]) -> list[set[Box]]:
    """Those of `boxes` that hang together by undrawn lines, apart from the others."""
    parts: list[set[Box]] = []
    for box in boxes:
        touched = [part for part in parts if any(box & other & undrawn for other in part)]
        parts = [part for part in parts if part not in touched] + [{box}.union(*touched)]
    return parts


def judged(boxes: list[Box], undrawn: set[str], move: str) -> str:
    """What is true of `move`, in the words of the remark."""
    before, _ = closable(boxes, undrawn)
    left = undrawn - {move}
    if any(box & undrawn == {move} for box in boxes):
        narrow = {box for box in boxes if 1 <= len(box & undrawn) <= 2}
        # Two chains cannot end in one line: each of them would leave it to the other.
        (chain,) = (part for part in together(narrow, undrawn) if any(box & undrawn == {move} for box in part))
        assert chain <= before, "all of it can be closed"
        return f"closes a chain of {len(chain)}" if len(chain) > 1 else "closes a box"
    given, then = closable(boxes, left)
    if not given:
        return "gives nothing away"
    parts = together(given, undrawn)
    if not before:
        assert len(parts) == 1, "a line opens one chain at most"
        return f"opens a chain of {len(given)}" if len(given) > 1 else "gives a box away"
    of_this = len(parts) == 1 and bool(parts[0] & before) and any(move in box for box in parts[0])
    one_line_each = len({line for box in given for line in box & left}) * 2 == len(given)
    has_to_open = bool(then) and all(closable(boxes, then - {line})[0] for line in then)
    if of_this and one_line_each and has_to_open:
        return f"leaves the last {COSTS[len(given)]} boxes, so that the other has to open what comes next"
    return (
        f"leaves {len(given)} boxes for the other to close" if len(given) > 1 else "leaves a box for the other to close"
    )


def by_lot() -> Iterator[tuple[Any, list[str]]]:
    """Positions and moves in them, of games in which safe lines come first and chains are now and then left."""
    for width, height in SIZES:
        boxes = boxes_of(width, height)
        for number in range(GAMES_OF_A_SIZE):
            rng = Random(f"{width} {height} {number}")
            patience = rng.choice((0.8, 1.0))
            state = after(DOTS, "", width=width, height=height)
            while DOTS.outcome(state) is None:
                moves = list(DOTS.legal_moves(state))
                undrawn = set(moves)
                closing = [move for move in moves if any(box & undrawn == {move} for box in boxes)]
                safe = [move for move in moves if not any(move in box and len(box & undrawn) < 3 for box in boxes)]
                yield state, moves if closing or not safe else rng.sample(moves, min(A_FEW, len(moves)))
                likely = (closing if rng.random() < patience else []) or (safe if rng.random() < patience else [])
                state = DOTS.play(state, rng.choice(likely or moves))


def test_every_reason_is_true() -> None:
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    for state, moves in by_lot():
        boxes = boxes_of(state.width, state.height)
        undrawn = set(DOTS.legal_moves(state))
        for move in moves:
            said, true = str(remark(DOTS, state, move)), judged(boxes, undrawn, move)
            kinds[re.sub(r"\d+", "N", true)] += 1
            if said != true:
                wrong.append(
                    f"{state.width}x{state.height} {move}: {said!r}, but it {true}; undrawn: {sorted(undrawn)}"
                )
    assert not wrong, f"{len(wrong)} of {kinds.total()} are wrong, among them {wrong[:3]}"
    assert len(kinds) == 9, kinds
    assert min(kinds.values()) >= FEWEST, kinds


@pytest.mark.parametrize(("size", "moves", "move", "why"), [
    ((5, 2), "a1-b1 b1-c1 c1-d1 d1-e1 a2-b2 b2-c2 c2-d2 d2-e2 a1-a2", "c1-c2", "leaves 4 boxes for the other to close"),
    ((4, 4), "a4-b4 c1-c2 a1-b1 c3-c4 b2-c2 a3-a4 b4-c4 d2-d3 a2-a3 b3-c3", "a3-b3",
     "leaves 2 boxes for the other to close"),
    ((6, 6), "a1-b1 e5-f5 a1-a2 e6-f6 a2-b2 f5-f6", "b1-b2", "closes a box"),
    ((6, 6), "b4-c4 c4-d4 b5-c5 c5-d5 b4-b5", "d4-e4", "leaves 2 boxes for the other to close"),
    ((6, 6), "b4-c4 c4-d4 b5-c5 c5-d5 b4-b5", "d4-d5", "leaves 2 boxes for the other to close"),
])  # fmt: skip
def test_it_counts_one_chain_and_calls_only_that_declining(
    size: tuple[int, int], moves: str, move: str, why: str
) -> None:
    """As a stranger found it: two lone boxes told as a chain, a gift and a quiet line elsewhere told as declining."""
    width, height = size
    assert str(remark(DOTS, after(DOTS, moves, width=width, height=height), move)) == why
