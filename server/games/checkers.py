"""Checkers (CS451, 2017), by the squares and the moves of English draughts.

Black starts on squares 1 to 12 and moves first (`CK R2.1`); White, or Red, starts on 21 to 32 (`RU-CK1`). A step ends
the turn (`R2.4`); so does a chain of jumps, after any hop (`R2.6`) or, with `captures: forced`, when it can go no
further (`RU-CK3`); so does being crowned (`R2.7`, `RU-CK4`). Who has no piece or no move loses (`R4.1`, `R4.2`).
Squares, hops and sentences of refusal are in `_draughts.py`.
"""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

from protocol.board import Board, Cell, Mark, Piece, SeatStyle, Tone
from protocol.errors import Code, IllegalMove
from protocol.messages import ClockRule, Option
from protocol.text import N_, Text, text
from server.games._checkers_lessons import LESSONS
from server.games._draughts import (
    BITS,
    BLACK,
    CELLS,
    FAR_HALF,
    FAR_ROW,
    NAMES,
    STEPS,
    Position,
    follow,
    jumpers,
    movable,
    refuse,
    spelled,
    squares_of,
)
from server.games.game import Game, Outcome, Reason

Colours = Literal["black-white", "black-red"]
COLOURS = ("black-white", "black-red")

DRAW_AFTER, MAX_DRAW_AFTER = 80, 200
"""Plies in a row without a capture or a man's move that make a draw (`RU-CK6`); 0 turns the rule off."""

TILES: dict[Colours, dict[Tone, str]] = {
    "black-white": {Tone.DARK: "#6b6b6b", Tone.LIGHT: "#f4f4f0"},
    "black-red": {Tone.DARK: "#4a4a4a", Tone.LIGHT: "#b5382d"},
}
"""The black tiles are dark grey, so that black pieces are seen on them."""

STYLES: dict[Colours, tuple[SeatStyle, SeatStyle]] = {
    "black-white": (SeatStyle(N_("Black"), "#111111", "●"), SeatStyle(N_("White"), "#fafafa", "○")),
    "black-red": (SeatStyle(N_("Black"), "#111111", "●"), SeatStyle(N_("Red"), "#d62828", "○")),
}

MAN_VALUE, KING_VALUE, WIN_VALUE = 10, 15, 10_000
LOOK_AHEAD, LOOK_AT_JUMPS = 3, 4
"""Plies that the computer looks ahead, and how many more while there is a jump: an exchange is seen to its end."""

HELP = N_("""\
Two players move pieces on the dark squares of the board. Black moves first. Your own side is at the bottom.

A man steps one square diagonally forward onto a free square. It jumps two squares diagonally forward over a piece of \
the opponent onto a free square, and the piece jumped over leaves the board. After a jump the same piece may jump \
again, as often as it can; then the turn ends. A step ends the turn.

The man b jumps over w onto +, and w leaves the board:

  . . +       . . b
  . w .  ->   . . .
  b . .       . . .

A man that reaches the opponent's first row becomes a king, and the turn ends there. A king steps and jumps like a \
man, but in all four diagonal directions. It does not fly: one square a step, two a jump.

Nobody has to jump, unless the match was opened with “captures: forced”. Then a jump must be made when there is one, \
and must go on as long as it can.

A player without pieces, or without a move in the own turn, has lost. Many moves in a row without a capture or a \
man's move are a draw; the match's options say how many (80 if nothing else was chosen).

To move, click a piece and then the square to move it to, or drag it there. For several jumps click every landing \
square; to stop where you could jump on, click the last square twice. With the keyboard, move with the arrow keys and \
press Enter.

? shows and hides this help; the game goes on meanwhile. A gives the game up, and your opponent wins. q quits.""")


class Params(msgspec.Struct, frozen=True):
    """What the host chose (`CK R1.3`, `5.1`)."""

    captures: Literal["free", "forced"] = "free"
    draw_after: int = DRAW_AFTER
    tiles: Colours = "black-white"
    pieces: Colours = "black-white"


class State(msgspec.Struct, frozen=True):
    """A position. The boards are sets of squares, a bit each, as `_draughts.BITS` lays them out.

    `quiet` counts plies since the last capture or man's move (`RU-CK6`). When the game is over `ended` says why, and
    `turn` is the seat that would have to move.
    """

    params: Params
    black: int
    white: int
    kings: int = 0
    turn: int = BLACK
    quiet: int = 0
    ended: Reason | None = None


def new(params: Params) -> State:
    """Twelve men each; Black moves first (`CK R2.1`)."""
    return State(params, squares_of(range(1, 13)), squares_of(range(21, 33)))


def to_move(state: State) -> int | None:
    """The seat whose turn it is; None when the game is over."""
    return None if state.ended else state.turn


def legal_moves(state: State) -> tuple[str, ...]:
    """Jumps, each stop of a chain apart unless captures are forced (`RU-CK3`); then steps (`CK R3.1`, `R3.2`)."""
    return () if state.ended else spelled(_position(state), state.params.captures == "forced")


def play(state: State, move: str) -> State:
    """The state after `move`. Captures and crowns are worked out here, never believed (`RU-CK7`, `L5`)."""
    if state.ended:
        raise IllegalMove(move, code=Code.FINISHED)
    at = _position(state)
    forced = state.params.captures == "forced"
    step = STEPS.get(move) or STEPS.get(move.replace("x", "-"))
    if step:
        start, land = step
        movers = at.down if land > start else at.up
        if not (start & movers and land & at.empty) or (forced and jumpers(at)):
            refuse(at, move)
        captured = 0
    else:
        start, land, captured = follow(at, move, forced)
    king = start & at.kings
    own, other = at.own ^ start | land, at.other ^ captured
    kings = at.kings & ~(captured | start)
    if king or land & FAR_ROW[state.turn]:
        kings |= land
    quiet = state.quiet + 1 if king and not captured else 0
    black, white = (own, other) if state.turn == BLACK else (other, own)
    turn = 1 - state.turn
    return State(state.params, black, white, kings, turn, quiet, _ended(state.params, black, white, kings, turn, quiet))


def _ended(params: Params, black: int, white: int, kings: int, turn: int, quiet: int) -> Reason | None:
    """Whether the game is over with `turn` to move; a loss counts before a draw by `draw_after`."""
    if not (black if turn == BLACK else white):
        return Reason.CAPTURED
    if not movable(Position.of(black, white, kings, turn)):
        return Reason.BLOCKED
    if params.draw_after and quiet >= params.draw_after:
        return Reason.NO_PROGRESS
    return None


def _position(state: State) -> Position:
    return Position.of(state.black, state.white, state.kings, state.turn)


def canonical(state: State, move: str) -> str:
    """Steps with a dash and jumps with an x, however they were joined (`RU-CK2`)."""
    step = move.replace("x", "-")
    return step if step in STEPS else move.replace("-", "x")


def outcome(state: State) -> Outcome | None:
    """The player to move has lost without a piece (`CK R4.1`) or a move (`R4.2`); else it is a draw (`RU-CK6`)."""
    if state.ended is None:
        return None
    if state.ended is Reason.NO_PROGRESS:
        plies = state.params.draw_after
        sentence = text(N_("Draw: {plies} moves in a row without a capture or a man's move"), plies=plies)
        return Outcome(None, state.ended, sentence)
    winner = 1 - state.turn
    styles = STYLES[state.params.pieces]
    template = (
        N_("{winner} wins: {loser} has no piece left")
        if state.ended is Reason.CAPTURED
        else N_("{winner} wins: {loser} cannot move")
    )
    names = {"winner": Text(styles[winner].name), "loser": Text(styles[state.turn].name)}
    return Outcome(winner, state.ended, Text(template, names))


def status(state: State) -> Text:
    """Whose move it is (`CK 5.4.5`), or how it ended."""
    over = outcome(state)
    return (
        over.text if over else text(N_("{player} to move"), player=Text(STYLES[state.params.pieces][state.turn].name))
    )


def board(params: Params) -> Board:
    """Black's side is at the top as printed, so Black sees the board turned (`CK 5.1`)."""
    cells = tuple(Cell(id_, x, y, tone=tone, label=label) for id_, x, y, tone, label in CELLS)
    return Board(width=8, height=8, cells=cells, turned_for=(BLACK,), tones=TILES[params.tiles])


_MARKS = {(seat, king): Mark(seat, Piece.KING if king else Piece.MAN) for seat in (0, 1) for king in (False, True)}


def _mark(state: State, bit: int) -> Mark | None:
    seat = 0 if state.black & bit else 1 if state.white & bit else None
    return None if seat is None else _MARKS[seat, bool(state.kings & bit)]


def marks(state: State) -> dict[str, Mark]:
    """Men and kings by their squares."""
    return {name: mark for name, bit in BITS.items() if (mark := _mark(state, bit)) is not None}


def changes(before: State, after: State) -> dict[str, Mark | None]:
    """The squares left, landed on and emptied by jumps (`CK R2.5`)."""
    differs = before.black ^ after.black | before.white ^ after.white | before.kings ^ after.kings
    found: dict[str, Mark | None] = {}
    while differs:
        bit = differs & -differs
        differs ^= bit
        found[NAMES[bit]] = _mark(after, bit)
    return found


def scores(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Pieces left on the board."""
    return (state.black.bit_count(),), (state.white.bit_count(),)


def choose(state: State, rng: Random) -> str:
    """Wins at once if it can, takes what it can keep, and gives no piece away for nothing; ties are drawn by lot."""
    moves = list(legal_moves(state))
    rng.shuffle(moves)
    moves.sort(key=lambda move: move.count("x"), reverse=True)  # the likely best first: more is cut off
    best, best_value = moves[0], -2 * WIN_VALUE
    for move in moves:
        value = -_value(play(state, move), LOOK_AHEAD - 1, -2 * WIN_VALUE, -best_value)
        if value > best_value:
            best, best_value = move, value
    return best


def _value(state: State, depth: int, low: int, high: int) -> int:
    """What the position is worth to the player to move, between `low` and `high` (negamax with a window)."""
    if state.ended:
        return 0 if state.ended is Reason.NO_PROGRESS else -WIN_VALUE - depth
    moves: tuple[str, ...] | list[str] = legal_moves(state)
    best = -2 * WIN_VALUE
    if depth <= 0:
        moves = [move for move in moves if "x" in move]
        if not moves or depth <= -LOOK_AT_JUMPS:
            return _material(state)
        if state.params.captures == "free":
            best = _material(state)  # nobody has to jump
    for move in moves:
        if best >= high:
            break
        best = max(best, -_value(play(state, move), depth - 1, -high, -max(low, best)))
    return best


def _material(state: State) -> int:
    """Pieces, and men past the middle, for the player to move against those of the other."""
    worth = []
    for seat, pieces in enumerate((state.black, state.white)):
        men, kings = pieces & ~state.kings, pieces & state.kings
        advanced = (men & FAR_HALF[seat]).bit_count()
        worth.append(MAN_VALUE * men.bit_count() + KING_VALUE * kings.bit_count() + advanced)
    return worth[state.turn] - worth[1 - state.turn]


GAME = Game(
    name="checkers",
    title=N_("Checkers"),
    summary=N_("Jump over your opponent's pieces, become king, leave no move open."),
    help=HELP,
    prompt=N_("Ready to start: Black moves first."),
    score_names=(N_("pieces"),),
    score_names_one=(N_("piece"),),
    params=Params,
    state=State,
    clock=ClockRule(total_ms=10 * 60 * 1000),
    options=(
        Option(
            name="captures",
            label=N_("Captures"),
            default="free",
            choices=("free", "forced"),
            help=N_("Forced: who can jump must, and must go on as long as it can."),
        ),
        Option(
            name="draw_after",
            label=N_("Draw after"),
            default=DRAW_AFTER,
            low=0,
            high=MAX_DRAW_AFTER,
            help=N_("So many moves in a row without a capture or a man's move are a draw; 0: never."),
        ),
        Option(
            name="tiles",
            label=N_("Tiles"),
            default=COLOURS[0],
            choices=COLOURS,
            help=N_("The colours of the board's squares; play is on the black ones."),
            first=True,
        ),
        Option(
            name="pieces",
            label=N_("Pieces"),
            default=COLOURS[0],
            choices=COLOURS,
            help=N_("The colours of both sides; who begins has the black ones."),
            first=True,
        ),
    ),
    new=new,
    to_move=to_move,
    legal_moves=legal_moves,
    play=play,
    canonical=canonical,
    outcome=outcome,
    board=board,
    seats=lambda params: STYLES[params.pieces],
    marks=marks,
    changes=changes,
    scores=scores,
    status=status,
    choose=choose,
    lessons=LESSONS,
)
