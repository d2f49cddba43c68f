"""A strong player of Dots and Boxes: plays safe lines out by lot, and counts what the chains that remain are worth.

While lines can be drawn that give nothing away, who has to open the first chain matters most: games are played out by
safe lines alone, in any order, and what comes then is worked out (`ending`). With few safe lines left all orders are
looked at, and with few free lines all that follows (`boxes.Solver`): there the play is perfect.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from server.bots import dots_openings
from server.bots.boxes import Bounds, Grid, Solver, Spent, closed, each, free_of, grid, openings, safe, takes
from server.bots.verdict import FULL, Verdict, counted, guessed
from server.games.dots_and_boxes import State
from server.games.levels import HARD, MASTER

PLAYOUTS = {HARD: 700, MASTER: 5_000}
"""Games played out for each move."""
NODES = 12
"""Positions of the exact end that take as long as one game played out."""
SOLVED_FROM = 36
"""With more free lines the exact end is not tried, unless no line is safe any more."""
SAFE_ORDERS = 16
"""With more safe lines not all orders are tried."""
LONG = 3
"""Boxes of a chain of which the last two can be declined; a shorter one is taken whole."""
CHAIN_PRICE, LOOP_PRICE = 4, 8
"""What declining costs: two boxes of a chain, four of a loop, which the other has instead."""
EDGE = 100
"""More free sides than any box has: beyond the edge of the board every line is safe."""
MEMORY = 100_000
CLEAR = 4
"""Boxes: who is so far ahead by safe lines alone stands clearly better."""
A_LOOK = 100
"""Games played out to see who stands better where there is one move."""


def choose(state: State, rng: Random, playouts: int) -> str:
    """The best line found with so many games played out."""
    board, free, moves = _to_weigh(state, rng)
    if len(moves) == 1:
        return board.lines[moves[0].bit_length() - 1]
    return _best(state, board, free, moves, rng, playouts).move


def judge(state: State, rng: Random, playouts: int) -> Verdict:
    """The same line, also where one is enough, and who stands better: certain where the end is solved."""
    return _best(state, *_to_weigh(state, rng), rng, playouts)


def _to_weigh(state: State, rng: Random) -> tuple[Grid, int, list[int]]:
    """The board, its free lines, and those that are worth a thought: what takes boxes, or else all that open some."""
    board = grid(state.width, state.height)
    free = free_of(state.lines)
    moves = list(takes(board, free))
    if not moves:
        moves = openings(board, free)
        rng.shuffle(moves)
    return board, free, moves


def _best(state: State, board: Grid, free: int, moves: list[int], rng: Random, playouts: int) -> Verdict:
    def verdict(line: int, lead: int, *, exact: bool = False) -> Verdict:
        return Verdict(board.lines[line.bit_length() - 1], lead, exact)

    quiet = [line for line in moves if safe(board, free, line)]
    ahead = state.boxes.count("01"[state.turn]) - state.boxes.count("01"[1 - state.turn])
    if free.bit_count() <= SOLVED_FROM or not quiet:
        try:
            line, more = _solved(board, free, moves, playouts * NODES)
            return verdict(line, counted(ahead + more, len(board.sides)), exact=True)
        except Spent:
            pass
    lots = Lots(board, rng, ahead)
    if quiet and not takes(board, free):
        if len(quiet) <= SAFE_ORDERS:
            try:
                line, more = _Orders(board, lots, playouts).best(free, quiet)
                return verdict(line, guessed(ahead + more, CLEAR))
            except Spent:
                pass
        moves = quiet
    line, reward = lots.best(free, moves, playouts)
    return verdict(line, max(-FULL, min(FULL, round((FULL - 1) * reward))))


def _solved(board: Grid, free: int, moves: list[int], nodes: int) -> tuple[int, int]:
    """The move of the greatest value, and that. Raises Spent."""
    solver, goal = Solver(board, nodes), dots_openings.value(board, free)
    best, most = moves[0], -EDGE
    for line in moves:
        known = dots_openings.value(board, free ^ line)
        if known is not None:
            won = closed(board, free, line)
            value = won + known if won else -known
        elif goal is not None:
            value = solver.after(free, line, goal - 1, goal)
        else:
            value = solver.after(free, line, most, EDGE)
        if value > most:
            best, most = line, value
        if most == goal:
            break
    return best, most


class Lots:
    """Games played out by lot."""

    def __init__(self, board: Grid, rng: Random, lead: int) -> None:
        self._board = board
        self._rng = rng
        self._lead = lead
        number = {sides: box for box, sides in enumerate(board.sides)}
        beyond = len(board.sides)
        self._beside = {
            line: (number[around[0]], number[around[1]] if len(around) == 2 else beyond)
            for line, around in board.beside.items()
        }

    def best(self, free: int, moves: list[int], playouts: int) -> tuple[int, float]:
        """The best move, and its mean reward: gives all some games, then the better half of them as many, and so on."""
        totals = dict.fromkeys(moves, 0.0)
        games = dict.fromkeys(moves, 0)
        rounds = max(1, (len(moves) - 1).bit_length())
        while len(moves) > 1:
            each_gets = max(1, playouts // rounds // len(moves))
            for line in moves:
                for _ in range(each_gets):
                    totals[line] += self._reward(free, line)
                games[line] += each_gets
            moves = sorted(moves, key=lambda line: totals[line] / games[line], reverse=True)[: (len(moves) + 1) // 2]
        best = moves[0]
        if not games[best]:
            games[best] = min(A_LOOK, playouts)
            totals[best] = sum(self._reward(free, best) for _ in range(games[best]))
        return best, totals[best] / games[best]

    def _reward(self, free: int, line: int) -> float:
        """To win is what counts; by how much, a little."""
        won = closed(self._board, free, line)
        value = won + self.once(free ^ line) if won else -self.once(free ^ line)
        value += self._lead
        return (value > 0) - (value < 0) + value / 100

    def once(self, free: int) -> int:
        """What the player to move gets, who closes what can be closed: then all draw safe lines by lot."""
        taken = 0
        while found := takes(self._board, free):
            taken += closed(self._board, free, found[0])
            free ^= found[0]
        counts = [(free & sides).bit_count() for sides in self._board.sides]
        counts.append(EDGE)
        lines = list(each(free))
        self._rng.shuffle(lines)
        beside, sign = self._beside, 1
        for line in lines:
            one, other = beside[line]
            if counts[one] > 2 and counts[other] > 2:
                counts[one] -= 1
                counts[other] -= 1
                free ^= line
                sign = -sign
        return taken + sign * self.chained(free, counts)

    def chained(self, free: int, counts: list[int]) -> int:
        """What the player to move gets where no line is safe."""
        chains: list[int] = []
        loops: list[int] = []
        part = [-1] * len(counts)
        sides, beside = self._board.sides, self._beside
        for start, count in enumerate(counts):
            if count != 2 or part[start] >= 0:
                continue
            number, length, inside, todo = len(chains), 0, 0, [start]
            part[start] = number
            while todo:
                box = todo.pop()
                length += 1
                for line in each(free & sides[box]):
                    one, two = beside[line]
                    other = two if one == box else one
                    if counts[other] == 2:
                        inside += 1
                        if part[other] < 0:
                            part[other] = number
                            todo.append(other)
            if inside == 2 * length and length >= 4:
                loops.append(length)
                chains.append(0)
            else:
                chains.append(length)
        self._join(free, counts, part, chains)
        return ending(tuple(sorted([length for length in chains if length])), tuple(sorted(loops)))

    def _join(self, free: int, counts: list[int], part: list[int], chains: list[int]) -> None:
        """Where three chains meet, the two longer ones and the box between them become one, once the third is gone."""
        into = list(range(len(chains)))
        for box, sides in enumerate(self._board.sides):
            if counts[box] <= 2:
                continue
            arms = set()
            for line in each(free & sides):
                one, two = self._beside[line]
                found = part[two if one == box else one]
                if found >= 0:
                    while into[found] != found:
                        found = into[found]
                    arms.add(found)
            longest = sorted(arms, key=chains.__getitem__, reverse=True)[:2]
            if not longest:
                chains.append(1)
                into.append(len(into))
                continue
            chains[longest[0]] += 1
            if len(longest) == 2:
                chains[longest[0]] += chains[longest[1]]
                chains[longest[1]] = 0
                into[longest[1]] = longest[0]


@lru_cache(MEMORY)
def ending(chains: tuple[int, ...], loops: tuple[int, ...]) -> int:
    """What the player gets who has to open one of these chains and loops, their lengths in order, if both play well.

    The shortest chain or the shortest loop is opened; the other takes all and has to open the next, or declines.
    """
    values = []
    if chains:
        length, rest = chains[0], ending(chains[1:], loops)
        keeps = length - CHAIN_PRICE - rest if length >= LONG and (chains[1:] or loops) else -EDGE
        values.append(-max(length + rest, keeps))
    if loops:
        length, rest = loops[0], ending(chains, loops[1:])
        keeps = length - LOOP_PRICE - rest if chains or loops[1:] else -EDGE
        values.append(-max(length + rest, keeps))
    return max(values, default=0)


class _Orders:
    """All orders in which the safe lines that are left can be drawn, or as many as decide."""

    def __init__(self, board: Grid, lots: Lots, ends: int) -> None:
        self._board = board
        self._lots = lots
        self._left = ends
        self._bounds = Bounds()

    def best(self, free: int, quiet: list[int]) -> tuple[int, int]:
        """The line of the greatest value, and that. Raises Spent."""
        best, most = quiet[0], -EDGE
        for line in quiet:
            value = -self._value(free ^ line, [one for one in quiet if one != line], -EDGE, -most)
            if value > most:
                best, most = line, value
        return best, most

    def _value(self, free: int, quiet: list[int], low: int, high: int) -> int:
        known = self._bounds.settled(free, low, high)
        if known is not None:
            return known
        quiet = [line for line in quiet if safe(self._board, free, line)]
        if not quiet:
            if not self._left:
                raise Spent
            self._left -= 1
            counts = [(free & sides).bit_count() for sides in self._board.sides]
            return self._bounds.found(free, self._lots.chained(free, [*counts, EDGE]), -EDGE, EDGE)
        best, alpha = -EDGE, low
        for line in quiet:
            value = -self._value(free ^ line, [one for one in quiet if one != line], -high, -alpha)
            if value > best:
                best, alpha = value, max(alpha, value)
                if best >= high:
                    break
        return self._bounds.found(free, best, low, high)
