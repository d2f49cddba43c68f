"""Square: nine dots, twelve grey lines, four boxes; a closed box gives its owner no further move.

X moves first. A line that completes a box claims it, and then the turn changes, as it does after any other line (`SQ4`,
`RU-SQ1`). When all boxes are claimed they are counted (`SQ8`); 2 - 2 is a draw (`RU-SQ2`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec

from protocol.board import Board, Mark, Piece, SeatStyle
from protocol.errors import Code, IllegalMove
from protocol.messages import Level
from protocol.text import N_, Text, text
from server.games._boxes import (
    BOX_MARKS,
    FREE,
    OWNERS,
    changed,
    closed_by,
    free_lines,
    layout,
    line_number,
    owned,
    put,
    sides_drawn,
)
from server.games._square_lessons import LESSONS
from server.games.game import Game, Outcome, Reason
from server.games.levels import LEVELS

DOTS = 3
GRID = layout(DOTS, DOTS)

DRAWN = "x"
LINE_MARKS = {DRAWN: Mark(None, Piece.LINE)}
"""A drawn line is black, whoever drew it (`SQ1`)."""

TAKEN = "taken"

AS_DOCUMENTED = Level("document", N_("Document"))
"""Moves by the steps of `SQ5` and nothing else."""

SEATS = (SeatStyle("X", "#c2185b", "X"), SeatStyle("O", "#1565c0", "O"))

HELP = N_("""\
Two players, X and O, draw the grey lines between nine dots in turn. X begins.

Whoever draws the fourth side of a box claims it, whoever drew the others, and puts X or O in it. A line can complete \
two boxes; both are claimed. After every line it is the other player's turn, also after one that completes a box.

The line marked : completes the box at its left. The one marked = is the third side of the box above it, and gives \
that away:

  o---o   o
  |   :
  o---o   o
  |
  o===o   o

The game is over when all four boxes are claimed. The player with more boxes wins; two each is a draw.

To draw a line, click it, or click one of its dots and then the other. With the keyboard, move with the arrow keys and \
press Enter. A line that is drawn already is not drawn again, and your turn stays.

? shows and hides this help; the game goes on meanwhile. A gives the game up, and your opponent wins. q quits.""")


class Params(msgspec.Struct, frozen=True):
    """Square is played on one board."""


class State(msgspec.Struct, frozen=True):
    """Which lines are drawn, who owns the boxes (in reading order, as in `_boxes`), and the seat to move."""

    lines: str = FREE * len(GRID.line_ids)
    boxes: str = FREE * len(GRID.box_ids)
    turn: int = 0


def to_move(state: State) -> int | None:
    """The seat whose turn it is; None when all boxes are claimed."""
    return state.turn if FREE in state.boxes else None


def play(state: State, move: str) -> State:
    """The state after the line `move`; the turn changes in any case (`SQ4`).

    A line that is drawn is refused as `taken` (`SQ7`, `RU-SQ4`), any line after the end as finished (`SQ9`).
    """
    if FREE not in state.boxes:
        raise IllegalMove(move, code=Code.FINISHED)
    number = line_number(GRID, move)
    if state.lines[number] != FREE:
        raise IllegalMove(move, text(N_("This line is drawn already.")), TAKEN)
    lines, boxes = put(state.lines, number, DRAWN), state.boxes
    for box in closed_by(GRID, lines, number):
        boxes = put(boxes, box, OWNERS[state.turn])
    return State(lines, boxes, 1 - state.turn)


def scores(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Boxes claimed by each seat."""
    return (state.boxes.count(OWNERS[0]),), (state.boxes.count(OWNERS[1]),)


def outcome(state: State) -> Outcome | None:
    """The letter with more boxes, once all are claimed (`SQ8`); 2 - 2 is a draw (`RU-SQ2`)."""
    if FREE in state.boxes:
        return None
    (first,), (second,) = scores(state)
    if first == second:
        draw = text(N_("It is a draw: {first} - {second}"), first=first, second=second)
        return Outcome(None, Reason.SCORE, draw)
    winner = 0 if first > second else 1
    return Outcome(winner, Reason.SCORE, text(N_("Winner is: {player}"), player=SEATS[winner].name))


def status(state: State) -> Text:
    """The document's own words (`SQ7`, `SQ8`)."""
    over = outcome(state)
    return over.text if over else text(N_("Current Turn: {player}"), player=SEATS[state.turn].name)


def changes(before: State, after: State) -> Mapping[str, Mark | None]:
    """The line drawn and the boxes that it completed."""
    found = changed(GRID.line_ids, before.lines, after.lines, LINE_MARKS)
    found.update(changed(GRID.box_ids, before.boxes, after.boxes, BOX_MARKS))
    return found


def choose(state: State, rng: Random) -> str:
    """The computer's order (`SQ5`, `RU-SQ3`): completes two boxes, then one; else the least full box it touches."""

    def rank(line: str) -> tuple[int, int]:
        sides = [sides_drawn(GRID, state.lines, box) for box in GRID.beside[GRID.numbers[line]]]
        completed = sides.count(3)
        return (-completed, 0) if completed else (0, max(sides))

    ranks = {line: rank(line) for line in free_lines(GRID, state.lines)}
    lowest = min(ranks.values())
    return rng.choice([line for line, its_rank in ranks.items() if its_rank == lowest])


GAME = Game(
    name="square",
    title=N_("Square"),
    summary=N_("Nine dots and four boxes, with no further move for closing one."),
    help=HELP,
    prompt=N_("Waiting for the other player."),
    score_names=(N_("boxes"),),
    score_names_one=(N_("box"),),
    params=Params,
    state=State,
    options=(),
    new=lambda _params: State(),
    to_move=to_move,
    legal_moves=lambda state: free_lines(GRID, state.lines),
    moves_only_go=True,
    play=play,
    canonical=lambda _state, move: GRID.line_ids[line_number(GRID, move)],
    outcome=outcome,
    board=lambda _params: Board(width=DOTS - 1, height=DOTS - 1, dots=GRID.dots, lines=GRID.lines, cells=GRID.cells),
    seats=lambda _params: SEATS,
    marks=lambda state: {
        **owned(GRID.line_ids, state.lines, LINE_MARKS),
        **owned(GRID.box_ids, state.boxes, BOX_MARKS),
    },
    changes=changes,
    scores=scores,
    status=status,
    levels=(*LEVELS, AS_DOCUMENTED),
    usual_level=AS_DOCUMENTED.name,
    choose=choose,
    lessons=LESSONS,
)
