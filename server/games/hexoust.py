"""HexOust: place stones on a hexagonal board of hexagons, capture smaller groups, leave no enemy stone.

A placement that touches no own stone ends the turn (`HX NCP`). One that touches own stones is allowed only if the new,
larger group touches an enemy group and is larger than each that it touches (`HX CP`, `RU-HX2`); those are captured, and
the player places again. Who can place must; who cannot passes, which the server does (`RU-HX3`). Whoever captures the
last enemy stone wins; there are no draws (`RU-HX4`).

A state knows its groups, and each group the cells that touch it, so that a placement changes the groups that it joins
and nothing is searched. Cells, groups and where a stone may be placed are in `_hexes.py`.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import compress
from random import Random
from typing import NoReturn

import msgspec

from protocol.board import Board, Mark, Piece, SeatStyle
from protocol.errors import Code, IllegalMove, MalformedMove
from protocol.messages import Option
from protocol.text import N_, Text, text
from server.games._hexes import HALF_HEXAGON, ROW_HEIGHT, Group, Groups, each, grouped, layout, placements
from server.games._hexoust_lessons import LESSONS
from server.games.game import Game, Outcome, Reason

RED, BLUE = 0, 1
MIN_SIDE, MAX_SIDE, STANDARD_SIDE = 3, 9, 7
PASS, SWAP = "pass", "swap"

LOOKED_AT = 40
"""Of equally safe placements the computer tries this many for what they threaten: 100 ms suffice on a slow machine."""

STYLES = (SeatStyle(N_("RED"), "#d62828", "●"), SeatStyle(N_("BLUE"), "#1f5fd0", "◆"))
MARKS = (Mark(RED, Piece.STONE), Mark(BLUE, Piece.STONE))

HELP = N_("""\
RED and BLUE place stones on free cells in turn. RED begins. Stones of one colour that touch each other are a group.

A stone that touches none of your own stones may be placed on any free cell. It ends your turn.

A stone that touches your own stones joins them into one larger group. You may place it only if that group then \
touches a group of your opponent, and is larger than every one that it touches. Those groups leave the board, and you \
place again.

A stone on + makes a group of two with r. It touches the group b, which is smaller, and captures it:

   . b .         . . .
  r + . .  ->   r r . .
   . . .         . . .

You must place a stone if you can. If you cannot, the server passes for you. Whoever captures the last stone of the \
opponent wins. There are no draws.

In a match with “swap”, BLUE may answer RED's first stone with it: the stone becomes BLUE's, and RED places next.

To place a stone, click a cell, or drag the stone onto it. With the keyboard, move with the arrow keys and press \
Enter. Cells are called by row and number: a1 is the first of the top row.

? shows and hides this help; the game goes on meanwhile. A gives the game up, and your opponent wins. q quits.""")


class Params(msgspec.Struct, frozen=True):
    """Cells on a side of the board, and whether BLUE may swap (`RU-HX5`)."""

    side: int = STANDARD_SIDE
    pie: bool = False


class State(msgspec.Struct, frozen=True, dict=True):
    """A position: each seat's stones as a set of bits, in hexadecimal because a codec's whole numbers end at 64 bits.

    These fields are the whole state. What is worked out from them is kept beside them, and `play` hands on what a
    placement left as it was.
    """

    params: Params
    red: str = "0"
    blue: str = "0"
    turn: int = RED
    winner: int | None = None

    @cached_property
    def stones(self) -> tuple[int, int]:
        """Each seat's stones."""
        return int(self.red, 16), int(self.blue, 16)

    @cached_property
    def groups(self) -> tuple[Groups, Groups]:
        """Each seat's groups."""
        near = layout(self.params.side).near
        return grouped(self.stones[RED], near), grouped(self.stones[BLUE], near)

    @cached_property
    def open(self) -> int:
        """The cells on which the player to move may place a stone."""
        if self.winner is not None:
            return 0
        hexes = layout(self.params.side)
        free = hexes.full & ~(self.stones[RED] | self.stones[BLUE])
        return placements(hexes, free, self.groups[self.turn], self.groups[1 - self.turn])


def new(params: Params) -> State:
    """The empty board; RED moves first."""
    return State(params)


def to_move(state: State) -> int | None:
    """The seat whose turn it is, also after a capture (`HX SR3.2`); None when the game is over."""
    return state.turn if state.winner is None else None


def legal_moves(state: State) -> tuple[str, ...]:
    """Cells in reading order, and "swap" while BLUE may; only "pass" when there is no placement (`RU-HX3`)."""
    if state.winner is not None:
        return ()
    if not state.open:
        return (PASS,)
    names = layout(state.params.side).names
    chosen = f"{state.open:0{len(names)}b}".encode().translate(_AS_FLAGS)
    moves = tuple(compress(names, chosen))
    return (*moves, SWAP) if _may_swap(state) else moves


_AS_FLAGS = bytes.maketrans(b"01", b"\0\1")


def _may_swap(state: State) -> bool:
    """Instead of BLUE's first placement only: later each player who is to move has a stone, or has swapped."""
    return state.params.pie and state.turn == BLUE and not state.stones[BLUE] and state.stones[RED].bit_count() == 1


def automatic(state: State) -> str | None:
    """The pass of a player who has no placement, at the start of a turn or in the middle of it (`RU-HX3`)."""
    return PASS if state.winner is None and not state.open else None


_CELL = re.compile(r"[a-z][0-9]{1,2}")


def play(state: State, move: str) -> State:
    """The state after `move`: a placement, with its captures (`HX NCP`, `CP`), or "pass", or "swap"."""
    if state.winner is not None:
        raise IllegalMove(move, code=Code.FINISHED)
    bit = layout(state.params.side).bits.get(move, 0)
    if not bit & state.open:
        if move == PASS and not state.open:
            return _next(state, state.stones, state.groups, 1 - state.turn, None)
        if move == SWAP and _may_swap(state):
            return _next(state, state.stones[::-1], state.groups[::-1], RED, None)
        _refuse(state, move)
    seat = state.turn
    other = state.groups[1 - seat]
    (joined, reach, size), kept = _joined(state, bit)
    kept.append((joined, reach, size))
    ours, theirs, turn, winner = state.stones[seat] | bit, state.stones[1 - seat], 1 - seat, None
    if size > 1:
        captured = [group for group in other if group[0] & reach]
        other = tuple([group for group in other if not group[0] & reach])
        theirs ^= sum(group[0] for group in captured)
        turn, winner = seat, None if theirs else seat
    if seat == RED:
        return _next(state, (ours, theirs), (tuple(kept), other), turn, winner)
    return _next(state, (theirs, ours), (other, tuple(kept)), turn, winner)


def _joined(state: State, bit: int) -> tuple[Group, list[Group]]:
    """The group that a stone of the player to move forms on the cell `bit`, and that player's other groups."""
    joined, reach, size, kept = bit, layout(state.params.side).near[bit], 1, []
    for group in state.groups[state.turn]:
        if group[1] & bit:
            joined |= group[0]
            reach |= group[1]
            size += group[2]
        else:
            kept.append(group)
    return (joined, reach, size), kept


def _next(state: State, stones: tuple[int, int], groups: tuple[Groups, Groups], turn: int, winner: int | None) -> State:
    after = State(state.params, f"{stones[RED]:x}", f"{stones[BLUE]:x}", turn, winner)
    after.__dict__.update(stones=stones, groups=groups)
    return after


def _refuse(state: State, move: str) -> NoReturn:
    if move == PASS:
        raise IllegalMove(move, text(N_("You can place a stone, so you must.")), "no_pass")
    if move == SWAP:
        sentence = text(N_("Only BLUE may swap, as the answer to RED's first stone, if the match allows it."))
        raise IllegalMove(move, sentence, "no_swap")
    if not _CELL.fullmatch(move):
        raise MalformedMove(move)
    sentence, at = _why_not(state, move)
    raise IllegalMove(move, sentence, "invalid_cell", at=" ".join(at))


def _why_not(state: State, cell: str) -> tuple[Text, list[str]]:
    """Which of three reasons forbids a stone on `cell`, after the document's words (`HX SR4.1`), and where it lies."""
    hexes = layout(state.params.side)
    bit = hexes.bits.get(cell)
    if bit is None:
        return text(N_("Invalid Cell Placement")), []
    if bit & (state.stones[RED] | state.stones[BLUE]):
        return text(N_("Invalid Cell Placement: there is a stone already.")), [cell]
    (joined, reach, size), _ = _joined(state, bit)
    enemy = Text(STYLES[1 - state.turn].name)
    touched = [group for group in state.groups[1 - state.turn] if group[0] & reach]
    if not touched:
        sentence = N_("Invalid Cell Placement: your group of {size} touches no stone of {player}'s.")
        return text(sentence, size=size, player=enemy), [hexes.by_bit[one] for one in each(joined ^ bit)]
    largest = max(touched, key=lambda group: group[2])
    sentence = N_("Invalid Cell Placement: your group of {size} is not larger than {player}'s of {other}.")
    return text(sentence, size=size, player=enemy, other=largest[2]), [hexes.by_bit[one] for one in each(largest[0])]


def outcome(state: State) -> Outcome | None:
    """The player who captured the last enemy stone wins (`HX SR5`, `RU-HX4`)."""
    if state.winner is None:
        return None
    sentence = text(N_("{player} wins"), player=Text(STYLES[state.winner].name))
    return Outcome(state.winner, Reason.CAPTURED, sentence)


def status(state: State) -> Text:
    """Whose turn it is (`HX SR1.1`, `SR2.2`), or who won (`SR5.1`)."""
    over = outcome(state)
    return over.text if over else text(N_("{player}'s turn"), player=Text(STYLES[state.turn].name))


def board(params: Params) -> Board:
    """Hexagons of width 1 in rows."""
    rows = 2 * params.side - 1
    height = (rows - 1) * ROW_HEIGHT + 2 * HALF_HEXAGON
    return Board(width=rows, height=round(height, 6), cells=layout(params.side).cells, groups=True)


def marks(state: State) -> dict[str, Mark]:
    """The stones on the board."""
    names = layout(state.params.side).by_bit
    return {names[bit]: MARKS[seat] for seat, stones in enumerate(state.stones) for bit in each(stones)}


def changes(before: State, after: State) -> dict[str, Mark | None]:
    """The stone placed and those captured (`HX SR3.1`)."""
    names = layout(after.params.side).by_bit
    red, blue = after.stones
    differs = before.stones[RED] ^ red | before.stones[BLUE] ^ blue
    return {names[bit]: MARKS[RED] if red & bit else MARKS[BLUE] if blue & bit else None for bit in each(differs)}


def scores(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Stones on the board."""
    return (state.stones[RED].bit_count(),), (state.stones[BLUE].bit_count(),)


def choose(state: State, rng: Random) -> str:
    """Captures the most it can; else places where the opponent can capture least, and threatens the most itself."""
    names = layout(state.params.side).by_bit
    captures = hauls(state)
    if captures:
        most = max(captures.values())
        return rng.choice([names[bit] for bit, haul in captures.items() if haul == most])
    if not state.open:
        return PASS
    risks = {bit: max(hauls(play(state, names[bit])).values(), default=0) for bit in each(state.open)}
    least = min(risks.values())
    safe = [bit for bit, risk in risks.items() if risk == least]
    threats = {bit: _threat(play(state, names[bit])) for bit in rng.sample(safe, min(LOOKED_AT, len(safe)))}
    most = max(threats.values())
    return names[rng.choice([bit for bit, threat in threats.items() if threat == most])]


def _threat(after: State) -> int:
    """How many stones the player who has just moved could capture at once if it were that player's turn again."""
    again = _next(after, after.stones, after.groups, 1 - after.turn, after.winner)
    return max(hauls(again).values(), default=0)


def hauls(state: State) -> dict[int, int]:
    """For each capturing placement of the player to move how many stones it captures."""
    near = layout(state.params.side).near
    own, other = state.groups[state.turn], state.groups[1 - state.turn]
    beside = 0
    for _, around, _ in own:
        beside |= around
    found = {}
    for bit in each(state.open & beside):
        reach = near[bit]
        for _, around, _ in own:
            if around & bit:
                reach |= around
        found[bit] = sum(size for stones, _, size in other if stones & reach)
    return found


GAME = Game(
    name="hexoust",
    title=N_("HexOust"),
    summary=N_("Join stones into larger groups, capture the smaller ones, leave no enemy stone."),
    help=HELP,
    prompt=N_("Ready to start: RED places the first stone."),
    score_names=(N_("stones"),),
    score_names_one=(N_("stone"),),
    params=Params,
    state=State,
    options=(
        Option(
            name="side",
            label=N_("Cells on a side"),
            default=STANDARD_SIDE,
            low=MIN_SIDE,
            high=MAX_SIDE,
            help=N_("How many cells each of the board's six sides has."),
            first=True,
        ),
        Option(
            name="pie",
            label=N_("BLUE may swap"),
            default=False,
            help=N_("BLUE may take RED's first stone for its own instead of placing one."),
        ),
    ),
    new=new,
    to_move=to_move,
    legal_moves=legal_moves,
    play=play,
    outcome=outcome,
    board=board,
    seats=lambda _params: STYLES,
    marks=marks,
    changes=changes,
    scores=scores,
    status=status,
    automatic=automatic,
    choose=choose,
    lessons=LESSONS,
)
