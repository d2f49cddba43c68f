"""A strong player of Checkers: alpha-beta over bit boards, a move deeper each time, to the end of every exchange.

A position is four whole numbers as the player to move sees it (`server.games._draughts`): the own pieces, the other's,
all kings, and whose turn it is. A move is the position after it, so nothing is ever taken back.
"""

from __future__ import annotations

from random import Random

from server.bots.verdict import FULL, Verdict, guessed
from server.games._draughts import ALL, BLACK, FAR_ROW, HOPS, KING_HOPS, NAMES, squares_of
from server.games.checkers import State, legal_moves, play
from server.games.game import Reason
from server.games.levels import HARD, MASTER

NODES = {HARD: 3_000, MASTER: 120_000}
"""Positions looked at for each move."""

Seen = tuple[int, int, int, int]
"""Own pieces, the other's, kings, turn."""

MAN, KING = 100, 150
CLEAR = 3 * MAN
"""Who is so far ahead stands clearly better."""
WIN = 1_000_000
LAST = 8
"""With so few moves left without a capture, all that can be done in them is looked at for a verdict, where the budget
reaches so far: the hard level's does with up to four kings mostly, and seldom with more. The lead fades then, too."""
FADING = 40
"""Where only a capture puts the draw off, who stands better does so by less with each of so many last moves."""
DEEPEST = 40
FEW = 8
"""Pieces on the board from which on kings are brought near the other's, if one has more of them."""
_NUMBERED = [(int(name), bit) for bit, name in NAMES.items()]
CENTRE = squares_of((10, 11, 14, 15, 18, 19, 22, 23))
HOME = (squares_of((1, 2, 3, 4)), squares_of((29, 30, 31, 32)))
"""Where men keep the other from being crowned."""
ROWS = tuple(squares_of(range(4 * row + 1, 4 * row + 5)) for row in range(8))
ROW_WORTH = (0, 0, 1, 2, 4, 7, 14, 0)
"""Of a man that has come so many rows far."""
CORNERS = squares_of((1, 5, 28, 32))
"""The double corners, in which one king holds out for long."""
PLACES = {bit: ((square - 1) // 4, 2 * ((square - 1) % 4) + (1, 0)[(square - 1) // 4 % 2]) for square, bit in _NUMBERED}
"""Row and column of each square."""


class Spent(Exception):
    """The budget is used up."""


def choose(state: State, rng: Random, nodes: int) -> str:
    """The best move found by looking at `nodes` positions."""
    moves = list(legal_moves(state))
    if len(moves) == 1:
        return moves[0]
    rng.shuffle(moves)
    return _Search(state, nodes).best(state, moves)[0]


def judge(state: State, rng: Random, nodes: int) -> Verdict:
    """The same move, also if it is the only one, and who stands better."""
    moves = list(legal_moves(state))
    rng.shuffle(moves)
    move, value = _Search(state, nodes).best(state, moves)
    won = abs(value) >= WIN - DEEPEST
    left = state.params.draw_after - state.quiet if state.params.draw_after else WIN
    if won and WIN - abs(value) < left:
        return Verdict(move, FULL if value > 0 else -FULL, exact=True)
    # A win that takes longer than the game goes on without a capture is none, or at least not in sight.
    if left <= LAST:
        try:
            return Verdict(move, guessed(_LastMoves(state, nodes).value(seen(state), left, -WIN, WIN), CLEAR))
        except Spent:
            pass
    at = seen(state)
    lead = guessed(worth(at) if won else value, CLEAR)
    own, other, kings, _ = at
    leader = own if lead > 0 else other
    return Verdict(move, lead if leader & ~kings else round(lead * min(1.0, left / FADING)))


def captures(at: Seen, forced: bool) -> list[Seen]:
    """The positions after every capture; after each hop of a chain, unless captures are forced."""
    own, other, kings, turn = at
    empty = ALL & ~(own | other)
    men = own & ~kings if turn == BLACK else own & kings
    down = own if turn == BLACK else men
    up = own & kings if turn == BLACK else own
    starts = down & (other >> 4 & empty >> 8 | other >> 5 & empty >> 10)
    starts |= up & (other << 4 & empty << 8 | other << 5 & empty << 10)
    found: list[Seen] = []
    while starts:
        start = starts & -starts
        starts ^= start
        king = start & kings
        _hops(own ^ start, other, kings & ~king, turn, start, bool(king), empty | start, forced, found)
    return found


def _hops(
    own: int, other: int, kings: int, turn: int, here: int, king: bool, empty: int, forced: bool, found: list[Seen]
) -> bool:
    """Appends what comes of hopping on from `here`; whether anything does."""
    hopped = False
    for over, land, _ in KING_HOPS[here] if king else HOPS[turn][here]:
        if over & other and land & empty:
            hopped = True
            crowned = not king and land & FAR_ROW[turn]
            left, remaining = other ^ over, kings & ~over
            # What was jumped over is gone for the other hops, but its square is not free before the turn ends.
            on = not crowned and _hops(own, left, remaining, turn, land, king, empty, forced, found)
            if not (forced and on):
                found.append((left, own | land, remaining | land if king or crowned else remaining, 1 - turn))
    return hopped


def steps(at: Seen) -> list[Seen]:
    """The positions after every step."""
    own, other, kings, turn = at
    empty = ALL & ~(own | other)
    down = own if turn == BLACK else own & kings
    up = own & kings if turn == BLACK else own
    far = FAR_ROW[turn]
    found = []
    for movers, shift in (
        (down & empty >> 4, 4), (down & empty >> 5, 5), (up & empty << 4, -4), (up & empty << 5, -5)
    ):  # fmt: skip
        while movers:
            start = movers & -movers
            movers ^= start
            land = start << shift if shift > 0 else start >> -shift
            after = kings ^ start | land if start & kings else kings | land & far
            found.append((other, own ^ start | land, after, 1 - turn))
    return found


def worth(at: Seen) -> int:
    """How much better the player to move stands, in hundredths of a man."""
    own, other, kings, turn = at
    own_kings, other_kings = own & kings, other & kings
    own_men, other_men = own ^ own_kings, other ^ other_kings
    mine = MAN * own_men.bit_count() + KING * own_kings.bit_count()
    theirs = MAN * other_men.bit_count() + KING * other_kings.bit_count()
    value = mine - theirs
    value += 4 * ((own & CENTRE).bit_count() - (other & CENTRE).bit_count())
    value += 9 * ((own_men & HOME[turn]).bit_count() - (other_men & HOME[1 - turn]).bit_count())
    for row in range(1, 8):
        ours, others = (row, 7 - row) if turn == BLACK else (7 - row, row)
        value += ROW_WORTH[row] * ((own_men & ROWS[ours]).bit_count() - (other_men & ROWS[others]).bit_count())
    pieces = (own | other).bit_count()
    if mine != theirs:
        value += (mine - theirs) * 2 // pieces  # who has more gains by every exchange
        if pieces <= FEW and own_kings and other_kings:
            near = nearness(own_kings, other) if mine > theirs else -nearness(other_kings, own)
            value += near
    return value


def nearness(hunters: int, hunted: int) -> int:
    """How near kings are to those that they hunt, and how far these are from the double corners and the middle."""
    value = -12 * (hunted & CORNERS).bit_count()
    targets = [PLACES[bit] for bit in _bits(hunted)]
    for hunter in _bits(hunters):
        row, column = PLACES[hunter]
        value -= 3 * min(max(abs(row - there), abs(column - beside)) for there, beside in targets)
    return value


def _bits(of: int) -> list[int]:
    found = []
    while of:
        bit = of & -of
        of ^= bit
        found.append(bit)
    return found


class _Search:
    def __init__(self, state: State, nodes: int) -> None:
        self._forced = state.params.captures == "forced"
        self._left = nodes
        self._known: dict[Seen, tuple[int, int, int, Seen | None]] = {}
        """Depth, lowest and highest value, and the best position after it."""

    def best(self, state: State, moves: list[str]) -> tuple[str, int]:
        """The best move and its value: looks a move deeper until the budget is used up, or the end is seen."""
        after = {move: play(state, move) for move in moves}
        moves.sort(key=lambda move: move.count("x"), reverse=True)
        found, worth_of_it = moves[0], 0
        for depth in range(1, DEEPEST):
            best, low = moves[0], -2 * WIN
            for move in moves:
                try:
                    value = self._after(after[move], depth, low)
                except Spent:
                    # What was best at the last depth is looked at first, so whatever beat it is better.
                    # But of the moves that were not looked at this deep nobody knows that they lose, too.
                    return (best, max(low, DEEPEST - WIN + 1)) if low > -2 * WIN else (found, worth_of_it)
                if value > low:
                    best, low = move, value
            found, worth_of_it = best, low
            moves.sort(key=found.__ne__)
            if abs(low) > WIN - DEEPEST:
                break
        return found, worth_of_it

    def _after(self, state: State, depth: int, low: int) -> int:
        if state.ended is Reason.NO_PROGRESS:
            return 0
        return -self._value(seen(state), depth - 1, 1, -2 * WIN, -low)

    def _value(self, at: Seen, depth: int, ply: int, low: int, high: int) -> int:
        """What `at` is worth to the player to move; exact between `low` and `high`."""
        if not self._left:
            raise Spent
        self._left -= 1
        first: Seen | None = None
        known = self._known.get(at)
        if known is not None:
            deep, known_low, known_high, first = known
            if deep >= depth:
                if known_low >= high or known_low == known_high:
                    return known_low
                if known_high <= low:
                    return known_high
        moves = captures(at, self._forced)
        best, alpha = -2 * WIN, low
        if not moves or not self._forced:
            if depth <= 0:
                best = worth(at)
                if best >= high or not moves:
                    return best if moves or steps(at) else ply - WIN
                alpha = max(alpha, best)
            else:
                quiet = steps(at)
                moves += quiet
        if not moves:
            return ply - WIN
        if first is not None and first in moves:
            moves.remove(first)
            moves.insert(0, first)
        chosen = first
        for after in moves:
            value = -self._value(after, depth - 1, ply + 1, -high, -alpha)
            if value > best:
                best, chosen = value, after
                if value > alpha:
                    alpha = value
                    if value >= high:
                        break
        if depth > 0 or known is None:
            self._known[at] = (depth, best if best > low else -2 * WIN, best if best < high else 2 * WIN, chosen)
        return best


class _LastMoves(_Search):
    """The last moves before the draw for want of progress; what is captured or moved up in them is guessed at."""

    def value(self, at: Seen, left: int, low: int, high: int) -> int:
        """What `at` is worth to the player to move, who draws after `left` moves of kings without a capture."""
        if not self._left:
            raise Spent
        self._left -= 1
        men = (at[0] | at[1]) & ~at[2]
        taken = captures(at, self._forced)
        moves = [(after, LAST) for after in taken]
        if not (taken and self._forced):
            quiet = steps(at)
            moves += [(after, LAST if (after[0] | after[1]) & ~after[2] != men else left - 1) for after in quiet]
        best = 1 - WIN
        for after, still in moves:
            if not (still or captures(after, self._forced) or steps(after)):
                value = WIN - 1
            elif still == LAST:
                value = -self._value(after, 0, 1, -high, -max(low, best))
            else:
                value = -self.value(after, still, -high, -max(low, best)) if still else 0
            best = max(best, value)
            if best >= high:
                break
        return best


def seen(state: State) -> Seen:
    own, other = (state.black, state.white) if state.turn == BLACK else (state.white, state.black)
    return own, other, state.kings, state.turn
