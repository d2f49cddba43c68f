"""Dots and Boxes (System Requirements Document, 2001): join neighbouring dots, close boxes, move again.

Whoever draws the fourth side of a box owns it and must move again; one line that closes two boxes takes both and gives
one further move. Nobody is obliged to close a box. The game is over when all boxes are owned; more boxes win, and with
an even number of boxes a draw is possible (`RU-DB4`). Sizes are counted in dots (`RU-DB1`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec

from protocol.board import Board, Mark, SeatStyle
from protocol.errors import Code, IllegalMove
from protocol.messages import Option, Preset
from protocol.text import N_, Text, text
from server.games._boxes import (
    BOX_MARKS,
    FREE,
    LINE_MARKS,
    OWNERS,
    changed,
    closed_by,
    free_lines,
    haul,
    layout,
    line_number,
    owned,
    put,
    refuse_joined,
    sides_drawn,
)
from server.games._dots_and_boxes_lessons import LESSONS
from server.games.game import Game, Outcome, Reason

MIN_DOTS, MAX_DOTS = 2, 15
"""A single box is the smallest board (`RU-DB1`); beyond 15 dots lines are too close together to be hit."""

STANDARD_DOTS = 8
"""49 boxes: an odd number, so there is no tie (`DB C1`)."""

SEATS = (
    SeatStyle(N_("Player 1"), "#00008b", "●"),  # dark blue, DB 13.1
    SeatStyle(N_("Player 2"), "#4aa3df", "◇"),  # light blue, and still seen on white
)

TURNS = tuple(text(N_("{player}'s turn"), player=Text(seat.name)) for seat in SEATS)

HELP = N_("""\
Two players draw lines between dots in turn. A line joins two dots next to each other, across or down.

Whoever draws the fourth side of a box owns the box and draws another line. It does not matter who drew the other \
sides. A line that closes two boxes at once wins both, and still gives one further line. Nobody has to close a box.

The line marked : closes two boxes, left and right of it. The one marked = is the third side of the box above it, and \
gives that away:

  o---o---o
  |   :   |
  o---o---o
  |
  o===o   o

The game is over when every box is owned. The player with more boxes wins; with the same number it is a draw.

To draw a line, click between two dots, or click one dot and then the other, or hold the mouse button down on one dot \
and let it go on the other. With the keyboard, move with the arrow keys and press Enter.

? shows and hides this help; the game goes on meanwhile. A gives the game up, and your opponent wins. q quits.""")


class Params(msgspec.Struct, frozen=True):
    """The size of the board in dots."""

    width: int = STANDARD_DOTS
    height: int = STANDARD_DOTS


class State(msgspec.Struct, frozen=True):
    """Owners of lines and boxes in reading order, as in `_boxes`, and the seat to move while a box is free."""

    width: int
    height: int
    lines: str
    boxes: str
    turn: int = 0


def new(params: Params) -> State:
    """The empty board; player 1 begins (`DB 7.3.1.1`)."""
    grid = layout(params.width, params.height)
    return State(params.width, params.height, FREE * len(grid.line_ids), FREE * len(grid.box_ids))


def to_move(state: State) -> int | None:
    """The seat whose turn it is; None when all boxes are owned, and not before (`RU-DB4`)."""
    return state.turn if FREE in state.boxes else None


def legal_moves(state: State) -> tuple[str, ...]:
    """The lines that are still free. When the last box is closed none is: every line is the side of a box."""
    return free_lines(layout(state.width, state.height), state.lines)


def play(state: State, move: str) -> State:
    """The state after the line `move` (`DB 7.2.1.1`, `7.2.1.2`). Faults are looked for in the order of `RU-DB5`."""
    if FREE not in state.boxes:
        raise IllegalMove(move, code=Code.FINISHED)
    grid = layout(state.width, state.height)
    number = line_number(grid, move)
    if state.lines[number] != FREE:
        refuse_joined(move)
    owner = OWNERS[state.turn]
    lines, boxes = put(state.lines, number, owner), state.boxes
    closed = closed_by(grid, lines, number)
    for box in closed:
        boxes = put(boxes, box, owner)
    return State(state.width, state.height, lines, boxes, state.turn if closed else 1 - state.turn)


def canonical(state: State, move: str) -> str:
    """The line's dots in reading order (`RU-DB2`)."""
    grid = layout(state.width, state.height)
    return grid.line_ids[line_number(grid, move)]


def scores(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Boxes owned by each seat (`DB 7.3.1.4`)."""
    return (state.boxes.count(OWNERS[0]),), (state.boxes.count(OWNERS[1]),)


def outcome(state: State) -> Outcome | None:
    """Who owns more boxes, once all are owned (`DB 7.2.1.3`)."""
    if FREE in state.boxes:
        return None
    (first,), (second,) = scores(state)
    more, fewer = max(first, second), min(first, second)
    if more == fewer:
        return Outcome(None, Reason.SCORE, text(N_("Draw, {more} - {fewer}"), more=more, fewer=fewer))
    winner = 0 if first > second else 1
    sentence = text(N_("{player} wins, {more} - {fewer}"), player=Text(SEATS[winner].name), more=more, fewer=fewer)
    return Outcome(winner, Reason.SCORE, sentence)


def status(state: State) -> Text:
    """Whose turn it is (`DB 7.3.1.2`), or who won (`DB 7.3.1.3`)."""
    over = outcome(state)
    return over.text if over else TURNS[state.turn]


def board(params: Params) -> Board:
    """Dots one unit apart, the lines between them and a cell for each box."""
    grid = layout(params.width, params.height)
    return Board(width=params.width - 1, height=params.height - 1, dots=grid.dots, lines=grid.lines, cells=grid.cells)


def marks(state: State) -> dict[str, Mark]:
    """Lines and boxes in the colour of who drew or closed them (`DB 13.1`)."""
    grid = layout(state.width, state.height)
    return {**owned(grid.line_ids, state.lines, LINE_MARKS), **owned(grid.box_ids, state.boxes, BOX_MARKS)}


def changes(before: State, after: State) -> Mapping[str, Mark | None]:
    """The line drawn and the boxes that it closed."""
    grid = layout(after.width, after.height)
    found = changed(grid.line_ids, before.lines, after.lines, LINE_MARKS)
    found.update(changed(grid.box_ids, before.boxes, after.boxes, BOX_MARKS))
    return found


def choose(state: State, rng: Random) -> str:
    """Closes what can be closed; else draws a line that gives no box away; else one that gives the fewest away."""
    grid = layout(state.width, state.height)
    best: list[str] = []
    best_rank = (1, 0)
    for number, line in enumerate(grid.line_ids):
        if state.lines[number] != FREE:
            continue
        sides = [sides_drawn(grid, state.lines, box) for box in grid.beside[number]]
        if 3 in sides:
            rank = (-1, -sides.count(3))
        elif 2 in sides:
            rank = (0, haul(grid, put(state.lines, number, OWNERS[state.turn]), grid.beside[number]))
        else:
            rank = (0, 0)
        if rank < best_rank:
            best, best_rank = [], rank
        if rank == best_rank:
            best.append(line)
    return rng.choice(best)


GAME = Game(
    name="dots-and-boxes",
    title=N_("Dots and Boxes"),
    summary=N_("Join dots, close boxes, own more of them than your opponent."),
    help=HELP,
    prompt=N_("Ready to start: Player 1 draws the first line."),
    score_names=(N_("boxes"),),
    score_names_one=(N_("box"),),
    params=Params,
    state=State,
    options=(
        Option(
            name="width",
            label=N_("Dots across"),
            default=STANDARD_DOTS,
            low=MIN_DOTS,
            high=MAX_DOTS,
            help=N_("How many dots are in a row."),
        ),
        Option(
            name="height",
            label=N_("Dots down"),
            default=STANDARD_DOTS,
            low=MIN_DOTS,
            high=MAX_DOTS,
            help=N_("How many rows of dots there are."),
        ),
    ),
    presets=tuple(Preset(f"{dots} x {dots}", {"width": dots, "height": dots}) for dots in (3, 4, 5, 6, 8, 10)),
    new=new,
    to_move=to_move,
    legal_moves=legal_moves,
    moves_only_go=True,
    play=play,
    canonical=canonical,
    outcome=outcome,
    board=board,
    seats=lambda _params: SEATS,
    marks=marks,
    changes=changes,
    scores=scores,
    status=status,
    choose=choose,
    lessons=LESSONS,
)
