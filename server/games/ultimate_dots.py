"""Ultimate Dots and Boxes (2024): nine micro games of Dots and Boxes in a macro board of three by three.

Play begins in micro game 5. Whoever completes a box moves again in the same micro game; when the turn ends, the
opponent is sent to the micro game whose place on the macro board is the place of the box completed last, or stays in
the same one when no box was completed (`RU-UD2`, `RU-UD3`). Five boxes win a micro game; three micro games in a row or
any five win the match (`RU-UD5`, `RU-UD6`). Sent to a finished micro game, one may choose among the others (`RU-UD4`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import NoReturn

import msgspec

from protocol.board import Board, Mark, Piece, Region, SeatStyle
from protocol.errors import Code, IllegalMove, MalformedMove
from protocol.text import N_, Text, text
from server.games._boxes import (
    BOX_MARKS,
    FREE,
    LINE_MARKS,
    OWNERS,
    Part,
    changed,
    check_dots,
    closed_by,
    haul,
    layout,
    owned,
    put,
    refuse_dots,
    refuse_joined,
)
from server.games._ultimate_lessons import LESSONS
from server.games.game import Game, Outcome, Reason

DOTS, LINES, BOXES = 4, 24, 9
"""Of one micro game: dots across and down, lines, boxes."""
SPACING = DOTS
"""From one micro game to the next: a unit between them stays empty."""
ACROSS = 3
CENTRE = 4
TO_WIN = 5
"""Micro games of the match as well as boxes of a micro game: more than half of nine (`RU-UD5`, `RU-UD6`)."""

NAMES = tuple(str(number + 1) for number in range(ACROSS * ACROSS))
PLACES = tuple((number % ACROSS * SPACING, number // ACROSS * SPACING) for number in range(ACROSS * ACROSS))
BOARD = layout(DOTS, DOTS, tuple(Part(name + ":", x, y) for name, (x, y) in zip(NAMES, PLACES, strict=True)))
LINES_OF = tuple(BOARD.line_ids[LINES * micro : LINES * (micro + 1)] for micro in range(len(NAMES)))
BOXES_OF = tuple(range(BOXES * micro, BOXES * (micro + 1)) for micro in range(len(NAMES)))
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
WON_MARKS = {"0": Mark(0, Piece.WON), "1": Mark(1, Piece.WON)}

ANY, NONE = -1, -1

TWO_MICRO_GAMES = "two_micro_games"
MICRO_GAME_FINISHED = "micro_game_finished"
WRONG_MICRO_GAME = "wrong_micro_game"

SEATS = (SeatStyle(N_("Player 1"), "#c62828", "●"), SeatStyle(N_("Player 2"), "#1e88e5", "◇"))

HELP = N_("""\
The board has nine micro games, three by three. Each is a small game of dots and boxes: draw a line between two dots \
next to each other, and own the box whose fourth side you draw.

The first line is drawn in the micro game in the centre. Whoever completes a box draws another line in the same micro \
game. When your turn ends, the place of the last box you completed in it says where your opponent must play: the top \
left box sends to the top left micro game, and so on. If you completed none, your opponent plays in the same micro game.

Micro games, and the boxes in each of them, have the same nine places. Who completes box 3 last sends to micro game 3:

  1 | 2 | 3
  --+---+--
  4 | 5 | 6
  --+---+--
  7 | 8 | 9

Five boxes win a micro game; nothing more is drawn in it, and the turn passes. Who is sent to a micro game that is won \
already chooses any other, and stays there for the rest of the turn.

Three micro games in a row, across, down or diagonally, win the match, and so do any five.

The micro games to play in are highlighted. To draw a line, click between two dots, or click one dot and then the \
other, or hold the mouse button down on one dot and let it go on the other. With the keyboard, move with the arrow \
keys and press Enter.

? shows and hides this help; the game goes on meanwhile. A gives the game up, and your opponent wins. q quits.""")


class Params(msgspec.Struct, frozen=True):
    """There is one board."""


class State(msgspec.Struct, frozen=True):
    """Owners of all lines, boxes and micro games in reading order, as in `_boxes`, and who may play where.

    `focus` is the micro game to play in, or ANY; `last` the place of the box completed last in this turn, or NONE.
    """

    lines: str = FREE * len(BOARD.line_ids)
    boxes: str = FREE * len(BOARD.box_ids)
    won: str = FREE * len(NAMES)
    focus: int = CENTRE
    last: int = NONE
    turn: int = 0


@cache
def winner(won: str) -> tuple[int, Reason] | None:
    """Who has won the match by the micro games `won`, and how (`RU-UD6`)."""
    for seat, owner in enumerate(OWNERS):
        if any(all(won[micro] == owner for micro in row) for row in ROWS):
            return seat, Reason.LINE
        if won.count(owner) >= TO_WIN:
            return seat, Reason.SCORE
    return None


def to_move(state: State) -> int | None:
    """The seat whose turn it is; None when the match is won."""
    return None if winner(state.won) else state.turn


def legal_moves(state: State) -> tuple[str, ...]:
    """The free lines of the micro games in focus."""
    return tuple(
        [
            line
            for micro in open_micro_games(state)
            for line, owner in zip(LINES_OF[micro], state.lines[LINES * micro : LINES * (micro + 1)], strict=True)
            if owner == FREE
        ]
    )


def open_micro_games(state: State) -> tuple[int, ...]:
    """The micro games to play in: the one in focus, or all unfinished ones to choose from (`RU-UD4`)."""
    if winner(state.won):
        return ()
    if state.focus != ANY:
        return (state.focus,)
    return tuple(micro for micro, owner in enumerate(state.won) if owner == FREE)


def play(state: State, move: str) -> State:
    """The state after the line `move`.

    Faults are looked for in this order: over, no such dot, two micro games, a finished one, the wrong one, diagonal,
    not adjacent, already joined.
    """
    if winner(state.won):
        raise IllegalMove(move, code=Code.FINISHED)
    number = BOARD.numbers.get(move)
    if number is None:
        _refuse(state, move)
    micro = number // LINES
    _check_micro_game(state, move, micro)
    if state.lines[number] != FREE:
        refuse_joined(move)
    owner = OWNERS[state.turn]
    lines, boxes, won, last = put(state.lines, number, owner), state.boxes, state.won, state.last
    closed = closed_by(BOARD, lines, number)
    for box in closed:
        boxes = put(boxes, box, owner)
        last = box % BOXES  # of two at once, the one later in reading order (RU-UD3)
    if closed:
        if boxes.count(owner, BOXES_OF[micro].start, BOXES_OF[micro].stop) < TO_WIN:
            return State(lines, boxes, won, micro, last, state.turn)
        won = put(won, micro, owner)  # and then there is no further move (RU-UD5)
    sent_to = micro if last == NONE else last
    return State(lines, boxes, won, sent_to if won[sent_to] == FREE else ANY, NONE, 1 - state.turn)


_TWO_DOTS = re.compile(r"([0-9]):([a-z][0-9]{1,3})-(?:([0-9]):)?([a-z][0-9]{1,3})")


def _refuse(state: State, move: str) -> NoReturn:
    """Says why `move` names no line."""
    dots = _TWO_DOTS.fullmatch(move)
    if not dots or dots[3] == dots[1]:
        raise MalformedMove(move)
    a, b = f"{dots[1]}:{dots[2]}", f"{dots[3] or dots[1]}:{dots[4]}"
    check_dots(BOARD, move, a, b)
    if dots[3]:
        raise IllegalMove(move, text(N_("Both dots must be in the same micro game.")), TWO_MICRO_GAMES)
    _check_micro_game(state, move, int(dots[1]) - 1)
    refuse_dots(BOARD, move, a, b)


def _check_micro_game(state: State, move: str, micro: int) -> None:
    """Raises IllegalMove when nothing can be drawn in `micro` now (`UD RF4`)."""
    if state.won[micro] != FREE:
        sentence = text(N_("Micro game {number} is finished."), number=NAMES[micro])
        raise IllegalMove(move, sentence, MICRO_GAME_FINISHED)
    if state.focus not in (ANY, micro):
        sentence = text(N_("This line must be drawn in micro game {number}."), number=NAMES[state.focus])
        raise IllegalMove(move, sentence, WRONG_MICRO_GAME)


def canonical(state: State, move: str) -> str:
    """The line's dots in reading order (`RU-DB2`)."""
    number = BOARD.numbers.get(move)
    if number is None:
        _refuse(state, move)
    return BOARD.line_ids[number]


def outcome(state: State) -> Outcome | None:
    """The winner, if the match is won; it cannot be drawn (`RU-UD6`)."""
    won = winner(state.won)
    if won is None:
        return None
    seat, reason = won
    player = Text(SEATS[seat].name)
    if reason is Reason.LINE:
        return Outcome(seat, reason, text(N_("{player} wins, with three micro games in a row"), player=player))
    return Outcome(seat, reason, text(N_("{player} wins, with five micro games"), player=player))


def status(state: State) -> Text:
    """Whose turn it is and where, or how it ended."""
    if over := outcome(state):
        return over.text
    player = Text(SEATS[state.turn].name)
    if state.focus == ANY:
        return text(N_("{player}'s turn, in any open micro game"), player=player)
    return text(N_("{player}'s turn, in micro game {number}"), player=player, number=NAMES[state.focus])


def scores(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Micro games and boxes of each seat (`RU-UD6`)."""
    first, second = [(state.won.count(owner), state.boxes.count(owner)) for owner in OWNERS]
    return first, second


def board(_params: Params) -> Board:
    """The macro grid of nine micro grids of 4 x 4 dots (`UD RNF3`), each a region named by its number."""
    size = SPACING * (ACROSS - 1) + DOTS - 1
    regions = [
        Region(name, x, y, DOTS - 1, DOTS - 1, tuple(BOARD.box_ids[box] for box in boxes), name)
        for name, (x, y), boxes in zip(NAMES, PLACES, BOXES_OF, strict=True)
    ]
    return Board(width=size, height=size, dots=BOARD.dots, lines=BOARD.lines, cells=BOARD.cells, regions=tuple(regions))


def marks(state: State) -> dict[str, Mark]:
    """Lines, boxes, and finished micro games with their winner."""
    return {
        **owned(BOARD.line_ids, state.lines, LINE_MARKS),
        **owned(BOARD.box_ids, state.boxes, BOX_MARKS),
        **owned(NAMES, state.won, WON_MARKS),
    }


def changes(before: State, after: State) -> Mapping[str, Mark | None]:
    """The line drawn, the boxes that it closed and the micro game that it finished."""
    found = changed(BOARD.line_ids, before.lines, after.lines, LINE_MARKS)
    found.update(changed(BOARD.box_ids, before.boxes, after.boxes, BOX_MARKS))
    found.update(changed(NAMES, before.won, after.won, WON_MARKS))
    return found


MICRO_GAME_WORTH, MATCH_WORTH = 5, 1000
"""In boxes, to the computer: a micro game is worth the boxes that it takes, and nothing outweighs the match."""


def choose(state: State, rng: Random) -> str:
    """Takes what it can at once, and else leaves the opponent the least to take: match, micro game, boxes."""
    worth = {move: _worth(state, play(state, move)) for move in legal_moves(state)}
    most = max(worth.values())
    return rng.choice([move for move, its_worth in worth.items() if its_worth == most])


def _worth(before: State, after: State) -> int:
    owner = OWNERS[before.turn]
    if winner(after.won):
        return MATCH_WORTH
    taken = after.boxes.count(owner) - before.boxes.count(owner)
    taken += MICRO_GAME_WORTH * (after.won != before.won)
    if after.turn == before.turn:
        return taken
    return taken - max(_within_reach(after, micro) for micro in open_micro_games(after))


def _within_reach(state: State, micro: int) -> int:
    """What the seat to move could take in `micro` in one turn."""
    owner, boxes = OWNERS[state.turn], BOXES_OF[micro]
    taken = haul(BOARD, state.lines, boxes)
    if state.boxes.count(owner, boxes.start, boxes.stop) + taken < TO_WIN:
        return taken
    return taken + (MATCH_WORTH if winner(put(state.won, micro, owner)) else MICRO_GAME_WORTH)


GAME = Game(
    name="ultimate-dots-and-boxes",
    title=N_("Ultimate Dots and Boxes"),
    summary=N_("Nine games of dots and boxes in one: your box says where your opponent must play."),
    help=HELP,
    prompt=N_("Ready to start: Player 1 draws the first line, in the micro game in the centre."),
    score_names=(N_("micro games"), N_("boxes")),
    score_names_one=(N_("micro game"), N_("box")),
    params=Params,
    state=State,
    options=(),
    new=lambda _params: State(),
    to_move=to_move,
    legal_moves=legal_moves,
    play=play,
    canonical=canonical,
    outcome=outcome,
    board=board,
    seats=lambda _params: SEATS,
    marks=marks,
    changes=changes,
    scores=scores,
    status=status,
    focus=lambda state: tuple([NAMES[micro] for micro in open_micro_games(state)]),
    choose=choose,
    lessons=LESSONS,
)
